//! Tables: setting up, finding, looking, doing.

use std::sync::Arc;

use axum::{
    Json,
    body::Body,
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use players::roster;
use protocol::{
    ApiError, Command, Done, ErrorCode, GameEntry, NewTable, Snapshot, Status, TableCreated, TableList,
    TableSummary,
};
use rules::{AnyGame, GAMES, GameInfo, Spec, SpecError};
use serde::Deserialize;
use utoipa::IntoParams;

use super::{
    Door,
    client::Client,
    error::{CannotDo, CannotTell, Refused, Result},
    extract::{Asked, Fields, Named, Sent},
    limits::Costly,
    people::Caller,
    stream,
};
use crate::store::{TableFilter, TableRow};

/// How many lines a list has.
pub(super) const PAGE: u32 = 50;

/// Lists the games that can be played, how they are drawn, and the programs that play them.
#[utoipa::path(get, path = "/api/games", tag = "tables", responses((status = 200, body = Vec<GameEntry>)))]
pub(super) async fn games() -> Json<Vec<GameEntry>> {
    let entry = |info: &&GameInfo| {
        let spec: Spec = info.standard.parse().expect("a standard spec is a spec");
        GameEntry::new(info, &roster::players(&AnyGame::from(spec)))
    };
    Json(GAMES.iter().map(entry).collect())
}

/// Sets up a table.
#[utoipa::path(post, path = "/api/tables", tag = "tables", request_body = NewTable,
    responses((status = 201, body = TableCreated), CannotDo))]
pub(super) async fn create(
    client: Client,
    caller: Caller,
    State(door): State<Arc<Door>>,
    Sent(new): Sent<NewTable>,
) -> Result<impl IntoResponse> {
    door.limits.take(Costly::Table, client.counted())?;
    let made = door.app.tables.create(&caller.who, new).await?;
    Ok((StatusCode::CREATED, Json(made)))
}

/// Which tables to list.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Wanted {
    /// `open`, `playing` or `ended`.
    #[serde(default)]
    status: Option<Status>,
    /// `connect-four` for any size, `connect-four:8x9x5` for one.
    #[serde(default)]
    game: Option<String>,
    /// The name of an account, or `me`: then also tables that are not listed.
    #[serde(default)]
    player: Option<String>,
    /// Only rated ones, or only others.
    #[serde(default)]
    rated: Option<bool>,
    /// `next` of the page before.
    #[serde(default)]
    before: Option<String>,
}

/// Lists tables, the latest first.
#[utoipa::path(get, path = "/api/tables", tag = "tables", params(Wanted),
    responses((status = 200, body = TableList), CannotTell))]
pub(super) async fn list(
    client: Client,
    caller: Caller,
    State(door): State<Arc<Door>>,
    Asked(wanted): Asked<Wanted>,
) -> Result<Json<TableList>> {
    door.limits.take(Costly::Look, client.counted())?;
    let mut filter = wanted.filter()?;
    match wanted.player.as_deref() {
        Some("me") => filter.player = Some(caller.who.id().to_owned()),
        Some(name) => {
            filter.player = Some(door.person(name).await?);
            filter.listed = Some(true);
        }
        None => filter.listed = Some(true),
    }
    door.page(filter).await.map(Json)
}

impl Wanted {
    pub(super) fn filter(&self) -> Result<TableFilter> {
        let before = self.before.as_deref().map(|text| {
            let (created, id) = text.split_once('-').ok_or(())?;
            Ok((created.parse().map_err(|_| ())?, id.to_owned()))
        });
        let before =
            before.transpose().map_err(|()| ErrorCode::BadMessage.because("there is no such page"))?;
        let game = self.game.as_deref().map(|game| {
            let spec: Spec =
                game.parse().map_err(|error: SpecError| ErrorCode::UnknownGame.because(error.to_string()))?;
            Ok::<_, Refused>(if game.contains(':') { spec.to_string() } else { spec.name().to_owned() })
        });
        let (status, game, rated) = (self.status, game.transpose()?, self.rated);
        Ok(TableFilter { status, game, rated, before, limit: PAGE, ..TableFilter::default() })
    }
}

impl Door {
    /// A page of a list.
    pub(super) async fn page(&self, filter: TableFilter) -> Result<TableList> {
        let limit = filter.limit as usize;
        let rows = self.app.store.tables(&TableFilter { limit: filter.limit + 1, ..filter }).await;
        let rows = rows.map_err(ApiError::from)?;
        let next = (rows.len() > limit).then(|| {
            let last = &rows[limit - 1];
            format!("{}-{}", last.created, last.key.id)
        });
        Ok(TableList { tables: rows.iter().take(limit).map(line).collect(), next })
    }

    /// `u:…` of the account of this name.
    pub(super) async fn person(&self, name: &str) -> Result<String> {
        let account = self.app.store.account_by_name(name).await.map_err(ApiError::from)?;
        let account = account.ok_or_else(|| ErrorCode::NotFound.because("there is no such account"))?;
        Ok(account.id)
    }
}

