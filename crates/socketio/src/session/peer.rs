//! The application's side of a session.

use std::{pin::Pin, sync::Arc};

use serde::Serialize;

use super::Session;

/// The outcome of CONNECT: a connection, or the message of a CONNECT_ERROR packet.
pub type Connecting = Pin<Box<dyn Future<Output = Result<Arc<dyn Connection>, String>> + Send>>;

/// The client of one session, which may connect, disconnect and connect again.
pub trait Peer: Send + Sync {
    /// Authenticates the client when it sends CONNECT. `auth` is the JSON of the client's option of this name, or empty;
    /// it comes from the client, so it may be anything.
    fn connect(self: Arc<Self>, session: Arc<Session>, auth: String) -> Connecting;
}

/// A client between CONNECT and DISCONNECT.
pub trait Connection: Send + Sync {
    /// Called once, before the first event.
    fn connected(&self) {}

    /// Handles an event. `payload` starts with `[` and should be a JSON array of a name and arguments. Returns false
    /// if it is malformed, which closes the session. Runs on the task that reads the connection, so it must not block.
    fn event(self: Arc<Self>, payload: &str, ack: AckSender) -> bool;

    /// Handles an event with binary attachments. The attachments are dropped.
    fn binary_event(self: Arc<Self>, ack: AckSender) {
        drop(ack);
    }

    /// Called once, after the last event.
    fn disconnected(&self) {}
}

/// Acknowledges one event, if its client expects it.
pub struct AckSender {
    pub(crate) id: Option<u64>,
    pub(crate) session: Arc<Session>,
}

impl AckSender {
    /// Sends the acknowledgement. Does nothing if the client expects none or is gone.
    ///
    /// # Panics
    /// If the message cannot be represented as JSON.
    pub fn send(self, message: &impl Serialize) {
        if let Some(id) = self.id {
            self.session.ack(id, message);
        }
    }
}
