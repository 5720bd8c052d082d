//! The tables loaded on this node: finds or loads the table that a message is for.

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use futures_util::future::BoxFuture;
use parking_lot::{Mutex, RwLock};
use protocol::{ApiError, Command, Done, ErrorCode, Snapshot, TableUpdate};
use rules::Side;
use store::{
    Clock, PresenceHint, SILENCE_MS, TableStore,
    task::{self, Task},
};
use table::{Principal, State};
use tokio::sync::{
    Semaphore, SemaphorePermit,
    mpsc::{self, UnboundedReceiver, UnboundedSender},
    oneshot,
};
use tokio_util::task::TaskTracker;

use super::{
    message::{Envelope, Message},
    outage::corrupt,
    sink::{EventSink, Responder},
    turn::TurnRequest,
};
use crate::config::Config;

const SHARDS: usize = 32;
/// Maximum length of an id.
const MAX_ID_LENGTH: usize = 40;
/// Maximum number of tables loaded from the store at once.
const MAX_LOADING: usize = 6;
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum number of updates that a stream may fall behind.
const STREAM_CAPACITY: usize = 128;

/// The tables of this node. Clones share the same registry.
#[derive(Clone)]
pub struct Registry(Arc<Inner>);

type Mailboxes = HashMap<String, UnboundedSender<Envelope>>;

/// Loads a table from the store and runs it until it is idle.
pub(super) type Load = fn(String, Registry, UnboundedReceiver<Envelope>) -> Task;

struct Inner {
    store: Arc<dyn TableStore>,
    clock: Clock,
    config: Config,
    load: Load,
    /// The mailboxes of the tables that are awake, by the hash of their ids.
    open: [Mutex<Mailboxes>; SHARDS],
    /// The tables with spectators, and their numbers.
    watched: Mutex<HashMap<String, usize>>,
    tasks: TaskTracker,
    is_closing: AtomicBool,
    /// The downtimes; clocks are not charged for them.
    downtimes: RwLock<Arc<[(u64, u64)]>>,
    /// The time up to which all downtimes are known.
    known_until: AtomicU64,
    loading: Semaphore,
    /// The channel for requests of program moves.
    turns: UnboundedSender<TurnRequest>,
    /// Announcements of presence to the other nodes, in order.
    announcements: Option<UnboundedSender<PresenceHint>>,
    next_sink: AtomicU64,
}

impl Registry {
    /// A registry without tables, and the requests for moves of programs, which an engine pool has to serve.
    pub(super) fn with_loader(
        store: Arc<dyn TableStore>,
        config: Config,
        load: Load,
    ) -> (Self, UnboundedReceiver<TurnRequest>) {
        let (turns, requests) = mpsc::unbounded_channel();
        let registry = Self(Arc::new(Inner {
            clock: store.clock().clone(),
            announcements: store.is_shared().then(|| announcer(store.clone())),
            store,
            config,
            load,
            open: std::array::from_fn(|_| Mutex::default()),
            watched: Mutex::default(),
            tasks: TaskTracker::new(),
            is_closing: AtomicBool::new(false),
            downtimes: RwLock::new(Arc::new([])),
            known_until: AtomicU64::new(0),
            loading: Semaphore::new(MAX_LOADING),
            turns,
            next_sink: AtomicU64::new(0),
        }));
        (registry, requests)
    }

    pub(crate) fn store(&self) -> &Arc<dyn TableStore> {
        &self.0.store
    }

    /// The clock of this node.
    pub fn clock(&self) -> &Clock {
        &self.0.clock
    }

    pub(crate) fn config(&self) -> &Config {
        &self.0.config
    }

    pub(super) fn downtimes(&self) -> Arc<[(u64, u64)]> {
        self.0.downtimes.read().clone()
    }

    /// The clocks of a game now.
    pub fn clocks(&self, game: &State) -> Option<protocol::Clocks> {
        game.clocks(self.clock().now_ms(), &self.downtimes())
    }

    /// The number of spectators of a table known to this node.
    pub fn watching(&self, table: &str) -> usize {
        self.0.watched.lock().get(table).copied().unwrap_or(0)
    }

    pub(super) fn set_watching(&self, table: &str, count: usize) {
        let mut watched = self.0.watched.lock();
        if count == 0 {
            watched.remove(table);
        } else {
            watched.insert(table.to_owned(), count);
        }
    }

    /// Sets the downtimes, which are known up to `now`.
    pub(crate) fn set_downtimes(&self, downtimes: Vec<(u64, u64)>, now: u64) {
        *self.0.downtimes.write() = downtimes.into();
        self.0.known_until.store(now, Ordering::Relaxed);
    }

    /// Whether all downtimes are known. If not, the store or this node was unavailable.
    pub fn knows_downtimes(&self) -> bool {
        self.clock().now_ms().saturating_sub(self.0.known_until.load(Ordering::Relaxed)) <= SILENCE_MS
    }

