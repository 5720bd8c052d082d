//! Questions and answers, natively.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use alinea_wasm::{Core, Host};
use serde_json::{Value, json};

/// A host whose clock advances by a millisecond with each look.
#[derive(Clone, Debug, Default)]
struct TestHost {
    looks: Arc<Mutex<u64>>,
    reports: Arc<Mutex<Vec<Value>>>,
}

impl Host for TestHost {
    fn now(&self) -> Duration {
        let mut looks = self.looks.lock().unwrap();
        *looks += 1;
        Duration::from_millis(*looks)
    }

    fn unix_ms(&self) -> u64 {
        1_700_000_000_000
    }

    fn report(&self, text: &str) {
        self.reports.lock().unwrap().push(serde_json::from_str(text).unwrap());
    }
}

fn ask(core: &mut Core, question: &Value) -> Value {
    let answer: Value = serde_json::from_str(&core.ask(&question.to_string())).unwrap();
    assert!(answer.get("error").is_none(), "{answer}");
    answer["ok"].clone()
}

fn refusal(core: &mut Core, question: &str) -> String {
    let answer: Value = serde_json::from_str(&core.ask(question)).unwrap();
    answer["error"]["code"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
}

fn record(moves: &str) -> Value {
    json!({"game": "connect-four", "moves": moves})
}

#[test]
fn a_person_plays_a_program_and_goes_on_from_the_log() {
    let mut core = Core::new(TestHost::default());
    let new = json!({
        "game": "connect-four", "opponent": {"kind": "program", "name": "level:2"}, "side": "first", "take_back": true,
    });
    let opened = ask(&mut core, &json!({"open": {"table": "a", "new": new}}));
    assert_eq!(opened["snapshot"]["you"], json!(["first"]));
    assert_eq!(opened["turn"], Value::Null);
    let mut log: Vec<Value> = opened["entries"].as_array().unwrap().clone();

    let moved = json!({"command": {"table": "a", "command": {"make-move": {"ply": 1, "move": "4"}}}});
    let shown = ask(&mut core, &moved);
    assert_eq!(shown["updates"][0]["move"], "4");
    assert_eq!(shown["updates"][0]["view"]["turn"], "second");
    assert_eq!(shown["turn"]["player"], "level:2");
    log.extend(shown["entries"].as_array().unwrap().clone());

    let seed = &shown["turn"]["seed"];
    let choose = json!({"choose": {"record": record("4"), "player": "level:2", "seed": seed}});
    let thought = ask(&mut core, &choose)["thought"].clone();
    let answered = ask(&mut core, &json!({"program-moves": {"table": "a", "thought": thought}}));
    assert_eq!(answered["snapshot"]["moves"].as_array().unwrap().len(), 2);
    log.extend(answered["entries"].as_array().unwrap().clone());

    let mut another = Core::new(TestHost::default());
    let loaded = ask(&mut another, &json!({"load": {"table": "a", "log": log}}));
    assert_eq!(loaded["snapshot"], answered["snapshot"]);
    assert_eq!(loaded["entries"], json!([]));
}

#[test]
fn a_rematch_exchanges_the_sides() {
    let mut core = Core::new(TestHost::default());
    let new =
        json!({"game": "tic-tac-toe", "opponent": {"kind": "program", "name": "level:1"}, "side": "first"});
    ask(&mut core, &json!({"open": {"table": "a", "new": new}}));
    ask(&mut core, &json!({"command": {"table": "a", "command": {"resign": {}}}}));
    let shown = ask(&mut core, &json!({"command": {"table": "a", "command": {"rematch": {}}, "next": "b"}}));
    assert_eq!(shown["snapshot"]["rematch"], "b");
    assert_eq!(shown["rematch"]["snapshot"]["you"], json!(["second"]));
    assert_eq!(shown["rematch"]["turn"]["player"], "level:1");
}

#[test]
fn what_comes_on_the_way_is_reported() {
    let host = TestHost::default();
    let mut core = Core::new(host.clone());
    let reviewed = ask(&mut core, &json!({"review": {"record": record("4 4 5"), "depth": 2}}));
    assert_eq!(reviewed.as_array().unwrap(), &*host.reports.lock().unwrap());
    assert_eq!(reviewed[2]["mark"], "throws-win");
}

#[test]
fn solved_and_assessed_positions_agree() {
    let mut core = Core::new(TestHost::default());
    let solved = ask(&mut core, &json!({"solve": {"record": record("4 4 4")}}));
    let assessed = ask(&mut core, &json!({"assess": {"record": record("4 4 4"), "lines": 7}}));
    assert!(solved["best"].as_array().unwrap().contains(&assessed["moves"][0]["move"]));
    assert_eq!(assessed["final"], true);
    let missing = json!({"solve": {"record": {"game": "gomoku", "moves": ""}}}).to_string();
    assert_eq!(refusal(&mut core, &missing), "not-allowed");
}

#[test]
fn bad_questions_get_an_error() {
    let mut core = Core::new(TestHost::default());
    for (question, code) in [
        ("", "bad-message"),
        ("{\"win\": {}}", "bad-message"),
        ("{\"flag\": {\"table\": \"none\"}}", "unknown-table"),
        ("{\"positions\": {\"record\": {\"game\": \"go\", \"moves\": \"\"}}}", "unknown-game"),
        ("{\"positions\": {\"record\": {\"game\": \"connect-four\", \"moves\": \"9\"}}}", "illegal-move"),
        (
            "{\"choose\": {\"record\": {\"game\": \"connect-four\", \"moves\": \"\"}, \"player\": \"god\"}}",
            "unknown-player",
        ),
        (
            "{\"open\": {\"table\": \"a\", \"new\": {\"game\": \"connect-four\", \"opponent\": {\"kind\": \"link\"}}}}",
            "not-allowed",
        ),
        ("{\"load\": {\"table\": \"a\", \"log\": []}}", "broken"),
    ] {
        assert_eq!(refusal(&mut core, question), code, "{question}");
    }
}
