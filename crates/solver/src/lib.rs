//! Exact values of Connect Four: the score of any position, of every move, and the line of best play,
//! on every board that fits 64 bits with a spare row, for runs of four.
//!
//! No clock, no files, no text: the caller sets a stop flag when time is up; bounds proved until then hold.
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//! use alinea_solver::{Solver, rules::{Column, ConnectFour, Position, Standard}};
//!
//! let mut position = ConnectFour::new(Standard::default());
//! for column in [3, 3, 3, 3, 3, 1, 4, 5, 2, 2] {
//!     position.play(Column::new(column)).unwrap();
//! }
//! let mut solver = Solver::new(Solver::DEFAULT_MEMORY);
//! let stop = AtomicBool::new(false);
//! let analysis = solver.analyse(&position, &stop).unwrap();
//! assert_eq!(analysis.bounds.exact(), solver.score(&position, &stop).ok());
//! ```
//!
//! # Features
//! - `serde`: threats and reasons implement serde's traits.
//! - `schema`: they implement the traits of `ts-rs` and `utoipa`, which describe their JSON form.

mod board;
pub mod book;
mod bounds;
mod control;
mod lanes;
mod order;
mod packed;
mod root;
mod score;
mod search;
mod solution;
mod table;
mod threats;

use std::sync::Arc;

pub use book::Book;
#[cfg(not(target_family = "wasm"))]
pub use control::SystemThreads;
pub use control::{SingleThread, StopSignal, Threads};
pub use rules;
pub use score::{Bounds, SolveError, Unsolvable, Value, plies_left};
pub use solution::Solution;
pub use threats::{Decision, Parity, Reason, Threat, reasons, threats};

use board::{AnySize, Layout, Standard, Stones};
use root::{Interrupted, Question, RootSearch};
use rules::{AnyGame, Column, ConnectFour, Geometry, Outcome, Position, Small};
use table::Tables;

/// The only length of a run that the solver supports.
pub const RUN: u8 = 4;

/// Solves positions; keeps its transposition table from one position to the next.
#[derive(Debug)]
pub struct Solver {
    tables: Tables,
    memory_bytes: usize,
    size: (u8, u8),
    thread_count: usize,
    threads: Arc<dyn Threads>,
    book: Option<&'static Book>,
    nodes: u64,
}

/// What is proved about a position and each of its moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Analysis {
    /// The score of the position.
    pub bounds: Bounds,
    /// The score of each legal move, for the side that plays it, from the left; empty after the end.
    pub moves: Vec<(Column, Bounds)>,
    /// Whether the stop flag was set before everything was proved.
    pub stopped: bool,
}

impl Analysis {
    /// The moves with the best score. If not all scores are exact: the moves with the highest lower bound
    /// and, among them, the highest upper bound.
    pub fn best(&self) -> impl Iterator<Item = Column> {
        let rank = |bounds: Bounds| (bounds.lower, bounds.upper);
        let best = self.moves.iter().map(|&(_, bounds)| rank(bounds)).max();
        self.moves.iter().filter(move |&&(_, bounds)| Some(rank(bounds)) == best).map(|&(column, _)| column)
    }
}

/// Evaluates an expression with a root search in the layout of the task's board.
macro_rules! with_root {
    ($solver:expr, $task:expr, $stop:expr, $root:ident => $body:expr) => {{
        let size = $task.size;
        $solver.prepare(size);
        let (count, stop) = ($solver.thread_count, $stop);
        let threads = (&*$solver.threads, count);
        if size == (6, 7) {
            let (layout, book) = (Standard, $solver.book);
            let mut $root = RootSearch { layout, tables: &mut $solver.tables, threads, stop, book, nodes: 0 };
            let answer = $body;
            $solver.nodes = $root.nodes;
            answer
        } else {
            let (layout, book) = (AnySize::new(size.0.into(), size.1.into()), None);
            let mut $root = RootSearch { layout, tables: &mut $solver.tables, threads, stop, book, nodes: 0 };
            let answer = $body;
            $solver.nodes = $root.nodes;
            answer
        }
    }};
}

