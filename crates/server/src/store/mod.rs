//! Where games, people and ratings are kept: an SQLite file, or PostgreSQL when several nodes serve the same tables.
//!
//! Both speak through one set of statements. The log of events is the truth; everything a node keeps in memory
//! can be rebuilt from here. A method that fails with [`StoreError::Unavailable`] may or may not have done its
//! work, as nobody can know who lost the line: read again before trying again.

mod bus;
mod log;
mod nodes;
mod people;
mod ratings;
mod seeks;
mod tables;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde::de::DeserializeOwned;
use sqlx::any::{AnyArguments, AnyPoolOptions, AnyRow};
use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::pool::PoolConnection;
use sqlx::query::Query;
use sqlx::{Any, AnyConnection, AnyPool, Executor, Row, SqlSafeStr};
use tokio::sync::broadcast;

pub use bus::Hint;
pub(crate) use nodes::SILENCE_MS;
pub use people::{Account, ApiToken, Session};
pub use ratings::{Rated, RatedPlayer};
pub use seeks::{Pairing, WaitingSeek};
pub use table::LogEntry;
pub use tables::{TableChange, TableFilter, TableKey, TableRow, Tally};

/// How long anything here may take before it counts as unavailable.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long to wait for a connection; less than [`PATIENCE`], so that the reason is told and not only the delay.
const CONNECT_PATIENCE: Duration = Duration::from_secs(3);

/// Connections to PostgreSQL, and readers of an SQLite file.
const CONNECTIONS: u32 = 8;

/// Why the store did not do what it was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// Somebody was first: the version, the code or the name is taken.
    #[error("somebody else was first")]
    Conflict,
    /// The database is away, full, read only or too slow.
    #[error("the database is not available: {0}")]
    Unavailable(String),
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> StoreError {
        match error.as_database_error() {
            Some(told) if told.is_unique_violation() => StoreError::Conflict,
            _ => StoreError::Unavailable(error.to_string()),
        }
    }
}

/// What every method here returns.
pub type Result<T> = std::result::Result<T, StoreError>;

/// The store. Cheap to clone; clones are the same store.
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
    /// How many wait for a connection that writes, besides the log.
    wanting: Arc<AtomicUsize>,
    hints: broadcast::Sender<Hint>,
    /// Has this node told the others that it lives?
    has_beaten: AtomicBool,
    /// These end with the store.
    _listener: Option<bus::Listener>,
    _keeper: Option<AnyPool>,
}

/// The few words in which the databases differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Backend {
    Sqlite,
    Postgres,
}

impl Backend {
    /// SQLite would otherwise find out at the first write that another transaction writes.
    fn begin(self) -> &'static str {
        match self {
            Backend::Sqlite => "BEGIN IMMEDIATE",
            Backend::Postgres => "BEGIN",
        }
    }

    /// What follows a SELECT whose rows are about to change. SQLite has one writer at a time anyway.
    fn for_update(self) -> &'static str {
        match self {
            Backend::Sqlite => "",
            Backend::Postgres => " FOR UPDATE",
        }
    }
}

impl Store {
    /// Opens `sqlite:PATH`, `sqlite::memory:` or `postgres://…`; creates and migrates what is missing.
    pub async fn open(url: &str) -> Result<Store> {
        sqlx::any::install_default_drivers();
        let (backend, read, write, keeper) = if url.starts_with("sqlite::memory:") {
            let (only, keeper) = open_memory().await?;
            (Backend::Sqlite, only.clone(), only, Some(keeper))
        } else if url.starts_with("sqlite:") {
            let (read, write) = open_sqlite(url).await?;
            (Backend::Sqlite, read, write, None)
        } else {
            let pool = open_postgres(url).await?;
            (Backend::Postgres, pool.clone(), pool, None)
        };
        migrate(backend, &write).await.map_err(|error| StoreError::Unavailable(error.to_string()))?;
        if backend == Backend::Sqlite {
            // Looks at some of how the tables have grown, so that lists find the right index. What cannot be written,
            // as in a file opened to be read, can do without.
            let _ = within(write.execute("PRAGMA optimize = 0x10012")).await;
        }

        let node = crate::random_hex::<8>();
        let hints = broadcast::Sender::new(4096);
        let wanting = Arc::new(AtomicUsize::new(0));
        let log = log::Writer::start(backend, write.clone(), &node, wanting.clone());
        let listener = match backend {
            Backend::Sqlite => None,
            Backend::Postgres => Some(bus::Listener::start(url, &node, hints.clone()).await?),
        };
        let inner = Inner {
            backend,
            read,
            write,
            node,
            log,
            wanting,
            hints,
            has_beaten: false.into(),
            _listener: listener,
            _keeper: keeper,
        };
        Ok(Store { inner: Arc::new(inner) })
    }

