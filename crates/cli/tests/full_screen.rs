//! The full screen in a real pseudo-terminal: whole games of every game by keys and by mouse, another size, and a clean
//! end.

#![cfg(feature = "full-screen")]

use crate::common::{Run, alinea};
use serde_json::Value;
use testkit::{Folder, Tmux};

const PROGRAM: &str = env!("CARGO_BIN_EXE_alinea");

/// A whole game between two programs, to test how it is shown.
fn course(game: &str) -> Vec<String> {
    let args = ["play", game, "--first", "level:1", "--second", "level:2", "--seed", "3"];
    let Run { stdout: screen, stderr, code } = alinea(&args, "");
    assert_eq!(code, Some(0), "{stderr}");
    screen.lines().filter_map(|line| Some(line.split_once(" -> ")?.1.trim().to_owned())).collect()
}

fn games() -> Vec<Value> {
    serde_json::from_str(&alinea(&["games", "--json"], "").stdout).unwrap()
}

/// Two people at one screen.
fn table(game: &str, folder: &Folder) -> Tmux {
    let command = format!("'{PROGRAM}' play {game} --first human --second human --no-animation --lang en");
    let data = folder.path().display().to_string();
    Tmux::run(&command, &[("ALINEA_DATA", &data)], 100, 34)
}

fn is_over(screen: &str) -> bool {
    screen.contains(" won.") || screen.contains("Draw.")
}

/// Waits until the list has this many moves.
fn wait_for_moves(tmux: &Tmux, count: usize, game: &str) -> String {
    // The list shows a number for every two moves.
    let number = format!("{:>3}.", count.div_ceil(2));
    tmux.wait_until(&format!("move {count} of {game}"), |screen| {
        is_over(screen) || {
            let row = screen.lines().find_map(|line| Some(line.split_once(&number)?.1.to_owned()));
            row.is_some_and(|row| row.split_whitespace().count() > (count + 1) % 2)
        }
    })
}

#[test]
fn every_game_by_keys() {
    for info in games() {
        let id = info["id"].as_str().unwrap();
        let folder = Folder::new();
        let tmux = table(id, &folder);
        tmux.wait_for("No moves yet.");
        let moves = course(id);
        for (count, m) in (1..).zip(&moves) {
            tmux.press("/");
            tmux.type_text(m);
            tmux.press("Enter");
            wait_for_moves(&tmux, count, id);
        }
        tmux.wait_until("the result", is_over);
        let data = folder.path().display().to_string();
        let list = std::process::Command::new(PROGRAM)
            .args(["games", "list"])
            .env("ALINEA_DATA", data)
            .output()
            .unwrap();
        assert!(String::from_utf8(list.stdout).unwrap().contains(id), "the game is kept");
        tmux.press("q");
        tmux.wait_for("Line them up");
        tmux.press("q");
        tmux.assert_clean_end("0");
    }
}

/// Where the names of columns and rows are on the screen: (x of each column, y of each row from the bottom).
fn names(screen: &str, info: &Value) -> (Vec<usize>, Vec<usize>) {
    let cols = info["size"]["cols"]["usual"].as_u64().unwrap() as usize;
    let rows = info["size"]["rows"]["usual"].as_u64().unwrap() as usize;
    let has_letters = info["coordinates"] == "cells";
    let name = |column: usize| {
        if has_letters { char::from(b'a' + column as u8).to_string() } else { (column + 1).to_string() }
    };
    let lines: Vec<Vec<char>> = screen.lines().map(|line| line.chars().collect()).collect();
    let below = lines
        .iter()
        .position(|line| {
            let words: String = line.iter().collect();
            let words: Vec<_> = words.split_whitespace().map(str::to_owned).collect();
            words.len() >= cols && (0..cols).all(|column| words[column] == name(column))
        })
        .unwrap_or_else(|| panic!("the names of columns are on the screen:\n{screen}"));
    let mut x = 0;
    let columns = (0..cols)
        .map(|_| {
            while lines[below][x] == ' ' {
                x += 1;
            }
            x += 1;
            x - 1
        })
        .collect();
    // Without names of rows any row of a column will do.
    let find_row = |row: usize| {
        let name = (row + 1).to_string();
        lines[..below].iter().rposition(|line| {
            let text: String = line.iter().take(6).collect();
            text.split_whitespace().next() == Some(name.as_str())
        })
    };
    let rows = (0..rows).map(|row| if has_letters { find_row(row).unwrap() } else { below - 1 }).collect();
    (columns, rows)
}

