//! `alinea puzzles`: makes, verifies, exports and plays puzzles, and measures players with them.

mod make;
mod play;
mod solve;

use std::{
    fs,
    io::{self, Read, Write},
    path::{Path, PathBuf},
};

use ::study::puzzles::{Collection, Puzzle, Theme, embedded, verify};
use anyhow::{Context, Result, anyhow, bail};
use protocol::PuzzleRecord;
use rules::Spec;

use crate::{ExitWith, parallel::in_parallel};

/// Puzzles with one solution, proved: play them, make them, verify them, measure players with them
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Play(play::Args),
    Make(make::Args),
    Verify(VerifyArgs),
    Solve(solve::Args),
    Export(ExportArgs),
}

pub(crate) fn run(args: &Args) -> Result<()> {
    match &args.command {
        Command::Play(args) => play::run(args),
        Command::Make(args) => make::run(args),
        Command::Verify(args) => verify_all(args),
        Command::Solve(args) => solve::run(args),
        Command::Export(args) => export(args),
    }
}

/// The puzzles to use.
#[derive(clap::Args)]
struct Source {
    /// The game; without one, all games of the collection
    game: Option<String>,
    /// The puzzles of a file made by `alinea puzzles make` instead of the collection; - is standard input
    #[arg(long, value_name = "FILE", requires = "game")]
    file: Option<PathBuf>,
    /// Only puzzles with this theme
    #[arg(long, value_name = "THEME")]
    theme: Option<String>,
}

/// A puzzle with its number in the collection or file.
struct Numbered {
    number: usize,
    puzzle: Puzzle,
}

impl Source {
    fn puzzles(&self) -> Result<Vec<Numbered>> {
        let spec = self.game.as_deref().map(str::parse::<Spec>).transpose()?;
        let theme = self.theme.as_deref().map(|text| text.parse::<Theme>().map_err(|error| anyhow!(error)));
        let theme = theme.transpose()?;
        let collections = match (&self.file, spec) {
            (Some(path), Some(spec)) => vec![read(path, spec)?],
            _ => embedded().to_vec(),
        };
        let of_game =
            collections.into_iter().filter(|collection| spec.is_none_or(|spec| collection.spec == spec));
        let numbered = of_game.flat_map(|collection| (1..).zip(collection.puzzles));
        let mut puzzles: Vec<_> = numbered.map(|(number, puzzle)| Numbered { number, puzzle }).collect();
        let game = spec.map_or_else(String::new, |spec| format!(" of {spec}"));
        if puzzles.is_empty() {
            let games: Vec<_> = embedded().iter().map(|collection| collection.spec.to_string()).collect();
            bail!("there are no puzzles{game}; the collection has puzzles of {}", games.join(", "));
        }
        if let Some(theme) = theme {
            let has = |theme: Theme| puzzles.iter().any(|it| it.puzzle.themes.contains(&theme));
            if !has(theme) {
                let known: Vec<_> =
                    Theme::ALL.iter().filter(|&&theme| has(theme)).map(|theme| theme.name()).collect();
                bail!("there are no puzzles{game} with the theme {theme}; themes are {}", known.join(", "));
            }
            puzzles.retain(|it| it.puzzle.themes.contains(&theme));
        }
        Ok(puzzles)
    }
}

fn read(path: &Path, spec: Spec) -> Result<Collection> {
    let name = path.display();
    let text = if path == Path::new("-") {
        let mut text = String::new();
        io::stdin().read_to_string(&mut text).context("cannot read standard input")?;
        text
    } else {
        fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?
    };
    Collection::read(spec, &text).map_err(|error| anyhow!("{name}: {error}"))
}

/// Verify that every puzzle has one solution, by a plain search on the rules, independent of the way they
/// were made
#[derive(clap::Args)]
struct VerifyArgs {
    #[command(flatten)]
    source: Source,
    /// Verify only one puzzle in N
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    sample: u16,
    /// Number of threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
}

fn verify_all(args: &VerifyArgs) -> Result<()> {
    let puzzles: Vec<_> = args.source.puzzles()?.into_iter().step_by(args.sample.into()).collect();
    let (mut done, mut flawed) = (0, 0);
    for batch in puzzles.chunks(usize::from(args.threads) * 4) {
        let results = in_parallel(batch, args.threads.into(), |it| verify(&it.puzzle));
        for (it, result) in batch.iter().zip(results) {
            if let Err(flaw) = result {
                writeln!(io::stdout(), "{} {}: {flaw}", it.puzzle.spec, it.number)?;
                flawed += 1;
            }
        }
        done += batch.len();
        make::progress(&format!("{done} of {} verified, {flawed} flawed", puzzles.len()));
    }
    make::end_progress();
    if flawed > 0 {
        let message = format!("{flawed} of {done} puzzles have flaws");
        return Err(ExitWith { code: 1, message }.into());
    }
    writeln!(io::stdout(), "{done} puzzles have exactly one solution")?;
    Ok(())
}

/// Print puzzles as lines of JSON
#[derive(clap::Args)]
struct ExportArgs {
    #[command(flatten)]
    source: Source,
}

fn export(args: &ExportArgs) -> Result<()> {
    let mut output = io::stdout().lock();
    for Numbered { number, puzzle } in args.source.puzzles()? {
        writeln!(output, "{}", serde_json::to_string(&PuzzleRecord::new(number, &puzzle))?)?;
    }
    Ok(())
}
