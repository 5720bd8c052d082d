//! The clock, threads and seed that a player receives; players never read them from the system.

use std::{fmt, sync::Arc, time::Duration};

use solver::{Book, SingleThread, Threads};
use thiserror::Error;

use crate::network::Network;

/// A monotonic clock. [`system::SystemClock`](crate::system::SystemClock) is the operating system's; under WebAssembly the
/// host provides one.
pub trait Clock: Send + Sync + fmt::Debug {
    /// The time since a fixed moment.
    fn now(&self) -> Duration;
}

/// The resources of a player: a seed for its random choices, a clock and threads.
///
/// A player with a time limit needs a clock: without one, the roster refuses `engine:200ms`, and also
/// `engine`, which thinks for one second. [`system::resources`](crate::system::resources) has the clock and
/// the threads of the operating system.
#[derive(Clone, Debug)]
pub struct Resources {
    /// The same seed gives the same random choices.
    pub seed: u64,
    /// The clock for time limits, if there is one.
    pub clock: Option<Arc<dyn Clock>>,
    /// Runs the threads of a search.
    pub threads: Arc<dyn Threads>,
    /// The solver's book, if there is one.
    pub book: Option<&'static Book>,
    /// The weights of the learned evaluation, if there are any; without them a simpler one is used.
    pub network: Option<&'static Network>,
}

impl Resources {
    /// A seed, no clock, no threads besides the calling one, and the book and the weights that come with the program.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let (book, network) = (Book::standard(), Network::standard());
        Self { seed, clock: None, threads: Arc::new(SingleThread), book, network }
    }

    /// Adds a clock.
    #[must_use]
    pub fn with_clock(self, clock: Arc<dyn Clock>) -> Self {
        Self { clock: Some(clock), ..self }
    }

    /// Adds threads.
    #[must_use]
    pub fn with_threads(self, threads: Arc<dyn Threads>) -> Self {
        Self { threads, ..self }
    }

    /// Replaces the solver's book.
    #[must_use]
    pub fn with_book(self, book: Option<&'static Book>) -> Self {
        Self { book, ..self }
    }

    /// Replaces the weights of the learned evaluation.
    #[must_use]
    pub fn with_network(self, network: Option<&'static Network>) -> Self {
        Self { network, ..self }
    }

    /// The random source of a player.
    pub(crate) fn rng(&self) -> fastrand::Rng {
        fastrand::Rng::with_seed(self.seed)
    }
}

/// A time limit was set, but there is no clock to measure it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("a time limit needs a clock; add one with `Resources::with_clock`, or limit depth or nodes")]
pub struct NoClock;
