//! Solving a puzzle: judges moves, answers for the opponent, tells why a wrong move fails, and helps. Terminal, server
//! and page share this code.

use std::time::Duration;

use players::{Proof, Proven, Resources, Stop};
use rules::{AnyGame, Cell};

use super::{Goal, Puzzle, Theme};
use crate::{
    assessment::{Limits, assess},
    glicko::Rating,
};

/// Enough to find a refutation within a short wait.
const LIMITS: Limits =
    Limits { lines: 1, threads: 1, time: Some(Duration::from_secs(2)), nodes: Some(300_000), depth: None };

/// A puzzle with what has been found of its solution.
#[derive(Clone, Debug)]
pub struct Attempt<'a> {
    puzzle: &'a Puzzle,
    game: AnyGame,
    /// How much of the solution is on the board.
    ply: usize,
}

/// The verdict on a move.
#[derive(Clone, Debug)]
pub enum Judged {
    /// The move is right; the opponent has replied with the longest defence, unless the solution ends.
    Right {
        /// The opponent's answer.
        reply: Option<String>,
    },
    /// The move is wrong; the attempt does not change.
    Wrong {
        /// The game after the move.
        after: AnyGame,
    },
}

/// Why a wrong move fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[cfg_attr(feature = "schema", ts(rename = "WhyWrong"), schema(as = WhyWrong))]
pub enum Why {
    /// It ends the game without the wanted result.
    Ends,
    /// The opponent wins.
    Loses,
    /// The win becomes a draw.
    Draws,
    /// It wins too, but not within the depth of the puzzle.
    Later,
    /// It does not reach the goal within the depth of the puzzle; a short search does not see more.
    Unclear,
}

/// The refutation of a wrong move.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(optional_fields))]
pub struct Refutation {
    /// Why the move fails.
    pub why: Why,
    /// The number of the winner's own moves to the end, if the game is won; otherwise the number of the
    /// solver's own moves within which the goal is not reached.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub moves: Option<u32>,
    /// The course of the game after it, the opponent's answer first. Empty if the game is over.
    pub line: Vec<String>,
}

/// Hints, to be shown one after the other.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[cfg_attr(feature = "schema", ts(rename = "PuzzleHelp", optional_fields), schema(as = PuzzleHelp))]
pub struct Help {
    /// What decides.
    #[cfg_attr(feature = "schema", schema(value_type = String), ts(as = "String"))]
    pub theme: Theme,
    /// The cell of the piece that has to move, if the move starts on the board.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>))]
    pub from: Option<Cell>,
    /// The cell where the move goes.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub to: Cell,
    /// The rest of the solution.
    pub solution: Vec<String>,
}

impl<'a> Attempt<'a> {
    /// An attempt at the beginning.
    #[must_use]
    pub fn new(puzzle: &'a Puzzle) -> Self {
        Self { puzzle, game: puzzle.game(), ply: 0 }
    }

    /// An attempt after these moves of the solver, and the game after the first wrong one, if one is wrong.
    ///
    /// # Errors
    /// A sentence, if a move is not legal or follows the solution or a wrong move.
    pub fn replay(puzzle: &'a Puzzle, moves: &[String]) -> Result<(Self, Option<AnyGame>), String> {
        let mut attempt = Self::new(puzzle);
        for (place, m) in moves.iter().enumerate() {
            if let Judged::Wrong { after } = attempt.play(m)? {
                let is_last = place + 1 == moves.len();
                return is_last
                    .then_some((attempt, Some(after)))
                    .ok_or_else(|| format!("{m} is wrong; no move can follow"));
            }
        }
        Ok((attempt, None))
    }

    /// The game as it stands.
    #[must_use]
    pub fn game(&self) -> &AnyGame {
        &self.game
    }

    /// Whether the whole solution has been found.
    #[must_use]
    pub fn is_solved(&self) -> bool {
        self.ply >= self.puzzle.solution.len()
    }

