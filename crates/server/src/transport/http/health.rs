//! Health, readiness, metrics, and the host's settings that clients see.

use std::sync::Arc;

use axum::{extract::State, http::header, response::IntoResponse};
use protocol::{ApiError, Done, ErrorCode, ServerInfo};
use store::metrics::METRICS;

#[cfg(test)]
use super::openapi::ReadErrors;
use super::{AppState, error::Result, json::Json};
use crate::config::Config;

pub(super) const HEALTH: &str = "/api/health";

/// Responds while the server runs.
#[cfg_attr(test, utoipa::path(get, path = HEALTH, tag = "server", responses((status = 200, body = Done))))]
pub(super) async fn health() -> Json<Done> {
    Json(Done::new())
}

/// Responds with success while the server can do its work: its store is available and accepts its heartbeats,
/// and the server is not stopping.
#[cfg_attr(test, utoipa::path(get, path = "/api/ready", tag = "server",
    responses((status = 200, body = Done), ReadErrors)))]
pub(super) async fn ready(State(state): State<Arc<AppState>>) -> Result<Json<Done>> {
    if state.closing.is_cancelled() {
        return Err(ErrorCode::Unavailable.because("the server is stopping").into());
    }
    state.store.ping().await.map_err(ApiError::from)?;
    if !state.tables.knows_downtimes() {
        return Err(ErrorCode::Unavailable
            .because("the database does not accept the server's heartbeats")
            .into());
    }
    Ok(Json(Done::new()))
}

/// Returns the settings of the server's host that clients see.
#[cfg_attr(test, utoipa::path(get, path = "/api/server", tag = "server",
    responses((status = 200, body = ServerInfo))))]
pub(super) async fn server(State(state): State<Arc<AppState>>) -> Json<ServerInfo> {
    let Config { play, sign_up, imprint, privacy, .. } = &*state.config;
    Json(ServerInfo {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        chat: play.chat,
        sign_up: *sign_up,
        announcement: state.operations.announcement(),
        imprint: imprint.clone(),
        privacy: privacy.clone(),
    })
}

/// Metrics in the format of Prometheus.
#[cfg_attr(test, utoipa::path(get, path = "/metrics", tag = "server",
    responses((status = 200, body = String, content_type = "application/openmetrics-text"))))]
pub(super) async fn metrics(State(state): State<Arc<AppState>>) -> impl IntoResponse {
    METRICS.tables.set(state.tables.open_count() as i64);
    state.engines.measure().await;
    METRICS.seeks.set(state.pairing.waiting() as i64);
    ([(header::CONTENT_TYPE, "application/openmetrics-text; version=1.0.0; charset=utf-8")], METRICS.render())
}
