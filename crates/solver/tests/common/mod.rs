//! Positions for the tests.
#![allow(dead_code, unreachable_pub)]

use rules::{Column, ConnectFour, Geometry, Position, Size, Small, Standard};

/// The moves and scores of a golden set.
pub fn golden(set: &str) -> impl Iterator<Item = (&'static str, i32)> {
    include_str!("../golden/connect_four_solved.txt").lines().filter_map(move |line| {
        let mut words = line.split(' ');
        let (name, moves, score) = (words.next()?, words.next()?, words.next()?);
        (name == set).then(|| (moves, score.parse().expect("a score")))
    })
}

/// Plays columns written as digits.
pub fn play<G: Geometry>(mut position: ConnectFour<G>, moves: &str) -> ConnectFour<G> {
    for digit in moves.bytes() {
        position.play(Column::new(digit - b'1')).expect("a legal move");
    }
    position
}

/// A position of the standard board.
pub fn position(moves: &str) -> ConnectFour<Standard> {
    play(ConnectFour::new(Standard::default()), moves)
}

/// An empty board whose size is not known to the compiler.
pub fn board(cols: u32, rows: u32) -> ConnectFour<Small> {
    let size = Size::new(rows, cols, 4).expect("a size");
    ConnectFour::new(Small::new(size).expect("a board of 64 bits"))
}
