//! `alinea tournament`: many players, by a file.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, anyhow};
use arena::Tournament;

use crate::contest::{self, Files};

/// Hold a tournament as a TOML file says; the same command goes on where it was stopped
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Players, game, form, openings and limits
    file: PathBuf,
    /// Where journal and reports go; by default beside the file, in a directory of its name
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Games at a time, instead of what the file says
    #[arg(long, value_name = "N")]
    concurrency: Option<usize>,
    /// Also write each game into a file of its own
    #[arg(long)]
    each_game: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let name = args.file.display();
    let text = fs::read_to_string(&args.file).map_err(|error| anyhow!("cannot read {name}: {error}"))?;
    let base = args.file.parent().unwrap_or(Path::new(""));
    let mut tournament = Tournament::read(&text, base).with_context(|| name.to_string())?;
    if let Some(concurrency) = args.concurrency {
        tournament.settings.concurrency = concurrency;
        tournament = Tournament::new(tournament.settings, base)?;
    }
    let directory = args.out.clone().unwrap_or_else(|| args.file.with_extension("results"));
    contest::hold(&tournament, &Files { directory: Some(&directory), each_game: args.each_game })
}
