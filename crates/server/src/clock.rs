//! The server's clock, handed to everything that depends on the time.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use tokio::time::Instant;

/// Wall-clock and monotonic time. Clones of a clock are the same clock.
///
/// The monotonic time is that of the runtime, which timers use.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    /// How far the wall clock is ahead of the system's, in milliseconds.
    ahead_ms: Option<Arc<AtomicU64>>,
}

impl Clock {
    /// The clock of the system.
    #[must_use]
    pub fn system() -> Self {
        Self::default()
    }

    /// A clock for tests, which [`Clock::advance`] can move.
    #[must_use]
    pub fn adjustable() -> Self {
        Self { ahead_ms: Some(Arc::default()) }
    }

    /// Moves the wall clock of an adjustable clock forward. The system's clock stays as it is.
    pub fn advance(&self, by: Duration) {
        if let Some(ahead_ms) = &self.ahead_ms {
            ahead_ms.fetch_add(u64::try_from(by.as_millis()).unwrap_or(u64::MAX), Ordering::Relaxed);
        }
    }

    /// Unix time in milliseconds, as it is stored and sent.
    #[must_use]
    pub fn now_ms(&self) -> u64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let now = u64::try_from(since.as_millis()).unwrap_or(u64::MAX);
        now + self.ahead_ms.as_ref().map_or(0, |ahead_ms| ahead_ms.load(Ordering::Relaxed))
    }

    /// Monotonic time, for timers and time-outs.
    #[must_use]
    pub fn instant(&self) -> Instant {
        Instant::now()
    }
}
