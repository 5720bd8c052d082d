//! Games recorded by independent programs: winner and winning line must be the same here.

use crate::common::{after, start};
use alinea_rules::{AnyGame, ChessFive, Outcome, Position};
use serde_json::Value;

/// The values of a file with one per line.
fn lines(text: &str) -> impl Iterator<Item = Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap())
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

fn strings(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(text).collect()
}

/// Plays a recorded game; only its last move may end it.
fn assert_replays(spec: &str, record: &Value) {
    let mut game = start(spec);
    for m in text(&record["moves"]).split(' ') {
        assert_eq!(game.outcome(), None, "before {m} of {record}");
        game.play(m).unwrap_or_else(|error| panic!("{m} of {record}: {error}"));
    }
    let outcome = game.outcome().map(|outcome| outcome.to_string());
    assert_eq!(outcome.as_deref(), record["winner"].as_str(), "{record}");
    let line = game.line().map(|line| line.iter().map(ToString::to_string).collect::<Vec<_>>());
    assert_eq!(serde_json::json!(line), record["line"], "{record}");
}

#[test]
fn simplexity_games_end_as_recorded() {
    for record in lines(include_str!("golden/simplexity_games.jsonl")) {
        assert_replays(text(&record["game"]), &record);
    }
}

#[test]
fn chess_five_games_end_as_recorded() {
    for record in lines(include_str!("golden/chess_five_games.jsonl")) {
        assert_replays("chess-five", &record);
    }
}

fn wins_at_once(game: &AnyGame, m: &str) -> bool {
    let mut next = game.clone();
    next.play(m).unwrap();
    next.outcome() == Some(Outcome::Win(game.turn()))
}

#[test]
fn chess_five_positions_have_the_recorded_moves() {
    for record in lines(include_str!("golden/chess_five_positions.jsonl")) {
        let mut game = start("chess-five");
        let written = text(&record["position"]);
        game.set_position(written).unwrap_or_else(|error| panic!("{written}: {error}"));
        assert_eq!(game.position(), written);
        let mut legal = game.legal_moves();
        legal.sort();
        assert_eq!(legal, strings(&record["legal"]), "{record}");
        legal.retain(|m| wins_at_once(&game, m));
        assert_eq!(legal, strings(&record["winning"]), "{record}");
    }
}

/// The number of move sequences of this length, and of those among them that end in a win.
fn count(position: &ChessFive, depth: usize) -> (u64, u64) {
    if depth == 0 {
        return (1, u64::from(matches!(position.outcome(), Some(Outcome::Win(_)))));
    }
    let counts = position.legal_moves().map(|m| count(&position.after(m), depth - 1));
    counts.fold((0, 0), |sum, more| (sum.0 + more.0, sum.1 + more.1))
}

#[test]
fn chess_five_perft_is_as_recorded() {
    let records: Vec<Value> = serde_json::from_str(include_str!("golden/chess_five_perft.json")).unwrap();
    for record in records {
        let game = after("chess-five", text(&record["moves"]));
        assert_eq!(game.position(), text(&record["position"]));
        let position = game.typed::<ChessFive>().unwrap().position();
        let (nodes, wins) = (&record["nodes"], &record["wins"]);
        for (i, (nodes, wins)) in nodes.as_array().unwrap().iter().zip(wins.as_array().unwrap()).enumerate() {
            let expected = (nodes.as_u64().unwrap(), wins.as_u64().unwrap());
            assert_eq!(count(position, i + 1), expected, "{record}, depth {}", i + 1);
        }
    }
}
