//! Move ordering: the table's move, killers, then the evaluator's score and the history heuristic.

use rules::{Position, Side};

use crate::eval::{Evaluator, MOVE_NUMBERS, ScoredMove};

/// The maximum length of a line, in plies.
pub(super) const MAX_PLY: usize = 200;
/// History scores lie within ± this.
const HISTORY: i32 = 1 << 14;
/// The weight of one point of an evaluator's ordering score against history.
const SCORE_WEIGHT: i32 = 1 << 11;

/// Statistics of one thread about moves during a search.
pub(super) struct Ordering<M> {
    /// By ply: the last two moves that caused a cut-off.
    killers: Vec<[Option<M>; 2]>,
    /// History scores, by side and number of the move.
    history: Vec<i32>,
}

impl<M: Copy + PartialEq> Ordering<M> {
    pub(super) fn new() -> Self {
        Self { killers: vec![[None; 2]; MAX_PLY + 1], history: vec![0; 2 * MOVE_NUMBERS] }
    }

    /// Replaces the evaluator's scores by final ones. `first` is the move to search first at the root,
    /// `table_move` the number of the move in the transposition table.
    pub(super) fn score<P: Position<Move = M>>(
        &self,
        evaluator: &impl Evaluator<P>,
        position: &P,
        moves: &mut [ScoredMove<M>],
        ply: usize,
        first: Option<M>,
        table_move: Option<u16>,
    ) {
        let [first_killer, second_killer] = self.killers[ply];
        for scored in moves {
            let number = evaluator.number(position, scored.m);
            scored.score = if ply == 0 && first == Some(scored.m) {
                i32::MAX
            } else if Some(number) == table_move {
                i32::MAX - 1
            } else if first_killer == Some(scored.m) || second_killer == Some(scored.m) {
                i32::MAX - 2
            } else {
                scored.score * SCORE_WEIGHT + self.history[slot(position.turn(), number)]
            };
        }
    }

    /// Learns from a cut-off: the last of these moves caused it, those before it did not.
    pub(super) fn learn<P: Position<Move = M>>(
        &mut self,
        evaluator: &impl Evaluator<P>,
        position: &P,
        tried: &[ScoredMove<M>],
        depth: i32,
        ply: usize,
    ) {
        let Some((last, failed)) = tried.split_last() else { return };
        let killers = &mut self.killers[ply];
        if killers[0] != Some(last.m) {
            *killers = [Some(last.m), killers[0]];
        }
        let bonus = (depth.max(1) * depth.max(1) * 16).min(HISTORY / 8);
        let mut add = |m, bonus: i32| {
            let score = &mut self.history[slot(position.turn(), evaluator.number(position, m))];
            // The closer a score is to its bound, the less is added.
            *score += bonus - *score * bonus.abs() / HISTORY;
        };
        add(last.m, bonus);
        failed.iter().for_each(|scored| add(scored.m, -bonus / 2));
    }
}

/// Moves the highest-scored of the moves from `i` on to index `i`; the others keep their order.
#[inline]
pub(super) fn pick_next<M: Copy>(moves: &mut [ScoredMove<M>], i: usize) -> M {
    let mut best = i;
    for j in i + 1..moves.len() {
        if moves[j].score > moves[best].score {
            best = j;
        }
    }
    let picked = moves[best];
    let mut moved = picked;
    for scored in &mut moves[i..=best] {
        (*scored, moved) = (moved, *scored);
    }
    picked.m
}

#[inline]
fn slot(side: Side, number: u16) -> usize {
    side.index() * MOVE_NUMBERS + usize::from(number)
}
