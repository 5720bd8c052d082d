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
};
use self::{
    search::{Brake, Ended, MATE, PROOF, Search},
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
}

impl<M> Line<M> {
    /// The result that can be forced, if the search has seen one.
    pub(crate) fn proven(&self) -> Option<Proven> {
        let result = if self.value > 0 { Proof::Win } else { Proof::Loss };
        (self.value.abs() >= PROOF).then(|| Proven { result, plies: (MATE - self.value.abs()) as u32 })
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
        let by_depth = BYTES_AT_ONCE << (2 * settings.depth.min(8));
        Self { settings, table: Table::new(TABLE_BYTES.min(by_nodes).min(by_depth)), solver: None }
    }

    /// What the solver proves of a position in its share of the time, where it knows the game. Limits of
    /// another kind are for the search alone, which keeps to them exactly.
    fn solve<P: Judged>(
        &mut self,
        position: &P,
        time: Option<Duration>,
        stop: &Stop,
    ) -> Option<Solved<P::Move>> {
        let Settings { nodes: None, depth: MAX_DEPTH, threads, .. } = self.settings else {
            return None;
        };
        let time = time?;
        let solver = self.solver.get_or_insert_with(|| Solver::new(TABLE_BYTES).with_threads(threads));
        within(time / SOLVING, Duration::MAX, stop, |stop| position.solve(solver, stop.hurried()))
    }

    /// Deepens until the limits are reached and tells what each depth found; the answer is that of the
    /// deepest search that came to its end, if one did, and how many nodes all took.
    pub(crate) fn deepen<P: Judged>(
        &self,
        settings: &Settings,
        game: &Game<P>,
        question: &Question<P::Move>,
        stop: &Stop,
        on_depth: &mut dyn FnMut(&Found<P::Move>),
    ) -> (Option<Found<P::Move>>, u64) {
        let start = Instant::now();
        let is_due = |nodes: u64| {
            stop.is_hurried()
                || settings.nodes.is_some_and(|limit| nodes >= limit)
                || settings.time.is_some_and(|time| start.elapsed() >= time)
        };
        let brake = Brake { ended: AtomicBool::new(false), nodes: AtomicU64::new(0), is_due: &is_due };
        let judge = game.position().judge();
        let keys: Vec<_> = game.positions().iter().map(Position::key).collect();
        let worker = |first_depth: u32, on_depth: &mut dyn FnMut(&Found<P::Move>)| {
            let mut search = Search::new(&judge, &self.table, &brake, keys.clone());
            let mut found: Option<Found<P::Move>> = None;
            for depth in first_depth..=settings.depth {
                let before = found.as_ref().map_or(&[][..], |found| &found.lines);
                let Ok(mut lines) = lines_at(&mut search, game.position(), question, depth, before) else {
                    // A better move than that of the depth before counts even if others are not known.
                    if let (Some(found), Some(moves)) = (&mut found, search.unfinished())
                        && let [line] = &mut found.lines[..]
                    {
                        line.moves = moves;
                    }
                    break;
                };
                for line in &mut lines {
                    self.follow(&judge, game.position(), depth, line);
                }
                // A proof within the depth does not change.
                let is_proved = lines.iter().all(|line| line.proven().is_some_and(|p| p.plies <= depth));
                let nodes = search.nodes.max(brake.nodes.load(Ordering::Relaxed));
                on_depth(found.insert(Found { depth, nodes, lines }));
                if is_proved {
                    break;
                }
            }
            brake.ended.store(true, Ordering::Relaxed);
            (found, search.nodes)
        };
        thread::scope(|scope| {
            let worker = &worker;
            // Helpers begin elsewhere, so that they fill the table with what is not yet known.
            let help = |i: u32| scope.spawn(move || worker(1 + i % 3, &mut |_| {}).1);
            let helpers: Vec<_> = (1..settings.threads as u32).map(help).collect();
            let (found, nodes) = worker(1, on_depth);
            let helped: u64 = helpers.into_iter().filter_map(|helper| helper.join().ok()).sum();
            (found, nodes + helped)
        })
    }

