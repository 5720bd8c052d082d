//! What people expect of a command line: JSON where scripts read, completions, manual pages, a doctor, kept games.

#![cfg(feature = "full-screen")]

use std::{collections::BTreeSet, fs, process::Command};

use crate::common::{Run, alinea, finish};
use serde_json::Value;
use testkit::Folder;

/// Runs the program with this data folder.
fn with_data(folder: &Folder, args: &[&str]) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_alinea"));
    finish(command.args(args).env("ALINEA_DATA", folder.path()), b"")
}

fn json_lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn players_as_json_are_those_of_the_list() {
    let list = alinea(&["players"], "").stdout;
    for line in json_lines(&alinea(&["players", "--json"], "").stdout) {
        assert!(list.contains(line["game"].as_str().unwrap()), "{line}");
        for player in line["players"].as_array().unwrap() {
            assert!(list.contains(&format!("  {}\n", player.as_str().unwrap())), "{player}");
        }
        for level in line["levels"].as_array().unwrap() {
            let text = format!("level:{}  {}", level["level"], level["name"].as_str().unwrap());
            assert!(list.contains(&text), "{text}");
        }
    }
}

#[test]
fn shells_and_man_know_every_command() {
    let help = alinea(&["--help"], "").stdout;
    let commands: Vec<_> = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .map_while(|line| line.split_whitespace().next())
        .filter(|command| *command != "help")
        .collect();
    assert!(commands.contains(&"online") && commands.len() > 15, "{commands:?}");
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let script = alinea(&["completions", shell], "").stdout;
        for command in &commands {
            assert!(script.contains(command), "{shell} lacks {command}");
        }
    }
    let folder = Folder::new();
    let pages = folder.path().join("man");
    assert_eq!(alinea(&["man", pages.to_str().unwrap()], "").code, Some(0));
    for command in &commands {
        let page = fs::read_to_string(pages.join(format!("alinea-{command}.1"))).unwrap();
        assert!(page.contains(".SH NAME"), "{command}");
    }
}

/// What bash offers after these words, the last of which is incomplete.
fn completed(words: &[&str]) -> Vec<String> {
    let script = alinea(&["completions", "bash"], "").stdout;
    let (last, words) = (words.len(), words.join(" "));
    let ask = format!(
        "{script}\nCOMP_WORDS=(alinea {words}); COMP_CWORD={last}; \
         _alinea alinea \"${{COMP_WORDS[-1]}}\" \"${{COMP_WORDS[-2]}}\"; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    );
    let run = finish(Command::new("bash").arg("-s"), ask.as_bytes());
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
    // Several arguments of a command may have the same values; bash shows each once.
    run.stdout.lines().map(str::to_owned).collect::<BTreeSet<_>>().into_iter().collect()
}

#[test]
fn a_shell_completes_games_players_themes_and_files() {
    assert_eq!(completed(&["play", "con"]), ["connect-four"]);
    assert_eq!(completed(&["inspect", "sim"]), ["simplexity"]);
    assert_eq!(completed(&["play", "connect-four", "--first", "per"]), ["perfect"]);
    assert_eq!(completed(&["match", "oxo", "chess-five:h"]), ["chess-five:hard"]);
    assert_eq!(completed(&["puzzles", "play", "--theme", "zug"]), ["zugzwang"]);
    let folder = Folder::new();
    fs::write(folder.path().join("games.txt"), "").unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    assert_eq!(completed(&["review", "--games", &path("ga")]), [path("games.txt")]);
    // Where the script offers nothing, bash completes files.
    assert_eq!(completed(&["report", &path("ga")]), [""]);
    assert!(alinea(&["completions", "bash"], "").stdout.contains("-o bashdefault -o default alinea"));
}

#[test]
fn a_doctor_looks_at_everything_and_names_what_is_broken() {
    let folder = Folder::new();
    let database = folder.path().join("none.db");
    let args = ["doctor", "--data", database.to_str().unwrap()];
    let healthy = with_data(&folder, &args);
    assert_eq!(healthy.code, Some(0), "{}", healthy.stderr);
    let names = ["version", "system", "terminal", "games", "rules", "book", "weights", "database"];
    for name in names {
        assert!(healthy.stdout.contains(&format!("ok   {name}")), "{}", healthy.stdout);
    }
    let checks = json_lines(&with_data(&folder, &[&args[..], &["--json"]].concat()).stdout);
    assert!(checks.iter().map(|check| check["name"].as_str().unwrap()).eq(names));

    fs::write(&database, "no database").unwrap();
    let broken = with_data(&folder, &args);
    assert_eq!(broken.stderr, "alinea: 1 of 8 checks failed\n");
    assert!(broken.stdout.contains("BAD  database"), "{}", broken.stdout);
}

#[test]
fn kept_games_are_listed_shown_exported_and_reviewed() {
    let folder = Folder::new();
    let text = "[Game \"tic-tac-toe\"]\n[First \"human\"]\n[Second \"level:1\"]\n[Date \"2026-05-01\"]\n\n\
                1. a1 b1 2. a2 b2 3. a3 1-0\n";
    fs::create_dir(folder.path().join("games")).unwrap();
    fs::write(folder.path().join("games/000001.txt"), text).unwrap();
    fs::write(folder.path().join("games/000002.txt"), "[Game \"chess\"]\n\n1. e4 *\n").unwrap();

    let list = with_data(&folder, &["games", "list"]);
    assert_eq!(list.stdout, "1\t2026-05-01\ttic-tac-toe\thuman\tlevel:1\t1-0\n");
    assert!(list.stderr.starts_with("alinea: game 2: "), "{}", list.stderr);
    let line = &json_lines(&with_data(&folder, &["games", "list", "--json"]).stdout)[0];
    assert_eq!(line["moves"], serde_json::json!(["a1", "b1", "a2", "b2", "a3"]));

    assert_eq!(with_data(&folder, &["games", "show", "1"]).stdout, text);
    assert_eq!(with_data(&folder, &["games", "export", "1"]).stdout, text);
    let out = folder.path().join("all.txt");
    with_data(&folder, &["games", "export", "1", "--out", out.to_str().unwrap()]);
    assert_eq!(fs::read_to_string(out).unwrap(), text);
    let reviewed = json_lines(&with_data(&folder, &["games", "review", "1"]).stdout);
    assert_eq!(reviewed.len(), 5);
    let missing = with_data(&folder, &["games", "show", "7"]);
    assert_eq!(missing.code, Some(2));
    assert!(missing.stderr.starts_with("alinea: there is no game 7 in "), "{}", missing.stderr);
}

/// The option that is typed counts more than the variable of the environment.
#[test]
fn a_file_overrides_the_database_of_the_environment() {
    let folder = testkit::Folder::new();
    let file = folder.path().join("games.db");
    let mut doctor = Command::new(env!("CARGO_BIN_EXE_alinea"));
    doctor
        .args(["doctor", "--data", file.to_str().unwrap()])
        .env("ALINEA_DATABASE_URL", "postgres://nobody@localhost:1/none");
    let run = finish(&mut doctor, b"");
    assert!(run.stdout.contains(&format!("creates {}", file.display())), "{}", run.stdout);
    let both =
        alinea(&["doctor", "--data", "games.db", "--database-url", "postgres://nobody@localhost/none"], "");
    assert_eq!(both.code, Some(2), "{}", both.stderr);
}
