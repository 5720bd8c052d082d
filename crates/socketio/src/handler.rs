//! The application behind a server.

use std::sync::Arc;

use axum::extract::Request;

use crate::{rejection::Rejection, send_queue::Transport, session::Peer};

/// The application behind a server.
pub trait Handler: Send + Sync + 'static {
    /// Called with the request that opens a session, to check its origin and keep what identifies its sender.
    /// `transport` is [`Transport::Polling`] or [`Transport::WebSocket`].
    ///
    /// # Errors
    /// The rejection is sent to the client, and no session is opened.
    fn open(&self, request: &Request, transport: Transport) -> Result<Arc<dyn Peer>, Rejection>;
}
