//! Puzzles: the daily one, the next one, attempts, and the whole collection. An account is rated once for each puzzle,
//! from the moves that it sends.

use std::{sync::Arc, time::Duration};

use axum::{
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use protocol::{
    ApiError, ErrorCode, Puzzle, PuzzleAttempt, PuzzleProgress, PuzzleRecord, PuzzleResult, PuzzleStep,
    PuzzleTried,
};
use rules::{AnyGame, Spec};
use serde::Deserialize;
use store::{Decided, TriedPuzzle, random};
use study::puzzles::{self, Attempt, Collection, Refutation, Theme};

#[cfg(test)]
use super::openapi::{ReadErrors, WriteErrors};
use super::{
    AppState,
    client::Client,
    error::Result,
    extract::{PathParams, QueryParams},
    heavy,
    identity::Caller,
    json::Json,
    stream,
};
use crate::rate::RateClass;

/// Moves of one attempt; no solution is as long.
const MAX_MOVES: usize = 50;
/// The time to find out why a move fails.
const REFUTE_TIME: Duration = Duration::from_secs(2);

/// The collection, which is read when it is first asked for.
async fn collections() -> Result<&'static [Collection]> {
    heavy::run(puzzles::embedded).await
}

fn spec_of(game: &str) -> Result<Spec> {
    game.parse().map_err(|error: rules::SpecError| ErrorCode::UnknownGame.because(error.to_string()).into())
}

fn theme_of(theme: Option<&str>) -> Result<Option<Theme>> {
    let theme = theme.map(str::parse::<Theme>).transpose();
    theme.map_err(|error| ErrorCode::BadMessage.because(error).into())
}

fn missing() -> ApiError {
    ErrorCode::NotFound.because("there is no such puzzle")
}

fn found(collection: &Collection, number: usize) -> Result<Json<Puzzle>> {
    let puzzle = collection.get(number).ok_or_else(missing)?;
    Ok(Json(Puzzle::new(collection.id(number), puzzle)))
}

/// The game of the daily puzzle.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub(super) struct DailyQuery {
    /// The game, such as `connect-four`; by default, another game each day.
    #[serde(default)]
    game: Option<String>,
}

/// Returns the puzzle of the day, the same for everyone. Days change at midnight UTC.
#[cfg_attr(test, utoipa::path(get, path = "/api/puzzles/daily", tag = "puzzles", params(DailyQuery),
    responses((status = 200, body = Puzzle), ReadErrors)))]
pub(super) async fn daily(
    client: Client,
    State(state): State<Arc<AppState>>,
    QueryParams(wanted): QueryParams<DailyQuery>,
) -> Result<Json<Puzzle>> {
    state.limits.check(RateClass::Read, client.share)?;
    let game = wanted.game.as_deref().map(spec_of).transpose()?;
    let day = puzzles::day_of(state.tables.clock().now_ms());
    let (collection, number) = puzzles::daily(collections().await?, day, game).ok_or_else(missing)?;
    found(collection, number)
}

/// The puzzles to choose from.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub(super) struct NextQuery {
    /// The game, such as `connect-four`.
    game: String,
    /// Only puzzles with this theme, such as `double-threat`.
    #[serde(default)]
    theme: Option<String>,
}

/// Returns a puzzle that the account has not tried yet, of a difficulty near its rating. A guest gets the puzzles of a
/// new account.
#[cfg_attr(test, utoipa::path(get, path = "/api/puzzles/next", tag = "puzzles", params(NextQuery),
    responses((status = 200, body = Puzzle), ReadErrors)))]
pub(super) async fn next(
    client: Client,
    caller: Caller,
    State(state): State<Arc<AppState>>,
    QueryParams(wanted): QueryParams<NextQuery>,
) -> Result<Json<Puzzle>> {
    state.limits.check(RateClass::Read, client.share)?;
    let (spec, theme) = (spec_of(&wanted.game)?, theme_of(wanted.theme.as_deref())?);
    let all = collections().await?;
    let collection = all.iter().find(|collection| collection.spec == spec).ok_or_else(missing)?;
    let (rating, seen) = match &caller.identity.account {
        None => (study::glicko::Rating::default(), Vec::new()),
        Some(account) => {
            let rating = state.store.puzzle_rating(&account.id, spec.name()).await.map_err(ApiError::from)?;
            let seen = state.store.puzzle_numbers_tried(&account.id, spec.name()).await;
            (rating, seen.map_err(ApiError::from)?)
        }
    };
    let is_seen = |number: usize| seen.contains(&(number as u64));
    let number = collection.next(theme, rating.rating, is_seen, u64::from_le_bytes(random()));
    found(collection, number.ok_or_else(missing)?)
}

/// Returns a puzzle, without its solution.
#[cfg_attr(test, utoipa::path(get, path = "/api/puzzles/{id}", tag = "puzzles", params(("id" = String, Path,)),
    responses((status = 200, body = Puzzle), ReadErrors)))]
pub(super) async fn one(
    client: Client,
    State(state): State<Arc<AppState>>,
    PathParams(id): PathParams<String>,
) -> Result<Json<Puzzle>> {
    state.limits.check(RateClass::Read, client.share)?;
    let (collection, number) = puzzles::find(collections().await?, &id).ok_or_else(missing)?;
    found(collection, number)
}

/// Judges moves in a puzzle. The first wrong move, help or the whole solution decides the puzzle for an account, and
/// changes its rating.
#[cfg_attr(test, utoipa::path(post, path = "/api/puzzles/{id}/attempt", tag = "puzzles",
    params(("id" = String, Path,)),
    request_body = PuzzleAttempt, responses((status = 200, body = PuzzleStep), WriteErrors)))]
