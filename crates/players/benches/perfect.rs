//! How long `perfect` thinks about random positions of the standard board of Connect Four, ply by ply.
//!
//! `cargo bench -p alinea-players --bench perfect -- [positions=1000] [seconds=60]`: positions per ply, and the
//! maximum number of seconds per ply.

use std::{
    env,
    time::{Duration, Instant},
};

use alinea_players::{Stop, roster, system};
use fastrand::Rng;
use rules::{AnyGame, Spec};

/// Longer than any position takes.
const PLAYER: &str = "perfect:600s";
const SQUARES: usize = 42;

fn main() {
    let number = |name: &str| env::args().find_map(|arg| arg.strip_prefix(name)?.parse::<usize>().ok());
    let positions = number("positions=").unwrap_or(1000);
    let most = Duration::from_secs(number("seconds=").unwrap_or(60) as u64);
    let mut rng = Rng::with_seed(1);
    let start = game();
    let mut program = roster::program(&start, PLAYER, &system::resources(0)).expect("it plays this game");
    println!("| ply | positions | median ms | p99 ms | slowest ms |");
    println!("| --: | --: | --: | --: | --: |");
    for ply in 0..SQUARES {
        let mut times: Vec<Duration> = Vec::new();
        let begin = Instant::now();
        while times.len() < positions && begin.elapsed() < most {
            let game = random(ply, &mut rng);
            let asked = Instant::now();
            let thought = program.choose(&game, &Stop::default()).expect("there is a move");
            times.push(asked.elapsed());
            assert!(game.legal_moves().contains(&thought.chosen), "{} in {game:?}", thought.chosen);
        }
        times.sort_unstable();
        let at =
            |percent: usize| times[(times.len() * percent / 100).min(times.len() - 1)].as_secs_f64() * 1e3;
        println!("| {ply} | {} | {:.2} | {:.2} | {:.2} |", times.len(), at(50), at(99), at(100));
    }
}

fn game() -> AnyGame {
    AnyGame::from("connect-four".parse::<Spec>().expect("a game"))
}

/// A game of random moves that is not over.
fn random(ply: usize, rng: &mut Rng) -> AnyGame {
    loop {
        let mut game = game();
        while game.moves().len() < ply && game.outcome().is_none() {
            let legal = game.legal_moves();
            game.play(&legal[rng.usize(..legal.len())]).expect("a legal move");
        }
        if game.outcome().is_none() {
            return game;
        }
    }
}
