//! Shared by the suites: the specs they run on, games from text, reproducible random play.

#![allow(dead_code, reason = "each suite uses its part")]

use std::ops::Range;

use alinea_rules::{AnyGame, GAMES, GameInfo, Spec};

/// A game in its standard form, at the limits of its size, and where a word of bits is just full.
pub(crate) fn specs_of(info: &GameInfo) -> impl Iterator<Item = &'static str> {
    [info.standard].into_iter().chain(info.odd.iter().copied())
}

/// All games with all their forms that are tested.
pub(crate) fn specs() -> impl Iterator<Item = &'static str> {
    GAMES.iter().flat_map(|info| specs_of(info))
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

/// The index of the legal move to play. In every other game players prefer to repeat their last move or to
/// move back, which gives the full columns and repetitions that random play rarely reaches.
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
