//! The way to a client: how it is told something and heard, how much of our patience it has used up, and how it is let
//! go. Whoever carries what waits for it (a WebSocket, or requests one after the other) is woken.

use std::{
    io::{self, Write as _},
    sync::{
        Arc, Mutex, MutexGuard,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    },
    task::{Context, Poll},
};

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use futures_util::task::AtomicWaker;
use protocol::{Answer, ErrorCode};
use serde::Serialize;
use tokio::{net::TcpStream, time::Instant};

use super::{
    out::{News, Out, PING_EVERY, Way, waiting_in_all, write_json, write_news},
    packet::{Packet, SEPARATOR, Said},
};
use crate::{
    app::App,
    random_hex,
    transport::{http::Client, socket::Connection},
};

/// What may wait for one client, and for all together, in bytes.
const MOST_WAITING: usize = 2 << 20;
const MOST_WAITING_IN_ALL: usize = 32 << 20;
/// Who is let go is still given as much.
const MOST_AT_FAREWELL: usize = 64 << 10;
/// A request is given about as much at once; the rest waits for the next.
const MOST_FOR_REQUEST: usize = 64 << 10;
/// While too much waits for all together, those have to go for whom more than this waits.
const HARMLESS: usize = 16 << 10;
/// No cookie or token is nearly as long.
const LONGEST_CREDENTIALS: usize = 4 << 10;
/// What saying hello costs of a client's allowance: it is looked up who that is.
const HELLO: f64 = 4.0;

const NOT_MEASURED: u64 = u64::MAX;

/// What belongs to a connection as a whole, however often a client leaves and enters over it.
pub(crate) struct Wire {
    credentials: Credentials,
    bucket: Mutex<Bucket>,
    is_cut: AtomicBool,
    /// How long the way to the client and back took at the last ping.
    lag_ms: AtomicU64,
    /// How many pieces of bytes the client has announced. They mean nothing to us.
    pieces: AtomicUsize,
    entered: Mutex<Entered>,
    out: Mutex<Out>,
    /// Of whoever carries what waits.
    carrier: AtomicWaker,
}

/// By what a client is known.
pub(super) struct Credentials {
    client: Client,
    /// Copies: the request's own are pieces of the buffer that it was read into.
    headers: Vec<(HeaderName, HeaderValue)>,
}

impl Credentials {
    /// None if they are longer than any of ours.
    pub(super) fn new(client: Client, headers: &HeaderMap) -> Option<Self> {
        let copy = |name: HeaderName| {
            let values = headers.get_all(&name).iter();
            let values = values.filter_map(|value| HeaderValue::from_bytes(value.as_bytes()).ok());
            values.map(move |value| (name.clone(), value)).collect::<Vec<_>>()
        };
        let headers: Vec<_> = [header::COOKIE, header::AUTHORIZATION].into_iter().flat_map(copy).collect();
        let length: usize = headers.iter().map(|(_, value)| value.len()).sum();
        (length <= LONGEST_CREDENTIALS).then_some(Self { client, headers })
    }
}

/// Whether a client has said hello.
enum Entered {
    No,
    /// It is being found out who it is.
    Soon,
    Yes(Arc<Connection>),
    /// It is gone and does not come back by this way.
    Gone,
}

/// What becomes of a packet that was read.
pub(super) enum Taken {
    Done,
    /// The client says hello, and it takes a while to find out who it is: [`Wire::enter`].
    Enters,
    /// It makes no sense, or the client is gone.
    Over,
}

impl Wire {
    pub(super) fn new(credentials: Credentials, is_websocket: bool) -> Self {
        Self {
            credentials,
            bucket: Mutex::default(),
            is_cut: AtomicBool::new(false),
            lag_ms: AtomicU64::new(NOT_MEASURED),
            pieces: AtomicUsize::new(0),
            entered: Mutex::new(Entered::No),
            out: Mutex::new(Out::new(if is_websocket { Way::WebSocket } else { Way::Polling })),
            carrier: AtomicWaker::new(),
        }
    }

