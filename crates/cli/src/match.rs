//! `alinea match`: two players, many games, the difference in strength.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use arena::{
    Adjudication, Affinity, Contestant, Limits, NotCores, OwnLimits, Settings, Tournament,
    adjudication::{Level, Resign},
    sprt::{Model, Sprt},
};

use crate::contest::{self, Output};

/// Play pairs of games between two players, each opening twice with sides exchanged, and estimate the
/// difference in strength
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The first player: smart:5, external:COMMAND, external-gomocup:COMMAND, or NAME= before any
    first: Contestant,
    /// The second player
    second: Contestant,
    /// The game, such as connect-four:6x7x4, or lottery:3,8,15,27,44 for a Simplexity board drawn
    /// by five numbers
    game: String,
    /// The number of openings, each played twice; with --sprt the maximum
    #[arg(long, value_name = "N", default_value_t = 50)]
    pairs: usize,
    /// balanced, empty, random:PLIES, file:PATH, book:PATH (lines with weights) or games:PATH:PLIES (the first moves of
    /// games) [default: balanced where the program has such openings, otherwise random:4]
    #[arg(long, value_name = "WHICH")]
    openings: Option<String>,
    /// Stop as soon as it is decided whether the first player is stronger by ELO1 rather than by ELO0
    #[arg(long, value_name = "ELO0,ELO1", value_parser = hypotheses, allow_hyphen_values = true)]
    sprt: Option<(f64, f64)>,
    /// The scale of ELO0 and ELO1: logistic, or normalised, which counts standard deviations of a game
    #[arg(long, value_name = "SCALE", default_value = "logistic")]
    sprt_model: Model,
    /// The probability that SPRT accepts ELO1 wrongly
    #[arg(long, value_name = "P", default_value_t = 0.05, value_parser = error_rate)]
    alpha: f64,
    /// The probability that SPRT accepts ELO0 wrongly
    #[arg(long, value_name = "P", default_value_t = 0.05, value_parser = error_rate)]
    beta: f64,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    adjudication: AdjudicationArgs,
    /// Other limits of one player, named as in a tournament file: Mine:movetime_ms=50,memory_mb=512
    #[arg(long, value_name = "NAME:LIMIT=N,…", value_parser = own_limits)]
    limits_of: Vec<(String, OwnLimits)>,
    /// A file with options of an external engine, one name = value per line
    #[arg(long, value_name = "NAME=FILE", value_parser = options_file)]
    options: Vec<(String, String)>,
    /// An option of an external engine
    #[arg(long, value_name = "NAME:OPTION=VALUE", value_parser = engine_option)]
    option: Vec<(String, (String, String))>,
    /// The directory in which an external engine runs
    #[arg(long, value_name = "NAME=DIR", value_parser = directory)]
    dir: Vec<(String, String)>,
    /// Restart external engines for every game, not only after a fault
    #[arg(long)]
    restart: bool,
    /// Let external engines think on the opponent's time, if they declare the option Ponder
    #[arg(long)]
    ponder: bool,
    /// End with exit code 3 when a player crashes, instead of continuing
    #[arg(long)]
    abort: bool,
    /// Pin each parallel game to its own core, of all or of a list such as 0,2,4-7 (Linux)
    #[arg(long, value_name = "CORES", num_args = 0..=1, require_equals = true, default_missing_value = "any", value_parser = affinity)]
    affinity: Option<Affinity>,
    /// Games played in parallel
    #[arg(long, value_name = "N", default_value_t = 1)]
    concurrency: usize,
    /// The seed of all randomness: the same seed gives the same games
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Keep a journal and write the reports here; the same command then resumes an interrupted run
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Also write each game to its own file there
    #[arg(long, requires = "out")]
    each_game: bool,
    /// Write every line of the dialogue with external engines to this file, with their standard error
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

