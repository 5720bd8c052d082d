//! Connections: accepted up to a number, given little time to say what they want, and let go in order.

use std::{sync::Arc, time::Duration};

use axum::{Router, body::Body};
use hyper::{Request, body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use socketio::{ConnectionGuard, TcpIo};
use tokio::{net::TcpListener, sync::Semaphore};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tower::ServiceExt;

use super::middleware::Peer;

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
        let guard = ConnectionGuard(Arc::new(place));
        let service = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(Peer(peer));
            request.extensions_mut().insert(guard.clone());
            router.clone().oneshot(request.map(Body::new))
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(PATIENCE)
            .max_buf_size(BUFFER)
            .serve_connection(TokioIo::new(TcpIo::new(stream)), service)
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
