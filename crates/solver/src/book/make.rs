//! Building a book: only the positions of the last ply are searched; all others follow from them.

use std::{
    collections::{HashMap, HashSet},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
};

use rules::{Column, ConnectFour, Outcome, Position, Standard};

use super::{Book, Entry, canonical_key, decided};
use crate::{SolveError, Solver, StopSignal, Threads, board::Stones};

/// The progress of building a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Positions searched or found in the journal.
    pub done: usize,
    /// Positions to search in all.
    pub total: usize,
    /// Nodes visited so far.
    pub nodes: u64,
}

/// Builds the book of all positions up to this ply.
///
/// Each entry is passed to `append` as soon as it is solved; entries in `journal`, from an interrupted run,
/// are not searched again. Every solver works on its own part of the positions, in its own thread if
/// `threads` has one. It keeps its table from position to position, so give it as much memory as possible. It
/// must not use a book itself.
///
/// # Errors
/// If the stop flag was set.
///
/// # Panics
/// If there is no solver.
pub fn make(
    plies: u8,
    solvers: &mut [Solver],
    threads: &dyn Threads,
    journal: impl IntoIterator<Item = Entry>,
    append: impl FnMut(Entry) + Send,
    progress: impl FnMut(Progress) + Send,
    stop: &dyn StopSignal,
) -> Result<Book, SolveError> {
    let layers = layers(plies);
    let last = layers.last().expect("the empty board is a layer");
    let mut known: HashMap<u64, i8> = journal.into_iter().map(|entry| (entry.key, entry.score)).collect();
    let keys: HashSet<u64> = last.iter().map(key).collect();
    known.retain(|key, _| keys.contains(key));
    let open: Vec<_> = last.iter().filter(|position| !known.contains_key(&key(position))).collect();

    let mut work = Work {
        now: Progress { done: known.len(), total: last.len(), nodes: 0 },
        scores: known,
        append,
        progress,
        failure: None,
    };
    (work.progress)(work.now);
    // Solver i begins with part i, and helps with the next parts when it is done.
    let parts: Vec<_> = open
        .chunks(open.len().div_ceil(solvers.len()).max(1))
        .map(|part| (part, AtomicUsize::new(0)))
        .collect();
    let work = Mutex::new(work);
    let solvers: Vec<_> = solvers.iter_mut().map(Mutex::new).collect();
    let run = |number: usize| {
        let mut solver = solvers[number].lock().unwrap_or_else(PoisonError::into_inner);
        solver.reserve();
        for (part, next) in parts.iter().cycle().skip(number).take(parts.len()) {
            while let Some(position) = part.get(next.fetch_add(1, Relaxed)) {
                let score = solver.score(position, stop);
                let mut work = work.lock().unwrap_or_else(PoisonError::into_inner);
                match score {
                    Ok(score) => work.add(Entry { key: key(position), score: score as i8 }, solver.nodes()),
                    Err(error) => {
                        work.failure = Some(error);
                        return;
                    }
                }
            }
        }
    };
    threads.run(solvers.len() - 1, &run, &mut || run(0));
    let Work { mut scores, failure, .. } = work.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(error) = failure {
        return Err(error);
    }

    for layer in layers.iter().rev().skip(1) {
        for position in layer {
            let best = position.legal_moves().map(|column| move_score(position, column, &scores)).max();
            scores.insert(key(position), best.expect("a position that is not over has a move"));
        }
    }
    Ok(Book::from_scores(plies, scores))
}

/// The state that the solvers share.
struct Work<A, P> {
    scores: HashMap<u64, i8>,
    now: Progress,
    append: A,
    progress: P,
    failure: Option<SolveError>,
}

impl<A: FnMut(Entry), P: FnMut(Progress)> Work<A, P> {
    fn add(&mut self, entry: Entry, nodes: u64) {
        self.scores.insert(entry.key, entry.score);
        (self.append)(entry);
        self.now.done += 1;
        self.now.nodes += nodes;
        (self.progress)(self.now);
    }
}

/// The score of a move from the scores of the next layer.
fn move_score(position: &ConnectFour<Standard>, column: Column, scores: &HashMap<u64, i8>) -> i8 {
    let after = position.after(column);
    match after.outcome() {
        Some(Outcome::Draw) => 0,
        Some(Outcome::Win(_)) => ((43 - i32::from(position.ply())) / 2) as i8,
        None => -decided(Stones::of(&after)).unwrap_or_else(|| scores[&key(&after)]),
    }
}

fn key(position: &ConnectFour<Standard>) -> u64 {
    canonical_key(Stones::of(position))
}

/// The undecided positions of every ply, without mirror images. Related positions follow each other, so that
/// the table is warm.
fn layers(plies: u8) -> Vec<Vec<ConnectFour<Standard>>> {
    fn visit(
        position: &ConnectFour<Standard>,
        seen: &mut [HashSet<u64>],
        layers: &mut [Vec<ConnectFour<Standard>>],
    ) {
        let ([first, later @ ..], [layer, deeper @ ..]) = (seen, layers) else { return };
        if position.outcome().is_some() || !first.insert(key(position)) {
            return;
        }
        if decided(Stones::of(position)).is_none() {
            layer.push(position.clone());
        }
        for column in position.legal_moves() {
            visit(&position.after(column), later, deeper);
        }
    }
    let count = usize::from(plies) + 1;
    let (mut seen, mut layers) = (vec![HashSet::new(); count], vec![Vec::new(); count]);
    visit(&ConnectFour::new(Standard::default()), &mut seen, &mut layers);
    layers
}