fn error_rate(text: &str) -> Result<f64, String> {
    let rate = text.parse().ok().filter(|rate| (0.0..0.5).contains(rate) && *rate > 0.0);
    rate.ok_or_else(|| "expected a probability between 0 and 0.5, such as 0.05".to_owned())
}

/// The limits of each player.
#[derive(clap::Args)]
struct LimitArgs {
    /// Time for a move in milliseconds
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Clock and increment in seconds, such as 10+0.1; 40/10+0.1 gives 10 s for each 40 moves
    #[arg(long, value_name = "[N/]S+S", value_parser = clock)]
    clock: Option<Clock>,
    /// Depth in plies, for external engines
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    /// Nodes, for external engines
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Tolerance beyond the time limit, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = Limits::default().margin_ms, env = "ALINEA_MARGIN_MS")]
    margin: u64,
    /// Memory limit of an external engine in mebibytes
    #[arg(long, value_name = "MB")]
    memory: Option<u64>,
    /// CPU time limit of an external engine in seconds
    #[arg(long, value_name = "S")]
    cpu: Option<u64>,
}

impl LimitArgs {
    fn limits(&self) -> Limits {
        Limits {
            movetime_ms: self.movetime,
            time_ms: self.clock.map(|clock| clock.time_ms),
            moves: self.clock.and_then(|clock| clock.moves),
            increment_ms: self.clock.map_or(0, |clock| clock.increment_ms),
            depth: self.depth,
            nodes: self.nodes,
            margin_ms: self.margin,
            memory_mb: self.memory,
            cpu_s: self.cpu,
            ..Limits::default()
        }
    }
}

/// When games are ended early.
#[derive(clap::Args)]
struct AdjudicationArgs {
    /// A side loses if it reports −SCORE or less for MOVES of its moves in a row; with “,both”, only if the
    /// opponent also reports SCORE or more
    #[arg(long, value_name = "SCORE,MOVES[,both]", value_parser = resign)]
    resign: Option<Resign>,
    /// A game is drawn if both sides report scores from −SCORE to SCORE for MOVES moves each in a row, from
    /// this PLY on
    #[arg(long, value_name = "SCORE,MOVES,PLY", value_parser = level)]
    draw: Option<Level>,
    /// A game ends with its proven result once perfect play would end it within PLIES
    #[arg(long, value_name = "PLIES")]
    exact: Option<u32>,
    /// A game is drawn after this number of plies
    #[arg(long, value_name = "PLIES")]
    max_plies: Option<u32>,
}

impl AdjudicationArgs {
    fn rules(&self) -> Adjudication {
        let Self { resign, draw, exact, max_plies } = *self;
        Adjudication { resign, draw, exact, max_plies }
    }
}

fn resign(text: &str) -> Result<Resign, String> {
    let (numbers, both) = text.strip_suffix(",both").map_or((text, false), |numbers| (numbers, true));
    match read_numbers(numbers)[..] {
        [Some(score), Some(moves)] => Ok(Resign { score, moves, both }),
        _ => Err("expected a score and a number of moves, such as 400,3 or 400,3,both".to_owned()),
    }
}

fn level(text: &str) -> Result<Level, String> {
    match read_numbers(text)[..] {
        [Some(score), Some(moves), Some(from_ply)] => Ok(Level { score, moves, from_ply }),
        _ => Err("expected a score, a number of moves and a ply, such as 10,4,20".to_owned()),
    }
}

fn read_numbers(text: &str) -> Vec<Option<u32>> {
    text.split(',').map(|number| number.trim().parse().ok()).collect()
}

fn own_limits(text: &str) -> Result<(String, OwnLimits), String> {
    let expected =
        || "expected a player and its limits, such as Mine:movetime_ms=50,memory_mb=512".to_owned();
    // The name of a player may have a colon.
    let (name, limits) = text.rsplit_once(':').ok_or_else(expected)?;
    Ok((name.to_owned(), arena::read_own_limits(limits).ok_or_else(expected)?))
}