/// A position to solve, without its board type, so that the search is compiled once, in this crate.
#[derive(Clone, Copy)]
struct Task {
    /// Rows and columns.
    size: (u8, u8),
    stones: Stones,
    /// The score, if the position is over.
    finished: Option<i32>,
}

impl Task {
    fn new<G: Geometry<Bits = u64>>(position: &ConnectFour<G>) -> Result<Self, SolveError> {
        let geometry = position.geometry();
        if geometry.run() != RUN {
            return Err(SolveError::Run(geometry.run()));
        }
        let rest = i32::from(geometry.cells()) - i32::from(position.ply());
        let finished = position.outcome().map(|outcome| match outcome {
            Outcome::Draw => 0,
            // The side that moved last.
            Outcome::Win(_) => -(rest / 2 + 1),
        });
        Ok(Self { size: (geometry.rows(), geometry.cols()), stones: Stones::of(position), finished })
    }
}

impl Default for Solver {
    fn default() -> Self {
        Self::new(Self::DEFAULT_MEMORY)
    }
}

impl Solver {
    /// Enough memory for all but the longest searches: 64 MB.
    pub const DEFAULT_MEMORY: usize = 64 << 20;

    /// A solver with one thread and no book. Its transposition table takes at most this much memory, but at
    /// least 16 KB (2 MB on the largest boards). A second table, for positions near the end, takes at most as
    /// much again, up to 1 MB (2 MB on the largest boards).
    #[must_use]
    pub fn new(memory_bytes: usize) -> Self {
        let tables = Tables::new(memory_bytes, Standard.key_bits());
        Self {
            tables,
            memory_bytes,
            size: (6, 7),
            thread_count: 1,
            threads: Arc::new(SingleThread),
            book: None,
            nodes: 0,
        }
    }

    /// Uses this many threads for long searches; short searches use one.
    #[must_use]
    pub fn with_threads(self, count: usize, threads: Arc<dyn Threads>) -> Self {
        Self { thread_count: count.max(1), threads, ..self }
    }

    /// Uses a book, such as [`Book::standard`].
    #[must_use]
    pub fn with_book(self, book: impl Into<Option<&'static Book>>) -> Self {
        Self { book: book.into(), ..self }
    }

    /// Clears the transposition table. Correct results never require this, because entries stay valid.
    pub fn clear(&mut self) {
        self.tables.clear();
    }

    /// The number of nodes of the last search.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The memory that the transposition table uses, in bytes.
    #[must_use]
    pub fn memory_in_use(&self) -> usize {
        self.tables.memory()
    }

    /// Allocates the whole transposition table now instead of as the search grows: for callers that solve
    /// many related positions.
    pub fn reserve(&mut self) {
        self.tables.reserve();
    }

    /// The exact score of a position, also of one that is over.
    ///
    /// # Errors
    /// If the stop flag was set, with the bounds proved until then; if the run is not four.
    pub fn score<G>(&mut self, position: &ConnectFour<G>, stop: &dyn StopSignal) -> Result<i32, SolveError>
    where
        G: Geometry<Bits = u64>,
    {
        let bounds = self.bounds(Task::new(position)?, Question::Exact, stop)?;
        Ok(bounds.exact().expect("narrowed to the exact score"))
    }

    /// Who wins, which is cheaper to find than the score.
    ///
    /// # Errors
    /// As [`Solver::score`].
    pub fn value<G>(&mut self, position: &ConnectFour<G>, stop: &dyn StopSignal) -> Result<Value, SolveError>
    where
        G: Geometry<Bits = u64>,
    {
        let bounds = self.bounds(Task::new(position)?, Question::Sign, stop)?;
        Ok(bounds.value().expect("narrowed to a sign"))
    }

    /// The score of the position and of each move; if the stop flag is set, the bounds proved until then.
    ///
    /// # Errors
    /// If the run is not four.
    pub fn analyse<G>(
        &mut self,
        position: &ConnectFour<G>,
        stop: &dyn StopSignal,
    ) -> Result<Analysis, SolveError>
    where
        G: Geometry<Bits = u64>,
    {
        Ok(self.analysis(Task::new(position)?, false, stop))
    }

