//! The log of events: the truth about every game.
//!
//! A move is one row. A disk syncs a few hundred times per second, so one writer collects what waits, moves as well as
//! tables that begin and end, commits it together, and answers each afterwards.

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
    Backend, Bound, PATIENCE, Result, Store, StoreError, TableChange, TableKey, TableRow, Transaction, count,
    from_json, json, number, within,
};

/// How many appends are committed together at most.
const BATCH: usize = 256;

/// The least time between the beginnings of two commits. A move that comes alone is written at once; when they come
/// in hundreds per second, waiting for some company costs less than a commit each.
const PAUSE: Duration = Duration::from_millis(4);

/// How many of them may begin or end games: each of these is a statement of its own.
const ROWS: usize = 64;

/// How many appends may wait before those who ask wait as well.
const QUEUE: usize = 1024;

impl Store {
    /// Appends events right after the version that the writer saw, all or none, and returns them as they are in the
    /// log now.
    ///
    /// `after` must be a version that was read from the store. If somebody else has appended since, the answer is
    /// [`StoreError::Conflict`]: read the log and look again. All but the ends of rated games share their commits
    /// with others.
    pub async fn append(
        &self,
        table: &TableKey,
        after: u64,
        at: u64,
        events: Vec<Event>,
        change: Option<TableChange>,
    ) -> Result<Vec<LogEntry>> {
        let mut events: Vec<LogEntry> =
            (after + 1..).zip(events).map(|(version, event)| LogEntry { version, at, event }).collect();
        if events.is_empty() {
            return Ok(events);
        }
        match change {
            Some(change) if change.rated.is_some() => {
                // Rare and large: not worth its place in the state of every table.
                Box::pin(async {
                    let mut transaction = self.begin().await?;
                    let done = self.append_rated(&mut transaction, table, at, &mut events, &change).await;
                    transaction.finish(done).await
                })
                .await?;
            }
            change => {
                let lines = events.iter().map(|event| Line::new(table.number, event)).collect();
                let row = change.map(|change| RowWrite::Change(Box::new(change), at));
                self.inner.log.append(table.number, lines, row).await?;
            }
        }
        Ok(events)
    }

    /// Appends the end of a rated game, which needs to look at ratings first.
    async fn append_rated(
        &self,
        transaction: &mut Transaction,
        table: &TableKey,
        at: u64,
        events: &mut [LogEntry],
        change: &TableChange,
    ) -> Result<()> {
        // Ratings before events: whoever holds the locks of ratings may wait for those of events, never the other way.
        if let Some(rated) = &change.rated
            && let Some(LogEntry { event: Event::Ended { ratings, winner, .. }, .. }) = events.last_mut()
        {
            *ratings = transaction.rate(self.inner.backend, &table.id, rated, *winner, at).await?;
        }
        for event in &*events {
            transaction.insert(&Line::new(table.number, event)).await?;
        }
        transaction.change_table(table.number, change, at).await?;
        if let Some(last) = events.last() {
            self.tell_others(transaction, &format!("table {} {}", table.id, last.version)).await?;
        }
        Ok(())
    }

    /// The events of a table after a version, in order.
    pub async fn events(&self, table: &str, after: u64) -> Result<Vec<LogEntry>> {
        let sql = "SELECT version, at, payload FROM events
            WHERE table_number = (SELECT number FROM tables WHERE id = $1) AND version > $2 ORDER BY version";
        let rows = self.all(sql, |query| query.bind(table).bind(number(after))).await?;
        let read =
            |row| Ok(LogEntry { version: count(row, 0)?, at: count(row, 1)?, event: from_json(row, 2)? });
        rows.iter().map(read).collect()
    }

