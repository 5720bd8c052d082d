//! A client by a WebSocket. One task reads what it says, in order, and writes what waits for it.

use std::{
    future::poll_fn,
    io::{self, Read, Write},
    net::Shutdown,
    pin::{Pin, pin},
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

use axum::{
    extract::Request,
    http::{HeaderMap, HeaderValue, StatusCode, header},
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

use super::{
    LONGEST_MESSAGE,
    out::frame,
    packet::Packet,
    wire::{Taken, Wire, Written},
};
use crate::{
    app::App,
    transport::http::{Place, Stream, read_now},
};

/// Most messages of a client are far shorter; a longer one is read in parts.
const USUAL_MESSAGE: usize = 1 << 10;
/// How often a connection is read before others have their turn.
const MOST_READS: usize = 16;
/// How long trying a WebSocket may take.
const PROBING: Duration = Duration::from_secs(10);

/// What a request for a WebSocket leaves behind for the time after the answer.
pub(super) struct Promise {
    upgrade: OnUpgrade,
    /// A connection that became a socket has its place for as long as it lives.
    place: Option<Place>,
}

/// The answer to a request for a WebSocket, if it is one.
pub(super) fn accept(request: &mut Request) -> Option<(Response, Promise)> {
    let headers = request.headers();
    let says = |headers: &HeaderMap, name, word: &str| {
        let value = headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
        value.is_some_and(|value| value.split(',').any(|part| part.trim().eq_ignore_ascii_case(word)))
    };
    let key = headers.get(header::SEC_WEBSOCKET_KEY)?;
    let is_meant = says(headers, header::UPGRADE, "websocket")
        && says(headers, header::CONNECTION, "upgrade")
        && says(headers, header::SEC_WEBSOCKET_VERSION, "13");
    if !is_meant {
        return None;
    }
    let accepted = [
        (header::CONNECTION, HeaderValue::from_static("Upgrade")),
        (header::UPGRADE, HeaderValue::from_static("websocket")),
        (header::SEC_WEBSOCKET_ACCEPT, derive_accept_key(key.as_bytes()).parse().ok()?),
    ];
    let upgrade = request.extensions_mut().remove::<OnUpgrade>()?;
    let place = request.extensions().get::<Place>().cloned();
    Some(((StatusCode::SWITCHING_PROTOCOLS, accepted).into_response(), Promise { upgrade, place }))
}

impl Promise {
    /// The connection, once the answer is on its way.
    pub(super) async fn keep(self) -> Option<WebSocket> {
        let parts = self.upgrade.await.ok()?.downcast::<TokioIo<Stream>>().ok()?;
        let config = WebSocketConfig::default()
            .read_buffer_size(USUAL_MESSAGE)
            .max_message_size(Some(LONGEST_MESSAGE))
            .max_frame_size(Some(LONGEST_MESSAGE));
        // A copy: what was read together with the request is as a rule nothing, in a large buffer.
        let read = parts.read_buf.to_vec();
        let frames = WebSocketContext::from_partially_read(read, Role::Server, Some(config));
        Some(WebSocket { stream: parts.io.into_inner().into_inner(), frames, _place: self.place })
    }
}

/// A connection on which frames come and go.
pub(super) struct WebSocket {
    stream: TcpStream,
    frames: WebSocketContext,
    _place: Option<Place>,
}

/// A connection as it is read: without waiting, and with somewhere for the frames that answer frames.
struct Now<'a, F> {
    stream: &'a TcpStream,
    answer: F,
    /// Frames without an end are read one after the other; after so many times others have their turn.
    reads: usize,
}

impl<F> Read for Now<'_, F> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.reads = self.reads.checked_sub(1).ok_or(io::ErrorKind::WouldBlock)?;
        read_now(self.stream, into)
    }
}

