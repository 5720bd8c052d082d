//! The clock and the threads of the operating system, for [`Resources`]. Nothing else in this crate asks the system.
//!
//! ```
//! use alinea_players::{Stop, roster, rules::{AnyGame, Spec}, system};
//!
//! let game = AnyGame::from("gomoku".parse::<Spec>().unwrap());
//! let mut engine = roster::program(&game, "engine:20ms", &system::resources(1)).unwrap();
//! assert!(engine.choose(&game, &Stop::default()).is_ok());
//! ```

use std::{
    sync::{
        Arc,
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};

pub use solver::SystemThreads;

use crate::{Clock, Resources, Stop};

/// A seed with the clock and the threads of the operating system.
#[must_use]
pub fn resources(seed: u64) -> Resources {
    Resources::new(seed).with_clock(Arc::new(SystemClock::default())).with_threads(Arc::new(SystemThreads))
}

/// The monotonic clock of the operating system.
#[derive(Debug)]
pub struct SystemClock(Instant);

impl Default for SystemClock {
    fn default() -> Self {
        Self(Instant::now())
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

/// Maximum delay of a signal.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// Lets a player think under a watchdog, which asks for a move after `soft` and cancels after `hard`. Signals
/// of `stop` are passed on.
pub fn watch<T>(soft: Duration, hard: Duration, stop: &Stop, think: impl FnOnce(&Stop) -> T) -> T {
    let start = Instant::now();
    let signal = Stop::within(stop.time().map_or(soft, |time| time.min(soft)));
    let (done, is_done) = mpsc::channel::<()>();
    thread::scope(|scope| {
        let signal = &signal;
        scope.spawn(move || {
            while is_done.recv_timeout(POLL_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                if stop.is_cancelled() || start.elapsed() >= hard {
                    return signal.cancel();
                }
                if stop.must_move_now() || start.elapsed() >= soft {
                    signal.move_now();
                }
            }
        });
        let answer = think(signal);
        drop(done);
        answer
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shorter_time_counts() {
        let (short, long) = (Duration::from_secs(1), Duration::from_secs(60));
        watch(long, long, &Stop::within(short), |stop| assert_eq!(stop.time(), Some(short)));
        watch(short, long, &Stop::default(), |stop| assert_eq!(stop.time(), Some(short)));
    }

    #[test]
    fn signals_are_sent_and_passed_on() {
        let no_time = Duration::ZERO;
        watch(no_time, Duration::MAX, &Stop::default(), |stop| while !stop.must_move_now() {});
        watch(no_time, no_time, &Stop::default(), |stop| while !stop.is_cancelled() {});
        let outer = Stop::default();
        outer.cancel();
        watch(Duration::MAX, Duration::MAX, &outer, |stop| while !stop.is_cancelled() {});
    }
}
