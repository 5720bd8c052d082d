//! Backups: all persistent data as lines of JSON that both databases can write and read. A backup of an
//! SQLite file can be restored into PostgreSQL, and vice versa.
//!
//! ```text
//!    {"alinea":"backup","schema":3}
//!    {"table":"accounts","columns":["id","name",…]}
//!    ["…","Ada",…]
//!    …
//!    {"rows":1234}
//! ```

use std::io::{self, BufRead, Write};

use futures_util::{TryStreamExt, future::LocalBoxFuture};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::any::{AnyRow, AnyTypeInfoKind};
use sqlx::{AnyConnection, AssertSqlSafe, Column, Connection, Executor, Row, ValueRef};

use super::{
    Backend, Bound, NO_TIME_OUTS, STEPS, StoreError, Transaction, error, migrate, migration_failed,
    open_pools,
};

/// The tables of a backup. Seeks and running nodes are not persistent. The rows of tables come last, because
/// a table without its events would be visible, but events without a table are not. Each entry has the number
/// of migrations after which the table exists.
const TABLES: [(&str, i64); 22] = [
    ("accounts", 1),
    ("announcements", 14),
    ("api_tokens", 1),
    ("audit", 14),
    ("contest_reports", 12),
    ("downtimes", 1),
    ("events", 1),
    ("learned", 18),
    ("puzzle_attempts", 9),
    ("puzzle_ratings", 9),
    ("rating_history", 1),
    ("rating_lists", 15),
    ("rating_starts", 15),
    ("ratings", 1),
    ("reports", 7),
    ("restrictions", 14),
    ("results", 15),
    ("sessions", 1),
    ("settings", 1),
    ("tournament_events", 10),
    ("tournaments", 10),
    ("tables", 1),
];

/// The tables that exist after the first `schema` migrations.
fn tables_at(schema: i64) -> impl Iterator<Item = &'static str> {
    TABLES.into_iter().filter_map(move |(table, since)| (since <= schema).then_some(table))
}

/// Why a backup could not be written or restored.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BackupError {
    /// The database failed.
    #[error("{}", .0.reason())]
    Store(#[from] StoreError),
    /// The file failed.
    #[error(transparent)]
    File(#[from] io::Error),
    /// The file is not a complete backup, or this version cannot read it.
    #[error("line {line}: {reason}")]
    Invalid {
        /// The line number, from one.
        line: u64,
        /// The reason, in one sentence.
        reason: String,
    },
    /// The target database is not empty.
    #[error("the database is not empty; restore the backup into a new one")]
    NotEmpty,
}

impl From<sqlx::Error> for BackupError {
    fn from(error: sqlx::Error) -> Self {
        Self::Store(error.into())
    }
}

/// The lines that are not rows.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Line {
    Header { alinea: String, schema: i64 },
    Table { table: String, columns: Vec<String> },
    End { rows: u64 },
}

/// Writes a consistent backup of a database, also while servers use it. Returns the number of rows.
///
/// # Errors
/// If the database cannot be read or the output cannot be written.
pub fn backup<'a>(url: &'a str, output: &'a mut dyn Write) -> LocalBoxFuture<'a, Result<u64, BackupError>> {
    Box::pin(write_backup(url, output))
}

async fn write_backup(url: &str, output: &mut dyn Write) -> Result<u64, BackupError> {
    sqlx::any::install_default_drivers();
    let backend = Backend::of(url);
    // Not created where it does not exist.
    let url = if backend == Backend::Sqlite { format!("{url}?mode=rw") } else { url.to_owned() };
    let mut connection = AnyConnection::connect(&url).await.map_err(error::cannot_open)?;
    connection.execute(backend.begin_snapshot()).await?;
    let schema = sqlx::query("SELECT MAX(version) FROM _sqlx_migrations").fetch_one(&mut connection).await;
    let schema = schema.and_then(|row| row.try_get::<i64, _>(0));
    let schema = schema.map_err(|_| StoreError::unavailable("it is not a database of this program"))?;
    write_line(output, &Line::Header { alinea: "backup".to_owned(), schema })?;
    let mut rows = 0;
    for table in tables_at(schema) {
        let sql = AssertSqlSafe(format!("SELECT * FROM {table}"));
        let mut found = sqlx::query(sql).fetch(&mut connection);
        let mut is_first = true;
        while let Some(row) = found.try_next().await? {
            if std::mem::take(&mut is_first) {
                let columns = row.columns().iter().map(|column| column.name().to_owned()).collect();
                write_line(output, &Line::Table { table: table.to_owned(), columns })?;
            }
            write_line(output, &values(&row)?)?;
            rows += 1;
        }
    }
    write_line(output, &Line::End { rows })?;
    output.flush()?;
    connection.close().await?;
    Ok(rows)
}

/// Restores a backup into an empty database, all or nothing. Returns the number of rows.
///
/// # Errors
/// If the backup is incomplete, or the database is not empty or fails.
pub fn restore<'a>(url: &'a str, input: &'a mut dyn BufRead) -> LocalBoxFuture<'a, Result<u64, BackupError>> {
    Box::pin(read_backup(url, input))
}