    fn out(&self) -> MutexGuard<'_, Out> {
        self.out.lock().expect("no one panics with it")
    }

    fn entered(&self) -> MutexGuard<'_, Entered> {
        self.entered.lock().expect("no one panics with it")
    }

    /// How much of its allowance the client has used up.
    pub(crate) fn bucket(&self) -> MutexGuard<'_, Bucket> {
        self.bucket.lock().expect("no one panics with it")
    }

    pub(crate) fn client(&self) -> Client {
        self.credentials.client
    }

    pub(crate) fn headers(&self) -> HeaderMap {
        self.credentials.headers.iter().cloned().collect()
    }

    /// Whether the client was sent away; whatever it still says is not heard.
    pub(crate) fn is_cut(&self) -> bool {
        self.is_cut.load(Ordering::Relaxed)
    }

    /// How long the way to the client and back takes; nothing as long as that is not known.
    pub(crate) fn lag_ms(&self) -> u64 {
        match self.lag_ms.load(Ordering::Relaxed) {
            NOT_MEASURED => 0,
            lag => lag,
        }
    }

    /// Measures the way to the client if that was not done yet. Every ping does.
    pub(crate) fn measure(&self) {
        if self.lag_ms.load(Ordering::Relaxed) != NOT_MEASURED {
            return;
        }
        let mut out = self.out();
        if out.pinged.is_none() && out.cut_at.is_none() {
            out.ping(Instant::now());
            drop(out);
            self.carrier.wake();
        }
    }

    /// Sends news to the client; false if it is gone.
    pub(crate) fn tell(&self, name: &str, message: &impl Serialize) -> bool {
        self.send(|bytes| write_news(bytes, name, message))
    }

    /// Sends news that others hear, too; false if the client is gone.
    pub(crate) fn tell_news(&self, News(news): &News) -> bool {
        self.send(|bytes| bytes.extend(news))
    }

    /// Answers the message of a number.
    pub(crate) fn answer(&self, id: u64, message: &Answer) {
        self.send(|bytes| {
            write!(bytes, "43{id}[").expect("memory can be written to");
            write_json(bytes, message);
            bytes.push(b']');
        });
    }

    /// Sends a packet; false if the client is gone.
    pub(super) fn send(&self, write: impl FnOnce(&mut Vec<u8>)) -> bool {
        self.add(|out| out.put(write))
    }

    fn add(&self, add: impl FnOnce(&mut Out)) -> bool {
        let is_too_much = {
            let mut out = self.out();
            if out.cut_at.is_some() {
                return false;
            }
            add(&mut out);
            let is_too_much_in_all = || waiting_in_all() > MOST_WAITING_IN_ALL;
            out.waiting() > MOST_WAITING || out.waiting() > HARMLESS && is_too_much_in_all()
        };
        match is_too_much {
            true => self.cut_off(),
            false => self.carrier.wake(),
        }
        !is_too_much
    }

    /// Lets the client go, with a goodbye if it takes one. When it comes back, it is told what it missed.
    pub(crate) fn cut_off(&self) {
        const CLOSE: [u8; 2] = [0x88, 0];
        let mut out = self.out();
        if out.cut_at.is_some() {
            return;
        }
        if out.waiting() > MOST_AT_FAREWELL {
            out.take_all();
        } else {
            out.put(|bytes| bytes.extend(b"41"));
            if out.way == Way::WebSocket {
                out.put_frames(&CLOSE);
            }
        }
        out.cut_at = Some(Instant::now());
        self.is_cut.store(true, Ordering::Relaxed);
        drop(out);
        self.carrier.wake();
    }

    /// Takes a packet.
    pub(super) fn take(&self, packet: &str) -> Taken {
        if self.is_cut() {
            return Taken::Over;
        }
        match Packet::read(packet) {
            Some(Packet::Message(Said::Event { id, parts })) => match self.connection() {
                Some(connection) if connection.hear(id, parts) => Taken::Done,
                _ => Taken::Over,
            },
            Some(Packet::Message(Said::Bytes { id, pieces })) => match self.connection() {
                Some(connection) => {
                    self.pieces.store(pieces, Ordering::Relaxed);
                    connection.hear_bytes(id);
                    Taken::Done
                }
                None => Taken::Over,
            },
            Some(Packet::Bytes) => self.take_bytes(),
            Some(Packet::Message(Said::Enter("/"))) => Taken::Enters,
            Some(Packet::Message(Said::Enter(part))) => {
                let refused = serde_json::json!({ "message": "Invalid namespace" });
                self.send(|bytes| {
                    write!(bytes, "44{part},{refused}").expect("memory can be written to");
                });
                Taken::Done
            }
            Some(Packet::Message(Said::Leave)) => {
                self.leave(Entered::No);
                Taken::Done
            }
            Some(Packet::Message(Said::Answer)) => Taken::Done,
            Some(Packet::Pong) => {
                if let Some(at) = self.out().pinged.take() {
                    self.lag_ms.store(at.elapsed().as_millis() as u64, Ordering::Relaxed);
                }
                Taken::Done
            }
            Some(Packet::Close | Packet::Probe | Packet::Upgrade) | None => Taken::Over,
        }
    }

    /// Takes a piece of bytes.
    pub(super) fn take_bytes(&self) -> Taken {
        let less = |pieces: usize| pieces.checked_sub(1);
        match self.pieces.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less) {
            Ok(_) => Taken::Done,
            Err(_) => Taken::Over,
        }
    }

    fn connection(&self) -> Option<Arc<Connection>> {
        match &*self.entered() {
            Entered::Yes(connection) => Some(connection.clone()),
            _ => None,
        }
    }

    /// Finds out who says hello, and welcomes them.
    pub(super) async fn enter(self: &Arc<Self>, app: &Arc<App>) {
        {
            let mut entered = self.entered();
            if !matches!(*entered, Entered::No) {
                return;
            }
            *entered = Entered::Soon;
        }
        let is_left = {
            let config = &app.config;
            let (per_second, burst) = (config.messages_per_second.into(), config.message_burst.into());
            self.bucket().take(HELLO, per_second, burst)
        };
        let known = match is_left {
            true => Connection::identify(app, self).await,
            false => Err(ErrorCode::TooFast.because("too many messages")),
        };
        let mut entered = self.entered();
        if matches!(*entered, Entered::Gone) {
            return;
        }
        match known {
            Ok(connection) => {
                self.out().has_entered = true;
                let id = random_hex::<10>();
                self.send(|bytes| {
                    write!(bytes, r#"40{{"sid":"{id}"}}"#).expect("memory can be written to");
                });
                connection.enter();
                *entered = Entered::Yes(connection);
            }
            Err(refusal) => {
                *entered = Entered::No;
                self.send(|bytes| {
                    bytes.extend(b"44");
                    write_json(bytes, &serde_json::json!({ "message": refusal.message }));
                });
            }
        }
    }

    fn leave(&self, then: Entered) {
        let before = {
            let mut entered = self.entered();
            match &*entered {
                // Who leaves before the welcome is not heard, but may leave after it.
                Entered::Soon if matches!(then, Entered::No) => return,
                _ => std::mem::replace(&mut *entered, then),
            }
        };
        if let Entered::Yes(connection) = before {
            connection.leave();
        }
    }

    /// The connection has ended.
    pub(super) fn end(&self) {
        {
            let mut out = self.out();
            out.cut_at.get_or_insert_with(Instant::now);
            out.take_all();
            self.is_cut.store(true, Ordering::Relaxed);
        }
        self.leave(Entered::Gone);
        self.carrier.wake();
    }
}