/// A table as lists show it.
pub(super) fn line(row: &TableRow) -> TableSummary {
    TableSummary {
        table: row.key.id.clone(),
        game: row.settings.game.clone(),
        seats: row.seats.clone(),
        clock: row.settings.clock,
        rated: row.settings.rated,
        status: row.status,
        winner: row.winner,
        reason: row.reason,
        ply: row.ply,
        created_at: row.created,
        updated_at: row.updated,
    }
}

/// Finds the table that a code leads to.
#[utoipa::path(get, path = "/api/codes/{code}", tag = "tables", params(("code" = String, Path,)),
    responses((status = 200, body = TableCreated), CannotTell))]
pub(super) async fn by_code(
    client: Client,
    State(door): State<Arc<Door>>,
    Named(code): Named<String>,
) -> Result<Json<TableCreated>> {
    door.limits.take(Costly::Code, client.counted())?;
    let code = code.trim().to_ascii_uppercase();
    let table = door.app.store.table_by_code(&code).await.map_err(ApiError::from)?;
    let table = table.ok_or_else(|| ErrorCode::NotFound.because("no table has this code"))?;
    Ok(Json(TableCreated { table, code: Some(code) }))
}

/// Shows the whole state of a table.
#[utoipa::path(get, path = "/api/tables/{table}", tag = "tables", params(("table" = String, Path,)),
    responses((status = 200, body = Snapshot), CannotTell))]
pub(super) async fn look(
    client: Client,
    caller: Caller,
    State(door): State<Arc<Door>>,
    Named(table): Named<String>,
) -> Result<Json<Snapshot>> {
    door.limits.take(Costly::Look, client.counted())?;
    Ok(Json(door.app.tables.snapshot(&table, &caller.who).await?))
}

/// Does something at a table: `make-move` with `ply` and `move`, `sit`, `resign`, `offer-draw`, `decline-draw`,
/// `take-back`, `decline-take-back`, `claim` with `result` (`win` or `draw`), `rematch`, `chat` with `text`, `pace`
/// with `paused` and `delay_ms`, `step`. Those without fields need no body.
#[utoipa::path(post, path = "/api/tables/{table}/{command}", tag = "tables",
    params(("table" = String, Path,), ("command" = String, Path, description = "its name")),
    request_body(content = serde_json::Value, description = "the fields of the command"),
    responses((status = 200, body = Done), CannotDo))]
pub(super) async fn command(
    client: Client,
    caller: Caller,
    State(door): State<Arc<Door>>,
    Named((table, name)): Named<(String, String)>,
    Fields(fields): Fields,
) -> Result<Json<Done>> {
    if !Command::NAMES.contains(&name.as_str()) {
        return Err(ErrorCode::NotFound.because("there is no such command").into());
    }
    door.limits.take(Costly::Move, client.counted())?;
    let command = Command::read(&name, &fields.to_string())?;
    Ok(Json(door.app.tables.command(&table, &caller.who, command).await?))
}

/// Writes a game down as text that can be read back.
#[utoipa::path(get, path = "/api/tables/{table}/game", tag = "tables", params(("table" = String, Path,)),
    responses((status = 200, body = String, content_type = "text/plain"), CannotTell))]
pub(super) async fn text(
    client: Client,
    State(door): State<Arc<Door>>,
    Named(table): Named<String>,
) -> Result<Response> {
    door.limits.take(Costly::Look, client.counted())?;
    let text = door.app.tables.game_text(&table).await?;
    // The table exists, so its name is ours and fit for a header.
    Ok(download(&format!("{table}.txt"), text))
}

/// A file to keep.
pub(super) fn download(name: &str, body: impl Into<Body>) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
    ];
    (headers, body.into()).into_response()
}

/// What to hear.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Since {
    /// The last version that was seen; without it the whole state comes first.
    #[serde(default)]
    seen: Option<u64>,
}

/// Tells what happens at a table, one JSON object per line: first `missed` or `snapshot`, then `move-made` and
/// `table-event` as they come. Empty lines show that the connection lives.
#[utoipa::path(get, path = "/api/tables/{table}/events", tag = "bots", params(("table" = String, Path,), Since),
    responses((status = 200, body = String, content_type = "application/x-ndjson"), CannotTell))]
pub(super) async fn events(
    client: Client,
    caller: Caller,
    State(door): State<Arc<Door>>,
    Named(table): Named<String>,
    Asked(since): Asked<Since>,
) -> Result<Response> {
    door.limits.take(Costly::Look, client.counted())?;
    let (done, watch) = door.app.tables.subscribe(&table, &caller.who, since.seen).await?;
    let guard = door.app.connections.add_stream(door.app.tables.new_sink_id(), caller.session());
    Ok(stream::table(done, watch, guard))
}
