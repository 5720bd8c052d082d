//! Runs expensive work of requests, each of which needs a thread and megabytes for some milliseconds. Only a few run at
//! once, so that a burst of such requests does not exhaust the memory.

use protocol::ErrorCode;
use tokio::sync::Semaphore;

use super::error::Result;

/// A higher limit than most machines have cores would only take more memory.
const PLACES: usize = 4;

static FREE: Semaphore = Semaphore::const_new(PLACES);

/// Runs such work on a thread of its own.
///
/// # Errors
/// If it panics.
pub(super) async fn run<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    let place = FREE.acquire().await;
    // The work continues after its client has left, so it keeps its slot until it is done.
    let done = tokio::task::spawn_blocking(move || {
        let _place = place;
        work()
    })
    .await;
    done.map_err(|_| ErrorCode::Broken.because("internal server error").into())
}
