//! Wins by forcing moves alone: each threatens to win at once, and every reply that prevents it is searched. What it
//! finds is proved.

use std::cmp::Reverse;

use rules::Position;

use super::{Bound, Ended, MATE, ThreadSearch, ordering::MAX_PLY, table::TtEntry, value::value_to_table};
use crate::{
    eval::{Evaluator, Urgency},
    sort::sort_by_key,
};

/// How many forcing moves one after the other are tried.
const LONGEST: usize = 20;

impl<P: Position, E: Evaluator<P>> ThreadSearch<'_, P, E> {
    /// The value of a win by forcing moves, if one is found in a few nodes; its moves are then the line of this ply. The
    /// side to move has no winning move.
    pub(super) fn forced_win(
        &mut self,
        position: &P,
        accumulator: &E::Accumulator,
        ply: usize,
    ) -> Result<Option<i32>, Ended> {
        let mut left = E::FORCING_NODES;
        let last = (ply + 2 * LONGEST).min(MAX_PLY - 3);
        let Some(plies) = self.force(position, accumulator, ply, last, &mut left)? else { return Ok(None) };
        let value = MATE - ply as i32 - plies;
        let tt_key = self.evaluator.tt_key(position);
        let best = tt_key.number(self.evaluator, self.evaluator.number(position, self.lines[ply][0]));
        let value_in_table = value_to_table(value, ply);
        let entry = TtEntry { value: value_in_table, depth: i8::MAX, bound: Bound::Lower, best };
        self.table.put(tt_key.key, entry);
        Ok(Some(value))
    }

    /// The plies of a win by forcing moves. Leaves its moves in the line of this ply.
    fn force(
        &mut self,
        position: &P,
        accumulator: &E::Accumulator,
        ply: usize,
        last: usize,
        left: &mut u32,
    ) -> Result<Option<i32>, Ended> {
        self.lines[ply].clear();
        let mut moves = std::mem::take(&mut self.moves[ply]);
        moves.clear();
        self.evaluator.forcing(position, accumulator, &mut moves);
        sort_by_key(&mut moves, |scored| Reverse(scored.score));
        let mut found = Ok(None);
        for scored in &moves {
            if *left == 0 {
                break;
            }
            *left -= 1;
            let (next, updated) = self.evaluator.step(position, accumulator, scored.m);
            match self.every_reply_loses(&next, &updated, ply + 1, last, left) {
                Ok(None) => {}
                Ok(Some(plies)) => {
                    let (head, tail) = self.lines.split_at_mut(ply + 1);
                    head[ply].clear();
                    head[ply].push(scored.m);
                    head[ply].extend_from_slice(&tail[0]);
                    found = Ok(Some(plies + 1));
                    break;
                }
                Err(ended) => {
                    found = Err(ended);
                    break;
                }
            }
        }
        self.moves[ply] = moves;
        found
    }

    /// The plies in which the side to move loses, whatever it replies to a threat to win at once.
    fn every_reply_loses(
        &mut self,
        position: &P,
        accumulator: &E::Accumulator,
        ply: usize,
        last: usize,
        left: &mut u32,
    ) -> Result<Option<i32>, Ended> {
        self.count_node()?;
        let is_forced = position.outcome().is_none()
            && self.evaluator.urgency(position, accumulator) == Urgency::Forced
            && self.evaluator.win(position, accumulator).is_none();
        if !is_forced {
            return Ok(None);
        }
        self.lines[ply].clear();
        let mut replies = std::mem::take(&mut self.moves[ply]);
        replies.clear();
        self.evaluator.generate(position, accumulator, &mut replies);
        let mut longest = Ok(Some(0));
        for reply in &replies {
            let (next, updated) = self.evaluator.step(position, accumulator, reply.m);
            let plies = if next.outcome().is_some() {
                Ok(None)
            } else if let Some(m) = self.evaluator.win(&next, &updated) {
                self.lines[ply + 1].clear();
                self.lines[ply + 1].push(m);
                Ok(Some(1))
            } else if ply < last {
                self.force(&next, &updated, ply + 1, last, left)
            } else {
                Ok(None)
            };
            match (plies, &mut longest) {
                (Ok(Some(plies)), Ok(Some(longest))) => {
                    if plies + 1 > *longest {
                        *longest = plies + 1;
                        let (head, tail) = self.lines.split_at_mut(ply + 1);
                        head[ply].clear();
                        head[ply].push(reply.m);
                        head[ply].extend_from_slice(&tail[0]);
                    }
                }
                (plies, longest) => {
                    *longest = plies;
                    break;
                }
            }
        }
        self.moves[ply] = replies;
        longest
    }
}
