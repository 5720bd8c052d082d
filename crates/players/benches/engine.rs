//! How fast the engine searches: nodes per second and depth after a second from three positions of each
//! game, with one thread and with two, and how long it takes to answer when it is told to.
//!
//! `cargo bench -p players --bench engine`

use std::{
    thread,
    time::{Duration, Instant},
};

use players::{Stop, Thought, roster};
use rules::{AnyGame, Spec};

/// Openings, a crowded middle, an odd size. Connect Four has few pieces so that the solver keeps out.
const POSITIONS: [(&str, &str); 15] = [
    ("connect-four", ""),
    ("connect-four", "44"),
    ("connect-four", "4444"),
    ("connect-four:8x9", ""),
    ("connect-four:8x9", "5566"),
    ("connect-four:10x10x5", "55665"),
    ("simplexity", ""),
    ("simplexity", "4r 4s 3r 5s"),
    ("simplexity", "1s 7r 4s 4r 4s 3r 5r 5s"),
    ("simplexity:9x37x5:83+84", ""),
    ("simplexity:9x37x5:83+84", "19r 19s 20r 18s"),
    ("simplexity:9x37x5:83+84", "19r 19s 20r 18s 5s 30r 20r 20s"),
    ("chess-five", ""),
    ("chess-five", "Q@d Q@e R@d R@e B@d B@e"),
    ("chess-five", "R@a R@b R@c R@d N@e N@f N@g N@h B@a B@b B@c B@d Q@e Q@f K@g K@h"),
];

fn think(game: &AnyGame, player: &str, stop: &Stop) -> (Thought<String>, Duration) {
    let mut program = roster::program(game, player, 0).expect("the engine plays every game");
    let start = Instant::now();
    let thought = program.choose(game, stop).expect("the engine always has an answer");
    (thought, start.elapsed())
}

/// How long after the signal the answer comes.
fn delay(game: &AnyGame) -> Duration {
    let stop = Stop::default();
    thread::scope(|scope| {
        let thinker = scope.spawn(|| {
            think(game, "engine:60s", &stop);
            Instant::now()
        });
        thread::sleep(Duration::from_millis(300));
        let raised = Instant::now();
        stop.raise();
        let answered = thinker.join().expect("the engine does not panic");
        answered.saturating_duration_since(raised)
    })
}

fn main() {
    println!("| game | moves | nodes/s | depth | nodes/s, 2 threads | depth | times | stops after |");
    println!("| --- | --- | --: | --: | --: | --: | --: | --: |");
    for (spec, moves) in POSITIONS {
        let mut game = AnyGame::from(spec.parse::<Spec>().expect("a game"));
        game.play_all(moves).expect("legal moves");
        let [one, two] = ["engine:1s", "engine:1s,threads=2"].map(|player| {
            let (thought, time) = think(&game, player, &Stop::default());
            (thought.nodes as f64 / time.as_secs_f64(), thought.depth.unwrap_or(0))
        });
        println!(
            "| {spec} | {moves} | {:.0} 000 | {} | {:.0} 000 | {} | {:.2} | {:.1} ms |",
            one.0 / 1e3,
            one.1,
            two.0 / 1e3,
            two.1,
            two.0 / one.0,
            delay(&game).as_secs_f64() * 1e3
        );
    }
}
