//! Applied to every request: origin check, security headers, metrics and log. The log contains no secret: not the path,
//! which may name an unlisted table, no cookie, no token, no body.

use std::{
    net::SocketAddr,
    sync::Arc,
    time::{Duration, Instant},
};

use axum::{
    extract::{MatchedPath, Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use protocol::ErrorCode;
use store::metrics::METRICS;
use tracing::Instrument;

use super::{AppState, client::Client, error::HttpError, origin};

/// A request that takes longer is logged.
const SLOW_REQUEST: Duration = Duration::from_secs(1);
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// Longest id of a request that a proxy may choose.
const MAX_REQUEST_ID: usize = 64;

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
    let mut client = request
        .extensions()
        .get::<Peer>()
        .map_or(Client::UNKNOWN, |Peer(peer)| Client::new(peer.ip(), request.headers(), config));
    client.share = state.addresses.share(client.address);
    request.extensions_mut().insert(client);
    let method = request.method().clone();
    let id = request_id(&client, request.headers());
    let route = request.extensions().get::<MatchedPath>().cloned();
    let route = match &route {
        Some(route) => route.as_str().to_owned(),
        None => "page".to_owned(),
    };

    let mut response = if request.uri().path_and_query().is_some_and(|path| path.as_str().len() > MAX_URI) {
        HttpError(ErrorCode::TooLarge.because("the path and query are too long")).into_response()
    } else if !has_one_host(request.headers()) {
        HttpError(ErrorCode::BadMessage.because("expected one Host header with a host and a port"))
            .into_response()
    } else if let Err(error) = state.operations.check_address(client.address) {
        HttpError(error).into_response()
    } else if !origin::allows(&method, request.uri(), request.headers(), &config.origins) {
        HttpError(ErrorCode::ForeignOrigin.because("the request came from another site")).into_response()
    } else {
        // An error, so that the id is in log lines of every level.
        let span = tracing::error_span!("request", id = %id);
        next.run(request).instrument(span).await
    };
    if let Ok(id) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, id);
    }

    for (name, value) in HEADERS {
        response.headers_mut().entry(name).or_insert(value);
    }
    let status = response.status();
    let took = start.elapsed();
    let (code, ms) = (status.as_u16(), took.as_millis() as u64);
    if took >= SLOW_REQUEST {
        tracing::info!(request = id, %method, route, status = code, ms, "slow_request");
    } else {
        tracing::debug!(request = id, %method, route, status = code, ms, "request");
    }
    METRICS.response(route, status.as_str(), took);
    response
}

/// The id of a request in the log: that of a trusted proxy, or a new one.
fn request_id(client: &Client, headers: &HeaderMap) -> String {
    let given = headers.get(REQUEST_ID).filter(|_| client.is_proxied).and_then(|id| id.to_str().ok());
    let is_plain = |id: &&str| {
        (1..=MAX_REQUEST_ID).contains(&id.len())
            && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
    };
    given.filter(is_plain).map_or_else(store::random_hex::<8>, str::to_owned)
}

/// Whether a request names its host at most once, and in a form that may be part of a link. With two, a proxy and this
/// server could read different ones.
fn has_one_host(headers: &HeaderMap) -> bool {
    let mut hosts = headers.get_all(header::HOST).iter();
    let is_host = |host: &HeaderValue| {
        let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b".-_:[]".contains(byte);
        host.as_bytes().iter().all(is_plain)
    };
    hosts.next().is_none_or(is_host) && hosts.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_has_one_plain_host() {
        let allowed = |hosts: &[&'static str]| {
            let mut headers = HeaderMap::new();
            for host in hosts {
                headers.append(header::HOST, HeaderValue::from_static(host));
            }
            has_one_host(&headers)
        };
        assert!(allowed(&[]) && allowed(&["alinea.example"]) && allowed(&["[::1]:8080"]));
        for bad in
            [&["a.example", "b.example"][..], &["a.example", "a.example"], &["a\"><b"], &["a/b"], &["a, b"]]
        {
            assert!(!allowed(bad), "{bad:?}");
        }
    }

    #[test]
    fn only_a_trusted_proxy_chooses_the_id_of_a_request() {
        let id = |is_proxied, given: &'static str| {
            let headers = HeaderMap::from_iter([(REQUEST_ID, HeaderValue::from_static(given))]);
            request_id(&Client { is_proxied, ..Client::UNKNOWN }, &headers)
        };
        assert_eq!(id(true, "abc-1"), "abc-1");
        assert_ne!(id(false, "abc-1"), "abc-1");
        assert_ne!(id(true, "a b"), "a b");
        assert_eq!(id(true, "").len(), 16);
    }
}
