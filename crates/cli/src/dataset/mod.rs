//! `alinea dataset`: games and positions with their values, as files for others to learn from and to check.

mod card;
mod folder;
mod make;
#[cfg(feature = "parquet")]
mod parquet;
mod settings;
mod source;
mod verify;

use anyhow::Result;

/// Data sets of games and positions with exact or searched values: make them, verify them
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Make(make::Args),
    Verify(verify::Args),
}

pub(crate) fn run(args: &Args) -> Result<()> {
    match &args.command {
        Command::Make(args) => make::run(args),
        Command::Verify(args) => verify::run(args),
    }
}

#[cfg(not(feature = "parquet"))]
mod parquet {
    pub(super) fn write(_: &std::path::Path) -> super::Result<[&'static str; 2]> {
        Err(anyhow::anyhow!(
            "this binary was built without Parquet; leave --parquet out, or build it with that feature"
        ))
    }
}