    /// Like [`Solver::analyse`], but only until [`Analysis::best`] is exact, which is faster.
    ///
    /// # Errors
    /// If the run is not four.
    pub fn best<G>(
        &mut self,
        position: &ConnectFour<G>,
        stop: &dyn StopSignal,
    ) -> Result<Analysis, SolveError>
    where
        G: Geometry<Bits = u64>,
    {
        Ok(self.analysis(Task::new(position)?, true, stop))
    }

    /// A line of best play to the end of the game.
    ///
    /// # Errors
    /// As [`Solver::score`].
    pub fn line<G>(
        &mut self,
        position: &ConnectFour<G>,
        stop: &dyn StopSignal,
    ) -> Result<Vec<Column>, SolveError>
    where
        G: Geometry<Bits = u64>,
    {
        let (mut bounds, mut line) = (Bounds::ANY, Vec::new());
        self.extend_line(Task::new(position)?, usize::MAX, &mut bounds, &mut line, stop)
            .map_err(|Interrupted| SolveError::Stopped(bounds))?;
        Ok(line)
    }

    /// The first moves of a line of best play: at most `plies`, and only those that are found before the stop
    /// flag is set. Moves that the book and the table know need no search, even if the flag is set already.
    ///
    /// # Errors
    /// If the run is not four.
    pub fn line_up_to<G>(
        &mut self,
        position: &ConnectFour<G>,
        plies: usize,
        stop: &dyn StopSignal,
    ) -> Result<Vec<Column>, SolveError>
    where
        G: Geometry<Bits = u64>,
    {
        let (mut bounds, mut line) = (Bounds::ANY, Vec::new());
        // An interrupted line is returned as far as it was found.
        let _ = self.extend_line(Task::new(position)?, plies, &mut bounds, &mut line, stop);
        Ok(line)
    }

    fn bounds(
        &mut self,
        task: Task,
        question: Question,
        stop: &dyn StopSignal,
    ) -> Result<Bounds, SolveError> {
        if let Some(score) = task.finished {
            self.nodes = 0;
            return Ok(Bounds::exactly(score));
        }
        let mut bounds = Bounds::ANY;
        with_root!(self, task, stop, root => root.narrow(task.stones, question, &mut bounds))
            .map_err(|Interrupted| SolveError::Stopped(bounds))?;
        Ok(bounds)
    }

    fn analysis(&mut self, task: Task, only_best: bool, stop: &dyn StopSignal) -> Analysis {
        if let Some(score) = task.finished {
            self.nodes = 0;
            return Analysis { bounds: Bounds::exactly(score), moves: Vec::new(), stopped: false };
        }
        with_root!(self, task, stop, root => root.analyse(task.stones, only_best))
    }

    /// Adds the moves of best play to a line, and narrows the bounds of the position on the way.
    fn extend_line(
        &mut self,
        task: Task,
        plies: usize,
        bounds: &mut Bounds,
        line: &mut Vec<Column>,
        stop: &dyn StopSignal,
    ) -> Result<(), Interrupted> {
        if task.finished.is_some() {
            self.nodes = 0;
            return Ok(());
        }
        with_root!(self, task, stop, root => root.line(task.stones, plies, bounds, line))
    }

    /// Replaces the table if the board has another size, because keys depend on the size.
    fn prepare(&mut self, size: (u8, u8)) {
        if self.size != size {
            self.size = size;
            self.tables = Tables::new(self.memory_bytes, (u32::from(size.0) + 1) * u32::from(size.1));
        }
    }
}

/// The position of a game in the solver's form, if the solver supports it.
#[must_use]
pub fn solvable(game: &AnyGame) -> Option<ConnectFour<Small>> {
    let standard = game.typed::<ConnectFour<rules::Standard>>().and_then(|game| game.position().on_64_bits());
    let small = || game.typed::<ConnectFour<Small>>().map(|game| game.position().clone());
    standard.or_else(small).filter(|position| position.geometry().run() == RUN)
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
