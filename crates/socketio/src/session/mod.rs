//! One Engine.IO session: outgoing queue, connection state, close. The transport that serves it (a WebSocket, or polling
//! requests) is woken when there is something to write.

mod inbound;
mod outbound;
mod peer;

use std::{
    io::Write as _,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    },
};

use futures_util::task::AtomicWaker;
use parking_lot::Mutex;
use serde::Serialize;
use tokio::time::Instant;

pub(crate) use inbound::Received;
pub(crate) use outbound::{Flushed, Polled};
pub use peer::{AckSender, Connecting, Connection, Peer};

use crate::{
    config::Config,
    send_queue::{Frame, SendQueue, Transport, write_event, write_json},
    shared::Shared,
};
use inbound::ConnectionState;

const NOT_MEASURED: u64 = u64::MAX;

/// One Engine.IO session. Its client may connect, disconnect and connect again.
pub struct Session {
    shared: Arc<Shared>,
    peer: Arc<dyn Peer>,
    is_closing: AtomicBool,
    /// Round-trip time of the last ping.
    latency_ms: AtomicU64,
    /// Binary attachments that the client has announced and not sent yet.
    attachments: AtomicUsize,
    connection: Mutex<ConnectionState>,
    queue: Mutex<SendQueue>,
    /// The task that writes the queue.
    writer: AtomicWaker,
}

impl Session {
    pub(crate) fn new(shared: Arc<Shared>, peer: Arc<dyn Peer>, transport: Transport) -> Self {
        Self {
            peer,
            is_closing: AtomicBool::new(false),
            latency_ms: AtomicU64::new(NOT_MEASURED),
            attachments: AtomicUsize::new(0),
            connection: Mutex::default(),
            queue: Mutex::new(SendQueue::new(shared.clone(), transport)),
            writer: AtomicWaker::new(),
            shared,
        }
    }

    pub(crate) fn config(&self) -> &Config {
        &self.shared.config
    }

    /// Whether the server has closed the session; further packets of its client are dropped.
    pub fn is_closing(&self) -> bool {
        self.is_closing.load(Ordering::Relaxed)
    }

    /// Whether the session is over, and its client gone.
    pub(crate) fn has_ended(&self) -> bool {
        matches!(*self.connection.lock(), ConnectionState::Ended)
    }

    /// Round-trip time of the last ping; 0 until it is known.
    pub fn latency_ms(&self) -> u64 {
        match self.latency_ms.load(Ordering::Relaxed) {
            NOT_MEASURED => 0,
            latency => latency,
        }
    }

    /// Sends a ping now if no round-trip time is known yet.
    pub fn measure_latency(&self) {
        if self.latency_ms.load(Ordering::Relaxed) != NOT_MEASURED {
            return;
        }
        let mut queue = self.queue.lock();
        if queue.pinged_at.is_none() && queue.closing_since.is_none() {
            queue.ping(Instant::now());
            drop(queue);
            self.writer.wake();
        }
    }

    /// Sends an event; false if the session is closed.
    ///
    /// # Panics
    /// If the message cannot be represented as JSON.
    pub fn emit(&self, event: &str, message: &impl Serialize) -> bool {
        self.send(|bytes| write_event(bytes, event, message))
    }

    /// Sends an encoded event; false if the session is closed.
    pub fn emit_frame(&self, Frame(frame): &Frame) -> bool {
        self.send(|bytes| bytes.extend(frame))
    }

    fn ack(&self, id: u64, message: &impl Serialize) {
        self.send(|bytes| {
            write!(bytes, "43{id}[").expect("writing to a vector never fails");
            write_json(bytes, message);
            bytes.push(b']');
        });
    }

    /// Queues a packet; false if the session is closed.
    pub(crate) fn send(&self, write: impl FnOnce(&mut Vec<u8>)) -> bool {
        self.enqueue(|queue| queue.push(write))
    }

    fn enqueue(&self, enqueue: impl FnOnce(&mut SendQueue)) -> bool {
        let is_too_slow = {
            let mut queue = self.queue.lock();
            if queue.closing_since.is_some() {
                return false;
            }
            enqueue(&mut queue);
            let config = self.config();
            queue.queued() > config.max_queued
                || queue.queued() > config.fair_queued && self.shared.is_overloaded()
        };
        match is_too_slow {
            true => self.close(),
            false => self.writer.wake(),
        }
        !is_too_slow
    }

