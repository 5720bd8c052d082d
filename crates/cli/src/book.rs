//! `alinea book`: makes the data of an opening book anew.

use std::{
    io::{self, Write},
    time::Instant,
};

use ::players::{Stop, chess_five::book};
use anyhow::{Result, anyhow};
use rules::ChessFive;

/// Make an opening book anew and write it to standard output
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Which game has a book
    #[arg(value_parser = ["chess-five"])]
    game: String,
}

pub(crate) fn run(_: &Args) -> Result<()> {
    let start = Instant::now();
    let mut output = io::stdout().lock();
    let mut written = 0;
    let mut failure = None;
    let stop = Stop::default();
    writeln!(
        output,
        "# Made by `alinea book chess-five`: {} moves ahead. Position, tab, move.",
        book::DEPTH
    )?;
    let made = book::make(&stop, |position: &ChessFive, m| {
        if let Err(error) =
            writeln!(output, "{}\t{m}", rules::written(position)).and_then(|()| output.flush())
        {
            failure = Some(error);
            stop.raise();
        }
        written += 1;
        // Progress is a courtesy: nobody may be looking.
        let _ = write!(io::stderr(), "\r{written} positions, {} s", start.elapsed().as_secs());
    });
    let _ = writeln!(io::stderr());
    match failure {
        Some(error) => Err(error.into()),
        None => made.map_err(|_| anyhow!("the search was stopped")),
    }
}
