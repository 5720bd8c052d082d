//! Shared state of nodes: seeks, ownership of tables, downtimes, hints, and outages of PostgreSQL.

use std::{collections::HashSet, sync::Arc, time::Duration};

use alinea_store::{Hint, PresenceHint, Store, StoreError, TableChange, TableRow, WaitingSeek};
use protocol::{Clock, Event, Seek};
use sqlx::{Connection, Executor};
use testkit::Postgres;

use crate::{Database, chat, create_table, created, key, person, received, row};

fn seek(player: &str, rating: i64, since: u64) -> WaitingSeek {
    WaitingSeek {
        id: format!("seek-of-{player}"),
        player: player.into(),
        occupant: person(player),
        wish: Seek { game: "tic-tac-toe".into(), clock: Clock::None, rated: false, range: 150, bots: false },
        rating,
        since,
    }
}

fn opened(one: &WaitingSeek, two: &WaitingSeek) -> (TableRow, Vec<Event>) {
    let mut row = row(&format!("{}+{}", one.player, two.player));
    row.seats = [one.occupant.clone(), two.occupant.clone()];
    let events = vec![created(&row)];
    (row, events)
}

pub(crate) async fn seeks_of_all_nodes_are_paired_once(database: Database) {
    let stores = [database.open().await, database.open().await];
    let mut hints = stores[0].hints();
    let mut remote = stores[1].hints();
    for index in 0..40 {
        let store = &stores[index % 2];
        store.put_seek(&seek(&format!("p{index}"), 1500 + index as i64, 1_000), 1_000).await.unwrap();
    }
    let (one, two) = tokio::join!(stores[0].pair(1_500, opened), stores[1].pair(1_500, opened));
    let pairings: Vec<_> = [one.unwrap(), two.unwrap()].concat();
    assert_eq!(pairings.len(), 20);
    let used: HashSet<_> =
        pairings.iter().flat_map(|pairing| &pairing.seeks).map(|seek| &seek.player).collect();
    assert_eq!(used.len(), 40);
    let first = &pairings[0];
    let table = stores[1].table(&first.table).await.unwrap().unwrap();
    assert_eq!(table.seats, first.seeks.each_ref().map(|seek| seek.occupant.clone()));
    assert_eq!(stores[1].events(&first.table, 0).await.unwrap().len(), 1);
    let last = pairings.last().unwrap();
    let paired = Hint::Paired { seek: last.seeks[1].id.clone(), table: last.table.clone() };
    if database.is_postgres() {
        tokio::join!(received(&mut hints, &paired), received(&mut remote, &paired));
    } else {
        tokio::select! { () = received(&mut hints, &paired) => {}, () = received(&mut remote, &paired) => {} }
    }
    // A missed hint is made up for by the next renewal.
    let renewed = stores[1].renew_seek(&first.seeks[0].id, 2_000).await.unwrap();
    assert_eq!(renewed.as_ref(), Some(&first.table));
    assert!(!stores[0].remove_seek(&first.seeks[0].id).await.unwrap());
    assert_eq!(stores[0].pair(2_000, opened).await.unwrap(), []);
}

pub(crate) async fn the_rating_range_grows_with_waiting(database: Database) {
    let store = database.open().await;
    store.put_seek(&seek("strong", 2000, 1_000), 9_000).await.unwrap();
    store.put_seek(&seek("weak", 1700, 5_000), 9_000).await.unwrap();
    // 300 apart, 150 to begin with, 15 more each second: enough when the later one has waited ten seconds.
    assert_eq!(store.pair(14_999, opened).await.unwrap(), []);
    let mut other = seek("other", 2000, 1_000);
    other.wish.clock = Clock::Move { ms: 5_000 };
    store.put_seek(&other, 9_000).await.unwrap();
    store.put_seek(&seek("near", 1650, 5_500), 9_000).await.unwrap();
    let pairings = store.pair(15_000, opened).await.unwrap();
    let players: Vec<_> =
        pairings.iter().map(|pairing| pairing.seeks.each_ref().map(|s| &*s.player)).collect();
    assert_eq!(players, [["strong", "weak"]]);
}

