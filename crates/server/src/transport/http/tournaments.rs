//! Tournaments: open, list, read, take part, export.

use std::{fmt::Write, io, sync::Arc};

use axum::{
    body::{Body, Bytes},
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use futures_util::{StreamExt, stream};
use protocol::{
    ApiError, ErrorCode, NewTournament, TableList, TournamentCommand, TournamentGame, TournamentSummary,
    TournamentView,
};
use sentences::{english, person_name};
use serde::Deserialize;

#[cfg(test)]
use super::openapi::{ReadErrors, WriteErrors};
use super::{
    AppState,
    client::Client,
    error::Result,
    extract::{PathParams, QueryParams},
    identity::Caller,
    json::Json,
    tables,
};
use crate::rate::RateClass;

/// Maximum number of boards of one tournament in a response.
const MAX_BOARDS: usize = 24;

/// Creates a tournament for people.
#[cfg_attr(test, utoipa::path(post, path = "/api/tournaments", tag = "tournaments", request_body = NewTournament,
    responses((status = 201, body = protocol::TournamentCreated), WriteErrors)))]
pub(super) async fn open(
    client: Client,
    caller: Caller,
    State(state): State<Arc<AppState>>,
    Json(new): Json<NewTournament>,
) -> Result<impl IntoResponse> {
    state.limits.check(RateClass::Create, client.share)?;
    let created = state.tournaments.open(&caller.principal, new).await?;
    state.audit("tournament_created", caller.principal.id(), &created.id, "");
    Ok((StatusCode::CREATED, Json(created)))
}

/// Lists tournaments, latest first: public ones, and those that you have created.
#[cfg_attr(test, utoipa::path(get, path = "/api/tournaments", tag = "tournaments",
    responses((status = 200, body = Vec<TournamentSummary>), ReadErrors)))]
pub(super) async fn list(
    client: Client,
    caller: Caller,
    State(state): State<Arc<AppState>>,
) -> Result<Json<Vec<TournamentSummary>>> {
    state.limits.check(RateClass::Read, client.share)?;
    let mut all = state.tournaments.list(&caller.principal).await?;
    all.extend(state.program_tournaments.list().await?);
    all.sort_by_key(|summary| std::cmp::Reverse(summary.updated_at));
    Ok(Json(all))
}

/// Returns a tournament: standings, cross-table and games.
#[cfg_attr(test, utoipa::path(get, path = "/api/tournaments/{id}", tag = "tournaments",
    params(("id" = String, Path,)),
    responses((status = 200, body = TournamentView), ReadErrors)))]
pub(super) async fn look(
    client: Client,
    State(state): State<Arc<AppState>>,
    PathParams(id): PathParams<String>,
) -> Result<Json<TournamentView>> {
    state.limits.check(RateClass::Read, client.share)?;
    Ok(Json(state.tournament(&id).await?))
}

impl AppState {
    /// A tournament of programs or of people.
    async fn tournament(&self, id: &str) -> Result<TournamentView> {
        Ok(match self.program_tournaments.find(id).await? {
            Some(programs) => programs.view.clone(),
            None => TournamentView::clone(&*self.tournaments.view(id).await?),
        })
    }
}

/// Enters, withdraws; the organiser starts, decides and ends.
#[cfg_attr(test, utoipa::path(post, path = "/api/tournaments/{id}", tag = "tournaments",
    params(("id" = String, Path,)),
    request_body = TournamentCommand, responses((status = 200, body = TournamentView), WriteErrors)))]
pub(super) async fn command(
    client: Client,
    caller: Caller,
    State(state): State<Arc<AppState>>,
    PathParams(id): PathParams<String>,
    Json(command): Json<TournamentCommand>,
) -> Result<Json<TournamentView>> {
    state.limits.check(RateClass::Command, client.share)?;
    let view = state.tournaments.command(&caller.principal, client.address, &id, &command).await?;
    let organiser = caller.principal.id();
    match &command {
        TournamentCommand::Enter {} | TournamentCommand::Withdraw {} => {}
        TournamentCommand::Start {} => state.audit("tournament_started", organiser, &id, ""),
        TournamentCommand::End {} => state.audit("tournament_ended", organiser, &id, ""),
        TournamentCommand::Remove { player } => {
            state.audit("player_removed", organiser, &id, format!("player {player}"));
        }
        TournamentCommand::RemoveAddress { player } => {
            state.audit("address_removed", organiser, &id, format!("of player {player}"));
        }
        TournamentCommand::Decide { game, result } => {
            state.audit("game_decided", organiser, &id, format!("game {game}: {result:?}"));
        }
    }
    Ok(Json(TournamentView::clone(&view)))
}