#[test]
fn every_game_by_mouse() {
    for info in games() {
        let id = info["id"].as_str().unwrap();
        let folder = Folder::new();
        let tmux = table(id, &folder);
        // The bar of keys is drawn last.
        let screen = tmux.wait_for(" q Back");
        let (columns, rows) = names(&screen, &info);
        let click = |cell: &str| {
            let column = usize::from(cell.as_bytes()[0] - b'a');
            let row: usize = cell[1..].parse().unwrap();
            tmux.click(columns[column], rows[row - 1]);
        };
        for (count, m) in (1_usize..).zip(course(id)) {
            let bytes = m.as_bytes();
            if let Some((piece, column)) = m.split_once('@') {
                tmux.press(piece);
                click(&format!("{column}1"));
            } else if bytes[0].is_ascii_digit() {
                let digits = m.trim_end_matches(|c: char| c.is_ascii_alphabetic());
                let (column, pops): (usize, bool) = (digits.parse().unwrap(), m.ends_with('p'));
                if digits.len() < m.len() && !pops {
                    tmux.press(&m[digits.len()..].to_uppercase());
                }
                // A piece at the bottom is chosen first, then taken out; a press above it drops one.
                let row = if pops { rows[0] } else { rows[0] - 4 };
                if pops {
                    tmux.click(columns[column - 1], row);
                    tmux.wait_for("press it again");
                }
                tmux.click(columns[column - 1], row);
                // A move that gives the game away must be confirmed.
                let said = tmux.wait_until("the move or a question", |screen| {
                    is_over(screen) || screen.contains("again to confirm") || {
                        let number = format!("{:>3}.", count.div_ceil(2));
                        let row =
                            screen.lines().find_map(|line| Some(line.split_once(&number)?.1.to_owned()));
                        row.is_some_and(|row| row.split_whitespace().count() > (count + 1) % 2)
                    }
                });
                if said.contains("again to confirm") {
                    tmux.click(columns[column - 1], row);
                }
            } else {
                let second = m[1..].find(|c: char| c.is_ascii_alphabetic()).map(|at| at + 1);
                match second {
                    Some(at) => {
                        click(&m[..at]);
                        click(&m[at..]);
                    }
                    None => click(&m),
                }
            }
            wait_for_moves(&tmux, count, id);
        }
        tmux.wait_until("the result", is_over);
    }
}

#[test]
fn the_window_changes_its_size() {
    let folder = Folder::new();
    let tmux = table("connect-four", &folder);
    tmux.wait_for("No moves yet.");
    tmux.press("4");
    tmux.wait_for("  1.");
    tmux.resize(12, 4);
    tmux.wait_for("This window");
    tmux.resize(120, 40);
    tmux.wait_for("  1.");
    tmux.resize(20, 8);
    tmux.wait_until("the board alone", |screen| !screen.contains("Moves") && screen.contains("1 2 3"));
}

#[test]
fn an_interrupt_and_a_signal_leave_the_terminal_clean() {
    let folder = Folder::new();
    let tmux = table("connect-four", &folder);
    tmux.wait_for("No moves yet.");
    tmux.press("C-c");
    tmux.assert_clean_end("0");

    let tmux = table("connect-four", &folder);
    tmux.wait_for("No moves yet.");
    let shell = tmux.property("pane_pid");
    let children = std::fs::read_to_string(format!("/proc/{shell}/task/{shell}/children")).unwrap();
    let child = children.split_whitespace().next().unwrap();
    assert!(std::process::Command::new("kill").args(["-TERM", child]).status().unwrap().success());
    tmux.assert_clean_end("0");
}

#[test]
fn plain_asks_line_by_line_on_a_terminal() {
    for (options, term) in [("--plain", "xterm"), ("", "dumb")] {
        let tmux = Tmux::run(&format!("TERM={term} '{PROGRAM}' {options}"), &[], 80, 24);
        tmux.wait_for("Choose game:");
        assert_eq!(tmux.property("alternate_on"), "0");
        tmux.type_text("quit");
        tmux.press("Enter");
        tmux.assert_clean_end("0");
    }
}
