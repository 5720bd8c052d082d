//! Tasks as boxed futures, so that what tokio needs for a task is compiled once, not for each type of future.

use std::pin::Pin;

use tokio::task::JoinHandle;

/// The future of a task.
pub type Task = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Boxes the future of a task.
pub fn boxed(future: impl Future<Output = ()> + Send + 'static) -> Task {
    Box::pin(future)
}

/// Spawns a task.
pub fn spawn(future: impl Future<Output = ()> + Send + 'static) -> JoinHandle<()> {
    tokio::spawn(boxed(future))
}
