//! Where the news of a table go, and where an answer goes: a socket, or whoever waits for them in this process.

use std::sync::Arc;

use protocol::{Answer, Done, Happened, Refusal};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use socketioxide::extract::SocketRef;
use tokio::sync::{mpsc, oneshot};

use crate::wire::{Ack, Wire};

/// Somebody who hears the news of a table.
pub(crate) enum Outlet {
    /// A client by Socket.IO.
    Socket { id: u64, socket: SocketRef, wire: Arc<Wire> },
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

    pub(crate) fn prepare(happened: Happened) -> Prepared {
        let name = match &happened {
            Happened::Move(_) => "move-made",
            Happened::Event(_) => "table-event",
        };
        let raw = to_raw_value(&happened).expect("messages can be written as JSON");
        Prepared { name, raw, happened: Arc::new(happened) }
    }

    /// Sends news; false if nobody hears them any more.
    pub(crate) fn send_happened(&self, news: &Prepared) -> bool {
        match self {
            Self::Socket { .. } => self.send(news.name, &*news.raw),
            Self::Stream { sender, .. } => sender.try_send(news.happened.clone()).is_ok(),
        }
    }

    /// Sends something to a socket; false if it is gone.
    pub(crate) fn send(&self, name: &'static str, message: &(impl Serialize + ?Sized)) -> bool {
        match self {
            Self::Socket { socket, wire, .. } => wire.tell(socket, name, message),
            Self::Stream { sender, .. } => !sender.is_closed(),
        }
    }
}

/// Where an answer goes.
pub(crate) enum Reply {
    /// To the client, as the acknowledgement of its message.
    Ack(Ack, Arc<Wire>),
    /// To whoever waits in this process.
    Once(oneshot::Sender<Result<Done, Refusal>>),
}

impl Reply {
    pub(crate) fn send(self, done: Result<Done, Refusal>) {
        // Whoever asked may be gone.
        match self {
            Self::Ack(ack, wire) => {
                if let Err(refusal) = &done {
                    metrics::counter!("alinea_refusals_total", "code" => refusal.code.name()).increment(1);
                }
                wire.answer(&ack, &Answer::from(done));
            }
            Self::Once(sender) => drop(sender.send(done)),
        }
    }
}
