//! The rows of tables, and their migration.

use alinea_store::{Clock as ServerClock, StoreError, TableChange, TableFilter, TableKey, TableRow, Tally};
use protocol::{Clock, EndReason, Event, Occupant, Status};
use rules::Side;
use sqlx::{
    AssertSqlSafe, Executor, SqlSafeStr,
    migrate::{Migration, MigrationType, Migrator},
};

use crate::{Database, chat, create_table, created, end_of_game, ended, key, person, row, settings, texts};

pub(crate) async fn tables_are_stored_as_created(database: Database) {
    let store = database.open().await;
    let mut kept = row("t1");
    kept.code = Some("ABCD".into());
    kept.seats = [person("g:1"), Occupant::Open];
    kept.status = Status::Open;
    kept.needs_owner = true;
    create_table(&store, &kept).await;
    assert_eq!(store.table("t1").await.unwrap(), Some(kept.clone()));
    assert_eq!(store.table("t2").await.unwrap(), None);
    assert_eq!(store.create_table(&kept, vec![]).await, Err(StoreError::Conflict));
    store.close().await;

    let again = database.open().await;
    assert_eq!(again.table("t1").await.unwrap(), Some(kept.clone()));
    let log = again.events("t1", 0).await.unwrap();
    assert_eq!((log[0].version, log[0].at, &log[0].event), (1, 1_000, &created(&kept)));

    let change = TableChange {
        status: Some(Status::Playing),
        seats: Some([person("g:1"), Occupant::Program { name: "smart:5".into(), rating: Some(1700) }]),
        free_code: true,
        needs_owner: Some(false),
        ..TableChange::default()
    };
    again.append(&key("t1"), 1, 2_000, vec![chat("hi")], Some(change.clone())).await.unwrap();
    let expected = TableRow {
        code: None,
        status: Status::Playing,
        seats: change.seats.unwrap(),
        needs_owner: false,
        updated: 2_000,
        ..kept
    };
    assert_eq!(again.table("t1").await.unwrap(), Some(expected.clone()));
    again.append(&key("t1"), 2, 3_000, vec![ended(None)], Some(end_of_game(None, None))).await.unwrap();
    let over = TableRow {
        status: Status::Ended,
        reason: Some(EndReason::Rules),
        ply: 9,
        updated: 3_000,
        ..expected
    };
    assert_eq!(again.table("t1").await.unwrap(), Some(over));
}

/// A database as version 0.1 left it is migrated when it is opened.
pub(crate) async fn a_database_of_version_0_1_is_migrated(database: Database) {
    sqlx::any::install_default_drivers();
    let url =
        if database.is_postgres() { database.url.clone() } else { format!("{}?mode=rwc", database.url) };
    let old = sqlx::AnyPool::connect(&url).await.unwrap();
    let start = include_str!("../../migrations/0001_start.sql").into_sql_str();
    let start = Migration::new(1, "start".into(), MigrationType::Simple, start, false);
    Migrator::with_migrations(vec![start]).run(&old).await.unwrap();
    let (settings, seats) =
        (serde_json::json!(settings()), serde_json::json!([Occupant::Open, Occupant::Open]));
    for (table, created) in [("late", 9), ("early", 5)] {
        let sql = format!(
            "INSERT INTO tables (id, settings, family, game, clock_kind, rated, listed, seats, status, ply, created,
                updated, needs_care)
            VALUES ('{table}', '{settings}', 'f', 'g', 'fast', 0, 1, '{seats}', 'open', 0, {created}, 1, 0)"
        );
        old.execute(AssertSqlSafe(sql)).await.unwrap();
        // Version 0.1 called the creator of a table its maker.
        let created = serde_json::json!({
            "kind": "created", "settings": settings, "seats": seats, "maker": "g:ann"
        });
        let chat = |version| serde_json::json!(chat(format!("{table} {version}")));
        for (version, event) in [(1, created), (2, chat(2))] {
            let sql = format!("INSERT INTO events VALUES ('{table}', {version}, 7, '{event}')");
            old.execute(AssertSqlSafe(sql)).await.unwrap();
        }
    }
    old.close().await;

    let store = database.open().await;
    let [early, late] = ["early", "late"];
    for table in [early, late] {
        let key = store.table(table).await.unwrap().unwrap().key;
        assert_eq!(key.number, if table == early { 1 } else { 2 }, "in the order of creation");
        assert_eq!(store.append(&key, 1, 8, vec![chat("too late")], None).await, Err(StoreError::Conflict));
        store.append(&key, 2, 8, vec![chat("continues")], None).await.unwrap();
        assert_eq!(texts(&store, table, 1).await, [format!("{table} 2"), "continues".into()]);
        let first = store.events(table, 0).await.unwrap().remove(0);
        assert!(matches!(first.event, Event::Created { creator, .. } if creator == "g:ann"));
    }
    create_table(&store, &TableRow { key: TableKey::new(ServerClock::system().now_ms()), ..row("") }).await;
}

