//! `alinea report`: standings and Elo from games that were played before, here or elsewhere.

use std::{
    fs,
    io::{self, Write},
    path::PathBuf,
};

use anyhow::{Context, Result, anyhow};
use arena::{
    Condition, Report,
    import::{self, Imported},
    record,
    run::End,
};

use crate::contest;

/// Report on finished games: standings, Elo differences and a cross-table from files in our text format
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Files with games, as games.txt of a match or tournament; every game is replayed
    #[arg(required = true, value_name = "FILE")]
    games: Vec<PathBuf>,
    /// The title of the report
    #[arg(long, default_value = "Report")]
    name: String,
    /// Write the reports here
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let mut games = Vec::new();
    for path in &args.games {
        let name = path.display();
        let text = fs::read_to_string(path).map_err(|error| anyhow!("cannot read {name}: {error}"))?;
        games.extend(record::read(&text).with_context(|| name.to_string())?);
    }
    let Imported { tournament, records, unfinished, cut } = import::import(&args.name, &games)?;
    let mut report = Report::new(&tournament, &records, Some(End::Complete));
    let names: Vec<_> = args.games.iter().map(|path| path.display().to_string()).collect();
    // How they were played is not known.
    let mut told = vec![("Games", format!("replayed from {}", names.join(", ")))];
    if unfinished > 0 {
        told.push(("Left out", format!("{unfinished} without a result")));
    }
    if cut > 0 {
        told.push(("Results", format!("as written where the board does not show them: {cut}")));
    }
    report.shown.conditions =
        told.into_iter().map(|(name, text)| Condition { name: name.to_owned(), text }).collect();
    if let Some(directory) = &args.out {
        fs::create_dir_all(directory)
            .and_then(|()| contest::write_reports(directory, &report, false))
            .with_context(|| format!("cannot write into {}", directory.display()))?;
    }
    let printed = if args.json { report.json() } else { report.markdown_body() };
    Ok(io::stdout().write_all(printed.as_bytes())?)
}
