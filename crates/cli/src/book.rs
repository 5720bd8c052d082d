//! `alinea book`: generates the data of the opening books.

use std::{
    fs::{self, File},
    io::{self, IsTerminal, Write},
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use ::players::{Stop, classic::chess_five, system};
use ::study::book as engine_book;
use anyhow::{Context, Result, anyhow};
use solver::{
    Solver,
    book::{Entry, Progress, make},
};

/// Generate an opening book
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    game: Game,
}

#[derive(clap::Subcommand)]
enum Game {
    /// The book of chess-five:hard, written to standard output
    ChessFive,
    /// The book of the engine for ChessFive's first drops, written to standard output
    EngineChessFive,
    /// The book of the engine for Simplexity's first moves, written to standard output
    EngineSimplexity,
    /// The exact scores of all positions of the 6x7 board up to some ply; resumes if interrupted
    ConnectFour(ConnectFour),
}

#[derive(clap::Args)]
struct ConnectFour {
    /// The output file
    output: PathBuf,
    /// The file that keeps the progress [default: next to the output file]
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// The last ply in the book
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u8).range(0..=14))]
    plies: u8,
    /// Number of threads, each of which solves its own positions [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Size of all transposition tables in megabytes
    #[arg(long, value_name = "MB", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    memory: u32,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    match &args.game {
        Game::ChessFive => chess_five(),
        Game::EngineChessFive => engine_book("chess-five"),
        Game::EngineSimplexity => engine_book("simplexity"),
        Game::ConnectFour(options) => connect_four(options),
    }
}

fn chess_five() -> Result<()> {
    let mut bar = Bar::new();
    let mut output = io::stdout().lock();
    let mut written = 0;
    let mut failure = None;
    let stop = Stop::default();
    let depth = chess_five::book::DEPTH;
    writeln!(output, "# Made by `alinea book chess-five`: {depth} moves ahead. Position, tab, move.")?;
    let made = chess_five::book::make(&stop, |position, m| {
        if let Err(error) =
            writeln!(output, "{}\t{m}", rules::written(position)).and_then(|()| output.flush())
        {
            failure = Some(error);
            stop.cancel();
        }
        written += 1;
        bar.show(&format!("{written} positions"));
    });
    bar.end();
    match failure {
        Some(error) => Err(error.into()),
        None => made.map_err(|_| anyhow!("the search was cancelled")),
    }
}

fn engine_book(game: &str) -> Result<()> {
    let mut bar = Bar::new();
    let mut output = io::stdout().lock();
    let mut written = 0;
    let mut failure = None;
    let stop = Stop::default();
    let nodes = engine_book::NODES;
    writeln!(
        output,
        "# Made by `alinea book engine-{game}`: {nodes} nodes for the three best moves of each position. Moves, \
         tab, best move, tab, depth."
    )?;
    engine_book::make(game.parse()?, &system::resources(0), &stop, |moves, m, depth| {
        let line = writeln!(output, "{}\t{m}\t{depth}", moves.join(" "));
        if let Err(error) = line.and_then(|()| output.flush()) {
            failure = Some(error);
            stop.cancel();
        }
        written += 1;
        bar.show(&format!("{written} positions"));
    });
    bar.end();
    failure.map_or(Ok(()), |error| Err(error.into()))
}

fn connect_four(options: &ConnectFour) -> Result<()> {
    let beside = || options.output.with_extension("journal");
    let journal_path = options.journal.clone().unwrap_or_else(beside);
    let name = journal_path.display();
    let bytes = if journal_path.exists() {
        fs::read(&journal_path).with_context(|| format!("cannot read {name}"))?
    } else {
        Vec::new()
    };
    // A last entry that a crash cut off is overwritten.
    let (entries, _) = bytes.as_chunks::<{ Entry::BYTES }>();
    let mut journal = File::options()
        .create(true)
        .write(true)
        .truncate(false)
        .open(&journal_path)
        .with_context(|| format!("cannot open {name}"))?;
    let whole = (entries.len() * Entry::BYTES) as u64;
    journal
        .set_len(whole)
        .and_then(|()| io::Seek::seek(&mut journal, io::SeekFrom::End(0)).map(drop))
        .with_context(|| format!("cannot open {name}"))?;

    let mut bar = Bar::new();
    let mut failure = None;
    let stop = AtomicBool::new(false);
    let append = |entry: Entry| {
        if let Err(error) = journal.write_all(&entry.to_bytes()) {
            failure = Some(error);
            stop.store(true, Ordering::Relaxed);
        }
    };
    let progress =
        |now: Progress| bar.show(&format!("{} of {} positions, {} nodes", now.done, now.total, now.nodes));
    let known = entries.iter().map(|&bytes| Entry::from_bytes(bytes));
    let cores = || thread::available_parallelism().map_or(1, Into::into);
    let threads = options.threads.map_or_else(cores, usize::from);
    let memory = ((options.memory as usize) << 20) / threads;
    let mut solvers: Vec<_> = (0..threads).map(|_| Solver::new(memory)).collect();
    let book = make(options.plies, &mut solvers, &system::SystemThreads, known, append, progress, &stop);
    bar.end();
    if let Some(error) = failure {
        return Err(error).with_context(|| format!("cannot write {name}"));
    }
    let (book, took) = (book?, bar.start.elapsed());
    let bytes = book.to_bytes();
    fs::write(&options.output, &bytes)
        .with_context(|| format!("cannot write {}", options.output.display()))?;
    fs::remove_file(&journal_path).with_context(|| format!("cannot remove {name}"))?;
    writeln!(io::stdout(), "{} positions, {} bytes, {} s", book.len(), bytes.len(), took.as_secs())?;
    Ok(())
}

/// A progress line, updated in place; nothing unless standard error is a terminal.
struct Bar {
    start: Instant,
    last: Option<Instant>,
}

impl Bar {
    fn new() -> Self {
        Self { start: Instant::now(), last: None }
    }

    /// Best effort: a closed standard error is not a failure.
    fn show(&mut self, text: &str) {
        let is_due = self.last.is_none_or(|last| last.elapsed() >= Duration::from_millis(200));
        if is_due && io::stderr().is_terminal() {
            let _ = write!(io::stderr(), "\r{text}, {} s ", self.start.elapsed().as_secs());
            self.last = Some(Instant::now());
        }
    }

    fn end(&self) {
        if self.last.is_some() {
            let _ = writeln!(io::stderr());
        }
    }
}
