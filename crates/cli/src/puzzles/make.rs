//! `alinea puzzles make`: searches games for puzzles. The rest of a run follows from its settings and its journal.

use std::{
    fs::{self, File},
    io::{self, IsTerminal, Write},
    path::{Path, PathBuf},
};

use ::study::puzzles::{Candidates, Puzzle, Selection, rate};
use anyhow::{Context, Result, anyhow, bail};
use rules::Spec;

use crate::{ExitWith, live, parallel::in_parallel};

/// Make puzzles from games of levels and random games; prints a file of puzzles
///
/// The same seed gives the same file, with any number of threads. With a journal, an interrupted run continues where
/// it was.
#[derive(clap::Args)]
pub(super) struct Args {
    /// The game, such as connect-four:6x7x4
    game: String,
    /// The number of puzzles
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    count: u32,
    /// The most games to search
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    games: u64,
    /// The seed of the games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The file that keeps the progress
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Number of threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let spec: Spec = args.game.parse()?;
    let Args { count, games, seed, .. } = *args;
    let settings = format!("# alinea puzzles make {spec} --count {count} --games {games} --seed {seed}");
    let mut selection = Selection::new(count as usize);
    let mut journal = args.journal.as_deref().map(|path| Journal::open(path, &settings, spec)).transpose()?;
    let mut next = 0;
    if let Some(journal) = &mut journal {
        for puzzle in journal.puzzles.drain(..) {
            selection.add(puzzle);
        }
        next = journal.next;
    }
    let stop = live::stop_on_interrupt()?;
    let candidates = Candidates::new(spec, seed);
    let threads = usize::from(args.threads);
    while !selection.is_full() && next < games {
        let batch: Vec<_> = (next..games).take(threads * 4).collect();
        let found = in_parallel(&batch, threads, |&number| candidates.find(number, &stop));
        let mut added = Vec::new();
        for (number, puzzles) in batch.into_iter().zip(found) {
            for puzzle in puzzles {
                if selection.add(puzzle.clone()) {
                    added.push((number, puzzle));
                }
            }
            next = number + 1;
        }
        let ratings = in_parallel(&added, threads, |(_, puzzle)| rate(puzzle));
        // A batch that was interrupted is searched again.
        if stop.is_cancelled() {
            end_progress();
            let advice = if journal.is_some() { "; the same command continues" } else { "" };
            let message = format!("interrupted{advice}");
            return Err(ExitWith { code: 130, message }.into());
        }
        selection.set_last_ratings(&ratings);
        if let Some(journal) = &mut journal {
            let from = selection.puzzles().len() - ratings.len();
            journal.append(&selection.puzzles()[from..], next)?;
        }
        progress(&format!("{} of {count} puzzles from {next} games", selection.puzzles().len()));
    }
    end_progress();
    let mut output = io::stdout().lock();
    writeln!(output, "{settings}")?;
    for puzzle in selection.puzzles() {
        writeln!(output, "{puzzle}")?;
    }
    if !selection.is_full() {
        crate::say(&format!(
            "found {} puzzles in {games} games, fewer than {count}",
            selection.puzzles().len()
        ));
    }
    Ok(())
}

/// The progress of a run on disk: its settings, then after each batch its puzzles and the number of games searched.
struct Journal {
    file: File,
    puzzles: Vec<Puzzle>,
    next: u64,
}

impl Journal {
    fn open(path: &Path, settings: &str, spec: Spec) -> Result<Self> {
        let name = path.display();
        let text = if path.exists() {
            fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?
        } else {
            String::new()
        };
        let (mut puzzles, mut pending, mut next) = (Vec::new(), Vec::new(), 0);
        // What follows the last whole batch was cut off by a crash.
        let mut whole = 0;
        let mut place = 0;
        for line in text.split_inclusive('\n').filter(|line| line.ends_with('\n')) {
            place += line.len();
            let line = line.trim_end();
            if place == line.len() + 1 {
                if line != settings {
                    bail!("{name} was made with other settings: {}", line.trim_start_matches("# "));
                }
                whole = place;
            } else if let Some(games) = line.strip_prefix("# games ") {
                next = games.parse().map_err(|_| anyhow!("{name} is not a journal of puzzles"))?;
                puzzles.append(&mut pending);
                whole = place;
            } else {
                pending.push(Puzzle::read(spec, line).map_err(|error| anyhow!("{name}: {error}"))?);
            }
        }
        let open = || {
            let mut file = File::options().create(true).write(true).truncate(false).open(path)?;
            file.set_len(whole as u64)?;
            io::Seek::seek(&mut file, io::SeekFrom::End(0))?;
            if whole == 0 {
                writeln!(file, "{settings}")?;
            }
            io::Result::Ok(file)
        };
        Ok(Self { file: open().with_context(|| format!("cannot open {name}"))?, puzzles, next })
    }

    fn append(&mut self, puzzles: &[Puzzle], next: u64) -> Result<()> {
        let lines: String = puzzles.iter().map(|puzzle| format!("{puzzle}\n")).collect();
        self.file.write_all(format!("{lines}# games {next}\n").as_bytes()).context("cannot write the journal")
    }
}

/// Shows progress in place on a terminal, else nothing. Best effort: a closed standard error is not a failure.
pub(super) fn progress(text: &str) {
    if io::stderr().is_terminal() {
        let _ = write!(io::stderr(), "\r{text} ");
    }
}

pub(super) fn end_progress() {
    if io::stderr().is_terminal() {
        let _ = writeln!(io::stderr());
    }
}
