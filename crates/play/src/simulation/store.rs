//! A node's connection to the simulated database and to the hints of the other nodes: slow, cut, or dead, as the faults
//! have it. Requests and answers are lost or held back apart from each other, so that a call that failed may have been
//! carried out, or may be carried out later.

use std::{
    collections::HashSet,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering},
    },
    time::Duration,
};

use protocol::{ClockKind, Event};
use store::{
    Account, Call, Clock, Hint, PresenceHint, StoreError, TIMEOUT, TableChange, TableKey, TableRow,
    TableStore,
};
use study::glicko::Rating;
use table::LogEntry;
use tokio::{
    sync::{Notify, broadcast, oneshot},
    time::{sleep, timeout},
};

use super::{database::Database, world::World};

/// The longest way to the database or back while nothing is wrong.
const USUAL_MS: u64 = 3;
/// The longest way of a hint while nothing is wrong.
const HINT_MS: u64 = 20;
/// One hint of this many is lost even then.
const LOST_HINTS: u64 = 20;

/// A condition that can be waited for. Those who wait are woken in the order in which they came, unlike those of a
/// `watch` channel, so that a run can be repeated.
#[derive(Default)]
struct Flag {
    is_set: AtomicBool,
    changed: Notify,
}

impl Flag {
    fn get(&self) -> bool {
        self.is_set.load(Ordering::Relaxed)
    }

    /// Sets it and returns what it was.
    fn set(&self, to: bool) -> bool {
        let was = self.is_set.swap(to, Ordering::Relaxed);
        self.changed.notify_waiters();
        was
    }

    async fn wait_for(&self, value: bool) {
        loop {
            let changed = self.changed.notified();
            if self.get() == value {
                return;
            }
            changed.await;
        }
    }
}

/// What is wrong with the connections of a node.
pub(super) struct Link {
    /// The node, named anew at every start.
    pub(super) node: String,
    is_dead: Flag,
    is_cut: Flag,
    /// No hint arrives, and the node is not told.
    pub(super) is_deaf: AtomicBool,
    /// The longest way to the database or back.
    pub(super) slow_ms: AtomicU64,
    /// By how much the clock of its system is wrong.
    pub(super) clock_off_ms: AtomicI64,
    hints: broadcast::Sender<Hint>,
}

impl Link {
    pub(super) fn new(node: String, clock_off_ms: i64) -> Arc<Self> {
        Arc::new(Self {
            node,
            is_dead: Flag::default(),
            is_cut: Flag::default(),
            is_deaf: false.into(),
            slow_ms: USUAL_MS.into(),
            clock_off_ms: clock_off_ms.into(),
            hints: broadcast::Sender::new(4096),
        })
    }

    pub(super) fn is_alive(&self) -> bool {
        !self.is_dead.get()
    }

    pub(super) fn kill(&self) {
        self.is_dead.set(true);
    }

    /// Waits until the node is dead.
    pub(super) async fn died(&self) {
        self.is_dead.wait_for(true).await;
    }

    pub(super) fn cut(&self) {
        self.is_cut.set(true);
    }

    /// Connects the node again, which then asks for everything, as a listener that has reconnected does.
    pub(super) fn heal(&self) {
        self.slow_ms.store(USUAL_MS, Ordering::Relaxed);
        self.is_deaf.store(false, Ordering::Relaxed);
        if self.is_cut.set(false) {
            let _ = self.hints.send(Hint::Resync);
        }
    }

    /// One way between the node and the database; false if the message is lost.
    async fn travel(&self, world: &World) -> bool {
        let delay = world.random(0..=self.slow_ms.load(Ordering::Relaxed));
        if delay > 0 {
            sleep(Duration::from_millis(delay)).await;
        }
        let is_broken = self.is_cut.get() || !self.is_alive();
        if is_broken && world.random(0..=1) == 0 {
            return false;
        }
        self.is_cut.wait_for(false).await;
        true
    }

    /// A hint of another node, which may be lost.
    pub(super) async fn deliver(self: Arc<Self>, world: Arc<World>, hint: Hint) {
        sleep(Duration::from_millis(world.random(0..=HINT_MS))).await;
        let is_lost = self.is_cut.get() || self.is_deaf.load(Ordering::Relaxed);
        if is_lost || world.random(0..LOST_HINTS) == 0 {
            world.count(|figures| figures.hints_lost += 1);
        } else {
            // A node that is dead or does not listen yet has no receiver.
            let _ = self.hints.send(hint);
        }
    }
}

/// The store as one node sees it.
#[derive(Clone)]
pub(super) struct SimulatedStore {
    link: Arc<Link>,
    world: Arc<World>,
    clock: Clock,
    has_heartbeat: Arc<AtomicBool>,
}

impl SimulatedStore {
    pub(super) fn new(world: Arc<World>, link: Arc<Link>) -> Self {
        let clock = {
            let (world, link) = (world.clone(), link.clone());
            Clock::following(move || {
                let off = link.clock_off_ms.load(Ordering::Relaxed);
                (i64::try_from(world.now_ms()).unwrap_or(i64::MAX) + off) * 1_000
            })
        };
        Self { link, world, clock, has_heartbeat: Arc::default() }
    }

