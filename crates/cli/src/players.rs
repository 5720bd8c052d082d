//! `alinea players`: who plays what.

use std::io::{self, Write};

use ::players::roster;
use anyhow::Result;
use rules::{AnyGame, Spec};

/// List the players of a game, or of all games
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Which game
    game: Option<String>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let mut output = io::stdout().lock();
    let all = || Spec::STANDARD.map(str::to_owned).to_vec();
    for game in args.game.clone().map_or_else(all, |game| vec![game]) {
        let spec: Spec = game.parse()?;
        writeln!(output, "{spec}")?;
        writeln!(output, "  human")?;
        for listing in roster::players(&AnyGame::from(spec)) {
            writeln!(output, "  {listing}")?;
        }
    }
    Ok(())
}
