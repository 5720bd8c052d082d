//! Search for a game of your own: alpha-beta with iterative deepening over a transposition table.
//!
//! Implement [`Position`] for the game and [`Evaluator`] for what is good in it; [`Search`] finds the best move. The
//! example `own_game` does so for Domineering, in about a hundred lines:
//! `cargo run --release -p alinea-players --example own_game`.
//!
//! The games of `rules` have evaluators already: play them with the [`roster`](crate::roster) or the
//! [`engine`](crate::engine), which search with the same code.
//!
//! ```
//! use alinea_players::{
//!     Stop,
//!     rules::{Game, Position, TicTacToe},
//!     search::{Evaluator, Limits, Search, Weight},
//! };
//!
//! /// The centre is worth ten points.
//! struct Centre;
//!
//! impl Evaluator<TicTacToe> for Centre {
//!     type Accumulator = ();
//!
//!     fn new(_: &TicTacToe) -> Self {
//!         Self
//!     }
//!
//!     fn init(&self, _: &TicTacToe) {}
//!
//!     fn counts(&self, position: &TicTacToe, (): &()) -> impl AsRef<[i32]> {
//!         use alinea_players::rules::Board;
//!         let owner = position.piece("b2".parse().unwrap()).map(|piece| piece.side);
//!         [owner.map_or(0, |side| if side == position.turn() { 1 } else { -1 })]
//!     }
//!
//!     fn weights(&self, _: &TicTacToe) -> &'static [Weight] {
//!         &[("centre", 10)]
//!     }
//! }
//!
//! let mut search = Search::<TicTacToe, Centre>::new(1 << 20);
//! let game = Game::new(TicTacToe::default());
//! let found = search.best(&game, &Limits::default().depth(1), &Stop::default()).unwrap();
//! assert_eq!((found.lines[0].moves[0].to_string(), found.lines[0].value), ("b2".to_owned(), 10));
//! ```
//!
//! Values are for the side to move. A win in n plies is worth 30,000 − n, so that quick wins and slow losses are worth
//! more; [`Line::proven`] tells what a value proves.

mod control;
mod deepen;
mod force;
mod node;
mod ordering;
mod repetition;
mod root;
mod table;
#[cfg(test)]
mod tests;
mod thread;
mod value;

use std::{marker::PhantomData, sync::Arc, time::Duration};

use rules::{Game, Position};
use solver::{SingleThread, Threads};

pub(crate) use self::{
    control::{Ended, SearchControl},
    deepen::Deepening,
    repetition::RepetitionHistory,
    root::{BoardRoot, Root, RootSearch, SearchRoot, Walk},
    table::{Bound, Table},
    thread::ThreadSearch,
    value::{MATE, PROOF},
};
pub use self::{
    deepen::{Found, Line, Question},
    value::{value_of, win_chance},
};
use crate::control::{Clock, Stop, Timer};
pub use crate::eval::{Evaluator, LIMIT, MAX_DEPTH, MOVE_NUMBERS, ScoredMove, TtKey, Urgency, Weight};

/// Limits of a search. Without any it ends when the result is proved, at [`MAX_DEPTH`], or when it is stopped.
///
/// A limit of depth or nodes gives the same result on every machine, if the search has one thread. A time limit comes
/// with the clock that measures it.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    depth: Option<u32>,
    nodes: Option<u64>,
    time: Option<(Duration, Arc<dyn Clock>)>,
}

impl Limits {
    /// Limits the depth, in plies.
    #[must_use]
    pub fn depth(self, plies: u32) -> Self {
        Self { depth: Some(plies.clamp(1, MAX_DEPTH)), ..self }
    }

    /// Limits the number of nodes; a search may exceed it by a few dozen nodes per thread.
    #[must_use]
    pub fn nodes(self, nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..self }
    }

    /// Limits the time.
    #[must_use]
    pub fn time(self, time: Duration, clock: Arc<dyn Clock>) -> Self {
        Self { time: Some((time, clock)), ..self }
    }
}

/// Searches positions of one game with its evaluator. Keeps its transposition table from search to search.
pub struct Search<P: Position, E: Evaluator<P>> {
    table: Table,
    threads: Arc<dyn Threads>,
    thread_count: usize,
    game: PhantomData<fn() -> (P, E)>,
}

impl<P: Position, E: Evaluator<P>> Search<P, E> {
    /// A search on the calling thread, with a table of at most this size.
    #[must_use]
    pub fn new(table_bytes: usize) -> Self {
        let threads = Arc::new(SingleThread);
        Self { table: Table::new(table_bytes), threads, thread_count: 1, game: PhantomData }
    }

    /// The same search on this number of threads, the calling one included.
    #[must_use]
    pub fn with_threads(self, count: usize, threads: Arc<dyn Threads>) -> Self {
        Self { threads, thread_count: count.max(1), ..self }
    }

    /// Returns the best move of a game with its expected line and value; `None` if the game is over or the search was
    /// stopped before it had a move.
    ///
    /// The first depth is completed even beyond the limits, unless `stop` ends it.
    pub fn best(&mut self, game: &Game<P>, limits: &Limits, stop: &Stop) -> Option<Found<P::Move>> {
        self.deepen(game, limits, stop, &mut |_| {})
    }

    /// Like [`Search::best`], but also calls `on_depth` with the result of each completed depth.
    pub fn deepen(
        &mut self,
        game: &Game<P>,
        limits: &Limits,
        stop: &Stop,
        on_depth: &mut dyn FnMut(&Found<P::Move>),
    ) -> Option<Found<P::Move>> {
        if game.outcome().is_some() || stop.is_cancelled() {
            return None;
        }
        let root = Root::<P, E>::new(game);
        let timer = match &limits.time {
            Some((time, clock)) => Timer::start(Some(clock), Some(*time)),
            None => Timer::start(None, None),
        };
        let deepening = Deepening {
            table: &self.table,
            threads: &*self.threads,
            thread_count: self.thread_count,
            depth: limits.depth,
            nodes: limits.nodes,
            timer,
            stop,
        };
        let (found, _) = deepening.run(&root, &Question::Best, on_depth);
        found.or_else(|| deepening.first_depth().run(&root, &Question::Best, on_depth).0)
    }
}
