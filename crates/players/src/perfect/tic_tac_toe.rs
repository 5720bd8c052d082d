//! `perfect` for tic-tac-toe: searches to the end, never loses, and wins whenever a win can be forced.

use std::collections::HashMap;

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
        let mut values = Values::default();
        let moves: Vec<_> = position.legal_moves().map(|m| (m, values.after(position, m))).collect();
        let best = moves.iter().map(|&(_, value)| value).max().expect("the game is not over");
        let candidates = moves.iter().filter(|&&(_, value)| value == best).map(|&(m, _)| m).collect();

        let empty = position.legal_moves().count() as u32;
        let reasons = vec![Reason::Proven(proven(position, best))];
        let mut thought = Thought::at_random(candidates, &mut self.rng, reasons);
        thought.line = best_line(position, thought.chosen);
        let nodes = values.nodes();
        Ok(Thought { score: Some(best), nodes, depth: Some(empty), ..thought })
    }
}

/// The values of positions for the side to move: quick wins and slow losses are worth more. Each position is searched once:
/// half a million courses of play lead from the empty board to 5,478 positions, and no clock is looked at on the way.
#[derive(Default)]
struct Values {
    known: HashMap<TicTacToe, i64>,
}

impl Values {
    fn of(&mut self, position: &TicTacToe) -> i64 {
        if let Some(&value) = self.known.get(position) {
            return value;
        }
        let value = match position.outcome() {
            Some(Outcome::Draw) => 0,
            // Only the side that has just moved can have won.
            Some(Outcome::Win(_)) => -WIN,
            None => {
                let values = position.legal_moves().map(|m| self.after(position, m));
                values.max().expect("the game is not over")
            }
        };
        self.known.insert(position.clone(), value);
        value
    }

    /// The value of a move, which is a ply nearer to zero than that of the position after it.
    fn after(&mut self, position: &TicTacToe, m: Mark) -> i64 {
        let value = self.of(&position.after(m));
        value.signum() - value
    }

    fn nodes(&self) -> u64 {
        self.known.len() as u64
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
    let mut values = Values::default();
    let results = position.legal_moves().map(|m| (m, proven(position, values.after(position, m)))).collect();
    *nodes += values.nodes();
    results
}

/// The result of a position that is not over, for the side to move.
pub(super) fn result(position: &TicTacToe) -> Option<Proven> {
    let mut values = Values::default();
    let best = position.legal_moves().map(|m| values.after(position, m)).max()?;
    Some(proven(position, best))
}

/// A move and what should follow.
pub(super) fn best_line(position: &TicTacToe, first: Mark) -> Vec<Mark> {
    let mut position = position.after(first);
    let (mut line, mut values) = (vec![first], Values::default());
    while let Some(m) = position.legal_moves().max_by_key(|&m| values.after(&position, m)) {
        line.push(m);
        position.play_unchecked(m);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value by plain minimax, this many plies from the root.
    fn plain(position: &TicTacToe, ply: i64) -> i64 {
        match position.outcome() {
            Some(Outcome::Draw) => 0,
            Some(Outcome::Win(_)) => ply - WIN,
            None => position.legal_moves().map(|m| -plain(&position.after(m), ply + 1)).max().unwrap(),
        }
    }

    #[test]
    fn each_position_is_searched_once_and_has_the_value_of_plain_minimax() {
        let mut values = Values::default();
        let empty = TicTacToe::default();
        assert_eq!(values.of(&empty), 0);
        assert_eq!(values.nodes(), 5478);
        for (position, &value) in &values.known {
            if position.legal_moves().count() <= 6 {
                assert_eq!(value, plain(position, 0), "{position:?}");
            }
        }
    }
}
