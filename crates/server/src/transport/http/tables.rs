//! Tables: create, list, read, command, follow.

use std::sync::Arc;

use axum::{
    body::Body,
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use protocol::{
    ApiError, Command, Done, ErrorCode, GameEntry, NewTable, Snapshot, Status, TableCreated, TableList,
    TableSummary,
};
use rules::{AnyGame, Spec, SpecError};
use serde::Deserialize;
use store::{TableFilter, TableRow};

#[cfg(test)]
use super::openapi::{ReadErrors, WriteErrors};
use super::{
    AppState,
    client::Client,
    error::{HttpError, Result},
    extract::{Fields, PathParams, QueryParams},
    identity::Caller,
    json::Json,
    stream,
};
use crate::{auth::Principal, rate::RateClass};

/// Tables on a page of a list.
const PAGE_SIZE: u32 = 50;
/// Maximum number of games that are searched for those in which it is your turn.
const MAX_TURNS: u32 = 200;
/// Cells of the largest board that lists show: 15×15.
const MAX_LISTED_CELLS: usize = 225;

/// Lists the games that can be played, how they are drawn, and the programs that play them.
#[cfg_attr(test, utoipa::path(get, path = "/api/games", tag = "tables",
    responses((status = 200, body = Vec<GameEntry>))))]
pub(super) async fn games() -> Json<Vec<GameEntry>> {
    Json(GameEntry::all())
}

/// Creates a table.
#[cfg_attr(test, utoipa::path(post, path = "/api/tables", tag = "tables", request_body = NewTable,
    responses((status = 201, body = TableCreated), WriteErrors)))]
pub(super) async fn create(
    client: Client,
    caller: Caller,
    State(state): State<Arc<AppState>>,
    Json(new): Json<NewTable>,
) -> Result<impl IntoResponse> {
    state.limits.check(RateClass::Create, client.share)?;
    let made = state.tables.create(&caller.principal, new).await?;
    Ok((StatusCode::CREATED, Json(made)))
}

/// A game is live until nothing has happened in it for ten minutes.
const LIVE_MS: u64 = 10 * 60_000;

/// The tables to list.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub(super) struct TableQuery {
    /// `open`, `playing` or `ended`.
    #[serde(default)]
    status: Option<Status>,
    /// `connect-four` for any size, `connect-four:8x9x5` for one.
    #[serde(default)]
    game: Option<String>,
    /// The name of an account, or `me`, which includes unlisted tables.
    #[serde(default)]
    player: Option<String>,
    /// Only rated games, or only others.
    #[serde(default)]
    rated: Option<bool>,
    /// Only games with a move within the last minutes.
    #[serde(default)]
    live: bool,
    /// Only your games in which it is your turn, longest waiting first; at most 200 games are looked at.
    #[serde(default)]
    turn: bool,
    /// Includes the current boards, unless they are very large; live games always include them.
    #[serde(default)]
    pub(super) boards: bool,
    /// `next` of the previous page.
    #[serde(default)]
    before: Option<String>,
}

/// Lists tables, latest first.
#[cfg_attr(test, utoipa::path(get, path = "/api/tables", tag = "tables", params(TableQuery),
    responses((status = 200, body = TableList), ReadErrors)))]
pub(super) async fn list(
    client: Client,
    caller: Caller,
    State(state): State<Arc<AppState>>,
    QueryParams(wanted): QueryParams<TableQuery>,
) -> Result<Json<TableList>> {
    state.limits.check(RateClass::Read, client.share)?;
    let mut filter = wanted.filter()?;
    if wanted.turn {
        let player = Some(caller.principal.id().to_owned());
        let filter = TableFilter { player, status: Some(Status::Playing), limit: MAX_TURNS, ..filter };
        return state.turns(&caller.principal, &filter).await.map(Json);
    }
    if wanted.live {
        filter.status = Some(Status::Playing);
        filter.active_since = Some(state.tables.clock().now_ms().saturating_sub(LIVE_MS));
    }
    match wanted.player.as_deref() {
        Some("me") => filter.player = Some(caller.principal.id().to_owned()),
        Some(name) => {
            filter.player = Some(state.account_id(name).await?);
            filter.listed = Some(true);
        }
        None => filter.listed = Some(true),
    }
    let mut page = state.page(filter).await?;
    if wanted.live || wanted.boards {
        state.show_boards(&mut page).await?;
    }
    Ok(Json(page))
}

