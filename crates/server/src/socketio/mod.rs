//! Socket.IO, as far as games need it: one part, text, answers to messages. It goes over Engine.IO: a WebSocket, or
//! requests until there is one.
//!
//! Of its own because every connection counts. Whatever a client is told is written where it will be sent from, one
//! task reads and writes, and packets are handled as they come, in order; with the library that was
//! here before, an idle connection took 20.5 kB instead of 4.5. Frames are read by tungstenite.

mod out;
mod packet;
mod polling;
mod websocket;
mod wire;

use std::{sync::Arc, time::Duration};

use axum::{
    Json,
    body::{Body, to_bytes},
    extract::{Query, Request},
    http::{Method, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Deserialize;
use serde_json::json;
use tokio::time::timeout;

pub(crate) use out::News;
pub(crate) use polling::Polls;
pub(crate) use wire::Wire;

use crate::{app::App, random_hex, transport::http::Client};
use out::{PING_EVERY, PING_PATIENCE};
use wire::Credentials;

/// Where clients knock.
pub(crate) const PATH: &str = "/socket.io/";
/// No message of ours is nearly as long.
const LONGEST_MESSAGE: usize = 16 << 10;
/// How long the body of a request may take.
const BODY_PATIENCE: Duration = Duration::from_secs(20);

/// What a request for the door says.
#[derive(Deserialize)]
struct Knock {
    #[serde(rename = "EIO")]
    version: Option<String>,
    transport: Option<String>,
    /// Of a client that is known already.
    sid: Option<String>,
}

/// Why a request is refused, as Engine.IO numbers it.
#[derive(Clone, Copy)]
enum Refused {
    Transport = 0,
    Name = 1,
    Method = 2,
    Request = 3,
    TooMany = 4,
    Version = 5,
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let message = match self {
            Self::Transport => "Transport unknown",
            Self::Name => "Session ID unknown",
            Self::Method => "Bad handshake method",
            Self::Request => "Bad request",
            Self::TooMany => "Forbidden",
            Self::Version => "Unsupported protocol version",
        };
        let status = match self {
            Self::TooMany => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::BAD_REQUEST,
        };
        (status, Json(json!({ "code": self as u8, "message": message }))).into_response()
    }
}

/// Lets clients in, and hears those who come by requests.
pub(crate) async fn door(
    app: &Arc<App>,
    polls: &Polls,
    may_poll: impl FnOnce(Client) -> bool,
    request: Request,
) -> Response {
    answer(app, polls, may_poll, request).await.unwrap_or_else(IntoResponse::into_response)
}

async fn answer(
    app: &Arc<App>,
    polls: &Polls,
    may_poll: impl FnOnce(Client) -> bool,
    mut request: Request,
) -> Result<Response, Refused> {
    let Query(knock) = Query::<Knock>::try_from_uri(request.uri()).map_err(|_| Refused::Request)?;
    if knock.version.as_deref() != Some("4") {
        return Err(Refused::Version);
    }
    let is_websocket = match knock.transport.as_deref() {
        Some("websocket") => true,
        Some("polling") => false,
        _ => return Err(Refused::Transport),
    };
    let known = knock.sid.map(|name| polls.get(&name).ok_or(Refused::Name)).transpose()?;
    match (request.method(), is_websocket, known) {
        (&Method::GET, false, None) => {
            let (name, wire) = welcome(&request, is_websocket)?;
            if !may_poll(wire.client()) || !polls.serve(name.clone(), wire) {
                return Err(Refused::TooMany);
            }
            let opening = polls.get(&name).ok_or(Refused::Name)?.next().await;
            Ok(text(opening.ok_or(Refused::Request)?))
        }
        (&Method::GET, true, None) => {
            let (_, wire) = welcome(&request, is_websocket)?;
            let (response, promise) = websocket::accept(&mut request).ok_or(Refused::Request)?;
            let app = app.clone();
            tokio::spawn(async move {
                if let Some(socket) = promise.keep().await {
                    socket.serve(app, wire).await;
                }
            });
            Ok(response)
        }
        (&Method::GET, true, Some(polled)) => {
            let (response, promise) = websocket::accept(&mut request).ok_or(Refused::Request)?;
            let app = app.clone();
            tokio::spawn(async move {
                if let Some(mut socket) = promise.keep().await
                    && socket.take_over(&polled.wire).await
                {
                    socket.serve(app, polled.wire.clone()).await;
                }
            });
            Ok(response)
        }
        (&Method::GET, false, Some(polled)) => match polled.next().await {
            Some(waiting) => Ok(text(waiting)),
            None => {
                // Two requests at once would share what waits between them.
                polled.wire.end();
                Err(Refused::Request)
            }
        },
        (&Method::POST, false, Some(polled)) => {
            let body = timeout(BODY_PATIENCE, to_bytes(request.into_body(), LONGEST_MESSAGE)).await;
            let body = body.ok().and_then(Result::ok).and_then(|body| String::from_utf8(body.into()).ok());
            let Some(body) = body else {
                polled.wire.end();
                return Err(Refused::Request);
            };
            if polled.take(app, &body).await { Ok(text("ok")) } else { Err(Refused::Request) }
        }
        _ => Err(Refused::Method),
    }
}

/// A new client, with the packet that opens the connection on its way to it; and its secret name.
fn welcome(request: &Request, is_websocket: bool) -> Result<(String, Arc<Wire>), Refused> {
    let client = request.extensions().get::<Client>().copied().unwrap_or(Client::UNKNOWN);
    let credentials = Credentials::new(client, request.headers()).ok_or(Refused::Request)?;
    let wire = Wire::new(credentials, is_websocket);
    let name = random_hex::<16>();
    let upgrades: &[&str] = if is_websocket { &[] } else { &["websocket"] };
    let opening = json!({
        "sid": name,
        "upgrades": upgrades,
        "pingInterval": PING_EVERY.as_millis() as u64,
        "pingTimeout": PING_PATIENCE.as_millis() as u64,
        "maxPayload": LONGEST_MESSAGE,
    });
    wire.send(|bytes| bytes.extend(format!("0{opening}").as_bytes()));
    Ok((name, Arc::new(wire)))
}

fn text(body: impl Into<Body>) -> Response {
    let headers = [(header::CONTENT_TYPE, "text/plain; charset=UTF-8"), (header::CACHE_CONTROL, "no-store")];
    (headers, body.into()).into_response()
}
