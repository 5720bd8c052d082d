//! `alinea dataset make`: the same settings give the same bytes, with any number of threads and however often the run
//! was interrupted.

use std::{
    io::{self, IsTerminal, Write},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use ::study::dataset::{PositionRow, Shares, Valuer, Values};
use anyhow::{Result, bail};
use parking_lot::Mutex;
use players::{Resources, Stop, roster};
use rules::{AnyGame, Spec};

use super::{
    card::{self, About},
    folder::{self, Folder},
    parquet,
    settings::{ALL_PLIES, From, Settings},
    source::{Games, Task},
};
use crate::{ExitWith, live, parallel::in_parallel};

/// Make a data set of games and their positions, each with its value and the values of all its moves
///
/// Writes games.jsonl, positions.jsonl, a card (README.md) and checksums. The same command resumes an interrupted run.
/// The same settings give the same bytes, with any number of threads.
#[derive(clap::Args)]
pub(super) struct Args {
    /// The game, such as connect-four:6x7x4
    game: String,
    /// The folder to write
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    from: FromArgs,
    /// The number of games [default: 100, or all of a file]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    count: Option<u64>,
    /// The number of random moves before two players begin
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(0..=40), conflicts_with_all = ["random", "games"])]
    opening_plies: u16,
    /// Only positions after this many moves, such as 8-20 [default: all]
    #[arg(long, value_name = "LEAST-MOST", value_parser = read_plies)]
    plies: Option<[u16; 2]>,
    /// exact: prove every move; nodes=N or depth=N: search every move that cannot be proved at once [default: exact
    /// where that is quick, otherwise nodes=20000]
    #[arg(long, value_name = "VALUES")]
    values: Option<Values>,
    /// The percentages of games for train, validation and test
    #[arg(long, value_name = "T,V,T", default_value_t)]
    split: Shares,
    /// The seed of the games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Also write games.parquet and positions.parquet
    #[arg(long)]
    parquet: bool,
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
}

/// Where the games come from.
#[derive(clap::Args)]
#[group(required = true, multiple = false)]
struct FromArgs {
    /// Games between two built-in players, who take turns to begin
    #[arg(long, num_args = 2, value_names = ["A", "B"])]
    players: Option<Vec<String>>,
    /// Random games, with one position of each
    #[arg(long, requires = "plies")]
    random: bool,
    /// The games of a file, such as games.txt of a match or tournament
    #[arg(long, value_name = "FILE")]
    games: Option<PathBuf>,
}

fn read_plies(text: &str) -> Result<[u16; 2], String> {
    let (least, most) = text.split_once('-').unwrap_or((text, text));
    match (least.parse(), most.parse()) {
        (Ok(least), Ok(most)) if least <= most => Ok([least, most]),
        _ => Err("expected two numbers of moves, the smaller one first, such as 8-20".to_owned()),
    }
}

impl Args {
    fn settings(&self) -> Result<Settings> {
        let spec: Spec = self.game.parse()?;
        let values = self.values.unwrap_or_else(|| Values::usual(spec));
        if !values.can_value(spec) {
            bail!("positions of {spec} cannot be proved; choose --values nodes=N or depth=N");
        }
        if self.parquet && !cfg!(feature = "parquet") {
            // Now rather than at the end.
            parquet::write(&self.out)?;
        }
        let from = match (&self.from.players, &self.from.games) {
            (Some(names), _) => {
                for name in names {
                    if name.starts_with("external:") {
                        bail!(
                            "the games of an external engine cannot be repeated; play a match with --out DIR, then use --games DIR/games.txt"
                        );
                    }
                    roster::program(&AnyGame::from(spec), name, &Resources::new(0))?;
                }
                let players = [names[0].clone(), names[1].clone()];
                From::Players { players, opening_plies: self.opening_plies }
            }
            (None, Some(path)) => {
                From::File { name: path.display().to_string(), sha256: folder::sha256(path)? }
            }
            (None, None) => From::Random {},
        };
        let count = self.count.or_else(|| self.from.games.is_none().then_some(100));
        Ok(Settings {
            alinea: env!("CARGO_PKG_VERSION").to_owned(),
            game: spec.to_string(),
            from,
            count,
            plies: self.plies.unwrap_or(ALL_PLIES),
            values: values.to_string(),
            split: self.split.to_string(),
            seed: self.seed,
            parquet: self.parquet,
        })
    }
}

pub(super) fn run(args: &Args) -> Result<()> {
    let settings = args.settings()?;
    let mut games = Games::new(&settings, args.from.games.as_deref())?;
    let mut folder = Folder::open(&args.out, &settings)?;
    let stop = live::stop_on_interrupt()?;
    let cores = || thread::available_parallelism().map_or(1, Into::into);
    let threads = args.threads.map_or_else(cores, usize::from);
    games.skip(folder.progress.games)?;
    make(&settings, &mut games, &mut folder, threads, &stop)?;
    finish(settings, folder, &args.out)
}

