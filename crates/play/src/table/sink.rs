//! The receivers of a table's events and of responses: a socket, or a task of this process.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use protocol::{Answer, ApiError, Done, TableUpdate};
use serde::Serialize;
use socketio::{AckSender, Frame, Session};
use store::metrics::METRICS;
use tokio::sync::{mpsc, oneshot};

/// A receiver of a table's events.
pub enum EventSink {
    /// A Socket.IO client.
    Socket {
        /// The number of the sink on this node.
        id: u64,
        /// The client's connection.
        session: Arc<Session>,
    },
    /// A task of this process, such as the event stream of a bot.
    Stream {
        /// The number of the sink on this node.
        id: u64,
        /// The task's channel.
        sender: mpsc::Sender<Arc<TableUpdate>>,
    },
}

/// An update, encoded once for all sockets and once for streams.
pub(crate) struct EncodedFrame {
    frame: Frame,
    update: Arc<TableUpdate>,
}

impl EncodedFrame {
    pub(crate) fn new(update: TableUpdate) -> Self {
        let name = match &update {
            TableUpdate::Move(_) => "move-made",
            TableUpdate::Event(_) => "table-event",
        };
        Self { frame: Frame::new(name, &update), update: Arc::new(update) }
    }
}

impl EventSink {
    pub(crate) fn id(&self) -> u64 {
        match self {
            Self::Socket { id, .. } | Self::Stream { id, .. } => *id,
        }
    }

    /// Sends an update; false if the sink is closed.
    pub(crate) fn send_update(&self, EncodedFrame { frame, update }: &EncodedFrame) -> bool {
        match self {
            Self::Socket { session, .. } => session.emit_frame(frame),
            Self::Stream { sender, .. } => sender.try_send(update.clone()).is_ok(),
        }
    }

    /// Sends a message that streams do not receive; false if the sink is closed.
    pub(crate) fn send(&self, name: &str, message: &impl Serialize) -> bool {
        match self {
            Self::Socket { session, .. } => session.emit(name, message),
            Self::Stream { sender, .. } => !sender.is_closed(),
        }
    }
}

/// A message that is acknowledged later than this is logged.
const SLOW: Duration = Duration::from_secs(1);

/// The receiver of the response to a request.
pub enum Responder {
    /// A client: the acknowledgement of its message, and the time since which it waits.
    Ack(AckSender, Instant),
    /// A task of this process.
    Once(oneshot::Sender<Result<Done, ApiError>>),
}

impl Responder {
    /// Sends the response.
    pub fn send(self, done: Result<Done, ApiError>) {
        match self {
            Self::Ack(ack, since) => {
                let took = since.elapsed();
                METRICS.acknowledgement(took);
                if took >= SLOW {
                    tracing::info!(ms = took.as_millis() as u64, "slow_message");
                }
                if let Err(error) = &done {
                    crate::error::record_error(error);
                }
                ack.send(&Answer::from(done));
            }
            // The task may have given up.
            Self::Once(sender) => drop(sender.send(done)),
        }
    }
}
