//! Public information about players: profile, games, ratings, rankings.

use std::{io, sync::Arc};

use axum::{
    body::{Body, Bytes},
    extract::State,
    response::Response,
};
use futures_util::stream;
use protocol::{ApiError, ClockKind, ErrorCode, Profile, RankingEntry, RatingPoint, TableList};
use rules::Spec;
use serde::Deserialize;
use store::{Account, TableFilter};

#[cfg(test)]
use super::openapi::ReadErrors;
use super::{
    AppState,
    client::Client,
    error::Result,
    extract::{PathParams, QueryParams},
    identity::Caller,
    json::Json,
    tables::{TableQuery, download},
};
use crate::rate::RateClass;

/// Entries of a page of a ranking.
const RANKING_PAGE: u32 = 100;
/// Games of a download; older ones can be found in the list.
const MAX_GAMES: usize = 1_000;
/// Games that are read at once.
const BATCH: u32 = 20;

impl AppState {
    async fn account(&self, name: &str) -> Result<Account> {
        let account = self.store.account_by_name(name).await.map_err(ApiError::from)?;
        account.ok_or_else(|| ErrorCode::NotFound.because("there is no account with this name").into())
    }

    pub(super) async fn profile(&self, account: &Account) -> Result<Profile> {
        let ratings = self.store.ratings(&account.id).await.map_err(ApiError::from)?;
        let tally = self.store.tally(&account.id).await.map_err(ApiError::from)?;
        Ok(Profile {
            id: account.id.clone(),
            name: account.name.clone(),
            bot: account.bot,
            created_at: account.created,
            ratings,
            wins: tally.won,
            draws: tally.drawn,
            losses: tally.lost,
        })
    }
}

/// Returns the profile of a player.
#[cfg_attr(test, utoipa::path(get, path = "/api/players/{name}", tag = "players", params(("name" = String, Path,)),
    responses((status = 200, body = Profile), ReadErrors)))]
pub(super) async fn profile(
    client: Client,
    State(state): State<Arc<AppState>>,
    PathParams(name): PathParams<String>,
) -> Result<Json<Profile>> {
    state.limits.check(RateClass::Read, client.share)?;
    let account = state.account(&name).await?;
    state.profile(&account).await.map(Json)
}

/// Lists the games of a player, latest first. Unlisted games are included only for the player.
#[cfg_attr(test, utoipa::path(get, path = "/api/players/{name}/games", tag = "players",
    params(("name" = String, Path,), TableQuery),
    responses((status = 200, body = TableList), ReadErrors)))]
pub(super) async fn games(
    client: Client,
    caller: Caller,
    State(state): State<Arc<AppState>>,
    PathParams(name): PathParams<String>,
    QueryParams(wanted): QueryParams<TableQuery>,
) -> Result<Json<TableList>> {
    state.limits.check(RateClass::Read, client.share)?;
    let account = state.account(&name).await?;
    let filter = of_account(&account, &caller, wanted.filter()?);
    let mut page = state.page(filter).await?;
    if wanted.boards {
        state.show_boards(&mut page).await?;
    }
    Ok(Json(page))
}

fn of_account(account: &Account, caller: &Caller, filter: TableFilter) -> TableFilter {
    let is_own = caller.principal.is(&account.id);
    TableFilter { player: Some(account.id.clone()), listed: (!is_own).then_some(true), ..filter }
}

/// Downloads the latest games of a player as text.
#[cfg_attr(test, utoipa::path(get, path = "/api/players/{name}/games.txt", tag = "players",
    params(("name" = String, Path,), TableQuery),
    responses((status = 200, body = String, content_type = "text/plain"), ReadErrors)))]
pub(super) async fn games_text(
    client: Client,
    caller: Caller,
    State(state): State<Arc<AppState>>,
    PathParams(name): PathParams<String>,
    QueryParams(wanted): QueryParams<TableQuery>,
) -> Result<Response> {
    state.limits.check(RateClass::Read, client.share)?;
    let account = state.account(&name).await?;
    let filter = TableFilter { limit: BATCH, ..of_account(&account, &caller, wanted.filter()?) };
    // In batches, as fast as the client reads, so that memory stays bounded.
    let batches = stream::unfold(Some((filter, 0)), move |next| {
        let (store, tables) = (state.store.clone(), state.tables.clone());
        async move {
            let (mut filter, count) = next?;
            let batch = async {
                let rows = store.tables(&filter).await.map_err(ApiError::from)?;
                let mut text = String::new();
                for row in &rows {
                    text += &tables.game_text(&row.key.id).await?;
                }
                Ok::<_, ApiError>((rows, text))
            };
            match batch.await {
                Ok::<_, ApiError>((rows, text)) => {
                    let count = count + rows.len();
                    filter.before = rows.last().map(|row| (row.created, row.key.id.clone()));
                    let has_more = rows.len() == BATCH as usize && count < MAX_GAMES;
                    Some((Ok(Bytes::from(text)), has_more.then_some((filter, count))))
                }
                // The client notices that the download is incomplete.
                Err(error) => Some((Err(io::Error::other(error.message)), None)),
            }
        }
    });
    Ok(download(&format!("{}.txt", account.name), Body::from_stream(batches)))
}

/// The rating to return.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub(super) struct RatingQuery {
    /// The game, such as `connect-four`.
    game: String,
    /// `untimed`, `fast`, `slow` or `correspondence`.
    kind: ClockKind,
}

/// Returns the history of a rating, oldest point first.
#[cfg_attr(test, utoipa::path(get, path = "/api/players/{name}/ratings", tag = "players",
    params(("name" = String, Path,), RatingQuery),
    responses((status = 200, body = Vec<RatingPoint>), ReadErrors)))]
pub(super) async fn ratings(
    client: Client,
    State(state): State<Arc<AppState>>,
    PathParams(name): PathParams<String>,
    QueryParams(which): QueryParams<RatingQuery>,
) -> Result<Json<Vec<RatingPoint>>> {
    state.limits.check(RateClass::Read, client.share)?;
    let game = game_name(&which.game)?;
    let account = state.account(&name).await?;
    let points = state.store.rating_history(&account.id, game, which.kind).await.map_err(ApiError::from)?;
    Ok(Json(points))
}

/// The part of a ranking to return.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub(super) struct RankingQuery {
    /// `untimed`, `fast` (the default), `slow` or `correspondence`.
    #[serde(default)]
    kind: Option<ClockKind>,
    /// Number of entries to skip.
    #[serde(default)]
    offset: u32,
}

/// Lists the strongest players, best first.
#[cfg_attr(test, utoipa::path(get, path = "/api/ranking/{game}", tag = "players",
    params(("game" = String, Path,), RankingQuery),
    responses((status = 200, body = Vec<RankingEntry>), ReadErrors)))]
pub(super) async fn ranking(
    client: Client,
    State(state): State<Arc<AppState>>,
    PathParams(game): PathParams<String>,
    QueryParams(part): QueryParams<RankingQuery>,
) -> Result<Json<Vec<RankingEntry>>> {
    state.limits.check(RateClass::Read, client.share)?;
    let kind = part.kind.unwrap_or(ClockKind::Fast);
    let lines = state
        .store
        .ranking(game_name(&game)?, kind, RANKING_PAGE, part.offset)
        .await
        .map_err(ApiError::from)?;
    Ok(Json(lines))
}

/// The name of a game without its size: only games of the standard size are rated.
fn game_name(game: &str) -> Result<&'static str> {
    let spec: Spec =
        game.parse().map_err(|error: rules::SpecError| ErrorCode::UnknownGame.because(error.to_string()))?;
    Ok(spec.name())
}
