//! A node's connection to the simulated database and to the hints of the other nodes: faults make it slow,
//! cut it, or end it. Requests and responses are lost or delayed independently, so that a failed call may
//! have taken effect, or may take effect later.

use std::{
    collections::HashSet,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use protocol::{ClockKind, Event, TournamentEvent, TournamentSummary};
use store::{
    Account, Call, Clock, Hint, PresenceHint, StoreError, TIMEOUT, TableChange, TableKey, TableResult,
    TableRow, TableStore, TournamentChange, TournamentStore,
};
use study::glicko::Rating;
use table::LogEntry;
use tokio::{
    sync::{broadcast, oneshot},
    time::timeout,
};

use super::{
    database::{Database, NewEvents},
    link::Link,
    world::World,
};

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

    /// Executes a call. A call of a dead node never returns.
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
        // In a task of its own: a caller that gives up does not cancel its request.
        tokio::spawn(async move {
            if !world.travel(&link).await {
                return;
            }
            let done = world.with(|state| work(&mut state.database, &link.node));
            if world.travel(&link).await {
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

    /// The time that the clock must have reached before the node starts.
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

    fn rating<'a>(&'a self, account: &'a str, game: &'a str, clock_kind: ClockKind) -> Call<'a, Rating> {
        let (account, game, now) = (account.to_owned(), game.to_owned(), self.clock.now_ms());
        Box::pin(
            self.call(move |database, _| {
                Ok(database.ratings.rating(&account, &game, clock_kind).rating_at(now))
            }),
        )
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

impl TournamentStore for SimulatedStore {
    fn new_key(&self, _: u64) -> TableKey {
        self.world.with(|state| state.database.new_key())
    }

    fn append_tournament<'a>(&'a self, change: TournamentChange<'a>) -> Call<'a, ()> {
        let TournamentChange { id, after, at, events, tables, summary, .. } = change;
        let (id, events, summary) = (id.to_owned(), events.to_vec(), summary.clone());
        let new = NewEvents { id, after, at, events, tables, summary };
        Box::pin(self.call(move |database, node| database.append_tournament(Some(node), new)))
    }

    fn tournament_events<'a>(&'a self, id: &'a str, after: u64) -> Call<'a, Vec<(u64, TournamentEvent)>> {
        let id = id.to_owned();
        Box::pin(self.call(move |database, _| Ok(database.tournament_events(&id, after))))
    }

    fn due_tournaments(&self, _: u64) -> Call<'_, Vec<String>> {
        Box::pin(self.call(|database, _| Ok(database.due_tournaments())))
    }

    fn close_tournament<'a>(&'a self, id: &'a str) -> Call<'a, ()> {
        let id = id.to_owned();
        Box::pin(self.call(move |database, _| {
            database.close_tournament(&id);
            Ok(())
        }))
    }

    fn tournaments<'a>(&'a self, _: &'a str, _: u32) -> Call<'a, Vec<TournamentSummary>> {
        Box::pin(async { Ok(Vec::new()) })
    }

    fn open_tournaments<'a>(&'a self, _: &'a str) -> Call<'a, u64> {
        Box::pin(async { Ok(0) })
    }

    fn table_results<'a>(&'a self, tables: &'a [String]) -> Call<'a, Vec<TableResult>> {
        let tables = tables.to_vec();
        Box::pin(self.call(move |database, _| Ok(database.table_results(&tables))))
    }

    fn setting<'a>(&'a self, name: &'a str, _: &'a str) -> Call<'a, String> {
        let name = name.to_owned();
        Box::pin(self.call(move |_, _| Ok(format!("the {name}"))))
    }
}
