//! Storage of games, people and ratings: an SQLite file, or PostgreSQL when several nodes serve the same tables.
//!
//! Both use the same statements. The log of events is authoritative: everything that a node keeps in memory
//! can be rebuilt from it. A call that fails with [`StoreError::Unavailable`] may or may not have been
//! executed: read before you retry.

mod admin;
mod backup;
mod bus;
mod clock;
mod contests;
mod error;
mod jobs;
mod learned;
#[cfg(feature = "postgres")]
mod listener;
mod log;
pub mod metrics;
mod nodes;
mod operations;
mod people;
mod puzzles;
mod random;
mod ratings;
mod reports;
mod results;
mod seeks;
mod table_store;
mod tables;
pub mod task;
mod tournament_store;
mod tournaments;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures_util::future::{BoxFuture, LocalBoxFuture};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sqlx::any::{AnyArguments, AnyPoolOptions, AnyRow};
use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::pool::PoolConnection;
use sqlx::query::Query;
use sqlx::{Any, AnyConnection, AnyPool, Connection, Executor, Row, SqlSafeStr};
use tokio::sync::broadcast;
use tokio_util::task::AbortOnDropHandle;

use metrics::METRICS;

pub use admin::{AccountSummary, Statistics};
pub use backup::{BackupError, backup, restore};
pub use bus::{Hint, PresenceHint};
pub use clock::Clock;
pub use contests::{ContestState, PlayedGame, TakenGame};
pub use error::StoreError;
pub use jobs::{NewJob, TakenJob, WaitingJobs};
pub use learned::{Learned, Stored};
pub use nodes::SILENCE_MS;
pub use operations::{Announcement, AuditEntry, OPERATOR, Restriction, RestrictionKind};
pub use people::{Account, ApiToken, SESSION_LIFE_MS, Session};
pub use puzzles::{Decided, TriedPuzzle};
pub use random::{hex, random, random_hex};
pub use reports::Report;
pub use results::{Rated, RatedPlayer, RatedResult, ResultsOf, Revision};
pub use seeks::{Pairing, WaitingSeek};
pub use table::LogEntry;
pub use table_store::{Call, TableStore};
pub use tables::{TableChange, TableFilter, TableKey, TableRow, Tally};
pub use tournament_store::TournamentStore;
pub use tournaments::{TableResult, TournamentChange};

/// Timeout of a call, which then fails as unavailable.
pub const TIMEOUT: Duration = Duration::from_secs(5);

/// Timeout for getting a connection; less than [`TIMEOUT`], so that the error states the reason.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

/// Number of connections to PostgreSQL, or of readers of an SQLite file.
const CONNECTIONS: u32 = 8;

/// Whether this build can use PostgreSQL.
pub const HAS_POSTGRES: bool = cfg!(feature = "postgres");

/// The result of every call of the store.
pub type Result<T> = std::result::Result<T, StoreError>;

/// The store. Clones share the same store.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

struct Inner {
    backend: Backend,
    read: AnyPool,
    write: AnyPool,
    node: String,
    log: log::Writer,
    /// The number of callers, besides the log, that wait for a write connection.
    waiting_writers: Arc<AtomicUsize>,
    hints: broadcast::Sender<Hint>,
    clock: Clock,
    /// Whether this node has sent its first heartbeat.
    has_heartbeat: AtomicBool,
    /// Kept for as long as the store: the task that listens, and a pool that keeps a file in memory open.
    _listener: Option<AbortOnDropHandle<()>>,
    _keeper: Option<AnyPool>,
}

/// The statements that differ between the databases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Backend {
    Sqlite,
    Postgres,
}

impl Backend {
    /// Returns the backend for a URL.
    fn of(url: &str) -> Self {
        if url.starts_with("sqlite:") { Backend::Sqlite } else { Backend::Postgres }
    }

    /// Starts a snapshot of the whole database, however long reading takes.
    fn begin_snapshot(self) -> &'static str {
        match self {
            Backend::Sqlite => "BEGIN",
            Backend::Postgres => "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY",
        }
    }

    /// Takes the write lock at once: a deferred transaction of SQLite would fail at its first write.
    fn begin(self) -> &'static str {
        match self {
            Backend::Sqlite => "BEGIN IMMEDIATE",
            Backend::Postgres => "BEGIN",
        }
    }

    /// The lock clause of a SELECT whose rows are about to change. SQLite has one writer at a time anyway.
    fn for_update(self) -> &'static str {
        match self {
            Backend::Sqlite => "",
            Backend::Postgres => " FOR UPDATE",
        }
    }
}

