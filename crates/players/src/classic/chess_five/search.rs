//! Minimax with alpha-beta over the evaluation. Pruning does not change the answers, ties included: among
//! equal drops the one nearest to the centre wins, among equal moves the first.

use rules::{ChessFive, ChessFiveMove, Outcome, Position, Side};

use super::{super::deepening::Interrupt, evaluation::Evaluation};
use crate::{Stop, Stopped, sort::sort_by_key};

/// More than any evaluation; earlier wins score higher.
pub(super) const WIN: i64 = 1_000_000_000_000;

/// A search for one player.
pub(super) struct Search<'a> {
    player: Side,
    pub(super) interrupt: Interrupt<'a>,
    pub(super) nodes: u64,
    /// Moves that caused the last two cut-offs at each distance from the horizon.
    killers: Vec<[Option<ChessFiveMove>; 2]>,
}

/// The result of a search.
pub(super) struct Found {
    pub(super) value: i64,
    /// The principal variation, last move first.
    pub(super) line: Vec<ChessFiveMove>,
}

impl<'a> Search<'a> {
    /// A search of up to this depth.
    pub(super) fn new(player: Side, depth: u32, stop: &'a Stop) -> Self {
        let interrupt = Interrupt::by_cancel(stop);
        Self { player, interrupt, nodes: 0, killers: vec![[None; 2]; depth as usize + 1] }
    }

    /// Returns the best move of the player, who must be to move.
    pub(super) fn best(&mut self, position: &ChessFive, depth: u32) -> Result<Found, Stopped> {
        let mut best = Found { value: i64::MIN, line: Vec::new() };
        let mut best_index = usize::MAX;
        for (index, m) in self.ordered(position, depth) {
            // An equal value replaces the best only for a preferred move.
            let alpha = if index < best_index { best.value.saturating_sub(1) } else { best.value };
            let found = self.value(&position.after(m), depth - 1, alpha, i64::MAX)?;
            if found.value > alpha {
                best = Found { value: found.value, line: found.line };
                best.line.push(m);
                best_index = index;
            }
        }
        Ok(best)
    }

    /// The value for the player: exact if it is within the bounds, else a bound beyond them.
    fn value(
        &mut self,
        position: &ChessFive,
        depth: u32,
        mut alpha: i64,
        mut beta: i64,
    ) -> Result<Found, Stopped> {
        self.interrupt.check()?;
        self.nodes += 1;
        if depth == 0 || position.outcome().is_some() {
            return Ok(Found { value: self.at_horizon(position, depth), line: Vec::new() });
        }
        let maximising = position.turn() == self.player;
        let mut best = Found { value: if maximising { i64::MIN } else { i64::MAX }, line: Vec::new() };
        for (_, m) in self.ordered(position, depth) {
            let found = self.value(&position.after(m), depth - 1, alpha, beta)?;
            if if maximising { found.value > best.value } else { found.value < best.value } {
                best = found;
                best.line.push(m);
            }
            if maximising {
                alpha = alpha.max(best.value);
            } else {
                beta = beta.min(best.value);
            }
            if alpha >= beta {
                let killers = &mut self.killers[depth as usize];
                if killers[0] != Some(m) {
                    *killers = [Some(m), killers[0]];
                }
                break;
            }
        }
        Ok(best)
    }

    /// The best `count` moves of the side to move.
    pub(super) fn best_replies(
        position: &ChessFive,
        count: usize,
        stop: &'a Stop,
    ) -> Result<Vec<ChessFiveMove>, Stopped> {
        let depth = 2;
        let mut search = Self::new(position.turn(), depth, stop);
        let mut moves = Vec::new();
        for m in preferred(position) {
            let found = search.value(&position.after(m), depth, i64::MIN, i64::MAX)?;
            moves.push((found.value, m));
        }
        sort_by_key(&mut moves, |&(value, _)| std::cmp::Reverse(value));
        Ok(moves.into_iter().take(count).map(|(_, m)| m).collect())
    }

    fn at_horizon(&self, position: &ChessFive, depth: u32) -> i64 {
        match position.outcome() {
            Some(Outcome::Win(winner)) if winner == self.player => WIN + i64::from(depth),
            Some(Outcome::Win(_)) => -WIN - i64::from(depth),
            Some(Outcome::Draw) => 0,
            None => Evaluation::of(position, self.player).value(),
        }
    }

    /// The legal moves with their rank in the tie order, likely cut-offs first.
    fn ordered(&self, position: &ChessFive, depth: u32) -> Vec<(usize, ChessFiveMove)> {
        let moves = preferred(position).into_iter().enumerate();
        let killers = self.killers[depth as usize];
        if depth == 1 {
            let mut moves: Vec<_> = moves.collect();
            sort_by_key(&mut moves, |&(_, m)| !killers.contains(&Some(m)));
            return moves;
        }
        let sign = if position.turn() == self.player { -1 } else { 1 };
        let mut moves: Vec<_> = moves
            .map(|(index, m)| {
                let value = sign * self.at_horizon(&position.after(m), 0);
                let rank = if killers.contains(&Some(m)) { value - 1_000_000 } else { value };
                (rank, index, m)
            })
            .collect();
        sort_by_key(&mut moves, |&(rank, ..)| rank);
        moves.into_iter().map(|(_, index, m)| (index, m)).collect()
    }
}

/// The legal moves, drops into central columns first: the order that breaks ties.
fn preferred(position: &ChessFive) -> Vec<ChessFiveMove> {
    let mut moves: Vec<_> = position.legal_moves().collect();
    sort_by_key(&mut moves, |m| match *m {
        ChessFiveMove::Drop { column, .. } => (2 * i32::from(column) - 7).abs(),
        ChessFiveMove::Step { .. } => 0,
    });
    moves
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plain minimax without pruning or move ordering, as a reference.
    fn minimax(position: &ChessFive, depth: u32, search: &Search) -> (i64, Option<ChessFiveMove>) {
        if depth == 0 || position.outcome().is_some() {
            return (search.at_horizon(position, depth), None);
        }
        let maximising = position.turn() == search.player;
        let mut best: Option<(i64, ChessFiveMove)> = None;
        for m in preferred(position) {
            let (value, _) = minimax(&position.after(m), depth - 1, search);
            let better = best.is_none_or(|(best, _)| if maximising { value > best } else { value < best });
            if better {
                best = Some((value, m));
            }
        }
        let (value, m) = best.expect("the game is not over");
        (value, Some(m))
    }

    #[test]
    fn alpha_beta_answers_as_plain_minimax() {
        let mut rng = fastrand::Rng::with_seed(5);
        let stop = Stop::default();
        for plies in [0, 1, 5, 9, 14, 16, 17, 20, 26, 35, 50] {
            let mut position = ChessFive::default();
            for _ in 0..plies {
                let moves: Vec<_> = position.legal_moves().collect();
                if !moves.is_empty() {
                    position.play_unchecked(moves[rng.usize(..moves.len())]);
                }
            }
            if position.outcome().is_some() {
                continue;
            }
            for depth in 1..=3 {
                let mut search = Search::new(position.turn(), depth, &stop);
                let found = search.best(&position, depth).unwrap();
                let expected = minimax(&position, depth, &search);
                let answer = (found.value, found.line.last().copied());
                assert_eq!(answer, expected, "seed 5, {plies} plies, depth {depth}");
            }
        }
    }
}