/// Returns the boards that are being played now.
#[cfg_attr(test, utoipa::path(get, path = "/api/tournaments/{id}/boards", tag = "tournaments",
    params(("id" = String, Path,)),
    responses((status = 200, body = TableList), ReadErrors)))]
pub(super) async fn boards(
    client: Client,
    State(state): State<Arc<AppState>>,
    PathParams(id): PathParams<String>,
) -> Result<Json<TableList>> {
    state.limits.check(RateClass::Read, client.share)?;
    if let Some(programs) = state.program_tournaments.find(&id).await? {
        return Ok(Json(TableList { tables: programs.boards(), next: None }));
    }
    let view = state.tournaments.view(&id).await?;
    let open = view.games.iter().filter(|game| game.result.is_none()).filter_map(|game| game.table.as_ref());
    let mut page = TableList { tables: Vec::new(), next: None };
    for table in open.take(MAX_BOARDS) {
        if let Some(row) = state.store.table(table).await.map_err(ApiError::from)? {
            page.tables.push(tables::summary(&row));
        }
    }
    state.show_boards(&mut page).await?;
    Ok(Json(page))
}

/// Returns the standings as tab-separated values.
#[cfg_attr(test, utoipa::path(get, path = "/api/tournaments/{id}/standings.tsv", tag = "tournaments",
    params(("id" = String, Path,)),
    responses((status = 200, body = String, content_type = "text/tab-separated-values"), ReadErrors)))]
pub(super) async fn standings(
    client: Client,
    State(state): State<Arc<AppState>>,
    PathParams(id): PathParams<String>,
) -> Result<Response> {
    state.limits.check(RateClass::Read, client.share)?;
    let view = state.tournament(&id).await?;
    let mut text = format!("rank\tname\tpoints\twins\tdraws\tlosses\t{}\n", view.tie_breaks.join("\t"));
    for standing in &view.standings {
        let [wins, draws, losses] = standing.tally;
        let (rank, name, points) =
            (standing.rank, person_name(english(), standing.occupant.name()), standing.points);
        let tie_breaks: Vec<_> = standing.tie_breaks.iter().map(ToString::to_string).collect();
        let tie_breaks = tie_breaks.join("\t");
        let _ = writeln!(text, "{rank}\t{name}\t{points}\t{wins}\t{draws}\t{losses}\t{tie_breaks}");
    }
    Ok(([(header::CONTENT_TYPE, "text/tab-separated-values; charset=utf-8")], text).into_response())
}

/// The games to return.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub(super) struct GamesQuery {
    /// Only games with a lower number.
    before: usize,
}

/// Returns earlier games of a tournament of programs, at most fifty at once.
#[cfg_attr(test, utoipa::path(get, path = "/api/tournaments/{id}/games", tag = "tournaments",
    params(("id" = String, Path,), GamesQuery), responses((status = 200, body = Vec<TournamentGame>), ReadErrors)))]
pub(super) async fn games(
    client: Client,
    State(state): State<Arc<AppState>>,
    PathParams(id): PathParams<String>,
    QueryParams(wanted): QueryParams<GamesQuery>,
) -> Result<Json<Vec<TournamentGame>>> {
    state.limits.check(RateClass::Read, client.share)?;
    let programs = state.program_tournaments.find(&id).await?;
    let programs =
        programs.ok_or_else(|| ErrorCode::NotFound.because("there is no such tournament of programs"))?;
    Ok(Json(programs.games(wanted.before)))
}

/// Returns the games as text.
#[cfg_attr(test, utoipa::path(get, path = "/api/tournaments/{id}/games.txt", tag = "tournaments",
    params(("id" = String, Path,)),
    responses((status = 200, body = String, content_type = "text/plain"), ReadErrors)))]
pub(super) async fn games_text(
    client: Client,
    State(state): State<Arc<AppState>>,
    PathParams(id): PathParams<String>,
) -> Result<Response> {
    state.limits.check(RateClass::Analysis, client.share)?;
    let view = state.tournaments.view(&id).await?;
    let tables: Vec<_> = view.games.iter().filter_map(|game| game.table.clone()).collect();
    // Game by game, as fast as the client reads, so that memory stays bounded.
    let games = stream::iter(tables).then(move |table| {
        let tables = state.tables.clone();
        async move {
            tables.game_text(&table).await.map(Bytes::from).map_err(|error| io::Error::other(error.message))
        }
    });
    Ok(tables::download(&format!("{}.txt", view.id), Body::from_stream(games)))
}
