//! `perfect` for tic-tac-toe: searches to the end, never loses, and wins whenever a win can be forced.

use rules::{Game, Mark, Outcome, Position, TicTacToe};

use crate::{
    control::{Stop, Stopped},
    player::Player,
    thought::{Proof, Proven, Reason, Thought},
};

pub(crate) struct PerfectTicTacToe {
    pub(crate) rng: fastrand::Rng,
}

/// More than the cells of the board, so that every win is worth more than a draw.
const WIN: i64 = 10;

impl Player<TicTacToe> for PerfectTicTacToe {
    fn choose(&mut self, game: &Game<TicTacToe>, _stop: &Stop) -> Result<Thought<Mark>, Stopped> {
        let position = game.position();
        let mut nodes = 0;
        let moves: Vec<_> =
            position.legal_moves().map(|m| (m, -value(&position.after(m), 1, &mut nodes))).collect();
        let best = moves.iter().map(|&(_, value)| value).max().expect("the game is not over");
        let candidates = moves.iter().filter(|&&(_, value)| value == best).map(|&(m, _)| m).collect();

        let empty = position.legal_moves().count() as u32;
        let reasons = vec![Reason::Proven(proven(position, best))];
        let mut thought = Thought::at_random(candidates, &mut self.rng, reasons);
        thought.line = best_line(position, thought.chosen);
        Ok(Thought { score: Some(best), nodes, depth: Some(empty), ..thought })
    }
}

/// The value for the side to move: quick wins and slow losses are worth more.
fn value(position: &TicTacToe, ply: i64, nodes: &mut u64) -> i64 {
    *nodes += 1;
    match position.outcome() {
        Some(Outcome::Draw) => 0,
        // Only the side that has just moved can have won.
        Some(Outcome::Win(_)) => ply - WIN,
        None => {
            let values = position.legal_moves().map(|m| -value(&position.after(m), ply + 1, nodes));
            values.max().expect("the game is not over")
        }
    }
}

/// What a value proves.
fn proven(position: &TicTacToe, value: i64) -> Proven {
    let (result, plies) = match value {
        0 => (Proof::Draw, position.legal_moves().count() as u32),
        1.. => (Proof::Win, (WIN - value) as u32),
        _ => (Proof::Loss, (WIN + value) as u32),
    };
    Proven { result, plies }
}

/// Every move with its result.
pub(super) fn results(position: &TicTacToe, nodes: &mut u64) -> Vec<(Mark, Proven)> {
    position.legal_moves().map(|m| (m, proven(position, -value(&position.after(m), 1, nodes)))).collect()
}

/// The result of a position that is not over, for the side to move.
pub(super) fn result(position: &TicTacToe) -> Option<Proven> {
    let values = position.legal_moves().map(|m| -value(&position.after(m), 1, &mut 0));
    values.max().map(|best| proven(position, best))
}

/// A move and what should follow.
pub(super) fn best_line(position: &TicTacToe, first: Mark) -> Vec<Mark> {
    let mut position = position.after(first);
    let mut line = vec![first];
    while let Some(m) = position.legal_moves().max_by_key(|&m| -value(&position.after(m), 1, &mut 0)) {
        line.push(m);
        position.play_unchecked(m);
    }
    line
}
