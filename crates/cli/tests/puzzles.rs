//! Puzzles: made, verified, exported, solved by programs and by people, on pipes and in a pseudo-terminal.

use std::fs;

use crate::common::alinea;
use serde_json::Value;
use testkit::{Folder, Tmux};

const PROGRAM: &str = env!("CARGO_BIN_EXE_alinea");

fn output(args: &[&str], typed: &str) -> String {
    let run = alinea(args, typed);
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)), "{args:?}");
    run.stdout
}

/// The puzzles of a game of the collection.
fn exported(game: &str) -> Vec<Value> {
    output(&["puzzles", "export", game], "").lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn words(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect()
}

#[test]
fn the_same_seed_makes_the_same_file() {
    let make = ["puzzles", "make", "connect-four", "--count", "6", "--seed", "5"];
    let file = output(&make, "");
    assert_eq!(file.lines().count(), 7, "{file}");
    assert!(file.starts_with("# alinea puzzles make connect-four:6x7x4 --count 6 --games 100000 --seed 5\n"));
    assert_eq!(output(&[&make[..], &["--threads", "2"]].concat(), ""), file);
    let other = output(&["puzzles", "make", "connect-four", "--count", "6", "--seed", "6"], "");
    assert_ne!(file.lines().nth(1), other.lines().nth(1));
    let verify = ["puzzles", "verify", "connect-four", "--file", "-"];
    assert_eq!(output(&verify, &file), "6 puzzles have exactly one solution\n");
}

#[test]
fn a_journal_continues_where_it_was_cut_off() {
    let folder = Folder::new();
    let path = folder.path().join("journal");
    let journal = path.to_str().unwrap();
    let make = ["puzzles", "make", "tic-tac-toe", "--count", "5", "--journal", journal];
    let file = output(&make, "");
    let whole = fs::read_to_string(&path).unwrap();
    // In the middle of a line, after a whole batch, at the end.
    let batch =
        whole.find("# games").unwrap() + whole[whole.find("# games").unwrap()..].find('\n').unwrap() + 1;
    for end in [0, 3, batch, batch + 5, whole.len() / 2, whole.len()] {
        fs::write(&path, &whole[..end]).unwrap();
        assert_eq!(output(&make, ""), file, "cut at {end}");
        assert_eq!(fs::read_to_string(&path).unwrap(), whole, "cut at {end}");
    }
    let run = alinea(&["puzzles", "make", "tic-tac-toe", "--count", "6", "--journal", journal], "");
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("was made with other settings: alinea puzzles make tic-tac-toe --count 5"));
}

#[test]
fn flaws_are_reported() {
    let file = "c2 a1\tb2\twin\t7\tdouble-threat\t1644\n";
    let run = alinea(&["puzzles", "verify", "tic-tac-toe", "--file", "-"], file);
    assert_eq!(run.code, Some(1));
    assert!(run.stdout.starts_with("tic-tac-toe 1: at ply 0 of the solution "), "{}", run.stdout);
    assert_eq!(run.stderr, "alinea: 1 of 1 puzzles have flaws\n");
}

#[test]
fn a_player_is_measured() {
    let line = output(&["puzzles", "solve", "perfect", "tic-tac-toe", "--sample", "3"], "");
    let line: Value = serde_json::from_str(&line).unwrap();
    let count = exported("tic-tac-toe").len().div_ceil(3);
    assert_eq!((line["player"].as_str(), line["puzzles"].as_u64()), (Some("perfect"), Some(count as u64)));
    assert!(line["solved"].as_u64() > Some(0) && line["solved"].as_u64() <= Some(count as u64), "{line}");
}

