//! The WebSocket transport: one task per connection reads packets in order and writes queued ones.

use std::{
    future::poll_fn,
    io::{self, Read, Write},
    net::Shutdown,
    pin::{Pin, pin},
    sync::Arc,
    task::{Context, Poll, ready},
};

use axum::{
    extract::Request,
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use hyper::upgrade::OnUpgrade;
use hyper_util::rt::TokioIo;
use socket2::SockRef;
use tokio::{
    net::TcpStream,
    task::coop,
    time::{Instant, Sleep, sleep_until, timeout},
};
use tungstenite::{
    Error, Message, Utf8Bytes,
    handshake::derive_accept_key,
    protocol::{Role, WebSocketConfig, WebSocketContext},
};

use crate::{
    config::Config,
    packet::Packet,
    send_queue::write_text_frame,
    session::{Flushed, Received, Session},
    tcp::{ConnectionGuard, TcpIo, try_read},
};

/// Size of the read buffer. Most messages are far shorter; longer ones are read in parts.
const READ_BUFFER: usize = 1 << 10;
/// Consecutive reads of one connection before the task yields.
const MAX_READS: usize = 16;

/// An accepted WebSocket handshake; the connection becomes available once the response is sent.
pub(crate) struct Upgrade {
    on_upgrade: OnUpgrade,
    guard: Option<ConnectionGuard>,
}

/// Responds to a WebSocket handshake; `None` if the request is not a handshake.
pub(crate) fn accept(request: &mut Request) -> Option<(Response, Upgrade)> {
    let headers = request.headers();
    let contains = |headers: &HeaderMap, name: HeaderName, token: &str| {
        let value = headers.get(name).and_then(|value| value.to_str().ok());
        value.is_some_and(|value| value.split(',').any(|part| part.trim().eq_ignore_ascii_case(token)))
    };
    let key = headers.get(header::SEC_WEBSOCKET_KEY)?;
    let is_handshake = contains(headers, header::UPGRADE, "websocket")
        && contains(headers, header::CONNECTION, "upgrade")
        && contains(headers, header::SEC_WEBSOCKET_VERSION, "13");
    if !is_handshake {
        return None;
    }
    let accepted = [
        (header::CONNECTION, HeaderValue::from_static("Upgrade")),
        (header::UPGRADE, HeaderValue::from_static("websocket")),
        (header::SEC_WEBSOCKET_ACCEPT, derive_accept_key(key.as_bytes()).parse().ok()?),
    ];
    let on_upgrade = request.extensions_mut().remove::<OnUpgrade>()?;
    let guard = request.extensions().get::<ConnectionGuard>().cloned();
    Some(((StatusCode::SWITCHING_PROTOCOLS, accepted).into_response(), Upgrade { on_upgrade, guard }))
}

impl Upgrade {
    /// Waits until the response is sent.
    pub(crate) async fn complete(self, config: &Config) -> Option<WebSocket> {
        let parts = self.on_upgrade.await.ok()?.downcast::<TokioIo<TcpIo>>().ok()?;
        let limits = WebSocketConfig::default()
            .read_buffer_size(READ_BUFFER)
            .max_message_size(Some(config.max_payload))
            .max_frame_size(Some(config.max_payload));
        // Copied, because hyper's buffer is large and usually holds nothing after the request.
        let read = parts.read_buf.to_vec();
        let frames = WebSocketContext::from_partially_read(read, Role::Server, Some(limits));
        Some(WebSocket { stream: parts.io.into_inner().into_inner(), frames, _guard: self.guard })
    }
}

/// An upgraded connection.
pub(crate) struct WebSocket {
    stream: TcpStream,
    frames: WebSocketContext,
    _guard: Option<ConnectionGuard>,
}

/// The connection as tungstenite reads it: without waiting, with control frames written to `reply`.
struct NonBlocking<'a, F> {
    stream: &'a TcpStream,
    reply: F,
    /// Bounds how long a stream of endless fragments keeps the task.
    reads_left: usize,
}

impl<F> Read for NonBlocking<'_, F> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.reads_left = self.reads_left.checked_sub(1).ok_or(io::ErrorKind::WouldBlock)?;
        try_read(self.stream, into)
    }
}

