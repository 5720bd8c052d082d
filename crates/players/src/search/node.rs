//! The recursive part of the search, as numbered steps.

use rules::{Outcome, Position};

use super::{
    MATE, PROOF, ThreadSearch,
    control::Ended,
    ordering::{MAX_PLY, pick_next},
    table::{Bound, TtEntry},
    value::{value_from_table, value_to_table},
};
use crate::eval::{Evaluator, MAX_EXTENSION, Orientation, ScoredMove, Urgency};

/// From this depth on, late moves are first searched with reduced depth.
pub(super) const REDUCTION_DEPTH: i32 = 4;
const UNREDUCED_MOVES: usize = 4;
/// The same where the evaluator knows its [margin](Evaluator::MARGIN).
const EARLY_REDUCTION_DEPTH: i32 = 2;
const MOVES_BEFORE_REDUCTIONS: usize = 3;
/// Up to this depth, an evaluation may stand for the search of a position or a move, and late moves are left out.
const PRUNING_DEPTH: i32 = 3;
/// The moves that are searched at depth 0; one more for each square of the depth.
const MOVES_AT_HORIZON: i32 = 6;

/// The logarithm to the base 2 in sixteenths, linear between the powers: the same on every machine.
#[inline]
fn log(n: u32) -> u32 {
    let whole = n.ilog2();
    16 * whole + (((n - (1 << whole)) << 4) >> whole)
}

/// By how much the depth of a late move is reduced at first, where the evaluator knows its margin.
#[inline]
fn reduction(depth: i32, number: usize) -> i32 {
    const HALF: u32 = 1 << 15;
    const SLOPE: u32 = 56;
    ((HALF + SLOPE * log(depth as u32) * log(number as u32)) >> 16) as i32
}

/// A position whose moves are searched.
pub(super) struct Node<'a, P, A> {
    pub(super) position: &'a P,
    pub(super) accumulator: &'a A,
    pub(super) depth: i32,
    pub(super) ply: usize,
    pub(super) urgency: Urgency,
    /// Whether the moves given are all that are to be searched, even if all of them lose.
    pub(super) is_complete: bool,
    /// The evaluation, where it may stand for the search of moves.
    pub(super) estimate: Option<i32>,
}

