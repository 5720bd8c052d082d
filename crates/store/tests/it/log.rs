//! The log of events.

use std::{
    io::{BufRead, BufReader},
    process::{Command, Stdio},
};

use alinea_store::{Store, StoreError, TableChange};
use protocol::Status;

use crate::{Database, chat, create_table, created, end_of_game, ended, key, row, texts};

pub(crate) async fn events_are_read_in_order(database: Database) {
    let store = database.open().await;
    create_table(&store, &row("t")).await;
    for version in 1..20 {
        let appended = store.append(&key("t"), version, version, vec![chat(version)], None).await.unwrap();
        assert_eq!(appended[0].version, version + 1);
    }
    let log = store.events("t", 0).await.unwrap();
    assert_eq!(log.len(), 20);
    assert_eq!(texts(&store, "t", 15).await, ["15", "16", "17", "18", "19"]);
    assert_eq!(store.events("t", 20).await.unwrap(), []);
    assert_eq!(store.events("nowhere", 0).await.unwrap(), []);

    let many: Vec<_> = (0..250).map(|index| format!("t{index}")).collect();
    for id in &many {
        create_table(&store, &row(id)).await;
    }
    let asked: Vec<_> = [many.as_slice(), &["t".into(), "nowhere".into()]].concat();
    let versions = store.versions(&asked).await.unwrap();
    assert_eq!(versions.len(), 251);
    assert!(versions.contains(&("t".into(), 20)) && versions.contains(&("t249".into(), 1)));
}

pub(crate) async fn the_second_writer_of_a_version_gets_a_conflict(database: Database) {
    let (one, two) = (database.open().await, database.open().await);
    create_table(&one, &row("t")).await;
    one.append(&key("t"), 1, 5, vec![chat("one")], None).await.unwrap();
    assert_eq!(two.append(&key("t"), 1, 5, vec![chat("two")], None).await, Err(StoreError::Conflict));
    let change = TableChange { status: Some(Status::Ended), ..TableChange::default() };
    assert_eq!(two.append(&key("t"), 1, 5, vec![chat("two")], Some(change)).await, Err(StoreError::Conflict));
    assert_eq!(two.table("t").await.unwrap().unwrap().status, Status::Playing);
    assert_eq!(texts(&two, "t", 1).await, ["one"]);
    two.append(&key("t"), 2, 6, vec![chat("two")], None).await.unwrap();
    assert_eq!(texts(&one, "t", 1).await, ["one", "two"]);
}

pub(crate) async fn several_events_are_appended_atomically(database: Database) {
    let store = database.open().await;
    create_table(&store, &row("t")).await;
    let three = || vec![chat("a"), chat("b"), chat("c")];
    store.append(&key("t"), 1, 5, vec![chat("first")], None).await.unwrap();
    assert_eq!(store.append(&key("t"), 1, 5, three(), None).await, Err(StoreError::Conflict));
    assert_eq!(texts(&store, "t", 1).await, ["first"]);
    let versions = store.append(&key("t"), 2, 5, three(), None).await.unwrap();
    assert_eq!(versions.iter().map(|event| event.version).collect::<Vec<_>>(), [3, 4, 5]);
    assert_eq!(texts(&store, "t", 1).await, ["first", "a", "b", "c"]);
}

