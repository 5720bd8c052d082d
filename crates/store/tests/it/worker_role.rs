//! The database role of workers can do their work and nothing else.

use alinea_store::{NewJob, Store};
use sqlx::{AnyConnection, AssertSqlSafe, Connection, Executor, Row};
use testkit::Postgres;

const ROLE: &str = include_str!("../../../../deploy/worker-role.sql");

/// The tables of which a worker may read or write something.
const ALLOWED: [&str; 8] = [
    "_sqlx_migrations",
    "contest_games",
    "contests",
    "job_outputs",
    "job_turns",
    "jobs",
    "nodes",
    "public_settings",
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_with_its_own_role_does_its_jobs_and_reads_no_secret() {
    let url = Postgres::shared().database();
    let server = Store::open(&url).await.unwrap();
    let mut owner = AnyConnection::connect(&url).await.unwrap();
    owner.execute(ROLE).await.unwrap();
    // It can be run again.
    owner.execute(ROLE).await.unwrap();

    // The cluster trusts every role.
    let worker_url =
        url.replace("postgres@", "alinea_worker@").replace("user=postgres", "user=alinea_worker");
    assert_ne!(worker_url, url);
    let worker = Store::open_for_worker(&worker_url).await.unwrap();
    let mut other = AnyConnection::connect(&worker_url).await.unwrap();
    let role: String = other.fetch_one("SELECT CAST(current_user AS TEXT)").await.unwrap().get(0);
    assert_eq!(role, "alinea_worker");

    // Searches.
    let job = NewJob {
        id: "job",
        client: "u:ann",
        address: "192.0.2.1",
        class: "opponent",
        lane: "long",
        handicap_ms: 0,
        payload: "{}".to_owned(),
        most_waiting: None,
    };
    assert!(server.add_job(&job).await.unwrap());
    assert_eq!(worker.waiting_jobs().await.unwrap().len(), 1);
    assert!(worker.take_job("worker", "long", false).await.unwrap().is_some());
    assert_eq!(worker.beat("worker").await.unwrap(), ["job"]);
    assert!(worker.add_output("job", "worker", 0, "{}".to_owned()).await.unwrap());
    assert_eq!(server.outputs("job", 0).await.unwrap(), Some(vec![(0, "{}".to_owned())]));
    assert!(worker.requeue_job("job", "worker", "{}".to_owned()).await.unwrap());
    assert!(worker.take_job("worker", "long", true).await.unwrap().is_some());
    worker.release_jobs("worker").await.unwrap();

    // Games of tournaments of programs.
    server.open_contest("contest", "coordinator", "settings", false).await.unwrap();
    server.queue_games("contest", 0, &["one".to_owned(), "two".to_owned()]).await.unwrap();
    let game = worker.take_game("worker", false).await.unwrap().unwrap();
    assert_eq!(worker.beat_games("worker", &[game.id()]).await.unwrap(), [game.id()]);
    worker.add_record("worker", &game, "record").await.unwrap();
    assert_eq!(server.played_games("contest").await.unwrap().len(), 1);
    assert!(worker.take_game("worker", false).await.unwrap().is_some());
    worker.release_games("worker").await.unwrap();
    assert!(worker.contest_settings("contest").await.unwrap().is_some());
    worker.fail_contest("contest", "it cannot").await.unwrap();

    // Neither secrets nor ratings.
    for sql in [
        "SELECT password FROM accounts",
        "SELECT token FROM sessions",
        "SELECT value FROM settings",
        "SELECT payload FROM events",
        "INSERT INTO ratings SELECT * FROM ratings",
        "UPDATE ratings SET rating = 3000",
        "DELETE FROM rating_history",
        "UPDATE accounts SET password = 'x'",
        "UPDATE tables SET winner = 'first'",
        "DELETE FROM _sqlx_migrations",
        "CREATE TABLE mine (id TEXT)",
    ] {
        let error = other.execute(sql).await.unwrap_err();
        let error_code = error.as_database_error().and_then(sqlx::error::DatabaseError::code);
        let code = error_code.map(std::borrow::Cow::into_owned);
        assert_eq!(code.as_deref(), Some("42501"), "{sql}: {error}");
    }
    let privileges =
        "SELECT CAST(table_name AS TEXT), has_table_privilege('alinea_worker', quote_ident(table_name),
            'SELECT, INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER')
            OR has_any_column_privilege('alinea_worker', quote_ident(table_name), 'SELECT, INSERT, UPDATE')
        FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1";
    let rows = owner.fetch_all(AssertSqlSafe(privileges.to_owned())).await.unwrap();
    let allowed: Vec<String> = rows.iter().filter(|row| row.get(1)).map(|row| row.get(0)).collect();
    assert_eq!(allowed, ALLOWED);
}