    /// The name of this node among those that share the database, new at every start.
    pub fn node(&self) -> &str {
        &self.inner.node
    }

    /// Writes what was asked so far and lets go of the database. Afterwards everything is unavailable.
    pub async fn close(&self) {
        self.inner.log.close().await;
        self.inner.write.close().await;
        self.inner.read.close().await;
    }

    /// Does the database answer?
    pub async fn ping(&self) -> Result<()> {
        self.one("SELECT CAST(1 AS BIGINT)", |query| query).await.map(drop)
    }

    /// The rows that a query finds.
    async fn all(&self, sql: impl SqlSafeStr, bind: impl FnOnce(Bound) -> Bound) -> Result<Vec<AnyRow>> {
        within(bind(sqlx::query(sql)).fetch_all(&self.inner.read)).await
    }

    /// The first row that a query finds.
    async fn one(&self, sql: impl SqlSafeStr, bind: impl FnOnce(Bound) -> Bound) -> Result<Option<AnyRow>> {
        within(bind(sqlx::query(sql)).fetch_optional(&self.inner.read)).await
    }

    /// Runs one statement that changes something, and tells how many rows it changed.
    async fn change(&self, sql: impl SqlSafeStr, bind: impl FnOnce(Bound) -> Bound) -> Result<u64> {
        let done = within(async { bind(sqlx::query(sql)).execute(&mut *self.writer().await?).await }).await?;
        Ok(done.rows_affected())
    }

    /// A connection that writes; the log makes way for it.
    async fn writer(&self) -> std::result::Result<PoolConnection<Any>, sqlx::Error> {
        let _waiting = Waiting::new(&self.inner.wanting);
        self.inner.write.acquire().await
    }

    async fn begin(&self) -> Result<Transaction> {
        let connection = within(self.writer()).await?;
        Transaction::begin(self.inner.backend, connection).await
    }
}

/// Counts somebody as waiting while it lives.
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

/// A statement and its values on the way to the database.
type Bound = Query<'static, Any, AnyArguments>;

