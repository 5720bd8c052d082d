//! Connections: accepted up to a number, given little time to say what they want, and let go in order.

use std::{
    io::{self, Read},
    net::Shutdown,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

use axum::{
    Router,
    body::Body,
    http::{HeaderName, HeaderValue, header::UPGRADE},
};
use hyper::{Request, body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use socket2::SockRef;
use tokio::{
    io::{AsyncRead, AsyncWrite, Interest, ReadBuf},
    net::{TcpListener, TcpStream},
    sync::Semaphore,
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tower::ServiceExt;

use super::edge::Peer;

/// A connection without a whole request for so long is closed, also one that is kept for the next.
const PATIENCE: Duration = Duration::from_secs(20);
/// After the end of serving, answers that are on their way get this long.
const FAREWELL: Duration = Duration::from_secs(5);
/// Requests' heads are short.
const BUFFER: usize = 16 * 1024;

/// Serves until `stop`, then finishes what is on its way.
pub async fn serve(listener: TcpListener, router: Router, most: usize, stop: impl Future<Output = ()>) {
    let places = Arc::new(Semaphore::new(most.min(Semaphore::MAX_PERMITS)));
    let (connections, ending) = (TaskTracker::new(), CancellationToken::new());
    tokio::pin!(stop);
    loop {
        let accept = async {
            let place = places.clone().acquire_owned().await.expect("the semaphore is never closed");
            (place, listener.accept().await)
        };
        let (place, accepted) = tokio::select! {
            accepted = accept => accepted,
            () = &mut stop => break,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // Too many open files, or a connection that is gone again: neither is cured by hurry.
                tracing::warn!(%error, "no connection");
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        // Moves are small and must not wait for each other.
        let _ = stream.set_nodelay(true);
        let router = router.clone();
        let place = Arc::new(place);
        let stream = Arc::new(stream);
        let weak = Arc::downgrade(&stream);
        let service = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(Peer(peer));
            // A connection that became a socket has its place for as long as it lives.
            request.extensions_mut().insert(place.clone());
            // So that a client who does not go can be let go.
            request.extensions_mut().insert(weak.clone());
            if request.headers().contains_key(UPGRADE) {
                detach(&mut request);
            }
            router.clone().oneshot(request.map(Body::new))
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(PATIENCE)
            .max_buf_size(BUFFER)
            .serve_connection(TokioIo::new(Shared(stream)), service)
            .with_upgrades();
        let ending = ending.clone();
        connections.spawn(async move {
            tokio::pin!(connection);
            // A client that leaves in the middle is its own affair.
            tokio::select! {
                _ = connection.as_mut() => {}
                () = ending.cancelled() => {
                    connection.as_mut().graceful_shutdown();
                    let _ = connection.await;
                }
            }
        });
    }
    drop(listener);
    ending.cancel();
    connections.close();
    if tokio::time::timeout(FAREWELL, connections.wait()).await.is_err() {
        tracing::info!("some connections did not end in time");
    }
}

/// A request's head is made of pieces of the buffer it was read into. A socket keeps its head for as long as it lives,
/// which must not keep the buffer.
fn detach(request: &mut Request<Incoming>) {
    let copy = |(name, value): (&HeaderName, &HeaderValue)| {
        let name = HeaderName::from_bytes(name.as_ref()).ok()?;
        Some((name, HeaderValue::from_bytes(value.as_bytes()).ok()?))
    };
    *request.headers_mut() = request.headers().iter().filter_map(copy).collect();
    if let Ok(uri) = request.uri().to_string().parse() {
        *request.uri_mut() = uri;
    }
}

/// A connection that somebody else may close.
struct Shared(Arc<TcpStream>);

impl AsyncRead for Shared {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        loop {
            ready!(self.0.poll_read_ready(context))?;
            let room = into.initialize_unfilled();
            let (size, mut count) = (room.len(), None);
            let done = self.0.try_io(Interest::READABLE, || {
                let read = (&*SockRef::from(&*self.0)).read(room)?;
                count = Some(read);
                // Less than there is room for: nothing more is there, and nobody need ask in order to hear so.
                if read > 0 && read < size { Err(io::ErrorKind::WouldBlock.into()) } else { Ok(()) }
            });
            match (count, done) {
                (Some(count), _) => {
                    into.advance(count);
                    return Poll::Ready(Ok(()));
                }
                (None, Err(error)) if error.kind() != io::ErrorKind::WouldBlock => {
                    return Poll::Ready(Err(error));
                }
                (None, _) => {}
            }
        }
    }
}

impl Shared {
    fn write(
        &self,
        context: &mut Context<'_>,
        write: impl Fn(&TcpStream) -> io::Result<usize>,
    ) -> Poll<io::Result<usize>> {
        loop {
            ready!(self.0.poll_write_ready(context))?;
            match write(&self.0) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                done => return Poll::Ready(done),
            }
        }
    }
}

impl AsyncWrite for Shared {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.write(context, |stream| stream.try_write(bytes))
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.write(context, |stream| stream.try_write_vectored(parts))
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        // An error means that it is closed already.
        let _ = SockRef::from(&*self.0).shutdown(Shutdown::Write);
        Poll::Ready(Ok(()))
    }
}
