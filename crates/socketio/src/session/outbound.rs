//! What a transport needs to serve a session: its deadlines, its queue, and the upgrade from polling to a WebSocket.

use std::{
    io,
    task::{Context, Poll},
};

use tokio::{net::TcpStream, time::Instant};

use super::Session;
use crate::{packet::SEPARATOR, send_queue::Transport};

/// Result of polling for packets.
pub(crate) enum Polled {
    Packets(Vec<u8>),
    /// Nothing, while a WebSocket is being probed.
    Upgrading,
    /// Nothing: the WebSocket has taken over.
    Upgraded,
    /// Nothing: the session is closed.
    Closed,
}

/// Result of writing the queue.
pub(crate) struct Flushed {
    /// The session is closed and its last packets are written.
    pub(crate) is_shut_down: bool,
    /// When to call [`Session::tick`] at the latest; `None` if the client has missed a deadline.
    pub(crate) deadline: Option<Instant>,
}

impl Session {
    /// Registers the task to wake when there is something to write. Call it before looking at the queue.
    pub(crate) fn register_writer(&self, context: &Context<'_>) {
        self.writer.register(context.waker());
    }

    /// Sends a ping if one is due. Returns when to call again; `None` if the client has missed a deadline.
    pub(crate) fn tick(&self) -> Option<Instant> {
        let now = Instant::now();
        let mut queue = self.queue.lock();
        queue.next_deadline(now)?;
        if queue.next_ping <= now {
            if queue.closing_since.is_none() && queue.pinged_at.is_none() {
                queue.ping(now);
                self.writer.wake();
            } else {
                queue.next_ping = now + self.config().ping_interval;
            }
        }
        queue.next_deadline(now)
    }

    /// Writes the queue as far as the connection accepts it.
    pub(crate) fn flush(&self, context: &mut Context<'_>, stream: &TcpStream) -> io::Result<Flushed> {
        let mut queue = self.queue.lock();
        while queue.queued() > 0 {
            match stream.try_write(&queue.bytes[queue.written..]) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(count) => queue.advance(count),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    if stream.poll_write_ready(context)?.is_pending() {
                        queue.stalled_since.get_or_insert_with(Instant::now);
                        break;
                    }
                }
                Err(error) => return Err(error),
            }
        }
        let is_shut_down = queue.closing_since.is_some() && queue.queued() == 0;
        Ok(Flushed { is_shut_down, deadline: queue.next_deadline(Instant::now()) })
    }

    /// Queues WebSocket frames. If the session is closed, the transport is about to notice.
    pub(crate) fn send_frames(&self, frames: &[u8]) {
        self.enqueue(|queue| queue.push_frames(frames));
    }

    /// Takes queued packets for a polling request.
    pub(crate) fn poll_packets(&self, context: &Context<'_>) -> Poll<Polled> {
        let mut queue = self.queue.lock();
        if queue.transport == Transport::WebSocket {
            return Poll::Ready(Polled::Upgraded);
        }
        if queue.bytes.is_empty() {
            if queue.closing_since.is_some() {
                return Poll::Ready(Polled::Closed);
            }
            if queue.transport == Transport::Upgrading {
                return Poll::Ready(Polled::Upgrading);
            }
            // Under the lock, so that a stale poll cannot replace the waker of a WebSocket.
            self.writer.register(context.waker());
            return Poll::Pending;
        }
        let mut packets = queue.take_all();
        let max = self.config().max_polled;
        let is_separator = |byte: &u8| *byte == SEPARATOR as u8;
        if let Some(end) = packets.get(max..).and_then(|rest| rest.iter().position(is_separator)) {
            let rest = packets.split_off(max + end);
            queue.push(|bytes| bytes.extend(&rest[1..]));
        }
        Poll::Ready(Polled::Packets(packets))
    }

    /// Starts an upgrade; false if none is possible.
    pub(crate) fn begin_upgrade(&self) -> bool {
        let mut queue = self.queue.lock();
        let is_possible = queue.transport == Transport::Polling && queue.closing_since.is_none();
        if is_possible {
            queue.transport = Transport::Upgrading;
            self.writer.wake();
        }
        is_possible
    }

    /// Returns to polling after a failed upgrade.
    pub(crate) fn abort_upgrade(&self) {
        self.queue.lock().transport = Transport::Polling;
    }

    /// Completes an upgrade: queued packets become WebSocket frames.
    pub(crate) fn finish_upgrade(&self) {
        let mut queue = self.queue.lock();
        let packets = queue.take_all();
        queue.transport = Transport::WebSocket;
        for packet in packets.split(|byte| *byte == SEPARATOR as u8).filter(|packet| !packet.is_empty()) {
            queue.push(|bytes| bytes.extend(packet));
        }
    }

    pub(crate) fn is_upgrading(&self) -> bool {
        self.queue.lock().transport == Transport::Upgrading
    }

    pub(crate) fn is_websocket(&self) -> bool {
        self.queue.lock().transport == Transport::WebSocket
    }
}
