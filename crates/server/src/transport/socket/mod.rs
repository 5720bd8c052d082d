//! Socket.IO: authenticates clients and turns their events into calls of tables and services.

mod analysis;
mod connection;

use std::{
    num::NonZeroU32,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
};

use axum::{
    extract::Request,
    http::{HeaderMap, HeaderName, HeaderValue, header},
};
use serde::Deserialize;
use socketio::{Connecting, Handler, Peer, Rejection, Session, Transport};

use connection::Connection;

use super::{
    AppState,
    http::{Client, identify},
};
use crate::{
    auth::Principal,
    rate::{MessageLimit, RateClass},
};

/// Longest cookies and tokens, in bytes; ours are far shorter.
const MAX_CREDENTIALS: usize = 4 << 10;
/// Cost of CONNECT in messages: the client is looked up in the store.
const CONNECT_COST: NonZeroU32 = NonZeroU32::new(4).unwrap();

/// Opens sessions.
pub(super) struct SocketHandler(pub(super) Arc<AppState>);

impl Handler for SocketHandler {
    fn open(&self, request: &Request, transport: Transport) -> Result<Arc<dyn Peer>, Rejection> {
        let client = request.extensions().get::<Client>().copied().unwrap_or(Client::UNKNOWN);
        let credentials = credentials(request.headers()).ok_or(Rejection::BadRequest)?;
        let is_polling = transport == Transport::Polling;
        if is_polling && self.0.limits.check(RateClass::Polling, client.share).is_err() {
            return Err(Rejection::Forbidden);
        }
        Ok(Arc::new(SocketPeer {
            messages: MessageLimit::new(self.0.config.rate_factor),
            violations: AtomicU32::new(0),
            state: self.0.clone(),
            client,
            credentials,
        }))
    }
}

/// The headers that identify a client; `None` if they are too long. They are copies, because the originals
/// would keep the request's whole read buffer alive.
fn credentials(headers: &HeaderMap) -> Option<Vec<(HeaderName, HeaderValue)>> {
    let copy = |name: HeaderName| {
        let values = headers.get_all(&name).iter();
        let values = values.filter_map(|value| HeaderValue::from_bytes(value.as_bytes()).ok());
        values.map(move |value| (name.clone(), value)).collect::<Vec<_>>()
    };
    let credentials: Vec<_> = [header::COOKIE, header::AUTHORIZATION].into_iter().flat_map(copy).collect();
    let length: usize = credentials.iter().map(|(_, value)| value.len()).sum();
    (length <= MAX_CREDENTIALS).then_some(credentials)
}

/// The token in the client's option `auth`, as a header: browsers and most clients cannot set headers of a WebSocket.
///
/// # Errors
/// If it is not an object with a token, or with nothing.
fn token(auth: &str) -> Result<Option<HeaderValue>, String> {
    #[derive(Deserialize)]
    struct Auth {
        token: Option<String>,
    }
    if auth.is_empty() {
        return Ok(None);
    }
    let expected = || "expected auth such as { token: \"alinea_…\" }".to_owned();
    if auth.len() > MAX_CREDENTIALS {
        return Err(expected());
    }
    let Auth { token } = serde_json::from_str(auth).map_err(|_| expected())?;
    let header = |token: String| HeaderValue::try_from(format!("Bearer {token}")).map_err(|_| expected());
    token.map(header).transpose()
}

/// The client of a session.
pub(super) struct SocketPeer {
    state: Arc<AppState>,
    client: Client,
    credentials: Vec<(HeaderName, HeaderValue)>,
    messages: MessageLimit,
    /// Messages over the limit.
    violations: AtomicU32,
}

impl SocketPeer {
    /// Counts a message over the limit; returns how many there were.
    fn add_violation(&self) -> u32 {
        self.violations.fetch_add(1, Ordering::Relaxed) + 1
    }
}

impl Peer for SocketPeer {
    fn connect(self: Arc<Self>, session: Arc<Session>, auth: String) -> Connecting {
        Box::pin(async move {
            if !self.messages.check(CONNECT_COST) {
                return Err("too many messages".to_owned());
            }
            let mut headers: HeaderMap = self.credentials.iter().cloned().collect();
            if let Some(token) = token(&auth)? {
                headers.insert(header::AUTHORIZATION, token);
            }
            let identified = identify(&self.state, &headers, self.client).await;
            let (identity, new_cookie) = identified.map_err(|error| error.message)?;
            if new_cookie.is_some() {
                // A WebSocket cannot set a cookie, and a guest without one would lose the seat with the connection.
                return Err("request /api/me first to get a cookie".to_owned());
            }
            let principal = Arc::new(Principal::from(&identity));
            Ok(Arc::new(Connection::new(self, session, principal, identity.session))
                as Arc<dyn socketio::Connection>)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_token_of_auth_is_read() {
        let bearer = |auth| token(auth).unwrap().map(|value| value.to_str().unwrap().to_owned());
        assert_eq!(bearer(r#"{"token":"alinea_7","other":1}"#).as_deref(), Some("Bearer alinea_7"));
        assert_eq!((bearer(""), bearer("{}"), bearer(r#"{"token":null}"#)), (None, None, None));
        let long = format!(r#"{{"token":"{}"}}"#, "x".repeat(MAX_CREDENTIALS));
        for bad in ["[]", "7", "{", r#"{"token":7}"#, r#"{"token":"a\nb"}"#, &long] {
            assert!(token(bad).is_err(), "{bad}");
        }
    }
}
