//! Everything over HTTP: the interface under `/api`, the page, and the door for sockets, all on one port.

mod bots;
mod client;
mod error;
mod extract;
mod health;
mod limits;
mod listen;
mod metrics;
mod middleware;
mod openapi;
mod origin;
mod people;
mod players;
mod stream;
mod study;
mod tables;

use std::sync::Arc;

use axum::{
    Router,
    extract::{DefaultBodyLimit, Request},
    http::StatusCode,
    middleware::from_fn_with_state,
    response::{IntoResponse, Response},
};
pub(crate) use client::Client;
pub use client::Network;
pub use listen::serve;
pub(crate) use metrics::start as gather_figures;
pub(crate) use people::identify;
use protocol::ErrorCode;
use tokio_util::sync::CancellationToken;
use tower_http::catch_panic::CatchPanicLayer;
use utoipa_axum::{router::OpenApiRouter, routes};

use super::socket::SocketHandler;
use crate::app::App;
pub(super) use error::Refused;
pub(super) use limits::Costly;
use limits::Limits;

/// How the server is reached.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Sites beside our own whose pages may use the server, such as `https://example.org`.
    pub origins: Vec<String>,
    /// Reverse proxies whose `X-Forwarded-…` headers are believed.
    pub proxies: Vec<Network>,
    /// Whether people always reach the server by TLS, so that cookies are for TLS only.
    pub always_secure: bool,
    /// Times the usual limits of an address; none is no limit.
    pub limits: Option<f64>,
}

/// What every handler has.
pub(super) struct Door {
    pub(super) app: Arc<App>,
    settings: Settings,
    pub(super) limits: Limits,
    closing: CancellationToken,
}

/// All routes of a server. When `closing` is cancelled, streams end.
pub fn router(app: Arc<App>, settings: Settings, closing: CancellationToken) -> Router {
    let limits = Limits::new(settings.limits);
    let door = Arc::new(Door { app, settings, limits, closing });
    let sockets = socketio::Server::new(socketio::Config::default(), SocketHandler(door.clone()));
    let sockets = axum::routing::any(move |request: Request| {
        let sockets = sockets.clone();
        async move { sockets.handle(request).await }
    });
    let (api, document) = api(&door).split_for_parts();
    let document = openapi::document(document);
    api.route("/api/openapi.json", axum::routing::get(move || async move { document }))
        .route(socketio::PATH, sockets)
        .fallback(crate::transport::page::page)
        .method_not_allowed_fallback(wrong_method)
        .layer(DefaultBodyLimit::max(extract::MOST_BYTES))
        .layer(CatchPanicLayer::custom(broken))
        .layer(from_fn_with_state(door.clone(), middleware::edge))
        .with_state(door)
}

fn api(door: &Arc<Door>) -> OpenApiRouter<Arc<Door>> {
    let of_people = OpenApiRouter::new()
        .routes(routes!(people::me_now))
        .routes(routes!(people::sign_up))
        .routes(routes!(people::change_password))
        .routes(routes!(people::sign_in, people::sign_out))
        .routes(routes!(people::sessions))
        .routes(routes!(people::end_session))
        .routes(routes!(people::tokens, people::make_token))
        .routes(routes!(people::end_token))
        .routes(routes!(tables::create, tables::list))
        .routes(routes!(tables::look))
        .routes(routes!(tables::text))
        .routes(routes!(tables::events))
        .routes(routes!(tables::command))
        .routes(routes!(players::games))
        .routes(routes!(players::games_text))
        .routes(routes!(bots::seek))
        .routes(routes!(bots::events))
        .layer(from_fn_with_state(door.clone(), people::know));
    OpenApiRouter::new()
        .routes(routes!(tables::games))
        .routes(routes!(tables::by_code))
        .routes(routes!(players::profile))
        .routes(routes!(players::ratings))
        .routes(routes!(players::ranking))
        .routes(routes!(study::position))
        .routes(routes!(study::analysis))
        .routes(routes!(study::review_game))
        .routes(routes!(health::health))
        .routes(routes!(health::ready))
        .routes(routes!(health::figures))
        .merge(of_people)
}

async fn wrong_method() -> Response {
    let mut response =
        Refused(ErrorCode::BadMessage.because("this address takes other methods")).into_response();
    *response.status_mut() = StatusCode::METHOD_NOT_ALLOWED;
    response
}

/// A panic is a mistake of ours: it is written down, and the client learns no more than that.
fn broken(panic: Box<dyn std::any::Any + Send>) -> Response {
    let reason = panic.downcast_ref::<String>().map(String::as_str);
    let reason = reason.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("unknown");
    tracing::error!(reason, "a request panicked");
    Refused(ErrorCode::Broken.because("the server made a mistake")).into_response()
}