pub(crate) async fn seeks_expire_or_are_replaced(database: Database) {
    let store = database.open().await;
    store.put_seek(&seek("gone", 1500, 1_000), 1_000).await.unwrap();
    store.put_seek(&seek("left", 1500, 1_000), 20_000).await.unwrap();
    store.put_seek(&seek("here", 1500, 1_000), 1_000).await.unwrap();
    assert_eq!(store.renew_seek("seek-of-here", 20_000).await.unwrap(), None);
    assert!(store.remove_seek("seek-of-left").await.unwrap());
    assert_eq!(store.pair(20_000, opened).await.unwrap(), []);
    assert_eq!(store.renew_seek("seek-of-gone", 20_000).await, Err(StoreError::Conflict));
    // A second seek of the same player replaces the first.
    let second = WaitingSeek { id: "second".into(), ..seek("here", 1500, 2_000) };
    store.put_seek(&second, 20_000).await.unwrap();
    assert_eq!(store.renew_seek("seek-of-here", 20_000).await, Err(StoreError::Conflict));
    assert_eq!(store.pair(20_000, opened).await.unwrap(), []);
}

pub(crate) async fn tables_of_dead_nodes_are_taken_over(database: Database) {
    let (dies, lives) = (database.open().await, database.open().await);
    for (id, needs_owner) in [("program", true), ("people", false)] {
        create_table(&dies, &TableRow { needs_owner, ..row(id) }).await;
    }
    create_table(&lives, &TableRow { needs_owner: true, ..row("mine") }).await;
    dies.heartbeat(100_000).await.unwrap();
    if database.is_postgres() {
        // An SQLite file has one server; a second one would consider the first one dead.
        lives.heartbeat(104_000).await.unwrap();
        assert_eq!(lives.take_over(95_000).await.unwrap(), [""; 0]);
    }
    lives.heartbeat(112_000).await.unwrap();
    assert_eq!(lives.take_over(105_000).await.unwrap(), ["program"]);
    assert_eq!(lives.take_over(105_000).await.unwrap(), [""; 0]);
    assert!(lives.owns("program").await.unwrap() && !dies.owns("program").await.unwrap());
    assert_eq!(lives.live_nodes(105_000).await.unwrap(), [lives.node()]);
    dies.heartbeat(113_000).await.unwrap();
    assert_eq!(dies.take_over(105_000).await.unwrap(), [""; 0]);
}

pub(crate) async fn a_restart_is_a_downtime(database: Database) {
    let store = database.open().await;
    assert_eq!(store.heartbeat(100_000).await.unwrap(), None);
    assert_eq!(store.heartbeat(102_000).await.unwrap(), None);
    // A heartbeat that arrives late takes nothing back.
    assert_eq!(store.heartbeat(100_500).await.unwrap(), None);
    assert_eq!(store.heartbeat(104_000).await.unwrap(), None);
    // The database was unavailable.
    assert_eq!(store.heartbeat(110_000).await.unwrap(), Some((104_000, 110_000)));
    create_table(&store, &TableRow { needs_owner: true, ..row("t") }).await;
    store.close().await;
    drop(store);

    // The server was down, if only for a moment.
    let again = database.open().await;
    assert_eq!(again.heartbeat(111_500).await.unwrap(), Some((110_000, 111_500)));
    assert_eq!(again.take_over(105_000).await.unwrap(), ["t"]);
    assert_eq!(again.downtimes(0, 120_000).await.unwrap(), [(104_000, 110_000), (110_000, 111_500)]);
    assert_eq!(again.downtimes(110_000, 120_000).await.unwrap(), [(110_000, 111_500)]);
    // None reaches into the future.
    assert_eq!(again.downtimes(0, 105_000).await.unwrap(), [(104_000, 105_000)]);
    if database.is_postgres() {
        // A second node beside the first one is not a restart.
        let second = database.open().await;
        assert_eq!(second.heartbeat(112_500).await.unwrap(), None);
    }
}

