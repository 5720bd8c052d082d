//! The engine's ranking of all moves after a short search, which decides between moves when nothing is proved.

use std::{
    cmp::Reverse,
    sync::atomic::{AtomicBool, Ordering},
};

use rules::{Game, Position};

use crate::{
    control::Stop,
    eval::{Evaluator, MAX_DEPTH},
    search::{Ended, RepetitionHistory, Root, SearchControl, Table, ThreadSearch},
    sort::sort_by_key,
};

/// About ten milliseconds.
const NODES: u64 = 40_000;
const TABLE_BYTES: usize = 1 << 20;

/// Every legal move, best first.
pub(super) struct Ranking<M> {
    /// How deep each was searched, in plies.
    pub(super) depth: u32,
    /// The value of each for the side to move, and its line.
    pub(super) lines: Vec<(i32, Vec<M>)>,
    pub(super) nodes: u64,
}

impl<M: Copy + PartialEq> Ranking<M> {
    /// The place of a move, counted from zero.
    pub(super) fn place(&self, m: M) -> usize {
        self.lines.iter().position(|(_, line)| line[0] == m).unwrap_or(self.lines.len())
    }
}

/// Ranks the moves of a game that is not over. The first depth is completed even if there is no time.
pub(super) fn rank<P: Position, E: Evaluator<P>>(game: &Game<P>, stop: &Stop) -> Ranking<P::Move> {
    let root = Root::<P, E>::new(game);
    let (table, may_end) = (Table::new(TABLE_BYTES), AtomicBool::new(false));
    let is_due = |nodes| may_end.load(Ordering::Relaxed) && (nodes >= NODES || stop.must_move_now());
    let control = SearchControl::new(&is_due);
    let repetitions = RepetitionHistory::new(&game.positions()[..game.moves().len()]);
    let accumulator = root.accumulator.clone();
    let mut search = ThreadSearch::<P, E>::new(&root.evaluator, &table, &control, repetitions, accumulator);
    let moves = game.legal_moves();
    let mut ranking = Ranking { depth: 0, lines: moves.map(|m| (0, vec![m])).collect(), nodes: 0 };
    for depth in 1..=MAX_DEPTH.min(root.evaluator.plies_left(game.position())) {
        let line =
            |(guess, line): &(i32, Vec<P::Move>)| search.root_of(game.position(), &line[..1], depth, *guess);
        let Ok(mut lines) = ranking.lines.iter().map(line).collect::<Result<Vec<_>, Ended>>() else { break };
        // Stable, so that equal moves keep the order of the depth before.
        sort_by_key(&mut lines, |&(value, _)| Reverse(value));
        ranking = Ranking { depth, lines, nodes: 0 };
        may_end.store(true, Ordering::Relaxed);
        if is_due(control.nodes()) {
            break;
        }
    }
    Ranking { nodes: search.nodes, ..ranking }
}

#[cfg(test)]
mod tests {
    use rules::{ConnectFour, Custom, Size, Small};

    use super::*;
    use crate::{eval::ConnectFourEvaluator, samples::games, search::PROOF};

    #[test]
    fn every_move_is_ranked_and_wins_come_first() {
        let start = ConnectFour::new(Custom::<u64>::new(Size::new(6, 7, 4).unwrap()).unwrap());
        let mut wins = 0;
        for game in games::<ConnectFour<Small>>(&start, 8, 40) {
            for polls in [0, 5, 1000] {
                let stop = Stop::after_polls(polls);
                let ranking = rank::<_, ConnectFourEvaluator<Small>>(&game, &stop);
                let mut moves: Vec<_> = ranking.lines.iter().map(|(_, line)| line[0]).collect();
                let best = moves[0];
                moves.sort_unstable_by_key(|column| column.index());
                assert_eq!(moves, game.legal_moves().collect::<Vec<_>>(), "{game:?}");
                let is_win = |m| {
                    game.position().after(m).outcome().is_some_and(|outcome| outcome != rules::Outcome::Draw)
                };
                if game.legal_moves().any(is_win) {
                    assert!(is_win(best) && ranking.lines[0].0 >= PROOF, "{game:?}");
                    wins += 1;
                }
            }
        }
        assert!(wins > 0);
    }
}
