//! Requests and answers, natively.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use alinea_wasm::{Core, Host};
use rules::{AnyGame, Spec};
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

fn ask(core: &mut Core, request: &Value) -> Value {
    let answer: Value = serde_json::from_str(&core.ask(&request.to_string())).unwrap();
    assert!(answer.get("error").is_none(), "{answer}");
    answer["ok"].clone()
}

fn refusal(core: &mut Core, request: &str) -> String {
    let answer: Value = serde_json::from_str(&core.ask(request)).unwrap();
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
fn bad_requests_get_an_error() {
    let mut core = Core::new(TestHost::default());
    for (request, code) in [
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
        (
            "{\"choose\": {\"record\": {\"game\": \"connect-four\", \"moves\": \"1212121\"}, \"player\": \"random\"}}",
            "game-over",
        ),
        ("{\"load\": {\"table\": \"a\", \"log\": []}}", "broken"),
    ] {
        assert_eq!(refusal(&mut core, request), code, "{request}");
    }
}

#[test]
fn a_request_has_one_known_name() {
    let mut core = Core::new(TestHost::default());
    for (request, message) in [
        ("{}", "invalid request: "),
        ("[]", "invalid request: "),
        ("{\"win\": {}}", "unknown request “win”; expected one of games, positions, "),
        ("{\"games\": {}, \"flag\": {}}", "invalid request: "),
        ("{\"seed\": 1, \"games\": {}}", "invalid request: expected one name with its parameters, such as "),
        ("{\"games\": {\"seed\": 1}}", "unknown field `seed`"),
    ] {
        let answer = core.ask(request);
        let error: Value = serde_json::from_str(&answer).unwrap();
        assert_eq!(error["error"]["code"], "bad-message", "{answer}");
        assert!(error["error"]["message"].as_str().unwrap().contains(message), "{answer}");
    }
}

/// A puzzle request.
fn puzzle(core: &mut Core, request: &Value) -> Value {
    ask(core, &json!({"puzzle": request}))
}

#[test]
fn a_puzzle_of_a_collection_is_solved_and_rated() {
    let mut core = Core::new(TestHost::default());
    let four = "# comment\n4 1 4 1 4 7\t4\twin\t36\twin-in-one\t600\n";
    let three = "c2 a1\tc1 c3 b2 a3 a2\twin\t7\tdouble-threat\t1644\n";
    let files = json!([{"game": "connect-four", "text": four}, {"game": "tic-tac-toe", "text": three}]);
    let loaded = puzzle(&mut core, &json!({"load": {"files": files}}));
    assert_eq!(loaded[0], json!({"game": "tic-tac-toe", "puzzles": 1, "themes": [["double-threat", 1]]}));
    assert_eq!(loaded[1]["game"], "connect-four");

    let days = [0, 1]
        .map(|day| puzzle(&mut core, &json!({"daily": {"at": day * 86_400_000}}))["puzzle"]["id"].clone());
    assert_eq!(days, ["tic-tac-toe-1", "connect-four-1"]);
    let next = json!({"next": {"game": "tic-tac-toe", "rating": 1500, "seen": [1], "seed": 1}});
    let told = puzzle(&mut core, &next);
    assert_eq!(told, puzzle(&mut core, &json!({"find": {"id": "tic-tac-toe-1"}})));
    assert_eq!(told["puzzle"]["steps"], 3);
    assert_eq!(told["puzzle"]["exact"], true);
    assert_eq!(puzzle(&mut core, &json!({"find": {"id": "tic-tac-toe-2"}})), Value::Null);

    let attempt = |moves: &[&str]| json!({"attempt": {"of": told["of"], "attempt": {"moves": moves, "refute": true, "help": true}}});
    let right = puzzle(&mut core, &attempt(&["c1"]));
    assert_eq!((&right["result"], &right["course"]), (&json!("right"), &json!(["c1", "c3"])));
    assert_eq!(right["help"], json!({"theme": "double-threat", "to": "b2", "solution": ["b2", "a3", "a2"]}));
    let wrong = puzzle(&mut core, &attempt(&["c1", "b1"]));
    assert_eq!((&wrong["result"], &wrong["course"]), (&json!("wrong"), &json!(["c1", "c3", "b1"])));
    assert!(["loses", "draws"].contains(&wrong["refutation"]["why"].as_str().unwrap()), "{wrong}");
    let solved = puzzle(&mut core, &attempt(&["c1", "b2", "a2"]));
    assert_eq!((&solved["result"], &solved["help"]), (&json!("solved"), &Value::Null));

    let rated = puzzle(&mut core, &json!({"rate": {"of": told["of"], "solved": true}}));
    assert!(rated["rating"].as_f64().unwrap() > 1500.0);
    let again = puzzle(
        &mut core,
        &json!({"rate": {"of": told["of"], "person": rated, "idle_ms": 5, "solved": false}}),
    );
    assert!(again["rating"].as_f64().unwrap() < rated["rating"].as_f64().unwrap());
}

#[test]
fn a_puzzle_is_made_from_a_position_that_has_one() {
    let mut core = Core::new(TestHost::default());
    let make = |moves: &str| json!({"make": {"record": {"game": "tic-tac-toe", "moves": moves}}});
    let of = puzzle(&mut core, &make("c2 a1"));
    assert_eq!(of["game"], "tic-tac-toe");
    assert!(of["text"].as_str().unwrap().starts_with("c2 a1\tc1\t"), "{of}");
    let shown = puzzle(&mut core, &json!({"show": {"id": "own-1", "of": of}}));
    assert_eq!(shown["puzzle"]["id"], "own-1");
    assert_eq!(puzzle(&mut core, &make("")), Value::Null);
    for (request, code) in [
        (json!({"load": {"files": [{"game": "connect-four", "text": "x"}]}}), "bad-message"),
        (json!({"load": {"files": [{"game": "chess", "text": ""}]}}), "unknown-game"),
        (json!({"attempt": {"of": of, "attempt": {"moves": ["z9"]}}}), "illegal-move"),
        (json!({"next": {"game": "tic-tac-toe", "theme": "luck", "rating": 1, "seed": 1}}), "bad-message"),
    ] {
        assert_eq!(refusal(&mut core, &json!({"puzzle": request}).to_string()), code);
    }
}

#[test]
fn an_even_match_follows_the_results_and_a_game_says_what_mattered() {
    let mut core = Core::new(TestHost::default());
    let mut even =
        |games: Value| ask(&mut core, &json!({"skills": {"even": {"game": "connect-four", "games": games}}}));
    assert_eq!(even(json!([]))["program"], "even:32");
    assert_eq!(even(json!([{"program": "even:32", "points": 1.0}]))["level"], 5);
    let chance = json!({
        "ply": 6, "skill": "stops-threats",
        "miss": {"played": "7", "right": "5", "proven": true, "lines": [["e1", "e2", "e3", "e4"]]},
    });
    let game = |id: &str| json!({"id": id, "game": "connect-four", "at": 5, "chances": [chance]});
    let request = json!({"skills": {"mattered": {"games": [game("a"), game("b")], "id": "b"}}});
    let told = ask(&mut core, &request);
    assert_eq!((&told["ply"], &told["times"]), (&json!(6), &json!(2)));
    assert_eq!((&told["course"], &told["place"]), (&json!("column"), &json!("right")));
    let request = json!({"skills": {"mattered": {"games": [], "id": "b"}}});
    assert_eq!(ask(&mut core, &request), Value::Null);
    let unknown = r#"{"skills": {"even": {"game": "chess", "games": []}}}"#;
    assert_eq!(refusal(&mut core, unknown), "unknown-game");
}

/// A game of random moves, which gives far more mistakes than those of people.
fn random_game(game: &str, seed: u64) -> String {
    let mut game = AnyGame::from(game.parse::<Spec>().unwrap());
    let mut state = seed;
    while game.outcome().is_none() && game.ply() < 40 {
        let legal = game.legal_moves();
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        game.play(&legal[(state >> 33) as usize % legal.len()]).unwrap();
    }
    game.moves().join(" ")
}

#[test]
fn what_the_page_keeps_of_1_000_games_is_less_than_5_mb() {
    let mut core = Core::new(TestHost::default());
    for game in ["tic-tac-toe", "connect-four", "simplexity", "chess-five", "gomoku"] {
        let mut bytes = 0;
        for seed in 1..=3 {
            let moves = random_game(game, seed);
            let record = json!({"game": game, "moves": moves});
            let id = "here-0123456789abcdef";
            let learned = ask(
                &mut core,
                &json!({"skills": {"learn": {"record": record, "side": "first", "id": id, "at": 1}}}),
            );
            bytes += learned.to_string().len() + moves.len();
        }
        println!("{game}: {} bytes a game", bytes / 3);
        assert!(bytes / 3 < 5_000, "{game}: {bytes}");
    }
}