async fn read_backup(url: &str, input: &mut dyn BufRead) -> Result<u64, BackupError> {
    sqlx::any::install_default_drivers();
    let backend = Backend::of(url);
    let (_, pool) = open_pools(backend, url).await?;
    let invalid = |line: u64, reason: &str| BackupError::Invalid { line, reason: reason.to_owned() };
    let mut lines = input.lines();
    let schema = match lines.next().transpose()?.as_deref().map(serde_json::from_str) {
        Some(Ok(Line::Header { alinea, schema })) if alinea == "backup" => schema,
        _ => return Err(invalid(1, "this is not a backup")),
    };
    let Some(steps) = usize::try_from(schema).ok().filter(|&steps| steps <= STEPS.len()) else {
        return Err(invalid(1, "the backup was written by a newer version of this program"));
    };
    // The tables as they were when the backup was written; they are brought up to date below.
    migrate(backend, &pool, steps).await.map_err(migration_failed)?;
    let mut transaction = Transaction::begin(backend, pool.acquire().await?).await?;
    if backend == Backend::Postgres {
        transaction.connection().execute(NO_TIME_OUTS).await?;
    }
    for table in tables_at(schema) {
        let sql = AssertSqlSafe(format!("SELECT CAST(1 AS BIGINT) FROM {table} LIMIT 1"));
        if transaction.one(sql, |query| query).await?.is_some() {
            return Err(BackupError::NotEmpty);
        }
    }
    let mut insert = None;
    let mut rows = 0;
    for line in 2.. {
        let Some(text) = lines.next().transpose()? else {
            return Err(invalid(line, "the backup is not complete"));
        };
        if text.starts_with('[') {
            let values: Vec<Value> =
                serde_json::from_str(&text).map_err(|error| invalid(line, &error.to_string()))?;
            let sql = match &insert {
                Some((insert, columns)) if values.len() == *columns => {
                    format!("{insert} VALUES ({})", row_places(&values))
                }
                _ => return Err(invalid(line, "the row does not match its table")),
            };
            let bound = values.into_iter().fold(sqlx::query(AssertSqlSafe(sql)), bind);
            bound.execute(transaction.connection()).await?;
            rows += 1;
            continue;
        }
        match serde_json::from_str(&text) {
            Ok(Line::Table { table, columns }) => {
                let is_name =
                    |name: &String| name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
                let is_known = tables_at(schema).any(|known| known == table);
                if !is_known || columns.is_empty() || !columns.iter().all(is_name) {
                    return Err(invalid(line, "unknown table"));
                }
                insert = Some((format!("INSERT INTO {table} ({})", columns.join(", ")), columns.len()));
            }
            Ok(Line::End { rows: all }) if all == rows => break,
            Ok(Line::End { .. }) => return Err(invalid(line, "rows are missing")),
            _ => return Err(invalid(line, "expected a row or the name of a table")),
        }
    }
    // Without the time-out of other transactions.
    transaction.connection().execute("COMMIT").await?;
    drop(transaction);
    migrate(backend, &pool, STEPS.len()).await.map_err(migration_failed)?;
    pool.close().await;
    Ok(rows)
}

fn write_line(output: &mut dyn Write, line: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *output, line)?;
    output.write_all(b"\n")
}

/// A row as JSON.
fn values(row: &AnyRow) -> Result<Vec<Value>, sqlx::Error> {
    let value = |column: usize| {
        let kind = row.try_get_raw(column)?.type_info().kind();
        Ok(match kind {
            AnyTypeInfoKind::Null => Value::Null,
            AnyTypeInfoKind::SmallInt | AnyTypeInfoKind::Integer | AnyTypeInfoKind::BigInt => {
                row.try_get::<Option<i64>, _>(column)?.into()
            }
            AnyTypeInfoKind::Real | AnyTypeInfoKind::Double => row.try_get::<Option<f64>, _>(column)?.into(),
            _ => row.try_get::<Option<String>, _>(column)?.into(),
        })
    };
    (0..row.len()).map(value).collect()
}

/// The places of the values of a row. PostgreSQL does not accept a missing text for a missing number, so that missing
/// values are not bound.
fn row_places(values: &[Value]) -> String {
    let mut bound = 0;
    let place = |value: &Value| match value {
        Value::Null => "NULL".to_owned(),
        _ => {
            bound += 1;
            format!("${bound}")
        }
    };
    values.iter().map(place).collect::<Vec<_>>().join(", ")
}

fn bind(query: Bound, value: Value) -> Bound {
    match value {
        Value::Number(number) => match number.as_i64() {
            Some(whole) => query.bind(whole),
            None => query.bind(number.as_f64()),
        },
        Value::String(text) => query.bind(text),
        Value::Null => query,
        // A backup has no other values.
        other => query.bind(other.to_string()),
    }
}
