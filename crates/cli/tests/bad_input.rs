//! Every error on the command line or on standard input gives a one-line message.

use std::{ffi::OsStr, os::unix::ffi::OsStrExt, process::Command};

use crate::common::{Run, alinea, finish};

/// One line on standard error, exit code 2, and nothing on standard output.
fn assert_usage_error(run: &Run, what: &str) {
    assert_eq!(run.code, Some(2), "{what}: {}", run.stderr);
    assert_eq!(run.stdout, "", "{what}");
    assert_eq!(run.stderr.lines().count(), 1, "{what}: {}", run.stderr);
    assert!(run.stderr.starts_with("alinea: "), "{what}: {}", run.stderr);
}

#[test]
fn invalid_arguments() {
    for (args, sentence) in [
        (&["inspect", "chess"][..], "there is no game “chess”; games are tic-tac-toe"),
        (&["inspect", ""], "there is no game “”"),
        (
            &["inspect", "connect-four:99999999999999999999x7"],
            "“connect-four:99999999999999999999x7” is not a game of connect-four; expected connect-four[:ROWSxCOLS[xRUN]][:OPENING], such as connect-four:6x7x4",
        ),
        (&["inspect", "connect-four:6x7x4x4"], "expected connect-four[:ROWSxCOLS[xRUN]][:OPENING]"),
        (&["inspect", "simplexity:6x7"], "expected simplexity[:ROWSxCOLSxRUN"),
        (&["inspect", "connect-four", "444444", "4"], "column 4 is full; choose one with an empty cell"),
        (&["inspect", "connect-four", "0"], "there is no column 0; columns are 1 to 7"),
        (&["inspect", "tic-tac-toe", "b2 b2"], "cell b2 is taken; choose an empty one"),
        (&["inspect", "tic-tac-toe", "B2"], "“B2” is not a move; expected a cell such as b2"),
        (&["inspect", "chess-five", "Q@d", "q@d"], "“q@d” is not a move; expected a drop such as Q@d"),
        (&["inspect", "connect-four", "44556677"], "the game is over (first has won); no move can follow"),
        (&["inspect", "connect-four", "--position", "7/7/7 w"], "the position must have 6 rows, not 3"),
        (
            &["inspect", "tic-tac-toe", "--position", "xxx/ooo/3 w"],
            "no last move can have made the winning lines",
        ),
        (&["inspect"], "<GAME>"),
        (&["inspect", "tic-tac-toe", "--colour"], "--colour"),
        (&["nonsense"], "nonsense"),
        (&["choose", "smart:9", "connect-four"], "“smart:9” is not a player; expected smart:1…8"),
        (&["choose", "smart:0", "connect-four"], "expected smart:1…8"),
        (&["choose", "smart:five", "connect-four"], "expected smart:1…8"),
        (
            &["choose", "oxo", "connect-four"],
            "connect-four has no player “oxo”; its players are level:1…8, even:1…64, random, greedy",
        ),
        (&["choose", "random:1", "chess-five"], "“random:1” is not a player; expected random"),
        (&["choose", "human", "tic-tac-toe"], "tic-tac-toe has no player “human”"),
        (&["choose", "random", "tic-tac-toe", "--seed", "x"], "'--seed <N>': expected a whole number"),
        (&["choose", "external:/nope", "tic-tac-toe"], "external:/nope: does not start"),
        (&["analyse", "tic-tac-toe", "--depth", ""], "expected a whole number"),
        (&["review", "connect-four"], "there is no move to review"),
        (&["match", "random", "random", "tic-tac-toe", "--movetime", "0"], "--movetime"),
        (&["match", "random", "random", "tic-tac-toe", "--clock", "0+0"], "expected seconds, such as 10+0.1"),
        (&["choose", "greedy", "connect-four", "4455667"], "the game is over"),
        (&["perft", "tic-tac-toe", "256"], "256 is not in 0..=255"),
        (&["perft", "tic-tac-toe", "-1"], "-1"),
        (&["play", "ludo"], "there is no game “ludo”"),
        (&["play", "tic-tac-toe", "--first", "smart"], "tic-tac-toe has no player “smart”"),
        (&["play", "tic-tac-toe", "--begins", "me"], "me"),
        (&["play", "tic-tac-toe", "--pace", "-3"], "-3"),
        (&["play", "tic-tac-toe", "--position", "x"], "“x” is not a position"),
        (&["book", "tic-tac-toe"], "tic-tac-toe"),
        (&["check", "", "tic-tac-toe"], "the command is empty; expected one such as"),
        (
            &["analyse", "tic-tac-toe", "--nodes", "99999999999999999999"],
            "--nodes <N>': the number is too large",
        ),
        (&["match", "random", "random", "tic-tac-toe", "--memory", "0"], "memory_mb must be at least 1"),
        (&["match", "random", "random", "tic-tac-toe", "--alpha", "NaN"], "a probability between 0 and 0.5"),
        (&["check", "true", "tic-tac-toe", "--movetime", "0"], "0 is not in 1.."),
        (&["serve", "--connections", "0"], "expected a whole number from 1"),
        (&["openings", "make", "tic-tac-toe", "--candidates", "0"], "0 is not in 1.."),
        (&["puzzles", "export", "tic-tac-toe", "--file", "a\nb\u{1b}[2J"], "cannot read a\\nb\\u{1b}[2J: "),
    ] {
        let run = alinea(args, "");
        assert_usage_error(&run, &format!("{args:?}"));
        assert!(run.stderr.contains(sentence), "{args:?}: {}", run.stderr);
    }
}

