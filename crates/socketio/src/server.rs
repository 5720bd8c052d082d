//! Dispatches requests: opens sessions, upgrades them, and serves those that poll.

use std::sync::Arc;

use axum::{
    body::{Body, to_bytes},
    extract::Request,
    http::{Method, header},
    response::{IntoResponse, Response},
};
use tokio::time::timeout;

use crate::{
    config::Config,
    handler::Handler,
    handshake::{HandshakeQuery, open_session},
    polling::PollingSessions,
    rejection::Rejection,
    send_queue::Transport,
    shared::Shared,
    websocket,
};

/// The path at which clients expect a server.
pub const PATH: &str = "/socket.io/";

/// An Engine.IO server with its sessions. Clones share them.
#[derive(Clone)]
pub struct Server {
    shared: Arc<Shared>,
    handler: Arc<dyn Handler>,
    polling: PollingSessions,
}

impl Server {
    /// A server without sessions.
    pub fn new(config: Config, handler: impl Handler) -> Self {
        let shared = Shared::new(config);
        Self { polling: PollingSessions::new(shared.clone()), shared, handler: Arc::new(handler) }
    }

    /// Handles a request for [`PATH`].
    pub async fn handle(&self, request: Request) -> Response {
        self.dispatch(request).await.unwrap_or_else(IntoResponse::into_response)
    }

    async fn dispatch(&self, mut request: Request) -> Result<Response, Rejection> {
        let (query, transport) = HandshakeQuery::parse(request.uri())?;
        let known = query.sid.map(|id| self.polling.get(&id).ok_or(Rejection::UnknownSession)).transpose()?;
        match (request.method(), transport, known) {
            (&Method::GET, Transport::Polling, None) => {
                let (id, session) = open_session(&self.shared, &*self.handler, &request, transport)?;
                let polling = self.polling.add(id, session).ok_or(Rejection::Forbidden)?;
                let open = polling.next_packets().await;
                Ok(text(open.ok_or(Rejection::BadRequest)?))
            }
            (&Method::GET, Transport::WebSocket, None) => {
                let (_, session) = open_session(&self.shared, &*self.handler, &request, transport)?;
                let (response, upgrade) = websocket::accept(&mut request).ok_or(Rejection::BadRequest)?;
                tokio::spawn(async move {
                    if let Some(socket) = upgrade.complete(session.config()).await {
                        socket.serve(session).await;
                    }
                });
                Ok(response)
            }
            (&Method::GET, Transport::WebSocket, Some(polling)) if polling.session.is_upgrading() => {
                // Another WebSocket is taking over.
                Err(Rejection::BadRequest)
            }
            (&Method::GET, Transport::WebSocket, Some(polling)) => {
                let (response, upgrade) = websocket::accept(&mut request).ok_or(Rejection::BadRequest)?;
                tokio::spawn(async move {
                    let session = polling.session.clone();
                    drop(polling);
                    if let Some(mut socket) = upgrade.complete(session.config()).await
                        && socket.take_over(&session).await
                    {
                        socket.serve(session).await;
                    }
                });
                Ok(response)
            }
            (&Method::GET, _, Some(polling)) => match polling.next_packets().await {
                Some(packets) => Ok(text(packets)),
                None => {
                    // Two polls at once would share the packets between them.
                    polling.session.end();
                    Err(Rejection::BadRequest)
                }
            },
            (&Method::POST, Transport::Polling, Some(polling)) => {
                let config = &self.shared.config;
                let body =
                    timeout(config.body_timeout, to_bytes(request.into_body(), config.max_payload)).await;
                let body =
                    body.ok().and_then(Result::ok).and_then(|body| String::from_utf8(body.into()).ok());
                let Some(body) = body else {
                    polling.session.end();
                    return Err(Rejection::BadRequest);
                };
                if polling.receive(&body).await { Ok(text("ok")) } else { Err(Rejection::BadRequest) }
            }
            _ => Err(Rejection::BadMethod),
        }
    }
}

fn text(body: impl Into<Body>) -> Response {
    let headers = [(header::CONTENT_TYPE, "text/plain; charset=UTF-8"), (header::CACHE_CONTROL, "no-store")];
    (headers, body.into()).into_response()
}
