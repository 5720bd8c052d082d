//! HTTP: the API under `/api`, and how connections are served.

mod account;
mod bots;
mod client;
mod connection_limiter;
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

use std::sync::Arc;

use axum::{
    Router,
    http::header,
    middleware::from_fn_with_state,
    response::IntoResponse,
    routing::{MethodRouter, get},
};

pub(super) use client::Client;
pub use connection_limiter::ConnectionLimits;
pub(super) use erased::erased;
pub(super) use error::HttpError;
pub(super) use extract::MAX_BODY;
pub(super) use identity::identify;
pub use listen::serve;
pub(super) use middleware::apply;

use super::AppState;

/// The OpenAPI document, which a test generates.
const OPENAPI: &str = include_str!("../../../openapi.json");

/// The routes of the API.
pub(super) fn api(state: &Arc<AppState>) -> Router<Arc<AppState>> {
    with_identity()
        .layer(from_fn_with_state(state.clone(), identity::require))
        .merge(public())
        .route("/api/openapi.json", get(erased(openapi)))
}

/// Declares routers, and for tests the list of routes from which the OpenAPI document is generated.
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
    /// Operations that need no identity.
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

    /// Operations that need the identity of the sender.
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