/// For those who carry.
impl Wire {
    /// To be called before looking for what waits.
    pub(super) fn wake_me(&self, context: &Context<'_>) {
        self.carrier.register(context.waker());
    }

    /// Sends a ping when it is time to, and says when to call again; none if the client is gone.
    pub(super) fn beat(&self) -> Option<Instant> {
        let now = Instant::now();
        let mut out = self.out();
        out.next_deadline(now)?;
        if out.next_ping <= now {
            if out.cut_at.is_none() && out.pinged.is_none() {
                out.ping(now);
                self.carrier.wake();
            } else {
                out.next_ping = now + PING_EVERY;
            }
        }
        out.next_deadline(now)
    }

    /// Writes what waits, as far as the connection takes it, and says when to call [`Wire::beat`] at the latest.
    pub(super) fn write(&self, context: &mut Context<'_>, stream: &TcpStream) -> io::Result<Written> {
        let mut out = self.out();
        while out.waiting() > 0 {
            match stream.try_write(&out.bytes[out.written..]) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(count) => out.advance(count),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    if stream.poll_write_ready(context)?.is_pending() {
                        out.stuck_since.get_or_insert_with(Instant::now);
                        break;
                    }
                }
                Err(error) => return Err(error),
            }
        }
        let is_farewell = out.cut_at.is_some() && out.waiting() == 0;
        Ok(Written { is_farewell, deadline: out.next_deadline(Instant::now()) })
    }

    /// Sends whole frames.
    pub(super) fn send_frames(&self, frames: &[u8]) {
        // If the client is gone, so is whoever answers its frames.
        self.add(|out| out.put_frames(frames));
    }

    /// What waits for a request.
    pub(super) fn poll_waiting(&self, context: &Context<'_>) -> Poll<Waiting> {
        let mut out = self.out();
        if out.way == Way::WebSocket {
            return Poll::Ready(Waiting::Moved);
        }
        if out.bytes.is_empty() {
            if out.cut_at.is_some() {
                return Poll::Ready(Waiting::Over);
            }
            if out.way == Way::Upgrading {
                return Poll::Ready(Waiting::Elsewhere);
            }
            // Under the lock, so that nobody is woken in place of the WebSocket.
            self.carrier.register(context.waker());
            return Poll::Pending;
        }
        let mut packets = out.take_all();
        let end = |byte: &u8| *byte == SEPARATOR as u8;
        if let Some(start) = packets.get(MOST_FOR_REQUEST..).and_then(|rest| rest.iter().position(end)) {
            let rest = packets.split_off(MOST_FOR_REQUEST + start);
            out.put(|bytes| bytes.extend(&rest[1..]));
        }
        Poll::Ready(Waiting::Packets(packets))
    }

    /// Whether a WebSocket may be tried, which then is.
    pub(super) fn begin_upgrade(&self) -> bool {
        let mut out = self.out();
        let is_possible = out.way == Way::Polling && out.cut_at.is_none();
        if is_possible {
            out.way = Way::Upgrading;
            self.carrier.wake();
        }
        is_possible
    }

    /// The WebSocket did not come about.
    pub(super) fn give_up_upgrade(&self) {
        self.out().way = Way::Polling;
    }

    /// From now on by the WebSocket.
    pub(super) fn finish_upgrade(&self) {
        let mut out = self.out();
        let waiting = out.take_all();
        out.way = Way::WebSocket;
        for packet in waiting.split(|byte| *byte == SEPARATOR as u8).filter(|packet| !packet.is_empty()) {
            out.put(|bytes| bytes.extend(packet));
        }
    }

    pub(super) fn is_upgrading(&self) -> bool {
        self.out().way == Way::Upgrading
    }

    pub(super) fn is_websocket(&self) -> bool {
        self.out().way == Way::WebSocket
    }
}

