//! What anybody can see of accounts: profiles, their games, their ratings, and who is best.

use std::{io, sync::Arc};

use axum::{
    Json,
    body::{Body, Bytes},
    extract::State,
    response::Response,
};
use futures_util::stream;
use protocol::{ApiError, ClockKind, ErrorCode, Profile, RankingEntry, RatingPoint, TableList};
use rules::Spec;
use serde::Deserialize;
use utoipa::IntoParams;

use super::{
    Door,
    client::Client,
    error::{CannotTell, Result},
    extract::{Asked, Named},
    limits::Costly,
    people::Caller,
    tables::{Wanted, download},
};
use crate::store::{Account, TableFilter};

/// How many lines a page of a ranking has.
const RANKS: u32 = 100;
/// How many games a download has at most; older ones are found by the list.
const MOST_GAMES: usize = 1_000;
/// How many are read at once.
const BATCH: u32 = 20;

impl Door {
    async fn account(&self, name: &str) -> Result<Account> {
        let account = self.app.store.account_by_name(name).await.map_err(ApiError::from)?;
        account.ok_or_else(|| ErrorCode::NotFound.because("there is no such account").into())
    }
}

/// Shows an account.
#[utoipa::path(get, path = "/api/players/{name}", tag = "players", params(("name" = String, Path,)),
    responses((status = 200, body = Profile), CannotTell))]
pub(super) async fn profile(
    client: Client,
    State(door): State<Arc<Door>>,
    Named(name): Named<String>,
) -> Result<Json<Profile>> {
    door.limits.take(Costly::Look, client.counted())?;
    let account = door.account(&name).await?;
    let ratings = door.app.store.ratings(&account.id).await.map_err(ApiError::from)?;
    let tally = door.app.store.tally(&account.id).await.map_err(ApiError::from)?;
    Ok(Json(Profile {
        name: account.name,
        created_at: account.created,
        ratings,
        wins: tally.won,
        draws: tally.drawn,
        losses: tally.lost,
    }))
}

/// Lists the games of an account, the latest first; those that are not listed only to itself.
#[utoipa::path(get, path = "/api/players/{name}/games", tag = "players", params(("name" = String, Path,), Wanted),
    responses((status = 200, body = TableList), CannotTell))]
pub(super) async fn games(
    client: Client,
    caller: Caller,
    State(door): State<Arc<Door>>,
    Named(name): Named<String>,
    Asked(wanted): Asked<Wanted>,
) -> Result<Json<TableList>> {
    door.limits.take(Costly::Look, client.counted())?;
    let account = door.account(&name).await?;
    let filter = of_account(&account, &caller, wanted.filter()?);
    door.page(filter).await.map(Json)
}

fn of_account(account: &Account, caller: &Caller, filter: TableFilter) -> TableFilter {
    let is_own = caller.who.is(&account.id);
    TableFilter { player: Some(account.id.clone()), listed: (!is_own).then_some(true), ..filter }
}

/// Writes the latest games of an account down as text that can be read back.
#[utoipa::path(get, path = "/api/players/{name}/games.txt", tag = "players",
    params(("name" = String, Path,), Wanted),
    responses((status = 200, body = String, content_type = "text/plain"), CannotTell))]
pub(super) async fn games_text(
    client: Client,
    caller: Caller,
    State(door): State<Arc<Door>>,
    Named(name): Named<String>,
    Asked(wanted): Asked<Wanted>,
) -> Result<Response> {
    door.limits.take(Costly::Look, client.counted())?;
    let account = door.account(&name).await?;
    let filter = TableFilter { limit: BATCH, ..of_account(&account, &caller, wanted.filter()?) };
    // Some at a time, as fast as they are taken, so that many games need little memory.
    let batches = stream::unfold(Some((filter, 0)), move |next| {
        let (store, tables) = (door.app.store.clone(), door.app.tables.clone());
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
                    let goes_on = rows.len() == BATCH as usize && count < MOST_GAMES;
                    Some((Ok(Bytes::from(text)), goes_on.then_some((filter, count))))
                }
                // The client sees that the download was cut off.
                Err(refusal) => Some((Err(io::Error::other(refusal.message)), None)),
            }
        }
    });
    Ok(download(&format!("{}.txt", account.name), Body::from_stream(batches)))
}

/// Which rating.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Which {
    /// Such as `connect-four`.
    game: String,
    /// `untimed`, `fast`, `slow` or `correspondence`.
    kind: ClockKind,
}

/// Shows how a rating went, the oldest point first.
#[utoipa::path(get, path = "/api/players/{name}/ratings", tag = "players", params(("name" = String, Path,), Which),
    responses((status = 200, body = Vec<RatingPoint>), CannotTell))]
pub(super) async fn ratings(
    client: Client,
    State(door): State<Arc<Door>>,
    Named(name): Named<String>,
    Asked(which): Asked<Which>,
) -> Result<Json<Vec<RatingPoint>>> {
    door.limits.take(Costly::Look, client.counted())?;
    let game = game_name(&which.game)?;
    let account = door.account(&name).await?;
    let points =
        door.app.store.rating_history(&account.id, game, which.kind).await.map_err(ApiError::from)?;
    Ok(Json(points))
}

/// Which part of a ranking.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Part {
    /// `untimed`, `fast` (if not given), `slow` or `correspondence`.
    #[serde(default)]
    kind: Option<ClockKind>,
    /// How many to skip.
    #[serde(default)]
    offset: u32,
}

/// Lists the strongest, best first.
#[utoipa::path(get, path = "/api/ranking/{game}", tag = "players", params(("game" = String, Path,), Part),
    responses((status = 200, body = Vec<RankingEntry>), CannotTell))]
pub(super) async fn ranking(
    client: Client,
    State(door): State<Arc<Door>>,
    Named(game): Named<String>,
    Asked(part): Asked<Part>,
) -> Result<Json<Vec<RankingEntry>>> {
    door.limits.take(Costly::Look, client.counted())?;
    let kind = part.kind.unwrap_or(ClockKind::Fast);
    let lines =
        door.app.store.ranking(game_name(&game)?, kind, RANKS, part.offset).await.map_err(ApiError::from)?;
    Ok(Json(lines))
}

/// The name of a game, without a size: ratings are for the usual one.
fn game_name(game: &str) -> Result<&'static str> {
    let spec: Spec =
        game.parse().map_err(|error: rules::SpecError| ErrorCode::UnknownGame.because(error.to_string()))?;
    Ok(spec.name())
}