    /// Carries a call out. Nothing ever returns to a dead node.
    async fn call<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Database, &str) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        if !self.link.is_alive() {
            return std::future::pending().await;
        }
        self.world.count(|figures| figures.calls += 1);
        let (sender, answer) = oneshot::channel();
        let (link, world) = (self.link.clone(), self.world.clone());
        // On its own: a caller that gives up does not take back what it has sent.
        tokio::spawn(async move {
            if !link.travel(&world).await {
                return;
            }
            let done = world.with(|state| work(&mut state.database, &link.node));
            if link.travel(&world).await {
                let _ = sender.send(done);
            }
        });
        let answer = async {
            match answer.await {
                Ok(done) => done,
                Err(_) => std::future::pending().await,
            }
        };
        let done = timeout(TIMEOUT, answer).await;
        if !self.link.is_alive() {
            return std::future::pending().await;
        }
        done.unwrap_or_else(|_| {
            self.world.count(|figures| figures.failed_calls += 1);
            Err(StoreError::unavailable("no answer"))
        })
    }

    /// The time up to which the clock must have come before the node starts.
    pub(super) async fn last_heartbeat(&self) -> Result<u64, StoreError> {
        self.call(|database, _| Ok(database.last_heartbeat().unwrap_or(0))).await
    }
}

impl TableStore for SimulatedStore {
    fn clock(&self) -> &Clock {
        &self.clock
    }

    fn is_shared(&self) -> bool {
        true
    }

    fn hints(&self) -> broadcast::Receiver<Hint> {
        self.link.hints.subscribe()
    }

    fn announce<'a>(&'a self, presence: &'a PresenceHint) -> Call<'a, ()> {
        let (world, presence) = (self.world.clone(), presence.clone());
        Box::pin(self.call(move |_, node| {
            world.clone().publish(node, Hint::Presence { node: node.to_owned(), presence });
            Ok(())
        }))
    }

    fn create_table<'a>(&'a self, row: &'a TableRow, events: Vec<Event>) -> Call<'a, ()> {
        let row = row.clone();
        Box::pin(self.call(move |database, node| database.create_table(Some(node), &row, events)))
    }

    fn table<'a>(&'a self, id: &'a str) -> Call<'a, Option<TableRow>> {
        let id = id.to_owned();
        Box::pin(self.call(move |database, _| Ok(database.row(&id))))
    }

    fn owns<'a>(&'a self, id: &'a str) -> Call<'a, bool> {
        let id = id.to_owned();
        Box::pin(self.call(move |database, node| Ok(database.owns(node, &id))))
    }

    fn events<'a>(&'a self, id: &'a str, after: u64) -> Call<'a, Vec<LogEntry>> {
        let id = id.to_owned();
        Box::pin(self.call(move |database, _| Ok(database.events(&id, after))))
    }

    fn append<'a>(
        &'a self,
        table: &'a TableKey,
        after: u64,
        at: u64,
        events: Vec<Event>,
        change: Option<TableChange>,
    ) -> Call<'a, Vec<LogEntry>> {
        let (world, key) = (self.world.clone(), table.clone());
        Box::pin(self.call(move |database, node| {
            let entries = database.append(&key, after, at, events, change)?;
            if let Some(LogEntry { version, .. }) = entries.last() {
                world.publish(node, Hint::Table { table: key.id, version: *version });
            }
            Ok(entries)
        }))
    }

    fn account_by_name<'a>(&'a self, _: &'a str) -> Call<'a, Option<Account>> {
        Box::pin(async { Ok(None) })
    }

    fn rating<'a>(&'a self, _: &'a str, _: &'a str, _: ClockKind) -> Call<'a, Rating> {
        Box::pin(async { Ok(Rating::default()) })
    }

    fn heartbeat(&self, now: u64) -> Call<'_, Option<(u64, u64)>> {
        Box::pin(async move {
            let is_first = !self.has_heartbeat.load(Ordering::Relaxed);
            self.world.note_clock(now);
            let world = self.world.clone();
            let beat = move |database: &mut Database, node: &str| {
                database.heartbeats.push((now, world.now_ms()));
                Ok(database.heartbeat(node, is_first, now))
            };
            let done = self.call(beat).await;
            self.has_heartbeat.fetch_or(done.is_ok(), Ordering::Relaxed);
            done
        })
    }

    fn downtimes(&self, since: u64, now: u64) -> Call<'_, Vec<(u64, u64)>> {
        Box::pin(self.call(move |database, _| Ok(database.downtimes(since, now))))
    }

    fn live_nodes(&self, since: u64) -> Call<'_, Vec<String>> {
        Box::pin(self.call(move |database, _| Ok(database.live_nodes(since))))
    }

    fn take_over(&self, dead_before: u64) -> Call<'_, Vec<String>> {
        Box::pin(self.call(move |database, node| Ok(database.take_over(node, dead_before))))
    }

    fn timed_tables(&self) -> Call<'_, Vec<String>> {
        Box::pin(self.call(|database, node| Ok(database.timed_tables(node))))
    }

    fn left_tables(&self, _: u64, _: u64) -> Call<'_, Vec<String>> {
        Box::pin(async { Ok(Vec::new()) })
    }

    fn versions<'a>(&'a self, tables: &'a [String]) -> Call<'a, Vec<(String, u64)>> {
        let tables = tables.to_vec();
        Box::pin(self.call(move |database, _| Ok(database.versions(&tables))))
    }

    fn want_jobs(&self) -> Call<'_, ()> {
        Box::pin(async { Ok(()) })
    }

    fn live_sessions<'a>(&'a self, _: &'a [String]) -> Call<'a, HashSet<String>> {
        Box::pin(async { Ok(HashSet::new()) })
    }

    fn delete_sessions(&self, _: u64) -> Call<'_, u64> {
        Box::pin(async { Ok(0) })
    }
}
