//! The query of a request and the packet that opens a session.

use std::sync::Arc;

use axum::{
    extract::{Query, Request},
    http::Uri,
};
use serde::Deserialize;
use serde_json::json;

use crate::{
    handler::Handler, random::random_id, rejection::Rejection, send_queue::Transport, session::Session,
    shared::Shared,
};

/// The query of a request.
#[derive(Deserialize)]
pub(crate) struct HandshakeQuery {
    #[serde(rename = "EIO")]
    version: Option<String>,
    transport: Option<String>,
    /// Id of an open session.
    pub(crate) sid: Option<String>,
}

impl HandshakeQuery {
    /// Reads the query and the transport that it names.
    pub(crate) fn parse(uri: &Uri) -> Result<(Self, Transport), Rejection> {
        let Query(query) = Query::<Self>::try_from_uri(uri).map_err(|_| Rejection::BadRequest)?;
        if query.version.as_deref() != Some("4") {
            return Err(Rejection::UnsupportedVersion);
        }
        let transport = match query.transport.as_deref() {
            Some("websocket") => Transport::WebSocket,
            Some("polling") => Transport::Polling,
            _ => return Err(Rejection::UnknownTransport),
        };
        Ok((query, transport))
    }
}

/// Opens a session and queues its open packet. Returns the session with its id, which is a secret of the client.
pub(crate) fn open_session(
    shared: &Arc<Shared>,
    handler: &dyn Handler,
    request: &Request,
    transport: Transport,
) -> Result<(String, Arc<Session>), Rejection> {
    let peer = handler.open(request, transport)?;
    let session = Session::new(shared.clone(), peer, transport);
    let id = random_id();
    let upgrades: &[&str] = if transport == Transport::WebSocket { &[] } else { &["websocket"] };
    let open = json!({
        "sid": id,
        "upgrades": upgrades,
        "pingInterval": shared.config.ping_interval.as_millis() as u64,
        "pingTimeout": shared.config.ping_timeout.as_millis() as u64,
        "maxPayload": shared.config.max_payload,
    });
    session.send(|bytes| bytes.extend(format!("0{open}").as_bytes()));
    Ok((id, Arc::new(session)))
}
