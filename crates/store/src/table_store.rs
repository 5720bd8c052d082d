//! The operations of a store that live tables and their node need. Tests run the tables over a simulated store that
//! fails on purpose.

use std::collections::HashSet;

use futures_util::future::BoxFuture;
use protocol::{ClockKind, Event};
use study::glicko::Rating;
use table::LogEntry;
use tokio::sync::broadcast;

use super::{Account, Hint, PresenceHint, Result, Store, TableChange, TableKey, TableRow};
use crate::clock::Clock;

/// The future of a call's result.
pub type Call<'a, T> = BoxFuture<'a, Result<T>>;

/// A store of tables that nodes may share. [`Store`] documents the calls.
#[expect(missing_docs, reason = "documented at `Store`")]
pub trait TableStore: Send + Sync {
    fn clock(&self) -> &Clock;
    fn is_shared(&self) -> bool;
    fn hints(&self) -> broadcast::Receiver<Hint>;
    fn announce<'a>(&'a self, presence: &'a PresenceHint) -> Call<'a, ()>;

    fn create_table<'a>(&'a self, row: &'a TableRow, events: Vec<Event>) -> Call<'a, ()>;
    fn table<'a>(&'a self, id: &'a str) -> Call<'a, Option<TableRow>>;
    fn owns<'a>(&'a self, id: &'a str) -> Call<'a, bool>;
    fn events<'a>(&'a self, id: &'a str, after: u64) -> Call<'a, Vec<LogEntry>>;
    fn append<'a>(
        &'a self,
        table: &'a TableKey,
        after: u64,
        at: u64,
        events: Vec<Event>,
        change: Option<TableChange>,
    ) -> Call<'a, Vec<LogEntry>>;

    fn account_by_name<'a>(&'a self, name: &'a str) -> Call<'a, Option<Account>>;
    fn rating<'a>(&'a self, account: &'a str, game: &'a str, clock_kind: ClockKind) -> Call<'a, Rating>;

    fn heartbeat(&self, now: u64) -> Call<'_, Option<(u64, u64)>>;
    fn downtimes(&self, since: u64, now: u64) -> Call<'_, Vec<(u64, u64)>>;
    fn live_nodes(&self, since: u64) -> Call<'_, Vec<String>>;
    fn take_over(&self, dead_before: u64) -> Call<'_, Vec<String>>;
    fn timed_tables(&self) -> Call<'_, Vec<String>>;
    fn left_tables(&self, open_before: u64, idle_before: u64) -> Call<'_, Vec<String>>;
    fn versions<'a>(&'a self, tables: &'a [String]) -> Call<'a, Vec<(String, u64)>>;
    fn want_jobs(&self) -> Call<'_, ()>;
    fn live_sessions<'a>(&'a self, ids: &'a [String]) -> Call<'a, HashSet<String>>;
    fn delete_sessions(&self, unused_since: u64) -> Call<'_, u64>;
}

impl TableStore for Store {
    fn clock(&self) -> &Clock {
        self.clock()
    }

    fn is_shared(&self) -> bool {
        self.is_shared()
    }

    fn hints(&self) -> broadcast::Receiver<Hint> {
        self.hints()
    }

    fn announce<'a>(&'a self, presence: &'a PresenceHint) -> Call<'a, ()> {
        self.announce(presence)
    }

    fn create_table<'a>(&'a self, row: &'a TableRow, events: Vec<Event>) -> Call<'a, ()> {
        self.create_table(row, events)
    }

    fn table<'a>(&'a self, id: &'a str) -> Call<'a, Option<TableRow>> {
        self.table(id)
    }

    fn owns<'a>(&'a self, id: &'a str) -> Call<'a, bool> {
        self.owns(id)
    }

    fn events<'a>(&'a self, id: &'a str, after: u64) -> Call<'a, Vec<LogEntry>> {
        self.events(id, after)
    }

    fn append<'a>(
        &'a self,
        table: &'a TableKey,
        after: u64,
        at: u64,
        events: Vec<Event>,
        change: Option<TableChange>,
    ) -> Call<'a, Vec<LogEntry>> {
        self.append(table, after, at, events, change)
    }

    fn account_by_name<'a>(&'a self, name: &'a str) -> Call<'a, Option<Account>> {
        self.account_by_name(name)
    }

    fn rating<'a>(&'a self, account: &'a str, game: &'a str, clock_kind: ClockKind) -> Call<'a, Rating> {
        self.rating(account, game, clock_kind)
    }

    fn heartbeat(&self, now: u64) -> Call<'_, Option<(u64, u64)>> {
        self.heartbeat(now)
    }

    fn downtimes(&self, since: u64, now: u64) -> Call<'_, Vec<(u64, u64)>> {
        self.downtimes(since, now)
    }

    fn live_nodes(&self, since: u64) -> Call<'_, Vec<String>> {
        self.live_nodes(since)
    }

    fn take_over(&self, dead_before: u64) -> Call<'_, Vec<String>> {
        self.take_over(dead_before)
    }

    fn timed_tables(&self) -> Call<'_, Vec<String>> {
        self.timed_tables()
    }

    fn left_tables(&self, open_before: u64, idle_before: u64) -> Call<'_, Vec<String>> {
        self.left_tables(open_before, idle_before)
    }

    fn versions<'a>(&'a self, tables: &'a [String]) -> Call<'a, Vec<(String, u64)>> {
        self.versions(tables)
    }

    fn want_jobs(&self) -> Call<'_, ()> {
        self.want_jobs()
    }

    fn live_sessions<'a>(&'a self, ids: &'a [String]) -> Call<'a, HashSet<String>> {
        self.live_sessions(ids)
    }

    fn delete_sessions(&self, unused_since: u64) -> Call<'_, u64> {
        self.delete_sessions(unused_since)
    }
}