impl Store {
    /// Opens `sqlite:PATH`, `sqlite::memory:` or `postgres://…`; creates and migrates the schema.
    ///
    /// # Errors
    /// If the database cannot be opened or migrated.
    pub fn open(url: &str) -> LocalBoxFuture<'_, Result<Store>> {
        Self::open_with(url, Clock::system())
    }

    /// Opens the database of servers for a worker, whose role may neither create tables nor read most of them: the schema is
    /// migrated only if no server has done so.
    ///
    /// # Errors
    /// If the database cannot be opened or migrated.
    pub fn open_for_worker(url: &str) -> LocalBoxFuture<'_, Result<Store>> {
        Self::open_as(url, Clock::system(), true)
    }

    /// Opens a store with a given clock, which all users of the store share.
    ///
    /// # Errors
    /// If the database cannot be opened or migrated.
    pub fn open_with(url: &str, clock: Clock) -> LocalBoxFuture<'_, Result<Store>> {
        Self::open_as(url, clock, false)
    }

    fn open_as(url: &str, clock: Clock, is_worker: bool) -> LocalBoxFuture<'_, Result<Store>> {
        Box::pin(async move {
            sqlx::any::install_default_drivers();
            let backend = Backend::of(url);
            let (read, write, keeper) = if url.starts_with("sqlite::memory:") {
                let (only, keeper) = open_memory().await?;
                (only.clone(), only, Some(keeper))
            } else {
                let (read, write) = open_pools(backend, url).await?;
                (read, write, None)
            };
            if !is_worker || !is_migrated(&write).await {
                migrate(backend, &write, STEPS.len()).await.map_err(migration_failed)?;
            }
            if backend == Backend::Sqlite {
                // Refreshes some statistics, so that queries find the right index. Fails on a read-only file, which can do
                // without.
                let _ = within(write.execute("PRAGMA optimize = 0x10012")).await;
            }

            check_schema(&write).await?;

            let node = crate::random_hex::<8>();
            let hints = broadcast::Sender::new(4096);
            let waiting_writers = Arc::new(AtomicUsize::new(0));
            let log = log::Writer::start(backend, write.clone(), &node, waiting_writers.clone());
            let listener = match backend {
                #[cfg(feature = "postgres")]
                Backend::Postgres => Some(listener::start(url, &node, hints.clone()).await?),
                _ => None,
            };
            let inner = Inner {
                backend,
                read,
                write,
                node,
                log,
                waiting_writers,
                hints,
                clock,
                has_heartbeat: false.into(),
                _listener: listener,
                _keeper: keeper,
            };
            let store = Store { inner: Arc::new(inner) };
            store.clock().start_at(store.last_heartbeat().await?);
            Ok(store)
        })
    }

    /// The clock that this store was opened with.
    #[must_use]
    pub fn clock(&self) -> &Clock {
        &self.inner.clock
    }

    /// The name of this node among the nodes of the database, new at every start.
    pub fn node(&self) -> &str {
        &self.inner.node
    }

    /// Writes queued data and closes the database. Later calls fail as unavailable.
    pub fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            self.inner.log.close().await;
            self.inner.write.close().await;
            self.inner.read.close().await;
        })
    }

    /// Checks that the database responds.
    pub fn ping(&self) -> Call<'_, ()> {
        Box::pin(async move { self.one("SELECT CAST(1 AS BIGINT)", |query| query).await.map(drop) })
    }

    /// The rows that a query finds.
    async fn all(&self, sql: impl SqlSafeStr, bind: impl FnOnce(Bound) -> Bound) -> Result<Vec<AnyRow>> {
        within(bind(sqlx::query(sql)).fetch_all(&self.inner.read)).await
    }

    /// The first row that a query finds.
    async fn one(&self, sql: impl SqlSafeStr, bind: impl FnOnce(Bound) -> Bound) -> Result<Option<AnyRow>> {
        within(bind(sqlx::query(sql)).fetch_optional(&self.inner.read)).await
    }

    /// Executes one writing statement and returns the number of changed rows.
    async fn change(&self, sql: impl SqlSafeStr, bind: impl FnOnce(Bound) -> Bound) -> Result<u64> {
        let done = within(async { bind(sqlx::query(sql)).execute(&mut *self.writer().await?).await }).await?;
        Ok(done.rows_affected())
    }

    /// Gets a write connection; the writer of the log gives way to it.
    async fn writer(&self) -> std::result::Result<PoolConnection<Any>, sqlx::Error> {
        let _waiting = Waiting::new(&self.inner.waiting_writers);
        self.inner.write.acquire().await
    }

    async fn begin(&self) -> Result<Transaction> {
        let connection = within(self.writer()).await?;
        Transaction::begin(self.inner.backend, connection).await
    }
}

