//! Tournaments of people: their logs and the rows of lists. A round and the tables of its games are stored together or
//! not at all.

use protocol::{EndReason, Event, Status, TournamentEvent, TournamentPhase, TournamentSummary};
use rules::Side;
use sqlx::{AssertSqlSafe, Row};

use super::{
    Bound, Call, Result, Store, TableRow, Transaction, count, from_json, from_variant, json, missing, number,
    places, variant,
};

/// Values in one statement.
const MAX_VALUES: usize = 100;

/// Events to append to a tournament.
pub struct TournamentChange<'a> {
    /// The id of the tournament.
    pub id: &'a str,
    /// The version that was read before.
    pub after: u64,
    /// When, in Unix time in milliseconds.
    pub at: u64,
    /// The events.
    pub events: &'a [TournamentEvent],
    /// The tables that they name.
    pub tables: Vec<(TableRow, Event)>,
    /// The row for lists afterwards.
    pub summary: &'a TournamentSummary,
    /// The id of the account that opened it.
    pub organiser: &'a str,
    /// Whether lists show it.
    pub is_listed: bool,
}

/// The progress of the table of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableResult {
    /// The id of the table.
    pub table: String,
    /// How far it is.
    pub status: Status,
    /// The winner, if there is one.
    pub winner: Option<Side>,
    /// Why it ended, if it has.
    pub reason: Option<EndReason>,
}

impl Store {
    /// Appends events right after a version, with the tables that they name, all or nothing. A conflict if another writer
    /// has appended since: read the log and decide again.
    pub fn append_tournament<'a>(&'a self, change: TournamentChange<'a>) -> Call<'a, ()> {
        Box::pin(async move {
            let mut transaction = self.begin().await?;
            let done = transaction.append_tournament(change, self.node()).await;
            transaction.finish(done).await
        })
    }

    /// The events of a tournament after a version, in order, with their times.
    pub fn tournament_events<'a>(&'a self, id: &'a str, after: u64) -> Call<'a, Vec<(u64, TournamentEvent)>> {
        Box::pin(async move {
            let sql = "SELECT at, payload FROM tournament_events WHERE tournament = $1 AND version > $2 ORDER BY version";
            let rows = self.all(sql, |query| query.bind(id).bind(number(after))).await?;
            rows.iter().map(|row| Ok((count(row, 0)?, from_json(row, 1)?))).collect()
        })
    }

    /// The tournaments in which an action may be due: running ones, those whose start time has come, and those that are
    /// over and not closed yet.
    pub fn due_tournaments(&self, now: u64) -> Call<'_, Vec<String>> {
        Box::pin(async move {
            let sql =
                "SELECT id FROM tournaments WHERE closed = 0 AND (phase <> $1 OR starts <= $2) ORDER BY id";
            let entry = variant(TournamentPhase::Entry);
            let rows = self.all(sql, |query| query.bind(entry).bind(number(now))).await?;
            rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
        })
    }

    /// Records that nothing is due any more in a tournament that is over.
    pub fn close_tournament<'a>(&'a self, id: &'a str) -> Call<'a, ()> {
        Box::pin(async move {
            let mut transaction = self.begin().await?;
            let sql = "UPDATE tournaments SET closed = 1 WHERE id = $1 AND phase = $2";
            let over = variant(TournamentPhase::Over);
            let done = transaction.change(sql, |query| query.bind(id).bind(over)).await;
            transaction.finish(done.map(drop)).await
        })
    }

    /// Takes a tournament off the public list. False if there is no such tournament.
    pub fn unlist_tournament<'a>(&'a self, id: &'a str) -> Call<'a, bool> {
        Box::pin(async move {
            let sql = "UPDATE tournaments SET listed = 0 WHERE id = $1";
            Ok(self.change(sql, |query| query.bind(id)).await? > 0)
        })
    }

    /// Tournaments, latest first: public ones, and those that an account has created.
    pub fn tournaments<'a>(&'a self, organiser: &'a str, most: u32) -> Call<'a, Vec<TournamentSummary>> {
        Box::pin(async move {
            let sql = "SELECT summary FROM tournaments WHERE listed = 1 OR organiser = $1
            ORDER BY updated DESC, id LIMIT $2";
            let rows = self.all(sql, |query| query.bind(organiser).bind(i64::from(most))).await?;
            rows.iter().map(|row| from_json(row, 0)).collect()
        })
    }

    /// All tournaments, latest first: for operators.
    pub fn all_tournaments(&self, most: u32) -> Call<'_, Vec<TournamentSummary>> {
        Box::pin(async move {
            let sql = "SELECT summary FROM tournaments ORDER BY updated DESC, id LIMIT $1";
            let rows = self.all(sql, |query| query.bind(i64::from(most))).await?;
            rows.iter().map(|row| from_json(row, 0)).collect()
        })
    }

    /// The number of tournaments of an account that are not over.
    pub fn open_tournaments<'a>(&'a self, organiser: &'a str) -> Call<'a, u64> {
        Box::pin(async move {
            let sql = "SELECT COUNT(*) FROM tournaments WHERE organiser = $1 AND phase <> $2";
            let over = variant(TournamentPhase::Over);
            let row = self.one(sql, |query| query.bind(organiser).bind(over)).await?;
            Ok(count(&row.ok_or_else(|| missing("the row of a count"))?, 0)?)
        })
    }

    /// The progress of the tables that exist.
    pub fn table_results<'a>(&'a self, tables: &'a [String]) -> Call<'a, Vec<TableResult>> {
        Box::pin(async move {
            let mut results = Vec::with_capacity(tables.len());
            for tables in tables.chunks(MAX_VALUES) {
                let sql = format!(
                    "SELECT id, status, winner, reason FROM tables WHERE id IN ({})",
                    places(tables.len())
                );
                let bind = |query| tables.iter().fold(query, |query: Bound, table| query.bind(table));
                for row in self.all(AssertSqlSafe(sql), bind).await? {
                    results.push(TableResult {
                        table: row.try_get(0)?,
                        status: from_variant(&row, 1)?.ok_or_else(|| missing("the status of a table"))?,
                        winner: from_variant(&row, 2)?,
                        reason: from_variant(&row, 3)?,
                    });
                }
            }
            Ok(results)
        })
    }
}

impl Transaction {
    async fn append_tournament(&mut self, change: TournamentChange<'_>, node: &str) -> Result<()> {
        let TournamentChange { id, after, at, events, tables, summary, organiser, is_listed } = change;
        for (version, event) in (after + 1..).zip(events) {
            let sql =
                "INSERT INTO tournament_events (tournament, version, at, payload) VALUES ($1, $2, $3, $4)";
            let bind = |query: Bound| query.bind(id).bind(number(version)).bind(number(at)).bind(json(event));
            self.change(sql, bind).await?;
        }
        for (row, event) in tables {
            self.create_table(&row, vec![event], node).await?;
        }
        let sql = "INSERT INTO tournaments (id, organiser, phase, listed, starts, updated, summary)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            ON CONFLICT (id) DO UPDATE SET phase = $3, updated = $6, summary = $7";
        self.change(sql, |query| {
            let query =
                query.bind(id).bind(organiser).bind(variant(summary.phase)).bind(i64::from(is_listed));
            query.bind(summary.starts_at.map(number)).bind(number(at)).bind(json(summary))
        })
        .await
        .map(drop)
    }
}
