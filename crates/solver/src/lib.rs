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
//! - `serde`: threats and reasons implement `serde::Serialize`.

mod board;
pub mod book;
mod bounds;
mod control;
mod order;
mod packed;
mod root;
mod score;
mod search;
mod table;
mod threats;

use std::sync::Arc;

pub use book::Book;
pub use control::{SingleThread, StopSignal, Threads};
pub use rules;
pub use score::{Bounds, SolveError, Value, plies_left};
pub use threats::{Decision, Parity, Reason, Threat, reasons, threats};

use board::{AnySize, Layout, Standard, Stones};
use root::{Interrupted, Question, RootSearch};
use rules::{AnyGame, Column, ConnectFour, Geometry, Outcome, Position, Small};
use table::Table;

/// The only length of a run that the solver supports.
pub const RUN: u8 = 4;

/// Solves positions; keeps its transposition table from one position to the next.
#[derive(Debug)]
pub struct Solver {
    table: Table,
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
    /// The moves with the best score; if not all scores are exact, those with the highest lower bound, and of
    /// these, those with the highest upper bound.
    pub fn best(&self) -> impl Iterator<Item = Column> {
        let rank = |bounds: Bounds| (bounds.lower, bounds.upper);
        let best = self.moves.iter().map(|&(_, bounds)| rank(bounds)).max();
        self.moves.iter().filter(move |&&(_, bounds)| Some(rank(bounds)) == best).map(|&(column, _)| column)
    }
}

/// Evaluates an expression with a root search for the board of the position: the match over layouts.
macro_rules! with_root {
    ($solver:expr, $position:expr, $stop:expr, $root:ident => $body:expr) => {{
        let geometry = $position.geometry();
        let size = (geometry.rows(), geometry.cols());
        $solver.prepare(size);
        let (count, stop) = ($solver.thread_count, $stop);
        let threads = (&*$solver.threads, count);
        if size == (6, 7) {
            let (layout, book) = (Standard, $solver.book);
            let mut $root = RootSearch { layout, table: &mut $solver.table, threads, stop, book, nodes: 0 };
            let answer = $body;
            $solver.nodes = $root.nodes;
            answer
        } else {
            let (layout, book) = (AnySize::new(size.0.into(), size.1.into()), None);
            let mut $root = RootSearch { layout, table: &mut $solver.table, threads, stop, book, nodes: 0 };
            let answer = $body;
            $solver.nodes = $root.nodes;
            answer
        }
    }};
}

impl Default for Solver {
    fn default() -> Self {
        Self::new(Self::DEFAULT_MEMORY)
    }
}

impl Solver {
    /// Enough memory for all but the longest searches: 64 MB.
    pub const DEFAULT_MEMORY: usize = 64 << 20;

    /// A solver that uses one thread, no book, and at most this much memory for its transposition table (but
    /// at least 16 KB, and up to 2 MB on the largest boards).
    #[must_use]
    pub fn new(memory_bytes: usize) -> Self {
        let table = Table::new(memory_bytes, Standard.key_bits());
        Self {
            table,
            memory_bytes,
            size: (6, 7),
            thread_count: 1,
            threads: Arc::new(SingleThread),
            book: None,
            nodes: 0,
        }
    }

    /// The same with this many threads for long searches; short ones use one.
    #[must_use]
    pub fn with_threads(self, count: usize, threads: Arc<dyn Threads>) -> Self {
        Self { thread_count: count.max(1), threads, ..self }
    }

    /// The same with a book, such as [`Book::embedded`].
    #[must_use]
    pub fn with_book(self, book: &'static Book) -> Self {
        Self { book: Some(book), ..self }
    }

    /// Clears the transposition table. Never needed for correct answers, since its entries stay valid.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// The number of nodes of the last search.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The memory that the transposition table uses, in bytes.
    #[must_use]
    pub fn memory_in_use(&self) -> usize {
        self.table.memory()
    }

    /// Allocates the whole transposition table now instead of as the search grows: for callers that solve
    /// many related positions.
    pub fn reserve(&mut self) {
        while !self.table.is_full_size() {
            self.table.grow();
        }
    }

    /// The exact score of a position, also of one that is over.
    ///
    /// # Errors
    /// If the stop flag was set, with the bounds proved until then; if the run is not four.
    pub fn score<G>(&mut self, position: &ConnectFour<G>, stop: &dyn StopSignal) -> Result<i32, SolveError>
    where
        G: Geometry<Bits = u64>,
    {
        let bounds = self.bounds(position, Question::Exact, stop)?;
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
        let bounds = self.bounds(position, Question::Sign, stop)?;
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
        self.analysis(position, false, stop)
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
        self.analysis(position, true, stop)
    }

    fn analysis<G>(
        &mut self,
        position: &ConnectFour<G>,
        only_best: bool,
        stop: &dyn StopSignal,
    ) -> Result<Analysis, SolveError>
    where
        G: Geometry<Bits = u64>,
    {
        check_run(position)?;
        if let Some(score) = finished(position) {
            self.nodes = 0;
            return Ok(Analysis { bounds: Bounds::exactly(score), moves: Vec::new(), stopped: false });
        }
        let stones = Stones::of(position);
        Ok(with_root!(self, position, stop, root => root.analyse(stones, only_best)))
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
        check_run(position)?;
        if position.outcome().is_some() {
            return Ok(Vec::new());
        }
        let (stones, mut bounds, mut line) = (Stones::of(position), Bounds::ANY, Vec::new());
        with_root!(self, position, stop, root => root.line(stones, usize::MAX, &mut bounds, &mut line))
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
        check_run(position)?;
        let (stones, mut bounds, mut line) = (Stones::of(position), Bounds::ANY, Vec::new());
        if position.outcome().is_none() {
            // An interrupted line is told as far as it was found.
            let _ =
                with_root!(self, position, stop, root => root.line(stones, plies, &mut bounds, &mut line));
        } else {
            self.nodes = 0;
        }
        Ok(line)
    }

    fn bounds<G>(
        &mut self,
        position: &ConnectFour<G>,
        question: Question,
        stop: &dyn StopSignal,
    ) -> Result<Bounds, SolveError>
    where
        G: Geometry<Bits = u64>,
    {
        check_run(position)?;
        if let Some(score) = finished(position) {
            self.nodes = 0;
            return Ok(Bounds::exactly(score));
        }
        let stones = Stones::of(position);
        let mut bounds = Bounds::ANY;
        with_root!(self, position, stop, root => root.narrow(stones, question, &mut bounds))
            .map_err(|Interrupted| SolveError::Stopped(bounds))?;
        Ok(bounds)
    }

    /// Replaces the table if the board has another size, because keys depend on the size.
    fn prepare(&mut self, size: (u8, u8)) {
        if self.size != size {
            self.size = size;
            self.table = Table::new(self.memory_bytes, (u32::from(size.0) + 1) * u32::from(size.1));
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

fn check_run<G: Geometry>(position: &ConnectFour<G>) -> Result<(), SolveError> {
    match position.geometry().run() {
        RUN => Ok(()),
        run => Err(SolveError::Run(run)),
    }
}

/// The score of a position that is over: the side that moved last has won, or it is a draw.
fn finished<G: Geometry>(position: &ConnectFour<G>) -> Option<i32> {
    let rest = i32::from(position.geometry().cells()) - i32::from(position.ply());
    position.outcome().map(|outcome| match outcome {
        Outcome::Draw => 0,
        Outcome::Win(_) => -(rest / 2 + 1),
    })
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