/// What there is for a request.
pub(super) enum Waiting {
    Packets(Vec<u8>),
    /// Nothing, as a WebSocket is being tried.
    Elsewhere,
    /// Nothing any more, as everything goes by a WebSocket.
    Moved,
    /// The client is sent away.
    Over,
}

/// What came of writing.
pub(super) struct Written {
    /// The client was sent away and has got everything that is for it.
    pub(super) is_farewell: bool,
    pub(super) deadline: Option<Instant>,
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

#[cfg(test)]
mod tests {
    use std::task::Waker;

    use super::*;

    fn wire(is_websocket: bool) -> Wire {
        let credentials = Credentials::new(Client::UNKNOWN, &HeaderMap::new()).expect("short");
        Wire::new(credentials, is_websocket)
    }

    fn packets(wire: &Wire) -> Vec<u8> {
        match wire.poll_waiting(&Context::from_waker(Waker::noop())) {
            Poll::Ready(Waiting::Packets(packets)) => packets,
            _ => Vec::new(),
        }
    }

    #[test]
    fn what_was_written_does_not_pile_up_before_what_waits() {
        let wire = wire(true);
        for _ in 0..1_000 {
            wire.send(|bytes| bytes.extend([b'x'; 1_000]));
            let mut out = wire.out();
            // The client always leaves something over.
            let count = out.waiting() - 10;
            out.advance(count);
            assert!(out.waiting() == 10 && out.bytes.len() < 4_000, "{} bytes", out.bytes.len());
        }
    }

    #[test]
    fn a_request_takes_whole_packets_and_not_too_many() {
        let wire = wire(false);
        let packet = "x".repeat(999);
        for _ in 0..200 {
            assert!(wire.tell("news", &packet));
        }
        let mut count = 0;
        for taken in std::iter::repeat_with(|| packets(&wire)).take_while(|taken| !taken.is_empty()) {
            assert!(taken.len() < MOST_FOR_REQUEST + 2_000, "{}", taken.len());
            for packet in taken.split(|byte| *byte == SEPARATOR as u8) {
                assert!(packet.starts_with(b"42[\"news\"") && packet.ends_with(b"]"));
                count += 1;
            }
        }
        assert_eq!(count, 200);
    }

    #[test]
    fn what_waits_goes_over_to_the_websocket_in_order() {
        let wire = wire(false);
        assert!(wire.begin_upgrade() && !wire.begin_upgrade());
        assert!(wire.tell("a", &1) && wire.tell("b", &2));
        wire.finish_upgrade();
        assert_eq!(wire.out().bytes, b"\x81\x0942[\"a\",1]\x81\x0942[\"b\",2]");
        assert!(matches!(
            wire.poll_waiting(&Context::from_waker(Waker::noop())),
            Poll::Ready(Waiting::Moved)
        ));
    }

    #[test]
    fn who_lets_too_much_wait_is_cut_off() {
        let wire = wire(true);
        let long = "x".repeat(100_000);
        assert_eq!((0..100).filter(|_| wire.tell("news", &long)).count(), MOST_WAITING / long.len());
        assert!(wire.is_cut());
        assert_eq!(wire.out().waiting(), 0);
    }
}
