//! The queue of searches on PostgreSQL.

use alinea_store::NewJob;
use sqlx::{AnyConnection, Connection, Executor, Row};

use super::*;

fn job<'a>(id: &'a str, address: &'a str, lane: &'static str) -> NewJob<'a> {
    let (class, payload) = ("opponent", "{}".to_owned());
    NewJob { id, client: address, address, class, lane, handicap_ms: 0, payload, most_waiting: None }
}

/// Takes a job and returns its id.
async fn take(store: &Store, lane: &'static str, is_spare: bool) -> Option<String> {
    store.take_job("worker", lane, is_spare).await.unwrap().map(|job| job.id)
}

pub(crate) async fn jobs_wait_in_lanes_and_their_owners_take_turns(database: Database) {
    if !database.is_postgres() {
        return;
    }
    let store = database.open().await;
    // Backlogs of two addresses, then a newcomer.
    for id in ["a1", "a2", "a3", "b1", "b2"] {
        assert!(store.add_job(&job(id, &id[..1], "long")).await.unwrap());
    }
    for (id, is_spare) in [("a1", false), ("b1", true)] {
        assert_eq!(take(&store, "long", is_spare).await.as_deref(), Some(id));
    }
    assert_eq!(take(&store, "long", true).await, None, "spare slots are for those who have nothing running");
    assert_eq!(take(&store, "quick", false).await, None);
    store.add_job(&job("level", "a", "quick")).await.unwrap();
    assert_eq!(
        take(&store, "quick", false).await.as_deref(),
        Some("level"),
        "a level waits for no long search"
    );
    store.add_job(&job("c1", "c", "long")).await.unwrap();
    store.delete_job("a1").await.unwrap();
    assert_eq!(
        take(&store, "long", false).await.as_deref(),
        Some("c1"),
        "a newcomer goes before the backlogs"
    );
    for id in ["b1", "c1"] {
        store.delete_job(id).await.unwrap();
    }
    assert_eq!(take(&store, "long", false).await.as_deref(), Some("a2"), "served before b");
    store.delete_job("a2").await.unwrap();
    assert_eq!(take(&store, "long", false).await.as_deref(), Some("b2"), "served before a");
    let waiting = store.waiting_jobs().await.unwrap();
    assert_eq!(
        waiting.iter().map(|waiting| (&*waiting.lane, waiting.jobs)).collect::<Vec<_>>(),
        [("long", 1)]
    );
}

pub(crate) async fn a_job_that_yields_is_continued_later(database: Database) {
    if !database.is_postgres() {
        return;
    }
    let store = database.open().await;
    for id in ["a1", "b1"] {
        store.add_job(&job(id, &id[..1], "study")).await.unwrap();
    }
    assert_eq!(take(&store, "study", false).await.as_deref(), Some("a1"));
    assert!(store.add_output("a1", "worker", 0, "first".into()).await.unwrap());
    assert!(!store.requeue_job("a1", "another", "rest".into()).await.unwrap());
    assert!(store.requeue_job("a1", "worker", "rest".into()).await.unwrap());
    assert_eq!(take(&store, "study", false).await.as_deref(), Some("b1"));
    let rest = store.take_job("worker", "study", false).await.unwrap().unwrap();
    assert_eq!((&*rest.id, &*rest.payload, rest.next_output), ("a1", "rest", 1));
}

pub(crate) async fn the_output_of_a_job_deleted_meanwhile_is_dropped(database: Database) {
    if !database.is_postgres() {
        return;
    }
    let store = database.open().await;
    store.add_job(&job("a", "a", "long")).await.unwrap();
    assert!(take(&store, "long", false).await.is_some());
    let mut other = AnyConnection::connect(&database.url).await.unwrap();
    other.execute("BEGIN; DELETE FROM jobs").await.unwrap();
    let output = {
        let store = store.clone();
        tokio::spawn(async move { store.add_output("a", "worker", 0, "{}".into()).await })
    };
    // The output waits for the row that is being deleted.
    let waiting = "SELECT COUNT(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
    while other.fetch_one(waiting).await.unwrap().get::<i64, _>(0) == 0 {}
    other.execute("COMMIT").await.unwrap();
    assert_eq!(output.await.unwrap(), Ok(false));
}
