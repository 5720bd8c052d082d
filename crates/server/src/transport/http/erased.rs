//! Handlers of one type, so that what axum needs for each type of handler is compiled only once.

use std::{pin::Pin, sync::Arc};

use axum::{extract::Request, handler::Handler, response::Response};

use super::AppState;

type Answer = Pin<Box<dyn Future<Output = Response> + Send>>;

/// A handler of any arguments.
#[derive(Clone)]
pub(crate) struct Erased(Arc<dyn Fn(Request, Arc<AppState>) -> Answer + Send + Sync>);

/// Erases the type of a handler. Handlers of axum return boxed futures anyway.
pub(crate) fn erased<T>(handler: impl Handler<T, Arc<AppState>, Future = Answer>) -> Erased {
    Erased(Arc::new(move |request, state| handler.clone().call(request, state)))
}

impl Handler<(), Arc<AppState>> for Erased {
    type Future = Answer;

    fn call(self, request: Request, state: Arc<AppState>) -> Answer {
        self.0(request, state)
    }
}
