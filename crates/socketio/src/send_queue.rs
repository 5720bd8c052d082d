//! Outgoing packets of one session, encoded as they will be written, and the deadlines that its client has to meet.

use std::sync::Arc;

use serde::Serialize;
use tokio::time::Instant;

use crate::{packet::SEPARATOR, shared::Shared};

/// Capacity that is kept between bursts: most of what is written at once fits.
const USUAL_CAPACITY: usize = 512;

/// How a session reaches its client, which decides how packets are framed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Transport {
    /// HTTP long-polling: packets joined by a separator, for the next request.
    Polling,
    /// Still polling, while a WebSocket is being probed.
    Upgrading,
    /// WebSocket frames.
    WebSocket,
}

/// Packets that wait to be written, and the deadlines of the client.
pub(crate) struct SendQueue {
    shared: Arc<Shared>,
    pub(crate) transport: Transport,
    pub(crate) bytes: Vec<u8>,
    /// Number of bytes already written.
    pub(crate) written: usize,
    /// Since when the client has accepted nothing.
    pub(crate) stalled_since: Option<Instant>,
    pub(crate) closing_since: Option<Instant>,
    opened_at: Instant,
    pub(crate) is_connected: bool,
    pub(crate) pinged_at: Option<Instant>,
    pub(crate) next_ping: Instant,
}

impl SendQueue {
    pub(crate) fn new(shared: Arc<Shared>, transport: Transport) -> Self {
        let now = Instant::now();
        Self {
            transport,
            bytes: Vec::new(),
            written: 0,
            stalled_since: None,
            closing_since: None,
            opened_at: now,
            is_connected: false,
            pinged_at: None,
            next_ping: now + shared.config.ping_interval,
            shared,
        }
    }

    /// Appends a packet.
    pub(crate) fn push(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        if self.bytes.capacity() == 0 {
            self.bytes.reserve(USUAL_CAPACITY);
        }
        let before = self.bytes.len();
        match self.transport {
            Transport::Polling | Transport::Upgrading => {
                if self.bytes.is_empty() {
                    self.stalled_since = Some(Instant::now());
                } else {
                    self.bytes.push(SEPARATOR as u8);
                }
                write(&mut self.bytes);
            }
            Transport::WebSocket => write_text_frame(&mut self.bytes, write),
        }
        self.shared.add_queued(self.bytes.len() - before);
    }

    /// Appends WebSocket frames that are encoded already.
    pub(crate) fn push_frames(&mut self, frames: &[u8]) {
        self.bytes.extend(frames);
        self.shared.add_queued(frames.len());
    }

    /// Notes that the connection has accepted this many bytes.
    pub(crate) fn advance(&mut self, count: usize) {
        self.shared.remove_queued(count);
        self.written += count;
        self.stalled_since = None;
        if self.written == self.bytes.len() {
            self.written = 0;
            self.bytes.clear();
            if self.bytes.capacity() > USUAL_CAPACITY {
                self.bytes = Vec::new();
            }
        } else if self.written > self.bytes.len() / 2 {
            // The queue may never become empty; written bytes must not accumulate in front of it.
            self.bytes.drain(..self.written);
            self.written = 0;
        }
    }

    /// Bytes that are not written yet.
    pub(crate) fn queued(&self) -> usize {
        self.bytes.len() - self.written
    }

    /// Empties the queue.
    pub(crate) fn take_all(&mut self) -> Vec<u8> {
        self.shared.remove_queued(self.queued());
        (self.written, self.stalled_since) = (0, None);
        std::mem::take(&mut self.bytes)
    }

    pub(crate) fn ping(&mut self, now: Instant) {
        self.push(|bytes| bytes.push(b'2'));
        self.pinged_at = Some(now);
        self.next_ping = now + self.shared.config.ping_interval;
    }

    /// When to act next; `None` if the client has missed a deadline.
    pub(crate) fn next_deadline(&self, now: Instant) -> Option<Instant> {
        let config = &self.shared.config;
        let limits = [
            self.closing_since.map(|at| at + config.shutdown_timeout),
            self.stalled_since.map(|since| since + config.write_timeout),
            self.pinged_at.map(|at| at + config.ping_timeout),
            (!self.is_connected).then(|| self.opened_at + config.connect_timeout),
        ];
        let limit = limits.into_iter().flatten().min();
        if limit.is_some_and(|limit| limit <= now) {
            return None;
        }
        Some(limit.map_or(self.next_ping, |limit| limit.min(self.next_ping)))
    }
}

impl Drop for SendQueue {
    fn drop(&mut self) {
        self.take_all();
    }
}

/// Writes an unfragmented, unmasked text frame, as servers send them.
pub(crate) fn write_text_frame(bytes: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>)) {
    const FINAL_TEXT: u8 = 0x81;
    let start = bytes.len();
    bytes.extend([FINAL_TEXT, 0]);
    write(bytes);
    let length = bytes.len() - start - 2;
    // RFC 6455 requires the shortest encoding of the length.
    let (short, extended) = match length {
        0..126 => (length as u8, &[][..]),
        126..0x1_0000 => (126, &(length as u16).to_be_bytes()[..]),
        _ => (127, &(length as u64).to_be_bytes()[..]),
    };
    bytes[start + 1] = short;
    if !extended.is_empty() {
        bytes.splice(start + 2..start + 2, extended.iter().copied());
    }
}

/// An encoded event, serialised once for all its recipients.
pub struct Frame(pub(crate) Vec<u8>);

impl Frame {
    /// Encodes an event.
    ///
    /// # Panics
    /// If the message cannot be represented as JSON.
    #[must_use]
    pub fn new(event: &str, message: &impl Serialize) -> Self {
        let mut bytes = Vec::with_capacity(USUAL_CAPACITY);
        write_event(&mut bytes, event, message);
        Self(bytes)
    }
}

pub(crate) fn write_event(bytes: &mut Vec<u8>, event: &str, message: &impl Serialize) {
    bytes.extend(b"42[\"");
    bytes.extend(event.as_bytes());
    bytes.extend(b"\",");
    write_json(bytes, message);
    bytes.push(b']');
}

pub(crate) fn write_json(bytes: &mut Vec<u8>, message: &impl Serialize) {
    serde_json::to_writer(bytes, message).expect("messages serialise as JSON");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frame_lengths_use_the_shortest_encoding() {
        for (length, head) in [
            (0, &[0x81, 0][..]),
            (125, &[0x81, 125]),
            (126, &[0x81, 126, 0, 126]),
            (0xffff, &[0x81, 126, 0xff, 0xff]),
            (0x1_0000, &[0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]),
        ] {
            let mut bytes = vec![7];
            write_text_frame(&mut bytes, |bytes| bytes.extend(std::iter::repeat_n(b'x', length)));
            assert_eq!(bytes[1..=head.len()], *head, "{length}");
            assert_eq!(bytes.len(), 1 + head.len() + length);
        }
    }
}
