//! Runs long work without the interpreter's lock; Ctrl-C stops it.

use std::{
    panic,
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::Duration,
};

use players::Stop;
use pyo3::prelude::*;

/// How often the waiting thread looks for signals.
pub(crate) const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Runs work on a new thread, while this thread waits without the lock, because Python may deliver signals to
/// it. If a signal handler raises an exception, such as `KeyboardInterrupt`, cancels the work and raises the
/// exception.
///
/// The thread lives as long as the work, so that a process may fork between calls.
pub(crate) fn interruptible<T: Send>(
    py: Python,
    stop: &Stop,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    py.detach(|| {
        thread::scope(|scope| {
            let (done, is_done) = mpsc::channel::<()>();
            let worker = scope.spawn(move || {
                let _done = done;
                work()
            });
            let mut raised = None;
            while is_done.recv_timeout(POLL_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                #[allow(clippy::redundant_closure_for_method_calls, reason = "the method has one lifetime")]
                if let Err(error) = Python::attach(|py| py.check_signals()) {
                    stop.cancel();
                    raised = Some(error);
                }
            }
            let answer = worker.join().unwrap_or_else(|panic| panic::resume_unwind(panic));
            raised.map_or(Ok(answer), Err)
        })
    })
}
