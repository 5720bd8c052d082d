//! Alpha-beta search: principal variation search over a table of positions, deeper and deeper.
//!
//! Values are for the side to move. A win in n moves from the root is worth `MATE − n`, so quick wins
//! and slow losses are worth more.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rules::{Outcome, Position, Side};

use super::{
    judge::{Choice, Judge, LIMIT, MOVE_NUMBERS, Urgency, View},
    table::{Bound, Memory, Table},
};

/// The value of having won.
pub(super) const MATE: i32 = 30_000;
/// Beyond this a value is a proof: a win or a loss in `MATE − |value|` moves.
pub(super) const PROOF: i32 = LIMIT + 1;

/// How many nodes pass between two looks at the limits: well below a millisecond on usual boards, a few on
/// the largest.
const CHECK_EVERY: u64 = 64;
/// No line is followed further.
const MAX_PLY: usize = 200;
/// How far a search may go beyond its depth where every answer is forced.
pub(super) const MAX_EXTENSION: usize = 40;
/// From this depth on, late moves are first searched less deeply.
const REDUCTION_DEPTH: i32 = 4;
const UNREDUCED_MOVES: usize = 4;
/// What is learnt of a move lies within ± this.
const HISTORY: i32 = 1 << 14;
/// What a point of promise weighs against it.
const PROMISE: i32 = 1 << 11;

/// Tells all threads of a search to end.
pub(super) struct Brake<'a> {
    pub(super) ended: AtomicBool,
    pub(super) nodes: AtomicU64,
    /// Asked now and then whether time or nodes are used up.
    pub(super) is_due: &'a (dyn Fn(u64) -> bool + Sync),
}

/// The search was ended from outside.
pub(super) struct Ended;

/// One thread's search of one position.
pub(super) struct Search<'a, P: Position, J: Judge<P>> {
    judge: &'a J,
    table: &'a Table,
    brake: &'a Brake<'a>,
    /// Keys of the line being searched, for repetitions.
    keys: Vec<u64>,
    past: Past,
    killers: Vec<[Option<P::Move>; 2]>,
    /// By side and number of a move: how often it was good.
    history: Vec<i32>,
    /// The best line from each ply on.
    lines: Vec<Vec<P::Move>>,
    moves: Vec<Vec<Choice<P::Move>>>,
    pub(super) nodes: u64,
    /// What is seen at the root.
    sight: J::Sight,
    root_depth: usize,
    /// The move at the root that is looked at first: the best of the depth before.
    first: Option<P::Move>,
    /// The last move at the root that turned out better than those before it, at this depth: its value
    /// and its line.
    improved: Option<(i32, Vec<P::Move>)>,
    /// Whether a value is what its depth says and nothing else: no late moves searched less deeply, nothing
    /// from deeper searches. For tests, which compare.
    is_strict: bool,
}

/// What happened before the root, as far as it can still make a draw.
#[derive(Clone, Default)]
pub(super) struct Past {
    /// The keys of positions that have occurred as often as they may: once more is a draw.
    spent: Vec<u64>,
}

impl Past {
    /// Of the positions of a game before the one that is searched.
    pub(super) fn new<P: Position>(positions: &[P]) -> Self {
        let counts = |p: &P| positions.iter().filter(|other| other.key() == p.key()).count();
        let is_spent = |p: &&P| p.draws_when_seen().is_some_and(|often| counts(p) + 1 >= often);
        let mut spent: Vec<_> = positions.iter().filter(is_spent).map(Position::key).collect();
        spent.sort_unstable();
        spent.dedup();
        Self { spent }
    }
}

impl<'a, P: Position, J: Judge<P>> Search<'a, P, J> {
    pub(super) fn new(
        judge: &'a J,
        table: &'a Table,
        brake: &'a Brake<'a>,
        past: Past,
        sight: J::Sight,
    ) -> Self {
        Self {
            judge,
            table,
            brake,
            keys: Vec::new(),
            past,
            killers: vec![[None; 2]; MAX_PLY + 1],
            history: vec![0; 2 * MOVE_NUMBERS],
            lines: vec![Vec::new(); MAX_PLY + 2],
            moves: vec![Vec::new(); MAX_PLY + 1],
            nodes: 0,
            sight,
            root_depth: 0,
            first: None,
            improved: None,
            is_strict: false,
        }
    }

    /// The value of a position and the line of best play, if the search is not ended; beginning with what
    /// is thought best.
    pub(super) fn root(
        &mut self,
        position: &P,
        depth: u32,
        guess: i32,
        first: Option<P::Move>,
    ) -> Result<(i32, Vec<P::Move>), Ended> {
        let sight = self.sight.clone();
        self.first = first;
        self.aspire(depth, guess, |search, alpha, beta| {
            search.node(position, &sight, depth as i32, 0, alpha, beta)
        })
    }

