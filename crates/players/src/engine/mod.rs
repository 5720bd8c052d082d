//! `engine`: our own player for every game, at any size: alpha-beta search over an evaluation per game.
//!
//! The search is generic over a [`Judge`], which knows one game: what wins at once, which moves are
//! worth trying, what a position is worth. It compiles to one tight loop per game.

pub mod book;
mod judge;
mod judged;
mod judges;
mod lines;
mod reasons;
mod root;
#[cfg(test)]
mod samples;
mod search;
mod settings;
mod table;

use std::{
    cmp::Reverse,
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    thread,
    time::{Duration, Instant},
};

use rules::{Game, Position};
use solver::Solver;

pub use self::settings::time;
pub(crate) use self::settings::{MAX_DEPTH, MAX_THREADS, Settings};
pub(crate) use self::{
    judge::Judge,
    judged::{Judged, Solved},
    reasons::threats,
    root::Root,
};
use self::{
    root::SightOf,
    search::{Brake, Ended, MATE, PROOF, Past, Search},
    table::{Bound, Table},
};
use crate::{Player, Proof, Proven, Reason, Stop, Stopped, Thought, within};

const TABLE_BYTES: usize = 32 << 20;
/// What a search with few nodes is given, so that it remembers earlier moves of the game too.
const BYTES_PER_NODE: usize = 256;
/// What a search is given that looks no move ahead; one that looks further has four times as much for each.
const BYTES_AT_ONCE: usize = 1 << 14;

/// Searches deeper and deeper until its limits are reached.
pub(crate) struct Engine {
    settings: Settings,
    table: Table,
    /// For the games that can be solved; made when one is.
    solver: Option<Solver>,
}

/// A move and what should follow, with its value for the side to move.
pub(crate) struct Line<M> {
    pub(crate) value: i32,
    pub(crate) moves: Vec<M>,
    /// How long the game may still last, if the search saw all of it.
    pub(crate) to_the_end: Option<u32>,
}

impl<M> Line<M> {
    /// The result that can be forced, if the search has seen one.
    pub(crate) fn proven(&self) -> Option<Proven> {
        if self.value.abs() >= PROOF {
            let result = if self.value > 0 { Proof::Win } else { Proof::Loss };
            return Some(Proven { result, plies: (MATE - self.value.abs()) as u32 });
        }
        self.to_the_end.filter(|_| self.value == 0).map(|plies| Proven { result: Proof::Draw, plies })
    }
}

/// The value of a proven result, on the scale of the engine.
pub(crate) fn value_of(proven: Proven) -> i32 {
    match proven.result {
        Proof::Win => MATE - proven.plies as i32,
        Proof::Draw => 0,
        Proof::Loss => proven.plies as i32 - MATE,
    }
}

/// What a search found that came to its end.
pub(crate) struct Found<M> {
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
    /// The best moves, the very best first.
    pub(crate) lines: Vec<Line<M>>,
}

/// Is told what each depth found.
type OnDepth<'a, M> = &'a mut dyn FnMut(&Found<M>);

/// Which moves are asked about.
pub(crate) enum Question<M> {
    /// The best of all.
    Best,
    /// The best so many of these.
    BestOf(Vec<M>, usize),
}

impl Engine {
    pub(crate) fn new(settings: Settings) -> Self {
        // Short searches need little memory: many games may be played at a time.
        let by_nodes =
            settings.nodes.map_or(TABLE_BYTES, |nodes| (nodes as usize).saturating_mul(BYTES_PER_NODE));
        let by_depth = BYTES_AT_ONCE << (2 * settings.depth.unwrap_or(MAX_DEPTH).min(8));
        Self { settings, table: Table::new(TABLE_BYTES.min(by_nodes).min(by_depth)), solver: None }
    }

