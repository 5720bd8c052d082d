//! What waits for a client: packets behind one another as they will go over the connection, and by when the client has
//! to do something.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use serde::Serialize;
use tokio::time::Instant;

use super::packet::SEPARATOR;

/// A client that answers no ping for so long is gone.
pub(super) const PING_EVERY: Duration = Duration::from_secs(10);
pub(super) const PING_PATIENCE: Duration = Duration::from_secs(5);
/// One that never says hello is let go.
const HELLO_PATIENCE: Duration = Duration::from_secs(45);
/// So is one that takes nothing of what waits for it.
const READING_PATIENCE: Duration = Duration::from_secs(8);
/// How long a goodbye may take; then the connection is closed.
pub(super) const FAREWELL: Duration = Duration::from_millis(500);
/// Room for most of what is said at once, which is kept from one time to the next.
const USUAL: usize = 512;

static WAITING: AtomicUsize = AtomicUsize::new(0);

/// The bytes that wait for all clients of this process.
pub(super) fn waiting_in_all() -> usize {
    WAITING.load(Ordering::Relaxed)
}

/// How what waits is put together.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// Packets with a separator between them, for the next request.
    Polling,
    /// The same, but a WebSocket is being tried.
    Upgrading,
    /// Frames.
    WebSocket,
}

/// What waits for a client, and what it has to do until when.
pub(super) struct Out {
    pub(super) way: Way,
    pub(super) bytes: Vec<u8>,
    /// How many of them are written already.
    pub(super) written: usize,
    /// Since when nothing of it could be written.
    pub(super) stuck_since: Option<Instant>,
    pub(super) cut_at: Option<Instant>,
    began: Instant,
    pub(super) has_entered: bool,
    pub(super) pinged: Option<Instant>,
    pub(super) next_ping: Instant,
}

impl Out {
    pub(super) fn new(way: Way) -> Self {
        let now = Instant::now();
        Self {
            way,
            bytes: Vec::new(),
            written: 0,
            stuck_since: None,
            cut_at: None,
            began: now,
            has_entered: false,
            pinged: None,
            next_ping: now + PING_EVERY,
        }
    }

    /// Puts a packet behind what waits.
    pub(super) fn put(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        if self.bytes.capacity() == 0 {
            self.bytes.reserve(USUAL);
        }
        let before = self.bytes.len();
        match self.way {
            Way::Polling | Way::Upgrading => {
                if self.bytes.is_empty() {
                    self.stuck_since = Some(Instant::now());
                } else {
                    self.bytes.push(SEPARATOR as u8);
                }
                write(&mut self.bytes);
            }
            Way::WebSocket => frame(&mut self.bytes, write),
        }
        WAITING.fetch_add(self.bytes.len() - before, Ordering::Relaxed);
    }

    /// Notes that so many bytes of what waits are on their way.
    pub(super) fn advance(&mut self, count: usize) {
        WAITING.fetch_sub(count, Ordering::Relaxed);
        self.written += count;
        self.stuck_since = None;
        if self.written == self.bytes.len() {
            self.written = 0;
            self.bytes.clear();
            if self.bytes.capacity() > USUAL {
                self.bytes = Vec::new();
            }
        } else if self.written > self.bytes.len() / 2 {
            // Something may wait for ever; what was written must not pile up before it.
            self.bytes.drain(..self.written);
            self.written = 0;
        }
    }

    pub(super) fn waiting(&self) -> usize {
        self.bytes.len() - self.written
    }

    /// Puts whole frames behind what waits.
    pub(super) fn put_frames(&mut self, frames: &[u8]) {
        self.bytes.extend(frames);
        WAITING.fetch_add(frames.len(), Ordering::Relaxed);
    }

    /// Everything that waits, and nothing does any more.
    pub(super) fn take_all(&mut self) -> Vec<u8> {
        WAITING.fetch_sub(self.waiting(), Ordering::Relaxed);
        (self.written, self.stuck_since) = (0, None);
        std::mem::take(&mut self.bytes)
    }

    pub(super) fn ping(&mut self, now: Instant) {
        self.put(|bytes| bytes.push(b'2'));
        self.pinged = Some(now);
        self.next_ping = now + PING_EVERY;
    }

    /// When something has to be done at the latest; none if the client has done too little for too long.
    pub(super) fn next_deadline(&self, now: Instant) -> Option<Instant> {
        let limits = [
            self.cut_at.map(|at| at + FAREWELL),
            self.stuck_since.map(|since| since + READING_PATIENCE),
            self.pinged.map(|at| at + PING_PATIENCE),
            (!self.has_entered).then(|| self.began + HELLO_PATIENCE),
        ];
        let limit = limits.into_iter().flatten().min();
        if limit.is_some_and(|limit| limit <= now) {
            return None;
        }
        Some(limit.map_or(self.next_ping, |limit| limit.min(self.next_ping)))
    }
}

impl Drop for Out {
    fn drop(&mut self) {
        self.take_all();
    }
}

/// Writes a frame of text as a server sends it: whole and without a mask.
pub(super) fn frame(bytes: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>)) {
    const TEXT: u8 = 0x81;
    let start = bytes.len();
    bytes.extend([TEXT, 0]);
    write(bytes);
    let length = bytes.len() - start - 2;
    // The shortest way to write the length is the only right one.
    let (short, long) = match length {
        0..126 => (length as u8, &[][..]),
        126..0x1_0000 => (126, &(length as u16).to_be_bytes()[..]),
        _ => (127, &(length as u64).to_be_bytes()[..]),
    };
    bytes[start + 1] = short;
    if !long.is_empty() {
        bytes.splice(start + 2..start + 2, long.iter().copied());
    }
}

/// News as they are sent, written once however many hear them.
pub(crate) struct News(pub(super) Vec<u8>);

impl News {
    pub(crate) fn new(name: &str, message: &impl Serialize) -> Self {
        let mut bytes = Vec::with_capacity(USUAL);
        write_news(&mut bytes, name, message);
        Self(bytes)
    }
}

pub(super) fn write_news(bytes: &mut Vec<u8>, name: &str, message: &impl Serialize) {
    bytes.extend(b"42[\"");
    bytes.extend(name.as_bytes());
    bytes.extend(b"\",");
    write_json(bytes, message);
    bytes.push(b']');
}

pub(super) fn write_json(bytes: &mut Vec<u8>, message: &impl Serialize) {
    serde_json::to_writer(bytes, message).expect("messages can be written as JSON");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_tell_their_length_in_the_shortest_way() {
        for (length, head) in [
            (0, &[0x81, 0][..]),
            (125, &[0x81, 125]),
            (126, &[0x81, 126, 0, 126]),
            (0xffff, &[0x81, 126, 0xff, 0xff]),
            (0x1_0000, &[0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]),
        ] {
            let mut bytes = vec![7];
            frame(&mut bytes, |bytes| bytes.extend(std::iter::repeat_n(b'x', length)));
            assert_eq!(bytes[1..=head.len()], *head, "{length}");
            assert_eq!(bytes.len(), 1 + head.len() + length);
        }
    }
}
