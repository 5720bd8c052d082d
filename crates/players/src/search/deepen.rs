//! Iterative deepening: the search at one depth after the other, by several threads.

use std::{
    cmp::Reverse,
    sync::atomic::{AtomicU64, Ordering},
};

use rules::Move;
use solver::Threads;

use super::{Bound, Ended, MATE, PROOF, RootSearch, SearchControl, SearchRoot, Table, Walk};
use crate::{
    control::{Stop, Timer},
    eval::MAX_DEPTH,
    sort::sort_by_key,
    thought::{Proof, Proven},
};

/// A move and its expected continuation, with its value for the side to move.
#[derive(Clone, Debug)]
pub struct Line<M> {
    /// The value for the side to move: an evaluation, or a proof; see [`Line::proven`].
    pub value: i32,
    /// The moves, beginning with the first.
    pub moves: Vec<M>,
    /// An upper bound of the plies to the end of the game, if the search reached the end in every line.
    pub to_the_end: Option<u32>,
}

impl<M> Line<M> {
    /// The result that can be forced, if the search proved one.
    #[must_use]
    pub fn proven(&self) -> Option<Proven> {
        if self.value.abs() >= PROOF {
            let result = if self.value > 0 { Proof::Win } else { Proof::Loss };
            return Some(Proven { result, plies: (MATE - self.value.abs()) as u32 });
        }
        self.to_the_end.filter(|_| self.value == 0).map(|plies| Proven { result: Proof::Draw, plies })
    }
}

/// The result of a completed depth.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Found<M> {
    /// The depth in plies.
    pub depth: u32,
    /// The number of nodes searched so far.
    pub nodes: u64,
    /// The best moves, best first.
    pub lines: Vec<Line<M>>,
}

impl<M: ToString> Found<M> {
    /// The same with moves as text.
    pub(crate) fn to_text(&self) -> Found<String> {
        let text = |line: &Line<M>| Line {
            value: line.value,
            moves: line.moves.iter().map(ToString::to_string).collect(),
            to_the_end: line.to_the_end,
        };
        Found { depth: self.depth, nodes: self.nodes, lines: self.lines.iter().map(text).collect() }
    }
}

/// Receives the result of each depth.
type OnDepth<'a, M> = &'a mut dyn FnMut(&Found<M>);

/// Which moves to search.
#[derive(Clone, Debug)]
pub enum Question<M> {
    /// The best legal move.
    Best,
    /// The best of these moves, and how many lines are wanted.
    BestOf(Vec<M>, usize),
}

/// The resources and limits of a search by iterative deepening.
pub(crate) struct Deepening<'a> {
    pub(crate) table: &'a Table,
    pub(crate) threads: &'a dyn Threads,
    /// The number of threads, the calling one included.
    pub(crate) thread_count: usize,
    pub(crate) depth: Option<u32>,
    pub(crate) nodes: Option<u64>,
    pub(crate) timer: Timer,
    pub(crate) stop: &'a Stop,
}

