//! Swap2 openings as a program plays them for a Gomocup manager: it proposes three stones, or chooses its side.

use std::time::Duration;

use fastrand::Rng;
use players::{NoMove, Program, Stop, Thought, system};
use rules::{AnyGame, Cell};

use crate::Evaluation;

/// Number of openings among which the most balanced one is proposed.
const CANDIDATES: u32 = 12;
/// The stones of a proposal lie within a square of this side. If the stones were far apart, the side to move
/// would have an advantage that a short search does not see.
const SQUARE: u8 = 5;

/// The program's answer to an opening.
pub(super) enum Answer {
    /// Places these stones: the three of a proposal, or the move by which it takes the side to move.
    Stones(Vec<String>),
    /// Takes the side that has just moved.
    Swap,
}

/// Answers an opening. If the board is empty, the program proposes three stones; after three or five stones,
/// it chooses the side that its own evaluation prefers. It never adds two stones to leave the choice to the
/// opponent, because taking the better side is at least as good.
pub(super) fn answer(
    program: &mut Program,
    game: &AnyGame,
    time: Duration,
    stop: &Stop,
    seed: u64,
) -> Result<Answer, NoMove> {
    if game.moves().is_empty() {
        return Ok(Answer::Stones(propose(program, game, time, stop, seed).moves()));
    }
    let thought = program.choose(game, stop)?;
    Ok(if value(&thought) < 0 { Answer::Swap } else { Answer::Stones(vec![thought.chosen]) })
}

/// Searches some openings for the same time, and returns the one in which the sides are most nearly equal.
fn propose(program: &mut Program, game: &AnyGame, time: Duration, stop: &Stop, seed: u64) -> AnyGame {
    let mut rng = Rng::with_seed(seed);
    let (mut best, mut least) = (candidate(game, &mut rng), u64::MAX);
    for _ in 0..CANDIDATES {
        let opening = candidate(game, &mut rng);
        let each = time / CANDIDATES;
        let thought = system::watch(each, Duration::MAX, stop, |stop| program.choose(&opening, stop));
        let Ok(thought) = thought else { break };
        let advantage = value(&thought).unsigned_abs();
        if advantage < least {
            (best, least) = (opening, advantage);
        }
        if stop.must_move_now() {
            break;
        }
    }
    best
}

/// Three random stones in a random square of the board.
fn candidate(game: &AnyGame, rng: &mut Rng) -> AnyGame {
    let view = game.view();
    let mut corner = |side: u8| (rng.u8(..=side.saturating_sub(SQUARE)), side.min(SQUARE));
    let ((left, width), (bottom, height)) = (corner(view.cols), corner(view.rows));
    let mut opening = game.clone();
    while opening.moves().len() < 3 {
        let cell = Cell::new(left + rng.u8(..width), bottom + rng.u8(..height));
        // An occupied cell is refused; the next one is drawn.
        let _ = opening.play(&cell.to_string());
    }
    opening
}

/// The value of a position for the side to move: a win counts more than any points, a quick one more than a slow one.
fn value(thought: &Thought<String>) -> i64 {
    const WIN: i64 = 1 << 40;
    match Evaluation::from(thought) {
        Evaluation { mate: Some(moves), .. } => moves.signum() * (WIN - moves.abs()),
        Evaluation { score, .. } => score.unwrap_or(0).clamp(-WIN / 2, WIN / 2),
    }
}

#[cfg(test)]
mod tests {
    use players::roster;
    use rules::Spec;

    use super::*;

    fn game(moves: &str) -> AnyGame {
        let mut game = AnyGame::from("gomoku".parse::<Spec>().unwrap());
        game.play_all(moves).unwrap();
        game
    }

    fn answered(moves: &str, seed: u64) -> Answer {
        let game = game(moves);
        let mut engine = roster::program(&game, "engine:nodes=300", &system::resources(1)).unwrap();
        answer(&mut engine, &game, Duration::from_secs(600), &Stop::default(), seed).unwrap()
    }

    #[test]
    fn a_proposal_is_three_stones_that_the_seed_decides() {
        let stones = |seed| match answered("", seed) {
            Answer::Stones(stones) => stones,
            Answer::Swap => panic!("there is nothing to swap"),
        };
        assert_eq!(stones(1).len(), 3);
        assert_eq!(stones(1), stones(1));
        assert!((2..9).any(|seed| stones(seed) != stones(1)));
        assert_eq!(game(&stones(1).join(" ")).moves(), stones(1));
    }

    #[test]
    fn the_better_side_is_chosen() {
        // The first side threatens to make an open four, or has only stones at the edge.
        let choice = |moves| match answered(moves, 1) {
            Answer::Swap => "SWAP".to_owned(),
            Answer::Stones(stones) => stones.len().to_string(),
        };
        assert_eq!(choice("h8 a1 i9 o15 j10"), "SWAP");
        assert_eq!(choice("a1 h8 o1 h9 a15"), "1");
    }
}
