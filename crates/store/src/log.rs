//! The log of events, which determines every game.
//!
//! A move is one row. A disk syncs a few hundred times per second, so one writer collects queued appends, including those
//! that begin and end games, commits them together, and answers each afterwards.

use std::collections::{HashMap, HashSet, VecDeque};
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use protocol::Event;
use sqlx::any::AnyArguments;
use sqlx::pool::PoolConnection;
use sqlx::{Any, AnyPool, Arguments, AssertSqlSafe, Row};
use table::LogEntry;
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use super::{
    Backend, Bound, Call, Result, Store, StoreError, TIMEOUT, TableChange, TableKey, TableRow, Transaction,
    count, from_json, json, number, places, timed_out, within,
};
use crate::task;

/// Maximum number of appends committed together.
const MAX_BATCH: usize = 256;

/// Minimum time between the starts of two commits. A single move is written at once; at hundreds per second,
/// batching is cheaper than one commit each.
const COMMIT_INTERVAL: Duration = Duration::from_millis(4);

/// Maximum number of appends in a batch that begin or end games, because each of these is a separate statement.
const MAX_ROW_WRITES: usize = 64;

/// The capacity of the queue; callers wait while it is full.
const QUEUE_CAPACITY: usize = 1024;

impl Store {
    /// Appends events right after a version, all or none, and returns the entries of the log.
    ///
    /// `after` must be a version that was read from the store. If another writer has appended since, the call fails with
    /// [`StoreError::Conflict`]: read the log and decide again. Appends share commits, except the ends of rated games.
    pub fn append<'a>(
        &'a self,
        table: &'a TableKey,
        after: u64,
        at: u64,
        events: Vec<Event>,
        change: Option<TableChange>,
    ) -> Call<'a, Vec<LogEntry>> {
        Box::pin(async move {
            let mut events: Vec<LogEntry> =
                (after + 1..).zip(events).map(|(version, event)| LogEntry { version, at, event }).collect();
            if events.is_empty() {
                return Ok(events);
            }
            match change {
                Some(change) if change.rated.is_some() => {
                    // Rare and large: boxed, so that it does not enlarge the task of every table.
                    Box::pin(async {
                        let mut transaction = self.begin().await?;
                        let done = self.append_rated(&mut transaction, table, at, &mut events, &change).await;
                        transaction.finish(done).await
                    })
                    .await?;
                }
                change => {
                    let rows = events.iter().map(|event| EventRow::new(table.number, event)).collect();
                    let row = change.map(|change| RowWrite::Change(Box::new(change), at));
                    self.inner.log.append(table.number, rows, row).await?;
                }
            }
            Ok(events)
        })
    }

    /// Appends the end of a rated game, which needs the ratings first.
    async fn append_rated(
        &self,
        transaction: &mut Transaction,
        table: &TableKey,
        at: u64,
        events: &mut [LogEntry],
        change: &TableChange,
    ) -> Result<()> {
        // Locks of lists of ratings are always taken before locks of events, which prevents deadlocks.
        if let Some(rated) = &change.rated
            && let Some(LogEntry { event: Event::Ended { ratings, winner, .. }, .. }) = events.last_mut()
        {
            let for_update = self.inner.backend.for_update();
            *ratings = transaction.rate(for_update, &table.id, rated, *winner, at).await?;
        }
        for event in &*events {
            transaction.insert(&EventRow::new(table.number, event)).await?;
        }
        transaction.change_table(table.number, change, at).await?;
        if let Some(last) = events.last() {
            self.notify_others(transaction, &format!("table {} {}", table.id, last.version)).await?;
        }
        Ok(())
    }

    /// The events of a table after a version, in order.
    pub fn events<'a>(&'a self, table: &'a str, after: u64) -> Call<'a, Vec<LogEntry>> {
        Box::pin(async move {
            let sql = "SELECT version, at, payload FROM events
            WHERE table_number = (SELECT number FROM tables WHERE id = $1) AND version > $2 ORDER BY version";
            let rows = self.all(sql, |query| query.bind(table).bind(number(after))).await?;
            let read =
                |row| Ok(LogEntry { version: count(row, 0)?, at: count(row, 1)?, event: from_json(row, 2)? });
            rows.iter().map(read).collect()
        })
    }

    /// The latest version of each of these tables, without the unknown ones.
    pub fn versions<'a>(&'a self, tables: &'a [String]) -> Call<'a, Vec<(String, u64)>> {
        Box::pin(async move {
            let mut versions = Vec::with_capacity(tables.len());
            // The number of values in a statement is limited.
            for tables in tables.chunks(100) {
                let sql = format!(
                    "SELECT id, MAX(version) FROM tables JOIN events ON table_number = number
                WHERE id IN ({}) GROUP BY id",
                    places(tables.len())
                );
                let bind = |query| tables.iter().fold(query, |query: Bound, table| query.bind(table));
                for row in self.all(AssertSqlSafe(sql), bind).await? {
                    versions.push((row.try_get(0)?, count(&row, 1)?));
                }
            }
            Ok(versions)
        })
    }
}