    /// A line ends where the search knew enough; what follows is in the table.
    fn follow<P: Judged>(&self, judge: &P::Judge, position: &P, depth: u32, line: &mut Line<P::Move>) {
        let proven = line.proven();
        let length = proven.map_or(depth, |proven| proven.plies) as usize;
        let winner = proven.map(|proven| match proven.result {
            Proof::Win => position.turn(),
            _ => position.turn().other(),
        });
        let mut position = line.moves.iter().fold(position.clone(), |position, &m| position.after(m));
        while line.moves.len() < length && position.outcome().is_none() {
            let remembered = || {
                let memory = self.table.get(position.key())?;
                let is_sure = match winner {
                    None => memory.bound == Bound::Exact,
                    Some(side) if side == position.turn() => i32::from(memory.value) >= PROOF,
                    Some(_) => i32::from(memory.value) <= -PROOF,
                };
                let is_best = |&m: &P::Move| judge.number(&position, m) == memory.best;
                is_sure.then(|| position.legal_moves().find(is_best)).flatten()
            };
            // Whoever loses next may as well do what looks best.
            let last = || {
                let loses_next = winner == Some(position.turn().other()) && line.moves.len() + 2 == length;
                loses_next.then(|| without_thinking(&position, &Question::Best).moves[0])
            };
            let Some(m) = judge.winning_move(&position).or_else(remembered).or_else(last) else { break };
            line.moves.push(m);
            position.play_unchecked(m);
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
        let (value, moves) = search.root(position, depth, guess(0))?;
        return Ok(vec![Line { value, moves }]);
    };
    // What was good before is looked at first.
    let mut rest = moves.clone();
    rest.sort_by_key(|m| before.iter().position(|line| line.moves[0] == *m).unwrap_or(before.len()));
    let mut lines = Vec::new();
    while lines.len() < *count && !rest.is_empty() {
        let (value, moves) = search.root_among(position, &rest, depth, guess(lines.len()))?;
        rest.retain(|m| *m != moves[0]);
        lines.push(Line { value, moves });
    }
    // What the table remembers of deeper searches may turn the order.
    lines.sort_by_key(|line| Reverse(line.value));
    Ok(lines)
}

impl<P: Judged> Player<P> for Engine {
    fn choose(&mut self, game: &Game<P>, stop: &Stop) -> Result<Thought<P::Move>, Stopped> {
        let position = game.position();
        if self.settings.book
            && let Some(m) = position.book_move()
        {
            let book = Reason::Book { depth: book::DEPTH };
            return Ok(Thought { depth: Some(book::DEPTH), ..Thought::new(m, vec![m], vec![book]) });
        }
        let start = Instant::now();
        // Whoever asks may allow less time than the settings.
        let allowed = stop.deadline().map(|deadline| deadline.saturating_duration_since(start));
        let time = self.settings.time.into_iter().chain(allowed).min();
        let solved = self.solve(position, time, stop);
        let (question, result) = match solved {
            Some(Solved { moves, result }) => (Question::BestOf(moves, 1), result),
            None => (Question::Best, None),
        };
        let mut left = time.map(|time| time.saturating_sub(start.elapsed()));
        if result.is_some_and(|proven| proven.result != Proof::Draw) {
            // Nothing can go wrong any more; a short look finds a line.
            left = left.map(|time| time / 10);
        }
        let settings = Settings { time: left, ..self.settings };
        let (found, mut nodes) = self.deepen(&settings, game, &question, stop, &mut |_| {});
        let best = found.and_then(|found| Some((found.depth, found.lines.into_iter().next()?)));
        let (depth, mut line) = best.unwrap_or_else(|| (0, without_thinking(position, &question)));
        if let Some(result) = result {
            line.value = value_of(result);
        }
        let chosen = line.moves[0];
        let value = i64::from(line.value);

        let mut reasons = threats(position, chosen);
        reasons.extend(result.or(line.proven()).map(Reason::Proven));
        reasons.extend(reasons::forced(position, &line.moves));
        reasons.push(Reason::Minimax { depth, value });
        let limits = Settings {
            time: time.map(|_| start.elapsed() / EXPLAINING),
            nodes: Some(nodes / u64::from(EXPLAINING)),
            depth,
            threads: 1,
            book: false,
        };
        let others: Vec<_> = game.legal_moves().filter(|&m| m != chosen).collect();
        if depth > 0 && !others.is_empty() && reasons[0] != Reason::Win {
            let question = Question::BestOf(others, 1);
            let (found, more) = self.deepen(&limits, game, &question, stop, &mut |_| {});
            nodes += more;
            reasons.extend(found.map(|found| reasons::compare(position, &line, &found.lines[0])));
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

/// Which part of the time goes into solving where that may succeed.
const SOLVING: u32 = 2;
/// Which part of time and nodes goes into finding what would be second best.
const EXPLAINING: u32 = 50;

/// With next to no time: a move that wins, or any that does not lose at once.
fn without_thinking<P: Judged>(position: &P, question: &Question<P::Move>) -> Line<P::Move> {
    if let Question::BestOf(moves, _) = question {
        return Line { value: 0, moves: moves[..1].to_vec() };
    }
    let judge = position.judge();
    let mut moves = Vec::new();
    match judge.winning_move(position) {
        Some(m) => moves.push(m),
        None => _ = judge.candidates(position, &mut moves),
    }
    moves.truncate(1);
    Line { value: 0, moves }
}
