//! The server's clock, passed to everything that depends on the time.
//!
//! Within a process, time follows the monotonic clock, so a jump of the system clock neither takes time from
//! a player nor adds any. A lasting difference is corrected gradually, by running slightly faster or slower.

use std::{
    sync::Arc,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use parking_lot::Mutex;
use tokio::time::Instant;

/// The clock corrects one part in this many of the elapsed time.
const SLEW: i64 = 20;

/// Time of day and monotonic time. Clones share the same clock.
///
/// The monotonic time is the runtime's, which timers use.
#[derive(Clone)]
pub struct Clock(Arc<Inner>);

struct Inner {
    start: Instant,
    steady: Mutex<Steady>,
    /// Unix time in microseconds, which may jump.
    system_time: Box<dyn Fn() -> i64 + Send + Sync>,
}

impl Clock {
    /// The system clock.
    #[must_use]
    pub fn system() -> Self {
        Self::following(system_time)
    }

    /// A clock that follows a source of Unix time in microseconds.
    pub fn following(system_time: impl Fn() -> i64 + Send + Sync + 'static) -> Self {
        let steady = Mutex::new(Steady { elapsed: 0, now: system_time() });
        Self(Arc::new(Inner { start: Instant::now(), steady, system_time: Box::new(system_time) }))
    }

    /// Moves the clock forward at once.
    pub fn advance(&self, by: Duration) {
        self.0.steady.lock().now += by.as_micros() as i64;
    }

    /// Ensures that the clock is not behind a stored time in milliseconds: time does not go back
    /// when the server restarts. The clock then runs slower than the system clock until they agree.
    pub fn start_at(&self, earlier_ms: u64) {
        let behind = earlier_ms.saturating_sub(self.now_ms());
        if behind > 0 {
            tracing::warn!(behind_ms = behind, "system_clock_behind");
            self.advance(Duration::from_millis(behind));
        }
    }

    /// Unix time in milliseconds, for storage and messages. Never goes back.
    #[must_use]
    pub fn now_ms(&self) -> u64 {
        let mut steady = self.0.steady.lock();
        let elapsed = self.0.start.elapsed().as_micros() as i64;
        (steady.read(elapsed, (self.0.system_time)()) / 1000).unsigned_abs()
    }

    /// Monotonic time, for timers and time-outs.
    #[must_use]
    pub fn instant(&self) -> Instant {
        Instant::now()
    }
}

/// Unix time of the system in microseconds.
fn system_time() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_micros()).unwrap_or(i64::MAX)
}

/// The last reading, in microseconds.
#[derive(Debug)]
struct Steady {
    /// The monotonic time.
    elapsed: i64,
    /// The Unix time that was returned.
    now: i64,
}

impl Steady {
    /// Returns the time now, given the monotonic time and the time of the system.
    fn read(&mut self, elapsed: i64, system: i64) -> i64 {
        let passed = (elapsed - self.elapsed).max(0);
        let most = passed / SLEW;
        self.now += passed + (system - self.now - passed).clamp(-most, most);
        self.elapsed += passed;
        self.now
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: i64 = 1_000_000;

    /// Reads the clock every half second for some seconds while the system clock is ahead by this much.
    fn run(steady: &mut Steady, elapsed: &mut i64, seconds: i64, ahead: i64) -> i64 {
        for _ in 0..2 * seconds {
            *elapsed += SECOND / 2;
            let before = steady.now;
            assert!(steady.read(*elapsed, 1000 * SECOND + *elapsed + ahead) > before);
        }
        steady.now - 1000 * SECOND - *elapsed
    }

    #[test]
    fn a_step_of_the_system_is_followed_slowly() {
        let (mut steady, mut elapsed) = (Steady { elapsed: 0, now: 1000 * SECOND }, 0);
        assert_eq!(run(&mut steady, &mut elapsed, 60, 0), 0);
        // Ten minutes forward for ten seconds, and back.
        assert_eq!(run(&mut steady, &mut elapsed, 10, 600 * SECOND), SECOND / 2);
        assert_eq!(run(&mut steady, &mut elapsed, 20, 0), 0);
        assert_eq!(run(&mut steady, &mut elapsed, 10, -600 * SECOND), -SECOND / 2);
        // A correction that stays is made up.
        assert_eq!(run(&mut steady, &mut elapsed, 60, 2 * SECOND), 2 * SECOND);
    }

    #[test]
    fn time_does_not_go_back_at_a_restart() {
        let clock = Clock::system();
        let later = clock.now_ms() + 600_000;
        clock.start_at(later);
        assert!(clock.now_ms() >= later && clock.now_ms() < later + 60_000);
        clock.start_at(1);
        assert!(clock.now_ms() >= later);
    }
}
