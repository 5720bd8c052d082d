//! Accepts connections up to a limit and serves HTTP on them. Connections beyond it are refused at once.

use std::{convert::Infallible, sync::Arc, time::Duration};

use axum::{
    Router,
    body::Body,
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use hyper::{Request, body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use protocol::{Done, ErrorCode};
use socketio::{ConnectionGuard, TcpIo};
use store::task;
use tokio::{
    net::{TcpListener, TcpStream},
    sync::Semaphore,
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tower::ServiceExt;

use super::{
    connection_limiter::{Admission, ConnectionLimiter, ConnectionLimits},
    error::HttpError,
    health::HEALTH,
    json::Json,
    middleware::Peer,
};

/// Time for the head of a request, also of the next one on the same connection.
const HEADER_TIMEOUT: Duration = Duration::from_secs(20);
/// Time within which a client must read some of the response. A client that does not read must not fill our memory.
const READ_TIMEOUT: Duration = Duration::from_secs(30);
/// Time for responses in progress when the server stops.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(5);
/// Longest head of a request.
const MAX_HEADER: usize = 16 * 1024;
/// Maximum number of concurrent refusals; further connections are closed without a response.
const MAX_REFUSALS: usize = 64;
/// Time for one refusal.
const REFUSAL_TIMEOUT: Duration = Duration::from_secs(5);

/// Serves connections until `stop`, then completes the responses in progress.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    limits: ConnectionLimits,
    stop: impl Future<Output = ()>,
) {
    let (limiter, refusals) = (ConnectionLimiter::new(limits), Arc::new(Semaphore::new(MAX_REFUSALS)));
    let (connections, ending) = (TaskTracker::new(), CancellationToken::new());
    tokio::pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // Too many open files, or a connection that was reset: retrying at once would not help.
                limiter.log(&format!("accepting a connection failed: {error}"));
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        // Nagle's algorithm would delay small packets such as moves.
        let _ = stream.set_nodelay(true);
        match limiter.admit(peer.ip()) {
            Some(admission) => {
                let connection = connection(stream, Peer(peer), router.clone(), admission, ending.clone());
                connections.spawn(task::boxed(connection));
            }
            None => {
                if let Ok(permit) = refusals.clone().try_acquire_owned() {
                    task::spawn(async move {
                        let _permit = permit;
                        let _ = tokio::time::timeout(REFUSAL_TIMEOUT, refuse(stream)).await;
                    });
                }
            }
        }
    }
    drop(listener);
    ending.cancel();
    connections.close();
    if tokio::time::timeout(SHUTDOWN_TIMEOUT, connections.wait()).await.is_err() {
        tracing::info!("shutdown_timeout: some connections did not finish");
    }
}

fn http() -> http1::Builder {
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEADER_TIMEOUT).max_buf_size(MAX_HEADER);
    builder
}

async fn connection(
    stream: TcpStream,
    peer: Peer,
    router: Router,
    admission: Admission,
    ending: CancellationToken,
) {
    let guard = ConnectionGuard(Arc::new(admission));
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(peer);
        request.extensions_mut().insert(guard.clone());
        router.clone().oneshot(request.map(Body::new))
    });
    let connection =
        http().serve_connection(TokioIo::new(TcpIo::new(stream, READ_TIMEOUT)), service).with_upgrades();
    tokio::pin!(connection);
    // Errors of a connection concern only its client.
    tokio::select! {
        _ = connection.as_mut() => {}
        () = ending.cancelled() => {
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        }
    }
}

/// Refuses one request of a connection beyond the limit, but always responds to health checks.
async fn refuse(stream: TcpStream) {
    let service = service_fn(|request: Request<Incoming>| async move {
        let mut response: Response = match request.uri().path() {
            HEALTH => Json(Done::new()).into_response(),
            _ => HttpError(ErrorCode::Busy.because("too many connections; try again later")).into_response(),
        };
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
        Ok::<_, Infallible>(response)
    });
    let _ = http().serve_connection(TokioIo::new(TcpIo::new(stream, READ_TIMEOUT)), service).await;
}
