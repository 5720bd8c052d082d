//! `alinea tournament`: a tournament described by a TOML file.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, anyhow, bail};
use arena::{Settings, Tournament};

use crate::{
    contest::{self, Output},
    database::check_shared,
};

/// Run a tournament described by a TOML file; the same command resumes an interrupted run
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The file with players, game, format, openings and limits
    file: PathBuf,
    /// The directory of the journal and the reports; by default next to the file, named after it
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Games played in parallel; overrides the file
    #[arg(long, value_name = "N")]
    concurrency: Option<usize>,
    /// Also write each game to its own file
    #[arg(long)]
    each_game: bool,
    /// Write every line of the dialogue with external engines to this file, with their standard error
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Have the games played by `alinea worker` on any number of machines, through this PostgreSQL database:
    /// postgres://USER:PASSWORD@HOST/NAME
    #[arg(long, value_name = "URL", env = "ALINEA_DATABASE_URL", hide_env_values = true)]
    database_url: Option<String>,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    if let Some(url) = &args.database_url {
        check_shared(url)?;
        if args.log.is_some() {
            bail!(
                "--log needs engines on this machine; with --database-url, engines run on the workers' machines"
            );
        }
    }
    let name = args.file.display();
    let text = fs::read_to_string(&args.file).map_err(|error| anyhow!("cannot read {name}: {error}"))?;
    let base = args.file.parent().unwrap_or(Path::new(""));
    let mut settings = Settings::read(&text).with_context(|| name.to_string())?;
    settings.concurrency = args.concurrency.unwrap_or(settings.concurrency);
    let tournament = Tournament::new(settings, base).with_context(|| name.to_string())?;
    let directory = args.out.clone().unwrap_or_else(|| args.file.with_extension("results"));
    let (directory, log) = (Some(directory.as_path()), args.log.as_deref());
    let database_url = args.database_url.as_deref();
    let output = Output { directory, each_game: args.each_game, log, json: args.json, database_url };
    contest::run(tournament, &output)
}
