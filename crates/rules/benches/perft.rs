//! How fast each game counts move sequences, and what a size chosen at run time costs against one
//! known when compiling.
//!
//! `cargo bench -p alinea-rules`

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

use alinea_rules::{
    AnyGame, ChessFive, ConnectFour, Custom, Fixed, Large, Medium, Position, Simplexity, Size, Small, Spec,
    TicTacToe, perft,
};

/// Prints the nodes per second and returns the time.
fn measure<P: Position>(name: &str, start: &P, depth: u32, expected: u64) -> Duration {
    // The best of three, since other programs disturb.
    let runs = (0..3).map(|_| {
        let begin = Instant::now();
        assert_eq!(perft(black_box(start), depth), expected, "{name}");
        begin.elapsed()
    });
    let time = runs.min().expect("three runs");
    let rate = expected as f64 / time.as_secs_f64() / 1e6;
    println!("{name:32} perft {depth}: {expected:>10} in {:8.1} ms, {rate:7.1} million per second", ms(time));
    time
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn compare(name: &str, baseline: Duration, time: Duration) {
    println!("{name:32} {:.2} times the time of the fixed size", time.as_secs_f64() / baseline.as_secs_f64());
}

fn main() {
    let size = Size::new(6, 7, 4).expect("the standard size");
    measure("tic-tac-toe", &TicTacToe::default(), 9, 127_872);

    let fixed = measure("connect-four fixed", &ConnectFour::new(Fixed::<6, 7, 4>), 9, 39_394_572);
    let small: Small = Custom::new(size).expect("64 bits hold it");
    let small = measure("connect-four custom, 64 bits", &ConnectFour::new(small), 9, 39_394_572);
    let medium: Medium = Custom::new(size).expect("128 bits hold it");
    let medium = measure("connect-four custom, 128 bits", &ConnectFour::new(medium), 9, 39_394_572);
    let large: Large = Custom::new(size).expect("512 bits hold it");
    let large = measure("connect-four custom, 512 bits", &ConnectFour::new(large), 9, 39_394_572);

    measure("simplexity fixed", &Simplexity::new(Fixed::<6, 7, 4>, [10, 11]), 6, 7_392_868);
    // Deeper than independent counts go; the tests compare those.
    measure("chess-five gravity phase", &ChessFive::default(), 4, 2_166_784);
    let mut game = AnyGame::from("chess-five".parse::<Spec>().expect("a spec"));
    game.set_position("2B5/8/8/b5q1/5r1Q/1N1k2n1/K3nN2/B2bRr1R[] b").expect("a position of ChessFive");
    let chess_phase = game.typed::<ChessFive>().expect("a game of ChessFive").position();
    measure("chess-five chess phase", chess_phase, 4, 2967131);

    compare("custom, 64 bits", fixed, small);
    compare("custom, 128 bits", fixed, medium);
    compare("custom, 512 bits", fixed, large);
}
