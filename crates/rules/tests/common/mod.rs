//! What the suites share: the boards they run on, games from text, and random play that can be repeated.

#![allow(dead_code, reason = "each suite uses its part")]

use std::ops::Range;

use alinea_rules::{AnyGame, Spec};

/// Every game in its standard form, at the limits of its size, and where a word of bits is just full.
pub(crate) const SPECS: [&str; 27] = [
    "tic-tac-toe",
    "connect-four:6x7x4",
    "connect-four:1x1x3",
    "connect-four:2x2x3",
    "connect-four:4x5x3",
    "connect-four:7x8x4",
    "connect-four:8x7x5",
    "connect-four:8x8x4",
    "connect-four:10x10x4",
    "connect-four:15x8x4",
    "connect-four:9x37x5",
    "connect-four:63x8x6",
    "connect-four:64x64x16",
    "connect-four:64x64x3",
    "connect-four:1x64x3",
    "connect-four:64x1x4",
    "simplexity:6x7x4:10+11",
    "simplexity:6x7x4:0+21",
    "simplexity:6x7x4:3+4",
    "simplexity:6x7x4:21+21",
    "simplexity:4x4x3",
    "simplexity:8x3x4",
    "simplexity:3x8x4",
    "simplexity:10x10x7",
    "simplexity:9x37x5:83+84",
    "simplexity:64x64x16",
    "chess-five",
];

/// The specs of one game.
pub(crate) fn specs_of(name: &str) -> impl Iterator<Item = &'static str> {
    SPECS.into_iter().filter(move |spec| spec.split(':').next() == Some(name))
}

/// A game at its start.
pub(crate) fn start(spec: &str) -> AnyGame {
    AnyGame::from(spec.parse::<Spec>().unwrap_or_else(|error| panic!("{spec}: {error}")))
}

/// A game after these moves.
pub(crate) fn after(spec: &str, moves: &str) -> AnyGame {
    let mut game = start(spec);
    game.play_all(moves).unwrap_or_else(|error| panic!("{spec}, {moves}: {error}"));
    game
}

/// The seeds of the games to play on a board: many on small boards, few on large ones.
pub(crate) fn seeds(spec: &str) -> Range<u64> {
    let cells = start(spec).view().cells.len() as u64;
    0..(4000 / cells).clamp(2, 60)
}

/// Which of the legal moves to play. Every other game is stubborn: players like to repeat their move or
/// to go back, which gives the long columns and the repetitions that mere chance hardly ever brings.
pub(crate) fn choose(rng: &mut fastrand::Rng, seed: u64, played: &[String], legal: &[String]) -> usize {
    let own = played.iter().rev().nth(1).filter(|_| seed % 2 == 1 && rng.f32() < 0.85);
    let wanted = own.map(|own| match own.split_at_checked(2) {
        Some((from, to)) if to.len() == 2 => format!("{to}{from}"),
        _ => own.clone(),
    });
    let again = wanted.and_then(|wanted| legal.iter().position(|m| *m == wanted));
    again.unwrap_or_else(|| rng.usize(..legal.len()))
}

/// All that a game knows, to see whether it has changed.
pub(crate) fn snapshot(game: &AnyGame) -> String {
    format!("{game:?}")
}