    /// Closes the session. The client still receives the queued packets, unless there are too many, and
    /// DISCONNECT.
    pub fn close(&self) {
        const CLOSE_FRAME: [u8; 2] = [0x88, 0];
        let mut queue = self.queue.lock();
        if queue.closing_since.is_some() {
            return;
        }
        if queue.queued() > self.config().max_queued_at_shutdown {
            queue.take_all();
        } else {
            queue.push(|bytes| bytes.extend(b"41"));
            if queue.transport == Transport::WebSocket {
                queue.push_frames(&CLOSE_FRAME);
            }
        }
        queue.closing_since = Some(Instant::now());
        self.is_closing.store(true, Ordering::Relaxed);
        drop(queue);
        self.writer.wake();
    }

    /// Ends the session, because the transport is gone or the client has violated the protocol.
    pub(crate) fn end(&self) {
        {
            let mut queue = self.queue.lock();
            queue.closing_since.get_or_insert_with(Instant::now);
            queue.take_all();
            self.is_closing.store(true, Ordering::Relaxed);
        }
        self.disconnect(ConnectionState::Ended);
        self.writer.wake();
    }
}

#[cfg(test)]
mod tests {
    use std::task::{Context, Poll, Waker};

    use super::*;
    use crate::packet::SEPARATOR;

    struct Stranger;

    impl Peer for Stranger {
        fn connect(self: Arc<Self>, _: Arc<Session>, _: String) -> Connecting {
            Box::pin(async { Err("not authenticated".to_owned()) })
        }
    }

    fn session(transport: Transport) -> Session {
        Session::new(Shared::new(Config::default()), Arc::new(Stranger), transport)
    }

    fn packets(session: &Session) -> Vec<u8> {
        match session.poll_packets(&Context::from_waker(Waker::noop())) {
            Poll::Ready(Polled::Packets(packets)) => packets,
            _ => Vec::new(),
        }
    }

    #[test]
    fn written_bytes_do_not_accumulate() {
        let session = session(Transport::WebSocket);
        for _ in 0..1_000 {
            session.send(|bytes| bytes.extend([b'x'; 1_000]));
            let mut queue = session.queue.lock();
            // The connection never accepts everything.
            let count = queue.queued() - 10;
            queue.advance(count);
            assert!(queue.queued() == 10 && queue.bytes.len() < 4_000, "{} bytes", queue.bytes.len());
        }
    }

    #[test]
    fn a_poll_takes_whole_packets_up_to_a_limit() {
        let session = session(Transport::Polling);
        let packet = "x".repeat(999);
        for _ in 0..200 {
            assert!(session.emit("news", &packet));
        }
        let mut count = 0;
        for taken in std::iter::repeat_with(|| packets(&session)).take_while(|taken| !taken.is_empty()) {
            assert!(taken.len() < session.config().max_polled + 2_000, "{}", taken.len());
            for packet in taken.split(|byte| *byte == SEPARATOR as u8) {
                assert!(packet.starts_with(b"42[\"news\"") && packet.ends_with(b"]"));
                count += 1;
            }
        }
        assert_eq!(count, 200);
    }

    #[test]
    fn an_upgrade_keeps_the_order_of_packets() {
        let session = session(Transport::Polling);
        assert!(session.begin_upgrade() && !session.begin_upgrade());
        assert!(session.emit("a", &1) && session.emit("b", &2));
        session.finish_upgrade();
        assert_eq!(session.queue.lock().bytes, b"\x81\x0942[\"a\",1]\x81\x0942[\"b\",2]");
        assert!(matches!(
            session.poll_packets(&Context::from_waker(Waker::noop())),
            Poll::Ready(Polled::Upgraded)
        ));
    }

    #[test]
    fn a_client_that_reads_too_slowly_is_closed() {
        let session = session(Transport::WebSocket);
        let long = "x".repeat(100_000);
        let sent = (0..100).filter(|_| session.emit("news", &long)).count();
        assert_eq!(sent, session.config().max_queued / long.len());
        assert!(session.is_closing());
        assert_eq!(session.queue.lock().queued(), 0);
    }

    #[test]
    fn all_queues_together_are_bounded() {
        let shared = Shared::new(Config { max_queued_total: 100_000, ..Config::default() });
        let open = || Session::new(shared.clone(), Arc::new(Stranger), Transport::WebSocket);
        let (slow, other) = (open(), open());
        assert!(slow.emit("news", &"x".repeat(90_000)) && other.emit("news", &"x".repeat(1_000)));
        assert!(!slow.emit("news", &"x".repeat(20_000)) && slow.is_closing());
        assert!(other.emit("news", &"x".repeat(1_000)) && !other.is_closing());
        drop((slow, other));
        assert!(!shared.is_overloaded());
    }
}
