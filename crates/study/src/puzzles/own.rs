//! Puzzles from one's own games: the position before a mistake, where the assessment proves that a single move was right.
//!
//! The maker proves more and finds longer solutions. This needs only the assessments of a review, so that the page can
//! do it, too.

use players::Proof;
use rules::AnyGame;

use super::{Goal, Puzzle, Theme};
use crate::assessment::Assessment;

/// The puzzle of a position, without a rating, if its final assessment says that exactly one move wins, or that exactly
/// one does not lose. The solution is that move.
#[must_use]
pub fn from_assessment(game: &AnyGame, assessment: &Assessment) -> Option<Puzzle> {
    let legal = game.legal_moves().len();
    if legal < 2 || !assessment.is_final || assessment.moves.len() != legal {
        return None;
    }
    let proven = assessment.moves.iter().map(|it| it.verdict.proven()).collect::<Option<Vec<_>>>()?;
    let best = proven[0];
    let goal = match best.result {
        Proof::Win => Goal::Win,
        Proof::Draw => Goal::Hold,
        Proof::Loss => return None,
    };
    if proven[1..].iter().any(|other| other.result == best.result) {
        return None;
    }
    let theme = match goal {
        Goal::Hold => Theme::Draw,
        Goal::Win if best.plies <= 1 => Theme::WinInOne,
        Goal::Win => Theme::Long,
    };
    Some(Puzzle {
        spec: game.spec(),
        moves: game.moves(),
        solution: vec![assessment.moves[0].text.clone()],
        goal,
        depth: game.plies_left().into(),
        themes: vec![theme],
        rating: 0,
    })
}

#[cfg(test)]
mod tests {
    use players::{Resources, Stop};
    use rules::Spec;

    use super::*;
    use crate::{
        assessment::{Limits, assess},
        puzzles::verify,
    };

    fn own(game: &str, moves: &str) -> Option<Puzzle> {
        let mut game = AnyGame::from(game.parse::<Spec>().unwrap());
        game.play_all(moves).unwrap();
        from_assessment(
            &game,
            &assess(&game, &Limits::default(), &Resources::new(1), &Stop::default(), &mut |_| {}),
        )
    }

    #[test]
    fn a_single_right_move_makes_a_sound_puzzle() {
        for (game, moves, line) in [
            ("tic-tac-toe", "c2 a1", "c2 a1\tc1\twin\t7\tlong\t0"),
            ("tic-tac-toe", "a1", "a1\tb2\thold\t8\tdraw\t0"),
            ("tic-tac-toe", "a1 b2 a2 b1", "a1 b2 a2 b1\ta3\twin\t5\twin-in-one\t0"),
        ] {
            let puzzle = own(game, moves).unwrap();
            assert_eq!(puzzle.to_string(), line);
            assert_eq!(verify(&puzzle), Ok(()));
        }
    }

    #[test]
    fn several_right_moves_or_none_make_no_puzzle() {
        // All moves draw; several moves win; every move loses.
        for moves in ["", "a1 b1", "a1 c3 a3 a2 c1"] {
            assert_eq!(own("tic-tac-toe", moves), None, "{moves}");
        }
    }
}
