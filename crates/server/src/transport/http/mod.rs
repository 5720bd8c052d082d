//! HTTP: the API under `/api`, the page, and the endpoint of Socket.IO, all on one port.

mod account;
mod bots;
mod client;
mod door;
mod error;
mod extract;
mod health;
mod heavy;
mod identity;
mod listen;
mod middleware;
mod openapi;
mod origin;
mod pictures;
mod players;
mod puzzles;
mod reports;
mod stream;
mod study;
mod tables;
mod tournaments;

use std::{sync::Arc, time::Duration};

use axum::{
    Router,
    extract::{DefaultBodyLimit, Request},
    http::{HeaderValue, Method, StatusCode, header},
    middleware::from_fn_with_state,
    response::{IntoResponse, Response},
};
use protocol::ErrorCode;
use tower_http::{
    catch_panic::CatchPanicLayer,
    cors::{AllowOrigin, CorsLayer},
};
use utoipa_axum::{router::OpenApiRouter, routes};

pub(super) use client::Client;
pub use door::ConnectionLimits;
pub(super) use error::HttpError;
pub(super) use identity::identify;
pub use listen::serve;

use super::{AppState, page, socket::SocketHandler};

/// All routes of a server.
pub(crate) fn router(state: Arc<AppState>) -> Router {
    let sockets = socketio::Server::new(socketio::Config::default(), SocketHandler(state.clone()));
    let sockets = axum::routing::any(move |request: Request| {
        let sockets = sockets.clone();
        async move { sockets.handle(request).await }
    });
    let (api, document) = api(&state).split_for_parts();
    let document = openapi::document(document);
    let router = api
        .route("/api/openapi.json", axum::routing::get(move || async move { document }))
        .route(socketio::PATH, sockets)
        .fallback(page::page)
        .method_not_allowed_fallback(method_not_allowed)
        .layer(DefaultBodyLimit::max(extract::MAX_BODY))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(from_fn_with_state(state.clone(), middleware::apply))
        .with_state(state.clone());
    match &state.config.origins[..] {
        [] => router,
        origins => router.layer(cors(origins)),
    }
}

/// Lets pages of other sites use the server, with cookies or tokens.
fn cors(origins: &[String]) -> CorsLayer {
    let origins = origins.iter().filter_map(|origin| HeaderValue::from_str(origin).ok());
    CorsLayer::new()
        .allow_origin(AllowOrigin::list(origins))
        .allow_credentials(true)
        .allow_methods([Method::GET, Method::POST, Method::PUT, Method::DELETE])
        .allow_headers([header::AUTHORIZATION, header::CONTENT_TYPE])
        .expose_headers([header::RETRY_AFTER])
        .max_age(Duration::from_secs(3600))
}

fn api(state: &Arc<AppState>) -> OpenApiRouter<Arc<AppState>> {
    let with_identity = OpenApiRouter::new()
        .routes(routes!(account::me_now, account::rename))
        .routes(routes!(account::sign_up, account::delete))
        .routes(routes!(account::data))
        .routes(routes!(account::keep_game))
        .routes(routes!(account::change_password))
        .routes(routes!(account::make_recovery_code))
        .routes(routes!(account::sign_in, account::sign_out))
        .routes(routes!(account::recover))
        .routes(routes!(account::sessions))
        .routes(routes!(account::end_session))
        .routes(routes!(account::tokens, account::make_token))
        .routes(routes!(account::end_token))
        .routes(routes!(tables::create, tables::list))
        .routes(routes!(tables::look))
        .routes(routes!(tables::text))
        .routes(routes!(tables::events))
        .routes(routes!(tables::command))
        .routes(routes!(players::games))
        .routes(routes!(players::games_text))
        .routes(routes!(reports::report))
        .routes(routes!(bots::seek))
        .routes(routes!(bots::events))
        .routes(routes!(study::analysis))
        .routes(routes!(study::review_game))
        .routes(routes!(puzzles::next))
        .routes(routes!(puzzles::progress))
        .routes(routes!(puzzles::attempt))
        .routes(routes!(tournaments::open, tournaments::list))
        .routes(routes!(tournaments::look, tournaments::command))
        .layer(from_fn_with_state(state.clone(), identity::require));
    OpenApiRouter::new()
        .routes(routes!(tables::games))
        .routes(routes!(account::guest_names))
        .routes(routes!(tables::by_code))
        .routes(routes!(players::profile))
        .routes(routes!(players::ratings))
        .routes(routes!(players::ranking))
        .routes(routes!(study::position))
        .routes(routes!(puzzles::daily))
        .routes(routes!(puzzles::one))
        .routes(routes!(puzzles::export))
        .routes(routes!(tournaments::boards))
        .routes(routes!(tournaments::games))
        .routes(routes!(tournaments::standings))
        .routes(routes!(tournaments::games_text))
        .routes(routes!(pictures::position_svg))
        .routes(routes!(pictures::position_png))
        .routes(routes!(pictures::table_svg))
        .routes(routes!(pictures::table_png))
        .routes(routes!(health::health))
        .routes(routes!(health::ready))
        .routes(routes!(health::server))
        .routes(routes!(health::metrics))
        .merge(with_identity)
}

async fn method_not_allowed() -> Response {
    let error = ErrorCode::BadMessage.because("this address does not support the method");
    let mut response = HttpError(error).into_response();
    *response.status_mut() = StatusCode::METHOD_NOT_ALLOWED;
    response
}

/// The response to a request whose handler panicked. The client does not learn why.
fn panicked(panic: Box<dyn std::any::Any + Send>) -> Response {
    let reason = panic.downcast_ref::<String>().map(String::as_str);
    let reason = reason.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("unknown");
    tracing::error!(reason, "handler panicked");
    HttpError(ErrorCode::Broken.because("internal server error")).into_response()
}