    /// What the solver proves of a position in its share of the time, where it knows the game. Limits of
    /// another kind are for the search alone, which keeps to them exactly, unless proofs are wanted: then
    /// only where they come at once, in whatever time, so that the answer is the same each time.
    fn solve<P: Judged>(
        &mut self,
        root: &Root<P>,
        time: Option<Duration>,
        stop: &Stop,
    ) -> Option<Solved<P::Move>> {
        let (most_empty, time) = if !self.settings.repeats() {
            (MOST_EMPTY_CELLS, time? / SOLVING)
        } else if self.settings.proofs {
            (AT_ONCE_EMPTY_CELLS, Duration::MAX)
        } else {
            return None;
        };
        if root.judge.plies_left(root.position()) > most_empty {
            return None;
        }
        let threads = self.settings.threads;
        let solver = self.solver.get_or_insert_with(|| Solver::new(TABLE_BYTES).with_threads(threads));
        within(time, Duration::MAX, stop, |stop| root.position().solve(solver, stop.hurried()))
    }

    /// Deepens until the limits are reached and tells what each depth found; the answer is that of the
    /// deepest search that came to its end, if one did, and how many nodes all took.
    pub(crate) fn deepen<P: Judged>(
        &self,
        settings: &Settings,
        root: &Root<P>,
        question: &Question<P::Move>,
        stop: &Stop,
        on_depth: OnDepth<P::Move>,
    ) -> (Option<Found<P::Move>>, u64) {
        let start = Instant::now();
        let is_due = |nodes: u64| {
            stop.is_hurried()
                || settings.nodes.is_some_and(|limit| nodes >= limit)
                || settings.time.is_some_and(|time| start.elapsed() >= time)
        };
        let brake = Brake { ended: AtomicBool::new(false), nodes: AtomicU64::new(0), is_due: &is_due };
        let Root { game, judge, sight } = root;
        let plies_left = judge.plies_left(game.position());
        let past = Past::new(&game.positions()[..game.moves().len()]);
        let worker = |first_depth: u32, mut on_depth: Option<OnDepth<P::Move>>| {
            let mut search = Search::new(judge, &self.table, &brake, past.clone(), sight.clone());
            let mut found: Option<Found<P::Move>> = None;
            for depth in first_depth..=settings.depth.unwrap_or(MAX_DEPTH) {
                let before = found.as_ref().map_or(&[][..], |found| &found.lines);
                let Ok(mut lines) = lines_at(&mut search, game.position(), question, depth, before) else {
                    // A better move than that of the depth before counts even if others are not known.
                    if let (Some(found), Some((value, moves))) = (&mut found, search.unfinished())
                        && let [line] = &mut found.lines[..]
                    {
                        *line = Line { value, moves, to_the_end: None };
                    }
                    break;
                };
                let is_due = || brake.ended.load(Ordering::Relaxed) || is_due(0);
                for line in &mut lines {
                    line.to_the_end = (depth >= plies_left).then_some(plies_left);
                    if on_depth.is_some() {
                        self.follow(root, depth, line, &is_due);
                    }
                }
                // A proof within the depth does not change.
                let is_proved = lines.iter().all(|line| line.proven().is_some_and(|p| p.plies <= depth));
                let nodes = search.nodes.max(brake.nodes.load(Ordering::Relaxed));
                let found = found.insert(Found { depth, nodes, lines });
                if let Some(on_depth) = &mut on_depth {
                    on_depth(found);
                }
                if is_proved {
                    break;
                }
            }
            (found, search.nodes)
        };
        thread::scope(|scope| {
            let (worker, brake) = (&worker, &brake);
            // Helpers begin elsewhere, so that they fill the table with what is not yet known.
            let help = |i: u32| scope.spawn(move || worker(1 + i % 3, None).1);
            let helpers: Vec<_> = (1..settings.threads as u32).map(help).collect();
            let (found, nodes) = worker(1, Some(on_depth));
            // A helper that has nothing left to do leaves the others alone; the answer ends them all.
            brake.ended.store(true, Ordering::Relaxed);
            let helped: u64 = helpers.into_iter().filter_map(|helper| helper.join().ok()).sum();
            (found, nodes + helped)
        })
    }

