//! The log of events: the truth about every game.
//!
//! A move is one row. A disk syncs a few hundred times per second, so one writer collects the moves that wait and
//! commits them together, and answers each of them afterwards.

use std::collections::{HashMap, HashSet, VecDeque};
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use protocol::Event;
use sqlx::any::AnyArguments;
use sqlx::pool::PoolConnection;
use sqlx::{Any, AnyConnection, AnyPool, Arguments, AssertSqlSafe, Row};
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use super::{
    Backend, Bound, PATIENCE, Result, Store, StoreError, TableChange, Transaction, count, from_json, json,
    number, within,
};

/// How many appends are committed together at most.
const BATCH: usize = 256;

/// The least time between the beginnings of two commits. A move that comes alone is written at once; when they come
/// in hundreds per second, waiting for some company costs less than a commit each.
const PAUSE: Duration = Duration::from_millis(2);

/// How many appends may wait before those who ask wait as well.
const QUEUE: usize = 1024;

/// An event of the log.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredEvent {
    /// 1 for the first event of a table, then without a gap.
    pub version: u64,
    /// Unix time in milliseconds.
    pub at: u64,
    /// What happened.
    pub event: Event,
}

impl Store {
    /// Appends events right after the version that the writer saw, all or none, and returns them as they are in the
    /// log now.
    ///
    /// `after` must be a version that was read from the store. If somebody else has appended since, the answer is
    /// [`StoreError::Conflict`]: read the log and look again. A single event without a change of the table's row
    /// shares its commit with others; so do moves.
    pub async fn append(
        &self,
        table: &str,
        after: u64,
        at: u64,
        events: Vec<Event>,
        change: Option<TableChange>,
    ) -> Result<Vec<StoredEvent>> {
        let mut events: Vec<StoredEvent> =
            (after + 1..).zip(events).map(|(version, event)| StoredEvent { version, at, event }).collect();
        if let ([single], None) = (events.as_slice(), &change) {
            self.inner.log.append(Line::new(table, single)).await?;
            return Ok(events);
        }
        let mut transaction = self.begin().await?;
        let done = self.append_in(&mut transaction, table, at, &mut events, change).await;
        transaction.finish(done).await?;
        Ok(events)
    }

    async fn append_in(
        &self,
        transaction: &mut Transaction,
        table: &str,
        at: u64,
        events: &mut [StoredEvent],
        change: Option<TableChange>,
    ) -> Result<()> {
        // Ratings before events: whoever holds the locks of ratings may wait for those of events, never the other way.
        if let Some(rated) = change.as_ref().and_then(|change| change.rated.as_ref())
            && let Some(StoredEvent { event: Event::Ended { ratings, winner, .. }, .. }) = events.last_mut()
        {
            *ratings = transaction.rate(self.inner.backend, table, rated, *winner, at).await?;
        }
        for event in &*events {
            transaction.insert(&Line::new(table, event)).await?;
        }
        if let Some(change) = &change {
            transaction.change_table(table, change, at).await?;
        }
        if let Some(last) = events.last() {
            self.tell_others(transaction, &format!("table {table} {}", last.version)).await?;
        }
        Ok(())
    }

    /// The events of a table after a version, in order.
    pub async fn events(&self, table: &str, after: u64) -> Result<Vec<StoredEvent>> {
        let sql =
            "SELECT version, at, payload FROM events WHERE table_id = $1 AND version > $2 ORDER BY version";
        let rows = self.all(sql, |query| query.bind(table).bind(number(after))).await?;
        let read =
            |row| Ok(StoredEvent { version: count(row, 0)?, at: count(row, 1)?, event: from_json(row, 2)? });
        rows.iter().map(read).collect()
    }

    /// The latest version of each of these tables, as far as they have any.
    pub async fn versions(&self, tables: &[String]) -> Result<Vec<(String, u64)>> {
        let mut versions = Vec::with_capacity(tables.len());
        // A statement takes only so many values.
        for tables in tables.chunks(100) {
            let places: Vec<_> = (1..=tables.len()).map(|place| format!("${place}")).collect();
            let sql = format!(
                "SELECT table_id, MAX(version) FROM events WHERE table_id IN ({}) GROUP BY table_id",
                places.join(", ")
            );
            let bind = |query| tables.iter().fold(query, |query: Bound, table| query.bind(table));
            for row in self.all(AssertSqlSafe(sql), bind).await? {
                versions.push((row.try_get(0)?, count(&row, 1)?));
            }
        }
        Ok(versions)
    }
}

