//! Applied to every request: origin check, security headers, metrics and log. The log contains no secret: not the path,
//! which may name an unlisted table, no cookie, no token, no body.

use std::{net::SocketAddr, sync::Arc, time::Instant};

use axum::{
    extract::{MatchedPath, Request, State},
    http::{HeaderName, HeaderValue},
    middleware::Next,
    response::{IntoResponse, Response},
};
use protocol::ErrorCode;
use store::metrics::METRICS;

use super::{AppState, client::Client, error::HttpError, origin};

/// Longest path and query.
const MAX_URI: usize = 2048;

/// The address at the other end of a connection.
#[derive(Clone, Copy)]
pub(super) struct Peer(pub(super) SocketAddr);

/// Only our own resources, no inline scripts but WebAssembly, no frames; addresses of tables do not leak to other sites.
const HEADERS: [(HeaderName, HeaderValue); 5] = [
    (
        HeaderName::from_static("content-security-policy"),
        HeaderValue::from_static(
            "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
        ),
    ),
    (HeaderName::from_static("x-content-type-options"), HeaderValue::from_static("nosniff")),
    (HeaderName::from_static("referrer-policy"), HeaderValue::from_static("same-origin")),
    (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
];

pub(crate) async fn apply(State(state): State<Arc<AppState>>, mut request: Request, next: Next) -> Response {
    let start = Instant::now();
    let config = &state.config;
    let client = request
        .extensions()
        .get::<Peer>()
        .map_or(Client::UNKNOWN, |Peer(peer)| Client::new(peer.ip(), request.headers(), config));
    request.extensions_mut().insert(client);
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>().cloned();
    let route = match &route {
        Some(route) => route.as_str().to_owned(),
        None => "page".to_owned(),
    };

    let mut response = if request.uri().path_and_query().is_some_and(|path| path.as_str().len() > MAX_URI) {
        HttpError(ErrorCode::TooLarge.because("the path and query are too long")).into_response()
    } else if !origin::allows(&method, request.uri(), request.headers(), &config.origins) {
        HttpError(ErrorCode::ForeignOrigin.because("the request came from another site")).into_response()
    } else {
        next.run(request).await
    };

    for (name, value) in HEADERS {
        response.headers_mut().entry(name).or_insert(value);
    }
    let status = response.status();
    let took = start.elapsed();
    tracing::debug!(%method, route, status = status.as_u16(), ms = took.as_millis() as u64, "request");
    METRICS.response(route, status.as_str(), took);
    response
}
