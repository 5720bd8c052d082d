//! The cost of the classic players: time per move of `smart` and `chess-five`, nodes per
//! second of `oizys`. `smart` is measured against minimax as the document describes it, in the same run.
//!
//! `cargo bench -p alinea-players`

#[path = "opponents/plain.rs"]
mod plain;

use std::time::{Duration, Instant};

use alinea_players::{Stop, Thought, roster, system};
use rules::{AnyGame, Spec};
use serde_json::Value;

/// Time of the original Haskell program at depth 5, measured elsewhere.
const ORIGINAL_SMART: Duration = Duration::from_millis(585);
/// Speed of the original C# program, measured elsewhere.
const ORIGINAL_OIZYS_NODES_PER_SECOND: f64 = 47_000.0;

fn choose(player: &str, game: &AnyGame) -> (Thought<String>, Duration) {
    let mut program = roster::program(game, player, &system::resources(0)).expect("the player exists");
    let start = Instant::now();
    let thought = program.choose(game, &Stop::default()).expect("not stopped");
    (thought, start.elapsed())
}

fn lines(text: &str) -> impl Iterator<Item = Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("golden data is JSON lines"))
}

fn smart() {
    let cases = lines(include_str!("../tests/golden/connect_four_ratlla.jsonl"));
    let positions: Vec<_> = cases
        .filter(|case| case["game"] == "connect-four:6x7x4")
        .map(|case| case["position"].as_str().expect("a position").to_owned())
        .collect();
    let (mut ours, mut plain) = (Duration::ZERO, Duration::ZERO);
    let compared = positions.len() / 8;
    let mut ours_compared = Duration::ZERO;
    for (i, position) in positions.iter().enumerate() {
        let mut game = AnyGame::from("connect-four".parse::<Spec>().expect("a spec"));
        game.set_position(position).expect("a position");
        let (thought, time) = choose("smart:5", &game);
        ours += time;
        if i < compared {
            let start = Instant::now();
            let value = plain::minimax(&mut plain::Board::read(position), 5, true);
            plain += start.elapsed();
            ours_compared += time;
            assert_eq!(thought.score, Some(value), "{position}");
        }
    }
    let mean = ours / positions.len() as u32;
    println!(
        "smart:5       {:8.3} ms per move, mean of {} positions; {:.0} times faster than plain minimax ({:.1} ms), {:.0} times than the original",
        ms(mean),
        positions.len(),
        plain.as_secs_f64() / ours_compared.as_secs_f64(),
        ms(plain / compared as u32),
        ORIGINAL_SMART.as_secs_f64() / mean.as_secs_f64(),
    );
}

fn oizys() {
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for case in lines(include_str!("../tests/golden/simplexity_oizys.jsonl")) {
        if case["game"] == "simplexity:6x7x4:10+11" {
            let mut game = AnyGame::from("simplexity".parse::<Spec>().expect("a spec"));
            game.play_all(case["moves"].as_str().expect("moves")).expect("legal moves");
            let (thought, taken) = choose("oizys:5", &game);
            nodes += thought.nodes;
            time += taken;
        }
    }
    let per_second = nodes as f64 / time.as_secs_f64();
    println!(
        "oizys:5       {:8.2} million nodes per second; {:.0} times the original",
        per_second / 1e6,
        per_second / ORIGINAL_OIZYS_NODES_PER_SECOND
    );
}

fn chess_five() {
    for player in ["chess-five:medium", "chess-five:hard"] {
        let mut times = Vec::new();
        for seed in 0..8 {
            let mut game = AnyGame::from("chess-five".parse::<Spec>().expect("a spec"));
            let mut rng = fastrand::Rng::with_seed(seed);
            // Eight random plies lead out of the book.
            while game.outcome().is_none() && game.ply() < 60 {
                let (thought, time) = choose(player, &game);
                times.push(time);
                let moves = game.legal_moves();
                let chance = game.ply() < 8 || rng.u8(..4) == 0;
                let m = if chance { &moves[rng.usize(..moves.len())] } else { &thought.chosen };
                game.play(m).expect("a legal move");
            }
        }
        times.sort_unstable();
        let mean = times.iter().sum::<Duration>() / times.len() as u32;
        println!(
            "{player:18} {:8.2} ms per move on the mean, {:.1} ms at most, over {} positions of 8 games",
            ms(mean),
            ms(times[times.len() - 1]),
            times.len()
        );
    }
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn main() {
    smart();
    oizys();
    chess_five();
}
