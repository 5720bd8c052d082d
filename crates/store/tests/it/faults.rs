//! The store in trouble: a full disk, a read-only file, no database at all.

use std::process::Command;
use std::time::Duration;

use alinea_store::{Store, StoreError, TableChange, TableKey, TableRow};
use protocol::{Chat, Clock, Event, Occupant, Settings, Status};
use testkit::Folder;

/// The keys of a table with this id.
fn key(id: &str) -> TableKey {
    let number = id.bytes().fold(7, |number: u64, byte| number.wrapping_mul(31).wrapping_add(byte.into()));
    TableKey { id: id.into(), number: number % (1 << 63) }
}

fn row(id: &str) -> TableRow {
    let settings = Settings {
        game: "tic-tac-toe".into(),
        position: None,
        clock: Clock::None,
        rated: false,
        take_back: false,
        listed: true,
        invited: None,
        tournament: None,
        bots: false,
        unverified: false,
    };
    TableRow {
        key: key(id),
        code: None,
        settings,
        seats: [Occupant::Open, Occupant::Open],
        status: Status::Open,
        winner: None,
        reason: None,
        ply: 0,
        created: 1,
        updated: 1,
        needs_owner: false,
    }
}

fn chat(length: usize) -> Vec<Event> {
    vec![Event::Chat(Chat { from: "ann".into(), side: None, text: "a".repeat(length) })]
}

async fn fails(store: &Store, after: u64) {
    let change = Some(TableChange::default());
    let errors = [
        store.append(&key("t"), after, 1, chat(100_000), None).await.unwrap_err(),
        store.append(&key("t"), after, 1, chat(100_000), change).await.unwrap_err(),
        store.create_table(&row("another"), chat(100_000)).await.unwrap_err(),
    ];
    for error in errors {
        assert!(matches!(error, StoreError::Unavailable { .. }), "{error}");
    }
}

/// Files of this process may not grow beyond a limit, which the shell below has set.
#[tokio::test]
#[ignore = "a part of a_full_disk_refuses_and_recovers, which runs it in a process of its own"]
async fn write_until_the_disk_is_full() {
    let url = std::env::var("ALINEA_TEST_URL").unwrap();
    let store = Store::open(&url).await.unwrap();
    store.create_table(&row("t"), chat(1)).await.unwrap();
    let mut version = 1;
    while store.append(&key("t"), version, 1, chat(20_000), None).await.is_ok() {
        version += 1;
    }
    assert!(version > 5, "something was written before");
    for _ in 0..3 {
        fails(&store, version).await;
        assert_eq!(
            store.events("t", 0).await.unwrap().len() as u64,
            version,
            "what was acknowledged and nothing else"
        );
    }
    let me = std::process::id().to_string();
    let room = Command::new("prlimit").args(["--fsize=unlimited", "--pid", &me]).status().unwrap();
    assert!(room.success());
    store.append(&key("t"), version, 1, chat(100_000), None).await.unwrap();
    store.append(&key("t"), version + 1, 1, chat(100_000), Some(TableChange::default())).await.unwrap();
    store.create_table(&row("another"), chat(100_000)).await.unwrap();
    assert_eq!(store.events("t", version).await.unwrap().len(), 2);
}

#[test]
fn a_full_disk_refuses_and_recovers() {
    let folder = Folder::new();
    // Without the trap the system would kill the process at the limit instead of refusing to write.
    let limited = "trap '' XFSZ; ulimit -S -f 4000; exec \"$@\"";
    let output = Command::new("sh")
        .args(["-c", limited, "sh"])
        .arg(std::env::current_exe().unwrap())
        .args(["faults::write_until_the_disk_is_full", "--exact", "--ignored", "--nocapture"])
        .env("ALINEA_TEST_URL", folder.sqlite())
        .output()
        .unwrap();
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && stdout.contains("1 passed"),
        "{stdout}{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[tokio::test]
async fn a_read_only_file_can_be_read() {
    let folder = Folder::new();
    let store = Store::open(&folder.sqlite()).await.unwrap();
    store.create_table(&row("t"), chat(1)).await.unwrap();
    let read_only = Store::open(&format!("{}?mode=ro", folder.sqlite())).await.unwrap();
    fails(&read_only, 1).await;
    assert_eq!(read_only.table("t").await.unwrap(), Some(row("t")));
    assert_eq!(read_only.events("t", 0).await.unwrap().len(), 1);
    store.append(&key("t"), 1, 1, chat(1), None).await.unwrap();
    assert_eq!(read_only.events("t", 0).await.unwrap().len(), 2);
}

#[tokio::test]
async fn invalid_urls_are_unavailable() {
    let folder = Folder::new();
    let missing = format!("sqlite:{}/no/such/folder/alinea.db", folder.path().display());
    let garbage = folder.path().join("garbage.db");
    std::fs::write(&garbage, "this is not a database, whatever its name says".repeat(100)).unwrap();
    let garbage = format!("sqlite:{}", garbage.display());
    let unreachable = "postgres://nobody@localhost:1/nothing";
    for url in [missing.as_str(), &garbage, unreachable, "mysql://localhost/x", "nonsense", "", "sqlite"] {
        let error = Store::open(url).await.map(drop).unwrap_err();
        assert!(matches!(error, StoreError::Unavailable { .. }), "{url}: {error}");
    }
    // An administrator reads why.
    for (url, reason) in [
        (missing.as_str(), "the file can neither be opened nor created"),
        (&garbage, "the file is not a database"),
        (unreachable, "the database server does not respond: Connection refused (os error 111)"),
    ] {
        assert_eq!(Store::open(url).await.map(drop).unwrap_err().reason(), reason);
    }
}

#[tokio::test]
async fn a_database_in_memory_works() {
    let store = Store::open("sqlite::memory:").await.unwrap();
    store.create_table(&row("t"), chat(1)).await.unwrap();
    store.append(&key("t"), 1, 1, chat(1), None).await.unwrap();
    assert_eq!(
        store.append(&key("t"), 1, 1, chat(1), Some(TableChange::default())).await,
        Err(StoreError::Conflict)
    );
    assert_eq!(store.events("t", 0).await.unwrap().len(), 2);
    // A cancelled call closes its connection, which loses nothing.
    for _ in 0..10 {
        let _ = tokio::time::timeout(Duration::ZERO, store.take_over(0)).await;
        assert_eq!(store.events("t", 0).await.unwrap().len(), 2);
    }
}
