//! One suite for both databases: every story is told on SQLite and on PostgreSQL.

use std::collections::HashSet;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use alinea_server::store::{
    Account, ApiToken, Hint, Rated, RatedPlayer, Session, Store, StoreError, TableChange, TableFilter,
    TableKey, TableRow, Tally, WaitingSeek,
};
use protocol::{
    Chat, Clock, ClockKind, EndReason, Event, Occupant, RankingEntry, RatingChange, Seek, Settings, Status,
};
use rules::Side;
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::{AssertSqlSafe, Connection, Executor, SqlSafeStr};
use testkit::{Folder, Postgres};

/// A database of one test's own.
struct Place {
    url: String,
    /// Deleted at the end.
    _folder: Option<Folder>,
}

impl Place {
    fn sqlite() -> Place {
        let folder = Folder::new();
        Place { url: folder.sqlite(), _folder: Some(folder) }
    }

    fn postgres() -> Place {
        Place { url: Postgres::shared().database(), _folder: None }
    }

    async fn open(&self) -> Store {
        Store::open(&self.url).await.unwrap()
    }

    fn is_postgres(&self) -> bool {
        self.url.starts_with("postgres")
    }
}

/// Makes of each story a test per database.
macro_rules! stories {
    ($($story:ident)*) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $story() {
                super::$story(super::Place::sqlite()).await;
            })*
        }
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $story() {
                super::$story(super::Place::postgres()).await;
            })*
        }
    };
}

stories! {
    tables_are_kept_as_they_were_made
    tables_from_before_they_had_numbers_go_on
    a_number_is_given_once
    a_code_opens_one_table_until_it_is_freed
    events_follow_each_other
    the_second_writer_of_a_version_is_told
    several_events_go_in_together_or_not_at_all
    two_stores_race_for_the_same_version
    many_moves_at_once_share_commits
    who_comes_too_late_does_not_hold_up_the_others
    lists_show_what_was_asked_for_page_by_page
    a_tally_counts_the_ends
    a_game_is_rated_exactly_once
    levels_keep_their_ratings
    rankings_leave_out_the_uncertain
    seekers_meet_once_on_whichever_node
    waiting_widens_the_reach
    seeks_end
    tables_of_dead_nodes_are_adopted
    a_restart_is_a_downtime
    names_are_unique_however_they_are_written
    sessions_can_be_listed_and_ended
    api_tokens_act_for_an_account
    settings_are_decided_once
    acknowledged_events_survive_a_kill
    a_closed_store_says_so
}

fn settings() -> Settings {
    Settings {
        game: "connect-four:6x7x4".into(),
        position: None,
        clock: Clock::Game { initial_ms: 60_000, increment_ms: 1_000 },
        rated: true,
        take_back: false,
        listed: true,
        invited: None,
    }
}

fn person(id: &str) -> Occupant {
    Occupant::Person { id: id.into(), name: id.to_uppercase(), rating: Some(1500) }
}

/// By what a table of this name is known.
fn key(id: &str) -> TableKey {
    let number = id.bytes().fold(7, |number: u64, byte| number.wrapping_mul(31).wrapping_add(byte.into()));
    TableKey { id: id.into(), number: number % (1 << 63) }
}

fn row(id: &str) -> TableRow {
    TableRow {
        key: key(id),
        code: None,
        settings: settings(),
        seats: [person("u:ann"), person("u:bob")],
        status: Status::Playing,
        winner: None,
        reason: None,
        ply: 0,
        created: 1_000,
        updated: 1_000,
        needs_care: false,
    }
}

fn created(row: &TableRow) -> Event {
    Event::Created { settings: row.settings.clone(), seats: row.seats.clone(), creator: String::new() }
}

fn said(text: impl ToString) -> Event {
    Event::Chat(Chat { from: "ann".into(), side: None, text: text.to_string() })
}

async fn make_table(store: &Store, row: &TableRow) {
    store.create_table(row, vec![created(row)]).await.unwrap();
}

async fn texts(store: &Store, table: &str, after: u64) -> Vec<String> {
    let events = store.events(table, after).await.unwrap();
    for (event, version) in events.iter().zip(after + 1..) {
        assert_eq!(event.version, version, "a gap in the log of {table}");
    }
    let text = |event| match event {
        Event::Chat(Chat { text, .. }) => text,
        other => format!("{other:?}"),
    };
    events.into_iter().map(|event| text(event.event)).collect()
}

fn ended(winner: Option<Side>) -> Event {
    Event::Ended { winner, reason: EndReason::Rules, ratings: None }
}