pub(crate) async fn one_of_two_racing_writers_wins(database: Database) {
    race(&database, 200).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes long: make test-all"]
async fn one_of_two_racing_writers_wins_ten_thousand_times() {
    for database in [Database::sqlite(), Database::postgres()] {
        race(&database, 1_000).await;
    }
}

/// Two nodes race for each version of ten tables.
async fn race(database: &Database, versions: u64) {
    const TABLES: u64 = 10;
    let stores = [database.open().await, database.open().await];
    let mut races = Vec::new();
    for table in 0..TABLES {
        create_table(&stores[0], &row(&table.to_string())).await;
        let stores = stores.clone();
        races.push(tokio::spawn(async move {
            let table = key(&table.to_string());
            let mut winners = Vec::new();
            for version in 1..=versions {
                let [one, two] = stores.each_ref().map(|store| {
                    // Some race with a single event, some with a change of the row as well.
                    let change =
                        (version % 5 == 0 && store.node() == stores[0].node()).then(TableChange::default);
                    store.append(&table, version, version, vec![chat(store.node())], change)
                });
                let (one, two) = tokio::join!(one, two);
                let winner = match (one, two) {
                    (Ok(_), Err(StoreError::Conflict)) => 0,
                    (Err(StoreError::Conflict), Ok(_)) => 1,
                    other => panic!("{other:?}"),
                };
                winners.push(stores[winner].node().to_owned());
            }
            (table.id, winners)
        }));
    }
    // One read at a time: none waits for a connection, however slow the machine is.
    for race in races {
        let (table, winners) = race.await.unwrap();
        assert_eq!(texts(&stores[0], &table, 1).await, winners);
    }
}

pub(crate) async fn concurrent_appends_share_commits(database: Database) {
    let store = database.open().await;
    let mut writers = Vec::new();
    for table in 0..200 {
        let store = store.clone();
        writers.push(tokio::spawn(async move {
            let table = table.to_string();
            create_table(&store, &row(&table)).await;
            for version in 1..=20 {
                store.append(&key(&table), version, version, vec![chat(version)], None).await.unwrap();
            }
            let expected: Vec<_> = (1..=20).map(|version| version.to_string()).collect();
            assert_eq!(texts(&store, &table, 1).await, expected);
        }));
    }
    for writer in writers {
        writer.await.unwrap();
    }
}

/// Games that begin, continue and end share commits; a conflict fails only its own append.
pub(crate) async fn a_conflict_fails_only_its_own_append(database: Database) {
    const GAMES: usize = 150;
    let store = database.open().await;
    for game in 0..GAMES {
        create_table(&store, &row(&format!("old{game}"))).await;
    }
    let mut tasks = Vec::new();
    for game in 0..GAMES {
        let store = store.clone();
        tasks.push(tokio::spawn(async move {
            let is_late = game % 7 == 0;
            let after = if is_late { 0 } else { 1 };
            let old = format!("old{game}");
            let done = match game % 3 {
                0 => store.append(&key(&old), after, 2_000, vec![chat("on")], None).await.map(drop),
                1 => {
                    let events = vec![chat("on"), ended(None)];
                    store
                        .append(&key(&old), after, 2_000, events, Some(end_of_game(None, None)))
                        .await
                        .map(drop)
                }
                _ => {
                    let new = if is_late { row(&old) } else { row(&format!("new{game}")) };
                    store.create_table(&new, vec![created(&new)]).await
                }
            };
            assert_eq!(done, if is_late { Err(StoreError::Conflict) } else { Ok(()) }, "game {game}");
        }));
    }
    for task in tasks {
        task.await.unwrap();
    }
    for game in 0..GAMES {
        let is_late = game % 7 == 0;
        let (old, new) = (format!("old{game}"), format!("new{game}"));
        let written = match game % 3 {
            0 => 1,
            1 => 2,
            _ => 0,
        };
        let versions = 1 + if is_late { 0 } else { written };
        assert_eq!(store.events(&old, 0).await.unwrap().len(), versions, "game {game}");
        let is_over = store.table(&old).await.unwrap().unwrap().status == Status::Ended;
        assert_eq!(is_over, written == 2 && !is_late, "game {game}");
        assert_eq!(store.table(&new).await.unwrap().is_some(), game % 3 == 2 && !is_late, "game {game}");
    }
}

/// The process that `acknowledged_events_survive_a_kill` kills.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a part of acknowledged_events_survive_a_kill, which runs it in a process of its own"]
async fn append_until_killed() {
    let store = Store::open(&std::env::var("ALINEA_TEST_URL").unwrap()).await.unwrap();
    let mut writers = Vec::new();
    for table in 0..8u64 {
        let store = store.clone();
        writers.push(tokio::spawn(async move {
            let table = table.to_string();
            let mut version = store.events(&table, 0).await.unwrap().len() as u64;
            if version == 0 {
                create_table(&store, &row(&table)).await;
                version = 1;
            }
            while version < 1_000_000 {
                // Mostly single moves, sometimes three events with a change of the row.
                let (events, change) = match version % 7 {
                    0 => (vec![chat(0), chat(1), chat(2)], Some(TableChange::default())),
                    _ => (vec![chat(version)], None),
                };
                let appended = store.append(&key(&table), version, version, events, change).await.unwrap();
                version = appended.last().unwrap().version;
                println!("ack {table} {version}");
            }
        }));
    }
    for writer in writers {
        writer.await.unwrap();
    }
}

pub(crate) async fn acknowledged_events_survive_a_kill(database: Database) {
    let store = database.open().await;
    let mut acknowledged = [0u64; 8];
    for round in 0..3 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["log::append_until_killed", "--exact", "--ignored", "--nocapture"])
            .env("ALINEA_TEST_URL", &database.url)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut read = |line: String| {
            let mut words = line.split(' ').skip_while(|word| *word != "ack").skip(1);
            if let (Some(table), Some(version)) = (words.next(), words.next()) {
                acknowledged[table.parse::<usize>().unwrap()] = version.parse().unwrap();
            }
        };
        for _ in 0..300 + 100 * round {
            read(lines.next().unwrap().unwrap());
        }
        child.kill().unwrap();
        child.wait().unwrap();
        lines.map_while(Result::ok).for_each(&mut read);
        for (table, &version) in acknowledged.iter().enumerate() {
            let log = texts(&store, &table.to_string(), 0).await;
            assert!(log.len() as u64 >= version, "table {table} lost {version}, has {}", log.len());
        }
    }
    assert!(acknowledged.iter().sum::<u64>() > 500);
}

pub(crate) async fn a_closed_store_is_unavailable(database: Database) {
    let store = database.open().await;
    create_table(&store, &row("t")).await;
    store.ping().await.unwrap();
    store.close().await;
    let unavailable = |error| matches!(error, StoreError::Unavailable { .. });
    assert!(unavailable(store.append(&key("t"), 1, 1, vec![chat("x")], None).await.unwrap_err()));
    assert!(unavailable(store.table("t").await.unwrap_err()));
    assert!(unavailable(store.ping().await.unwrap_err()));
    store.close().await;
}
