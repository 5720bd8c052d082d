//! For whoever looks after the server: does it live, can it work, what does it do.

use std::sync::Arc;

use axum::{Json, extract::State, http::header, response::IntoResponse};
use protocol::{ApiError, Done, ErrorCode};

use super::{
    Door,
    error::{CannotTell, Result},
    metrics,
};

/// Answers as long as the server lives.
#[utoipa::path(get, path = "/api/health", tag = "server", responses((status = 200, body = Done)))]
pub(super) async fn health() -> Json<Done> {
    Json(Done::new())
}

/// Answers as long as it can work: its store answers and takes its heartbeats, and it is not about to stop.
#[utoipa::path(get, path = "/api/ready", tag = "server", responses((status = 200, body = Done), CannotTell))]
pub(super) async fn ready(State(door): State<Arc<Door>>) -> Result<Json<Done>> {
    if door.closing.is_cancelled() {
        return Err(ErrorCode::Unavailable.because("the server is stopping").into());
    }
    door.app.store.ping().await.map_err(ApiError::from)?;
    if !door.app.tables.knows_downtimes() {
        return Err(ErrorCode::Unavailable.because("nothing can be stored just now").into());
    }
    Ok(Json(Done::new()))
}

/// Figures for Prometheus.
#[utoipa::path(get, path = "/metrics", tag = "server",
    responses((status = 200, body = String, content_type = "text/plain")))]
pub(super) async fn figures(State(door): State<Arc<Door>>) -> impl IntoResponse {
    let app = &door.app;
    ::metrics::gauge!("alinea_tables").set(app.tables.open_count() as f64);
    ::metrics::gauge!("alinea_programs_thinking").set(app.engines.busy() as f64);
    ::metrics::gauge!("alinea_seeks").set(app.pairing.waiting() as f64);
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], metrics::render())
}
