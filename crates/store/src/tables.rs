//! The rows of tables: what lists, codes and profiles need without reading a log.

use protocol::{ClockKind, EndReason, Event, Occupant, Settings, Status};
use rules::Side;
use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, Row};

use table::LogEntry;

use super::log::{EventRow, RowWrite};
use super::{
    Bound, Call, Rated, Result, Store, Transaction, count, from_json, from_variant, json, missing, number,
    variant,
};

/// The keys of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableKey {
    /// Unguessable: grants access to the table.
    pub id: String,
    /// Short, and usually larger than those of earlier tables: the key of its events.
    pub number: u64,
}

impl TableKey {
    /// Random keys; the store rejects duplicates.
    #[must_use]
    pub fn new(now: u64) -> TableKey {
        // Milliseconds until the year 2109, and random lower bits.
        const RANDOM_BITS: u32 = 21;
        let random = u32::from_be_bytes(crate::random()) >> (u32::BITS - RANDOM_BITS);
        TableKey { id: crate::random_hex::<16>(), number: now << RANDOM_BITS | u64::from(random) }
    }
}

/// A table as lists show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableRow {
    /// Its keys.
    pub key: TableKey,
    /// Leads to the table while a seat is open.
    pub code: Option<String>,
    /// The settings from its creation.
    pub settings: Settings,
    /// First and second.
    pub seats: [Occupant; 2],
    /// How far it is.
    pub status: Status,
    /// The winner, once it has ended.
    pub winner: Option<Side>,
    /// Why it ended.
    pub reason: Option<EndReason>,
    /// The number of moves when the row was last written.
    pub ply: u32,
    /// Unix time in milliseconds.
    pub created: u64,
    /// When the row was last written.
    pub updated: u64,
    /// Whether a node must own it (a program's turn, a running clock) even if no client is connected.
    pub needs_owner: bool,
}

/// Changes of the table's row, stored together with the events or not at all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TableChange {
    /// New status.
    pub status: Option<Status>,
    /// New seats.
    pub seats: Option<[Occupant; 2]>,
    /// Whether to free the code for other tables.
    pub free_code: bool,
    /// The winner.
    pub winner: Option<Side>,
    /// Why it ended.
    pub reason: Option<EndReason>,
    /// The number of moves.
    pub ply: Option<u32>,
    /// Whether a node must own it.
    pub needs_owner: Option<bool>,
    /// Rates the game, once. The last event must be its end.
    pub rated: Option<Rated>,
}

/// Which tables to list, newest first. All conditions must hold.
#[derive(Clone, Debug, Default)]
pub struct TableFilter {
    /// With this status.
    pub status: Option<Status>,
    /// `connect-four` for any size, `connect-four:6x7x4` for one.
    pub game: Option<String>,
    /// With this player on either side.
    pub player: Option<String>,
    /// With an open seat reserved for this player.
    pub invited: Option<String>,
    /// Rated or not.
    pub rated: Option<bool>,
    /// Listed or not.
    pub listed: Option<bool>,
    /// With an event since this time.
    pub active_since: Option<u64>,
    /// Created before this table, the last one of the previous page: its time of creation and id.
    pub before: Option<(u64, String)>,
    /// At most this many.
    pub limit: u32,
}

/// How the games of a player ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games won.
    pub won: u64,
    /// Games drawn.
    pub drawn: u64,
    /// Games lost.
    pub lost: u64,
}

const COLUMNS: &str =
    "id, code, settings, seats, status, winner, reason, ply, created, updated, needs_owner, number";

/// When the last event of a table happened: one look-up by the primary key.
const LAST_EVENT: &str =
    "(SELECT at FROM events WHERE table_number = tables.number ORDER BY version DESC LIMIT 1)";

impl TableRow {
    fn read(row: &AnyRow) -> Result<TableRow> {
        let status = from_variant(row, 4)?;
        Ok(TableRow {
            key: TableKey { id: row.try_get(0)?, number: count(row, 11)? },
            code: row.try_get(1)?,
            settings: from_json(row, 2)?,
            seats: from_json(row, 3)?,
            status: status.ok_or_else(|| missing("the status of a table"))?,
            winner: from_variant(row, 5)?,
            reason: from_variant(row, 6)?,
            ply: u32::try_from(count(row, 7)?).unwrap_or(u32::MAX),
            created: count(row, 8)?,
            updated: count(row, 9)?,
            needs_owner: count(row, 10)? != 0,
        })
    }
}

impl Store {
    /// Creates a table with its first events, owned by this node. A conflict if the id, the number or the code is taken.
    pub fn create_table<'a>(&'a self, row: &'a TableRow, events: Vec<Event>) -> Call<'a, ()> {
        Box::pin(async move {
            let rows = event_rows(row, events);
            self.inner.log.append(row.key.number, rows, Some(RowWrite::New(Box::new(row.clone())))).await
        })
    }

