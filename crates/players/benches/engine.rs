//! How fast the engine searches: nodes per second and depth after a second from three positions of each
//! game, with one thread and with two; and the delay of its answer after a stop, also on large boards that
//! are nearly full.
//!
//! `cargo bench -p alinea-players --bench engine`

use std::{
    thread,
    time::{Duration, Instant},
};

use alinea_players::{Stop, Thought, roster, system};
use mimalloc::MiMalloc;
use rules::{AnyGame, Spec};

/// The allocator of the released program.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Openings, middle games, unusual sizes. The Connect Four positions have few pieces so that the solver is
/// not used; tic-tac-toe is too short to measure.
const POSITIONS: [(&str, &str); 18] = [
    ("tic-tac-toe", ""),
    ("tic-tac-toe", "b2"),
    ("tic-tac-toe", "a1 c3"),
    ("connect-four", ""),
    ("connect-four", "44"),
    ("connect-four", "4444"),
    ("connect-four:8x9", ""),
    ("connect-four:8x9", "5556"),
    ("connect-four:10x10x5", "5 5 6 6 5"),
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

/// Measurements of each configuration, interleaved; the median counts.
const ROUNDS: usize = 3;

/// Large boards, and how many columns are left open when the signal comes.
const NEARLY_FULL: [(&str, u8); 6] = [
    ("connect-four:64x64x16", 64),
    ("connect-four:64x64x16", 8),
    ("connect-four:64x64x16", 4),
    ("connect-four:64x64x16", 1),
    ("simplexity:64x64x16:1024+1024", 8),
    ("simplexity:64x64x16:1024+1024", 1),
];

fn game(spec: &str) -> AnyGame {
    AnyGame::from(spec.parse::<Spec>().expect("a game"))
}

/// A game in which the columns from the left are full, in a pattern without long lines: pieces alternate in
/// each column, beginning with the first player in two columns, with the second in the next two.
fn nearly_full(spec: &str, open: u8) -> AnyGame {
    let mut game = game(spec);
    let full = 64 - u32::from(open);
    // Two columns at a time, in an order that lets each player begin in one of them.
    let pairs = (0..full).filter(|column| column % 4 < 2).map(|column| (column, column + 2));
    for (left, right) in pairs {
        for turn in 0..128 {
            let is_left = matches!(turn % 4, 0 | 3);
            match if is_left { left } else { right } {
                column if column < full => drop_into(&mut game, column),
                _ => {}
            }
        }
    }
    game
}

/// Drops a piece; the shapes alternate so that they form no line either.
fn drop_into(game: &mut AnyGame, column: u32) {
    let number = column + 1;
    let square = (u32::from(game.ply()) / 4 + column / 3) % 2 == 1;
    let drops = if square { ["s", "r"] } else { ["r", "s"] }.map(|shape| format!("{number}{shape}"));
    let is_played = game.play(&number.to_string()).is_ok() || drops.iter().any(|m| game.play(m).is_ok());
    assert!(is_played && game.outcome().is_none(), "column {number} of {}", game.spec());
}

fn think(game: &AnyGame, player: &str, stop: &Stop) -> (Thought<String>, Duration) {
    let mut program =
        roster::program(game, player, &system::resources(0)).expect("the engine plays every game");
    let start = Instant::now();
    let thought = program.choose(game, stop).expect("the engine always has an answer");
    (thought, start.elapsed())
}

/// The time from the stop signal to the answer; `None` if the search had already ended.
fn delay(game: &AnyGame, player: &str) -> Option<Duration> {
    let stop = Stop::default();
    thread::scope(|scope| {
        let thinker = scope.spawn(|| {
            think(game, player, &stop);
            Instant::now()
        });
        thread::sleep(Duration::from_millis(300));
        let raised = Instant::now();
        stop.cancel();
        let answered = thinker.join().expect("the engine does not panic");
        answered.checked_duration_since(raised)
    })
}

fn told(delay: Option<Duration>) -> String {
    delay.map_or_else(|| "done before".into(), |delay| format!("{:.1} ms", delay.as_secs_f64() * 1e3))
}

fn main() {
    println!("| game | moves | nodes/s | depth | nodes/s, 2 threads | depth | times | stops after |");
    println!("| --- | --- | --: | --: | --: | --: | --: | --: |");
    for (spec, moves) in POSITIONS {
        let mut game = game(spec);
        game.play_all(moves).expect("legal moves");
        let mut measured = [Vec::new(), Vec::new()];
        for _ in 0..ROUNDS {
            for (player, measured) in ["engine:1s", "engine:1s,threads=2"].into_iter().zip(&mut measured) {
                let (thought, time) = think(&game, player, &Stop::default());
                measured.push((thought.nodes as f64 / time.as_secs_f64(), thought.depth.unwrap_or(0)));
            }
        }
        let [one, two] = measured.map(|mut measured| {
            measured.sort_by(|a, b| a.0.total_cmp(&b.0));
            measured[ROUNDS / 2]
        });
        println!(
            "| {spec} | {moves} | {:.0} 000 | {} | {:.0} 000 | {} | {:.2} | {} |",
            one.0 / 1e3,
            one.1,
            two.0 / 1e3,
            two.1,
            two.0 / one.0,
            told(delay(&game, "engine:60s"))
        );
    }
    println!();
    println!("| game | open columns | stops after | 2 threads | `engine:50ms` takes |");
    println!("| --- | --: | --: | --: | --: |");
    for (spec, open) in NEARLY_FULL {
        let game = nearly_full(spec, open);
        let [one, two] = ["engine:60s", "engine:60s,threads=2"].map(|player| told(delay(&game, player)));
        let (_, time) = think(&game, "engine:50ms", &Stop::default());
        println!("| {spec} | {open} | {one} | {two} | {:.0} ms |", time.as_secs_f64() * 1e3);
    }
}