pub(super) async fn attempt(
    client: Client,
    caller: Caller,
    State(state): State<Arc<AppState>>,
    PathParams(id): PathParams<String>,
    Json(asked): Json<PuzzleAttempt>,
) -> Result<Json<PuzzleStep>> {
    let class = if asked.refute { RateClass::Analysis } else { RateClass::Command };
    state.limits.check(class, client.share)?;
    if asked.moves.len() > MAX_MOVES {
        return Err(ErrorCode::BadMessage
            .because(format!("too many moves; at most {MAX_MOVES} are allowed"))
            .into());
    }
    let (collection, number) = puzzles::find(collections().await?, &id).ok_or_else(missing)?;
    let puzzle = collection.get(number).ok_or_else(missing)?;
    let (attempt, wrong) =
        Attempt::replay(puzzle, &asked.moves).map_err(|error| ErrorCode::IllegalMove.because(error))?;
    let step = PuzzleStep::of(&attempt, wrong.as_ref(), &asked);
    let decided = match step.result {
        PuzzleResult::Solved => Some(true),
        PuzzleResult::Right if !asked.help => None,
        _ => Some(false),
    };
    let rating = match (decided, &caller.identity.account) {
        (Some(solved), Some(account)) => {
            let game = collection.spec.name();
            let decided = Decided { account: &account.id, game, number: number as u64, solved };
            let rate = |before| puzzles::rated(before, puzzle, solved);
            state.store.decide_puzzle(decided, rate).await.map_err(ApiError::from)?
        }
        _ => None,
    };
    let refutation = match &wrong {
        Some(after) if asked.refute => state.refute(caller.principal.id(), &attempt, after).await,
        _ => None,
    };
    Ok(Json(PuzzleStep { rating, refutation, ..step }))
}

/// Returns the ratings of the account against puzzles, and the puzzles that it has tried.
#[cfg_attr(test, utoipa::path(get, path = "/api/puzzles/progress", tag = "puzzles",
    responses((status = 200, body = PuzzleProgress), ReadErrors)))]
pub(super) async fn progress(
    client: Client,
    caller: Caller,
    State(state): State<Arc<AppState>>,
) -> Result<Json<PuzzleProgress>> {
    state.limits.check(RateClass::Read, client.share)?;
    state.puzzle_progress(&caller.account()?.id).await.map(Json)
}

impl AppState {
    /// Returns why a move fails, if a search slot is free in time. The search waits in the fair queue, so that a
    /// client's wrong moves do not block others.
    async fn refute(&self, client: &str, attempt: &Attempt<'_>, after: &AnyGame) -> Option<Refutation> {
        if after.outcome().is_some() {
            return Some(attempt.refutation(after, None, Vec::new()));
        }
        let assessment = self.engines.assess(client, after, 1, REFUTE_TIME, |_| {}).await.ok()?;
        let best = assessment.known.moves.into_iter().next()?;
        Some(attempt.refutation(after, best.verdict.proven(), best.line))
    }

    pub(super) async fn puzzle_progress(&self, account: &str) -> Result<PuzzleProgress> {
        let ratings = self.store.puzzle_ratings(account).await.map_err(ApiError::from)?;
        let tried = self.store.puzzles_tried(account).await.map_err(ApiError::from)?;
        let all = collections().await?;
        // A later version may have fewer puzzles.
        let known = tried.into_iter().filter_map(|TriedPuzzle { game, number, solved, at }| {
            let id = format!("{game}-{number}");
            let (collection, number) = puzzles::find(all, &id)?;
            let puzzle = collection.get(number)?;
            let themes = puzzle.themes.iter().map(ToString::to_string).collect();
            Some(PuzzleTried { id, themes, rating: puzzle.rating, solved, at })
        });
        Ok(PuzzleProgress { ratings, tried: known.collect() })
    }
}

/// The puzzles to return.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub(super) struct ExportQuery {
    /// The game, such as `connect-four`; by default, all games.
    #[serde(default)]
    game: Option<String>,
    /// Only puzzles with this theme.
    #[serde(default)]
    theme: Option<String>,
}

/// Returns the collection with its solutions, one line of JSON per puzzle.
#[cfg_attr(test, utoipa::path(get, path = "/api/puzzles.jsonl", tag = "puzzles", params(ExportQuery),
    responses((status = 200, body = PuzzleRecord, content_type = "application/x-ndjson"), ReadErrors)))]
pub(super) async fn export(
    client: Client,
    State(state): State<Arc<AppState>>,
    QueryParams(wanted): QueryParams<ExportQuery>,
) -> Result<Response> {
    state.limits.check(RateClass::Analysis, client.share)?;
    let (game, theme) =
        (wanted.game.as_deref().map(spec_of).transpose()?, theme_of(wanted.theme.as_deref())?);
    let lines = heavy::run(move || {
        let of_game = puzzles::embedded().iter().filter(|it| game.is_none_or(|game| it.spec == game));
        let all = of_game.flat_map(|it| (1..).zip(&it.puzzles));
        let wanted = all.filter(|(_, it)| theme.is_none_or(|theme| it.themes.contains(&theme)));
        wanted.flat_map(|(number, it)| stream::line(&PuzzleRecord::new(number, it))).collect::<Vec<u8>>()
    })
    .await?;
    Ok(([(header::CONTENT_TYPE, "application/x-ndjson")], lines).into_response())
}