    /// The row of a table.
    pub fn table<'a>(&'a self, id: &'a str) -> Call<'a, Option<TableRow>> {
        Box::pin(async move {
            let sql = AssertSqlSafe(format!("SELECT {COLUMNS} FROM tables WHERE id = $1"));
            self.one(sql, |query| query.bind(id)).await?.as_ref().map(TableRow::read).transpose()
        })
    }

    /// The table that a code leads to.
    pub fn table_by_code<'a>(&'a self, code: &'a str) -> Call<'a, Option<String>> {
        Box::pin(async move {
            let row = self.one("SELECT id FROM tables WHERE code = $1", |query| query.bind(code)).await?;
            Ok(row.map(|row| row.try_get(0)).transpose()?)
        })
    }

    /// Tables, newest first.
    pub fn tables<'a>(&'a self, filter: &'a TableFilter) -> Call<'a, Vec<TableRow>> {
        Box::pin(async move {
            let mut wanted = Clauses::new(" WHERE ", " AND ");
            if let Some(status) = filter.status {
                wanted.text("status = $", &variant(status));
            }
            if let Some(game) = &filter.game {
                wanted.text(if game.contains(':') { "game = $" } else { "family = $" }, game);
            }
            if let Some(player) = &filter.player {
                wanted.text("(first_id = $ OR second_id = $)", player);
            }
            if let Some(invited) = &filter.invited {
                wanted.text("invited = $", invited);
            }
            if let Some(rated) = filter.rated {
                wanted.number("rated = $", rated.into());
            }
            if let Some(listed) = filter.listed {
                wanted.number("listed = $", listed.into());
            }
            if let Some(since) = filter.active_since {
                wanted.number(&format!("{LAST_EVENT} >= $"), number(since));
            }
            if let Some((created, id)) = &filter.before {
                wanted.number("created <= $", number(*created));
                wanted.number("(created < $", number(*created));
                wanted.more(" OR id < $)", id);
            }
            let sql = format!(
                "SELECT {COLUMNS} FROM tables{} ORDER BY created DESC, id DESC LIMIT {}",
                wanted.sql, filter.limit
            );
            let rows = self.all(AssertSqlSafe(sql), |query| wanted.bind(query)).await?;
            rows.iter().map(TableRow::read).collect()
        })
    }

    /// The tables that all players may have left: open tables created before `open_before`, and untimed games
    /// between guests in which nothing has happened since `idle_before`. At most a few hundred.
    pub fn left_tables(&self, open_before: u64, idle_before: u64) -> Call<'_, Vec<String>> {
        Box::pin(async move {
            let sql = AssertSqlSafe(format!(
                "SELECT id FROM tables WHERE status = 'open' AND updated < $1
            UNION ALL SELECT id FROM tables
                WHERE status = 'playing' AND updated < $2 AND clock_kind = $3
                    AND (first_id IS NULL OR first_id NOT LIKE 'u:%')
                    AND (second_id IS NULL OR second_id NOT LIKE 'u:%')
                    AND {LAST_EVENT} < $2
            LIMIT 500"
            ));
            let untimed = ClockKind::Untimed.name();
            let rows = self
                .all(sql, |query| query.bind(number(open_before)).bind(number(idle_before)).bind(untimed))
                .await?;
            rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
        })
    }

    /// How the games of an account (or guest) ended, without those that are claims of the player.
    pub fn tally<'a>(&'a self, player: &'a str) -> Call<'a, Tally> {
        Box::pin(async move {
            let sql = "SELECT COUNT(CASE WHEN winner IS NULL THEN 1 END),
                COUNT(CASE WHEN (winner = 'first' AND first_id = $1)
                    OR (winner = 'second' AND second_id = $1) THEN 1 END),
                COUNT(*)
            FROM tables WHERE (first_id = $1 OR second_id = $1) AND status = 'ended' AND reason <> 'aborted'
                AND unverified = 0";
            let row = self.one(sql, |query| query.bind(player)).await?;
            let row = row.ok_or_else(|| missing("the row of a count"))?;
            let (drawn, won, all) = (count(&row, 0)?, count(&row, 1)?, count(&row, 2)?);
            Ok(Tally { won, drawn, lost: all.saturating_sub(won + drawn) })
        })
    }
}

impl Transaction {
    pub(super) async fn create_table(
        &mut self,
        row: &TableRow,
        events: Vec<Event>,
        node: &str,
    ) -> Result<()> {
        self.insert_table(row, node).await?;
        for event in event_rows(row, events) {
            self.insert(&event).await?;
        }
        Ok(())
    }

