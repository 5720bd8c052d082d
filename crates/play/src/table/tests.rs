//! Live tables over a store in memory, with a clock that the tests move.

use std::{sync::Arc, time::Duration};

use protocol::{
    Clock as TimeControl, Command, EndReason, ErrorCode, Event, NewTable, Occupant, Opponent, Settings,
    SidePreference, Status,
};
use sqlx::{AnyConnection, Connection, Executor};
use store::{Clock, Store, TableKey, TableRow};
use table::{Principal, State};
use testkit::Folder;
use tokio::{
    sync::{mpsc, oneshot},
    time::Instant,
};

use super::{
    Message, Registry, Responder,
    actor::{Actor, LoadedTable},
    outage::BACK_OFF,
    presence::Subscriber,
    sink::EventSink,
};
use crate::config::Config;

fn ann() -> Arc<Principal> {
    Arc::new(Principal { ids: vec!["g:ann".to_owned()], name: "Ann".to_owned(), account: None, bot: false })
}

async fn registry(clock: Clock) -> Registry {
    over(Store::open_with("sqlite::memory:", clock).await.unwrap())
}

fn over(store: Store) -> Registry {
    Registry::new(Arc::new(store), Config::default()).0
}

#[tokio::test]
async fn a_flag_falls_when_the_clock_says_so() {
    let clock = Clock::system();
    let registry = registry(clock.clone()).await;
    registry.set_downtimes(Vec::new(), clock.now_ms());
    let new = NewTable {
        game: "connect-four".to_owned(),
        position: None,
        opponent: Opponent::Here,
        side: SidePreference::First,
        clock: TimeControl::Correspondence { days: 1 },
        rated: false,
        take_back: false,
        listed: false,
        bots: false,
    };
    let table = registry.create(&ann(), new).await.unwrap().table;
    for ply in 1..=2 {
        let command = Command::MakeMove { ply, text: "4".to_owned(), lag_ms: 0, seen: None };
        registry.command(&table, &ann(), command).await.unwrap();
    }
    assert_eq!(registry.snapshot(&table, &ann()).await.unwrap().status, Status::Playing);

    clock.advance(Duration::from_secs(2 * 24 * 60 * 60));
    registry.set_downtimes(Vec::new(), clock.now_ms());
    // The first message after the time has passed makes the actor look at its deadlines.
    registry.snapshot(&table, &ann()).await.unwrap();
    let snapshot = registry.snapshot(&table, &ann()).await.unwrap();
    assert_eq!(snapshot.result.unwrap().reason, EndReason::Time);
}

/// The table stayed in memory for ever, because this client never left it.
#[tokio::test]
async fn a_client_that_does_not_wait_for_its_subscription_leaves() {
    let (registry, ann) = (registry(Clock::system()).await, ann());
    let new = NewTable {
        game: "connect-four".to_owned(),
        position: None,
        opponent: Opponent::Here,
        side: SidePreference::First,
        clock: TimeControl::None,
        rated: false,
        take_back: false,
        listed: false,
        bots: false,
    };
    let table = registry.create(&ann, new).await.unwrap().table;
    tokio::select! {
        biased;
        _ = registry.subscribe(&table, &ann, None, false) => panic!("the table cannot have responded yet"),
        () = std::future::ready(()) => {}
    }
    assert_eq!(registry.snapshot(&table, &ann).await.unwrap().presence.here, [false; 2]);
}

#[tokio::test]
async fn a_flag_that_may_not_fall_yet_does_not_keep_its_actor_awake() {
    let registry = registry(Clock::system()).await;
    let (mut state, _) = created_with(TimeControl::Game { initial_ms: 1_000, increment_ms: 0 });
    for (version, text) in (2..).zip(["a1", "b2"]) {
        let side = state.game().turn();
        let ply = version as u32 - 1;
        let left_ms = Some([1_000; 2]);
        let (text, lag_compensation_ms) = (text.to_owned(), 0);
        let moved = Event::Moved { ply, side, text, left_ms, lag_compensation_ms, thought: None };
        state.apply(version, 0, &moved).unwrap();
    }
    assert!(state.flag_at(&[]).unwrap() < registry.clock().now_ms());
    let loaded = LoadedTable { key: TableKey::new(0), state, code: None, owns: true };
    let (_mailbox, messages) = mpsc::unbounded_channel();
    let actor = Actor::new(registry.clone(), loaded, messages);
    let now = Instant::now();
    assert!(actor.next_wake() >= now + BACK_OFF, "downtimes are not known");
    registry.set_downtimes(Vec::new(), registry.clock().now_ms());
    assert!(actor.next_wake() <= Instant::now());
}