/// Maximum number of games per batch: an interruption loses at most one batch, and a batch is held in memory.
const LARGEST_BATCH: usize = 512;
/// A batch that takes less time than this is followed by a larger one.
const BATCH_TIME: Duration = Duration::from_millis(500);

fn make(
    settings: &Settings,
    games: &mut Games,
    folder: &mut Folder,
    threads: usize,
    stop: &Stop,
) -> Result<()> {
    let (values, shares) = (settings.values()?, settings.shares()?);
    // Valuers keep their tables from batch to batch.
    let valuers = Mutex::new(Vec::new());
    let mut display = Display::default();
    let mut size = threads;
    loop {
        let start = Instant::now();
        let mut batch = Vec::new();
        while batch.len() < size
            && let Some(task) = games.next()?
        {
            batch.push(task);
        }
        if batch.is_empty() {
            break;
        }
        let made = in_parallel(&batch, threads, |task| {
            let mut valuer = valuers.lock().pop().unwrap_or_else(|| Valuer::new(values));
            let lines = lines(games, task, &mut valuer, shares, stop);
            valuers.lock().push(valuer);
            lines
        });
        let (mut positions, mut text) = (0, [Vec::new(), Vec::new()]);
        for lines in made {
            // A batch that was interrupted is made again.
            let Some(lines) = lines? else {
                display.end();
                let message = "interrupted; the same command continues".to_owned();
                return Err(ExitWith { code: 130, message }.into());
            };
            positions += lines.positions;
            text[0].extend(lines.game);
            text[1].extend(lines.text);
        }
        folder.append(batch.len() as u64, positions, [&text[0], &text[1]])?;
        display.show(games.share(), folder);
        size = if start.elapsed() < BATCH_TIME { (2 * size).min(LARGEST_BATCH) } else { size };
    }
    display.end();
    Ok(())
}

/// The lines of one game.
struct Lines {
    game: Vec<u8>,
    text: Vec<u8>,
    positions: u64,
}

fn lines(
    games: &Games,
    task: &Task,
    valuer: &mut Valuer,
    shares: Shares,
    stop: &Stop,
) -> Result<Option<Lines>> {
    let Some(source) = games.make(task, stop)? else { return Ok(None) };
    let Some((game, positions)) = valuer.rows(task.number, &source, shares, stop) else { return Ok(None) };
    let mut lines =
        Lines { game: serde_json::to_vec(&game)?, text: Vec::new(), positions: positions.len() as u64 };
    lines.game.push(b'\n');
    for position in &positions {
        serde_json::to_writer(&mut lines.text, position)?;
        lines.text.push(b'\n');
    }
    Ok(Some(lines))
}

/// Counts the rows and writes the derived files: Parquet if wanted, the card, the checksums.
fn finish(settings: Settings, folder: Folder, path: &Path) -> Result<()> {
    let mut files = vec![folder::ABOUT, folder::GAMES, folder::POSITIONS];
    if settings.parquet {
        files.extend(parquet::write(path)?);
    }
    let mut about = About::new(settings, folder.progress.games);
    folder::each_line(&path.join(folder::POSITIONS), |line| {
        about.count(&serde_json::from_str::<PositionRow>(line)?);
        Ok(())
    })?;
    let summary = format!("{} games, {} positions in {}", about.games, about.positions, path.display());
    let json = serde_json::to_string_pretty(&about)? + "\n";
    folder.finish(&card::write(&about), &json, &files)?;
    writeln!(io::stdout(), "{summary}")?;
    Ok(())
}

/// Progress on standard error: in place on a terminal, else a line for each tenth. Best effort: a closed standard error
/// is not a failure.
#[derive(Default)]
struct Display {
    tenths: u32,
    is_shown: bool,
}

impl Display {
    fn show(&mut self, share: f64, folder: &Folder) {
        let percent = (100.0 * share.min(1.0)) as u32;
        let folder::Progress { games, positions, .. } = folder.progress;
        let text = format!("{percent} %, {games} games, {positions} positions");
        if io::stderr().is_terminal() {
            let _ = write!(io::stderr(), "\r{text} ");
            self.is_shown = true;
        } else if percent / 10 > self.tenths {
            self.tenths = percent / 10;
            let _ = writeln!(io::stderr(), "{text}");
        }
    }

    fn end(&self) {
        if self.is_shown {
            let _ = writeln!(io::stderr());
        }
    }
}
