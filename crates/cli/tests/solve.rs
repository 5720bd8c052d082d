//! `alinea solve` for scripts and on a terminal, and the generator of the book.

use crate::common::alinea;
use rules::{ConnectFour, Position, Standard};
use serde_json::{Value, json};
use solver::Book;

fn answers(args: &[&str], input: &str) -> Vec<Value> {
    let run = alinea(args, input);
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)), "{args:?}");
    run.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_position_is_solved_with_all_its_moves() {
    let answer = &answers(&["solve", "connect-four:4x7", "4455"], "")[0];
    assert_eq!(answer["score"], 11);
    assert_eq!(answer["best"], json!(["3", "6"]));
    assert_eq!(answer["columns"], json!([-1, -1, 11, 0, 0, 11, -1]));
    assert_eq!(answer["line"].as_array().unwrap().len(), 3);
    assert_eq!(answer["reasons"][0]["fact"], "makes-two-threats");
    for field in ["nodes", "time_ms"] {
        assert!(answer[field].is_number(), "{field}");
    }
}

#[test]
fn many_positions_are_answered_in_order() {
    let moves = ["", "4", "4455", "112233", "z", "7", "position 7/7/7/3x3 b", "1 2 3 4"];
    for threads in ["1", "3"] {
        let args = ["solve", "connect-four:4x7", "--threads", threads, "-"];
        let scores: Vec<_> =
            answers(&args, &moves.join("\n")).iter().map(|answer| answer["score"].as_i64()).collect();
        let zero = Some(0);
        assert_eq!(scores, [zero, zero, Some(11), Some(11), None, scores[5], scores[1], scores[7]]);
        assert!(scores[5].is_some() && scores[7].is_some());
    }
}

#[test]
fn a_terminal_shows_a_verdict_for_each_column() {
    let mut command = std::process::Command::new("script");
    let program = env!("CARGO_BIN_EXE_alinea");
    command.args(["--quiet", "--return", "--command"]);
    command.arg(format!("'{program}' solve connect-four:4x7 4455")).arg("/dev/null").env("NO_COLOR", "1");
    let screen = crate::common::finish(&mut command, b"").stdout.replace("\r\n", "\n");
    for text in ["  ○: wins in 2\n", "    3  wins in 2  best\n", "    4  draw\n", "loses in"] {
        assert!(screen.contains(text), "{text}: {screen}");
    }
    assert!(screen.contains("  It makes two threats at once: b1 and f1.\n"), "{screen}");
}

#[test]
fn a_finished_game_has_a_score_and_no_moves() {
    let answer = &answers(&["solve", "connect-four", "4455667"], "")[0];
    assert_eq!((&answer["score"], &answer["best"]), (&json!(-18), &json!([])));
    assert_eq!(answer["columns"], json!([null, null, null, null, null, null, null]));
}

#[test]
fn weak_solving_needs_fewer_nodes() {
    let weak = &answers(&["solve", "connect-four:4x6", "--weak"], "")[0];
    assert_eq!((&weak["score"], &weak["best"]), (&json!(-1), &json!([])));
}

#[test]
fn the_score_alone_and_the_length_of_the_line_can_be_asked_for() {
    let score = &answers(&["solve", "connect-four", "44", "--score"], "")[0];
    assert_eq!((&score["score"], &score["nodes"], &score["line"]), (&json!(1), &json!(0), &json!([])));
    let line = |plies| {
        let answer = answers(&["solve", "connect-four:4x7", "4455", "--line", plies], "");
        answer[0]["line"].as_array().unwrap().len()
    };
    assert_eq!((line("0"), line("2"), line("40")), (0, 2, 3));
    for other in ["--weak", "--line=3"] {
        assert_eq!(alinea(&["solve", "connect-four", "--score", other], "").code, Some(2));
    }
}

#[test]
fn unsolvable_boards_are_rejected() {
    for args in
        [&["solve", "chess-five"][..], &["solve", "connect-four:8x8"], &["solve", "connect-four:6x7x5"]]
    {
        let run = alinea(args, "");
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
        assert!(run.stderr.contains("cannot be solved; expected connect-four with"), "{}", run.stderr);
    }
    for args in
        [&["solve", "connect-four", "--memory", "0"][..], &["solve", "connect-four", "--threads", "0"]]
    {
        assert_eq!(alinea(args, "").code, Some(2));
    }
}

/// A complete journal: all positions of the second ply with the scores of the embedded book.
fn journal() -> Vec<u8> {
    let start = ConnectFour::new(Standard::default());
    let second = start.legal_moves().flat_map(|m| {
        let after = start.after(m);
        after.legal_moves().map(|reply| after.after(reply)).collect::<Vec<_>>()
    });
    second.flat_map(|position| Book::embedded().entry(&position).unwrap().to_bytes()).collect()
}

#[test]
fn the_book_resumes_from_its_journal() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (book, kept) = (folder.join("resumed.book"), folder.join("elsewhere.journal"));
    // A torn last entry is dropped, and the rest is kept.
    let mut bytes = journal();
    bytes.extend([1, 2, 3]);
    std::fs::write(&kept, bytes).unwrap();
    let (output, journal) = (book.to_str().unwrap(), kept.to_str().unwrap());
    let limits = ["--plies", "2", "--memory", "1", "--threads", "2"];
    let run = alinea(&[&["book", "connect-four", output, "--journal", journal], &limits[..]].concat(), "");
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
    let book = Book::from_bytes(&std::fs::read(book).unwrap()).unwrap();
    assert_eq!((book.plies(), book.len()), (2, 30));
    assert_eq!(book.score(&ConnectFour::new(Standard::default())), Some(1));
    assert!(!kept.exists());
}

#[test]
fn a_book_that_cannot_be_written_is_reported() {
    let run = alinea(&["book", "connect-four", "/nowhere/at/all.book"], "");
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.starts_with("alinea: cannot open /nowhere/at/all.journal: "), "{}", run.stderr);
}