    /// The latest version of each of these tables, as far as they have any.
    pub async fn versions(&self, tables: &[String]) -> Result<Vec<(String, u64)>> {
        let mut versions = Vec::with_capacity(tables.len());
        // A statement takes only so many values.
        for tables in tables.chunks(100) {
            let places: Vec<_> = (1..=tables.len()).map(|place| format!("${place}")).collect();
            let sql = format!(
                "SELECT id, MAX(version) FROM tables JOIN events ON table_number = number
                WHERE id IN ({}) GROUP BY id",
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
        let sql = "INSERT INTO events (table_number, version, at, payload) VALUES ($1, $2, $3, $4)";
        self.change(sql, |query| query.bind(line.table).bind(line.version).bind(line.at).bind(&line.payload))
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

/// A row on its way into the log.
pub(super) struct Line {
    table: i64,
    version: i64,
    at: i64,
    payload: String,
}

impl Line {
    pub(super) fn new(table: u64, LogEntry { version, at, event }: &LogEntry) -> Line {
        Line { table: number(table), version: number(*version), at: number(*at), payload: json(event) }
    }
}

/// What becomes of the row of a table, together with the events or not at all.
pub(super) enum RowWrite {
    New(Box<TableRow>),
    Change(Box<TableChange>, u64),
}

/// Events of one table, and what becomes of its row.
struct Pending {
    table: u64,
    lines: Vec<Line>,
    row: Option<RowWrite>,
    answer: oneshot::Sender<Result<()>>,
}

impl Pending {
    /// A single event, as most are: whether its version is free can be asked of many at once.
    fn is_single(&self) -> bool {
        self.lines.len() == 1 && self.row.is_none()
    }
}

enum Job {
    Append(Pending),
    /// Write what waits and end.
    Close(oneshot::Sender<()>),
}

/// The door to the task that writes. The task ends with the door.
pub(super) struct Writer {
    queue: mpsc::Sender<Job>,
}

impl Writer {
    pub(super) fn start(backend: Backend, pool: AnyPool, node: &str, others: Arc<AtomicUsize>) -> Writer {
        let (queue, jobs) = mpsc::channel(QUEUE);
        let inserts = (1..=BATCH).filter(|&rows| rows == batch_size(rows));
        let inserts = inserts.map(|rows| (rows, insert_sql(backend, rows, node))).collect();
        let node = node.to_owned();
        let task = Task { backend, pool, node, others, connection: None, inserts, waiting: VecDeque::new() };
        tokio::spawn(task.run(jobs));
        Writer { queue }
    }

    /// Writes events of one table and what becomes of its row. The task answers in time even if the database does not.
    pub(super) async fn append(&self, table: u64, lines: Vec<Line>, row: Option<RowWrite>) -> Result<()> {
        let gone = || StoreError::Unavailable("the store is closed".into());
        let (answer, answered) = oneshot::channel();
        self.queue.send(Job::Append(Pending { table, lines, row, answer })).await.map_err(|_| gone())?;
        answered.await.unwrap_or_else(|_| Err(gone()))
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
    node: String,
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
            self.gather(&mut jobs, &mut closing);
            let batch = self.next_batch();
            if !batch.is_empty()
                && let Err(error) = self.write(batch).await
            {
                // Whoever came meanwhile has waited long enough, too.
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

    /// Takes in what has come.
    fn gather(&mut self, jobs: &mut mpsc::Receiver<Job>, closing: &mut Option<oneshot::Sender<()>>) {
        while self.waiting.len() < QUEUE
            && let Ok(job) = jobs.try_recv()
        {
            match job {
                Job::Append(pending) => self.waiting.push_back(pending),
                Job::Close(done) => *closing = Some(done),
            }
        }
    }

    /// What waits longest, each table once: a second event for the same table waits until the first is decided.
    fn next_batch(&mut self) -> Vec<Pending> {
        let mut batch: Vec<Pending> = Vec::with_capacity(BATCH.min(self.waiting.len()));
        let (mut tables, mut rows) = (HashSet::new(), 0);
        let mut later = VecDeque::new();
        while batch.len() < BATCH
            && let Some(pending) = self.waiting.pop_front()
        {
            if pending.answer.is_closed() {
                continue; // whoever asked has given up
            }
            let is_first = tables.insert(pending.table);
            if is_first && (pending.row.is_none() || rows < ROWS) {
                rows += usize::from(pending.row.is_some());
                batch.push(pending);
            } else {
                later.push_back(pending);
            }
        }
        if batch.iter().all(Pending::is_single) {
            // One statement needs no transaction around it; what is too much for it waits for the next.
            for pending in batch.drain(batch_size(batch.len())..).rev() {
                later.push_front(pending);
            }
        }
        later.append(&mut self.waiting);
        self.waiting = later;
        // Nodes that write in the same order cannot wait for each other in a circle.
        batch.sort_by_key(|pending| pending.table);
        batch
    }

    /// Writes a batch and answers everyone in it.
    ///
    /// # Errors
    /// If the database is away.
    async fn write(&mut self, batch: Vec<Pending>) -> Result<()> {
        let all: Vec<&Pending> = batch.iter().collect();
        let outcomes = match self.write_all(&all).await {
            // Somebody was first at one table at least, and nothing was written.
            Err(StoreError::Conflict) => self.write_free(&batch).await,
            done => vec![done; batch.len()],
        };
        let away = outcomes.iter().find(|done| matches!(done, Err(StoreError::Unavailable(_)))).cloned();
        for (pending, outcome) in batch.into_iter().zip(outcomes) {
            // Whoever does not wait any more reads the log to see what happened.
            let _ = pending.answer.send(outcome);
        }
        away.unwrap_or(Ok(()))
    }

    /// Writes all of a batch or nothing.
    async fn write_all(&mut self, batch: &[&Pending]) -> Result<()> {
        let lines: Vec<&Line> = batch.iter().flat_map(|pending| &pending.lines).collect();
        let is_one_statement =
            lines.len() == batch_size(lines.len()) && batch.iter().all(|pending| pending.row.is_none());
        let mut connection = self.connect().await?;
        if is_one_statement {
            let insert = &self.inserts[&lines.len()].all;
            let query = sqlx::query_with(AssertSqlSafe(insert.clone()), values(&lines));
            let done = within(query.execute(&mut *connection)).await.map(drop);
            return self.keep(connection, done);
        }
        let mut transaction = Transaction::begin(self.backend, connection).await?;
        let work = async {
            let mut rest = lines.as_slice();
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
        let too_slow = || StoreError::Unavailable("the log is too slow".into());
        let done = tokio::time::timeout(PATIENCE, work).await.unwrap_or_else(|_| Err(too_slow()));
        let (connection, done) = transaction.end(done).await;
        self.connection = connection;
        done
    }

    /// Writes what can be written of a batch in which somebody meets a conflict. When the database goes away, nobody
    /// waits for the rest to find out one by one.
    async fn write_free(&mut self, batch: &[Pending]) -> Vec<Result<()>> {
        let mut outcomes = vec![Err(StoreError::Conflict); batch.len()];
        let (singles, others): (Vec<usize>, Vec<usize>) =
            (0..batch.len()).partition(|&index| batch[index].is_single());
        let mut rest = singles.as_slice();
        let mut away = None;
        while !rest.is_empty() && away.is_none() {
            let (chunk, later) = rest.split_at(batch_size(rest.len()));
            let lines: Vec<&Line> = chunk.iter().map(|&index| &batch[index].lines[0]).collect();
            match self.insert_free(&lines).await {
                Ok(tables) => {
                    for &index in chunk.iter().filter(|&&index| tables.contains(&number(batch[index].table)))
                    {
                        outcomes[index] = Ok(());
                    }
                    rest = later;
                }
                Err(error) => away = Some(error),
            }
        }
        let mut others = others.as_slice();
        while let ([index, later @ ..], None) = (others, &away) {
            match self.write_all(&[&batch[*index]]).await {
                Err(error @ StoreError::Unavailable(_)) => away = Some(error),
                done => {
                    outcomes[*index] = done;
                    others = later;
                }
            }
        }
        if let Some(error) = away {
            for &index in rest.iter().chain(others) {
                outcomes[index] = Err(error.clone());
            }
        }
        outcomes
    }

    /// Inserts the lines whose version is free, and returns their tables.
    async fn insert_free(&mut self, lines: &[&Line]) -> Result<HashSet<i64>> {
        let mut connection = self.connect().await?;
        let insert = &self.inserts[&lines.len()].free;
        let query = sqlx::query_with(AssertSqlSafe(insert.clone()), values(lines));
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

    /// Keeps a connection for the next batch unless it may be broken.
    fn keep<T>(&mut self, mut connection: PoolConnection<Any>, done: Result<T>) -> Result<T> {
        if let Err(StoreError::Unavailable(_)) = done {
            connection.close_on_drop();
        } else {
            self.connection = Some(connection);
        }
        done
    }
}

/// Statements that insert a number of events, and on PostgreSQL tell the other nodes.
struct Insert {
    /// All of them or none.
    all: Arc<str>,
    /// The same within a transaction, which is taken back if one of them cannot be inserted.
    within: Arc<str>,
    /// Those whose version is free; returns the numbers of their tables.
    free: Arc<str>,
}

fn insert_sql(backend: Backend, rows: usize, node: &str) -> Insert {
    let mut insert = "INSERT INTO events (table_number, version, at, payload) VALUES ".to_owned();
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
        Backend::Sqlite => Insert {
            // Otherwise SQLite keeps a journal in order to take back the statement alone.
            within: insert.replace("INSERT", "INSERT OR FAIL").into(),
            all: insert.into(),
            free: format!("{free} RETURNING table_number").into(),
        },
        Backend::Postgres => {
            // Nobody else has heard of a table that is only now being written.
            let told = format!("pg_notify('alinea', '{node} table ' || id || ' ' || version)");
            let all: Arc<str> = format!(
                "WITH added AS ({insert} RETURNING table_number, version) \
                 SELECT COUNT({told}) FROM added JOIN tables ON number = table_number"
            )
            .into();
            let free = format!(
                "WITH added AS ({free} RETURNING table_number, version) \
                 SELECT table_number FROM added JOIN tables ON number = table_number WHERE {told} IS NOT NULL"
            );
            Insert { within: all.clone(), all, free: free.into() }
        }
    }
}

fn values(lines: &[&Line]) -> AnyArguments {
    let mut values = AnyArguments::default();
    values.reserve(lines.len() * 4, 0);
    for line in lines {
        let done = values.add(line.table).and_then(|()| values.add(line.version));
        let done = done.and_then(|()| values.add(line.at)).and_then(|()| values.add(&line.payload));
        done.expect("text and numbers can be written");
    }
    values
}
