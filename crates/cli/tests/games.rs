//! Every game of the table, whichever games those are, on every surface of the terminal.

use crate::common::alinea;
use serde_json::Value;

fn printed(args: &[&str], typed: &str) -> String {
    let run = alinea(args, typed);
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)), "{args:?}");
    run.stdout
}

/// What the program says about each game.
fn games() -> Vec<Value> {
    serde_json::from_str(&printed(&["games", "--json"], "")).unwrap()
}

fn text<'a>(info: &'a Value, field: &str) -> &'a str {
    info[field].as_str().unwrap_or_else(|| panic!("{field} of {info}"))
}

fn inspected(spec: &str, moves: &[String]) -> Value {
    let moves = moves.iter().map(String::as_str);
    serde_json::from_str(&printed(&["inspect", spec].into_iter().chain(moves).collect::<Vec<_>>(), ""))
        .unwrap()
}

#[test]
fn the_list_and_the_help_name_every_game() {
    let ids: String = games().iter().map(|info| format!("{}\n", text(info, "id"))).collect();
    assert_eq!(printed(&["games"], ""), ids);
    let help = printed(&["--help"], "");
    let players = printed(&["players"], "");
    for info in games() {
        assert!(help.contains(text(&info, "form")), "{help}");
        assert!(players.contains(text(&info, "standard")), "{players}");
    }
}

#[test]
fn every_game_is_inspected_along_a_game() {
    for info in games() {
        let mut moves = Vec::new();
        for ply in 0..12_usize {
            let state = inspected(text(&info, "id"), &moves);
            assert_eq!(state["ply"], ply, "{info}");
            let legal = state["legal"].as_array().unwrap();
            assert_eq!(legal.is_empty(), !state["outcome"].is_null(), "{state}");
            let Some(m) = legal.get(5 * ply % legal.len().max(1)) else { break };
            moves.push(m.as_str().unwrap().to_owned());
        }
    }
}

#[test]
fn the_menu_starts_the_game_that_it_names() {
    let games = games();
    for (number, info) in (1..).zip(&games) {
        // Two people; then the usual value for each prompted number.
        let size = &info["size"];
        let is_asked = |number: &str| size[number]["least"] != size[number]["most"];
        let mut asked = vec!["rows", "cols"];
        asked.extend((size["run_optional"] == false).then_some("run"));
        asked.retain(|number| is_asked(number));
        let sizes: String = asked.iter().map(|number| format!("{}\n", size[*number]["usual"])).collect();
        let screen = printed(&[], &format!("{number}\n2\n{sizes}"));
        assert!(screen.contains(&format!("   {number}. {}\n", text(info, "title"))), "{screen}");
        assert!(screen.contains("  Turn of "), "{screen}");
        let asks = text(&info["phases"][0], "asks");
        assert!(screen.contains(&format!("\n  Choose {asks}: ")), "{screen}");
        let rows = info["size"]["rows"]["usual"].as_u64().unwrap();
        let columns = info["size"]["cols"]["usual"].as_u64().unwrap();
        let board: Vec<_> = screen.lines().filter(|line| line.contains('│')).collect();
        assert_eq!(board.len() as u64, rows, "{screen}");
        assert!(board.iter().all(|row| row.matches('│').count() as u64 == columns + 1), "{screen}");
        // Rows are numbered where moves name cells.
        assert_eq!(board[0].starts_with(&rows.to_string()), info["coordinates"] == "cells", "{screen}");
    }
    let last = games.len() + 1;
    let screen = printed(&[], &format!("{last}\n"));
    assert!(screen.contains(&format!("   {last}. quit\n")) && !screen.contains("Players"), "{screen}");
}

#[test]
fn the_players_that_every_game_has_play_it() {
    for info in games() {
        for (first, second) in [("random", "level:1"), ("engine:nodes=300", "random")] {
            let id = text(&info, "id");
            let screen = printed(&["play", id, "--first", first, "--second", second, "--seed", "3"], "");
            assert!(screen.contains("  Draw. ") || screen.contains(" won. "), "{id}: {screen}");
            for side in 0..2 {
                let symbol = info["pieces"][0]["symbols"][side].as_str().unwrap();
                assert!(screen.contains(symbol), "{id}, side {side}: {screen}");
            }
        }
    }
}