#[test]
fn arguments_that_are_not_utf8() {
    let broken = OsStr::from_bytes(b"tic-\xff-toe");
    for command in ["inspect", "perft", "play", "players"] {
        let mut alinea = Command::new(env!("CARGO_BIN_EXE_alinea"));
        assert_usage_error(&finish(alinea.arg(command).arg(broken), b""), command);
    }
}

/// Random sequences of words that the prompts know.
fn garbage(rng: &mut fastrand::Rng) -> Vec<u8> {
    let words: [&[u8]; 22] = [
        b"1",
        b"4",
        b"b2",
        b"4r",
        b"Q@d",
        b"d1d5",
        b"position ",
        b"3/3/3 w",
        b" moves ",
        b"-1",
        b"99999999999999999999",
        b"back",
        b"hint",
        b"why",
        b"moves",
        b"new",
        b"help",
        b"\xff\xfe",
        b"\0",
        b"\t",
        b"\x1b[2J",
        "○ é".as_bytes(),
    ];
    let mut bytes = Vec::new();
    for _ in 0..rng.usize(1..60) {
        bytes.extend_from_slice(words[rng.usize(..words.len())]);
        bytes.push(if rng.bool() { b'\n' } else { b' ' });
    }
    bytes
}

#[test]
fn garbage_on_standard_input_ends_cleanly() {
    let mut rng = fastrand::Rng::with_seed(11);
    for round in 0..12 {
        for args in [
            &["inspect", "tic-tac-toe", "-"][..],
            &["choose", "greedy", "connect-four:4x4", "-"],
            &["perft", "chess-five", "1", "-"],
            &["play", "connect-four", "--seed", "1"],
            &["play", "tic-tac-toe", "--first", "human", "--second", "oxo", "--seed", "1"],
            &["play", "simplexity", "--first", "human", "--second", "human"],
            &["play", "chess-five", "--first", "human", "--second", "chess-five:easy", "--seed", "1"],
            &[],
        ] {
            let run = alinea(args, garbage(&mut rng));
            assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "seed 11, round {round}, {args:?}");
        }
    }
}

#[test]
fn a_closed_pipe_is_not_a_failure() {
    let mut command = Command::new("sh");
    let program = env!("CARGO_BIN_EXE_alinea");
    let inspect = format!("('{program}' inspect connect-four -; echo $? >&2)");
    command.arg("-c").arg(format!("yes 4 | head -n 20000 | {inspect} | head -n 1"));
    let run = finish(&mut command, b"");
    assert_eq!((run.stderr.as_str(), run.stdout.lines().count()), ("0\n", 1));
}

#[test]
fn a_closed_standard_error_is_not_a_failure() {
    for args in [&["inspect", "ludo"][..], &["--nonsense"], &["play", "ludo"]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let status = Command::new(env!("CARGO_BIN_EXE_alinea")).args(args).stderr(writer).status().unwrap();
        assert_eq!(status.code(), Some(2), "{args:?}");
    }
}
