//! Where the news of a table go, and where an answer goes: a socket, or whoever waits for them in this process.

use std::sync::Arc;

use protocol::{Answer, ApiError, Done, TableUpdate};
use serde::Serialize;
use tokio::sync::{mpsc, oneshot};

use socketio::{AckSender, Frame, Session};

/// Somebody who hears the news of a table.
pub(crate) enum Outlet {
    /// A client by Socket.IO.
    Socket { id: u64, session: Arc<Session> },
    /// Somebody in this process: the stream of a bot.
    Stream { id: u64, sender: mpsc::Sender<Arc<TableUpdate>> },
}

/// News as they are sent to sockets, written once however many hear them, and as streams hear them.
pub(crate) struct Prepared {
    news: Frame,
    happened: Arc<TableUpdate>,
}

impl Outlet {
    pub(crate) fn id(&self) -> u64 {
        match self {
            Self::Socket { id, .. } | Self::Stream { id, .. } => *id,
        }
    }

    pub(crate) fn prepare(happened: TableUpdate) -> Prepared {
        let name = match &happened {
            TableUpdate::Move(_) => "move-made",
            TableUpdate::Event(_) => "table-event",
        };
        Prepared { news: Frame::new(name, &happened), happened: Arc::new(happened) }
    }

    /// Sends news; false if nobody hears them any more.
    pub(crate) fn send_happened(&self, Prepared { news, happened }: &Prepared) -> bool {
        match self {
            Self::Socket { session, .. } => session.emit_frame(news),
            Self::Stream { sender, .. } => sender.try_send(happened.clone()).is_ok(),
        }
    }

    /// Sends something to a socket; false if it is gone.
    pub(crate) fn send(&self, name: &str, message: &impl Serialize) -> bool {
        match self {
            Self::Socket { session, .. } => session.emit(name, message),
            Self::Stream { sender, .. } => !sender.is_closed(),
        }
    }
}

/// Where an answer goes.
pub(crate) enum Reply {
    /// To the client, as the acknowledgement of its message, if it wants one.
    Ack(AckSender),
    /// To whoever waits in this process.
    Once(oneshot::Sender<Result<Done, ApiError>>),
}

impl Reply {
    pub(crate) fn send(self, done: Result<Done, ApiError>) {
        // Whoever asked may be gone.
        match self {
            Self::Ack(ack) => {
                if let Err(refusal) = &done {
                    metrics::counter!("alinea_refusals_total", "code" => refusal.code.name()).increment(1);
                }
                ack.send(&Answer::from(done));
            }
            Self::Once(sender) => drop(sender.send(done)),
        }
    }
}