/// Counts a waiting caller while it lives.
struct Waiting<'a>(&'a AtomicUsize);

impl Waiting<'_> {
    fn new(count: &AtomicUsize) -> Waiting<'_> {
        count.fetch_add(1, Ordering::Relaxed);
        Waiting(count)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A statement with its values.
type Bound = Query<'static, Any, AnyArguments>;

/// A transaction that closes its connection if it is not finished properly. The driver's own count of open
/// transactions would be wrong after SQLite rolls back by itself, for example because the disk is full.
struct Transaction {
    connection: Option<PoolConnection<Any>>,
}

impl Transaction {
    async fn begin(backend: Backend, connection: PoolConnection<Any>) -> Result<Transaction> {
        let mut transaction = Transaction { connection: Some(connection) };
        within(transaction.connection().execute(backend.begin())).await?;
        Ok(transaction)
    }

    fn connection(&mut self) -> &mut AnyConnection {
        self.connection.as_mut().expect("present until the transaction is finished")
    }

    async fn all(&mut self, sql: impl SqlSafeStr, bind: impl FnOnce(Bound) -> Bound) -> Result<Vec<AnyRow>> {
        within(bind(sqlx::query(sql)).fetch_all(self.connection())).await
    }

    async fn one(
        &mut self,
        sql: impl SqlSafeStr,
        bind: impl FnOnce(Bound) -> Bound,
    ) -> Result<Option<AnyRow>> {
        within(bind(sqlx::query(sql)).fetch_optional(self.connection())).await
    }

    async fn change(&mut self, sql: impl SqlSafeStr, bind: impl FnOnce(Bound) -> Bound) -> Result<u64> {
        Ok(within(bind(sqlx::query(sql)).execute(self.connection())).await?.rows_affected())
    }

    /// Commits on success, rolls back on a conflict or a bug; after an outage the connection is closed.
    async fn finish<T>(self, outcome: Result<T>) -> Result<T> {
        self.end(outcome).await.1
    }

    /// Ends the transaction like `finish`, and returns the connection if it can be used again.
    async fn end<T>(mut self, outcome: Result<T>) -> (Option<PoolConnection<Any>>, Result<T>) {
        let statement = match &outcome {
            Ok(_) => "COMMIT",
            Err(error) if error.is_outage() => return (None, outcome),
            Err(_) => "ROLLBACK",
        };
        match within(self.connection().execute(statement)).await {
            Ok(_) => (self.connection.take(), outcome),
            Err(error) => (None, Err(error)),
        }
    }
}

impl Drop for Transaction {
    fn drop(&mut self) {
        if let Some(connection) = &mut self.connection {
            connection.close_on_drop();
        }
    }
}

/// Applies the time-out, and records the duration.
async fn within<T>(work: impl Future<Output = std::result::Result<T, sqlx::Error>>) -> Result<T> {
    let start = Instant::now();
    let done = tokio::time::timeout(TIMEOUT, work).await;
    METRICS.stored(start.elapsed());
    match done {
        Ok(done) => Ok(done?),
        Err(_) => Err(timed_out()),
    }
}

fn sqlite_options(connections: u32, more: &'static str) -> AnyPoolOptions {
    // Every commit is synced. The last pages of a game are written with every move: a long journal collects them before
    // they go into the file, and a cache keeps them in memory.
    const SETUP: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 4000;
        PRAGMA wal_autocheckpoint = 8000; PRAGMA temp_store = MEMORY";
    AnyPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(TIMEOUT)
        .idle_timeout(None)
        .max_lifetime(None)
        .test_before_acquire(false)
        .after_connect(move |connection, _| {
            Box::pin(async move {
                connection.execute(SETUP).await?;
                connection.execute(more).await.map(drop)
            })
        })
}

/// Statements that set up the connection that writes.
const WRITER: &str = "PRAGMA cache_size = -4000";

