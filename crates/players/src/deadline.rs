//! Time limits for players that think in this process.

use std::{
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

use crate::Stop;

/// How late a signal comes at most.
const GLANCE: Duration = Duration::from_millis(2);

/// Lets a player think with a signal of its own: hurried after `soft`, when it should answer, and raised
/// after `hard`, when nothing helps any more. What comes from `stop` is passed on.
pub fn within<T>(soft: Duration, hard: Duration, stop: &Stop, think: impl FnOnce(&Stop) -> T) -> T {
    let start = Instant::now();
    let signal = Stop::default();
    let (done, is_done) = mpsc::channel::<()>();
    thread::scope(|scope| {
        let signal = &signal;
        scope.spawn(move || {
            while is_done.recv_timeout(GLANCE) == Err(RecvTimeoutError::Timeout) {
                if stop.is_raised() || start.elapsed() >= hard {
                    return signal.raise();
                }
                if stop.is_hurried() || start.elapsed() >= soft {
                    signal.hurry();
                }
            }
        });
        let answer = think(signal);
        drop(done);
        answer
    })
}