pub(crate) async fn a_table_number_is_unique(database: Database) {
    let store = database.open().await;
    create_table(&store, &row("t")).await;
    let same_number = TableKey { id: "another".into(), ..key("t") };
    let second = TableRow { key: same_number, ..row("another") };
    assert_eq!(store.create_table(&second, vec![created(&second)]).await, Err(StoreError::Conflict));
    // Nor after the events of the first.
    assert_eq!(store.create_table(&second, vec![]).await, Err(StoreError::Conflict));
    assert_eq!(store.events("another", 0).await.unwrap(), []);
    assert_eq!(store.events("t", 0).await.unwrap().len(), 1);
}

pub(crate) async fn a_code_is_unique_until_it_is_freed(database: Database) {
    let store = database.open().await;
    let coded = |id| TableRow { code: Some("ABCD".into()), ..row(id) };
    create_table(&store, &coded("t1")).await;
    assert_eq!(store.table_by_code("ABCD").await.unwrap().as_deref(), Some("t1"));
    assert_eq!(store.table_by_code("abcd").await.unwrap(), None);
    assert_eq!(store.create_table(&coded("t2"), vec![chat("hi")]).await, Err(StoreError::Conflict));
    assert_eq!(store.events("t2", 0).await.unwrap(), []);
    let free = TableChange { free_code: true, ..TableChange::default() };
    store.append(&key("t1"), 1, 2_000, vec![chat("in")], Some(free)).await.unwrap();
    assert_eq!(store.table_by_code("ABCD").await.unwrap(), None);
    create_table(&store, &coded("t2")).await;
}