impl<P: Position, E: Evaluator<P>> ThreadSearch<'_, P, E> {
    pub(super) fn node(
        &mut self,
        position: &P,
        accumulator: &E::Accumulator,
        depth: i32,
        ply: usize,
        alpha: i32,
        beta: i32,
    ) -> Result<i32, Ended> {
        // 1. Limits.
        self.count_node()?;
        self.lines[ply].clear();

        // 2. The end of the game.
        match position.outcome() {
            Some(Outcome::Draw) => return Ok(0),
            Some(Outcome::Win(winner)) => {
                let value = MATE - ply as i32;
                return Ok(if winner == position.turn() { value } else { -value });
            }
            None => {}
        }
        // A position that repeats within the searched line is a draw at once; a position from before the root
        // only if it has then occurred often enough.
        let repeats = position.draws_when_seen().is_some();
        let key = position.key();
        if ply > 0 && repeats && (self.keys.contains(&key) || self.repetitions.draws(key)) {
            return Ok(0);
        }

        // 3. An immediate win.
        if let Some(m) = self.evaluator.win(position, accumulator) {
            self.lines[ply].push(m);
            return Ok(MATE - ply as i32 - 1);
        }
        // The best result is now a win in three plies, the worst a loss in two; one less if the loser can end the game.
        let nearest = ply as i32 + if E::LOSER_MAY_END { 2 } else { 3 };
        let alpha = alpha.max(nearest - 1 - MATE);
        let beta = beta.min(MATE - nearest);
        if alpha >= beta && ply > 0 {
            return Ok(alpha);
        }

        // 4. The horizon, unless in the middle of an exchange of threats.
        let urgency = self.evaluator.urgency(position, accumulator);
        let extends = urgency == Urgency::Forced && ply < self.root_depth + MAX_EXTENSION;
        if depth <= 0 && !extends || ply >= MAX_PLY {
            return self.horizon(position, accumulator, depth, ply, alpha, beta);
        }
        let depth = if extends && E::ANSWERS_ARE_FREE { depth.max(0) + 1 } else { depth };

        // 5. The transposition table.
        let tt_key = self.evaluator.tt_key(position);
        let known = self.table.get(tt_key.key);
        let is_deep_enough = |entry: &TtEntry| match i32::from(entry.depth) {
            stored if self.is_strict => stored == depth,
            stored => stored >= depth,
        };
        if let Some(entry) = known.filter(|entry| ply > 0 && is_deep_enough(entry)) {
            let value = value_from_table(entry.value, ply);
            let cuts = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => value >= beta,
                Bound::Upper => value <= alpha,
            };
            if cuts {
                return Ok(value);
            }
        }

        // 6. Believe an evaluation that is far above the bound.
        let may_estimate = E::MARGIN > 0
            && ply > 0
            && depth <= PRUNING_DEPTH
            && alpha + 1 == beta
            && beta.abs() < PROOF
            && self.may_prune(position, depth, urgency);
        let estimate = may_estimate.then(|| self.evaluator.evaluate(position, accumulator));
        if let Some(value) = estimate.filter(|value| value - E::MARGIN * depth >= beta) {
            return Ok(value);
        }

        // 7. Generate and order the moves.
        let mut moves = std::mem::take(&mut self.moves[ply]);
        moves.clear();
        self.evaluator.generate(position, accumulator, &mut moves);
        // A search to the end of the game is exact, so it leaves nothing out; where the opponent threatens something, what is
        // left out loses.
        let is_complete = urgency != Urgency::Quiet;
        let is_exact = depth as u32 >= self.evaluator.plies_left(position);
        if is_exact && !is_complete {
            self.evaluator.others(position, accumulator, &mut moves);
        }
        if urgency == Urgency::Forced && !self.repetitions.is_empty() {
            // A move that does not parry the threat may still draw by repetition.
            let is_draw = |m: &P::Move| self.repetitions.draws(position.after(*m).key());
            moves.extend(position.legal_moves().filter(is_draw).map(ScoredMove::plain));
        }
        if tt_key.orientation == Orientation::Symmetric && urgency == Urgency::Quiet {
            // In a symmetric position, one of each two mirrored moves is enough.
            moves.retain(|scored| {
                let number = self.evaluator.number(position, scored.m);
                number <= self.evaluator.mirrored(number)
            });
        }
        let table_move = known.map(|entry| tt_key.number(self.evaluator, entry.best));
        self.ordering.score(self.evaluator, position, &mut moves, ply, self.first, table_move);

        // 8. Search them.
        self.keys.push(key);
        let is_complete = is_complete || is_exact;
        let node = Node { position, accumulator, depth, ply, urgency, is_complete, estimate };
        let found = self.best(&node, &mut moves, alpha, beta);
        self.keys.pop();
        self.moves[ply] = moves;
        let (value, best) = found?;

        // 9. Store the result.
        let bound = if value >= beta {
            Bound::Lower
        } else if value > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        // If all moves fail low, the best move stored before is kept.
        let best = match known {
            Some(entry) if bound == Bound::Upper => entry.best,
            _ => tt_key.number(self.evaluator, self.evaluator.number(position, best)),
        };
        let depth = depth.clamp(-1, i32::from(i8::MAX)) as i8;
        self.table.put(tt_key.key, TtEntry { value: value_to_table(value, ply), depth, bound, best });
        Ok(value)
    }

    /// Whether moves may be searched with less depth than others, or left out for an estimate: not where the opponent threatens something, nor
    /// in a search to the end of the game, which is exact.
    fn may_prune(&self, position: &P, depth: i32, urgency: Urgency) -> bool {
        !self.is_strict
            && depth > 0
            && urgency == Urgency::Quiet
            && (depth as u32) < self.evaluator.plies_left(position)
    }

    /// The value at the horizon: the evaluation, or what an attack achieves.
    fn horizon(
        &mut self,
        position: &P,
        accumulator: &E::Accumulator,
        depth: i32,
        ply: usize,
        alpha: i32,
        beta: i32,
    ) -> Result<i32, Ended> {
        let mut best = self.evaluator.evaluate(position, accumulator);
        if best >= beta || ply >= MAX_PLY {
            return Ok(best);
        }
        if E::FORCING_NODES > 0
            && let Some(value) = self.forced_win(position, accumulator, ply)?
        {
            return Ok(value);
        }
        if depth <= -E::ATTACKING_PLIES {
            return Ok(best);
        }
        let mut moves = std::mem::take(&mut self.moves[ply]);
        moves.clear();
        self.evaluator.attacks(position, &mut moves);
        if !moves.is_empty() {
            self.ordering.score(self.evaluator, position, &mut moves, ply, self.first, None);
            self.keys.push(position.key());
            let urgency = Urgency::Quiet;
            let node = Node { position, accumulator, depth, ply, urgency, is_complete: true, estimate: None };
            let found = self.best(&node, &mut moves, alpha.max(best), beta);
            self.keys.pop();
            match found {
                Ok((value, _)) => best = best.max(value),
                Err(ended) => {
                    self.moves[ply] = moves;
                    return Err(ended);
                }
            }
        }
        self.moves[ply] = moves;
        Ok(best)
    }

    /// Returns the best move and its value; searches the moves in the order of their scores.
    pub(super) fn best(
        &mut self,
        node: &Node<P, E::Accumulator>,
        moves: &mut Vec<ScoredMove<P::Move>>,
        alpha: i32,
        beta: i32,
    ) -> Result<(i32, P::Move), Ended> {
        let &Node { position, accumulator, depth, ply, urgency, is_complete, estimate } = node;
        let accumulator = &*self.evaluator.settled(accumulator);
        let mut best = (-MATE, moves[0].m);
        let mut alpha = alpha;
        let may_prune = self.may_prune(position, depth, urgency);
        let is_open = alpha + 1 < beta;
        let most = match estimate {
            Some(_) => (MOVES_AT_HORIZON + depth * depth) as usize,
            None => usize::MAX,
        };
        let mut is_complete = is_complete;
        let mut i = 0;
        loop {
            if i == moves.len() {
                // That all these moves lose proves nothing until all others do.
                if is_complete || best.0 > -PROOF {
                    break;
                }
                is_complete = true;
                self.evaluator.others(position, accumulator, moves);
                continue;
            }
            if i >= most && best.0 > -PROOF {
                break;
            }
            let m = pick_next(moves, i);
            let next = position.after(m);
            let updated = self.evaluator.update(accumulator, position, m, &next);
            let value = if i == 0 {
                -self.node(&next, &updated, depth - 1, ply + 1, -beta, -alpha)?
            } else {
                let mut reduction = 0;
                if E::MARGIN == 0 {
                    if may_prune && depth >= REDUCTION_DEPTH && i >= UNREDUCED_MOVES {
                        reduction = 1 + i32::from(i >= 4 * UNREDUCED_MOVES);
                    }
                } else if may_prune
                    && next.outcome().is_none()
                    && self.evaluator.urgency(&next, &updated) == Urgency::Quiet
                {
                    // The move threatens nothing.
                    if depth >= EARLY_REDUCTION_DEPTH && i >= MOVES_BEFORE_REDUCTIONS {
                        reduction = (self::reduction(depth, i) - i32::from(is_open)).clamp(0, depth - 1);
                    }
                    let plies = 1 + depth - reduction;
                    let hoped = estimate.map(|value| value + E::MARGIN * plies);
                    if let Some(hoped) = hoped.filter(|&hoped| hoped <= alpha && best.0 > -PROOF) {
                        best.0 = best.0.max(hoped);
                        i += 1;
                        continue;
                    }
                }
                let mut value =
                    -self.node(&next, &updated, depth - 1 - reduction, ply + 1, -alpha - 1, -alpha)?;
                if value > alpha && reduction > 0 {
                    value = -self.node(&next, &updated, depth - 1, ply + 1, -alpha - 1, -alpha)?;
                }
                if value > alpha && value < beta {
                    value = -self.node(&next, &updated, depth - 1, ply + 1, -beta, -alpha)?;
                }
                value
            };
            if value > best.0 || i == 0 {
                best = (value, m);
            }
            let improves = value > alpha;
            if improves || (ply == 0 && i == 0) {
                let (head, tail) = self.lines.split_at_mut(ply + 1);
                head[ply].clear();
                head[ply].push(m);
                head[ply].extend_from_slice(&tail[0]);
                alpha = alpha.max(value);
            }
            if improves && ply == 0 {
                self.improved = Some((value, self.lines[0].clone()));
            }
            if alpha >= beta {
                self.ordering.learn(self.evaluator, position, &moves[..=i], depth, ply);
                break;
            }
            i += 1;
        }
        Ok(best)
    }
}
