//! Gomoku: the engine against a random player and against a one-ply threat player.

use crate::common::game;
use alinea_players::{Proof, Reason, Stop, roster, system};
use fastrand::Rng;
use rules::{AnyGame, Cell, Outcome, Side, View};

const RUN: i16 = 5;

/// Whether a stone of this side on an empty cell completes a run.
fn completes(view: &View, cell: Cell, side: Side) -> bool {
    let own = |column: i16, row: i16| {
        let on_board =
            (0..i16::from(view.cols)).contains(&column) && (0..i16::from(view.rows)).contains(&row);
        on_board && view.piece(Cell::new(column as u8, row as u8)).is_some_and(|piece| piece.side == side)
    };
    let arm = |columns: i16, rows: i16| {
        let at = |n: i16| own(i16::from(cell.column) + n * columns, i16::from(cell.row) + n * rows);
        (1..).take_while(|&n| at(n)).count() as i16
    };
    [(1, 0), (0, 1), (1, 1), (1, -1)].iter().any(|&(x, y)| 1 + arm(x, y) + arm(-x, -y) >= RUN)
}

/// Wins if it can, blocks if it must, otherwise plays at random near the stones.
fn threat_player(game: &AnyGame, rng: &mut Rng) -> String {
    let view = game.view();
    let cells: Vec<Cell> = game.legal_moves().iter().map(|m| m.parse().unwrap()).collect();
    let completing = |side| cells.iter().find(|&&cell| completes(&view, cell, side));
    if let Some(cell) = completing(view.turn).or_else(|| completing(view.turn.other())) {
        return cell.to_string();
    }
    let is_near = |cell: &&Cell| {
        let range = |at: u8, most: u8| at.saturating_sub(2)..=(at + 2).min(most - 1);
        range(cell.column, view.cols)
            .any(|column| range(cell.row, view.rows).any(|row| view.piece(Cell::new(column, row)).is_some()))
    };
    let near: Vec<_> = cells.iter().filter(is_near).collect();
    match near[..] {
        [] => "h8".to_owned(),
        _ => near[rng.usize(..near.len())].to_string(),
    }
}

fn random_player(game: &AnyGame, rng: &mut Rng) -> String {
    let mut legal = game.legal_moves();
    legal.swap_remove(rng.usize(..legal.len()))
}

/// Plays forty games, each side twenty times, and checks that the engine wins them all.
fn assert_wins_all(engine: &str, opponent: fn(&AnyGame, &mut Rng) -> String) {
    for seed in 0..40 {
        let mut rng = Rng::with_seed(seed);
        let side = if seed % 2 == 0 { Side::First } else { Side::Second };
        let mut game = game("gomoku", "");
        let mut program = roster::program(&game, engine, &system::resources(seed)).unwrap();
        while game.outcome().is_none() {
            let m = if game.turn() == side {
                program.choose(&game, &Stop::default()).unwrap().chosen
            } else {
                opponent(&game, &mut rng)
            };
            game.play(&m).unwrap();
        }
        let moves = game.moves().join(" ");
        assert_eq!(game.outcome(), Some(Outcome::Win(side)), "seed {seed}: {moves}");
    }
}

#[test]
fn the_engine_beats_a_random_player() {
    assert_wins_all("engine:nodes=500", random_player);
}

#[test]
fn the_engine_beats_a_one_ply_threat_player() {
    assert_wins_all("engine:nodes=1000", threat_player);
}

/// `cargo test --release -p alinea-players --test gomoku -- --ignored`
#[test]
#[ignore = "takes minutes"]
fn the_engine_beats_both_within_100_ms_a_move() {
    assert_wins_all("engine:100ms", random_player);
    assert_wins_all("engine:100ms", threat_player);
}

fn choose(moves: &str) -> String {
    let game = game("gomoku", moves);
    let mut program = roster::program(&game, "engine:nodes=3000", &system::resources(1)).unwrap();
    program.choose(&game, &Stop::default()).unwrap().chosen
}

/// Positions with well-known best moves.
#[test]
fn known_positions_are_played_correctly() {
    // Completes a run.
    assert!(["g8", "l8"].contains(&choose("h8 a1 i8 c1 j8 e1 k8 g1").as_str()));
    // Blocks a four.
    assert_eq!(choose("h8 g8 i8 c1 j8 e1 k8"), "l8");
    // Makes a four with two open ends.
    assert!(["g8", "k8"].contains(&choose("h8 a1 i8 c1 j8 e1").as_str()));
    // Blocks a three with two open ends, at an end or one further.
    assert!(["f8", "g8", "k8", "l8"].contains(&choose("h8 a1 i8 c1 j8").as_str()));
}

/// On three by three cells it is tic-tac-toe, which is a draw.
#[test]
fn the_smallest_board_is_a_draw() {
    let mut game = game("gomoku:3x3x3", "");
    while game.outcome().is_none() {
        let mut program = roster::program(&game, "engine:depth=9", &system::resources(1)).unwrap();
        let m = program.choose(&game, &Stop::default()).unwrap().chosen;
        game.play(&m).unwrap();
    }
    assert_eq!(game.outcome(), Some(Outcome::Draw));
}

/// Forced wins that another engine announced, by their length: how many a small search proves.
#[test]
fn announced_wins_are_proved() {
    let (mut short, mut middle) = (0, 0);
    for line in include_str!("golden/gomoku_wins.jsonl").lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let game = game("gomoku", case["moves"].as_str().unwrap());
        let mut program = roster::program(&game, "engine:nodes=20000", &system::resources(1)).unwrap();
        let reasons = program.choose(&game, &Stop::default()).unwrap().reasons;
        let is_proved = reasons.iter().any(|reason| match reason {
            Reason::Win => true,
            Reason::Proven(proven) => proven.result == Proof::Win,
            _ => false,
        });
        match case["plies"].as_u64().unwrap() {
            ..=11 => short += u32::from(is_proved),
            12..=17 => middle += u32::from(is_proved),
            _ => {}
        }
    }
    assert!(short == 20 && middle >= 13, "{short} of 20 up to 11 plies, {middle} of 20 up to 17");
}