    /// A line ends where the search knew enough; what follows is in the table, if there is time to look.
    fn follow<P: Judged>(
        &self,
        root: &Root<P>,
        depth: u32,
        line: &mut Line<P::Move>,
        is_due: &dyn Fn() -> bool,
    ) {
        let Root { game, judge, .. } = root;
        let position = game.position();
        let proven = line.proven();
        let length = proven.map_or(depth, |proven| proven.plies) as usize;
        let winner = proven.and_then(|proven| match proven.result {
            Proof::Win => Some(position.turn()),
            Proof::Draw => None,
            Proof::Loss => Some(position.turn().other()),
        });
        // A draw by repetition ends a line too.
        let repeats = |position: &&P| position.draws_when_seen().is_some();
        let mut keys: Vec<_> = game.positions().iter().filter(repeats).map(Position::key).collect();
        let is_over = |position: &P, keys: &[u64]| {
            let seen = || keys.iter().filter(|&&key| key == position.key()).count();
            position.outcome().is_some() || position.draws_when_seen().is_some_and(|often| seen() >= often)
        };
        let step = |position: &P, sight: &SightOf<P>, m, keys: &mut Vec<u64>| {
            let (next, seen) = judge.step(position, sight, m);
            keys.extend(Some(&next).filter(repeats).map(Position::key));
            (next, seen)
        };
        let (mut position, mut sight) = (position.clone(), root.sight.clone());
        for &m in &line.moves {
            (position, sight) = step(&position, &sight, m, &mut keys);
        }
        while line.moves.len() < length && !is_over(&position, &keys) && !is_due() {
            let remembered = || {
                let place = judge.place(&position);
                let memory = self.table.get(place.key)?;
                let best = place.number(judge, memory.best);
                let is_sure = match winner {
                    None => memory.bound == Bound::Exact,
                    Some(side) if side == position.turn() => i32::from(memory.value) >= PROOF,
                    Some(_) => i32::from(memory.value) <= -PROOF,
                };
                let is_best = |&m: &P::Move| judge.number(&position, m) == best;
                is_sure.then(|| position.legal_moves().find(is_best)).flatten()
            };
            // Whoever loses next may as well do what looks best.
            let last = || {
                let loses_next = winner == Some(position.turn().other()) && line.moves.len() + 2 == length;
                loses_next.then(|| judge.candidates(&position, &sight)[0])
            };
            let Some(m) = judge.win(&position, &sight).or_else(remembered).or_else(last) else { break };
            line.moves.push(m);
            (position, sight) = step(&position, &sight, m, &mut keys);
        }
    }
}

/// One depth: the best line, then the best without its move, and so on.
fn lines_at<P: Judged>(
    search: &mut Search<P, P::Judge>,
    position: &P,
    question: &Question<P::Move>,
    depth: u32,
    before: &[Line<P::Move>],
) -> Result<Vec<Line<P::Move>>, Ended> {
    let guess = |i: usize| before.get(i).map_or(0, |line| line.value);
    let Question::BestOf(moves, count) = question else {
        let first = before.first().map(|line| line.moves[0]);
        let (value, moves) = search.root(position, depth, guess(0), first)?;
        return Ok(vec![Line { value, moves, to_the_end: None }]);
    };
    // What was good before is looked at first.
    let mut rest = moves.clone();
    rest.sort_by_key(|m| before.iter().position(|line| line.moves[0] == *m).unwrap_or(before.len()));
    let mut lines = Vec::new();
    while lines.len() < *count && !rest.is_empty() {
        let (value, moves) = search.root_among(position, &rest, depth, guess(lines.len()))?;
        rest.retain(|m| *m != moves[0]);
        lines.push(Line { value, moves, to_the_end: None });
    }
    // What the table remembers of deeper searches may turn the order.
    lines.sort_by_key(|line| Reverse(line.value));
    Ok(lines)
}

