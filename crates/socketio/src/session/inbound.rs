//! Packets of the client: connect, events, disconnect.

use std::{
    io::Write as _,
    sync::{Arc, atomic::Ordering},
};

use super::{AckSender, Connection, Session};
use crate::{
    packet::{Message, Packet},
    random::random_id,
    send_queue::write_json,
};

/// Whether the client is connected to the namespace.
#[derive(Default)]
pub(super) enum ConnectionState {
    #[default]
    Disconnected,
    /// CONNECT was received, and the application authenticates the client.
    Connecting,
    Connected(Arc<dyn Connection>),
    /// The session has ended.
    Ended,
}

/// The action of a transport after a packet.
pub(crate) enum Received {
    Handled,
    /// Await [`Session::connect`] with this JSON.
    Connect(String),
    /// End the session: the packet was malformed, or the client has closed it.
    Closed,
}

impl Session {
    /// Handles a packet.
    pub(crate) fn receive(self: &Arc<Self>, packet: &str) -> Received {
        if self.is_closing() {
            return Received::Closed;
        }
        match Packet::parse(packet) {
            Some(Packet::Message(Message::Event { id, payload })) => {
                let connection = self.connection();
                match connection.is_some_and(|connection| connection.event(payload, self.ack_sender(id))) {
                    true => Received::Handled,
                    false => Received::Closed,
                }
            }
            Some(Packet::Message(Message::BinaryEvent { id, attachments })) => match self.connection() {
                Some(connection) => {
                    self.attachments.store(attachments, Ordering::Relaxed);
                    connection.binary_event(self.ack_sender(id));
                    Received::Handled
                }
                None => Received::Closed,
            },
            Some(Packet::Binary) => self.receive_attachment(),
            Some(Packet::Message(Message::Connect { namespace: "/", auth })) => {
                Received::Connect(auth.to_owned())
            }
            Some(Packet::Message(Message::Connect { namespace, .. })) => {
                let error = serde_json::json!({ "message": "Invalid namespace" });
                self.send(|bytes| {
                    write!(bytes, "44{namespace},{error}").expect("writing to a vector never fails");
                });
                Received::Handled
            }
            Some(Packet::Message(Message::Disconnect)) => {
                self.disconnect(ConnectionState::Disconnected);
                Received::Handled
            }
            Some(Packet::Message(Message::Ack)) => Received::Handled,
            Some(Packet::Pong) => {
                if let Some(at) = self.queue.lock().pinged_at.take() {
                    self.latency_ms.store(at.elapsed().as_millis() as u64, Ordering::Relaxed);
                }
                Received::Handled
            }
            Some(Packet::Close | Packet::Probe | Packet::Upgrade) | None => Received::Closed,
        }
    }

    /// Handles a binary attachment, which is dropped if it was announced.
    pub(crate) fn receive_attachment(&self) -> Received {
        let decrement = |attachments: usize| attachments.checked_sub(1);
        match self.attachments.fetch_update(Ordering::Relaxed, Ordering::Relaxed, decrement) {
            Ok(_) => Received::Handled,
            Err(_) => Received::Closed,
        }
    }

    fn ack_sender(self: &Arc<Self>, id: Option<u64>) -> AckSender {
        AckSender { id, session: self.clone() }
    }

    fn connection(&self) -> Option<Arc<dyn Connection>> {
        match &*self.connection.lock() {
            ConnectionState::Connected(connection) => Some(connection.clone()),
            _ => None,
        }
    }

    /// Authenticates the client and answers CONNECT.
    pub(crate) async fn connect(self: &Arc<Self>, auth: String) {
        {
            let mut state = self.connection.lock();
            if !matches!(*state, ConnectionState::Disconnected) {
                return;
            }
            *state = ConnectionState::Connecting;
        }
        let connection = self.peer.clone().connect(self.clone(), auth).await;
        let mut state = self.connection.lock();
        if matches!(*state, ConnectionState::Ended) {
            return;
        }
        match connection {
            Ok(connection) => {
                self.queue.lock().is_connected = true;
                let id = random_id();
                self.send(|bytes| {
                    write!(bytes, r#"40{{"sid":"{id}"}}"#).expect("writing to a vector never fails");
                });
                connection.connected();
                *state = ConnectionState::Connected(connection);
            }
            Err(message) => {
                *state = ConnectionState::Disconnected;
                self.send(|bytes| {
                    bytes.extend(b"44");
                    write_json(bytes, &serde_json::json!({ "message": message }));
                });
            }
        }
    }

    pub(super) fn disconnect(&self, next: ConnectionState) {
        let previous = {
            let mut state = self.connection.lock();
            match &*state {
                // DISCONNECT before the answer to CONNECT is ignored.
                ConnectionState::Connecting if matches!(next, ConnectionState::Disconnected) => return,
                _ => std::mem::replace(&mut *state, next),
            }
        };
        if let ConnectionState::Connected(connection) = previous {
            connection.disconnected();
        }
    }
}