impl Deepening<'_> {
    /// The same, limited to the first depth.
    pub(crate) fn first_depth(self) -> Self {
        Self { depth: Some(1), nodes: None, timer: Timer::start(None, None), ..self }
    }

    /// Searches deeper until a limit is reached, and reports the result of each depth. Returns the result of
    /// the deepest completed search, if there is one, and the number of nodes.
    pub(crate) fn run<M: Move>(
        &self,
        root: &dyn SearchRoot<M>,
        question: &Question<M>,
        on_depth: OnDepth<M>,
    ) -> (Option<Found<M>>, u64) {
        let is_due = |nodes: u64| {
            self.stop.must_move_now() || self.nodes.is_some_and(|limit| nodes >= limit) || self.timer.is_up()
        };
        let control = SearchControl::new(&is_due);
        let plies_left = root.plies_left();
        let worker = |first_depth: u32, mut on_depth: Option<OnDepth<M>>| {
            let mut search = root.search(self.table, &control);
            let mut found: Option<Found<M>> = None;
            for depth in first_depth..=self.depth.unwrap_or(MAX_DEPTH) {
                let before = found.as_ref().map_or(&[][..], |found| &found.lines);
                let Ok(mut lines) = lines_at(&mut *search, question, depth, before) else {
                    // A move that improved on the last depth counts even if the depth was not completed.
                    if let (Some(found), Some((value, moves))) = (&mut found, search.unfinished())
                        && let [line] = &mut found.lines[..]
                    {
                        *line = Line { value, moves, to_the_end: None };
                    }
                    break;
                };
                let is_due = || control.is_ended() || is_due(0);
                for line in &mut lines {
                    line.to_the_end = (depth >= plies_left).then_some(plies_left);
                    if on_depth.is_some() {
                        self.extend(root, depth, line, &is_due);
                    }
                }
                // A proof within the depth is final.
                let is_proved = lines.iter().all(|line| line.proven().is_some_and(|p| p.plies <= depth));
                let nodes = search.nodes().max(control.nodes());
                let found = found.insert(Found { depth, nodes, lines });
                if let Some(on_depth) = &mut on_depth {
                    on_depth(found);
                }
                if is_proved {
                    break;
                }
            }
            (found, search.nodes())
        };
        let helped = AtomicU64::new(0);
        // Helpers start at different depths, so that they store entries that the main thread does not have yet.
        let help = |number: usize| {
            let (_, nodes) = worker(1 + number as u32 % 3, None);
            helped.fetch_add(nodes, Ordering::Relaxed);
        };
        let mut answer = (None, 0);
        let mut on_depth = Some(on_depth);
        self.threads.run(self.thread_count - 1, &help, &mut || {
            answer = worker(1, on_depth.take());
            // Only the answer of the main thread ends the other threads, not a helper that finishes early.
            control.end();
        });
        let (found, nodes) = answer;
        (found, nodes + helped.into_inner())
    }

    /// Extends a line with moves from the transposition table, if there is time: where an entry of the table
    /// ended the search, the line is shorter than the depth.
    fn extend<M: Move>(
        &self,
        root: &dyn SearchRoot<M>,
        depth: u32,
        line: &mut Line<M>,
        is_due: &dyn Fn() -> bool,
    ) {
        let mut here = root.walk();
        let proven = line.proven();
        let length = proven.map_or(depth, |proven| proven.plies) as usize;
        let winner = proven.and_then(|proven| match proven.result {
            Proof::Win => Some(here.turn()),
            Proof::Draw => None,
            Proof::Loss => Some(here.turn().other()),
        });
        // A draw by repetition ends a line too.
        let mut keys = root.repeating_keys();
        let is_over = |here: &dyn Walk<M>, keys: &[u64]| {
            let seen = || keys.iter().filter(|&&key| key == here.key()).count();
            here.outcome().is_some() || here.draws_when_seen().is_some_and(|often| seen() >= often)
        };
        let step = |here: &mut dyn Walk<M>, m, keys: &mut Vec<u64>| {
            here.step(m);
            keys.extend(here.draws_when_seen().map(|_| here.key()));
        };
        for &m in &line.moves {
            step(&mut *here, m, &mut keys);
        }
        while line.moves.len() < length && !is_over(&*here, &keys) && !is_due() {
            let turn = here.turn();
            let stored = || {
                here.stored(self.table, &|entry| match winner {
                    None => entry.bound == Bound::Exact,
                    Some(side) if side == turn => i32::from(entry.value) >= PROOF,
                    Some(_) => i32::from(entry.value) <= -PROOF,
                })
            };
            // If every move loses in two plies, all are equal; take the first candidate.
            let last = || {
                let loses_next = winner == Some(turn.other()) && line.moves.len() + 2 == length;
                loses_next.then(|| here.candidates()[0])
            };
            let Some(m) = here.win().or_else(stored).or_else(last) else { break };
            line.moves.push(m);
            step(&mut *here, m, &mut keys);
        }
    }
}

/// Searches the lines of one depth: the best line, then the best line with another first move, and so on.
fn lines_at<M: Move>(
    search: &mut dyn RootSearch<M>,
    question: &Question<M>,
    depth: u32,
    before: &[Line<M>],
) -> Result<Vec<Line<M>>, Ended> {
    let guess = |i: usize| before.get(i).map_or(0, |line| line.value);
    let Question::BestOf(moves, count) = question else {
        let first = before.first().map(|line| line.moves[0]);
        let (value, moves) = search.root(depth, guess(0), first)?;
        return Ok(vec![Line { value, moves, to_the_end: None }]);
    };
    let mut rest = moves.clone();
    put_good_moves_first(&mut rest, before);
    let mut lines = Vec::new();
    while lines.len() < *count && !rest.is_empty() {
        let (value, moves) = search.root_of(&rest, depth, guess(lines.len()))?;
        rest.retain(|m| *m != moves[0]);
        lines.push(Line { value, moves, to_the_end: None });
    }
    // Table entries of deeper searches may change the order.
    put_best_line_first(&mut lines);
    Ok(lines)
}

/// Puts the moves that were good at the last depth first.
fn put_good_moves_first<M: PartialEq>(moves: &mut [M], before: &[Line<M>]) {
    sort_by_key(moves, |m| before.iter().position(|line| line.moves[0] == *m).unwrap_or(before.len()));
}

fn put_best_line_first<M>(lines: &mut [Line<M>]) {
    sort_by_key(lines, |line| Reverse(line.value));
}