fn end_of_game(winner: Option<Side>, rated: Option<Rated>) -> TableChange {
    TableChange {
        status: Some(Status::Ended),
        winner,
        reason: Some(EndReason::Rules),
        ply: Some(9),
        rated,
        ..TableChange::default()
    }
}

fn rated(first: &str, second: &str) -> Rated {
    Rated {
        first: RatedPlayer::Account(first.into()),
        second: RatedPlayer::Account(second.into()),
        game: "connect-four".into(),
        clock_kind: ClockKind::Fast,
    }
}

async fn account(store: &Store, name: &str) -> Account {
    let account = Account { id: format!("u:{name}"), name: name.into(), password: "hash".into(), created: 7 };
    store.create_account(&account).await.unwrap();
    account
}

/// Waits for a hint, whatever else is heard before.
async fn heard(hints: &mut tokio::sync::broadcast::Receiver<Hint>, wanted: &Hint) {
    let hear = async { while hints.recv().await.as_ref() != Ok(wanted) {} };
    tokio::time::timeout(Duration::from_secs(20), hear)
        .await
        .unwrap_or_else(|_| panic!("never heard {wanted:?}"));
}

async fn tables_are_kept_as_they_were_made(place: Place) {
    let store = place.open().await;
    let mut kept = row("t1");
    kept.code = Some("ABCD".into());
    kept.seats = [person("g:1"), Occupant::Open];
    kept.status = Status::Open;
    kept.needs_care = true;
    make_table(&store, &kept).await;
    assert_eq!(store.table("t1").await.unwrap(), Some(kept.clone()));
    assert_eq!(store.table("t2").await.unwrap(), None);
    assert_eq!(store.create_table(&kept, vec![]).await, Err(StoreError::Conflict));
    store.close().await;

    let again = place.open().await;
    assert_eq!(again.table("t1").await.unwrap(), Some(kept.clone()));
    let log = again.events("t1", 0).await.unwrap();
    assert_eq!((log[0].version, log[0].at, &log[0].event), (1, 1_000, &created(&kept)));

    let change = TableChange {
        status: Some(Status::Playing),
        seats: Some([person("g:1"), Occupant::Program { name: "smart:5".into(), rating: Some(1700) }]),
        free_code: true,
        needs_care: Some(false),
        ..TableChange::default()
    };
    again.append(&key("t1"), 1, 2_000, vec![said("hi")], Some(change.clone())).await.unwrap();
    let expected = TableRow {
        code: None,
        status: Status::Playing,
        seats: change.seats.unwrap(),
        needs_care: false,
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

/// A database as the first version left it is brought up to date when it is opened.
async fn tables_from_before_they_had_numbers_go_on(place: Place) {
    sqlx::any::install_default_drivers();
    let url = if place.is_postgres() { place.url.clone() } else { format!("{}?mode=rwc", place.url) };
    let old = sqlx::AnyPool::connect(&url).await.unwrap();
    let start = include_str!("../migrations/0001_start.sql").into_sql_str();
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
        for version in 1..=2 {
            let event = serde_json::json!(said(format!("{table} {version}")));
            let sql = format!("INSERT INTO events VALUES ('{table}', {version}, 7, '{event}')");
            old.execute(AssertSqlSafe(sql)).await.unwrap();
        }
    }
    old.close().await;

    let store = place.open().await;
    let [early, late] = ["early", "late"];
    for table in [early, late] {
        let key = store.table(table).await.unwrap().unwrap().key;
        assert_eq!(key.number, if table == early { 1 } else { 2 }, "in the order of their making");
        assert_eq!(store.append(&key, 1, 8, vec![said("too late")], None).await, Err(StoreError::Conflict));
        store.append(&key, 2, 8, vec![said("goes on")], None).await.unwrap();
        assert_eq!(
            texts(&store, table, 0).await,
            [format!("{table} 1"), format!("{table} 2"), "goes on".into()]
        );
    }
    make_table(&store, &TableRow { key: TableKey::new(alinea_server::now_ms()), ..row("") }).await;
}

async fn a_number_is_given_once(place: Place) {
    let store = place.open().await;
    make_table(&store, &row("t")).await;
    let same_number = TableKey { id: "another".into(), ..key("t") };
    let second = TableRow { key: same_number, ..row("another") };
    assert_eq!(store.create_table(&second, vec![created(&second)]).await, Err(StoreError::Conflict));
    // Nor behind the events of the first.
    assert_eq!(store.create_table(&second, vec![]).await, Err(StoreError::Conflict));
    assert_eq!(store.events("another", 0).await.unwrap(), []);
    assert_eq!(store.events("t", 0).await.unwrap().len(), 1);
}

async fn a_code_opens_one_table_until_it_is_freed(place: Place) {
    let store = place.open().await;
    let coded = |id| TableRow { code: Some("ABCD".into()), ..row(id) };
    make_table(&store, &coded("t1")).await;
    assert_eq!(store.table_by_code("ABCD").await.unwrap().as_deref(), Some("t1"));
    assert_eq!(store.table_by_code("abcd").await.unwrap(), None);
    assert_eq!(store.create_table(&coded("t2"), vec![said("hi")]).await, Err(StoreError::Conflict));
    assert_eq!(store.events("t2", 0).await.unwrap(), []);
    let free = TableChange { free_code: true, ..TableChange::default() };
    store.append(&key("t1"), 1, 2_000, vec![said("in")], Some(free)).await.unwrap();
    assert_eq!(store.table_by_code("ABCD").await.unwrap(), None);
    make_table(&store, &coded("t2")).await;
}

async fn events_follow_each_other(place: Place) {
    let store = place.open().await;
    make_table(&store, &row("t")).await;
    for version in 1..20 {
        let appended = store.append(&key("t"), version, version, vec![said(version)], None).await.unwrap();
        assert_eq!(appended[0].version, version + 1);
    }
    let log = store.events("t", 0).await.unwrap();
    assert_eq!(log.len(), 20);
    assert_eq!(texts(&store, "t", 15).await, ["15", "16", "17", "18", "19"]);
    assert_eq!(store.events("t", 20).await.unwrap(), []);
    assert_eq!(store.events("nowhere", 0).await.unwrap(), []);

    let many: Vec<_> = (0..250).map(|index| format!("t{index}")).collect();
    for id in &many {
        make_table(&store, &row(id)).await;
    }
    let asked: Vec<_> = [many.as_slice(), &["t".into(), "nowhere".into()]].concat();
    let versions = store.versions(&asked).await.unwrap();
    assert_eq!(versions.len(), 251);
    assert!(versions.contains(&("t".into(), 20)) && versions.contains(&("t249".into(), 1)));
}

async fn the_second_writer_of_a_version_is_told(place: Place) {
    let (one, two) = (place.open().await, place.open().await);
    make_table(&one, &row("t")).await;
    one.append(&key("t"), 1, 5, vec![said("one")], None).await.unwrap();
    assert_eq!(two.append(&key("t"), 1, 5, vec![said("two")], None).await, Err(StoreError::Conflict));
    let change = TableChange { status: Some(Status::Ended), ..TableChange::default() };
    assert_eq!(two.append(&key("t"), 1, 5, vec![said("two")], Some(change)).await, Err(StoreError::Conflict));
    assert_eq!(two.table("t").await.unwrap().unwrap().status, Status::Playing);
    assert_eq!(texts(&two, "t", 1).await, ["one"]);
    two.append(&key("t"), 2, 6, vec![said("two")], None).await.unwrap();
    assert_eq!(texts(&one, "t", 1).await, ["one", "two"]);
}

async fn several_events_go_in_together_or_not_at_all(place: Place) {
    let store = place.open().await;
    make_table(&store, &row("t")).await;
    let three = || vec![said("a"), said("b"), said("c")];
    store.append(&key("t"), 1, 5, vec![said("first")], None).await.unwrap();
    assert_eq!(store.append(&key("t"), 1, 5, three(), None).await, Err(StoreError::Conflict));
    assert_eq!(texts(&store, "t", 1).await, ["first"]);
    let versions = store.append(&key("t"), 2, 5, three(), None).await.unwrap();
    assert_eq!(versions.iter().map(|event| event.version).collect::<Vec<_>>(), [3, 4, 5]);
    assert_eq!(texts(&store, "t", 1).await, ["first", "a", "b", "c"]);
}

async fn two_stores_race_for_the_same_version(place: Place) {
    const RACES: u64 = 10_000;
    const TABLES: u64 = 100;
    let stores = [place.open().await, place.open().await];
    for table in 0..TABLES {
        make_table(&stores[0], &row(&table.to_string())).await;
    }
    let mut races = Vec::new();
    for table in 0..TABLES {
        let stores = stores.clone();
        races.push(tokio::spawn(async move {
            let table = key(&table.to_string());
            for version in 1..=RACES / TABLES {
                let [one, two] = stores.each_ref().map(|store| {
                    // Some race with a single event, some with a change of the row as well.
                    let change =
                        (version % 5 == 0 && store.node() == stores[0].node()).then(TableChange::default);
                    store.append(&table, version, version, vec![said(store.node())], change)
                });
                let (one, two) = tokio::join!(one, two);
                let winner = match (one, two) {
                    (Ok(_), Err(StoreError::Conflict)) => 0,
                    (Err(StoreError::Conflict), Ok(_)) => 1,
                    other => panic!("{other:?}"),
                };
                assert_eq!(texts(&stores[0], &table.id, version).await, [stores[winner].node()]);
            }
        }));
    }
    for race in races {
        race.await.unwrap();
    }
}

async fn many_moves_at_once_share_commits(place: Place) {
    let store = place.open().await;
    let mut writers = Vec::new();
    for table in 0..200 {
        let store = store.clone();
        writers.push(tokio::spawn(async move {
            let table = table.to_string();
            make_table(&store, &row(&table)).await;
            for version in 1..=20 {
                store.append(&key(&table), version, version, vec![said(version)], None).await.unwrap();
            }
            let expected: Vec<_> = (1..=20).map(|version| version.to_string()).collect();
            assert_eq!(texts(&store, &table, 1).await, expected);
        }));
    }
    for writer in writers {
        writer.await.unwrap();
    }
}

/// Games that begin, go on and end share commits; a conflict in one of them is told there alone.
async fn who_comes_too_late_does_not_hold_up_the_others(place: Place) {
    const GAMES: usize = 150;
    let store = place.open().await;
    for game in 0..GAMES {
        make_table(&store, &row(&format!("old{game}"))).await;
    }
    let mut tasks = Vec::new();
    for game in 0..GAMES {
        let store = store.clone();
        tasks.push(tokio::spawn(async move {
            let is_late = game % 7 == 0;
            let after = if is_late { 0 } else { 1 };
            let old = format!("old{game}");
            let done = match game % 3 {
                0 => store.append(&key(&old), after, 2_000, vec![said("on")], None).await.map(drop),
                1 => {
                    let events = vec![said("on"), ended(None)];
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

async fn lists_show_what_was_asked_for_page_by_page(place: Place) {
    let store = place.open().await;
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
        make_table(&store, &row).await;
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

async fn a_tally_counts_the_ends(place: Place) {
    let store = place.open().await;
    let ends = [Some(Side::First), Some(Side::First), Some(Side::Second), None];
    for (index, winner) in ends.into_iter().enumerate() {
        let id = index.to_string();
        make_table(&store, &row(&id)).await;
        store.append(&key(&id), 1, 9, vec![ended(winner)], Some(end_of_game(winner, None))).await.unwrap();
    }
    make_table(&store, &row("goes on")).await;
    make_table(&store, &row("aborted")).await;
    let aborted = TableChange {
        status: Some(Status::Ended),
        reason: Some(EndReason::Aborted),
        ..TableChange::default()
    };
    store.append(&key("aborted"), 1, 9, vec![said("bye")], Some(aborted)).await.unwrap();
    assert_eq!(store.tally("u:ann").await.unwrap(), Tally { won: 2, drawn: 1, lost: 1 });
    assert_eq!(store.tally("u:bob").await.unwrap(), Tally { won: 1, drawn: 1, lost: 2 });
    assert_eq!(store.tally("u:cy").await.unwrap(), Tally::default());
}

async fn a_game_is_rated_exactly_once(place: Place) {
    let stores = [place.open().await, place.open().await];
    let now = alinea_server::now_ms();
    for name in ["ann", "bob"] {
        account(&stores[0], name).await;
    }
    make_table(&stores[0], &row("t")).await;
    let winner = Some(Side::First);
    // Four attempts at the same version from two stores, and a later one at another version.
    let attempts = [0, 1, 0, 1].map(|index| {
        let store = stores[index].clone();
        tokio::spawn(async move {
            let change = end_of_game(winner, Some(rated("u:ann", "u:bob")));
            store.append(&key("t"), 1, now, vec![said("gg"), ended(winner)], Some(change)).await
        })
    });
    let mut won = Vec::new();
    for attempt in attempts {
        match attempt.await.unwrap() {
            Ok(events) => won.push(events),
            Err(error) => assert_eq!(error, StoreError::Conflict),
        }
    }
    let [events] = won.as_slice() else { panic!("{won:?}") };
    assert_eq!(stores[1].events("t", 1).await.unwrap(), *events);
    let Event::Ended { ratings: Some([Some(ann), Some(bob)]), .. } = events[1].event else {
        panic!("{events:?}")
    };
    assert_eq!((ann.before, bob.before), (1500.0, 1500.0));
    assert!(ann.after > 1600.0 && bob.after < 1400.0 && ann.deviation < 350.0);

    let again = end_of_game(winner, Some(rated("u:ann", "u:bob")));
    let events = stores[0].append(&key("t"), 3, now, vec![ended(winner)], Some(again)).await.unwrap();
    assert!(matches!(events[0].event, Event::Ended { ratings: None, .. }));
    for (id, change) in [("u:ann", ann), ("u:bob", bob)] {
        let lines = stores[0].ratings(id).await.unwrap();
        assert_eq!((lines.len(), lines[0].games, lines[0].rating), (1, 1, change.after));
        let history = stores[0].rating_history(id, "connect-four", ClockKind::Fast).await.unwrap();
        assert_eq!(history.len(), 1);
        assert_eq!(
            (history[0].table.as_deref(), history[0].at, history[0].rating),
            (Some("t"), now, change.after)
        );
        let rating = stores[0].rating(id, "connect-four", ClockKind::Fast).await.unwrap();
        assert_eq!(rating.rating, change.after);
        let other = stores[0].rating(id, "connect-four", ClockKind::Slow).await.unwrap();
        assert_eq!(other.rating, 1500.0);
    }
}

async fn levels_keep_their_ratings(place: Place) {
    let store = place.open().await;
    make_table(&store, &row("t")).await;
    let game = Rated { second: RatedPlayer::Fixed(1800.0), ..rated("u:ann", "") };
    let now = alinea_server::now_ms();
    let change = end_of_game(Some(Side::First), Some(game));
    let events = store.append(&key("t"), 1, now, vec![ended(Some(Side::First))], Some(change)).await.unwrap();
    let Event::Ended { ratings: Some([Some(RatingChange { after, .. }), None]), .. } = events[0].event else {
        panic!("{events:?}")
    };
    assert!(after > 1700.0, "{after}");
    assert_eq!(store.ratings("u:ann").await.unwrap()[0].rating, after);

    let oneself = end_of_game(None, Some(rated("u:ann", "u:ann")));
    make_table(&store, &row("t2")).await;
    let events = store.append(&key("t2"), 1, now, vec![ended(None)], Some(oneself)).await.unwrap();
    assert!(matches!(events[0].event, Event::Ended { ratings: None, .. }));
}

async fn rankings_leave_out_the_uncertain(place: Place) {
    let store = place.open().await;
    for name in ["ann", "bob", "cy", "dee"] {
        account(&store, name).await;
    }
    let now = alinea_server::now_ms();
    let year = 365 * 24 * 3_600_000;
    let mut table = 0;
    let mut play = async |first: &str, second: &str, winner, at| {
        table += 1;
        let id = table.to_string();
        make_table(&store, &row(&id)).await;
        let change = end_of_game(winner, Some(rated(first, second)));
        store.append(&key(&id), 1, at, vec![ended(winner)], Some(change)).await.unwrap();
    };
    // Ann and Bob play much, Cy did long ago, Dee has just come.
    for _ in 0..30 {
        play("u:ann", "u:cy", Some(Side::First), now - 3 * year).await;
    }
    for game in 0..30 {
        let winner = if game % 3 == 0 { Side::Second } else { Side::First };
        play("u:bob", "u:ann", Some(winner), now).await;
    }
    play("u:dee", "u:ann", Some(Side::First), now).await;
    let ranking = store.ranking("connect-four", ClockKind::Fast, 10, 0).await.unwrap();
    let names: Vec<_> = ranking.iter().map(|line| (line.place, line.name.as_str())).collect();
    assert_eq!(names, [(1, "bob"), (2, "ann")], "{ranking:?}");
    assert!(ranking.iter().all(|line| line.deviation < 110.0 && line.games >= 30));
    let second = store.ranking("connect-four", ClockKind::Fast, 10, 1).await.unwrap();
    let line = |line: &RankingEntry| (line.place, line.name.clone(), line.rating);
    assert_eq!(second.iter().map(line).collect::<Vec<_>>(), [line(&ranking[1])]);
    assert_eq!(store.ranking("connect-four", ClockKind::Slow, 10, 0).await.unwrap(), []);
    let history = store.rating_history("u:cy", "connect-four", ClockKind::Fast).await.unwrap();
    assert_eq!(history.len(), 30);
}

fn seek(player: &str, rating: i64, since: u64) -> WaitingSeek {
    WaitingSeek {
        id: format!("seek-of-{player}"),
        player: player.into(),
        occupant: person(player),
        wish: Seek { game: "tic-tac-toe".into(), clock: Clock::None, rated: false, range: 150 },
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

async fn seekers_meet_once_on_whichever_node(place: Place) {
    let stores = [place.open().await, place.open().await];
    let mut hints = stores[0].hints();
    let mut elsewhere = stores[1].hints();
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
    let told = Hint::Paired { seek: last.seeks[1].id.clone(), table: last.table.clone() };
    if place.is_postgres() {
        tokio::join!(heard(&mut hints, &told), heard(&mut elsewhere, &told));
    } else {
        tokio::select! { () = heard(&mut hints, &told) => {}, () = heard(&mut elsewhere, &told) => {} }
    }
    // Whoever missed the hint hears it with the next renewal.
    let renewed = stores[1].renew_seek(&first.seeks[0].id, 2_000).await.unwrap();
    assert_eq!(renewed.as_ref(), Some(&first.table));
    assert!(!stores[0].remove_seek(&first.seeks[0].id).await.unwrap());
    assert_eq!(stores[0].pair(2_000, opened).await.unwrap(), []);
}

async fn waiting_widens_the_reach(place: Place) {
    let store = place.open().await;
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

async fn seeks_end(place: Place) {
    let store = place.open().await;
    store.put_seek(&seek("gone", 1500, 1_000), 1_000).await.unwrap();
    store.put_seek(&seek("left", 1500, 1_000), 20_000).await.unwrap();
    store.put_seek(&seek("here", 1500, 1_000), 1_000).await.unwrap();
    assert_eq!(store.renew_seek("seek-of-here", 20_000).await.unwrap(), None);
    assert!(store.remove_seek("seek-of-left").await.unwrap());
    assert_eq!(store.pair(20_000, opened).await.unwrap(), []);
    assert_eq!(store.renew_seek("seek-of-gone", 20_000).await, Err(StoreError::Conflict));
    // A second wish of the same player replaces the first.
    let second = WaitingSeek { id: "second".into(), ..seek("here", 1500, 2_000) };
    store.put_seek(&second, 20_000).await.unwrap();
    assert_eq!(store.renew_seek("seek-of-here", 20_000).await, Err(StoreError::Conflict));
    assert_eq!(store.pair(20_000, opened).await.unwrap(), []);
}

async fn tables_of_dead_nodes_are_adopted(place: Place) {
    let (dies, lives) = (place.open().await, place.open().await);
    for (id, needs_care) in [("program", true), ("people", false)] {
        make_table(&dies, &TableRow { needs_care, ..row(id) }).await;
    }
    make_table(&lives, &TableRow { needs_care: true, ..row("mine") }).await;
    dies.heartbeat(100_000).await.unwrap();
    if place.is_postgres() {
        // Elsewhere a file has one server, and the second would take the first for dead.
        lives.heartbeat(104_000).await.unwrap();
        assert_eq!(lives.adopt(95_000).await.unwrap(), [""; 0]);
    }
    lives.heartbeat(112_000).await.unwrap();
    assert_eq!(lives.adopt(105_000).await.unwrap(), ["program"]);
    assert_eq!(lives.adopt(105_000).await.unwrap(), [""; 0]);
    assert!(lives.cares("program").await.unwrap() && !dies.cares("program").await.unwrap());
    assert_eq!(lives.living(105_000).await.unwrap(), [lives.node()]);
    dies.heartbeat(113_000).await.unwrap();
    assert_eq!(dies.adopt(105_000).await.unwrap(), [""; 0]);
}

async fn a_restart_is_a_downtime(place: Place) {
    let store = place.open().await;
    assert_eq!(store.heartbeat(100_000).await.unwrap(), None);
    assert_eq!(store.heartbeat(102_000).await.unwrap(), None);
    // The database was away.
    assert_eq!(store.heartbeat(110_000).await.unwrap(), Some((102_000, 110_000)));
    make_table(&store, &TableRow { needs_care: true, ..row("t") }).await;
    store.close().await;
    drop(store);

    // The server was away, if only for a moment.
    let again = place.open().await;
    assert_eq!(again.heartbeat(111_500).await.unwrap(), Some((110_000, 111_500)));
    assert_eq!(again.adopt(105_000).await.unwrap(), ["t"]);
    assert_eq!(again.downtimes(0).await.unwrap(), [(102_000, 110_000), (110_000, 111_500)]);
    assert_eq!(again.downtimes(110_000).await.unwrap(), [(110_000, 111_500)]);
    if place.is_postgres() {
        // A second node beside the first is no restart.
        let second = place.open().await;
        assert_eq!(second.heartbeat(112_500).await.unwrap(), None);
    }
}

async fn names_are_unique_however_they_are_written(place: Place) {
    let store = place.open().await;
    let ann = account(&store, "Ann_1").await;
    let other = Account { id: "u:other".into(), name: "aNN_1".into(), ..ann.clone() };
    assert_eq!(store.create_account(&other).await, Err(StoreError::Conflict));
    assert_eq!(store.account_by_name("ANN_1").await.unwrap(), Some(ann.clone()));
    assert_eq!(store.account(&ann.id).await.unwrap(), Some(ann.clone()));
    assert_eq!(store.account("u:other").await.unwrap(), None);
    store.change_password(&ann.id, "better", "").await.unwrap();
    assert_eq!(store.account(&ann.id).await.unwrap().unwrap().password, "better");
}

async fn sessions_can_be_listed_and_ended(place: Place) {
    let (store, elsewhere) = (place.open().await, place.open().await);
    let ann = account(&store, "ann").await;
    account(&store, "bob").await;
    for index in 0..4u64 {
        let id = format!("s{index}");
        let session = Session {
            id: id.clone(),
            account: ann.id.clone(),
            agent: "test".into(),
            created: 10,
            seen: 10 + index,
        };
        store.create_session(&session, &format!("hash of {id}")).await.unwrap();
    }
    let (session, owner) = elsewhere.session("hash of s1").await.unwrap().unwrap();
    assert_eq!((session.id.as_str(), session.seen, owner), ("s1", 11, ann.clone()));
    assert_eq!(store.session("s1").await.unwrap(), None);
    store.see_session("s0", 50).await.unwrap();
    let listed =
        async || store.sessions(&ann.id).await.unwrap().into_iter().map(|s| s.id).collect::<Vec<_>>();
    assert_eq!(listed().await, ["s0", "s3", "s2", "s1"]);

    let mut hints = store.hints();
    let mut there = elsewhere.hints();
    assert!(!store.end_session("u:bob", "s1").await.unwrap());
    assert!(store.end_session(&ann.id, "s1").await.unwrap());
    assert!(!store.end_session(&ann.id, "s1").await.unwrap());
    heard(&mut hints, &Hint::SessionEnded("s1".into())).await;
    if place.is_postgres() {
        heard(&mut there, &Hint::SessionEnded("s1".into())).await;
    }
    assert_eq!(elsewhere.session("hash of s1").await.unwrap(), None);
    let mut others = store.end_other_sessions(&ann.id, "s3").await.unwrap();
    others.sort();
    assert_eq!(others, ["s0", "s2"]);
    assert_eq!(listed().await, ["s3"]);
    assert_eq!(store.forget_sessions(13).await.unwrap(), 0);
    assert_eq!(store.forget_sessions(14).await.unwrap(), 1);
}

async fn api_tokens_act_for_an_account(place: Place) {
    let store = place.open().await;
    let ann = account(&store, "ann").await;
    let token = ApiToken { id: "k1".into(), account: ann.id.clone(), label: "my bot".into(), created: 3 };
    store.create_api_token(&token, "hash").await.unwrap();
    assert_eq!(store.api_token("hash").await.unwrap(), Some(("k1".into(), ann.clone())));
    assert_eq!(store.api_tokens(&ann.id).await.unwrap(), [token]);
    assert!(!store.end_api_token("u:bob", "k1").await.unwrap());
    assert!(store.end_api_token(&ann.id, "k1").await.unwrap());
    assert_eq!(store.api_token("hash").await.unwrap(), None);
}

async fn settings_are_decided_once(place: Place) {
    let (one, two) = (place.open().await, place.open().await);
    let (here, there) = tokio::join!(one.setting("key", "a"), two.setting("key", "b"));
    assert_eq!(here, there);
    assert_eq!(one.setting("key", "c").await, here);
    assert_eq!(one.setting("other", "c").await.unwrap(), "c");
}

/// What the killed process of `acknowledged_events_survive_a_kill` does.
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
                make_table(&store, &row(&table)).await;
                version = 1;
            }
            while version < 1_000_000 {
                // Mostly single moves, sometimes three events with a change of the row.
                let (events, change) = match version % 7 {
                    0 => (vec![said(0), said(1), said(2)], Some(TableChange::default())),
                    _ => (vec![said(version)], None),
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

async fn acknowledged_events_survive_a_kill(place: Place) {
    let store = place.open().await;
    let mut acknowledged = [0u64; 8];
    for round in 0..3 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["append_until_killed", "--exact", "--ignored", "--nocapture"])
            .env("ALINEA_TEST_URL", &place.url)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut hear = |line: String| {
            let mut words = line.split(' ').skip_while(|word| *word != "ack").skip(1);
            if let (Some(table), Some(version)) = (words.next(), words.next()) {
                acknowledged[table.parse::<usize>().unwrap()] = version.parse().unwrap();
            }
        };
        for _ in 0..300 + 100 * round {
            hear(lines.next().unwrap().unwrap());
        }
        child.kill().unwrap();
        child.wait().unwrap();
        lines.map_while(Result::ok).for_each(&mut hear);
        for (table, &version) in acknowledged.iter().enumerate() {
            let log = texts(&store, &table.to_string(), 0).await;
            assert!(log.len() as u64 >= version, "table {table} lost {version}, has {}", log.len());
        }
    }
    assert!(acknowledged.iter().sum::<u64>() > 500);
}

async fn a_closed_store_says_so(place: Place) {
    let store = place.open().await;
    make_table(&store, &row("t")).await;
    store.ping().await.unwrap();
    store.close().await;
    let unavailable = |error| matches!(error, StoreError::Unavailable(_));
    assert!(unavailable(store.append(&key("t"), 1, 1, vec![said("x")], None).await.unwrap_err()));
    assert!(unavailable(store.table("t").await.unwrap_err()));
    assert!(unavailable(store.ping().await.unwrap_err()));
    store.close().await;
}

/// Nodes tell each other; a file has one node.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_hear_of_each_others_events() {
    let place = Place::postgres();
    let (one, two) = (place.open().await, place.open().await);
    let (mut here, mut there) = (one.hints(), two.hints());
    make_table(&one, &row("t")).await;
    one.append(&key("t"), 1, 1, vec![said("x")], None).await.unwrap();
    one.append(&key("t"), 2, 1, vec![said("x"), said("y")], None).await.unwrap();
    for version in [2, 4] {
        heard(&mut there, &Hint::Table { table: "t".into(), version }).await;
    }
    one.say("anything at all").await.unwrap();
    heard(&mut there, &Hint::Said { node: one.node().into(), words: "anything at all".into() }).await;
    // Nobody is told what one did oneself.
    two.append(&key("t"), 4, 1, vec![said("z")], None).await.unwrap();
    assert_eq!(here.recv().await.unwrap(), Hint::Table { table: "t".into(), version: 5 });
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgresql_may_go_away_and_come_back() {
    let mut postgres = Postgres::start();
    let url = postgres.database();
    let store = Store::open(&url).await.unwrap();
    let mut hints = store.hints();
    make_table(&store, &row("t")).await;
    store.append(&key("t"), 1, 1, vec![said("before")], None).await.unwrap();

    postgres.stop();
    let unavailable = |error| matches!(error, StoreError::Unavailable(_));
    assert!(unavailable(store.append(&key("t"), 2, 1, vec![said("while")], None).await.unwrap_err()));
    let change = Some(TableChange::default());
    assert!(unavailable(store.append(&key("t"), 2, 1, vec![said("while")], change).await.unwrap_err()));
    assert!(unavailable(store.events("t", 0).await.unwrap_err()));
    assert!(unavailable(Store::open(&url).await.map(drop).unwrap_err()));

    postgres.restart();
    let back = async {
        while store.events("t", 0).await.is_err() {}
        let mut version = store.events("t", 0).await.unwrap().len() as u64;
        assert_eq!(version, 2);
        while store.append(&key("t"), version, 1, vec![said("after")], None).await.is_err() {
            version = store.events("t", 0).await.unwrap().len() as u64;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), back).await.expect("back within ten seconds");
    heard(&mut hints, &Hint::Resync).await;
    let other = Store::open(&url).await.unwrap();
    let last = other.events("t", 0).await.unwrap().len() as u64;
    other.append(&key("t"), last, 1, vec![said("there")], None).await.unwrap();
    heard(&mut hints, &Hint::Table { table: "t".into(), version: last + 1 }).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_locked_database_is_not_waited_for_without_end() {
    let place = Place::postgres();
    let store = Arc::new(place.open().await);
    make_table(&store, &row("t")).await;
    let mut holder = sqlx::postgres::PgConnection::connect(&place.url).await.unwrap();
    holder.execute("BEGIN; LOCK TABLE events IN ACCESS EXCLUSIVE MODE").await.unwrap();
    let (table, change) = (key("t"), Some(TableChange::default()));
    let (moved, changed, read) = tokio::join!(
        store.append(&table, 1, 1, vec![said("x")], None),
        store.append(&table, 1, 1, vec![said("x")], change),
        store.events("t", 0),
    );
    for error in [moved.unwrap_err(), changed.unwrap_err(), read.unwrap_err()] {
        assert!(matches!(error, StoreError::Unavailable(_)), "{error}");
    }
    holder.execute("ROLLBACK").await.unwrap();
    let version = store.events("t", 0).await.unwrap().len() as u64;
    store.append(&key("t"), version, 1, vec![said("free again")], None).await.unwrap();
}
