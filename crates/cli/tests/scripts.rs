//! The commands for scripts: one position in, one line of JSON out.

use crate::common::alinea;
use serde_json::{Value, json};

/// The single line of output of a successful call.
fn answer(args: &[&str]) -> Value {
    let run = alinea(args, "");
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)), "{args:?}");
    assert_eq!(run.stdout.lines().count(), 1);
    serde_json::from_str(&run.stdout).unwrap()
}

/// The output lines for these input lines.
fn answers(args: &[&str], input: impl AsRef<[u8]>) -> Vec<Value> {
    let run = alinea(args, input);
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)), "{args:?}");
    run.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn inspect_prints_the_state_of_a_position() {
    assert_eq!(
        answer(&["inspect", "tic-tac-toe", "b2", "a3"]),
        json!({
            "turn": "first",
            "legal": ["b3", "c3", "a2", "c2", "a1", "b1", "c1"],
            "outcome": null,
            "line": null,
            "position": "o2/1x1/3 w",
            "ply": 2,
        })
    );
    assert_eq!(
        answer(&["inspect", "connect-four", "4455667"]),
        json!({
            "turn": null,
            "legal": [],
            "outcome": "first",
            "line": ["d1", "e1", "f1", "g1"],
            "position": "7/7/7/7/3ooo1/3xxxx b",
            "ply": 7,
        })
    );
    let wide = answer(&["inspect", "connect-four:6x12", "12", "1"]);
    assert_eq!((&wide["position"], &wide["ply"]), (&json!("12/12/12/12/12/o10x w"), &json!(2)));
}

#[test]
fn inspect_starts_at_a_position() {
    let game = answer(&["inspect", "simplexity", "--position", "7/7/7/7/7/w6 b", "1s", "2r"]);
    assert_eq!((&game["position"], &game["ply"]), (&json!("7/7/7/7/R6/ww5 b"), &json!(3)));
}

#[test]
fn many_lines_give_many_answers() {
    let input = b"4455\n\n4 4 5\nposition 7/7/7/7/7/3x3 b\nposition 7/7/7/7/7/3x3 b moves 1 2\n8\nposition x w\nz\n\xff\xfe\n1";
    let answers = answers(&["inspect", "connect-four", "-"], input);
    let plies: Vec<_> = answers.iter().map(|answer| answer["ply"].as_u64()).collect();
    assert_eq!(plies, [Some(4), Some(0), Some(3), Some(1), Some(3), None, None, None, None, Some(1)]);
    let errors: Vec<_> = answers.iter().filter_map(|answer| answer["error"].as_str()).collect();
    assert_eq!(
        errors,
        [
            "there is no column 8; columns are 1 to 7",
            "the position must have 6 rows, not 1",
            "“z” is not a move; expected a column number such as 4",
            "the line is not UTF-8 text",
        ]
    );
}

#[test]
fn choose_prints_the_move_and_its_reasons() {
    let thought = answer(&["choose", "smart:4", "connect-four", "445"]);
    for field in ["move", "candidates", "score", "line", "reasons", "nodes", "time_ms", "depth"] {
        assert!(!thought[field].is_null(), "{field}: {thought}");
    }
    assert_eq!(thought["candidates"], json!([thought["move"]]));
    assert_eq!(thought["reasons"][0]["reason"], "minimax");

    let thought = answer(&["choose", "choice-index:hard", "tic-tac-toe"]);
    assert_eq!(thought["candidates"], json!(["a3", "c3", "b2", "a1", "c1"]));
    assert_eq!(thought["reasons"][0]["cells"][0], json!({ "cell": "a3", "index": 1 }));
}

#[test]
fn choose_depends_only_on_the_seed() {
    let chosen = |seed: &str| answer(&["choose", "random", "chess-five", "--seed", seed])["move"].clone();
    assert_eq!(chosen("7"), chosen("7"));
    assert!(["8", "9", "10", "11"].iter().any(|seed| chosen(seed) != chosen("7")));
}

#[test]
fn choose_draws_for_each_line_anew() {
    let drawn = answers(&["choose", "random", "connect-four", "-"], "44\n".repeat(20));
    let moves: std::collections::BTreeSet<_> =
        drawn.iter().map(|thought| thought["move"].to_string()).collect();
    assert!(moves.len() > 3, "{moves:?}");
}

#[test]
fn choose_answers_many_lines_and_continues_after_an_error() {
    let answers = answers(&["choose", "greedy", "connect-four", "-"], "4\n4455667\n1");
    assert!(answers[0]["move"].is_string() && answers[2]["move"].is_string());
    assert_eq!(answers[1]["error"], "the game is over (first has won); no move can follow");
}

#[test]
fn perft_counts() {
    assert_eq!(answer(&["perft", "connect-four", "4"]), json!(2401));
    assert_eq!(answer(&["perft", "connect-four", "1", "444444"]), json!(6));
    assert_eq!(answer(&["perft", "connect-four", "3", "4455667"]), json!(0));
    assert_eq!(answer(&["perft", "tic-tac-toe", "0"]), json!(1));
    let counts = answers(&["perft", "chess-five", "2", "-"], "\nQ@d\nQ@z\n");
    assert_eq!(counts[..2], [json!(1600), json!(1280)]);
    assert!(counts[2]["error"].is_string());
}

#[test]
fn players_are_listed() {
    let run = alinea(&["players"], "");
    for player in
        ["human", "random", "choice-index:easy|normal|hard", "smart:1…8", "chess-five:easy|medium|hard"]
    {
        assert!(run.stdout.lines().any(|line| line.trim() == player), "{player}");
    }
    assert_eq!(alinea(&["players", "chess-five"], "").stdout.lines().next(), Some("chess-five"));
}
