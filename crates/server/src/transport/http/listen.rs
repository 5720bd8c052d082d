//! Accepts connections up to a limit and serves HTTP on them.

use std::{sync::Arc, time::Duration};

use axum::{Router, body::Body};
use hyper::{Request, body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use socketio::{ConnectionGuard, TcpIo};
use tokio::{net::TcpListener, sync::Semaphore};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tower::ServiceExt;

use super::middleware::Peer;

/// Time for the head of a request, also of the next one on the same connection.
const HEADER_TIMEOUT: Duration = Duration::from_secs(20);
/// Time for responses in progress when the server stops.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(5);
/// Longest head of a request.
const MAX_HEADER: usize = 16 * 1024;

/// Serves at most `max_connections` at once until `stop`, then completes the responses in progress.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    max_connections: usize,
    stop: impl Future<Output = ()>,
) {
    let permits = Arc::new(Semaphore::new(max_connections.min(Semaphore::MAX_PERMITS)));
    let (connections, ending) = (TaskTracker::new(), CancellationToken::new());
    tokio::pin!(stop);
    loop {
        let accept = async {
            let permit = permits.clone().acquire_owned().await.expect("the semaphore is never closed");
            (permit, listener.accept().await)
        };
        let (permit, accepted) = tokio::select! {
            accepted = accept => accepted,
            () = &mut stop => break,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // Too many open files, or a connection that was reset: retrying at once would not help.
                tracing::warn!(%error, "accepting a connection failed");
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        // Nagle's algorithm would delay small packets such as moves.
        let _ = stream.set_nodelay(true);
        let router = router.clone();
        let guard = ConnectionGuard(Arc::new(permit));
        let service = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(Peer(peer));
            request.extensions_mut().insert(guard.clone());
            router.clone().oneshot(request.map(Body::new))
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEADER_TIMEOUT)
            .max_buf_size(MAX_HEADER)
            .serve_connection(TokioIo::new(TcpIo::new(stream)), service)
            .with_upgrades();
        let ending = ending.clone();
        connections.spawn(async move {
            tokio::pin!(connection);
            // Errors of a connection concern only its client.
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
    if tokio::time::timeout(SHUTDOWN_TIMEOUT, connections.wait()).await.is_err() {
        tracing::info!("some connections did not finish before the shutdown timeout");
    }
}
