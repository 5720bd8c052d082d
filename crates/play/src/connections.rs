//! Open connections by login session or token, so that they can be closed when it ends.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use parking_lot::Mutex;
use tokio_util::sync::CancellationToken;

/// The connections of this node, by connection id.
#[derive(Clone, Default)]
pub struct Connections(Arc<Mutex<HashMap<u64, Entry>>>);

struct Entry {
    /// The login session or token that the connection was opened with.
    session: Option<String>,
    connection: Connection,
}

#[derive(Clone)]
enum Connection {
    Socket(Arc<socketio::Session>),
    /// A streamed HTTP response.
    Stream(CancellationToken),
}

impl Connection {
    fn close(&self) {
        match self {
            Self::Socket(socket) => socket.close(),
            Self::Stream(token) => token.cancel(),
        }
    }
}

/// A streamed response; registered until dropped.
pub struct StreamGuard {
    connections: Connections,
    id: u64,
    closed: CancellationToken,
}

impl StreamGuard {
    /// Waits until the session that opened the stream ends.
    pub async fn closed(&self) {
        self.closed.cancelled().await;
    }
}

impl Drop for StreamGuard {
    fn drop(&mut self) {
        self.connections.0.lock().remove(&self.id);
    }
}

impl Connections {
    /// Registers a socket under its own id.
    pub fn add_socket(&self, id: u64, session: Option<String>, socket: Arc<socketio::Session>) {
        self.0.lock().insert(id, Entry { session, connection: Connection::Socket(socket) });
    }

    /// Removes a socket; false if it was already removed.
    pub fn remove_socket(&self, id: u64) -> bool {
        self.0.lock().remove(&id).is_some()
    }

    /// Registers a streamed response under its own id.
    pub fn add_stream(&self, id: u64, session: Option<String>) -> StreamGuard {
        let closed = CancellationToken::new();
        self.0.lock().insert(id, Entry { session, connection: Connection::Stream(closed.clone()) });
        StreamGuard { connections: self.clone(), id, closed }
    }

    /// The login sessions with a connection on this node.
    pub(crate) fn sessions(&self) -> Vec<String> {
        let sessions: HashSet<_> = self.0.lock().values().filter_map(|entry| entry.session.clone()).collect();
        sessions.into_iter().collect()
    }

    /// Closes the connections of an ended login session.
    pub(crate) fn close_session(&self, session: &str) {
        let connections: Vec<_> = {
            let entries = self.0.lock();
            let of_session = entries.values().filter(|entry| entry.session.as_deref() == Some(session));
            of_session.map(|entry| entry.connection.clone()).collect()
        };
        connections.iter().for_each(Connection::close);
    }

    /// Sends a message to all sockets.
    pub fn emit_to_all(&self, name: &str, message: &impl serde::Serialize) {
        let connections: Vec<_> = self.0.lock().values().map(|entry| entry.connection.clone()).collect();
        for connection in connections {
            if let Connection::Socket(socket) = connection {
                // A client that it does not reach reads it when it connects again.
                let _ = socket.emit(name, message);
            }
        }
    }

    /// Notifies all clients that the server is stopping, and ends streams.
    pub fn announce_shutdown(&self) {
        let connections: Vec<_> = self.0.lock().values().map(|entry| entry.connection.clone()).collect();
        for connection in connections {
            match connection {
                // A client that the message does not reach notices the end of its connection.
                Connection::Socket(socket) => drop(socket.emit("closing", &())),
                Connection::Stream(token) => token.cancel(),
            }
        }
    }
}
