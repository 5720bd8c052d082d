//! The way to a client: what waits for it when it reads slowly, how much of our patience it has used up, and how it
//! is let go.
//!
//! The library keeps a short queue for every client and refuses what does not fit. A client that sends many messages
//! at once gets as many answers, so what is refused waits here, in order, for as long as the client reads at all and
//! while there is not too much of it.

use std::{
    collections::VecDeque,
    net::Shutdown,
    sync::{
        Arc, Mutex, MutexGuard, Weak,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use axum::body::Bytes;
use protocol::Answer;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use socketioxide::{
    SendError, SocketError,
    adapter::LocalAdapter,
    extract::{AckSender, SocketRef},
    handler::{FromMessageParts, Value},
    socket::Socket,
};
use tokio::net::TcpStream;

/// What may wait for one client, and for all together, in bytes.
const MOST_WAITING: usize = 2 << 20;
const MOST_WAITING_IN_ALL: usize = 32 << 20;
/// A client that takes nothing for so long is let go.
const PATIENCE: Duration = Duration::from_secs(8);
/// How often it is looked whether a client has read something.
const LOOKING: Duration = Duration::from_millis(2);
/// How long a goodbye may take; then the connection is closed.
const FAREWELL: Duration = Duration::from_millis(500);

/// The bytes that wait for all clients of this process.
static WAITING: AtomicUsize = AtomicUsize::new(0);

/// What belongs to a connection as a whole, however often a client leaves and enters over it.
pub(crate) struct Wire {
    bucket: Mutex<Bucket>,
    is_cut: AtomicBool,
    waiting: Mutex<Waiting>,
    /// The connection, if it is this client's alone.
    stream: Weak<TcpStream>,
}

#[derive(Default)]
struct Waiting {
    parcels: VecDeque<Parcel>,
    bytes: usize,
}

impl Waiting {
    fn push(&mut self, parcel: Parcel) {
        self.bytes += parcel.size();
        WAITING.fetch_add(parcel.size(), Ordering::Relaxed);
        self.parcels.push_back(parcel);
    }

    fn pop(&mut self) {
        if let Some(parcel) = self.parcels.pop_front() {
            self.bytes -= parcel.size();
            WAITING.fetch_sub(parcel.size(), Ordering::Relaxed);
        }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        WAITING.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// A message that waits.
enum Parcel {
    News { name: &'static str, raw: Box<RawValue> },
    Answer { ack: Ack, raw: Box<RawValue> },
}

impl Parcel {
    fn size(&self) -> usize {
        let (Self::News { raw, .. } | Self::Answer { raw, .. }) = self;
        raw.get().len() + size_of::<Self>()
    }

    fn send(&self, socket: &SocketRef) -> Result<(), SendError> {
        match self {
            Self::News { name, raw } => socket.emit(name, raw),
            Self::Answer { ack, raw } => ack.send(raw),
        }
    }
}

/// How a message is answered, as often as it takes.
#[derive(Clone)]
pub(crate) struct Ack {
    socket: SocketRef,
    owner: Arc<Socket<LocalAdapter>>,
    id: Option<i64>,
}

impl Ack {
    /// To the message of this number, if its sender wants an answer.
    pub(crate) fn new(owner: Arc<Socket<LocalAdapter>>, id: Option<i64>) -> Self {
        let Ok(socket) = SocketRef::from_message_parts(&owner, &mut Value::Bytes(Bytes::new()), &id);
        Self { socket, owner, id }
    }

    pub(crate) fn socket(&self) -> &SocketRef {
        &self.socket
    }

    fn send(&self, message: &(impl Serialize + ?Sized)) -> Result<(), SendError> {
        // The library's own can be used only once.
        let Ok(ack) = AckSender::from_message_parts(&self.owner, &mut Value::Bytes(Bytes::new()), &self.id);
        ack.send(message)
    }
}

impl Wire {
    /// Of a new connection.
    pub(crate) fn new(stream: Weak<TcpStream>) -> Self {
        Self { bucket: Mutex::default(), is_cut: AtomicBool::new(false), waiting: Mutex::default(), stream }
    }

    /// The one that a socket came over, put there by whoever accepted the connection.
    pub(crate) fn of(socket: &SocketRef) -> Option<&Arc<Self>> {
        socket.req_parts().extensions.get()
    }

    /// Whether the client was sent away; whatever it still says is not heard.
    pub(crate) fn is_cut(&self) -> bool {
        self.is_cut.load(Ordering::Relaxed)
    }

    /// How much of its allowance the client has used up.
    pub(crate) fn bucket(&self) -> MutexGuard<'_, Bucket> {
        self.bucket.lock().expect("no one panics with it")
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().expect("no one panics with it")
    }
}

/// Sends news to a client; false if it is gone.
pub(crate) fn tell(socket: &SocketRef, name: &'static str, message: &(impl Serialize + ?Sized)) -> bool {
    Wire::of(socket).is_some_and(|wire| wire.tell(socket, name, message))
}

impl Wire {
    /// Sends news to the client at the other end; false if it is gone.
    pub(crate) fn tell(
        self: &Arc<Self>,
        socket: &SocketRef,
        name: &'static str,
        message: &(impl Serialize + ?Sized),
    ) -> bool {
        let raw = || to_raw_value(message).expect("messages can be written as JSON");
        self.pass(socket, || socket.emit(name, message), || Parcel::News { name, raw: raw() })
    }

    /// Answers a message.
    pub(crate) fn answer(self: &Arc<Self>, ack: &Ack, message: &Answer) {
        let raw = || to_raw_value(message).expect("messages can be written as JSON");
        self.pass(&ack.socket, || ack.send(message), || Parcel::Answer { ack: ack.clone(), raw: raw() });
    }

    /// Sends something at once if nothing waits and there is room, or puts it behind what waits.
    fn pass(
        self: &Arc<Self>,
        socket: &SocketRef,
        send: impl FnOnce() -> Result<(), SendError>,
        wait: impl FnOnce() -> Parcel,
    ) -> bool {
        let mut waiting = self.waiting();
        // Asked under the lock under which what waits is thrown away, so that nothing is put there afterwards.
        if self.is_cut() {
            return false;
        }
        let is_first = waiting.parcels.is_empty();
        if is_first {
            match send() {
                Ok(()) => return true,
                Err(SendError::Socket(SocketError::InternalChannelFull)) => {}
                Err(_) => return false,
            }
        }
        waiting.push(wait());
        let is_too_much =
            waiting.bytes > MOST_WAITING || WAITING.load(Ordering::Relaxed) > MOST_WAITING_IN_ALL;
        drop(waiting);
        if is_too_much {
            cut_off(socket);
        } else if is_first {
            tokio::spawn(hand_over(socket.clone(), self.clone()));
        }
        !is_too_much
    }
}

/// Sends what waits, as fast as the client reads.
async fn hand_over(socket: SocketRef, wire: Arc<Wire>) {
    let mut taken = Instant::now();
    while !wire.is_cut() {
        tokio::time::sleep(LOOKING).await;
        let mut waiting = wire.waiting();
        while let Some(parcel) = waiting.parcels.front() {
            match parcel.send(&socket) {
                Err(SendError::Socket(SocketError::InternalChannelFull)) => break,
                // Who is gone asks again after coming back.
                Ok(()) | Err(_) => waiting.pop(),
            }
            taken = Instant::now();
        }
        if waiting.parcels.is_empty() {
            return;
        }
        drop(waiting);
        if taken.elapsed() > PATIENCE {
            cut_off(&socket);
        }
    }
}

/// Ends a connection. When the client comes back, it is told what it missed.
pub(crate) fn cut_off(socket: &SocketRef) {
    let Some(wire) = Wire::of(socket).filter(|wire| !wire.is_cut.swap(true, Ordering::Relaxed)) else {
        return;
    };
    *wire.waiting() = Waiting::default();
    // One that has left already may have entered again under the same number, and that one would be sent away unheard.
    if socket.connected() {
        // If what it has not read leaves no room for a goodbye, it notices by the end of the connection.
        let _ = socket.clone().disconnect();
    }
    let stream = wire.stream.clone();
    let socket = socket.clone();
    tokio::spawn(async move {
        tokio::time::sleep(FAREWELL).await;
        if let Some(stream) = stream.upgrade() {
            // An error means that it is closed already.
            let _ = socket2::SockRef::from(&*stream).shutdown(Shutdown::Both);
        }
        // A connection that others share stays; the client is gone when it reads, or when it answers no ping.
        while socket.connected() && socket.clone().disconnect().is_err() {
            tokio::time::sleep(FAREWELL).await;
        }
    });
}

/// How much of its allowance a client has used up.
pub(crate) struct Bucket {
    used: f64,
    at: Instant,
    pub(crate) warnings: u32,
}

impl Default for Bucket {
    fn default() -> Self {
        Self { used: 0.0, at: Instant::now(), warnings: 0 }
    }
}

impl Bucket {
    /// Takes what a message costs, if that is left.
    pub(crate) fn take(&mut self, cost: f64, per_second: f64, burst: f64) -> bool {
        let now = Instant::now();
        let regained = now.duration_since(self.at).as_secs_f64() * per_second;
        (self.used, self.at) = ((self.used - regained).max(0.0), now);
        let is_left = self.used + cost <= burst;
        if is_left {
            self.used += cost;
        }
        is_left
    }
}