/// A table of one person on both sides, as it is after its creation, and the event that created it.
fn created() -> (State, Event) {
    created_with(TimeControl::None)
}

fn created_with(clock: TimeControl) -> (State, Event) {
    let person =
        Occupant::Person { id: "g:ann".to_owned(), name: "Ann".to_owned(), rating: None, bot: false };
    let created = Event::Created {
        settings: Box::new(Settings {
            game: "tic-tac-toe".to_owned(),
            position: None,
            clock,
            rated: false,
            take_back: false,
            listed: false,
            invited: None,
            tournament: None,
            bots: false,
            unverified: false,
        }),
        seats: [person.clone(), person],
        creator: "g:ann".to_owned(),
    };
    (State::new(1, 0, &created).unwrap(), created)
}

#[tokio::test]
async fn a_row_that_cannot_be_read_is_not_read_again_at_once() {
    let folder = Folder::new();
    let store = Store::open(&folder.sqlite()).await.unwrap();
    let registry = over(store.clone());
    let (state, event) = created();
    let key = TableKey::new(0);
    let row = TableRow {
        key: key.clone(),
        code: None,
        settings: state.settings().clone(),
        seats: state.seats().clone(),
        status: Status::Playing,
        winner: None,
        reason: None,
        ply: 0,
        created: 0,
        updated: 0,
        needs_owner: false,
    };
    store.create_table(&row, vec![event]).await.unwrap();
    // A row that no version of Alinea can read.
    let mut connection = AnyConnection::connect(&folder.sqlite()).await.unwrap();
    let sql =
        "INSERT INTO events (table_number, version, at, payload) SELECT table_number, 2, at, '?' FROM events";
    connection.execute(sql).await.unwrap();
    let loaded = LoadedTable { key, state, code: None, owns: true };
    let (_mailbox, messages) = mpsc::unbounded_channel();
    let mut actor = Actor::new(registry, loaded, messages);
    actor.is_behind = true;
    let error = actor.catch_up_if_behind().await.unwrap_err();
    assert_eq!(error.code, ErrorCode::Broken);
    let retry_at = actor.retry_at.unwrap();
    assert!(retry_at > Instant::now() + BACK_OFF);
    let error = actor.catch_up_if_behind().await.unwrap_err();
    assert_eq!((error.code, actor.retry_at), (ErrorCode::Unavailable, Some(retry_at)), "nothing was read");
}

#[tokio::test]
async fn an_actor_handles_messages_while_it_waits_for_the_store() {
    let registry = registry(Clock::system()).await;
    let (state, _) = created();
    let loaded = LoadedTable { key: TableKey::new(0), state, code: None, owns: true };
    let (mailbox, messages) = mpsc::unbounded_channel();
    let mut actor = Actor::new(registry, loaded, messages);
    let (updates, _received) = mpsc::channel(1);
    let sink = EventSink::Stream { id: 7, sender: updates.clone() };
    let subscriber = Subscriber { sink, principal: ann(), sides: Vec::new(), view: false };
    actor.presence.join(subscriber, true, actor.state.seats());

    let sink = EventSink::Stream { id: 8, sender: updates.clone() };
    let responder = Responder::Once(oneshot::channel().0);
    let join = Message::Join { principal: ann(), sink, seen: None, view: false, responder };
    for message in [join, Message::Leave { sink: 7 }, Message::Leave { sink: 8 }] {
        mailbox.send(Box::new(message)).ok().unwrap();
    }
    let (store_answers, waiting) = oneshot::channel();
    tokio::join!(actor.wait(waiting), async {
        for _ in 0..10 {
            tokio::task::yield_now().await;
        }
        store_answers.send(()).unwrap();
    })
    .0
    .unwrap();
    assert!(actor.presence.is_empty(), "a client left meanwhile");
    assert_eq!(actor.deferred(), 2, "joining waits for the log, and leaving for joining");
}
