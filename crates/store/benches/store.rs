//! The cost of a stored move on SQLite and on PostgreSQL, with every commit synced to the disk.
//!
//! `cargo bench -p alinea-store --bench store`

use std::time::{Duration, Instant};

use alinea_store::Clock as ServerClock;
use alinea_store::{Rated, RatedPlayer, Store, TableChange, TableKey, TableRow};
use protocol::{Clock, ClockKind, EndReason, Event, Occupant, Settings, Status};
use rules::Side;
use testkit::{Folder, Postgres};

const TIME: Duration = Duration::from_secs(4);

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() {
    let folder = Folder::new();
    measure("SQLite", &folder.sqlite()).await;
    let postgres = Postgres::start_synced();
    measure("PostgreSQL", &postgres.database()).await;
}

async fn measure(name: &str, url: &str) {
    let store = Store::open(url).await.expect("a new database");
    println!("{name}: moves as fast as the tables can, each stored before the next");
    for tables in [1, 16, 64, 500, 1000] {
        run(&store, tables, None).await;
    }
    println!("{name}: 2,500 moves per second at 1,000 tables");
    run(&store, 1000, Some(Duration::from_millis(400))).await;
    ends(&store).await;
    loads(&store).await;
}

/// Every table makes moves, one after the other or one per `pace`.
async fn run(store: &Store, tables: u32, pace: Option<Duration>) {
    let mut players = Vec::new();
    let keys = create_tables(store, tables).await;
    let (begin, cpu) = (Instant::now(), cpu_time());
    for (index, table) in (0..).zip(keys) {
        let store = store.clone();
        players.push(tokio::spawn(async move {
            let mut times = Vec::new();
            let mut tick = pace.map(|pace| {
                let start = begin + pace * index / tables;
                tokio::time::interval_at(start.into(), pace)
            });
            for version in 1.. {
                if let Some(tick) = &mut tick {
                    tick.tick().await;
                }
                let asked = Instant::now();
                if asked - begin > TIME {
                    break;
                }
                let moved = vec![moved(version)];
                store.append(&table, version, version, moved, None).await.expect("the only writer");
                times.push(asked.elapsed());
            }
            times
        }));
    }
    let mut times = Vec::new();
    for player in players {
        times.append(&mut player.await.expect("no panic"));
    }
    let (elapsed, cpu) = (begin.elapsed().as_secs_f64(), cpu_time() - cpu);
    times.sort();
    let part = |share: f64| times[(times.len() as f64 * share) as usize].as_secs_f64() * 1e3;
    println!(
        "{tables:>6} tables: {:>7.0} moves/s, {:>5.1} µs of this process's CPU per move, p50 {:.1} ms, p99 {:.1} ms",
        times.len() as f64 / elapsed,
        cpu / times.len() as f64 * 1e6,
        part(0.5),
        part(0.99),
    );
}

/// Rated games that end, eight at once.
async fn ends(store: &Store) {
    let (begin, cpu) = (Instant::now(), cpu_time());
    let mut players = Vec::new();
    for player in 0..8 {
        let store = store.clone();
        players.push(tokio::spawn(async move {
            let mut games = 0;
            while begin.elapsed() < TIME {
                let table = &create_tables(&store, 1).await[0];
                let account = |side: &str| RatedPlayer::Account(format!("u:{side}{player}"));
                let rated = Rated {
                    first: account("first"),
                    second: account("second"),
                    game: "connect-four".into(),
                    clock_kind: ClockKind::Fast,
                    tournament: None,
                };
                let winner = Some(Side::First);
                let change = TableChange {
                    status: Some(Status::Ended),
                    winner,
                    reason: Some(EndReason::Rules),
                    rated: Some(rated),
                    ..TableChange::default()
                };
                let ended = Event::Ended { winner, reason: EndReason::Rules, ratings: None };
                store
                    .append(table, 1, 5, vec![moved(1), ended], Some(change))
                    .await
                    .expect("the only writer");
                games += 1;
            }
            games
        }));
    }
    let mut games = 0;
    for player in players {
        games += player.await.expect("no panic");
    }
    let (elapsed, cpu) = (begin.elapsed().as_secs_f64(), cpu_time() - cpu);
    println!(
        "        rated games created and ended: {:.0} per second, {:.0} µs of CPU each",
        f64::from(games) / elapsed,
        cpu / f64::from(games) * 1e6
    );
}

/// Reading the log of a game with 40 moves.
async fn loads(store: &Store) {
    let table = &create_tables(store, 1).await[0];
    store.append(table, 1, 5, (1..=40).map(moved).collect(), None).await.expect("the only writer");
    let (begin, mut loads) = (Instant::now(), 0);
    while begin.elapsed() < TIME / 4 {
        assert_eq!(store.events(&table.id, 0).await.expect("a log").len(), 41);
        loads += 1;
    }
    println!(
        "        a log of 41 events is read in {:.2} ms",
        begin.elapsed().as_secs_f64() / f64::from(loads) * 1e3
    );
}

async fn create_tables(store: &Store, tables: u32) -> Vec<TableKey> {
    let mut keys = Vec::new();
    for _ in 0..tables {
        let key = TableKey::new(ServerClock::system().now_ms());
        let settings = Settings {
            game: "connect-four:6x7x4".into(),
            position: None,
            clock: Clock::Game { initial_ms: 60_000, increment_ms: 1_000 },
            rated: true,
            take_back: false,
            listed: true,
            invited: None,
            tournament: None,
            bots: false,
            unverified: false,
        };
        let person = |id: &str| Occupant::Person { id: id.into(), name: id.into(), rating: None, bot: false };
        let row = TableRow {
            key: key.clone(),
            code: None,
            seats: [person("u:ann"), person("u:bob")],
            status: Status::Playing,
            winner: None,
            reason: None,
            ply: 0,
            created: 1,
            updated: 1,
            needs_owner: true,
            settings,
        };
        let created = Event::Created {
            settings: row.settings.clone().into(),
            seats: row.seats.clone(),
            creator: String::new(),
        };
        store.create_table(&row, vec![created]).await.expect("a new table");
        keys.push(key);
    }
    keys
}

fn moved(version: u64) -> Event {
    let ply = u32::try_from(version).expect("a short game");
    Event::Moved {
        ply,
        side: Side::First,
        text: "4".into(),
        left_ms: Some([59_000, 60_000]),
        lag_compensation_ms: 0,
        thought: None,
    }
}

/// CPU time of this process in seconds, in Linux's ticks of 10 ms.
fn cpu_time() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("Linux");
    let after_name = stat.rsplit(") ").next().expect("a name in brackets");
    let ticks = after_name.split(' ').skip(11).take(2).map(|field| field.parse::<f64>().expect("a number"));
    ticks.sum::<f64>() / 100.0
}
