//! Looking at positions without a table: what they look like, what they are worth, where a game was lost.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
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
    Door,
    client::Client,
    error::{CannotDo, Result},
    extract::Sent,
    limits::Costly,
};
use crate::{
    services::engine_pool::{MAX_LINES, thought},
    transport::socket::position_of,
};

/// The cells of all boards in one answer: some megabytes.
const MOST_CELLS: usize = 200_000;
const MOST_TIME_MS: u32 = 2_000;
/// A review shares out this time, but gives no move more than it needs.
const REVIEW_TIME: Duration = Duration::from_secs(8);
const LONGEST_LOOK: Duration = Duration::from_millis(100);
const MOST_REVIEWED: usize = 500;
/// What the solver of an analysis may remember.
const SOLVER_MEMORY: usize = 16 << 20;

/// Shows what a game looked like after each move.
#[utoipa::path(post, path = "/api/position", tag = "study", request_body = GameRecord,
    responses((status = 200, body = Replay), CannotDo))]
pub(super) async fn position(
    client: Client,
    State(door): State<Arc<Door>>,
    Sent(course): Sent<GameRecord>,
) -> Result<Json<Replay>> {
    door.limits.take(Costly::Look, client.counted())?;
    let walk = tokio::task::spawn_blocking(move || walk(&course)).await;
    Ok(Json(walk.map_err(|_| ErrorCode::Broken.because("the server made a mistake"))??))
}

fn walk(course: &GameRecord) -> std::result::Result<Replay, ApiError> {
    let game = position_of(&course.game, course.position.as_deref(), &course.moves)?;
    let moves = game.moves();
    let count = moves.len() as u32;
    if course.from > count {
        return Err(ErrorCode::BadMessage.because(format!("there are only {count} moves")));
    }
    let mut now = table::start_game(&course.game, course.position.as_deref())?;
    let view = now.view();
    let most = (MOST_CELLS / view.cells.len().max(1)).max(1);
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

/// Tells the best moves of a position, what they are worth and why.
#[utoipa::path(post, path = "/api/analysis", tag = "study", request_body = AnalysisRequest,
    responses((status = 200, body = Analysis), CannotDo))]
pub(super) async fn analysis(
    client: Client,
    State(door): State<Arc<Door>>,
    Sent(asked): Sent<AnalysisRequest>,
) -> Result<Json<Analysis>> {
    door.limits.take(Costly::Analysis, client.counted())?;
    if !(1..=MAX_LINES as u32).contains(&asked.lines) || !(1..=MOST_TIME_MS).contains(&asked.time_ms) {
        let bounds = format!("1 to {MAX_LINES} lines and 1 to {MOST_TIME_MS} ms are possible");
        return Err(ErrorCode::BadMessage.because(bounds).into());
    }
    let game = position_of(&asked.game, asked.position.as_deref(), &asked.moves)?;
    let time = Duration::from_millis(asked.time_ms.into());
    let lines = asked.lines as usize;
    // The solver looks at a flag, so somebody has to raise it.
    let is_late = Arc::new(AtomicBool::new(false));
    let raise = {
        let is_late = is_late.clone();
        async move {
            tokio::time::sleep(time / 4).await;
            is_late.store(true, Ordering::Relaxed);
        }
    };
    let timer = tokio::spawn(raise);
    let analysis = door.app.engines.study(move || analysed(&game, lines, time, &is_late)).await;
    timer.abort();
    Ok(Json(analysis?))
}

/// The time is shared out: a quarter for proofs, half for the lines, a quarter for the reasons.
fn analysed(game: &AnyGame, lines: usize, time: Duration, is_late: &AtomicBool) -> Analysis {
    let columns = columns(game, is_late);
    let limits = analysis::Limits { lines, time: Some(time / 2), ..analysis::Limits::default() };
    let stop = Stop::default();
    let info = analysis::analyse(game, &limits, &native::resources(0), &stop, &mut |_| {});
    let info = Info { done: true, ..Info::new(None, game.moves().len() as u32, info) };
    Analysis { info, thought: thought(game, time / 4, &stop), columns }
}

/// The certain results of all columns, if they can be had in time.
fn columns(game: &AnyGame, is_late: &AtomicBool) -> Option<Vec<Option<Proven>>> {
    let position = solver::solvable(game).filter(|_| game.outcome().is_none())?;
    let mut solver = Solver::new(SOLVER_MEMORY).with_book(Book::embedded());
    let solved = solver.analyse(&position, is_late).ok()?;
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

/// Tells what each move of a game gave away. Takes some seconds.
#[utoipa::path(post, path = "/api/review", tag = "study", request_body = GameRecord,
    responses((status = 200, body = Review), CannotDo))]
pub(super) async fn review_game(
    client: Client,
    State(door): State<Arc<Door>>,
    Sent(course): Sent<GameRecord>,
) -> Result<Json<Review>> {
    door.limits.take(Costly::Analysis, client.counted())?;
    let game = position_of(&course.game, course.position.as_deref(), &course.moves)?;
    let count = game.moves().len();
    if count > MOST_REVIEWED {
        return Err(ErrorCode::BadMessage
            .because(format!("at most {MOST_REVIEWED} moves are reviewed"))
            .into());
    }
    let time = (REVIEW_TIME / count.max(1) as u32).min(LONGEST_LOOK);
    let limits = analysis::Limits { time: Some(time), ..analysis::Limits::default() };
    // Whoever goes away needs no answer.
    let wanted = Wanted(Stop::default());
    let stop = wanted.0.clone();
    let (spec, from) = (game.spec().to_string(), course.from as usize);
    let moves = door
        .app
        .engines
        .study(move || review::review(&game, &limits, &native::resources(0), &stop, &mut |_| {}))
        .await?;
    Ok(Json(Review { game: spec, moves: moves.into_iter().skip(from).map(ReviewedMove::from).collect() }))
}

/// Stops what nobody waits for any more.
struct Wanted(Stop);

impl Drop for Wanted {
    fn drop(&mut self) {
        self.0.cancel();
    }
}
