//! Reports about players, from the first complaint to the operator's decision.

use protocol::ReportReason;
use sqlx::{AssertSqlSafe, Row, any::AnyRow};

use super::{Call, Result, Store, count, from_variant, missing, number, variant};

/// A report about a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Unguessable.
    pub id: String,
    /// When it was made, in Unix time in milliseconds.
    pub at: u64,
    /// The table where it happened.
    pub table: String,
    /// The id and the name of the person who reports.
    pub reporter: (String, String),
    /// The id and the name of the reported player.
    pub subject: (String, String),
    /// The reason of the report.
    pub reason: ReportReason,
    /// Details in the reporter's words.
    pub details: String,
    /// When an operator settled it; zero if it is unsettled.
    pub settled: u64,
    /// How it was settled, in the operator's words.
    pub note: String,
}

const COLUMNS: &str =
    "id, at, table_id, reporter, reporter_name, subject, subject_name, reason, details, settled, note";

impl Report {
    fn read(row: &AnyRow) -> Result<Report> {
        Ok(Report {
            id: row.try_get(0)?,
            at: count(row, 1)?,
            table: row.try_get(2)?,
            reporter: (row.try_get(3)?, row.try_get(4)?),
            subject: (row.try_get(5)?, row.try_get(6)?),
            reason: from_variant(row, 7)?.ok_or_else(|| missing("the reason of a report"))?,
            details: row.try_get(8)?,
            settled: count(row, 9)?,
            note: row.try_get(10)?,
        })
    }
}

impl Store {
    /// Stores a report. A second one about the same player at the same table replaces what the first one said.
    pub fn add_report<'a>(&'a self, report: &'a Report) -> Call<'a, ()> {
        Box::pin(async move {
            let sql = "INSERT INTO reports
                (id, at, table_id, reporter, reporter_name, subject, subject_name, reason, details)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            ON CONFLICT (table_id, reporter, subject) DO UPDATE SET reason = $8, details = $9";
            let Report { id, at, table, reporter, subject, reason, details, .. } = report;
            let bind = |query: super::Bound| {
                let query = query.bind(id.clone()).bind(number(*at)).bind(table.clone());
                let query = query.bind(reporter.0.clone()).bind(reporter.1.clone());
                let query = query.bind(subject.0.clone()).bind(subject.1.clone());
                query.bind(variant(reason)).bind(details.clone())
            };
            self.change(sql, bind).await.map(drop)
        })
    }

    /// The number of unsettled reports by a person.
    pub fn open_reports_of<'a>(&'a self, reporter: &'a str) -> Call<'a, u64> {
        Box::pin(async move {
            let sql = "SELECT COUNT(*) FROM reports WHERE reporter = $1 AND settled = 0";
            let row = self.one(sql, |query| query.bind(reporter)).await?;
            Ok(count(&row.ok_or_else(|| missing("a count"))?, 0)?)
        })
    }

    /// The latest reports: the unsettled ones, or all.
    pub fn reports(&self, all: bool, limit: u32) -> Call<'_, Vec<Report>> {
        Box::pin(async move {
            let which = if all { "" } else { "WHERE settled = 0" };
            let sql = format!("SELECT {COLUMNS} FROM reports {which} ORDER BY at DESC, id LIMIT {limit}");
            let rows = self.all(AssertSqlSafe(sql), |query| query).await?;
            rows.iter().map(Report::read).collect()
        })
    }

    /// Notes how a report was settled. False if there is none with this id.
    pub fn settle_report<'a>(&'a self, id: &'a str, note: &'a str) -> Call<'a, bool> {
        Box::pin(async move {
            let sql = "UPDATE reports SET settled = $2, note = $3 WHERE id = $1";
            let now = number(self.clock().now_ms());
            Ok(self.change(sql, |query| query.bind(id).bind(now).bind(note)).await? > 0)
        })
    }
}
