//! Cancellation: tells a thinking player to move now, or that its answer is no longer wanted.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use super::clock::Clock;

/// Tells a thinking player, from another thread, that its answer is wanted now or no longer wanted.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<Signals>);

#[derive(Debug, Default)]
struct Signals {
    cancelled: AtomicBool,
    move_now: AtomicBool,
    time: Option<Duration>,
    /// Number of polls until the answer is wanted, if that is limited.
    polls_left: Option<AtomicU64>,
    /// The time on this clock at which the answer is wanted, if there is one.
    deadline: Option<(Arc<dyn Clock>, Duration)>,
}

impl Stop {
    /// A signal for a player that should answer within this time, counted from when it is asked. The caller
    /// still sends [`Stop::move_now`] when the time is up, for players that do not measure it.
    #[must_use]
    pub fn within(time: Duration) -> Self {
        Self(Arc::new(Signals { time: Some(time), ..Signals::default() }))
    }

    /// A signal that asks for the answer after this many polls: at the same point of a search on every machine.
    #[must_use]
    pub fn after_polls(polls: u64) -> Self {
        Self(Arc::new(Signals { polls_left: Some(polls.into()), ..Signals::default() }))
    }

    /// A signal that asks for the answer when this time has passed, for hosts without a second thread that
    /// could send it.
    #[must_use]
    pub fn after(time: Duration, clock: Arc<dyn Clock>) -> Self {
        let deadline = clock.now().saturating_add(time);
        Self(Arc::new(Signals { time: Some(time), deadline: Some((clock, deadline)), ..Signals::default() }))
    }

    /// The time for the answer, if it is limited.
    #[must_use]
    pub fn time(&self) -> Option<Duration> {
        self.0.time
    }

    /// Cancels the search: its answer is no longer wanted.
    pub fn cancel(&self) {
        self.0.cancelled.store(true, Ordering::Relaxed);
        self.move_now();
    }

    /// Whether the answer is no longer wanted.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::Relaxed)
    }

    /// Asks the player to answer now with the best move it knows.
    pub fn move_now(&self) {
        self.0.move_now.store(true, Ordering::Relaxed);
    }

    /// Whether the player must answer with the best it knows.
    #[must_use]
    #[inline]
    pub fn must_move_now(&self) -> bool {
        self.0.move_now.load(Ordering::Relaxed)
            || self.0.polls_left.as_ref().is_some_and(Self::is_used_up)
            || self.0.deadline.as_ref().is_some_and(|(clock, deadline)| clock.now() >= *deadline)
    }

    fn is_used_up(polls_left: &AtomicU64) -> bool {
        let one_less = |left: u64| left.checked_sub(1);
        polls_left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less).is_err()
    }

    /// Returns an error if the search must end, so that `?` leaves it.
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