impl Transaction {
    pub(super) async fn insert(&mut self, row: &EventRow) -> Result<()> {
        let sql = "INSERT INTO events (table_number, version, at, payload) VALUES ($1, $2, $3, $4)";
        self.change(sql, |query| query.bind(row.table).bind(row.version).bind(row.at).bind(&row.payload))
            .await
            .map(drop)
    }

    async fn write_row(&mut self, table: u64, row: &RowWrite, node: &str) -> Result<()> {
        match row {
            RowWrite::New(row) => self.insert_table(row, node).await,
            RowWrite::Change(change, at) => self.change_table(table, change, *at).await,
        }
    }
}

/// A row of the log.
pub(super) struct EventRow {
    table: i64,
    version: i64,
    at: i64,
    payload: String,
}

impl EventRow {
    pub(super) fn new(table: u64, LogEntry { version, at, event }: &LogEntry) -> EventRow {
        EventRow { table: number(table), version: number(*version), at: number(*at), payload: json(event) }
    }
}

/// A write to the row of a table, together with the events or not at all.
pub(super) enum RowWrite {
    New(Box<TableRow>),
    Change(Box<TableChange>, u64),
}

/// A queued append to one table.
struct Pending {
    table: u64,
    rows: Vec<EventRow>,
    row: Option<RowWrite>,
    answer: oneshot::Sender<Result<()>>,
}

impl Pending {
    /// Whether the append is a single event, like most appends: one statement can insert many of these.
    fn is_single(&self) -> bool {
        self.rows.len() == 1 && self.row.is_none()
    }
}

enum Job {
    Append(Pending),
    /// Write what waits and end.
    Close(oneshot::Sender<()>),
}

/// The handle of the writing task, which ends with it.
pub(super) struct Writer {
    queue: mpsc::Sender<Job>,
}

impl Writer {
    pub(super) fn start(backend: Backend, pool: AnyPool, node: &str, others: Arc<AtomicUsize>) -> Writer {
        let (queue, jobs) = mpsc::channel(QUEUE_CAPACITY);
        let inserts = (1..=MAX_BATCH).filter(|&rows| rows == batch_size(rows));
        let inserts = inserts.map(|rows| (rows, insert_sql(backend, rows, node))).collect();
        let node = node.to_owned();
        let task = Task { backend, pool, node, others, connection: None, inserts, waiting: VecDeque::new() };
        task::spawn(task.run(jobs));
        Writer { queue }
    }

    /// Writes events of one table and its row. The task responds in time even if the database does not.
    pub(super) async fn append(&self, table: u64, rows: Vec<EventRow>, row: Option<RowWrite>) -> Result<()> {
        let closed = || StoreError::unavailable("the store is closed");
        let (answer, answered) = oneshot::channel();
        self.queue.send(Job::Append(Pending { table, rows, row, answer })).await.map_err(|_| closed())?;
        answered.await.unwrap_or_else(|_| Err(closed()))
    }

    pub(super) async fn close(&self) {
        let (done, closed) = oneshot::channel();
        if self.queue.send(Job::Close(done)).await.is_ok() {
            // An error means that the task has ended, too.
            let _ = closed.await;
        }
    }
}

struct Task {
    backend: Backend,
    pool: AnyPool,
    node: String,
    /// The number of other callers that wait for a write connection; SQLite has only one.
    others: Arc<AtomicUsize>,
    connection: Option<PoolConnection<Any>>,
    /// Insert statements by number of rows.
    inserts: HashMap<usize, Insert>,
    waiting: VecDeque<Pending>,
}

/// The size of the next statement: above 16 rows only multiples of 16 are prepared.
fn batch_size(waiting: usize) -> usize {
    if waiting < 16 { waiting } else { (waiting / 16 * 16).min(MAX_BATCH) }
}

impl Task {
    async fn run(mut self, mut jobs: mpsc::Receiver<Job>) {
        let mut closing = None;
        let mut next_commit = Instant::now();
        loop {
            if self.waiting.is_empty() {
                if let Some(done) = closing {
                    // The caller may have given up.
                    let _ = oneshot::Sender::send(done, ());
                    return;
                }
                match jobs.recv().await {
                    Some(Job::Append(pending)) => self.waiting.push_back(pending),
                    Some(Job::Close(done)) => closing = Some(done),
                    None => return,
                }
            }
            if self.waiting.len() < MAX_BATCH {
                tokio::time::sleep_until(next_commit).await;
            }
            next_commit = Instant::now() + COMMIT_INTERVAL;
            self.gather(&mut jobs, &mut closing);
            let batch = self.next_batch();
            if !batch.is_empty()
                && let Err(error) = self.write(batch).await
            {
                // Appends that arrived meanwhile have waited for as long.
                self.gather(&mut jobs, &mut closing);
                for pending in self.waiting.drain(..) {
                    let _ = pending.answer.send(Err(error.clone()));
                }
            }
            let wanted = self.waiting.is_empty() || self.others.load(Ordering::Relaxed) > 0;
            if self.backend == Backend::Sqlite && wanted {
                self.connection = None;
            }
        }
    }