impl<F: FnMut(&[u8])> Write for Now<'_, F> {
    fn write(&mut self, frames: &[u8]) -> io::Result<usize> {
        (self.answer)(frames);
        Ok(frames.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The next text or piece of bytes of a connection; none if it is at its end, or should be.
fn poll_message(
    stream: &TcpStream,
    frames: &mut WebSocketContext,
    context: &mut Context<'_>,
    mut answer: impl FnMut(&[u8]),
) -> Poll<Option<Message>> {
    loop {
        // However fast a client is, the others have their turns.
        let turn = ready!(coop::poll_proceed(context));
        match frames.read(&mut Now { stream, answer: &mut answer, reads: MOST_READS }) {
            Ok(Message::Ping(_) | Message::Pong(_) | Message::Close(_)) => turn.made_progress(),
            Ok(message) => {
                turn.made_progress();
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
    /// Lets a client that came by requests come by this connection instead; whether it does.
    pub(super) async fn take_over(&mut self, wire: &Wire) -> bool {
        let mut has_begun = false;
        let is_done = timeout(PROBING, self.probe(wire, &mut has_begun)).await.unwrap_or(false);
        match is_done {
            true => wire.finish_upgrade(),
            false if has_begun => wire.give_up_upgrade(),
            false => {}
        }
        is_done
    }

    async fn probe(&mut self, wire: &Wire, has_begun: &mut bool) -> bool {
        if self.next_text().await.is_none_or(|text| Packet::read(&text) != Some(Packet::Probe)) {
            return false;
        }
        *has_begun = wire.begin_upgrade();
        // A new connection has room for a few bytes.
        let mut answer = Vec::new();
        frame(&mut answer, |bytes| bytes.extend(b"3probe"));
        *has_begun
            && self.stream.try_write(&answer).is_ok_and(|count| count == answer.len())
            && self.next_text().await.is_some_and(|text| Packet::read(&text) == Some(Packet::Upgrade))
    }

    /// The next text while the connection is only tried; frames that want an answer get none yet.
    async fn next_text(&mut self) -> Option<Utf8Bytes> {
        let next = poll_fn(|context| poll_message(&self.stream, &mut self.frames, context, |_| ()));
        next.await?.into_text().ok()
    }

    /// Serves a client until it is gone.
    pub(super) async fn serve(mut self, app: Arc<App>, wire: Arc<Wire>) {
        let _end = End(&wire);
        let mut alarm = pin!(sleep_until(Instant::now()));
        while let Some(message) = poll_fn(|context| self.poll_next(context, &wire, alarm.as_mut())).await {
            let taken = match message {
                Message::Text(text) => wire.take(&text),
                _ => wire.take_bytes(),
            };
            match taken {
                Taken::Done => {}
                // Rare and large: not worth its place in the state of every connection.
                Taken::Enters => Box::pin(wire.enter(&app)).await,
                // Sent away meanwhile, with a goodbye that is still to be written.
                Taken::Over if wire.is_cut() => {}
                Taken::Over => break,
            }
        }
    }

    /// Reads what has come, and if there is nothing, writes what waits and looks at the clock.
    fn poll_next(
        &mut self,
        context: &mut Context<'_>,
        wire: &Wire,
        mut alarm: Pin<&mut Sleep>,
    ) -> Poll<Option<Message>> {
        wire.wake_me(context);
        loop {
            let answer = |frames: &[u8]| wire.send_frames(frames);
            match poll_message(&self.stream, &mut self.frames, context, answer) {
                // Who was sent away is not heard, but let go in peace: with unread words the goodbye would be lost.
                Poll::Ready(Some(_)) if wire.is_cut() => continue,
                Poll::Ready(Some(message)) => return Poll::Ready(Some(message)),
                Poll::Ready(None) => {
                    // The answer to a goodbye.
                    let _ = wire.write(context, &self.stream);
                    return Poll::Ready(None);
                }
                Poll::Pending => {}
            }
            let Ok(Written { is_farewell, deadline: Some(deadline) }) = wire.write(context, &self.stream)
            else {
                return Poll::Ready(None);
            };
            if is_farewell {
                // An error means that it is closed already.
                let _ = SockRef::from(&self.stream).shutdown(Shutdown::Write);
            }
            if deadline < alarm.deadline() || alarm.is_elapsed() {
                alarm.as_mut().reset(deadline);
            }
            ready!(alarm.as_mut().poll(context));
            if wire.beat().is_none() {
                return Poll::Ready(None);
            }
        }
    }
}

/// However serving ends, the client is gone then.
struct End<'a>(&'a Wire);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}
