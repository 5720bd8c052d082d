//! The settings of a match on the command line: engines, clocks, cores and openings.

use std::fs;

use testkit::Folder;

use crate::common::{Run, alinea};

fn ok(args: &[&str]) -> Run {
    let run = alinea(args, "");
    assert_eq!(run.code, Some(0), "{args:?}: {}", run.stderr);
    run
}

/// An engine that plays the opponent's last column again, and always announces that it wins at once.
const BOASTER: &str = "while read -r word rest; do case $word in \
    ugi) echo option name Hash type spin; echo ugiok;; isready) echo readyok;; position) p=${rest##* };; \
    go) echo info depth 3 seldepth 9 score mate 1 nodes 77 nps 7700 time 0 pv $p; echo bestmove $p;; \
    quit) exit;; esac; done\n";

#[test]
fn an_engine_has_a_directory_options_and_a_clock_for_some_moves() {
    let place = Folder::new();
    fs::write(place.path().join("engine.sh"), BOASTER).unwrap();
    let path = |name: &str| place.path().join(name).display().to_string();
    let (directory, log, out) = (format!("B={}", place.path().display()), path("log.txt"), path("out"));
    let args = ["match", "B=external:sh engine.sh", "random", "connect-four", "--pairs", "2", "--seed", "1"];
    let more =
        ["--openings", "random:2", "--dir", &directory, "--option", "B:Hash=16", "--clock", "5/10+0.01"];
    let files = ["--affinity", "--log", &log, "--out", &out];
    let run = ok(&[&args[..], &more, &files].concat());
    let log = fs::read_to_string(log).unwrap();
    for line in ["> setoption name Hash value 16", " p1inc 10 p2inc 10 movestogo 5", "movestogo 4"] {
        assert!(log.contains(line), "{line}: {log}");
    }
    for text in
        ["- Limits: 10 s per 5 moves and 10 ms per move", "Wrong announcements:", "| latency of a move |"]
    {
        assert!(run.stdout.contains(text), "{text}: {}", run.stdout);
    }
    assert!(run.stdout.contains(": B announced a win in 1 with move "), "{}", run.stdout);
    assert!(run.stdout.contains(" more of its announcements are wrong"), "{}", run.stdout);
    let games = fs::read_to_string(path("out/games.pgn")).unwrap();
    for text in [
        "[White \"B\"]",
        "[Variant \"connect-four:6x7x4\"]",
        "{+M1/3 ",
        "own=0.000s, n=77, sd=9, nps=7700, pv=\"",
    ] {
        assert!(games.contains(text), "{text}: {games}");
    }
    assert!(games.contains(" tl=10.") || games.contains(" tl=9."), "{games}");
    let missing = alinea(&[&args[..], &["--dir", "B=/no/such/place"]].concat(), "");
    assert_eq!(missing.code, Some(3));
    assert!(missing.stderr.contains("there is no directory /no/such/place"), "{}", missing.stderr);
}

#[test]
fn openings_are_made_from_a_seed() {
    let make = |threads: &str| {
        let args =
            ["openings", "make", "connect-four:5x5x4", "--count", "5", "--nodes", "500", "--plies", "4"];
        ok(&[&args[..], &["--candidates", "200", "--threads", threads]].concat()).stdout
    };
    let text = make("1");
    assert_eq!(make("2"), text);
    let lines: Vec<_> = text.lines().collect();
    assert!(
        lines[0].starts_with("# alinea openings make connect-four:5x5x4 --count 5 --plies 4-4 --nodes 500 ")
    );
    assert_eq!(lines.len(), 7, "{text}");
    let place = Folder::new();
    let file = place.path().join("made.txt");
    fs::write(&file, &text).unwrap();
    let file = format!("file:{}", file.display());
    ok(&["match", "random", "greedy", "connect-four:5x5x4", "--pairs", "5", "--openings", &file]);
    assert!(ok(&["openings", "list", "gomoku"]).stdout.starts_with("# alinea openings make gomoku:15x15x5 "));
    let none = alinea(&["openings", "list", "tic-tac-toe"], "");
    assert!(none.stderr.contains("there are no balanced openings for tic-tac-toe"), "{}", none.stderr);
}

#[test]
fn wrong_settings_are_refused_with_what_was_expected() {
    for (args, sentence) in [
        (&["match", "random", "greedy", "connect-four", "--clock", "0/10+1"][..], "such as 40/10+0.1"),
        (&["match", "random", "greedy", "connect-four", "--affinity=1-"], "“1-” is not a list of cores"),
        (&["match", "random", "greedy", "connect-four", "--affinity=4000"], "core 4000 is not available"),
        (&["match", "random", "greedy", "connect-four", "--option", "Hash=16"], "such as Mine:Hash=16"),
        (&["match", "random", "greedy", "connect-four", "--dir", "x"], "such as Mine=engines/mine"),
        (&["match", "random", "greedy", "connect-four", "--dir", "X=."], "“X”, which is not a player"),
        (
            &["match", "random", "greedy", "connect-four", "--sprt", "0,5", "--sprt-model", "x"],
            "expected logistic or normalised",
        ),
        (
            &["match", "random", "greedy", "connect-four:9x9x5", "--openings", "balanced"],
            "there are no balanced openings for connect-four:9x9x5",
        ),
        (&["openings", "make", "connect-four", "--plies", "8-4"], "such as 4-8"),
    ] {
        let run = alinea(args, "");
        assert_eq!(run.code, Some(2), "{args:?}: {}", run.stderr);
        assert!(run.stderr.contains(sentence) && run.stderr.lines().count() == 1, "{args:?}: {}", run.stderr);
    }
}
