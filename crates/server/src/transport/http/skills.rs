//! Profiles of skills, and what the devices of an account learn: reviewed games, exercises, results of puzzle rushes and
//! streaks. Private: each handler serves the account of the sender.

use std::sync::Arc;

use axum::{extract::State, http::StatusCode, response::IntoResponse};
use protocol::{
    AccountSkills, AllLearned, ApiError, ErrorCode, LearnedEverywhere, LearnedGame, LearnedHere, PuzzleRun,
};
use rules::{GAMES, Spec};
use serde::Deserialize;
use store::{Learned, Stored};
use study::skills::{self, Exercise};

#[cfg(test)]
use super::openapi::{ReadErrors, WriteErrors};
use super::{
    AppState, client::Client, error::Result, extract::QueryParams, heavy, identity::Caller, json::Json,
};
use crate::rate::RateClass;

/// Reviewed games, exercises and runs in one response, which is then a few hundred kilobytes long.
const PAGE: u32 = 200;
/// Beyond it, JavaScript rounds.
const MAX_VERSION: u64 = (1 << 53) - 1;
/// By how much the clock of a device may be ahead. What it says to be later happened then.
const AHEAD_MS: u64 = 2 * 24 * 3_600_000;
/// Characters of the id of a game, which the device that reviewed it has chosen.
const MAX_ID: usize = 64;

/// The games of a profile.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub(super) struct SkillsQuery {
    /// The game, such as `connect-four`.
    game: String,
}

impl SkillsQuery {
    /// The game on its standard board: the rates of other boards cannot be compared.
    fn spec(&self) -> Result<Spec> {
        let spec: Spec = self
            .game
            .parse()
            .map_err(|error: rules::SpecError| ErrorCode::UnknownGame.because(error.to_string()))?;
        let standard =
            GAMES.iter().find(|info| info.id == spec.name()).and_then(|info| info.standard.parse().ok());
        Ok(standard.unwrap_or(spec))
    }
}

/// Returns what your reviewed games of a kind say about your play, with the positions that show it.
#[cfg_attr(test, utoipa::path(get, path = "/api/me/skills", tag = "people", params(SkillsQuery),
    responses((status = 200, body = AccountSkills), ReadErrors)))]
pub(super) async fn look(
    client: Client,
    caller: Caller,
    State(state): State<Arc<AppState>>,
    QueryParams(query): QueryParams<SkillsQuery>,
) -> Result<Json<AccountSkills>> {
    state.limits.check(RateClass::Read, client.share)?;
    state.skills(&caller.account()?.id, query.spec()?).await.map(Json)
}

/// Reviews your latest finished games of a kind that were not reviewed yet, in the background, the newest first.
#[cfg_attr(test, utoipa::path(post, path = "/api/me/skills", tag = "people", params(SkillsQuery),
    responses((status = 202, body = AccountSkills), WriteErrors)))]
pub(super) async fn review(
    client: Client,
    caller: Caller,
    State(state): State<Arc<AppState>>,
    QueryParams(query): QueryParams<SkillsQuery>,
) -> Result<impl IntoResponse> {
    state.limits.check(RateClass::Analysis, client.share)?;
    let (account, spec) = (&caller.account()?.id, query.spec()?);
    state.learning.start(account, spec.name())?;
    Ok((StatusCode::ACCEPTED, Json(state.skills(account, spec).await?)))
}

/// Merges what a device has learned with what the account knows, and returns what is new to the device.
#[cfg_attr(test, utoipa::path(post, path = "/api/me/learned", tag = "people", request_body = LearnedHere,
    responses((status = 200, body = LearnedEverywhere), WriteErrors)))]
pub(super) async fn learn(
    client: Client,
    caller: Caller,
    State(state): State<Arc<AppState>>,
    Json(here): Json<LearnedHere>,
) -> Result<Json<LearnedEverywhere>> {
    state.limits.check(RateClass::Command, client.share)?;
    let account = caller.account()?.id.clone();
    let after = here.after;
    let latest = state.tables.clock().now_ms() + AHEAD_MS;
    let new = heavy::run(move || checked(here, latest)).await??;
    if !new.is_empty() {
        match state.store.learn(&account, new).await.map_err(ApiError::from)? {
            Stored::All => {}
            Stored::Full => {
                return Err(ErrorCode::TooLarge
                    .because("this account has too many exercises or runs")
                    .into());
            }
            Stored::NoAccount => return Err(ErrorCode::SignInFirst.because("sign in first").into()),
        }
    }
    Ok(Json(state.learned_after(&account, after).await?))
}

