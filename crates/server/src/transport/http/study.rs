//! Positions without a table: replay, analysis, review.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use axum::{Json, extract::State};
use players::Stop;
use protocol::{
    Analysis, AnalysisRequest, ApiError, Choice, ErrorCode, GameRecord, Info, Proven, ProvenResult, Replay,
    ReplayStep, Review, ReviewedMove,
};
use rules::AnyGame;
use solver::{Book, Solver};
use study::{analysis, review};

use super::{
    AppState,
    client::Client,
    error::{Result, WriteErrors},
    extract::JsonBody,
};
use crate::{
    rate::RateClass,
    services::engine_pool::{MAX_LINES, thought},
    transport::socket::position_of,
};

/// Cells of all boards in one response, which is then some megabytes long.
const MAX_CELLS: usize = 200_000;
const MAX_TIME_MS: u32 = 2_000;
/// Time of a review, shared by its moves.
const REVIEW_TIME: Duration = Duration::from_secs(8);
/// Time that one move of a review needs at most.
const MAX_MOVE_TIME: Duration = Duration::from_millis(100);
const MAX_REVIEWED: usize = 500;
/// Size of the solver's table, in bytes.
const SOLVER_MEMORY: usize = 16 << 20;

/// Returns the position after each move of a game.
#[utoipa::path(post, path = "/api/position", tag = "study", request_body = GameRecord,
    responses((status = 200, body = Replay), WriteErrors))]
pub(super) async fn position(
    client: Client,
    State(state): State<Arc<AppState>>,
    JsonBody(course): JsonBody<GameRecord>,
) -> Result<Json<Replay>> {
    state.limits.check(RateClass::Read, client.rate_key())?;
    let walk = tokio::task::spawn_blocking(move || walk(&course)).await;
    Ok(Json(walk.map_err(|_| ErrorCode::Broken.because("internal server error"))??))
}

fn walk(course: &GameRecord) -> std::result::Result<Replay, ApiError> {
    let game = position_of(&course.game, course.position.as_deref(), &course.moves)?;
    let moves = game.moves();
    let count = moves.len() as u32;
    if course.from > count {
        return Err(ErrorCode::BadMessage.because(format!("the game has only {count} moves")));
    }
    let mut now = table::start_game(&course.game, course.position.as_deref())?;
    let view = now.view();
    let most = (MAX_CELLS / view.cells.len().max(1)).max(1);
    let mut plies = Vec::new();
    for ply in 0..=count {
        let text = ply.checked_sub(1).map(|before| moves[before as usize].clone());
        if let Some(text) = &text {
            now.play(text).map_err(|error| ErrorCode::IllegalMove.because(error.to_string()))?;
        }
        if ply >= course.from {
            let (view, legal) = (now.view().into(), now.choices().into_iter().map(Choice::from).collect());
            plies.push(ReplayStep { ply, text, position: now.position(), view, legal });
        }
        if plies.len() >= most {
            break;
        }
    }
    Ok(Replay { game: game.spec().to_string(), moves: count, plies })
}

/// Analyses a position: best lines, evaluation, reasons.
#[utoipa::path(post, path = "/api/analysis", tag = "study", request_body = AnalysisRequest,
    responses((status = 200, body = Analysis), WriteErrors))]
pub(super) async fn analysis(
    client: Client,
    State(state): State<Arc<AppState>>,
    JsonBody(asked): JsonBody<AnalysisRequest>,
) -> Result<Json<Analysis>> {
    state.limits.check(RateClass::Analysis, client.rate_key())?;
    if !(1..=MAX_LINES as u32).contains(&asked.lines) || !(1..=MAX_TIME_MS).contains(&asked.time_ms) {
        let bounds = format!("1 to {MAX_LINES} lines and 1 to {MAX_TIME_MS} ms are allowed");
        return Err(ErrorCode::BadMessage.because(bounds).into());
    }
    let game = position_of(&asked.game, asked.position.as_deref(), &asked.moves)?;
    let time = Duration::from_millis(asked.time_ms.into());
    let lines = asked.lines as usize;
    Ok(Json(state.engines.study(move || analysed(&game, lines, time)).await?))
}

/// A quarter of the time is for proofs, half for the lines, a quarter for the reasons.
fn analysed(game: &AnyGame, lines: usize, time: Duration) -> Analysis {
    let columns = columns(game, time / 4);
    let limits = analysis::Limits { lines, time: Some(time / 2), ..analysis::Limits::default() };
    let stop = Stop::default();
    let info = analysis::analyse(game, &limits, &native::resources(0), &stop, &mut |_| {});
    let info = Info { done: true, ..Info::new(None, game.moves().len() as u32, info) };
    Analysis { info, thought: thought(game, time / 4, &stop), columns }
}

/// The proven results of all columns, if the solver finishes in time.
fn columns(game: &AnyGame, time: Duration) -> Option<Vec<Option<Proven>>> {
    let position = solver::solvable(game).filter(|_| game.outcome().is_none())?;
    let start = Instant::now();
    let is_late = || start.elapsed() >= time;
    let mut solver = Solver::new(SOLVER_MEMORY).with_book(Book::embedded());
    let solved = solver.analyse(&position, &is_late).ok()?;
    let mut columns = vec![None; usize::from(game.view().cols)];
    for (column, bounds) in solved.moves {
        let score = bounds.exact()?;
        let result = match score.signum() {
            -1 => ProvenResult::Loss,
            0 => ProvenResult::Draw,
            _ => ProvenResult::Win,
        };
        let plies = solver::plies_left(&position, score);
        columns[usize::from(column.index())] = Some(Proven { result, plies: plies.into() });
    }
    Some(columns)
}

/// Reviews the moves of a game, which takes some seconds.
#[utoipa::path(post, path = "/api/review", tag = "study", request_body = GameRecord,
    responses((status = 200, body = Review), WriteErrors))]
pub(super) async fn review_game(
    client: Client,
    State(state): State<Arc<AppState>>,
    JsonBody(course): JsonBody<GameRecord>,
) -> Result<Json<Review>> {
    state.limits.check(RateClass::Analysis, client.rate_key())?;
    let game = position_of(&course.game, course.position.as_deref(), &course.moves)?;
    let count = game.moves().len();
    if count > MAX_REVIEWED {
        return Err(ErrorCode::BadMessage
            .because(format!("at most {MAX_REVIEWED} moves are reviewed"))
            .into());
    }
    let time = (REVIEW_TIME / count.max(1) as u32).min(MAX_MOVE_TIME);
    let limits = analysis::Limits { time: Some(time), ..analysis::Limits::default() };
    // Stops if the client disconnects.
    let guard = StopOnDrop(Stop::default());
    let stop = guard.0.clone();
    let (spec, from) = (game.spec().to_string(), course.from as usize);
    let moves = state
        .engines
        .study(move || review::review(&game, &limits, &native::resources(0), &stop, &mut |_| {}))
        .await?;
    Ok(Json(Review { game: spec, moves: moves.into_iter().skip(from).map(ReviewedMove::from).collect() }))
}

/// Stops a review whose client has disconnected.
struct StopOnDrop(Stop);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}