fn options_file(text: &str) -> Result<(String, String), String> {
    let (name, path) =
        text.split_once('=').ok_or("expected a player and a file, such as Mine=mine.options")?;
    Ok((name.to_owned(), path.to_owned()))
}

fn directory(text: &str) -> Result<(String, String), String> {
    let (name, path) =
        text.split_once('=').ok_or("expected a player and a directory, such as Mine=engines/mine")?;
    Ok((name.to_owned(), path.to_owned()))
}

fn engine_option(text: &str) -> Result<(String, (String, String)), String> {
    let parts = text.split_once('=').and_then(|(left, value)| {
        // The name of a player may have a colon.
        let (name, option) = left.rsplit_once(':')?;
        Some((name.to_owned(), (option.trim().to_owned(), value.to_owned())))
    });
    parts.ok_or_else(|| "expected a player, an option and its value, such as Mine:Hash=16".to_owned())
}

fn affinity(text: &str) -> Result<Affinity, String> {
    if text == "any" { Ok(Affinity::Any) } else { text.parse().map_err(|error: NotCores| error.to_string()) }
}

fn hypotheses(text: &str) -> Result<(f64, f64), String> {
    let parsed =
        text.split_once(',').and_then(|(a, b)| Some((a.trim().parse().ok()?, b.trim().parse().ok()?)));
    parsed.ok_or_else(|| "expected two numbers, such as 0,10".to_owned())
}

/// The clock of each side.
#[derive(Clone, Copy)]
struct Clock {
    /// Moves for which the time is given; all moves of a game if not set.
    moves: Option<u32>,
    time_ms: u64,
    increment_ms: u64,
}

/// Parses `10+0.1` or `40/10+0.1`; the increment may be missing.
fn clock(text: &str) -> Result<Clock, String> {
    let expected = || "expected seconds, such as 10+0.1, or moves and seconds, such as 40/10+0.1".to_owned();
    let (moves, text) = match text.split_once('/') {
        None => (None, text),
        Some((moves, text)) => {
            let moves = moves.trim().parse().ok().filter(|moves| (1..=10_000).contains(moves));
            (Some(moves.ok_or_else(expected)?), text)
        }
    };
    let ms = |seconds: &str| {
        let seconds: f64 = seconds.trim().parse().ok()?;
        (0.0..=604_800.0).contains(&seconds).then_some((seconds * 1000.0) as u64)
    };
    let (time, increment) = text.split_once('+').unwrap_or((text, "0"));
    let clock = ms(time).zip(ms(increment)).filter(|&clock| clock != (0, 0));
    let (time_ms, increment_ms) = clock.ok_or_else(expected)?;
    Ok(Clock { moves, time_ms, increment_ms })
}

pub(crate) fn run(args: Args) -> Result<()> {
    let limits = args.limits.limits();
    let mut settings = Settings::of_match(&args.game, [args.first, args.second]);
    settings.pairs = args.pairs;
    settings.openings = args.openings;
    settings.limits = limits;
    settings.adjudication = args.adjudication.rules();
    settings.limits_of = args.limits_of.into_iter().collect();
    settings.options_file = args.options.into_iter().collect();
    for (name, (option, value)) in args.option {
        settings.options.entry(name).or_default().insert(option, value);
    }
    settings.directories = args.dir.into_iter().collect();
    (settings.restart, settings.abort) = (args.restart, args.abort);
    settings.affinity = args.affinity.unwrap_or_default();
    settings.ponder = args.ponder;
    settings.concurrency = args.concurrency;
    settings.seed = args.seed;
    let (alpha, beta, model) = (args.alpha, args.beta, args.sprt_model);
    settings.sprt = args.sprt.map(|(elo0, elo1)| Sprt { elo0, elo1, alpha, beta, model });
    let tournament = Tournament::new(settings, Path::new("")).context("invalid match")?;
    let (directory, log) = (args.out.as_deref(), args.log.as_deref());
    let output = Output { directory, each_game: args.each_game, log, json: args.json, database_url: None };
    contest::run(tournament, &output)
}