    /// The moves since the beginning of the puzzle.
    #[must_use]
    pub fn course(&self) -> &'a [String] {
        &self.puzzle.solution[..self.ply]
    }

    /// Judges a move of the solver.
    ///
    /// # Errors
    /// A sentence, if the move is not legal or the puzzle is solved already.
    pub fn play(&mut self, m: &str) -> Result<Judged, String> {
        let Some(wanted) = self.puzzle.solution.get(self.ply) else {
            return Err("the puzzle is solved".to_owned());
        };
        let mut after = self.game.clone();
        after.play(m).map_err(|error| error.to_string())?;
        if after.moves().last() != Some(wanted) {
            return Ok(Judged::Wrong { after });
        }
        self.game = after;
        self.ply += 1;
        let reply = self.puzzle.solution.get(self.ply).cloned();
        if let Some(reply) = &reply {
            self.game.play(reply).expect("the moves of a solution are legal");
            self.ply += 1;
        }
        Ok(Judged::Right { reply })
    }

    /// The hints for the next move; none if the puzzle is solved.
    #[must_use]
    pub fn help(&self) -> Option<Help> {
        let solution = &self.puzzle.solution[self.ply..];
        let choice = self.game.choices().into_iter().find(|choice| Some(&choice.text) == solution.first())?;
        let solution = solution.to_vec();
        Some(Help { theme: self.puzzle.theme(), from: choice.from, to: choice.to, solution })
    }

    /// Explains why the move that led to `after` fails, by an assessment of that position, which takes up to
    /// two seconds.
    #[must_use]
    pub fn refute(&self, after: &AnyGame, resources: &Resources, stop: &Stop) -> Refutation {
        // A game that is over has no moves to assess.
        let assessment = assess(after, &LIMITS, resources, stop, &mut |_| {});
        let best = assessment.best();
        let line = best.map_or_else(Vec::new, |best| best.line.clone());
        self.refutation(after, best.and_then(|best| best.verdict.proven()), line)
    }

    /// The same from an assessment made elsewhere: what is proven about the opponent's best reply, and its
    /// line.
    #[must_use]
    pub fn refutation(&self, after: &AnyGame, proven: Option<Proven>, line: Vec<String>) -> Refutation {
        let proven = proven.map(|proven| (proven.result, proven.winners_moves()));
        let (why, moves) = match (proven, self.puzzle.goal) {
            _ if after.outcome().is_some() => (Why::Ends, None),
            (Some((Proof::Win, moves)), _) => (Why::Loses, Some(moves)),
            (Some((Proof::Draw, _)), Goal::Win) => (Why::Draws, None),
            (Some((Proof::Loss, moves)), Goal::Win) => (Why::Later, Some(moves)),
            _ => (Why::Unclear, Some((self.puzzle.depth + 1).saturating_sub(self.ply as u32) / 2)),
        };
        Refutation { why, moves, line }
    }
}

/// The rating of a person after a puzzle; the puzzle's rating does not change.
#[must_use]
pub fn rated(person: Rating, puzzle: &Puzzle, is_solved: bool) -> Rating {
    person.after_game(Rating::fixed(puzzle.rating.into()), f64::from(u8::from(is_solved)))
}

#[cfg(test)]
mod tests {
    use players::system;

    use super::*;

    fn puzzle(game: &str, line: &str) -> Puzzle {
        Puzzle::read(game.parse().unwrap(), line).unwrap()
    }

    fn refuted(attempt: &mut Attempt, m: &str) -> Refutation {
        let Judged::Wrong { after } = attempt.play(m).unwrap() else { panic!("{m} is right") };
        attempt.refute(&after, &system::resources(1), &Stop::default())
    }

    #[test]
    fn the_opponent_answers_until_the_puzzle_is_solved() {
        let puzzle = puzzle("tic-tac-toe", "c2 a1\tc1 c3 b2 a3 a2\twin\t7\tdouble-threat\t1644");
        let mut attempt = Attempt::new(&puzzle);
        assert!(attempt.play("c9").is_err());
        for (m, expected) in [("c1", Some("c3")), ("b2", Some("a3")), ("a2", None)] {
            assert_eq!(attempt.help().unwrap().to.to_string(), m);
            let Judged::Right { reply } = attempt.play(m).unwrap() else { panic!("{m} is wrong") };
            assert_eq!(reply.as_deref(), expected);
        }
        assert!(attempt.is_solved());
        assert_eq!(attempt.course(), puzzle.solution);
        assert_eq!(attempt.help(), None);
        assert_eq!(attempt.play("b1").unwrap_err(), "the puzzle is solved");
    }

    #[test]
    fn a_wrong_move_is_refuted_and_leaves_the_attempt_as_it_was() {
        let puzzle = puzzle("connect-four", "4 1 4 1 4 7\t4\twin\t36\twin-in-one\t600");
        let mut attempt = Attempt::new(&puzzle);
        assert!(matches!(refuted(&mut attempt, "1").why, Why::Later | Why::Draws | Why::Loses));
        // A threat that is not stopped: the opponent wins at once.
        let hold = Puzzle {
            moves: ["4", "1", "7", "1", "7", "1"].map(String::from).to_vec(),
            solution: vec!["1".to_owned()],
            goal: Goal::Hold,
            ..puzzle.clone()
        };
        let mut holding = Attempt::new(&hold);
        assert_eq!(
            refuted(&mut holding, "4"),
            Refutation { why: Why::Loses, moves: Some(1), line: vec!["1".to_owned()] }
        );
        assert!(matches!(attempt.play("4"), Ok(Judged::Right { reply: None })));
        assert!(attempt.is_solved());
    }