    /// The same if only these moves could be played, in this order: the best of them and its value.
    pub(super) fn root_among(
        &mut self,
        position: &P,
        moves: &[P::Move],
        depth: u32,
        guess: i32,
    ) -> Result<(i32, Vec<P::Move>), Ended> {
        let sight = self.sight.clone();
        self.aspire(depth, guess, |search, alpha, beta| {
            search.lines[0].clear();
            search.keys.push(position.key());
            let mut choices: Vec<_> = moves.iter().copied().map(Choice::plain).collect();
            let node = Node { position, sight: &sight, depth: depth as i32, ply: 0, urgency: Urgency::Quiet };
            let found = search.best(&node, &mut choices, alpha, beta);
            search.keys.pop();
            Ok(found?.0)
        })
    }

    /// Of a search that was ended: what was best until then, if it was found at that depth, and what it
    /// is worth at least.
    pub(super) fn unfinished(&self) -> Option<(i32, Vec<P::Move>)> {
        self.improved.clone()
    }

    /// Searches with a narrow window around what the last depth found; wider where that fails.
    fn aspire(
        &mut self,
        depth: u32,
        guess: i32,
        mut value_within: impl FnMut(&mut Self, i32, i32) -> Result<i32, Ended>,
    ) -> Result<(i32, Vec<P::Move>), Ended> {
        self.root_depth = depth as usize;
        self.improved = None;
        let mut margin = if depth > 2 { 40 } else { MATE };
        loop {
            let (alpha, beta) = ((guess - margin).max(-MATE), (guess + margin).min(MATE));
            let value = value_within(self, alpha, beta)?;
            if (alpha < value || alpha == -MATE) && (value < beta || beta == MATE) {
                return Ok((value, self.lines[0].clone()));
            }
            margin = if margin > 500 { 2 * MATE } else { margin * 4 };
        }
    }

    fn node(
        &mut self,
        position: &P,
        sight: &J::Sight,
        depth: i32,
        ply: usize,
        alpha: i32,
        beta: i32,
    ) -> Result<i32, Ended> {
        // 1. Limits.
        self.nodes += 1;
        if self.nodes.is_multiple_of(CHECK_EVERY) {
            let all = self.brake.nodes.fetch_add(CHECK_EVERY, Ordering::Relaxed) + CHECK_EVERY;
            if self.brake.ended.load(Ordering::Relaxed) || (self.brake.is_due)(all) {
                self.brake.ended.store(true, Ordering::Relaxed);
                return Err(Ended);
            }
        }
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
        // A position that comes again in the line can be made to come a third time; one of the game so far
        // must really have come as often.
        let repeats = position.draws_when_seen().is_some();
        let key = position.key();
        if ply > 0 && repeats && (self.keys.contains(&key) || self.past.spent.contains(&key)) {
            return Ok(0);
        }

        // 3. A win at once.
        if let Some(m) = self.judge.win(position, sight) {
            self.lines[ply].push(m);
            return Ok(MATE - ply as i32 - 1);
        }
        // Now the best is to win in three moves, the worst to lose in two.
        let alpha = alpha.max(ply as i32 + 2 - MATE);
        let beta = beta.min(MATE - ply as i32 - 3);
        if alpha >= beta && ply > 0 {
            return Ok(alpha);
        }

        // 4. The horizon: not in the middle of an exchange of threats.
        let urgency = self.judge.urgency(position, sight);
        let extends = urgency == Urgency::Forced && ply < self.root_depth + MAX_EXTENSION;
        if depth <= 0 && !extends || ply >= MAX_PLY {
            return self.horizon(position, sight, depth, ply, alpha, beta);
        }
        let depth = if extends && J::ANSWERS_ARE_FREE { depth.max(0) + 1 } else { depth };

        // 5. What is known.
        let place = self.judge.place(position);
        let known = self.table.get(place.key);
        let is_deep_enough = |memory: &Memory| match i32::from(memory.depth) {
            remembered if self.is_strict => remembered == depth,
            remembered => remembered >= depth,
        };
        if let Some(memory) = known.filter(|memory| ply > 0 && is_deep_enough(memory)) {
            let value = from_memory(memory.value, ply);
            let cuts = match memory.bound {
                Bound::Exact => true,
                Bound::Lower => value >= beta,
                Bound::Upper => value <= alpha,
            };
            if cuts {
                return Ok(value);
            }
        }

        // 6. Order: the move that was best before, moves that refuted others here, then by history.
        let mut moves = std::mem::take(&mut self.moves[ply]);
        moves.clear();
        self.judge.worth_trying(position, sight, &mut moves);
        if urgency == Urgency::Forced && !self.past.spent.is_empty() {
            // A move that answers nothing may still be a draw.
            let is_draw = |m: &P::Move| self.past.spent.contains(&position.after(*m).key());
            moves.extend(position.legal_moves().filter(is_draw).map(Choice::plain));
        }
        if place.view == View::Symmetric && urgency == Urgency::Quiet {
            // Of a move and its image one is enough.
            moves.retain(|choice| {
                let number = self.judge.number(position, choice.m);
                number <= self.judge.mirrored(number)
            });
        }
        let best_before = known.map(|memory| place.number(self.judge, memory.best));
        self.rank(position, &mut moves, best_before, ply);

        // 7. The moves.
        self.keys.push(key);
        let node = Node { position, sight, depth, ply, urgency };
        let found = self.best(&node, &mut moves, alpha, beta);
        self.keys.pop();
        self.moves[ply] = moves;
        let (value, best) = found?;

        // 8. Remember.
        let bound = if value >= beta {
            Bound::Lower
        } else if value > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        // Where no move is good enough, none is known to be better than what was best before.
        let best = match known {
            Some(memory) if bound == Bound::Upper => memory.best,
            _ => place.number(self.judge, self.judge.number(position, best)),
        };
        let depth = depth.clamp(-1, i32::from(i8::MAX)) as i8;
        self.table.put(place.key, Memory { value: to_memory(value, ply), depth, bound, best });
        Ok(value)
    }