/// A statement that needs the file, its journal and its lock, to report what is wrong with them.
const WRITE_TEST: &str = "PRAGMA journal_mode = WAL; BEGIN IMMEDIATE; ROLLBACK";

/// Pools of connections that read and that write.
async fn open_pools(backend: Backend, url: &str) -> Result<(AnyPool, AnyPool)> {
    match backend {
        Backend::Sqlite => {
            let is_as_given = url.contains('?');
            let url = if is_as_given { url.to_owned() } else { format!("{url}?mode=rwc") };
            // Also shows whether the file can be written.
            try_out(&url, if is_as_given { "PRAGMA schema_version" } else { WRITE_TEST }).await?;
            open_sqlite(&url).await
        }
        Backend::Postgres if !HAS_POSTGRES => {
            Err(StoreError::unavailable("this program was built without PostgreSQL"))
        }
        Backend::Postgres => {
            try_out(url, "SELECT 1").await?;
            let pool = open_postgres(url).await?;
            Ok((pool.clone(), pool))
        }
    }
}

/// Connects once and runs a statement, so that an error is reported: a pool would retry until it times out.
async fn try_out(url: &str, statement: &'static str) -> Result<()> {
    let work = async {
        let mut connection = AnyConnection::connect(url).await?;
        connection.execute(statement).await?;
        connection.close().await
    };
    match tokio::time::timeout(TIMEOUT, work).await {
        Ok(done) => done.map_err(error::cannot_open),
        Err(_) => Err(timed_out()),
    }
}

/// Opens an SQLite file with one connection that writes, so that writers queue in order instead of finding
/// the file locked. Other connections read at the same time.
async fn open_sqlite(url: &str) -> Result<(AnyPool, AnyPool)> {
    let write = within(sqlite_options(1, WRITER).connect(url)).await?;
    let read = within(sqlite_options(CONNECTIONS, "").connect(url)).await?;
    Ok((read, write))
}

/// Opens a file in memory, of at most 1 GB, with a cache in front. SQLite's own `:memory:` is only a cache,
/// and SQLite scans all of it whenever it splits a page.
///
/// The file lives as long as it is open. A connection is closed after a time-out; the second connection here
/// is never used and keeps the file alive.
async fn open_memory() -> Result<(AnyPool, AnyPool)> {
    let url = format!("sqlite:/alinea-{}?vfs=memdb&mode=rwc", crate::random_hex::<8>());
    let only = within(sqlite_options(1, WRITER).connect(&url)).await?;
    let keeper = within(sqlite_options(1, "").connect(&url)).await?;
    Ok((only, keeper))
}

async fn open_postgres(url: &str) -> Result<AnyPool> {
    // The database has time-outs, too, so that an abandoned statement does not keep its locks.
    const SETUP: &str = "SET statement_timeout = 4500; SET idle_in_transaction_session_timeout = 10000";
    let options = AnyPoolOptions::new()
        .max_connections(CONNECTIONS)
        .acquire_timeout(CONNECT_TIMEOUT)
        .after_connect(|connection, _| Box::pin(async move { connection.execute(SETUP).await.map(drop) }));
    within(options.connect(url)).await
}

/// Removes the time-outs of a connection to PostgreSQL, for operations that may take long.
const NO_TIME_OUTS: &str = "SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0";

/// The migrations, first to last.
const STEPS: [(&str, &str); 18] = [
    ("start", include_str!("../migrations/0001_start.sql")),
    ("numbers", include_str!("../migrations/0002_numbers.sql")),
    ("names", include_str!("../migrations/0003_names.sql")),
    ("bots", include_str!("../migrations/0004_bots.sql")),
    ("bans", include_str!("../migrations/0005_bans.sql")),
    ("recovery", include_str!("../migrations/0006_recovery.sql")),
    ("reports", include_str!("../migrations/0007_reports.sql")),
    ("jobs", include_str!("../migrations/0008_jobs.sql")),
    ("puzzles", include_str!("../migrations/0009_puzzles.sql")),
    ("tournaments", include_str!("../migrations/0010_tournaments.sql")),
    ("contests", include_str!("../migrations/0011_contests.sql")),
    ("contest reports", include_str!("../migrations/0012_contest_reports.sql")),
    ("job lanes", include_str!("../migrations/0013_job_lanes.sql")),
    ("operations", include_str!("../migrations/0014_operations.sql")),
    ("results", include_str!("../migrations/0015_results.sql")),
    ("unverified games", include_str!("../migrations/0016_unverified.sql")),
    ("closed tournaments", include_str!("../migrations/0017_closed_tournaments.sql")),
    ("learned", include_str!("../migrations/0018_learned.sql")),
];

