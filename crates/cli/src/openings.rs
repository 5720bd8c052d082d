//! `alinea openings`: the balanced openings that come with the program, and how they are made.

use std::{
    fs,
    io::{self, IsTerminal, Write},
    ops::RangeInclusive,
    path::PathBuf,
};

use anyhow::{Result, anyhow};
use arena::openings::{
    balanced,
    make::{Candidates, Selection},
};
use rules::Spec;

use crate::{ExitWith, live, parallel::in_parallel};

/// Balanced openings for matches: list those of a game, or make some for any board
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    List(ListArgs),
    Make(MakeArgs),
}

/// List the balanced openings that come with the program, one per line
#[derive(clap::Args)]
struct ListArgs {
    /// The game, such as connect-four
    game: String,
}

/// Make openings that are undecided and near equality; prints a file for --openings file:PATH
///
/// Positions of Connect Four are drawn by proof, those of other games are even in a search. The same seed gives the same
/// file, with any number of threads.
#[derive(clap::Args)]
struct MakeArgs {
    /// The game, such as connect-four:6x7x4
    game: String,
    /// The most openings
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    count: u32,
    /// The least and the largest number of random moves
    #[arg(long, value_name = "N-N", default_value = "4-8", value_parser = plies)]
    plies: RangeInclusive<u16>,
    /// Nodes of the search that judges an opening
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// The number of random openings to judge; the file has fewer than --count if fewer of them are balanced
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    candidates: u64,
    /// The seed of the random moves
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Number of threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

fn plies(text: &str) -> Result<RangeInclusive<u16>, String> {
    let (least, most) = text.split_once('-').unwrap_or((text, text));
    let number = |text: &str| text.trim().parse::<u16>().ok().filter(|plies| (1..=40).contains(plies));
    match (number(least), number(most)) {
        (Some(least), Some(most)) if least <= most => Ok(least..=most),
        _ => Err("expected one or two numbers from 1 to 40, such as 4-8".to_owned()),
    }
}

pub(crate) fn run(args: &Args) -> Result<()> {
    match &args.command {
        Command::List(args) => list(args),
        Command::Make(args) => make(args),
    }
}

fn list(args: &ListArgs) -> Result<()> {
    let spec: Spec = args.game.parse()?;
    let text = balanced::text(spec).ok_or_else(|| {
        anyhow!("there are no balanced openings for {spec}; alinea openings make {spec} makes some")
    })?;
    Ok(io::stdout().write_all(text.as_bytes())?)
}

fn make(args: &MakeArgs) -> Result<()> {
    let spec: Spec = args.game.parse()?;
    let MakeArgs { count, nodes, candidates: most, seed, .. } = *args;
    let stop = live::stop_on_interrupt()?;
    let candidates = Candidates::new(spec, seed, args.plies.clone(), nodes);
    let mut selection = Selection::new(count as usize);
    let threads = usize::from(args.threads);
    let (mut next, mut used) = (0, 0);
    while next < most && !selection.is_full() {
        let batch: Vec<_> = (next..most).take(threads * 16).collect();
        let found = in_parallel(&batch, threads, |&number| candidates.find(number, &stop));
        if stop.is_cancelled() {
            return Err(ExitWith { code: 130, message: "interrupted; nothing was written".to_owned() }.into());
        }
        for (number, game) in batch.iter().zip(&found) {
            if !selection.is_full() {
                used = number + 1;
                if let Some(game) = game {
                    selection.add(game);
                }
            }
        }
        next += batch.len() as u64;
        show_progress(&format!("{} of {count} openings from {next} candidates", selection.openings().len()));
    }
    if io::stderr().is_terminal() {
        eprintln!();
    }
    let plies = format!("{}-{}", args.plies.start(), args.plies.end());
    let mut text = format!(
        "# alinea openings make {spec} --count {count} --plies {plies} --nodes {nodes} --candidates {most} --seed {seed}\n\
         # {} openings from {used} candidates\n",
        selection.openings().len()
    );
    for opening in selection.openings() {
        text += opening;
        text.push('\n');
    }
    match &args.out {
        Some(path) => {
            fs::write(path, text).map_err(|error| anyhow!("cannot write {}: {error}", path.display()))
        }
        None => Ok(io::stdout().write_all(text.as_bytes())?),
    }
}

/// Best effort: a closed standard error is not a failure.
fn show_progress(text: &str) {
    if io::stderr().is_terminal() {
        let _ = write!(io::stderr(), "\r{text} ");
    }
}