    /// What a position at the end of a line is worth: its evaluation, or what an attack brings.
    fn horizon(
        &mut self,
        position: &P,
        sight: &J::Sight,
        depth: i32,
        ply: usize,
        alpha: i32,
        beta: i32,
    ) -> Result<i32, Ended> {
        let mut best = self.judge.evaluate(position, sight);
        if best >= beta || depth <= -J::ATTACKING_PLIES || ply >= MAX_PLY {
            return Ok(best);
        }
        let mut moves = std::mem::take(&mut self.moves[ply]);
        moves.clear();
        self.judge.attacks(position, &mut moves);
        if !moves.is_empty() {
            self.rank(position, &mut moves, None, ply);
            self.keys.push(position.key());
            let node = Node { position, sight, depth, ply, urgency: Urgency::Quiet };
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

    /// The best move and its value. The moves come in the order of their promise.
    fn best(
        &mut self,
        node: &Node<P, J::Sight>,
        moves: &mut [Choice<P::Move>],
        alpha: i32,
        beta: i32,
    ) -> Result<(i32, P::Move), Ended> {
        let &Node { position, sight, depth, ply, urgency } = node;
        let mut best = (-MATE, moves[0].m);
        let mut alpha = alpha;
        // A search to the end of the game leaves nothing out.
        let may_reduce = !self.is_strict
            && depth >= REDUCTION_DEPTH
            && urgency == Urgency::Quiet
            && (depth as u32) < self.judge.plies_left(position);
        for i in 0..moves.len() {
            let m = next_choice(moves, i);
            let next = position.after(m);
            let seen = self.judge.see_after(sight, position, m, &next);
            let value = if i == 0 {
                -self.node(&next, &seen, depth - 1, ply + 1, -beta, -alpha)?
            } else {
                let is_late = may_reduce && i >= UNREDUCED_MOVES;
                let reduction = if is_late { 1 + i32::from(i >= 4 * UNREDUCED_MOVES) } else { 0 };
                let mut value =
                    -self.node(&next, &seen, depth - 1 - reduction, ply + 1, -alpha - 1, -alpha)?;
                if value > alpha && reduction > 0 {
                    value = -self.node(&next, &seen, depth - 1, ply + 1, -alpha - 1, -alpha)?;
                }
                if value > alpha && value < beta {
                    value = -self.node(&next, &seen, depth - 1, ply + 1, -beta, -alpha)?;
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
                self.reward(position, &moves[..=i], depth, ply);
                break;
            }
        }
        Ok(best)
    }

    /// Adds to what moves promise at first sight what was learnt elsewhere.
    fn rank(&self, position: &P, moves: &mut [Choice<P::Move>], best_before: Option<u16>, ply: usize) {
        for choice in moves {
            let number = self.judge.number(position, choice.m);
            choice.promise = if ply == 0 && self.first == Some(choice.m) {
                i32::MAX
            } else if Some(number) == best_before {
                i32::MAX - 1
            } else if self.killers[ply].contains(&Some(choice.m)) {
                i32::MAX - 2
            } else {
                choice.promise * PROMISE + self.history[slot(position.turn(), number)]
            };
        }
    }

    /// The last of these moves refuted the one before: it may do so again. Those before it did not.
    fn reward(&mut self, position: &P, tried: &[Choice<P::Move>], depth: i32, ply: usize) {
        let Some((last, failed)) = tried.split_last() else { return };
        let killers = &mut self.killers[ply];
        if killers[0] != Some(last.m) {
            *killers = [Some(last.m), killers[0]];
        }
        let bonus = (depth.max(1) * depth.max(1) * 16).min(HISTORY / 8);
        let mut learn = |m, bonus: i32| {
            let score = &mut self.history[slot(position.turn(), self.judge.number(position, m))];
            // The nearer to the bounds, the less is added.
            *score += bonus - *score * bonus.abs() / HISTORY;
        };
        learn(last.m, bonus);
        failed.iter().for_each(|choice| learn(choice.m, -bonus / 2));
    }
}

/// A position whose moves are searched.
struct Node<'a, P, S> {
    position: &'a P,
    sight: &'a S,
    depth: i32,
    ply: usize,
    urgency: Urgency,
}

/// Brings the most promising of the moves from `i` on to place `i`; the others keep their order.
#[inline]
fn next_choice<M: Copy>(moves: &mut [Choice<M>], i: usize) -> M {
    let mut best = i;
    for j in i + 1..moves.len() {
        if moves[j].promise > moves[best].promise {
            best = j;
        }
    }
    moves[i..=best].rotate_right(1);
    moves[i].m
}

#[inline]
fn slot(side: Side, number: u16) -> usize {
    side.index() * MOVE_NUMBERS + usize::from(number)
}

/// Proofs are remembered from the position, not from the root.
fn to_memory(value: i32, ply: usize) -> i16 {
    let ply = ply as i32;
    let value = match value {
        PROOF.. => value + ply,
        _ if value <= -PROOF => value - ply,
        _ => value,
    };
    value.clamp(-MATE, MATE) as i16
}

fn from_memory(value: i16, ply: usize) -> i32 {
    let (value, ply) = (i32::from(value), ply as i32);
    match value {
        PROOF.. => value - ply,
        _ if value <= -PROOF => value + ply,
        _ => value,
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use rules::{
        ChessFive, ChessFiveMove, ConnectFour, Custom, Fixed, Game, Geometry, Position, Simplexity, Size,
        TicTacToe, Wide,
    };

    use super::*;
    use crate::{
        Player, Proof, Reason, Stop, Term,
        engine::{
            Engine, Judged, Settings,
            judge::IMAGE_PLIES,
            judges::{ChessFiveJudge, ConnectFourJudge, SimplexityJudge, TicTacToeJudge},
            samples::games,
        },
    };

    fn past<P: Position>(game: &Game<P>) -> Past {
        Past::new(&game.positions()[..game.moves().len()])
    }

    fn wins<P: Position>(position: &P, m: P::Move) -> bool {
        position.after(m).outcome() == Some(Outcome::Win(position.turn()))
    }

    fn can_win<P: Position>(position: &P) -> bool {
        position.legal_moves().any(|m| wins(position, m))
    }

    /// What a judge says without searching is what the rules say.
    fn judges_rightly<P: Position, J: Judge<P, Sight: Debug + PartialEq>>(
        start: &P,
        judge: &J,
        count: usize,
    ) {
        for game in games(start, 1, count) {
            let position = game.position().clone();
            let sight = judge.see(&position);
            let winning = judge.win(&position, &sight);
            assert_eq!(winning.is_some(), can_win(&position), "{position:?}");
            assert!(winning.is_none_or(|m| wins(&position, m)), "{position:?}");
            for m in position.legal_moves() {
                let next = position.after(m);
                assert_eq!(
                    judge.see_after(&sight, &position, m, &next),
                    judge.see(&next),
                    "{position:?} {m}"
                );
            }
            if winning.is_some() {
                continue;
            }
            let candidates = judge.candidates(&position, &sight);
            let legal: Vec<_> = position.legal_moves().collect();
            assert!(!candidates.is_empty() && candidates.iter().all(|m| legal.contains(m)), "{position:?}");
            let loses = |&m: &P::Move| {
                let after = position.after(m);
                after.outcome() == Some(Outcome::Win(after.turn()))
                    || after.outcome().is_none() && can_win(&after)
            };
            let left_out: Vec<_> = legal.iter().filter(|m| !candidates.contains(m)).collect();
            assert!(left_out.into_iter().all(loses), "{position:?} {candidates:?}");
            let numbers: std::collections::HashSet<_> =
                legal.iter().map(|&m| judge.number(&position, m)).collect();
            assert_eq!(numbers.len(), legal.len());
            assert!(numbers.into_iter().all(|number| usize::from(number) < MOVE_NUMBERS));
        }
    }

    /// What is said about a position in words adds up to its value, and every word is used once.
    fn explains_itself<P: Position, J: Judge<P>>(start: &P, judge: &J) {
        for game in games(start, 4, 100) {
            let position = game.position().clone();
            let terms = judge.terms(&position, &judge.see(&position));
            let points: i64 = terms.iter().map(Term::points).sum();
            let limit = i64::from(LIMIT);
            assert_eq!(
                points.clamp(-limit, limit),
                i64::from(judge.evaluate(&position, &judge.see(&position))),
                "{position:?}"
            );
            let names: std::collections::HashSet<_> = terms.iter().map(|term| term.name).collect();
            assert_eq!(names.len(), judge.weights(&position).len(), "{position:?}");
            assert_eq!(terms.len(), names.len(), "{position:?}");
        }
    }

    /// Minimax without bounds, tables, order or pruning, to the same horizon.
    fn plain<P: Position, J: Judge<P>>(
        position: &P,
        judge: &J,
        depth: i32,
        ply: i32,
        root_depth: i32,
        (past, keys): (&Past, &mut Vec<u64>),
    ) -> i32 {
        match position.outcome() {
            Some(Outcome::Draw) => return 0,
            Some(Outcome::Win(winner)) => {
                return if winner == position.turn() { MATE - ply } else { ply - MATE };
            }
            None => {}
        }
        let key = position.key();
        if ply > 0
            && position.draws_when_seen().is_some()
            && [&*keys, &past.spent].iter().any(|k| k.contains(&key))
        {
            return 0;
        }
        if can_win(position) {
            return MATE - ply - 1;
        }
        let forced = judge.urgency(position, &judge.see(position)) == Urgency::Forced;
        let extends = forced && ply < root_depth + MAX_EXTENSION as i32;
        let mut moves: Vec<_> = position.legal_moves().collect();
        let mut best = -MATE;
        if depth <= 0 && !extends {
            best = judge.evaluate(position, &judge.see(position));
            let mut attacks = Vec::new();
            if depth > -J::ATTACKING_PLIES {
                judge.attacks(position, &mut attacks);
            }
            moves = attacks.into_iter().map(|choice| choice.m).collect();
        }
        let depth = if extends && J::ANSWERS_ARE_FREE { depth.max(0) + 1 } else { depth };
        keys.push(key);
        for m in moves {
            let history = (past, &mut *keys);
            best = best.max(-plain(&position.after(m), judge, depth - 1, ply + 1, root_depth, history));
        }
        keys.pop();
        best
    }

    fn nobody_ends_it<T>(found: Result<T, Ended>) -> T {
        found.unwrap_or_else(|Ended| panic!("nobody ends it"))
    }

    /// To any depth, if a value is what its depth says.
    fn searches_rightly<P: Position, J: Judge<P>>(start: &P, judge: &J, count: usize, depths: u32) {
        let brake = Brake { ended: AtomicBool::new(false), nodes: AtomicU64::new(0), is_due: &|_| false };
        for game in games(start, 2, count) {
            let (position, past) = (game.position(), past(&game));
            let table = Table::new(1 << 16);
            let (mut guess, mut first) = (0, None);
            for depth in 1..=depths {
                let mut search = Search::new(judge, &table, &brake, past.clone(), judge.see(position));
                search.is_strict = true;
                let (value, line) = nobody_ends_it(search.root(position, depth, guess, first));
                let expected =
                    plain(position, judge, depth as i32, 0, depth as i32, (&past, &mut Vec::new()));
                assert_eq!(value, expected, "seed 2, depth {depth}: {position:?}");
                assert!(position.is_legal(line[0]));
                (guess, first) = (value, Some(line[0]));
            }
        }
    }

    /// To the end of the game, whatever is searched less deeply before.
    fn solves_rightly<P: Position, J: Judge<P>>(start: &P, judge: &J, count: usize, plies: u32) {
        let brake = Brake { ended: AtomicBool::new(false), nodes: AtomicU64::new(0), is_due: &|_| false };
        let late = |game: &Game<P>| judge.plies_left(game.position()) <= plies;
        let mut long = 0;
        for game in games(start, 9, count).into_iter().filter(late) {
            let (position, past) = (game.position(), past(&game));
            let (table, end) = (Table::new(1 << 16), judge.plies_left(position));
            let mut search = Search::new(judge, &table, &brake, past.clone(), judge.see(position));
            let (mut guess, mut first) = (0, None);
            for depth in 1..=end {
                let (value, line) = nobody_ends_it(search.root(position, depth, guess, first));
                (guess, first) = (value, Some(line[0]));
            }
            let expected = plain(position, judge, end as i32, 0, end as i32, (&past, &mut Vec::new()));
            assert_eq!(guess, expected, "seed 9: {position:?}");
            long += u32::from(end > REDUCTION_DEPTH as u32 + 1);
        }
        assert!(long > 2, "{long} searches were long enough for reductions");
    }

    /// Whether the side to move can force a win within so many moves of both, by the rules alone.
    fn win_in<P: Position>(position: &P, plies: u32) -> bool {
        plies > 0
            && position.legal_moves().any(|m| {
                let after = position.after(m);
                match after.outcome() {
                    Some(outcome) => outcome == Outcome::Win(position.turn()),
                    None if plies < 3 => false,
                    None => after.legal_moves().all(|reply| {
                        let next = after.after(reply);
                        match next.outcome() {
                            Some(outcome) => outcome == Outcome::Win(position.turn()),
                            None => win_in(&next, plies - 2),
                        }
                    }),
                }
            })
    }

    /// Whether the side to move cannot help losing within so many moves of both, by the rules alone.
    fn loss_in<P: Position>(position: &P, plies: u32) -> bool {
        position.legal_moves().all(|m| {
            let after = position.after(m);
            match after.outcome() {
                Some(outcome) => outcome == Outcome::Win(after.turn()),
                None => win_in(&after, plies - 1),
            }
        })
    }

    /// Every forced win and every forced loss of up to so many moves is found with its length, by the
    /// search and by the player with one thread and with two; enough of both that need a search.
    fn finds_proofs<P: Judged>(start: &P, count: usize, longest: u32, enough: [u32; 2]) {
        let judge = start.judge();
        let brake = Brake { ended: AtomicBool::new(false), nodes: AtomicU64::new(0), is_due: &|_| false };
        let (mut won, mut lost) = (0, 0);
        for game in games(start, 3, count) {
            let position = game.position();
            let is_loss = |plies: &u32| plies.is_multiple_of(2);
            let proof = |plies: &u32| {
                if is_loss(plies) { loss_in(position, *plies) } else { win_in(position, *plies) }
            };
            let Some(plies) = (1..=longest).find(proof) else { continue };
            let expected = if is_loss(&plies) { plies as i32 - MATE } else { MATE - plies as i32 };
            let table = Table::new(1 << 20);
            let mut search = Search::new(&judge, &table, &brake, past(&game), judge.see(position));
            let value_at = |depth| nobody_ends_it(search.root(position, depth, 0, None)).0;
            let values: Vec<_> = (1..=plies + 1).map(value_at).collect();
            // A piece that must be given away loses sooner than the search counts.
            assert_eq!(values.last(), Some(&expected), "{plies} moves: {position:?} {values:?}");
            for threads in [1, 2] {
                let settings = format!("depth={},threads={threads}", plies + 1);
                let mut engine = Engine::new(Settings::read(Some(&settings)).unwrap());
                let reasons = engine.choose(&game, &Stop::default()).unwrap().reasons;
                let result = if is_loss(&plies) { Proof::Loss } else { Proof::Win };
                let is_it = |reason: &Reason| matches!(reason, Reason::Proven(proven) if proven.result == result && (proven.plies == plies || threads > 1));
                assert!(reasons.iter().any(is_it), "{settings}, {plies} moves: {position:?} {reasons:?}");
            }
            won += u32::from(plies > 1 && !is_loss(&plies));
            lost += u32::from(is_loss(&plies));
        }
        assert!(won >= enough[0] && lost >= enough[1], "{won} wins and {lost} losses needed a search");
    }

    /// A position and its mirror image are remembered in one place, and their moves with it.
    fn mirrors_rightly<P: Position, J: Judge<P>>(start: &P, judge: &J) {
        let (mut images, mut symmetric) = (0, 0);
        for game in games(start, 8, 60) {
            let (mut position, mut image) = (start.clone(), start.clone());
            for &m in game.moves() {
                let number = judge.number(&position, m);
                let other = judge.mirrored(number);
                assert_eq!(judge.mirrored(other), number);
                let reflected = image.legal_moves().find(|m| judge.number(&image, *m) == other);
                position.play_unchecked(m);
                image.play_unchecked(reflected.expect("what can be played can be played in the mirror"));
                let places = [judge.place(&position), judge.place(&image)];
                match places.map(|place| place.view) {
                    [View::Symmetric, View::Symmetric] => {
                        assert_eq!(position, image);
                        symmetric += 1;
                    }
                    [View::Plain, View::Mirrored] | [View::Mirrored, View::Plain] => {
                        assert_eq!(places[0].key, places[1].key, "{position:?}");
                        images += 1;
                    }
                    views => {
                        assert!(views == [View::Plain; 2] && position.ply() > IMAGE_PLIES, "{position:?}");
                    }
                }
            }
        }
        assert!(images > 60 && judge.place(start).view == View::Symmetric, "{images} {symmetric}");
    }

    fn custom(rows: u32, cols: u32, run: u32) -> Custom<u64> {
        Custom::new(Size::new(rows, cols, run).unwrap()).unwrap()
    }

    #[test]
    fn judges_agree_with_the_rules() {
        judges_rightly(&TicTacToe::default(), &TicTacToeJudge, 200);
        judges_rightly(&ChessFive::default(), &ChessFiveJudge, 400);
        for (rows, cols, run) in [(6, 7, 4), (4, 5, 3), (7, 7, 5), (3, 10, 4), (9, 4, 4), (2, 2, 3)] {
            let geometry = custom(rows, cols, run);
            judges_rightly(&ConnectFour::new(geometry), &ConnectFourJudge::new(geometry), 300);
            let pieces = [geometry.cells().div_ceil(4), geometry.cells().div_ceil(4)];
            for pieces in [pieces, [2, 30], [30, 2]] {
                judges_rightly(&Simplexity::new(geometry, pieces), &SimplexityJudge::new(geometry), 300);
            }
        }
    }

    #[test]
    fn evaluations_explain_themselves() {
        explains_itself(&TicTacToe::default(), &TicTacToeJudge);
        explains_itself(&ChessFive::default(), &ChessFiveJudge);
        for (rows, cols, run) in [(6, 7, 4), (4, 5, 3), (7, 7, 5), (3, 10, 4), (9, 4, 4), (2, 2, 3)] {
            let geometry = custom(rows, cols, run);
            explains_itself(&ConnectFour::new(geometry), &ConnectFourJudge::new(geometry));
            explains_itself(&Simplexity::new(geometry, [8, 9]), &SimplexityJudge::new(geometry));
        }
        let wide = Custom::<Wide<8>>::new(Size::new(9, 37, 5).unwrap()).unwrap();
        explains_itself(&Simplexity::new(wide, [83, 84]), &SimplexityJudge::new(wide));
    }

    #[test]
    fn everything_switched_on_is_plain_minimax() {
        searches_rightly(&TicTacToe::default(), &TicTacToeJudge, 60, 6);
        searches_rightly(&ChessFive::default(), &ChessFiveJudge, 10, 2);
        for (rows, cols, run) in [(6, 7, 4), (4, 4, 3), (5, 5, 4), (3, 10, 4)] {
            let geometry = custom(rows, cols, run);
            searches_rightly(&ConnectFour::new(geometry), &ConnectFourJudge::new(geometry), 40, 3);
            searches_rightly(&Simplexity::new(geometry, [8, 8]), &SimplexityJudge::new(geometry), 25, 3);
        }
        for (rows, cols, run) in [(4, 4, 3), (5, 5, 4), (6, 4, 4)] {
            let geometry = custom(rows, cols, run);
            searches_rightly(&ConnectFour::new(geometry), &ConnectFourJudge::new(geometry), 25, 6);
            searches_rightly(&Simplexity::new(geometry, [8, 8]), &SimplexityJudge::new(geometry), 12, 4);
        }
    }

    #[test]
    fn a_search_to_the_end_is_plain_minimax() {
        solves_rightly(&TicTacToe::default(), &TicTacToeJudge, 60, 9);
        for (rows, cols, run) in [(4, 4, 4), (5, 5, 4), (3, 6, 4), (6, 4, 4)] {
            let geometry = custom(rows, cols, run);
            solves_rightly(&ConnectFour::new(geometry), &ConnectFourJudge::new(geometry), 200, 10);
            solves_rightly(&Simplexity::new(geometry, [7, 7]), &SimplexityJudge::new(geometry), 200, 7);
        }
    }

    #[test]
    fn images_share_a_place() {
        mirrors_rightly(&TicTacToe::default(), &TicTacToeJudge);
        mirrors_rightly(&ChessFive::default(), &ChessFiveJudge);
        for (rows, cols, run) in [(6, 7, 4), (5, 4, 4), (4, 10, 4)] {
            let geometry = custom(rows, cols, run);
            mirrors_rightly(&ConnectFour::new(geometry), &ConnectFourJudge::new(geometry));
            mirrors_rightly(&Simplexity::new(geometry, [8, 9]), &SimplexityJudge::new(geometry));
        }
        let wide = Custom::<Wide<8>>::new(Size::new(9, 37, 5).unwrap()).unwrap();
        mirrors_rightly(&Simplexity::new(wide, [83, 84]), &SimplexityJudge::new(wide));
    }

    /// Moves of both sides there and back: the same position, four moves later.
    fn there_and_back(position: &ChessFive) -> Option<ChessFive> {
        let back = |m| match m {
            ChessFiveMove::Step { from, to } => ChessFiveMove::Step { from: to, to: from },
            drop @ ChessFiveMove::Drop { .. } => drop,
        };
        let replies = |a| position.after(a).legal_moves().map(move |b| (a, b)).collect::<Vec<_>>();
        let play = |mut position: ChessFive, m| position.play(m).ok().map(|()| position);
        position
            .legal_moves()
            .flat_map(replies)
            .filter_map(|(a, b)| [a, b, back(a), back(b)].into_iter().try_fold(position.clone(), play))
            .find(|after| after.outcome().is_none() && after.key() == position.key())
    }

    #[test]
    fn a_win_that_comes_too_late_is_none() {
        let brake = Brake { ended: AtomicBool::new(false), nodes: AtomicU64::new(0), is_due: &|_| false };
        let table = Table::new(1 << 20);
        let mut tried = 0;
        for game in games(&ChessFive::default(), 5, 400) {
            let position = game.position();
            if !position.is_chess_phase() || win_in(position, 1) || !win_in(position, 3) {
                continue;
            }
            let value = |position: &ChessFive| {
                let mut search = Search::new(
                    &ChessFiveJudge,
                    &table,
                    &brake,
                    Past::default(),
                    ChessFiveJudge.see(position),
                );
                (1..=4).filter_map(|depth| Some(search.root(position, depth, 0, None).ok()?.0)).last()
            };
            assert_eq!(value(position), Some(MATE - 3));
            let mut late = position.clone();
            while ChessFiveJudge.plies_left(&late) > 4
                && let Some(later) = there_and_back(&late)
            {
                late = later;
            }
            // Three moves are enough to win; with fewer left it is a draw unless somebody wins sooner.
            match ChessFiveJudge.plies_left(&late) {
                1 | 2 => assert!(value(&late).is_some_and(|value| value < PROOF), "{late:?}"),
                3 | 4 => assert_eq!(value(&late), Some(MATE - 3), "{late:?}"),
                _ => continue,
            }
            tried += 1;
        }
        assert!(tried > 3, "{tried}");
    }

    #[test]
    fn what_came_twice_in_the_game_is_a_draw_and_what_came_once_is_not() {
        let start =
            games(&ChessFive::default(), 6, 300).into_iter().find(|game| game.position().is_chess_phase());
        let mut positions = vec![start.unwrap().position().clone()];
        assert!(Past::new(&positions).spent.is_empty());
        positions.push(there_and_back(&positions[0]).unwrap());
        assert_eq!(Past::new(&positions).spent, [positions[0].key()]);
        // A draw by repetition saves what is lost otherwise, even if it answers no threat.
        let brake = Brake { ended: AtomicBool::new(false), nodes: AtomicU64::new(0), is_due: &|_| false };
        let mut saved = 0;
        for game in games(&ChessFive::default(), 7, 600) {
            let position = game.position();
            if !position.is_chess_phase() || can_win(position) {
                continue;
            }
            let lost = |m: &ChessFiveMove| can_win(&position.after(*m));
            if !position.legal_moves().all(|m| lost(&m)) {
                continue;
            }
            let last = position.legal_moves().last().unwrap();
            let past = Past { spent: vec![position.after(last).key()] };
            let table = Table::new(1 << 16);
            let value = |past| {
                Search::new(&ChessFiveJudge, &table, &brake, past, ChessFiveJudge.see(position))
                    .root(position, 2, 0, None)
                    .ok()
                    .map(|(value, _)| value)
            };
            assert_eq!(value(past), Some(0), "{position:?}");
            assert_eq!(value(Past::default()), Some(2 - MATE), "{position:?}");
            saved += 1;
        }
        assert!(saved > 0, "no position was lost otherwise");
    }

    #[test]
    fn forced_wins_and_losses_are_never_missed() {
        finds_proofs(&TicTacToe::default(), 300, 5, [10, 10]);
        finds_proofs(&ConnectFour::new(Fixed::<6, 7, 4>), 300, 5, [10, 10]);
        finds_proofs(&ConnectFour::new(custom(5, 5, 3)), 200, 4, [5, 5]);
        finds_proofs(&Simplexity::new(Fixed::<6, 7, 4>, [10, 11]), 300, 4, [5, 5]);
        finds_proofs(&ChessFive::default(), 400, 3, [10, 1]);
    }
}