impl Transaction {
    pub(super) async fn insert(&mut self, line: &Line) -> Result<()> {
        let sql = "INSERT INTO events (table_id, version, at, payload) VALUES ($1, $2, $3, $4)";
        self.change(sql, |query| query.bind(&line.table).bind(line.version).bind(line.at).bind(&line.payload))
            .await
            .map(drop)
    }
}

/// A row on its way into the log.
pub(super) struct Line {
    table: String,
    version: i64,
    at: i64,
    payload: String,
}

impl Line {
    pub(super) fn new(table: &str, StoredEvent { version, at, event }: &StoredEvent) -> Line {
        Line { table: table.to_owned(), version: number(*version), at: number(*at), payload: json(event) }
    }
}

struct Pending {
    line: Line,
    answer: oneshot::Sender<Result<()>>,
}

enum Job {
    Append(Pending),
    /// Write what waits and end.
    Close(oneshot::Sender<()>),
}

/// The door to the task that writes single events. The task ends with the door.
pub(super) struct Writer {
    queue: mpsc::Sender<Job>,
}

impl Writer {
    pub(super) fn start(backend: Backend, pool: AnyPool, node: &str, others: Arc<AtomicUsize>) -> Writer {
        let (queue, jobs) = mpsc::channel(QUEUE);
        let inserts = (1..=BATCH).filter(|&rows| rows == batch_size(rows));
        let inserts = inserts.map(|rows| (rows, insert_sql(backend, rows, node))).collect();
        let task = Task { backend, pool, others, connection: None, inserts, waiting: VecDeque::new() };
        tokio::spawn(task.run(jobs));
        Writer { queue }
    }

    async fn append(&self, line: Line) -> Result<()> {
        let gone = || StoreError::Unavailable("the store is closed".into());
        let (answer, answered) = oneshot::channel();
        let wait = async {
            self.queue.send(Job::Append(Pending { line, answer })).await.map_err(|_| gone())?;
            answered.await.unwrap_or_else(|_| Err(gone()))
        };
        match tokio::time::timeout(PATIENCE, wait).await {
            Ok(done) => done,
            Err(_) => Err(StoreError::Unavailable("the log is too slow".into())),
        }
    }

    pub(super) async fn close(&self) {
        let (done, closed) = oneshot::channel();
        if self.queue.send(Job::Close(done)).await.is_ok() {
            // An error means that the task is gone, which is what we want.
            let _ = closed.await;
        }
    }
}

struct Task {
    backend: Backend,
    pool: AnyPool,
    /// How many others wait for a connection that writes. On SQLite there is but one.
    others: Arc<AtomicUsize>,
    connection: Option<PoolConnection<Any>>,
    /// The statements by their number of rows.
    inserts: HashMap<usize, Insert>,
    waiting: VecDeque<Pending>,
}

/// Not every number of rows deserves a prepared statement of its own.
fn batch_size(waiting: usize) -> usize {
    if waiting < 16 { waiting } else { (waiting / 16 * 16).min(BATCH) }
}

impl Task {
    async fn run(mut self, mut jobs: mpsc::Receiver<Job>) {
        let mut closing = None;
        let mut next_commit = Instant::now();
        loop {
            if self.waiting.is_empty() {
                if let Some(done) = closing {
                    // Nobody waits for a closing that nobody asked for any more.
                    let _ = oneshot::Sender::send(done, ());
                    return;
                }
                match jobs.recv().await {
                    Some(Job::Append(pending)) => self.waiting.push_back(pending),
                    Some(Job::Close(done)) => closing = Some(done),
                    None => return,
                }
            }
            if self.waiting.len() < BATCH {
                tokio::time::sleep_until(next_commit).await;
            }
            next_commit = Instant::now() + PAUSE;
            while self.waiting.len() < QUEUE
                && let Ok(job) = jobs.try_recv()
            {
                match job {
                    Job::Append(pending) => self.waiting.push_back(pending),
                    Job::Close(done) => closing = Some(done),
                }
            }
            let batch = self.next_batch();
            if !batch.is_empty() {
                self.write(batch).await;
            }
            let wanted = self.waiting.is_empty() || self.others.load(Ordering::Relaxed) > 0;
            if self.backend == Backend::Sqlite && wanted {
                self.connection = None;
            }
        }
    }

