//! Runs `rules`, `solver`, `players`, `study` and `table` under wasm32: every player of every game chooses a
//! move. `run.mjs` loads it in Node and provides the clock and the log.

#![cfg(target_arch = "wasm32")]
#![allow(unsafe_code, reason = "the host's functions are called by address and length")]

use std::{sync::Arc, time::Duration};

use players::{Clock, Resources, Stop, roster};
use rules::{AnyGame, GAMES, Spec};
use study::{
    assessment::{Limits, assess},
    review::review,
};
use table::{LogEntry, State};

mod host {
    #[link(wasm_import_module = "host")]
    unsafe extern "C" {
        /// Milliseconds since a moment that does not change.
        pub(crate) safe fn now() -> f64;
        pub(crate) fn log(text: *const u8, length: usize);
    }
}

fn log(text: &str) {
    // The host reads the text before the call returns.
    unsafe { host::log(text.as_ptr(), text.len()) }
}

#[derive(Debug)]
struct HostClock;

impl Clock for HostClock {
    fn now(&self) -> Duration {
        Duration::from_secs_f64(host::now() / 1e3)
    }
}

/// Runs everything; a failure is logged and traps.
#[unsafe(no_mangle)]
pub extern "C" fn run() {
    std::panic::set_hook(Box::new(|panic| log(&panic.to_string())));
    let timed = Resources::new(1).with_clock(Arc::new(HostClock));
    for info in GAMES {
        let spec: Spec = info.standard.parse().expect("the standard board of a game");
        players_choose(spec, &timed);
        study_works(spec, &timed);
    }
    table_replays();
}

fn players_choose(spec: Spec, timed: &Resources) {
    let game = AnyGame::from(spec);
    let listed = roster::players(&game).into_iter().map(|listing| listing.name.to_owned());
    let levels = roster::levels(&game).into_iter().map(|level| format!("level:{}", level.level));
    let engines = ["engine:depth=3", "engine:nodes=2000,threads=2", "engine:20ms"].map(str::to_owned);
    for player in listed.chain(levels).chain(engines) {
        choose(&game, &player, timed);
        // Without a clock a fixed number of nodes takes the place of time.
        if player.starts_with("engine:depth") || player == "random" {
            choose(&game, &player, &Resources::new(1));
        }
    }
}

fn choose(game: &AnyGame, player: &str, resources: &Resources) {
    let start = host::now();
    let mut program = roster::program(game, player, resources).expect("the player is listed");
    let thought = program.choose(game, &Stop::default()).expect("nothing stops it");
    assert!(game.legal_moves().contains(&thought.chosen), "{player} plays {}", thought.chosen);
    let time = host::now() - start;
    log(&format!("{} {player}: {} after {time:.0} ms", game.spec(), thought.chosen));
}

fn study_works(spec: Spec, resources: &Resources) {
    let limits = Limits { depth: Some(2), ..Limits::default() };
    let mut game = AnyGame::from(spec);
    let assessment = assess(&game, &limits, resources, &Stop::default(), &mut |_| {});
    let m = assessment.moves[0].text.clone();
    game.play(&m).expect("assessments name legal moves");
    let reviewed = review(&game, &limits, resources, &Stop::default(), &mut |_| {});
    assert_eq!(reviewed.len(), 1);
    log(&format!("{spec} study: {m}"));
}

fn table_replays() {
    let text = include_str!("../../../crates/table/tests/golden/log-0.1.jsonl");
    let entry = |(version, line)| {
        let event = serde_json::from_str(line).expect("an event");
        LogEntry { version, at: 1_700_000_000_000 + 1_000 * version, event }
    };
    let log_entries: Vec<_> = (1..).zip(text.lines()).map(entry).collect();
    let state = State::replay(&log_entries).expect("the log is valid").expect("the log is not empty");
    assert_eq!(state.status(), protocol::Status::Ended);
    log(&format!("table: replayed {} events", log_entries.len()));
}
