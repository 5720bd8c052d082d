//! Logs as version 0.1 wrote them stay readable.

use alinea_table::{LogEntry, State};
use protocol::{EndReason, Event, Occupant, Status};
use rules::Side;

fn replay(log: &str) -> State {
    let entry = |(version, line)| {
        let event = serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        LogEntry { version, at: 1_700_000_000_000 + 1_000 * version, event }
    };
    let log: Vec<_> = (1..).zip(log.lines()).map(entry).collect();
    State::replay(&log).expect("the log is valid").expect("the log is not empty")
}

#[test]
fn a_game_of_two_people_is_replayed() {
    let state = replay(include_str!("golden/log-0.1.jsonl"));
    assert_eq!((state.version(), state.status(), state.creator()), (17, Status::Ended, "g:ann"));
    let bob =
        Occupant::Person { id: "u:bob".to_owned(), name: "Bob".to_owned(), rating: Some(1512), bot: false };
    assert_eq!(state.seats()[1], bob);
    let moves: Vec<_> = state.moves().iter().map(|played| played.text.as_str()).collect();
    assert_eq!(moves, ["4", "4", "3", "5"]);
    let result = state.result().unwrap();
    assert_eq!((result.winner, result.reason), (Some(Side::First), EndReason::Resignation));
    assert_eq!(result.ratings.unwrap()[1].unwrap().after, 1500.5);
    assert_eq!(state.rematch(), Some("0123456789abcdef0123456789abcdef"));
}

#[test]
fn a_game_of_two_programs_is_replayed() {
    let state = replay(include_str!("golden/demo-0.1.jsonl"));
    assert!(state.is_demo() && state.pace().paused);
    assert_eq!(state.moves()[0].text, "b2");
    assert!(state.moves()[0].thought.is_some());
    assert_eq!(state.result().unwrap().reason, EndReason::Aborted);
}

#[test]
fn thoughts_of_programs_are_kept() {
    for line in include_str!("golden/thoughts-0.1.jsonl").lines() {
        let event = format!(r#"{{"kind":"moved","ply":1,"side":"first","move":"4","thought":{line}}}"#);
        let event: Event = serde_json::from_str(&event).unwrap();
        let Event::Moved { thought: Some(thought), .. } = event else { panic!("{line}: {event:?}") };
        assert!(!thought.reasons.is_empty() && !thought.candidates.is_empty(), "{line}");
    }
}