    /// Takes jobs from the queue without waiting.
    fn gather(&mut self, jobs: &mut mpsc::Receiver<Job>, closing: &mut Option<oneshot::Sender<()>>) {
        while self.waiting.len() < QUEUE_CAPACITY
            && let Ok(job) = jobs.try_recv()
        {
            match job {
                Job::Append(pending) => self.waiting.push_back(pending),
                Job::Close(done) => *closing = Some(done),
            }
        }
    }

    /// Takes the appends that have waited longest, one per table: a second append to a table waits for the
    /// outcome of the first.
    fn next_batch(&mut self) -> Vec<Pending> {
        let mut batch: Vec<Pending> = Vec::with_capacity(MAX_BATCH.min(self.waiting.len()));
        let (mut tables, mut rows) = (HashSet::new(), 0);
        let mut later = VecDeque::new();
        while batch.len() < MAX_BATCH
            && let Some(pending) = self.waiting.pop_front()
        {
            if pending.answer.is_closed() {
                continue; // the caller has given up
            }
            let is_first = tables.insert(pending.table);
            if is_first && (pending.row.is_none() || rows < MAX_ROW_WRITES) {
                rows += usize::from(pending.row.is_some());
                batch.push(pending);
            } else {
                later.push_back(pending);
            }
        }
        if batch.iter().all(Pending::is_single) {
            // One statement needs no transaction; what does not fit waits for the next.
            for pending in batch.drain(batch_size(batch.len())..).rev() {
                later.push_front(pending);
            }
        }
        later.append(&mut self.waiting);
        self.waiting = later;
        // All nodes write in the same order, which prevents deadlocks.
        batch.sort_by_key(|pending| pending.table);
        batch
    }

    /// Writes a batch and answers each append.
    ///
    /// # Errors
    /// If the database is unavailable.
    async fn write(&mut self, batch: Vec<Pending>) -> Result<()> {
        let all: Vec<&Pending> = batch.iter().collect();
        let outcomes = match self.write_all(&all).await {
            // At least one version is taken, and nothing was written.
            Err(StoreError::Conflict) => self.write_free(&batch).await,
            done => vec![done; batch.len()],
        };
        let outage = outcomes.iter().find(|done| done.as_ref().is_err_and(StoreError::is_outage)).cloned();
        for (pending, outcome) in batch.into_iter().zip(outcomes) {
            // A caller that has given up reads the log to see what happened.
            let _ = pending.answer.send(outcome);
        }
        outage.unwrap_or(Ok(()))
    }

    /// Writes a whole batch or nothing.
    async fn write_all(&mut self, batch: &[&Pending]) -> Result<()> {
        let rows: Vec<&EventRow> = batch.iter().flat_map(|pending| &pending.rows).collect();
        let is_one_statement =
            rows.len() == batch_size(rows.len()) && batch.iter().all(|pending| pending.row.is_none());
        let mut connection = self.connect().await?;
        if is_one_statement {
            let insert = &self.inserts[&rows.len()].all;
            let query = sqlx::query_with(AssertSqlSafe(insert.clone()), values(&rows));
            let done = within(query.execute(&mut *connection)).await.map(drop);
            return self.keep(connection, done);
        }
        let mut transaction = Transaction::begin(self.backend, connection).await?;
        let work = async {
            let mut rest = rows.as_slice();
            while !rest.is_empty() {
                let (chunk, later) = rest.split_at(batch_size(rest.len()));
                let insert = &self.inserts[&chunk.len()].within;
                let query = sqlx::query_with(AssertSqlSafe(insert.clone()), values(chunk));
                within(query.execute(transaction.connection())).await?;
                rest = later;
            }
            for pending in batch {
                if let Some(row) = &pending.row {
                    transaction.write_row(pending.table, row, &self.node).await?;
                }
            }
            Ok(())
        };
        let done = tokio::time::timeout(TIMEOUT, work).await.unwrap_or_else(|_| Err(timed_out()));
        let (connection, done) = transaction.end(done).await;
        self.connection = connection;
        done
    }

