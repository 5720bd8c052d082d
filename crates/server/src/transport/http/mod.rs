//! HTTP: the API under `/api`, the page, and the endpoint of Socket.IO, all on one port.

mod account;
mod bots;
mod client;
mod door;
mod erased;
mod error;
mod extract;
mod health;
mod heavy;
mod identity;
mod json;
mod listen;
mod middleware;
#[cfg(test)]
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
    routing::{MethodRouter, any, get},
};
use protocol::ErrorCode;
use tower_http::{
    catch_panic::CatchPanicLayer,
    cors::{AllowOrigin, CorsLayer},
};

pub(super) use client::Client;
pub use door::ConnectionLimits;
use erased::erased;
pub(super) use error::HttpError;
pub(super) use identity::identify;
pub use listen::serve;

use super::{AppState, page, socket::SocketHandler};

/// The OpenAPI document, which a test generates.
const OPENAPI: &str = include_str!("../../../openapi.json");

/// All routes of a server.
pub(crate) fn router(state: Arc<AppState>) -> Router {
    let sockets = socketio::Server::new(socketio::Config::default(), SocketHandler(state.clone()));
    let sockets = any(erased(move |request: Request| {
        let sockets = sockets.clone();
        async move { sockets.handle(request).await }
    }));
    let router = with_identity()
        .layer(from_fn_with_state(state.clone(), identity::require))
        .merge(public())
        .route("/api/openapi.json", get(erased(openapi)))
        .route(socketio::PATH, sockets)
        .fallback(erased(page::page))
        .method_not_allowed_fallback(erased(method_not_allowed))
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

/// Declares routers, and for tests what is routed, from which the OpenAPI document is generated.
macro_rules! routers {
    ($($(#[$doc:meta])* $router:ident { $($path:expr => $($method:ident $module:ident::$handler:ident),+;)+ })+) => {
        $($(#[$doc])*
        fn $router() -> Router<Arc<AppState>> {
            Router::new()$(.route($path, MethodRouter::new()$(.$method(erased($module::$handler)))+))+
        })+

        #[cfg(test)]
        #[derive(utoipa::OpenApi)]
        #[openapi(paths($($($($module::$handler,)+)+)+))]
        struct Api;

        /// Path, method, module and handler of each operation.
        #[cfg(test)]
        const OPERATIONS: &[[&str; 4]] =
            &[$($($([$path, stringify!($method), stringify!($module), stringify!($handler)],)+)+)+];
    };
}

routers! {
    /// Operations that anyone can use without being known.
    public {
        "/api/games" => get tables::games;
        "/api/guest-names" => get account::guest_names;
        "/api/codes/{code}" => get tables::by_code;
        "/api/players/{name}" => get players::profile;
        "/api/players/{name}/ratings" => get players::ratings;
        "/api/ranking/{game}" => get players::ranking;
        "/api/position" => post study::position;
        "/api/puzzles/daily" => get puzzles::daily;
        "/api/puzzles/{id}" => get puzzles::one;
        "/api/puzzles.jsonl" => get puzzles::export;
        "/api/tournaments/{id}/boards" => get tournaments::boards;
        "/api/tournaments/{id}/games" => get tournaments::games;
        "/api/tournaments/{id}/standings.tsv" => get tournaments::standings;
        "/api/tournaments/{id}/games.txt" => get tournaments::games_text;
        "/api/picture.svg" => get pictures::position_svg;
        "/api/picture.png" => get pictures::position_png;
        "/api/tables/{table}/picture.svg" => get pictures::table_svg;
        "/api/tables/{table}/picture.png" => get pictures::table_png;
        health::HEALTH => get health::health;
        "/api/ready" => get health::ready;
        "/api/server" => get health::server;
        "/metrics" => get health::metrics;
    }

    /// Operations for which the server needs to know who asks.
    with_identity {
        "/api/me" => get account::me_now, put account::rename;
        "/api/account" => post account::sign_up, delete account::delete;
        "/api/account/data" => get account::data;
        "/api/account/games" => post account::keep_game;
        "/api/account/password" => put account::change_password;
        "/api/account/recovery-code" => post account::make_recovery_code;
        "/api/session" => post account::sign_in, delete account::sign_out;
        "/api/session/recovery" => post account::recover;
        "/api/sessions" => get account::sessions;
        "/api/sessions/{id}" => delete account::end_session;
        "/api/tokens" => get account::tokens, post account::make_token;
        "/api/tokens/{id}" => delete account::end_token;
        "/api/tables" => post tables::create, get tables::list;
        "/api/tables/{table}" => get tables::look;
        "/api/tables/{table}/game" => get tables::text;
        "/api/tables/{table}/events" => get tables::events;
        "/api/tables/{table}/{command}" => post tables::command;
        "/api/players/{name}/games" => get players::games;
        "/api/players/{name}/games.txt" => get players::games_text;
        "/api/reports" => post reports::report;
        "/api/bot/seek" => post bots::seek;
        "/api/bot/events" => get bots::events;
        "/api/analysis" => post study::analysis;
        "/api/review" => post study::review_game;
        "/api/puzzles/next" => get puzzles::next;
        "/api/puzzles/progress" => get puzzles::progress;
        "/api/puzzles/{id}/attempt" => post puzzles::attempt;
        "/api/tournaments" => post tournaments::open, get tournaments::list;
        "/api/tournaments/{id}" => get tournaments::look, post tournaments::command;
    }
}

async fn openapi() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], OPENAPI)
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
