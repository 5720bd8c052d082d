//! `alinea players`: who plays what.

use std::io::{self, Write};

use ::players::roster;
use anyhow::Result;
use rules::{AnyGame, Spec};

/// List the players of a game, or of all games
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Which game
    game: Option<Spec>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let mut output = io::stdout().lock();
    let all = Spec::STANDARD.map(|spec| spec.parse().expect("the standard specs are valid"));
    for spec in args.game.map_or_else(|| all.to_vec(), |spec| vec![spec]) {
        writeln!(output, "{spec}")?;
        writeln!(output, "  human")?;
        for listing in roster::players(&AnyGame::from(spec)) {
            writeln!(output, "  {listing}")?;
        }
    }
    Ok(())
}