impl TableQuery {
    pub(super) fn filter(&self) -> Result<TableFilter> {
        let before = self.before.as_deref().map(|text| {
            let (created, id) = text.split_once('-').ok_or(())?;
            Ok((created.parse().map_err(|_| ())?, id.to_owned()))
        });
        let before = before.transpose().map_err(|()| {
            ErrorCode::BadMessage
                .because("invalid cursor in “before”; use the “next” value of the previous page")
        })?;
        let game = self.game.as_deref().map(|game| {
            let spec: Spec =
                game.parse().map_err(|error: SpecError| ErrorCode::UnknownGame.because(error.to_string()))?;
            Ok::<_, HttpError>(if game.contains(':') { spec.to_string() } else { spec.name().to_owned() })
        });
        let (status, game, rated) = (self.status, game.transpose()?, self.rated);
        Ok(TableFilter { status, game, rated, before, limit: PAGE_SIZE, ..TableFilter::default() })
    }
}

impl AppState {
    /// A page of a list.
    pub(super) async fn page(&self, filter: TableFilter) -> Result<TableList> {
        let limit = filter.limit as usize;
        let rows = self.store.tables(&TableFilter { limit: filter.limit + 1, ..filter }).await;
        let rows = rows.map_err(ApiError::from)?;
        let next = (rows.len() > limit).then(|| {
            let last = &rows[limit - 1];
            format!("{}-{}", last.created, last.key.id)
        });
        Ok(TableList { tables: rows.iter().take(limit).map(summary).collect(), next })
    }

    /// Adds the current boards that are small enough.
    pub(super) async fn show_boards(&self, page: &mut TableList) -> Result<()> {
        for table in &mut page.tables {
            if has_small_board(&table.game)
                && let Some(game) = self.tables.replay(&table.table).await?
            {
                self.show(table, &game);
            }
        }
        Ok(())
    }

    /// The games in which it is the principal's turn.
    async fn turns(&self, principal: &Principal, filter: &TableFilter) -> Result<TableList> {
        let mut waiting = Vec::new();
        for row in self.store.tables(filter).await.map_err(ApiError::from)? {
            if let Some(game) = self.tables.replay(&row.key.id).await?
                && game.status() == Status::Playing
                && game.sides(principal).contains(&game.game().turn())
            {
                let mut table = summary(&row);
                self.show(&mut table, &game);
                waiting.push((game.since(), table));
            }
        }
        waiting.sort_by_key(|(since, _)| *since);
        Ok(TableList { tables: waiting.into_iter().map(|(_, table)| table).collect(), next: None })
    }

    /// Adds the live data of a running game: the number of moves, clocks, spectators and, if the board is
    /// small enough, the board.
    fn show(&self, table: &mut TableSummary, game: &table::State) {
        table.ply = game.moves().len() as u32;
        table.view = has_small_board(&table.game).then(|| Box::new(game.view()));
        table.clocks = self.tables.clocks(game);
        table.watching = Some(self.tables.watching(&table.table));
    }

    /// The id of the account with this name.
    pub(super) async fn account_id(&self, name: &str) -> Result<String> {
        let account = self.store.account_by_name(name).await.map_err(ApiError::from)?;
        let account =
            account.ok_or_else(|| ErrorCode::NotFound.because("there is no account with this name"))?;
        Ok(account.id)
    }
}

/// A table as it appears in lists.
pub(super) fn summary(row: &TableRow) -> TableSummary {
    TableSummary {
        table: row.key.id.clone(),
        game: row.settings.game.clone(),
        seats: row.seats.clone(),
        clock: row.settings.clock,
        rated: row.settings.rated,
        unverified: row.settings.unverified,
        status: row.status,
        winner: row.winner,
        reason: row.reason,
        ply: row.ply,
        created_at: row.created,
        updated_at: row.updated,
        view: None,
        clocks: None,
        watching: None,
    }
}

/// Whether a board is small enough for lists: a page with the largest boards would be a megabyte long.
fn has_small_board(game: &str) -> bool {
    game.parse().is_ok_and(|spec: Spec| AnyGame::from(spec).view().cells.len() <= MAX_LISTED_CELLS)
}

/// Finds a table by its invitation code.
#[cfg_attr(test, utoipa::path(get, path = "/api/codes/{code}", tag = "tables", params(("code" = String, Path,)),
    responses((status = 200, body = TableCreated), ReadErrors)))]