/// What a device has learned, if it is possible.
fn checked(here: LearnedHere, latest: u64) -> std::result::Result<Vec<Learned>, ApiError> {
    let LearnedHere { after, games, exercises, runs } = here;
    if after > MAX_VERSION {
        return Err(bad("“after” must be the “version” of a response"));
    }
    let games = games.into_iter().map(|game| checked_game(game, latest).map(Learned::Game));
    let exercises =
        exercises.into_iter().map(|exercise| checked_exercise(exercise, latest).map(Learned::Exercise));
    let runs = runs.into_iter().map(|run| checked_run(run, latest).map(Learned::Run));
    games.chain(exercises).chain(runs).collect()
}

fn bad(why: impl Into<String>) -> ApiError {
    ErrorCode::BadMessage.because(why)
}

fn check_id(id: &str) -> std::result::Result<(), ApiError> {
    let is_id = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    if id.is_empty() || id.len() > MAX_ID || !id.bytes().all(is_id) {
        return Err(bad(format!("“{}” is not the id of a game", rules::excerpt(id))));
    }
    Ok(())
}

fn checked_game(mut game: LearnedGame, latest: u64) -> std::result::Result<LearnedGame, ApiError> {
    check_id(&game.observed.id)?;
    let played = table::recorded_game(&game.observed.game, game.position.as_deref(), &game.moves)?;
    let count = played.moves().len();
    let mut plies = game.observed.chances.iter().map(|chance| chance.ply as usize);
    // Each position is one chance at most.
    if !plies.clone().is_sorted_by(|a, b| a < b) || plies.any(|ply| ply >= count) {
        return Err(bad("the chances of a game do not match its moves"));
    }
    game.observed.game = played.spec().to_string();
    game.observed.at = game.observed.at.min(latest);
    Ok(game)
}

fn checked_exercise(exercise: Exercise, latest: u64) -> std::result::Result<Exercise, ApiError> {
    check_id(&exercise.from)?;
    let puzzle = exercise.puzzle().map_err(bad)?;
    if !puzzle.game().legal_moves().contains(&exercise.played) {
        return Err(bad("the wrong move of an exercise is not legal"));
    }
    Ok(Exercise { game: puzzle.spec.to_string(), ..exercise.until(latest) })
}

fn checked_run(run: PuzzleRun, latest: u64) -> std::result::Result<PuzzleRun, ApiError> {
    let spec: Spec = run.game.parse().map_err(|error: rules::SpecError| bad(error.to_string()))?;
    Ok(PuzzleRun { game: spec.name().to_owned(), at: run.at.min(latest), ..run })
}

impl AppState {
    async fn skills(&self, account: &str, spec: Spec) -> Result<AccountSkills> {
        let games = self.store.observed(account, spec.name()).await.map_err(ApiError::from)?;
        let unreviewed = self.learning.unreviewed(account, spec.name()).await? as u32;
        let now = self.tables.clock().now_ms();
        let profile = heavy::run(move || skills::profile(spec, &games, now)).await?;
        let reviewing = self.learning.is_reviewing(account);
        Ok(AccountSkills { game: spec.to_string(), profile, unreviewed, reviewing })
    }

    async fn learned_after(&self, account: &str, after: u64) -> Result<LearnedEverywhere> {
        // First, since other devices may write meanwhile. It can be less than `after` once a backup was restored.
        let version = self.store.learned_version(account).await.map_err(ApiError::from)?;
        let found = self.store.learned(account, after, PAGE).await.map_err(ApiError::from)?;
        let more = found.len() == PAGE as usize;
        let last = found.last().map_or(0, |&(version, _)| version);
        let version = if more { last } else { version.max(last) };
        let AllLearned { games, exercises, runs } = sorted(found.into_iter().filter_map(|(_, found)| found));
        Ok(LearnedEverywhere { version, more, games, exercises, runs })
    }

    /// All that an account has learned.
    pub(super) async fn all_learned(&self, account: &str) -> Result<AllLearned> {
        let found = self.store.learned(account, 0, u32::MAX).await.map_err(ApiError::from)?;
        Ok(sorted(found.into_iter().filter_map(|(_, found)| found)))
    }
}

fn sorted(learned: impl Iterator<Item = Learned>) -> AllLearned {
    let mut all = AllLearned::default();
    for learned in learned {
        match learned {
            Learned::Game(game) => all.games.push(game),
            Learned::Exercise(exercise) => all.exercises.push(exercise),
            Learned::Run(run) => all.runs.push(run),
        }
    }
    all
}