    /// Writes the appends of a batch that have no conflict. After a failure the rest fails at once.
    async fn write_free(&mut self, batch: &[Pending]) -> Vec<Result<()>> {
        let mut outcomes = vec![Err(StoreError::Conflict); batch.len()];
        let (singles, others): (Vec<usize>, Vec<usize>) =
            (0..batch.len()).partition(|&index| batch[index].is_single());
        let mut rest = singles.as_slice();
        let mut failure = None;
        while !rest.is_empty() && failure.is_none() {
            let (chunk, later) = rest.split_at(batch_size(rest.len()));
            let rows: Vec<&EventRow> = chunk.iter().map(|&index| &batch[index].rows[0]).collect();
            match self.insert_free(&rows).await {
                Ok(tables) => {
                    for &index in chunk.iter().filter(|&&index| tables.contains(&number(batch[index].table)))
                    {
                        outcomes[index] = Ok(());
                    }
                    rest = later;
                }
                Err(error) => failure = Some(error),
            }
        }
        let mut others = others.as_slice();
        while let ([index, later @ ..], None) = (others, &failure) {
            match self.write_all(&[&batch[*index]]).await {
                Err(error) if error.is_outage() => failure = Some(error),
                done => {
                    outcomes[*index] = done;
                    others = later;
                }
            }
        }
        if let Some(error) = failure {
            for &index in rest.iter().chain(others) {
                outcomes[index] = Err(error.clone());
            }
        }
        outcomes
    }

    /// Inserts the rows whose version is free, and returns their tables.
    async fn insert_free(&mut self, rows: &[&EventRow]) -> Result<HashSet<i64>> {
        let mut connection = self.connect().await?;
        let insert = &self.inserts[&rows.len()].free;
        let query = sqlx::query_with(AssertSqlSafe(insert.clone()), values(rows));
        let rows = within(query.fetch_all(&mut *connection)).await;
        let rows = self.keep(connection, rows)?;
        Ok(rows.iter().map(|row| row.try_get(0)).collect::<std::result::Result<_, _>>()?)
    }

    async fn connect(&mut self) -> Result<PoolConnection<Any>> {
        match self.connection.take() {
            Some(connection) => Ok(connection),
            None => within(self.pool.acquire()).await,
        }
    }

    /// Keeps a connection for the next batch unless the connection may be broken.
    fn keep<T>(&mut self, mut connection: PoolConnection<Any>, done: Result<T>) -> Result<T> {
        if done.as_ref().is_err_and(StoreError::is_outage) {
            connection.close_on_drop();
        } else {
            self.connection = Some(connection);
        }
        done
    }
}

/// Statements that insert a number of events, and on PostgreSQL notify the other nodes.
struct Insert {
    /// Inserts all events or none.
    all: Arc<str>,
    /// The same within a transaction, which is rolled back if an event cannot be inserted.
    within: Arc<str>,
    /// Inserts the events whose version is free; returns the numbers of their tables.
    free: Arc<str>,
}

fn insert_sql(backend: Backend, rows: usize, node: &str) -> Insert {
    let mut insert = "INSERT INTO events (table_number, version, at, payload) VALUES ".to_owned();
    for row in 0..rows {
        insert.push_str(if row == 0 { "" } else { ", " });
        match backend {
            // `$1` would be a named parameter here, and names are looked up.
            Backend::Sqlite => insert.push_str("(?, ?, ?, ?)"),
            Backend::Postgres => {
                let [a, b, c, d] = [1, 2, 3, 4].map(|value| row * 4 + value);
                write!(insert, "(${a}, ${b}, ${c}, ${d})").expect("writing to a string");
            }
        }
    }
    let free = format!("{insert} ON CONFLICT DO NOTHING");
    match backend {
        Backend::Sqlite => Insert {
            // Otherwise SQLite keeps a journal to roll back the statement alone.
            within: insert.replace("INSERT", "INSERT OR FAIL").into(),
            all: insert.into(),
            free: format!("{free} RETURNING table_number").into(),
        },
        Backend::Postgres => {
            // No other node knows a table that is just being created.
            let notify = format!("pg_notify('alinea', '{node} table ' || id || ' ' || version)");
            let all: Arc<str> = format!(
                "WITH added AS ({insert} RETURNING table_number, version) \
                 SELECT COUNT({notify}) FROM added JOIN tables ON number = table_number"
            )
            .into();
            let free = format!(
                "WITH added AS ({free} RETURNING table_number, version) \
                 SELECT table_number FROM added JOIN tables ON number = table_number WHERE {notify} IS NOT NULL"
            );
            Insert { within: all.clone(), all, free: free.into() }
        }
    }
}

fn values(rows: &[&EventRow]) -> AnyArguments {
    let mut values = AnyArguments::default();
    values.reserve(rows.len() * 4, 0);
    for row in rows {
        let done = values.add(row.table).and_then(|()| values.add(row.version));
        let done = done.and_then(|()| values.add(row.at)).and_then(|()| values.add(&row.payload));
        done.expect("text and numbers can be encoded");
    }
    values
}