#[test]
fn a_puzzle_is_solved_line_by_line() {
    let puzzles = exported("connect-four");
    let is_long = |puzzle: &&Value| words(&puzzle["solution"]).len() >= 3 && puzzle["goal"] == "win";
    let puzzle = puzzles.iter().find(is_long).unwrap();
    let (number, solution) = (puzzle["number"].to_string(), words(&puzzle["solution"]));
    let args = ["puzzles", "play", "connect-four", "--number", &number];
    let mine: Vec<_> = solution.iter().copied().step_by(2).collect();
    let screen = output(&args, &(mine.join("\n") + "\nn\n"));
    assert!(screen.contains(&format!("Right. Your opponent replies {}.", solution[1])), "{screen}");
    assert!(
        screen.contains("Solved! You ") && screen.contains("1 of 1 solved on the first try. 1 in a row."),
        "{screen}"
    );

    // A wrong move is refuted, hints come in two steps, and neither counts as solved.
    let legal: Value = {
        let position = puzzle["position"].as_str().unwrap();
        serde_json::from_str(&output(&["inspect", "connect-four", "--position", position], "")).unwrap()
    };
    let wrong = words(&legal["legal"]).into_iter().find(|m| *m != solution[0]).unwrap();
    let screen = output(&args, &format!("{wrong}\nhint\nhint\n9\nhelp\nsolution\nn\n"));
    let refuted = ["then wins ", "The win turns into a draw: "].iter().any(|text| screen.contains(text));
    assert!(refuted && screen.contains("Try again."), "{screen}");
    let theme = puzzle["themes"][0].as_str().unwrap().replace('-', " ");
    assert!(screen.to_lowercase().contains(&format!("hint: {theme}. ")), "{screen}");
    assert!(screen.contains("Hint: It goes to ") && screen.contains("there is no column 9"), "{screen}");
    assert!(screen.contains(&format!("The solution: {}\n", solution.join(" "))), "{screen}");
    assert!(screen.contains("0 of 1 solved on the first try. 0 in a row."), "{screen}");
}

#[test]
fn game_and_theme_are_asked_for() {
    let screen = output(&["puzzles", "play", "--seed", "1"], "1\nback\n1\n1\nnext\nn\n");
    assert!(screen.contains("   1. Tic-tac-toe\n") && screen.contains("   2. Win in one\n"), "{screen}");
    assert!(screen.contains("0 of 1 solved"), "{screen}");
    assert_eq!(screen, output(&["puzzles", "play", "--seed", "1"], "1\nback\n1\n1\nnext\nn\n"));
}

#[test]
fn the_puzzle_of_the_day_is_solved_in_a_terminal() {
    let date = "2026-11-17";
    let title = |date: &str| {
        let screen = output(&["puzzles", "play", "connect-four", "--daily", "--date", date], "next\n");
        screen.lines().find(|line| line.contains("Daily puzzle")).unwrap().trim().to_owned()
    };
    assert_eq!(title(date), title(date));
    assert_ne!(title(date).split(':').nth(1), title("2026-11-18").split(':').nth(1));
    let number: usize = title(date).rsplit(' ').next().unwrap().parse().unwrap();
    let puzzle = &exported("connect-four")[number - 1];
    let command = format!("'{PROGRAM}' puzzles play connect-four --daily --date {date}");
    let tmux = Tmux::run(&command, &[], 80, 60);
    tmux.wait_for("You are");
    let solution = words(&puzzle["solution"]);
    for (i, m) in solution.iter().enumerate().step_by(2) {
        tmux.type_text(m);
        tmux.press("Enter");
        if let Some(reply) = solution.get(i + 1) {
            tmux.wait_for(&format!("Right. Your opponent replies {reply}."));
        }
    }
    tmux.wait_for("Solved! You");
    tmux.assert_clean_end("0");
}

#[test]
fn bad_input_gets_one_sentence() {
    for (args, sentence) in [
        (&["puzzles", "play", "connect-four", "--number", "1000000"][..], "there is no puzzle 1000000"),
        (&["puzzles", "play", "connect-four:5x5"], "there are no puzzles of connect-four:5x5x4"),
        (&["puzzles", "play", "connect-four", "--theme", "luck"], "“luck” is not a theme"),
        (
            &["puzzles", "export", "tic-tac-toe", "--theme", "fork"],
            "there are no puzzles of tic-tac-toe with the theme fork; themes are win-in-one, double-threat",
        ),
        (&["puzzles", "play", "--daily", "--date", "soon"], "“soon” is not a date"),
        (&["puzzles", "play", "ludo"], "there is no game “ludo”"),
        (&["puzzles", "verify", "gomoku", "--file", "/nowhere/puzzles"], "read /nowhere/puzzles"),
        (&["puzzles", "solve", "smart:3", "gomoku"], "gomoku has no player “smart”"),
        (&["puzzles", "make", "connect-four", "--count", "0"], "0 is not in 1..=1000000"),
    ] {
        let run = alinea(args, "");
        assert!(run.code != Some(0) && run.stdout.is_empty(), "{args:?}: {}", run.stdout);
        assert!(run.stderr.contains(sentence) && run.stderr.lines().count() == 1, "{args:?}: {}", run.stderr);
    }
}
