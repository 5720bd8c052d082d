//! Where the news of a table go, and where an answer goes: a socket, or whoever waits for them in this process.

use std::sync::Arc;

use protocol::{Answer, Done, Happened, Refusal};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use socketioxide::extract::{AckSender, SocketRef};
use tokio::sync::{mpsc, oneshot};

/// Somebody who hears the news of a table.
pub(crate) enum Outlet {
    /// A client by Socket.IO.
    Socket { id: u64, socket: SocketRef },
    /// Somebody in this process: the stream of a bot.
    Stream { id: u64, sender: mpsc::Sender<Arc<Happened>> },
}

/// News written as JSON once, however many hear them.
pub(crate) struct Prepared {
    name: &'static str,
    raw: Box<RawValue>,
    happened: Arc<Happened>,
}

impl Outlet {
    pub(crate) fn id(&self) -> u64 {
        match self {
            Self::Socket { id, .. } | Self::Stream { id, .. } => *id,
        }
    }

    pub(crate) fn prepare(happened: &Happened) -> Prepared {
        let name = match happened {
            Happened::Move(_) => "move-made",
            Happened::Event(_) => "table-event",
        };
        let raw = to_raw_value(happened).expect("messages can be written as JSON");
        Prepared { name, raw, happened: Arc::new(happened.clone()) }
    }

    /// Sends news; false if nobody hears them any more.
    pub(crate) fn send_happened(&self, news: &Prepared) -> bool {
        match self {
            Self::Socket { .. } => self.send(news.name, &*news.raw),
            Self::Stream { sender, .. } => sender.try_send(news.happened.clone()).is_ok(),
        }
    }

    /// Sends something to a socket; false if it is gone. One that does not read what it gets is cut off, so that
    /// nothing piles up for it: when it comes back, it is told what it missed.
    pub(crate) fn send(&self, name: &str, message: &(impl Serialize + ?Sized)) -> bool {
        match self {
            Self::Socket { socket, .. } => {
                let is_sent = socket.emit(name, message).is_ok();
                if !is_sent {
                    cut_off(socket);
                }
                is_sent
            }
            Self::Stream { sender, .. } => !sender.is_closed(),
        }
    }
}

/// Ends a connection.
pub(crate) fn cut_off(socket: &SocketRef) {
    // An error means that it has ended already.
    let _ = socket.clone().disconnect();
}

/// Where an answer goes.
pub(crate) enum Reply {
    /// To the client, as the acknowledgement of its message.
    Ack(AckSender, SocketRef),
    /// To whoever waits in this process.
    Once(oneshot::Sender<Result<Done, Refusal>>),
}

impl Reply {
    pub(crate) fn send(self, done: Result<Done, Refusal>) {
        // Whoever asked may be gone.
        match self {
            Self::Ack(ack, socket) => {
                if let Err(refusal) = &done {
                    metrics::counter!("alinea_refusals_total", "code" => refusal.code.name()).increment(1);
                }
                // A client that sends faster than it reads would wait for this answer for ever; when it comes back,
                // it asks again.
                if ack.send(&Answer::from(done)).is_err() {
                    cut_off(&socket);
                }
            }
            Self::Once(sender) => drop(sender.send(done)),
        }
    }
}