/// A server that starts while the system's clock is behind continues from the stored times.
pub(crate) async fn time_goes_on_after_a_restart(database: Database) {
    let store = database.open().await;
    let later = store.clock().now_ms() + 600_000;
    store.heartbeat(later).await.unwrap();
    store.close().await;
    drop(store);
    assert!(database.open().await.clock().now_ms() >= later);
}

/// Only on PostgreSQL: an SQLite file has one node.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_receive_each_others_hints() {
    let database = Database::postgres();
    let (one, two) = (database.open().await, database.open().await);
    let (mut here, mut remote) = (one.hints(), two.hints());
    create_table(&one, &row("t")).await;
    one.append(&key("t"), 1, 1, vec![chat("x")], None).await.unwrap();
    one.append(&key("t"), 2, 1, vec![chat("x"), chat("y")], None).await.unwrap();
    for version in [2, 4] {
        received(&mut remote, &Hint::Table { table: "t".into(), version }).await;
    }
    let presence = PresenceHint { table: "t".into(), here: [true, false], watching: 3, wants_answer: true };
    one.announce(&presence).await.unwrap();
    received(&mut remote, &Hint::Presence { node: one.node().into(), presence }).await;
    // A node does not receive hints about its own events.
    two.append(&key("t"), 4, 1, vec![chat("z")], None).await.unwrap();
    assert_eq!(here.recv().await.unwrap(), Hint::Table { table: "t".into(), version: 5 });
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_store_recovers_from_a_postgresql_outage() {
    let mut postgres = Postgres::start();
    let url = postgres.database();
    let store = Store::open(&url).await.unwrap();
    let mut hints = store.hints();
    create_table(&store, &row("t")).await;
    store.append(&key("t"), 1, 1, vec![chat("before")], None).await.unwrap();

    postgres.stop();
    let unavailable = |error| matches!(error, StoreError::Unavailable { .. });
    assert!(unavailable(store.append(&key("t"), 2, 1, vec![chat("meanwhile")], None).await.unwrap_err()));
    let change = Some(TableChange::default());
    assert!(unavailable(store.append(&key("t"), 2, 1, vec![chat("meanwhile")], change).await.unwrap_err()));
    assert!(unavailable(store.events("t", 0).await.unwrap_err()));
    assert!(unavailable(Store::open(&url).await.map(drop).unwrap_err()));

    postgres.restart();
    let back = async {
        while store.events("t", 0).await.is_err() {}
        let mut version = store.events("t", 0).await.unwrap().len() as u64;
        assert_eq!(version, 2);
        while store.append(&key("t"), version, 1, vec![chat("after")], None).await.is_err() {
            version = store.events("t", 0).await.unwrap().len() as u64;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), back).await.expect("back within ten seconds");
    received(&mut hints, &Hint::Resync).await;
    let other = Store::open(&url).await.unwrap();
    let last = other.events("t", 0).await.unwrap().len() as u64;
    other.append(&key("t"), last, 1, vec![chat("remote")], None).await.unwrap();
    received(&mut hints, &Hint::Table { table: "t".into(), version: last + 1 }).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_locked_database_times_out() {
    let database = Database::postgres();
    let store = Arc::new(database.open().await);
    create_table(&store, &row("t")).await;
    let mut holder = sqlx::postgres::PgConnection::connect(&database.url).await.unwrap();
    holder.execute("BEGIN; LOCK TABLE events IN ACCESS EXCLUSIVE MODE").await.unwrap();
    let (table, change) = (key("t"), Some(TableChange::default()));
    let (moved, changed, read) = tokio::join!(
        store.append(&table, 1, 1, vec![chat("x")], None),
        store.append(&table, 1, 1, vec![chat("x")], change),
        store.events("t", 0),
    );
    for error in [moved.unwrap_err(), changed.unwrap_err(), read.unwrap_err()] {
        assert!(matches!(error, StoreError::Unavailable { .. }), "{error}");
    }
    holder.execute("ROLLBACK").await.unwrap();
    let version = store.events("t", 0).await.unwrap().len() as u64;
    store.append(&key("t"), version, 1, vec![chat("free again")], None).await.unwrap();
}
