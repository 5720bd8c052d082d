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
        if is_polling && self.0.limits.check(RateClass::Polling, client.rate_key()).is_err() {
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
    fn connect(self: Arc<Self>, session: Arc<Session>) -> Connecting {
        Box::pin(async move {
            if !self.messages.check(CONNECT_COST) {
                return Err("too many messages".to_owned());
            }
            let headers = self.credentials.iter().cloned().collect();
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
