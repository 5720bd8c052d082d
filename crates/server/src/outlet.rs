//! Where the news of a table go, and where an answer goes: a socket, or whoever waits for them in this process.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use protocol::{Answer, Done, Happened, Refusal};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use socketioxide::extract::{AckSender, SocketRef};
use tokio::sync::{mpsc, oneshot};

use crate::socket::Bucket;

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

/// What belongs to a connection as a whole, however often a client leaves and enters over it.
#[derive(Default)]
pub(crate) struct Wire {
    pub(crate) bucket: Mutex<Bucket>,
    is_cut: AtomicBool,
}

impl Wire {
    /// The one that a socket came over, put there by whoever accepted the connection.
    pub(crate) fn of(socket: &SocketRef) -> Option<&Arc<Self>> {
        socket.req_parts().extensions.get()
    }

    /// Whether the client was sent away; whatever it still says is not heard.
    pub(crate) fn is_cut(&self) -> bool {
        self.is_cut.load(Ordering::Relaxed)
    }
}

/// How often one tries to say goodbye to a client that does not read.
const FAREWELLS: Duration = Duration::from_millis(100);

/// Ends a connection.
pub(crate) fn cut_off(socket: &SocketRef) {
    if Wire::of(socket).is_some_and(|wire| wire.is_cut.swap(true, Ordering::Relaxed)) {
        return;
    }
    if socket.clone().disconnect().is_err() {
        // What waits for it leaves no room for a goodbye. If it never reads, it answers no ping and is gone soon.
        let socket = socket.clone();
        tokio::spawn(async move {
            while socket.connected() && socket.clone().disconnect().is_err() {
                tokio::time::sleep(FAREWELLS).await;
            }
        });
    }
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