impl<P: Judged> Player<P> for Engine {
    fn choose(&mut self, game: &Game<P>, stop: &Stop) -> Result<Thought<P::Move>, Stopped> {
        let position = game.position();
        if self.settings.book
            && let Some((m, depth)) = position.book_move()
        {
            let book = Reason::Book { depth };
            return Ok(Thought { depth: Some(depth), ..Thought::new(m, vec![m], vec![book]) });
        }
        let start = Instant::now();
        // Whoever asks may allow less time than the settings.
        let allowed = stop.deadline().map(|deadline| deadline.saturating_duration_since(start));
        let time = self.settings.time.into_iter().chain(allowed).min();
        let root = Root::new(game);
        let solved = self.solve(&root, time, stop);
        let (question, result) = match solved {
            Some(Solved { moves, result }) => (Question::BestOf(moves, 1), result),
            None => (Question::Best, None),
        };
        // What explaining takes is kept back.
        let mut left = time.map(|time| (time - time / EXPLAINING).saturating_sub(start.elapsed()));
        if result.is_some_and(|proven| proven.result != Proof::Draw) {
            // Nothing can go wrong any more; a short look finds a line.
            left = left.map(|time| time / 10);
        }
        let settings = Settings { time: left, ..self.settings };
        let (found, mut nodes) = self.deepen(&settings, &root, &question, stop, &mut |_| {});
        let best = found.and_then(|found| Some((found.depth, found.lines.into_iter().next()?)));
        let (depth, mut line) = best.unwrap_or_else(|| (0, without_thinking(&root, &question)));
        if let Some(result) = result {
            line.value = value_of(result);
        }
        let chosen = line.moves[0];
        let value = i64::from(line.value);

        // What can be told without a look at the clock is told; the rest if there is time.
        let is_due = || stop.is_hurried() || time.is_some_and(|time| start.elapsed() >= time);
        let mut reasons = threats(&root, chosen);
        reasons.extend(result.or(line.proven()).map(Reason::Proven));
        reasons.extend(reasons::forced(&root, &line.moves, &is_due));
        reasons.push(Reason::Minimax { depth, value });
        if depth > 0 && reasons[0] != Reason::Win && !stop.is_hurried() {
            // Whoever counts nodes or depth wants the same each time; the clock would have a say in it.
            let time = time.filter(|_| !self.settings.repeats()).map(|_| start.elapsed() / (2 * EXPLAINING));
            let share = Some(nodes / u64::from(2 * EXPLAINING));
            let limits = Settings { time, nodes: share, depth: Some(depth), threads: 1, ..self.settings };
            let (compared, more) = self.second_best(&limits, &root, chosen, stop);
            nodes += more;
            // What a quick look takes for better is no second best.
            let compared = compared.filter(|[_, second]| second.value <= line.value);
            reasons.extend(compared.map(|[own, second]| reasons::compare(&root, &own, &second)));
        }
        Ok(Thought {
            score: Some(value),
            line: line.moves,
            nodes,
            depth: Some(depth),
            ..Thought::new(chosen, vec![chosen], reasons)
        })
    }
}

impl Engine {
    /// The line of the chosen move and that of the best other one, looked at equally far, and how many
    /// nodes that took; none if there is no other, or there was no time.
    fn second_best<P: Judged>(
        &self,
        limits: &Settings,
        root: &Root<P>,
        chosen: P::Move,
        stop: &Stop,
    ) -> (Option<[Line<P::Move>; 2]>, u64) {
        let others: Vec<_> = root.game.legal_moves().filter(|&m| m != chosen).collect();
        let look = |moves, depth| {
            let question = Question::BestOf(moves, 1);
            self.deepen(&Settings { depth, ..*limits }, root, &question, stop, &mut |_| {})
        };
        if others.is_empty() {
            return (None, 0);
        }
        let (second, nodes) = look(others, limits.depth);
        let Some(second) = second else { return (None, nodes) };
        let (own, more) = look(vec![chosen], Some(second.depth));
        let line = |found: Found<P::Move>| found.lines.into_iter().next();
        let both =
            own.filter(|own| own.depth == second.depth).and_then(|own| Some([line(own)?, line(second)?]));
        (both.filter(|[own, second]| second.value <= own.value), nodes + more)
    }
}

/// With more empty cells on the board a proof takes longer than a move should.
const MOST_EMPTY_CELLS: u32 = 36;
/// With so many it comes at once.
pub(crate) const AT_ONCE_EMPTY_CELLS: u32 = 24;
/// Which part of the time goes into solving where that may succeed.
const SOLVING: u32 = 2;
/// Which part of time and nodes goes into finding what would be second best.
const EXPLAINING: u32 = 50;

/// With next to no time: a move that wins, or any that does not lose at once.
fn without_thinking<P: Judged>(root: &Root<P>, question: &Question<P::Move>) -> Line<P::Move> {
    let m = match question {
        Question::BestOf(moves, _) => moves[0],
        Question::Best => root.win().unwrap_or_else(|| root.candidates()[0]),
    };
    Line { value: 0, moves: vec![m], to_the_end: None }
}