    #[test]
    fn a_solved_puzzle_raises_the_rating_by_how_hard_it_is() {
        let of = |rating| puzzle("tic-tac-toe", &format!("c2 a1\tc1\twin\t7\tdraw\t{rating}"));
        let person = Rating::default();
        let (easy, hard) = (rated(person, &of(900), true), rated(person, &of(2100), true));
        assert!(person.rating < easy.rating && easy.rating < hard.rating);
        assert!(rated(person, &of(900), false).rating < rated(person, &of(2100), false).rating);
        assert!(easy.deviation < person.deviation);
    }

    #[test]
    fn a_replay_ends_with_the_first_wrong_move() {
        let puzzle = puzzle("tic-tac-toe", "c2 a1\tc1 c3 b2 a3 a2\twin\t7\tdouble-threat\t1644");
        let replay = |moves: &str| {
            let moves: Vec<_> = moves.split_whitespace().map(str::to_owned).collect();
            let (attempt, wrong) = Attempt::replay(&puzzle, &moves)?;
            Ok((attempt.course().join(" "), attempt.is_solved(), wrong.map(|game| game.moves().join(" "))))
        };
        let right = |course: &str, solved| Ok((course.to_owned(), solved, None));
        assert_eq!(replay(""), right("", false));
        assert_eq!(replay("c1"), right("c1 c3", false));
        assert_eq!(replay("c1 b2 a2"), right("c1 c3 b2 a3 a2", true));
        let wrong = |course: &str, moves: &str| Ok((course.to_owned(), false, Some(moves.to_owned())));
        assert_eq!(replay("a2"), wrong("", "c2 a1 a2"));
        assert_eq!(replay("c1 b1"), wrong("c1 c3", "c2 a1 c1 c3 b1"));
        assert_eq!(replay("b1 c1"), Err("b1 is wrong; no move can follow".to_owned()));
        assert_eq!(replay("c1 b2 a2 b1"), Err("the puzzle is solved".to_owned()));
        let attempt = Attempt::replay(&puzzle, &["c1".to_owned()]).unwrap().0;
        assert_eq!(attempt.game().moves(), ["c2", "a1", "c1", "c3"]);
        let help = attempt.help().unwrap();
        assert_eq!(
            (help.theme, help.from, help.solution.join(" ")),
            (Theme::DoubleThreat, None, "b2 a3 a2".to_owned())
        );
    }

    #[test]
    fn a_refutation_tells_why_and_in_how_many_moves() {
        let win = puzzle("tic-tac-toe", "c2 a1\tc1 c3 b2 a3 a2\twin\t7\tdouble-threat\t1644");
        let hold = Puzzle { goal: Goal::Hold, ..win.clone() };
        let (mut open, mut over) = (win.game(), win.game());
        open.play_all("b1").unwrap();
        over.play_all("b2 a2 c3 a3").unwrap();
        let proven = |result, plies| Some(Proven { result, plies });
        for (puzzle, after, proven, why, moves) in [
            (&win, &over, None, Why::Ends, None),
            (&win, &over, proven(Proof::Win, 1), Why::Ends, None),
            (&win, &open, proven(Proof::Win, 3), Why::Loses, Some(2)),
            (&hold, &open, proven(Proof::Win, 3), Why::Loses, Some(2)),
            (&win, &open, proven(Proof::Draw, 5), Why::Draws, None),
            (&win, &open, proven(Proof::Loss, 8), Why::Later, Some(4)),
            // Within seven plies the solver has four moves.
            (&win, &open, None, Why::Unclear, Some(4)),
            (&hold, &open, proven(Proof::Draw, 5), Why::Unclear, Some(4)),
            (&hold, &open, None, Why::Unclear, Some(4)),
        ] {
            let refutation = Attempt::new(puzzle).refutation(after, proven, vec!["c3".to_owned()]);
            assert_eq!(refutation, Refutation { why, moves, line: vec!["c3".to_owned()] }, "{proven:?}");
        }
        let mut later = Attempt::new(&win);
        later.play("c1").unwrap();
        assert_eq!(later.refutation(&open, None, Vec::new()).moves, Some(3), "two plies less");
    }
}