impl<F: FnMut(&[u8])> Write for NonBlocking<'_, F> {
    fn write(&mut self, frames: &[u8]) -> io::Result<usize> {
        (self.reply)(frames);
        Ok(frames.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Polls for the next text or binary message; `None` at the end of the connection or after an error.
fn poll_message(
    stream: &TcpStream,
    frames: &mut WebSocketContext,
    context: &mut Context<'_>,
    mut reply: impl FnMut(&[u8]),
) -> Poll<Option<Message>> {
    loop {
        // A fast client must not starve the others.
        let budget = ready!(coop::poll_proceed(context));
        match frames.read(&mut NonBlocking { stream, reply: &mut reply, reads_left: MAX_READS }) {
            Ok(Message::Ping(_) | Message::Pong(_) | Message::Close(_)) => budget.made_progress(),
            Ok(message) => {
                budget.made_progress();
                return Poll::Ready(Some(message));
            }
            Err(Error::Io(error)) if error.kind() == io::ErrorKind::WouldBlock => {
                if ready!(stream.poll_read_ready(context)).is_err() {
                    return Poll::Ready(None);
                }
            }
            Err(_) => return Poll::Ready(None),
        }
    }
}

impl WebSocket {
    /// Upgrades a polling session to this connection; returns whether that succeeded.
    pub(crate) async fn take_over(&mut self, session: &Session) -> bool {
        let mut has_begun = false;
        let probe = self.probe(session, &mut has_begun);
        let is_upgraded = timeout(session.config().upgrade_timeout, probe).await.unwrap_or(false);
        match is_upgraded {
            true => session.finish_upgrade(),
            false if has_begun => session.abort_upgrade(),
            false => {}
        }
        is_upgraded
    }

    async fn probe(&mut self, session: &Session, has_begun: &mut bool) -> bool {
        if self.next_text().await.is_none_or(|text| Packet::parse(&text) != Some(Packet::Probe)) {
            return false;
        }
        *has_begun = session.begin_upgrade();
        // A new connection has room for a few bytes in its send buffer.
        let mut reply = Vec::new();
        write_text_frame(&mut reply, |bytes| bytes.extend(b"3probe"));
        *has_begun
            && self.stream.try_write(&reply).is_ok_and(|count| count == reply.len())
            && self.next_text().await.is_some_and(|text| Packet::parse(&text) == Some(Packet::Upgrade))
    }

    /// Waits for the next text during a probe; control frames are not answered yet.
    async fn next_text(&mut self) -> Option<Utf8Bytes> {
        let next = poll_fn(|context| poll_message(&self.stream, &mut self.frames, context, |_| ()));
        next.await?.into_text().ok()
    }

    /// Serves a session until it ends.
    pub(crate) async fn serve(mut self, session: Arc<Session>) {
        let _end = EndGuard(&session);
        let mut alarm = pin!(sleep_until(Instant::now()));
        while let Some(message) = poll_fn(|context| self.poll_next(context, &session, alarm.as_mut())).await {
            let received = match message {
                Message::Text(text) => session.receive(&text),
                _ => session.receive_attachment(),
            };
            match received {
                Received::Handled => {}
                Received::Connect(auth) => session.connect(auth).await,
                // Closed by the server meanwhile; the last packets are still to be written.
                Received::Closed if session.is_closing() => {}
                Received::Closed => break,
            }
        }
    }

    /// Reads the next message; while there is none, writes queued packets and keeps the deadlines.
    fn poll_next(
        &mut self,
        context: &mut Context<'_>,
        session: &Session,
        mut alarm: Pin<&mut Sleep>,
    ) -> Poll<Option<Message>> {
        session.register_writer(context);
        loop {
            let reply = |frames: &[u8]| session.send_frames(frames);
            match poll_message(&self.stream, &mut self.frames, context, reply) {
                // Messages of a closing session are read and dropped: closing the connection with unread data would
                // reset it, and the client would lose our last packets.
                Poll::Ready(Some(_)) if session.is_closing() => continue,
                Poll::Ready(Some(message)) => return Poll::Ready(Some(message)),
                Poll::Ready(None) => {
                    // The reply to a close frame.
                    let _ = session.flush(context, &self.stream);
                    return Poll::Ready(None);
                }
                Poll::Pending => {}
            }
            let Ok(Flushed { is_shut_down, deadline: Some(deadline) }) = session.flush(context, &self.stream)
            else {
                return Poll::Ready(None);
            };
            if is_shut_down {
                // An error means that the connection is closed already.
                let _ = SockRef::from(&self.stream).shutdown(Shutdown::Write);
            }
            if deadline < alarm.deadline() || alarm.is_elapsed() {
                alarm.as_mut().reset(deadline);
            }
            ready!(alarm.as_mut().poll(context));
            if session.tick().is_none() {
                return Poll::Ready(None);
            }
        }
    }
}

/// Ends the session on drop, in whatever way `serve` ends.
struct EndGuard<'a>(&'a Session);

impl Drop for EndGuard<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}