/// A transaction that ends with its connection if it is not finished in order. The connection's own count of open
/// transactions would go wrong when SQLite rolls back by itself, as it does when the disk is full.
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

    /// Commits what went well, takes back what met a conflict, and leaves the rest to the end of the connection.
    async fn finish<T>(self, outcome: Result<T>) -> Result<T> {
        self.end(outcome).await.1
    }

    /// The same, and gives the connection back if it is whole.
    async fn end<T>(mut self, outcome: Result<T>) -> (Option<PoolConnection<Any>>, Result<T>) {
        let word = match &outcome {
            Ok(_) => "COMMIT",
            Err(StoreError::Conflict) => "ROLLBACK",
            Err(StoreError::Unavailable(_)) => return (None, outcome),
        };
        match within(self.connection().execute(word)).await {
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

/// Gives up in time, and tells how long it took.
async fn within<T>(work: impl Future<Output = std::result::Result<T, sqlx::Error>>) -> Result<T> {
    let start = Instant::now();
    let done = tokio::time::timeout(PATIENCE, work).await;
    metrics::histogram!("alinea_store_seconds").record(start.elapsed());
    match done {
        Ok(done) => Ok(done?),
        Err(_) => Err(StoreError::Unavailable(format!("no answer within {} s", PATIENCE.as_secs()))),
    }
}

fn sqlite_options(connections: u32, more: &'static str) -> AnyPoolOptions {
    // Every commit is synced. The last pages of a game are written with every move: a long journal gathers them
    // before they go into the file, and a cache has them at hand.
    const SETUP: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 4000;
        PRAGMA wal_autocheckpoint = 8000; PRAGMA temp_store = MEMORY";
    AnyPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(PATIENCE)
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

/// For the connection that writes.
const WRITER: &str = "PRAGMA cache_size = -4000";

/// One connection writes, so writers queue in order instead of meeting a locked file; others read beside it.
async fn open_sqlite(url: &str) -> Result<(AnyPool, AnyPool)> {
    let url = if url.contains('?') { url.to_owned() } else { format!("{url}?mode=rwc") };
    let write = within(sqlite_options(1, WRITER).connect(&url)).await?;
    let read = within(sqlite_options(CONNECTIONS, "").connect(&url)).await?;
    Ok((read, write))
}

/// A file in memory, of at most 1 GB, with a cache before it. What SQLite calls `:memory:` is a cache alone, all of
/// which it looks through whenever pages are split.
///
/// The file lives as long as somebody has it open. A connection is closed when something took too long; the second one
/// here does nothing and is not.
async fn open_memory() -> Result<(AnyPool, AnyPool)> {
    let url = format!("sqlite:/alinea-{}?vfs=memdb&mode=rwc", crate::random_hex::<8>());
    let only = within(sqlite_options(1, WRITER).connect(&url)).await?;
    let keeper = within(sqlite_options(1, "").connect(&url)).await?;
    Ok((only, keeper))
}

async fn open_postgres(url: &str) -> Result<AnyPool> {
    // The server gives up as well, so that a statement nobody waits for does not keep its locks.
    const SETUP: &str = "SET statement_timeout = 4500; SET idle_in_transaction_session_timeout = 10000";
    let options = AnyPoolOptions::new()
        .max_connections(CONNECTIONS)
        .acquire_timeout(CONNECT_PATIENCE)
        .after_connect(|connection, _| Box::pin(async move { connection.execute(SETUP).await.map(drop) }));
    within(options.connect(url)).await
}

/// Brings the database up to date. That may take long, so the limits for statements do not hold meanwhile.
async fn migrate(backend: Backend, pool: &AnyPool) -> std::result::Result<(), MigrateError> {
    let steps = [
        ("start", include_str!("../../migrations/0001_start.sql")),
        ("numbers", include_str!("../../migrations/0002_numbers.sql")),
    ];
    let step = |(version, (name, sql)): (i64, (&'static str, &'static str))| {
        Migration::new(version, name.into(), MigrationType::Simple, sql.into_sql_str(), false)
    };
    let migrator = Migrator::with_migrations((1..).zip(steps).map(step).collect());
    let mut connection = pool.acquire().await?;
    if backend == Backend::Postgres {
        connection.close_on_drop();
        connection.execute("SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0").await?;
    }
    migrator.run(&mut *connection).await
}

/// No version, ply, time or table's number is larger than a database keeps, before the year 2109.
fn number(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// Reads what [`number`] wrote.
fn count(row: &AnyRow, column: usize) -> std::result::Result<u64, sqlx::Error> {
    Ok(row.try_get::<i64, _>(column)?.unsigned_abs())
}

/// A value as it is written in JSON.
fn json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("what the protocol says can be written")
}

/// Reads what [`json`] wrote.
fn from_json<T: DeserializeOwned>(row: &AnyRow, column: usize) -> Result<T> {
    let text: &str = row.try_get(column)?;
    serde_json::from_str(text).map_err(|error| unreadable(text, &error))
}

/// The word for one of the protocol's choices, as it is in JSON but without the quotes.
fn word<T: Serialize>(choice: T) -> String {
    json(&choice).trim_matches('"').to_owned()
}

/// Reads what [`word`] wrote, if anything is there.
fn from_word<T: DeserializeOwned>(row: &AnyRow, column: usize) -> Result<Option<T>> {
    let Some(text) = row.try_get::<Option<String>, _>(column)? else { return Ok(None) };
    serde_json::from_value(text.as_str().into()).map(Some).map_err(|error| unreadable(&text, &error))
}

fn unreadable(text: &str, error: &serde_json::Error) -> StoreError {
    StoreError::Unavailable(format!("{text:?} in the database makes no sense: {error}"))
}
