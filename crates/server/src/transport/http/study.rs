//! Positions without a table: replay, analysis, review.

use std::{sync::Arc, time::Duration};

use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use play::MAX_LINES;
use protocol::{AnalysisRequest, Assessment, ErrorCode, GameRecord};
use store::task;

#[cfg(test)]
use super::openapi::WriteErrors;
use super::{AppState, client::Client, error::Result, heavy, identity::Caller, json::Json, stream};
use crate::rate::RateClass;

/// Maximum number of cells of all boards in one response, which is then a few hundred kilobytes long.
const MAX_CELLS: usize = 50_000;
const MAX_TIME_MS: u32 = 2_000;
const MAX_REVIEWED: usize = 500;

/// Returns the position after each move of a game.
#[cfg_attr(test, utoipa::path(post, path = "/api/position", tag = "study", request_body = GameRecord,
    responses((status = 200, body = protocol::Replay), WriteErrors)))]
pub(super) async fn position(
    client: Client,
    State(state): State<Arc<AppState>>,
    Json(course): Json<GameRecord>,
) -> Result<Response> {
    state.limits.check(RateClass::Read, client.share)?;
    // Written as JSON at once: the boards take several times as much memory, and the client may read slowly.
    let written =
        heavy::run(move || table::replay(&course, MAX_CELLS).map(|replay| Json(replay).into_response()))
            .await?;
    Ok(written?)
}

/// Assesses a position: every move where results can be proven, else the best lines, and reasons.
#[cfg_attr(test, utoipa::path(post, path = "/api/analysis", tag = "study", request_body = AnalysisRequest,
    responses((status = 200, body = Assessment), WriteErrors)))]
pub(super) async fn analysis(
    client: Client,
    caller: Caller,
    State(state): State<Arc<AppState>>,
    Json(asked): Json<AnalysisRequest>,
) -> Result<Json<Assessment>> {
    state.limits.check(RateClass::Analysis, client.share)?;
    if !(1..=MAX_LINES as u32).contains(&asked.lines) || !(1..=MAX_TIME_MS).contains(&asked.time_ms) {
        let bounds = format!("1 to {MAX_LINES} lines and 1 to {MAX_TIME_MS} ms are allowed");
        return Err(ErrorCode::BadMessage.because(bounds).into());
    }
    let game = table::recorded_game(&asked.game, asked.position.as_deref(), &asked.moves)?;
    let time = Duration::from_millis(asked.time_ms.into());
    let (client, lines) = (caller.principal.id(), asked.lines as usize);
    Ok(Json(state.engines.assess(client, &game, lines, time, |_| {}).await?))
}

/// Reviews the moves of a game, one line each, which takes some seconds. Of a long game on a large board, it
/// reviews only the moves that fit into the time limit.
#[cfg_attr(test, utoipa::path(post, path = "/api/review", tag = "study", request_body = GameRecord,
    responses((status = 200, body = study::review::Reviewed, content_type = "application/x-ndjson"), WriteErrors)))]
pub(super) async fn review_game(
    client: Client,
    caller: Caller,
    State(state): State<Arc<AppState>>,
    Json(course): Json<GameRecord>,
) -> Result<Response> {
    state.limits.check(RateClass::Analysis, client.share)?;
    let game = table::recorded_game(&course.game, course.position.as_deref(), &course.moves)?;
    let count = game.moves().len();
    if count > MAX_REVIEWED {
        return Err(ErrorCode::BadMessage
            .because(format!("too many moves; at most {MAX_REVIEWED} can be reviewed"))
            .into());
    }
    let mut review = state.engines.review(caller.principal.id(), &game, course.from as usize).await?;
    let (sender, response) = stream::lines();
    task::spawn(async move {
        while let Some(reviewed) = review.next_move().await {
            // A client that has disconnected or does not read ends the review.
            if sender.send_timeout(stream::line(&reviewed), stream::SEND_TIMEOUT).await.is_err() {
                return;
            }
        }
    });
    Ok(response)
}