pub(super) async fn by_code(
    client: Client,
    State(state): State<Arc<AppState>>,
    PathParams(code): PathParams<String>,
) -> Result<Json<TableCreated>> {
    state.limits.check(RateClass::Code, client.share)?;
    let code = code.trim().to_ascii_uppercase();
    let table = state.store.table_by_code(&code).await.map_err(ApiError::from)?;
    let table = table.ok_or_else(|| ErrorCode::NotFound.because("there is no open table with this code"))?;
    Ok(Json(TableCreated { table, code: Some(code) }))
}

/// Returns the whole state of a table.
#[cfg_attr(test, utoipa::path(get, path = "/api/tables/{table}", tag = "tables", params(("table" = String, Path,)),
    responses((status = 200, body = Snapshot), ReadErrors)))]
pub(super) async fn look(
    client: Client,
    caller: Caller,
    State(state): State<Arc<AppState>>,
    PathParams(table): PathParams<String>,
) -> Result<Json<Snapshot>> {
    state.limits.check(RateClass::Read, client.share)?;
    Ok(Json(state.tables.snapshot(&table, &caller.principal).await?))
}

/// Carries out a command at a table. In the OpenAPI document each command has its own path.
#[cfg_attr(test, utoipa::path(post, path = "/api/tables/{table}/{command}", tag = "tables",
    params(("table" = String, Path,), ("command" = String, Path, description = "its name")),
    request_body = Command,
    responses((status = 200, body = Done), WriteErrors)))]
pub(super) async fn command(
    client: Client,
    caller: Caller,
    State(state): State<Arc<AppState>>,
    PathParams((table, name)): PathParams<(String, String)>,
    Fields(fields): Fields,
) -> Result<Json<Done>> {
    if !Command::NAMES.contains(&name.as_str()) {
        return Err(ErrorCode::NotFound.because("there is no command with this name").into());
    }
    state.limits.check(RateClass::Command, client.share)?;
    let command = Command::read(&name, &fields.to_string())?;
    state.operations.check_command(client.address, &caller.principal, &command)?;
    Ok(Json(state.tables.command(&table, &caller.principal, command).await?))
}

/// Downloads a game as text.
#[cfg_attr(test, utoipa::path(get, path = "/api/tables/{table}/game", tag = "tables",
    params(("table" = String, Path,)),
    responses((status = 200, body = String, content_type = "text/plain"), ReadErrors)))]
pub(super) async fn text(
    client: Client,
    State(state): State<Arc<AppState>>,
    PathParams(table): PathParams<String>,
) -> Result<Response> {
    state.limits.check(RateClass::Read, client.share)?;
    let text = state.tables.game_text(&table).await?;
    // The table exists, so its id is safe in a header.
    Ok(download(&format!("{table}.txt"), text))
}

/// A response to be saved as a file.
pub(super) fn download(name: &str, body: impl Into<Body>) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
    ];
    (headers, body.into()).into_response()
}

/// The start and the content of a stream.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub(super) struct EventsQuery {
    /// The last version that the client has seen; without it the stream starts with a snapshot.
    #[serde(default)]
    seen: Option<u64>,
    /// Whether updates that change the position come with the board and the legal moves.
    #[serde(default)]
    view: bool,
}

/// Streams the updates of a table, one JSON object per line: first `missed` or `snapshot`, then `move-made` and
/// `table-event`. Empty lines keep the connection alive.
#[cfg_attr(test, utoipa::path(get, path = "/api/tables/{table}/events", tag = "bots",
    params(("table" = String, Path,), EventsQuery),
    responses((status = 200, body = protocol::TableStreamLine, content_type = "application/x-ndjson"), ReadErrors)))]
pub(super) async fn events(
    client: Client,
    caller: Caller,
    State(state): State<Arc<AppState>>,
    PathParams(table): PathParams<String>,
    QueryParams(query): QueryParams<EventsQuery>,
) -> Result<Response> {
    state.limits.check(RateClass::Read, client.share)?;
    let (done, subscription) =
        state.tables.subscribe(&table, &caller.principal, query.seen, query.view).await?;
    let guard = state.connections.add_stream(state.tables.new_sink_id(), caller.session());
    Ok(stream::table(done, subscription, guard))
}