    /// Waits for a permit to load a table.
    pub(super) async fn loading(&self) -> Option<SemaphorePermit<'_>> {
        self.0.loading.acquire().await.ok()
    }

    pub(super) fn request_turn(&self, request: TurnRequest) {
        // The pool is gone only when the server stops.
        let _ = self.0.turns.send(request);
    }

    /// Returns a unique number for a sink of this node.
    pub fn new_sink_id(&self) -> u64 {
        self.0.next_sink.fetch_add(1, Ordering::Relaxed)
    }

    fn shard(&self, table: &str) -> &Mutex<Mailboxes> {
        let mut hasher = DefaultHasher::new();
        table.hash(&mut hasher);
        &self.0.open[hasher.finish() as usize % SHARDS]
    }

    fn is_closing(&self) -> bool {
        self.0.is_closing.load(Ordering::Relaxed)
    }

    /// Sends a message to a table and loads the table if necessary. Messages of one sender arrive in order.
    pub(crate) fn send(&self, table: &str, message: Message) {
        if self.is_closing() {
            return message.refuse(&stopping());
        }
        if table.len() > MAX_ID_LENGTH || !table.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return message.refuse(&ErrorCode::UnknownTable.because("there is no such table"));
        }
        let mut open = self.shard(table).lock();
        let envelope = Box::new(message);
        let sent = match open.get(table) {
            Some(mailbox) => mailbox.send(envelope),
            None => {
                let (sender, mailbox) = mpsc::unbounded_channel();
                self.0.tasks.spawn((self.0.load)(table.to_owned(), self.clone(), mailbox));
                let sent = sender.send(envelope);
                open.insert(table.to_owned(), sender);
                sent
            }
        };
        if let Err(lost) = sent {
            // The actor has panicked; the next message wakes another one.
            open.remove(table);
            drop(open);
            lost.0.refuse(&ErrorCode::Unavailable.because("the table is restarting; try again"));
        }
    }

    /// Sends a message to a table if it is loaded.
    pub(crate) fn send_if_open(&self, table: &str, message: Message) {
        let open = self.shard(table).lock();
        if let Some(mailbox) = open.get(table) {
            // A table that has just been forgotten needs no message.
            let _ = mailbox.send(Box::new(message));
        }
    }

    /// The ids of the loaded tables, in a fixed order.
    pub(crate) fn open_ids(&self) -> Vec<String> {
        let shards = self.0.open.iter();
        let mut ids: Vec<_> =
            shards.flat_map(|shard| shard.lock().keys().cloned().collect::<Vec<_>>()).collect();
        ids.sort_unstable();
        ids
    }

    /// The number of loaded tables.
    #[must_use]
    pub fn open_count(&self) -> usize {
        self.0.open.iter().map(|shard| shard.lock().len()).sum()
    }

    pub(super) fn forget(&self, table: &str) {
        self.shard(table).lock().remove(table);
    }

    /// Unloads a table unless it has just received a message.
    pub(super) fn forget_if_unused(&self, table: &str, mailbox: &UnboundedReceiver<Envelope>) -> bool {
        let mut open = self.shard(table).lock();
        let is_unused = mailbox.is_empty();
        if is_unused {
            open.remove(table);
        }
        is_unused
    }

    /// Runs a table in a task, with a mailbox, unless it is awake already or the server stops.
    pub(super) fn run(&self, table: &str, task: impl FnOnce(UnboundedReceiver<Envelope>) -> Task) {
        if self.is_closing() {
            return;
        }
        let mut open = self.shard(table).lock();
        open.entry(table.to_owned()).or_insert_with(|| {
            let (sender, mailbox) = mpsc::unbounded_channel();
            self.0.tasks.spawn(task(mailbox));
            sender
        });
    }

    /// Refuses new messages, and waits until earlier ones are handled, up to a timeout.
    pub fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            self.0.is_closing.store(true, Ordering::Relaxed);
            for shard in &self.0.open {
                shard.lock().clear();
            }
            self.0.tasks.close();
            if tokio::time::timeout(SHUTDOWN_TIMEOUT, self.0.tasks.wait()).await.is_err() {
                tracing::warn!(unfinished = self.0.tasks.len(), "tables_shutdown_timeout");
            }
        })
    }

    /// Sends the command of a connected client to a table.
    pub fn send_command(
        &self,
        table: &str,
        principal: Arc<Principal>,
        command: Command,
        measured_lag_ms: u64,
        responder: Responder,
    ) {
        self.send(table, Message::Command { principal, command, measured_lag_ms, responder });
    }

    /// Subscribes a connected client to a table; the response has the updates since a version, or a snapshot.
    pub fn join(
        &self,
        table: &str,
        principal: Arc<Principal>,
        sink: EventSink,
        seen: Option<u64>,
        view: bool,
        responder: Responder,
    ) {
        self.send(table, Message::Join { principal, sink, seen, view, responder });
    }

    /// Ends the subscription of a sink.
    pub fn leave(&self, table: &str, sink: u64) {
        self.send_if_open(table, Message::Leave { sink });
    }

    /// Sends a command to a table.
    ///
    /// # Errors
    /// If the command is refused.
    pub fn command<'a>(
        &'a self,
        table: &'a str,
        principal: &'a Arc<Principal>,
        command: Command,
    ) -> BoxFuture<'a, Result<Done, ApiError>> {
        Box::pin(async move {
            let principal = principal.clone();
            self.ask(table, |responder| Message::Command {
                principal,
                command,
                measured_lag_ms: 0,
                responder,
            })
            .await
        })
    }

    /// The state of a table as a principal sees it.
    ///
    /// # Errors
    /// If there is no such table, or the store is unavailable.
    pub fn snapshot<'a>(
        &'a self,
        table: &'a str,
        principal: &'a Arc<Principal>,
    ) -> BoxFuture<'a, Result<Snapshot, ApiError>> {
        Box::pin(async move {
            let principal = principal.clone();
            let done = self.ask(table, |responder| Message::Look { principal, responder }).await?;
            done.snapshot.map(|snapshot| *snapshot).ok_or_else(stopping)
        })
    }

    /// Subscribes to a table; the response has the updates since a version, or a snapshot.
    ///
    /// # Errors
    /// If there is no such table, or the store is unavailable.
    pub fn subscribe<'a>(
        &'a self,
        table: &'a str,
        principal: &'a Arc<Principal>,
        seen: Option<u64>,
        view: bool,
    ) -> BoxFuture<'a, Result<(Done, Subscription), ApiError>> {
        Box::pin(async move {
            let (sender, updates) = mpsc::channel(STREAM_CAPACITY);
            let id = self.new_sink_id();
            let (principal, sink) = (principal.clone(), EventSink::Stream { id, sender });
            // Made first: it leaves the table also if nobody waits for the response any more.
            let subscription = Subscription { registry: self.clone(), table: table.to_owned(), id, updates };
            let done =
                self.ask(table, |responder| Message::Join { principal, sink, seen, view, responder }).await?;
            Ok((done, subscription))
        })
    }

    /// Ends a game that was decided elsewhere, if it is still in progress.
    ///
    /// # Errors
    /// If the store is unavailable.
    pub(crate) async fn end(&self, table: &str, winner: Option<Side>) -> Result<Done, ApiError> {
        self.ask(table, |responder| Message::End { winner, responder }).await
    }

    /// The time since a moment, without the times in which no server was reachable.
    pub(crate) fn elapsed(&self, since: u64) -> u64 {
        table::elapsed(since, self.clock().now_ms(), &self.downtimes())
    }

    /// Returns a table as its log describes it, without starting its actor; `None` if it does not exist.
    pub fn replay<'a>(&'a self, table: &'a str) -> BoxFuture<'a, Result<Option<State>, ApiError>> {
        Box::pin(async move {
            let log = self.store().events(table, 0).await.map_err(ApiError::from)?;
            State::replay(&log).map_err(|error| corrupt(table, &error))
        })
    }

    async fn ask(&self, table: &str, message: impl FnOnce(Responder) -> Message) -> Result<Done, ApiError> {
        let (sender, answer) = oneshot::channel();
        self.send(table, message(Responder::Once(sender)));
        answer.await.unwrap_or_else(|_| Err(stopping()))
    }

    /// Announces to the other nodes who is at a table on this node; with `wants_answer` they respond with theirs.
    pub(super) fn announce_presence(
        &self,
        table: &str,
        here: [bool; 2],
        watching: usize,
        wants_answer: bool,
    ) {
        if let Some(announcements) = &self.0.announcements {
            let _ =
                announcements.send(PresenceHint { table: table.to_owned(), here, watching, wants_answer });
        }
    }

    /// Handles an announcement from another node.
    pub(crate) fn handle_presence(&self, node: String, hint: PresenceHint) {
        let PresenceHint { table, here, watching, wants_answer } = hint;
        self.send_if_open(&table, Message::RemotePresence { node, here, watching, wants_answer });
    }
}

/// Sends announcements to the other nodes, one after the other.
fn announcer(store: Arc<dyn TableStore>) -> UnboundedSender<PresenceHint> {
    let (sender, mut announcements) = mpsc::unbounded_channel();
    task::spawn(async move {
        while let Some(hint) = announcements.recv().await {
            // Lost while the store is unavailable; afterwards all nodes ask each other again.
            let _ = store.announce(&hint).await;
        }
    });
    sender
}

/// The updates of a table, until this is dropped.
pub struct Subscription {
    registry: Registry,
    table: String,
    id: u64,
    updates: mpsc::Receiver<Arc<TableUpdate>>,
}

impl Subscription {
    /// Waits for the next update; `None` if the table was closed or the subscriber fell too far behind.
    pub async fn next(&mut self) -> Option<Arc<TableUpdate>> {
        self.updates.recv().await
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        self.registry.leave(&self.table, self.id);
    }
}

fn stopping() -> ApiError {
    ErrorCode::Unavailable.because("the server is stopping")
}
