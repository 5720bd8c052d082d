//! `alinea games`: what can be played.

use std::io::{self, Write};

use anyhow::Result;
use rules::GAMES;

/// List the games
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Print what a screen needs to draw each game, as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let mut output = io::stdout().lock();
    if args.json {
        writeln!(output, "{}", serde_json::to_string(GAMES)?)?;
        return Ok(());
    }
    for info in GAMES {
        writeln!(output, "{}", info.id)?;
    }
    Ok(())
}

/// How each game may be written, for the help.
pub(crate) fn help() -> String {
    let (last, others) = GAMES.split_last().expect("there are games");
    let others: Vec<_> = others.iter().map(|info| info.form).collect();
    format!("GAME is {} or {}.", others.join(", "), last.form)
}
