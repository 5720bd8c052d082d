//! Cancellation: how a thinking player is told to answer now, or that its answer is no longer wanted.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

/// Tells a thinking player, from another thread, that its answer is wanted now or no longer wanted.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<Signals>);

#[derive(Debug, Default)]
struct Signals {
    cancelled: AtomicBool,
    move_now: AtomicBool,
    deadline: Option<Instant>,
}

impl Stop {
    /// One that will be hurried at this time, so that a player can share out what is left.
    #[must_use]
    pub fn until(deadline: Instant) -> Self {
        Self(Arc::new(Signals { deadline: Some(deadline), ..Signals::default() }))
    }

    /// When the time will be up, if that is known.
    #[must_use]
    pub fn deadline(&self) -> Option<Instant> {
        self.0.deadline
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

    /// The time is up: a player that has an answer at any time gives it; others go on.
    pub fn move_now(&self) {
        self.0.move_now.store(true, Ordering::Relaxed);
    }

    /// Whether a player that has an answer is to give it.
    #[must_use]
    pub fn must_move_now(&self) -> bool {
        self.move_now_flag().load(Ordering::Relaxed)
    }

    /// The flag behind [`Stop::must_move_now`], for those who look at it often.
    #[must_use]
    pub fn move_now_flag(&self) -> &AtomicBool {
        &self.0.move_now
    }

    /// For searches: goes on, or leaves by `?`.
    ///
    /// # Errors
    /// If the flag is up.
    #[inline]
    pub fn check(&self) -> Result<(), Stopped> {
        if self.is_cancelled() { Err(Stopped) } else { Ok(()) }
    }
}

/// The player was told to stop before it had an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;