    /// What waits longest, each table once: a second event for the same table waits until the first is decided.
    fn next_batch(&mut self) -> Vec<Pending> {
        let mut batch: Vec<Pending> = Vec::with_capacity(BATCH.min(self.waiting.len()));
        let mut tables = HashSet::new();
        let mut later = VecDeque::new();
        while batch.len() < BATCH
            && let Some(pending) = self.waiting.pop_front()
        {
            if pending.answer.is_closed() {
                continue; // whoever asked has given up, and was told so
            }
            if tables.insert(pending.line.table.clone()) {
                batch.push(pending);
            } else {
                later.push_back(pending);
            }
        }
        for pending in batch.drain(batch_size(batch.len())..).rev() {
            later.push_front(pending);
        }
        later.append(&mut self.waiting);
        self.waiting = later;
        // Nodes that insert in the same order cannot wait for each other in a circle.
        batch.sort_by(|a, b| a.line.table.cmp(&b.line.table));
        batch
    }

    async fn write(&mut self, batch: Vec<Pending>) {
        let inserted = within(self.insert(&batch)).await;
        if inserted.is_err()
            && let Some(mut broken) = self.connection.take()
        {
            broken.close_on_drop();
        }
        for pending in batch {
            let answer = match &inserted {
                Ok(Inserted::All) => Ok(()),
                Ok(Inserted::Some(tables)) if tables.contains(&pending.line.table) => Ok(()),
                Ok(Inserted::Some(_)) => Err(StoreError::Conflict),
                Err(error) => Err(error.clone()),
            };
            // Whoever does not wait any more reads the log to see what happened.
            let _ = pending.answer.send(answer);
        }
    }

    async fn insert(&mut self, batch: &[Pending]) -> std::result::Result<Inserted, sqlx::Error> {
        let insert = &self.inserts[&batch.len()];
        let connection = match &mut self.connection {
            Some(connection) => connection,
            none => none.insert(self.pool.acquire().await?),
        };
        let connection: &mut AnyConnection = connection;
        let all = sqlx::query_with(AssertSqlSafe(insert.all.clone()), values(batch));
        match all.execute(&mut *connection).await {
            Ok(_) => return Ok(Inserted::All),
            Err(sqlx::Error::Database(error)) if error.is_unique_violation() => {}
            Err(error) => return Err(error),
        }
        // Somebody was first at one table at least, and nothing was written: now only what is free.
        let free = sqlx::query_with(AssertSqlSafe(insert.free.clone()), values(batch));
        let rows = free.fetch_all(connection).await?;
        rows.iter().map(|row| row.try_get(0)).collect::<std::result::Result<_, _>>().map(Inserted::Some)
    }
}

/// Which of a batch are in the log now.
enum Inserted {
    All,
    /// Only those of these tables.
    Some(HashSet<String>),
}

/// Statements that insert a number of events, and on PostgreSQL tell the other nodes.
struct Insert {
    /// All of them or none.
    all: Arc<str>,
    /// Those whose version is free; returns their tables.
    free: Arc<str>,
}

fn insert_sql(backend: Backend, rows: usize, node: &str) -> Insert {
    let mut insert = "INSERT INTO events (table_id, version, at, payload) VALUES ".to_owned();
    for row in 0..rows {
        insert.push_str(if row == 0 { "" } else { ", " });
        match backend {
            // `$1` would be a name here, and names are looked up.
            Backend::Sqlite => insert.push_str("(?, ?, ?, ?)"),
            Backend::Postgres => {
                let [a, b, c, d] = [1, 2, 3, 4].map(|value| row * 4 + value);
                write!(insert, "(${a}, ${b}, ${c}, ${d})").expect("writing to a string");
            }
        }
    }
    let free = format!("{insert} ON CONFLICT DO NOTHING");
    match backend {
        Backend::Sqlite => Insert { all: insert.into(), free: format!("{free} RETURNING table_id").into() },
        Backend::Postgres => {
            let told = format!("pg_notify('alinea', '{node} table ' || table_id || ' ' || version)");
            let all = format!(
                "WITH added AS ({insert} RETURNING table_id, version) SELECT COUNT({told}) FROM added"
            );
            let free = format!(
                "WITH added AS ({free} RETURNING table_id, version) \
                 SELECT table_id FROM added WHERE {told} IS NOT NULL"
            );
            Insert { all: all.into(), free: free.into() }
        }
    }
}

fn values(batch: &[Pending]) -> AnyArguments {
    let mut values = AnyArguments::default();
    values.reserve(batch.len() * 4, 0);
    for Pending { line, .. } in batch {
        let done = values.add(&line.table).and_then(|()| values.add(line.version));
        let done = done.and_then(|()| values.add(line.at)).and_then(|()| values.add(&line.payload));
        done.expect("text and numbers can be written");
    }
    values
}
