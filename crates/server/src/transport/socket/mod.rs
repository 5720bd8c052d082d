//! Socket.IO: authenticates clients and turns their events into calls of tables and services.

mod analysis;
mod connection;

use std::sync::Arc;

use axum::{
    extract::Request,
    http::{HeaderMap, HeaderName, HeaderValue, header},
};
use parking_lot::Mutex;
use protocol::ErrorCode;
use socketio::{Connecting, Handler, Peer, Rejection, Session, Transport};
use tokio::time::Instant;

pub(crate) use analysis::position_of;
use connection::Connection;

use super::http::{Client, Costly, Door, identify};
use crate::auth::Principal;

/// Longer cookies and tokens than ours.
const MAX_CREDENTIALS: usize = 4 << 10;
/// Cost of CONNECT in messages: the client is looked up in the store.
const CONNECT_COST: f64 = 4.0;

/// Opens sessions.
pub(super) struct SocketHandler(pub(super) Arc<Door>);

impl Handler for SocketHandler {
    fn open(&self, request: &Request, transport: Transport) -> Result<Arc<dyn Peer>, Rejection> {
        let client = request.extensions().get::<Client>().copied().unwrap_or(Client::UNKNOWN);
        let credentials = credentials(request.headers()).ok_or(Rejection::BadRequest)?;
        if transport == Transport::Polling && self.0.limits.take(Costly::Polling, client.counted()).is_err() {
            return Err(Rejection::Forbidden);
        }
        Ok(Arc::new(SocketPeer { door: self.0.clone(), client, credentials, bucket: Mutex::default() }))
    }
}

/// The headers that identify a client; `None` if they are too long. They are copies, because those of the request keep
/// the whole buffer alive that it was read into.
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
    door: Arc<Door>,
    client: Client,
    credentials: Vec<(HeaderName, HeaderValue)>,
    bucket: Mutex<Bucket>,
}

impl SocketPeer {
    /// Takes the cost of a message. Returns whether it was available, and how often it was not.
    fn take(&self, cost: f64) -> (bool, u32) {
        let config = &self.door.app.config;
        let mut bucket = self.bucket.lock();
        let is_left = bucket.take(cost, config.messages_per_second.into(), config.message_burst.into());
        bucket.violations += u32::from(!is_left);
        (is_left, bucket.violations)
    }
}

impl Peer for SocketPeer {
    fn connect(self: Arc<Self>, session: Arc<Session>) -> Connecting {
        Box::pin(async move {
            if !self.take(CONNECT_COST).0 {
                return Err("too many messages".to_owned());
            }
            let headers = self.credentials.iter().cloned().collect();
            let identified = identify(&self.door.app, &headers, self.client).await;
            let (identity, new_cookie) = identified.map_err(|error| error.message)?;
            if new_cookie.is_some() {
                // A WebSocket cannot set a cookie, and a guest without one would lose the seat with the connection.
                return Err(ErrorCode::SignInFirst.because("request /api/me first to get a cookie").message);
            }
            let principal = Arc::new(Principal::from(&identity));
            Ok(Arc::new(Connection::new(self, session, principal, identity.session))
                as Arc<dyn socketio::Connection>)
        })
    }
}

/// How much of its allowance a client has used.
struct Bucket {
    used: f64,
    at: Instant,
    violations: u32,
}

impl Default for Bucket {
    fn default() -> Self {
        Self { used: 0.0, at: Instant::now(), violations: 0 }
    }
}

impl Bucket {
    fn take(&mut self, cost: f64, per_second: f64, burst: f64) -> bool {
        let now = Instant::now();
        let regained = now.duration_since(self.at).as_secs_f64() * per_second;
        (self.used, self.at) = ((self.used - regained).max(0.0), now);
        let is_left = self.used + cost <= burst;
        if is_left {
            self.used += cost;
        }
        is_left
    }
}