    /// Writes a new row.
    pub(super) async fn insert_table(&mut self, row: &TableRow, node: &str) -> Result<()> {
        let sql = AssertSqlSafe(format!(
            "INSERT INTO tables ({COLUMNS}, family, game, clock_kind, rated, listed, invited, first_id, second_id, node,
                unverified)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21,
                $22)"
        ));
        let settings = &row.settings;
        let family = settings.game.split(':').next().unwrap_or_default();
        let [first, second] = &row.seats;
        self.change(sql, |query| {
            let query = query.bind(&row.key.id).bind(&row.code).bind(json(settings)).bind(json(&row.seats));
            let query =
                query.bind(variant(row.status)).bind(row.winner.map(variant)).bind(row.reason.map(variant));
            let query = query.bind(i64::from(row.ply)).bind(number(row.created)).bind(number(row.updated));
            let query = query.bind(i64::from(row.needs_owner)).bind(number(row.key.number));
            let query = query.bind(family).bind(&settings.game);
            let query = query.bind(settings.clock.kind().name()).bind(i64::from(settings.rated));
            let query = query.bind(i64::from(settings.listed)).bind(&settings.invited);
            let query = query.bind(person(first)).bind(person(second)).bind(node);
            query.bind(i64::from(settings.unverified))
        })
        .await
        .map(drop)
    }

    /// Writes a change of the row, without the ratings.
    pub(super) async fn change_table(&mut self, table: u64, change: &TableChange, at: u64) -> Result<()> {
        // Only the columns that change, so that the other indexes need no update.
        let mut sets = Clauses::new(" SET ", ", ");
        sets.number("updated = $", number(at));
        if let Some(status) = change.status {
            sets.text("status = $", &variant(status));
        }
        if let Some(winner) = change.winner {
            sets.text("winner = $", &variant(winner));
        }
        if let Some(reason) = change.reason {
            sets.text("reason = $", &variant(reason));
        }
        if let Some(ply) = change.ply {
            sets.number("ply = $", ply.into());
        }
        if let Some(needs_owner) = change.needs_owner {
            sets.number("needs_owner = $", needs_owner.into());
        }
        if change.free_code {
            sets.add("code = NULL");
        }
        if let Some(seats) = &change.seats {
            sets.text("seats = $", &json(seats));
            for (column, occupant) in ["first_id", "second_id"].into_iter().zip(seats) {
                match person(occupant) {
                    Some(id) => sets.text(&format!("{column} = $"), id),
                    None => sets.add(&format!("{column} = NULL")),
                }
            }
        }
        sets.push(" WHERE number = $", Value::Number(number(table)));
        let sql = AssertSqlSafe(format!("UPDATE tables{}", sets.sql));
        self.change(sql, |query| sets.bind(query)).await.map(drop)
    }
}

/// The first events of a table as rows of the log.
fn event_rows(row: &TableRow, events: Vec<Event>) -> Vec<EventRow> {
    let event_row =
        |(version, event)| EventRow::new(row.key.number, &LogEntry { version, at: row.created, event });
    (1..).zip(events).map(event_row).collect()
}

/// The id of the person in a seat.
fn person(occupant: &Occupant) -> Option<&str> {
    match occupant {
        Occupant::Person { id, .. } => Some(id),
        Occupant::Open | Occupant::Program { .. } => None,
    }
}

/// A growing list of conditions or assignments with their values. `$` in a clause stands for its value.
struct Clauses {
    sql: String,
    values: Vec<Value>,
    /// The text before the first clause, and between two clauses.
    separators: [&'static str; 2],
}

enum Value {
    Text(String),
    Number(i64),
}

impl Clauses {
    fn new(first: &'static str, next: &'static str) -> Self {
        Self { sql: String::new(), values: Vec::new(), separators: [first, next] }
    }

    fn add(&mut self, clause: &str) {
        self.sql.push_str(self.separators[usize::from(!self.sql.is_empty())]);
        self.sql.push_str(clause);
    }

    fn text(&mut self, clause: &str, value: &str) {
        self.add("");
        self.more(clause, value);
    }

    fn number(&mut self, clause: &str, value: i64) {
        self.add("");
        self.push(clause, Value::Number(value));
    }

    fn more(&mut self, condition: &str, value: &str) {
        self.push(condition, Value::Text(value.to_owned()));
    }

    fn push(&mut self, condition: &str, value: Value) {
        self.values.push(value);
        self.sql.push_str(&condition.replace('$', &format!("${}", self.values.len())));
    }

    fn bind(self, query: Bound) -> Bound {
        self.values.into_iter().fold(query, |query, value| match value {
            Value::Text(text) => query.bind(text),
            Value::Number(number) => query.bind(number),
        })
    }
}