/// Applies the first `count` migrations. That may take long, so the time-outs of statements do not apply.
async fn migrate(backend: Backend, pool: &AnyPool, count: usize) -> std::result::Result<(), MigrateError> {
    let step = |(version, (name, sql)): (i64, (&'static str, &'static str))| {
        Migration::new(version, name.into(), MigrationType::Simple, sql.into_sql_str(), false)
    };
    let mut migrator = Migrator::with_migrations((1..).zip(STEPS).take(count).map(step).collect());
    // A newer version may have added to the schema; see `check_schema`.
    migrator.set_ignore_missing(true);
    let mut connection = pool.acquire().await?;
    if backend == Backend::Postgres {
        connection.close_on_drop();
        connection.execute(NO_TIME_OUTS).await?;
    }
    migrator.run(&mut *connection).await
}

/// Whether the schema has all migrations that this program knows.
async fn is_migrated(pool: &AnyPool) -> bool {
    let sql = "SELECT MAX(version) FROM _sqlx_migrations WHERE success";
    let row = within(sqlx::query(sql).fetch_one(pool)).await;
    row.is_ok_and(|row| row.try_get::<i64, _>(0).is_ok_and(|version| version >= STEPS.len() as i64))
}

/// While servers are upgraded one after the other, servers of one version work beside those of the next, so a
/// migration at first only adds to the schema. A later migration that removes something stores in the setting
/// `oldest-schema` how many migrations a program must know to keep using the database.
async fn check_schema(pool: &AnyPool) -> Result<()> {
    let sql = "SELECT value FROM public_settings WHERE name = 'oldest-schema'";
    let row = within(sqlx::query(sql).fetch_optional(pool)).await?;
    let oldest = row.map(|row| row.try_get::<String, _>(0)).transpose()?;
    match oldest.and_then(|text| text.parse::<usize>().ok()) {
        Some(oldest) if oldest > STEPS.len() => {
            Err(StoreError::unavailable("the database was written by a newer version of this program"))
        }
        _ => Ok(()),
    }
}

/// Placeholders for this many values in a statement: `$1, $2, $3`.
fn places(count: usize) -> String {
    let places: Vec<_> = (1..=count).map(|place| format!("${place}")).collect();
    places.join(", ")
}

/// Converts to an i64. Versions, plies, times and table numbers fit until the year 2109.
fn number(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// Reads what [`number`] wrote.
fn count(row: &AnyRow, column: usize) -> std::result::Result<u64, sqlx::Error> {
    Ok(row.try_get::<i64, _>(column)?.unsigned_abs())
}

/// A value as JSON.
fn json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("types of the protocol can be written as JSON")
}

/// Reads what [`json`] wrote.
fn from_json<T: DeserializeOwned>(row: &AnyRow, column: usize) -> Result<T> {
    let text: &str = row.try_get(column)?;
    serde_json::from_str(text).map_err(|error| unreadable(text, &error))
}

/// A unit variant of the protocol as in JSON, but without quotes.
fn variant<T: Serialize>(value: T) -> String {
    json(&value).trim_matches('"').to_owned()
}

/// Reads what [`variant`] wrote; none for NULL.
fn from_variant<T: DeserializeOwned>(row: &AnyRow, column: usize) -> Result<Option<T>> {
    let Some(text) = row.try_get::<Option<String>, _>(column)? else { return Ok(None) };
    serde_json::from_value(text.as_str().into()).map(Some).map_err(|error| unreadable(&text, &error))
}

fn unreadable(text: &str, error: &serde_json::Error) -> StoreError {
    StoreError::internal(format!("invalid data in the database: {error}: {text:?}"))
}

/// The error for a row or column that must exist.
fn missing(what: &str) -> StoreError {
    StoreError::internal(format!("{what} is missing in the database"))
}

fn timed_out() -> StoreError {
    StoreError::unavailable(format!("no response within {} s", TIMEOUT.as_secs()))
}

fn migration_failed(error: MigrateError) -> StoreError {
    match error {
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => error::cannot_open(error),
        // The schema is not one that this version knows; that is for the administrator.
        error => StoreError::unavailable(error),
    }
}
