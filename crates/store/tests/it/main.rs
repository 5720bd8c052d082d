//! One suite for both databases: every test runs on SQLite and on PostgreSQL; and what happens when a database fails.

mod faults;
mod jobs;
mod learned;
mod log;
mod nodes;
mod operations;
mod people;
mod puzzles;
mod ratings;
mod results;
mod tables;
mod tournaments;
mod worker_role;

use std::time::Duration;

use alinea_store::{Account, Hint, Rated, Store, TableChange, TableKey, TableRow};
use protocol::{Chat, Clock, EndReason, Event, Occupant, Settings, Status};
use rules::Side;
use testkit::{Folder, Postgres};

use self::{
    jobs::*, learned::*, log::*, nodes::*, operations::*, people::*, puzzles::*, ratings::*, results::*,
    tables::*, tournaments::*,
};

/// A database for one test.
struct Database {
    url: String,
    /// Deleted at the end.
    _folder: Option<Folder>,
}

impl Database {
    fn sqlite() -> Database {
        let folder = Folder::new();
        Database { url: folder.sqlite(), _folder: Some(folder) }
    }

    fn postgres() -> Database {
        Database { url: Postgres::shared().database(), _folder: None }
    }

    async fn open(&self) -> Store {
        Store::open(&self.url).await.unwrap()
    }

    fn is_postgres(&self) -> bool {
        self.url.starts_with("postgres")
    }
}

/// Makes of each test a test per database.
macro_rules! for_each_database {
    ($($test:ident)*) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $test() {
                super::$test(super::Database::sqlite()).await;
            })*
        }
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $test() {
                super::$test(super::Database::postgres()).await;
            })*
        }
    };
}

for_each_database! {
    tables_are_stored_as_created
    a_database_of_version_0_1_is_migrated
    a_table_number_is_unique
    a_code_is_unique_until_it_is_freed
    lists_are_filtered_and_paged
    live_games_and_those_that_were_left_are_told_apart
    a_tally_counts_results
    events_are_read_in_order
    the_second_writer_of_a_version_gets_a_conflict
    several_events_are_appended_atomically
    one_of_two_racing_writers_wins
    concurrent_appends_share_commits
    a_conflict_fails_only_its_own_append
    acknowledged_events_survive_a_kill
    a_closed_store_is_unavailable
    a_game_is_rated_exactly_once
    a_puzzle_is_rated_exactly_once
    programs_keep_their_ratings
    rankings_leave_out_uncertain_ratings
    ratings_follow_from_results_whatever_is_voided
    a_voided_result_and_what_followed_is_undone
    a_series_of_quick_games_counts_less
    nodes_that_rate_and_void_at_once_agree
    results_stay_when_accounts_and_tables_are_deleted
    results_are_in_backups
    a_database_of_version_0_2_keeps_its_ratings
    seeks_of_all_nodes_are_paired_once
    the_rating_range_grows_with_waiting
    seeks_expire_or_are_replaced
    tables_of_dead_nodes_are_taken_over
    a_restart_is_a_downtime
    time_goes_on_after_a_restart
    names_are_unique_ignoring_case
    sessions_can_be_listed_and_ended
    api_tokens_act_for_an_account
    a_setting_is_set_once
    jobs_wait_in_lanes_and_their_owners_take_turns
    a_job_that_yields_is_continued_later
    the_output_of_a_job_deleted_meanwhile_is_dropped
    the_audit_log_is_kept_for_a_while
    a_deleted_account_leaves_the_audit_log
    restrictions_end_or_are_lifted
    a_tournament_is_due_until_it_is_closed
    the_last_announcement_counts_until_it_ends
    two_devices_learn_the_same
    devices_that_learn_at_once_lose_nothing
    old_games_are_forgotten_and_exercises_never
    an_account_of_version_0_2_learns_and_is_backed_up
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
        tournament: None,
        bots: false,
        unverified: false,
    }
}

fn person(id: &str) -> Occupant {
    Occupant::Person { id: id.into(), name: id.to_uppercase(), rating: Some(1500), bot: false }
}

/// The keys of a table with this id.
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
        needs_owner: false,
    }
}

fn created(row: &TableRow) -> Event {
    Event::Created { settings: row.settings.clone().into(), seats: row.seats.clone(), creator: String::new() }
}

fn chat(text: impl ToString) -> Event {
    Event::Chat(Chat { from: "ann".into(), side: None, text: text.to_string() })
}

async fn create_table(store: &Store, row: &TableRow) {
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

async fn account(store: &Store, name: &str) -> Account {
    let account = Account {
        id: format!("u:{name}"),
        name: name.into(),
        password: "hash".into(),
        created: 7,
        bot: false,
        banned: 0,
    };
    store.create_account(&account).await.unwrap();
    account
}

/// Waits for a hint and skips others.
async fn received(hints: &mut tokio::sync::broadcast::Receiver<Hint>, wanted: &Hint) {
    let read = async { while hints.recv().await.as_ref() != Ok(wanted) {} };
    tokio::time::timeout(Duration::from_secs(20), read)
        .await
        .unwrap_or_else(|_| panic!("no hint {wanted:?}"));
}