pub(crate) async fn lists_are_filtered_and_paged(database: Database) {
    let store = database.open().await;
    for index in 0..10u64 {
        let mut row = row(&format!("t{index}"));
        row.created = 1_000 + index / 2; // pairs of the same time
        row.settings.listed = index != 9;
        row.settings.rated = index % 2 == 0;
        if index >= 5 {
            row.settings.game = "tic-tac-toe".into();
        }
        if index == 3 {
            row.seats = [Occupant::Program { name: "u:ann".into(), rating: None }, person("g:cy")];
            row.status = Status::Open;
        }
        create_table(&store, &row).await;
    }
    let ids = |filter: TableFilter| {
        let store = &store;
        async move {
            let rows = store.tables(&TableFilter { limit: 4, ..filter }).await.unwrap();
            rows.into_iter().map(|row| row.key.id).collect::<Vec<_>>()
        }
    };
    let any = TableFilter::default;
    assert_eq!(ids(any()).await, ["t9", "t8", "t7", "t6"]);
    assert_eq!(
        ids(TableFilter { before: Some((1_003, "t6".into())), ..any() }).await,
        ["t5", "t4", "t3", "t2"]
    );
    assert_eq!(ids(TableFilter { before: Some((1_000, "t1".into())), ..any() }).await, ["t0"]);
    assert_eq!(ids(TableFilter { listed: Some(true), ..any() }).await, ["t8", "t7", "t6", "t5"]);
    assert_eq!(ids(TableFilter { listed: Some(false), ..any() }).await, ["t9"]);
    assert_eq!(ids(TableFilter { rated: Some(false), ..any() }).await, ["t9", "t7", "t5", "t3"]);
    let connect_four = Some("connect-four".into());
    assert_eq!(ids(TableFilter { game: connect_four.clone(), ..any() }).await, ["t4", "t3", "t2", "t1"]);
    let sized = Some("connect-four:6x7x4".into());
    assert_eq!(ids(TableFilter { game: sized, ..any() }).await, ["t4", "t3", "t2", "t1"]);
    assert_eq!(ids(TableFilter { game: Some("connect-four:5x5x4".into()), ..any() }).await, [""; 0]);
    assert_eq!(ids(TableFilter { player: Some("g:cy".into()), ..any() }).await, ["t3"]);
    assert_eq!(ids(TableFilter { status: Some(Status::Open), ..any() }).await, ["t3"]);
    let ann = TableFilter { player: Some("u:ann".into()), game: connect_four, ..any() };
    assert_eq!(ids(ann).await, ["t4", "t2", "t1", "t0"]);
    assert_eq!(ids(TableFilter { player: Some("' OR 1=1 --".into()), ..any() }).await, [""; 0]);
}

pub(crate) async fn live_games_and_those_that_were_left_are_told_apart(database: Database) {
    let store = database.open().await;
    let untimed = |id: &str| {
        let mut row = row(id);
        (row.created, row.updated) = (1_000, 1_000);
        row.settings.clock = Clock::None;
        row.seats = [person("g:ann"), person("g:bob")];
        row
    };
    for id in ["left", "live"] {
        create_table(&store, &untimed(id)).await;
    }
    let mut open = TableRow { status: Status::Open, ..untimed("open") };
    open.seats[1] = Occupant::Open;
    create_table(&store, &open).await;
    let account = TableRow { seats: [person("u:ann"), person("g:bob")], ..untimed("account") };
    create_table(&store, &account).await;
    create_table(&store, &TableRow { settings: row("x").settings, ..untimed("timed") }).await;
    store.append(&key("live"), 1, 5_000, vec![chat("x")], None).await.unwrap();

    assert_eq!(store.left_tables(2_000, 2_000).await.unwrap(), ["open", "left"]);
    assert_eq!(store.left_tables(500, 500).await.unwrap(), [""; 0]);
    let live = TableFilter { active_since: Some(4_000), limit: 9, ..TableFilter::default() };
    let live: Vec<_> = store.tables(&live).await.unwrap().into_iter().map(|row| row.key.id).collect();
    assert_eq!(live, ["live"]);
}

pub(crate) async fn a_tally_counts_results(database: Database) {
    let store = database.open().await;
    let ends = [Some(Side::First), Some(Side::First), Some(Side::Second), None];
    for (index, winner) in ends.into_iter().enumerate() {
        let id = index.to_string();
        create_table(&store, &row(&id)).await;
        store.append(&key(&id), 1, 9, vec![ended(winner)], Some(end_of_game(winner, None))).await.unwrap();
    }
    create_table(&store, &row("continues")).await;
    create_table(&store, &row("aborted")).await;
    let aborted = TableChange {
        status: Some(Status::Ended),
        reason: Some(EndReason::Aborted),
        ..TableChange::default()
    };
    store.append(&key("aborted"), 1, 9, vec![chat("bye")], Some(aborted)).await.unwrap();
    assert_eq!(store.tally("u:ann").await.unwrap(), Tally { won: 2, drawn: 1, lost: 1 });
    assert_eq!(store.tally("u:bob").await.unwrap(), Tally { won: 1, drawn: 1, lost: 2 });
    assert_eq!(store.tally("u:cy").await.unwrap(), Tally::default());
}
