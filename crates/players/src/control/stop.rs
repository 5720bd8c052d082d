//! Cancellation: tells a thinking player to move now, or that its answer is no longer wanted.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

/// Tells a thinking player, from another thread, that its answer is wanted now or no longer wanted.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<Signals>);

#[derive(Debug, Default)]
struct Signals {
    cancelled: AtomicBool,
    move_now: AtomicBool,
    time: Option<Duration>,
}

impl Stop {
    /// A signal for a player that should answer within this time, counted from when it is asked. The caller
    /// still sends [`Stop::move_now`] when the time is up, for players that do not measure it.
    #[must_use]
    pub fn within(time: Duration) -> Self {
        Self(Arc::new(Signals { time: Some(time), ..Signals::default() }))
    }

    /// The time for the answer, if it is limited.
    #[must_use]
    pub fn time(&self) -> Option<Duration> {
        self.0.time
    }

    /// The answer is no longer wanted, for good.
    pub fn cancel(&self) {
        self.0.cancelled.store(true, Ordering::Relaxed);
        self.move_now();
    }

    /// Whether the answer is no longer wanted.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::Relaxed)
    }

    /// The time is up: players that always have an answer give it, others go on.
    pub fn move_now(&self) {
        self.0.move_now.store(true, Ordering::Relaxed);
    }

    /// Whether a player that has an answer must give it.
    #[must_use]
    pub fn must_move_now(&self) -> bool {
        self.0.move_now.load(Ordering::Relaxed)
    }

    /// For searches, to leave by `?`.
    ///
    /// # Errors
    /// If the answer is no longer wanted.
    #[inline]
    pub fn check(&self) -> Result<(), Stopped> {
        if self.is_cancelled() { Err(Stopped) } else { Ok(()) }
    }
}

/// The player was stopped before it had a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;
