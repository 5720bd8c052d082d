//! Tasks as boxed futures: what tokio needs for a task is compiled once for all, not once for each kind.

use std::pin::Pin;

use tokio::task::JoinHandle;

/// The future of a task.
pub(crate) type Task = Pin<Box<dyn Future<Output = ()> + Send>>;

pub(crate) fn boxed(future: impl Future<Output = ()> + Send + 'static) -> Task {
    Box::pin(future)
}

pub(crate) fn spawn(future: impl Future<Output = ()> + Send + 'static) -> JoinHandle<()> {
    tokio::spawn(boxed(future))
}
