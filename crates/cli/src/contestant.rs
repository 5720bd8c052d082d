//! A written player as something that chooses moves: one of ours, or a program that speaks UGI.

use anyhow::Result;
use arena::{Contestant, Limits};
use players::Program;
use rules::AnyGame;

/// What a program may take for a move where nobody said otherwise, in milliseconds.
const MOVETIME: u64 = 1000;

/// Whether this is a player of the game; a program is not started for that.
pub(crate) fn check(game: &AnyGame, written: &str) -> Result<()> {
    Ok(written.parse::<Contestant>()?.check(game)?)
}

pub(crate) fn program(game: &AnyGame, written: &str, seed: u64) -> Result<Program> {
    let contestant: Contestant = written.parse()?;
    Ok(contestant.program(game, &Limits::per_move(MOVETIME), seed)?)
}

/// What screens call it.
pub(crate) fn name(written: &str) -> String {
    written.parse::<Contestant>().map_or_else(|_| written.to_owned(), |contestant| contestant.name)
}
