//! Creates players from their names: built-in ones, or external engines that speak UGI.

use anyhow::Result;
use arena::{Contestant, Limits};
use players::Program;
use rules::AnyGame;

/// The default time per move of an external engine, in milliseconds.
const MOVETIME: u64 = 1000;

/// Checks that this is a player of the game, without starting an external engine.
pub(crate) fn check(game: &AnyGame, written: &str) -> Result<()> {
    Ok(written.parse::<Contestant>()?.check(game)?)
}

pub(crate) fn program(game: &AnyGame, written: &str, seed: u64) -> Result<Program> {
    let contestant: Contestant = written.parse()?;
    Ok(contestant.program(game, &Limits::per_move(MOVETIME), seed)?)
}

/// The display name.
pub(crate) fn name(written: &str) -> String {
    written.parse::<Contestant>().map_or_else(|_| written.to_owned(), |contestant| contestant.name)
}
