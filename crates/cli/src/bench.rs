//! `alinea bench`: a signature of the engine's search, and its speed; or the thinking times of a classic opponent.

use std::{
    io::{self, Write},
    ops::RangeInclusive,
    time::{Duration, Instant},
};

use ::players::{
    Stop,
    engine::{Engine, Question, Settings},
    roster, system,
};
use anyhow::{Result, anyhow};
use rules::{AnyGame, GAMES, Spec};

/// Count the nodes of fixed searches; an unchanged total means that the search behaves as before
///
/// Searches fixed positions of every game at fixed depths on one thread. A refactoring must keep the
/// signature; a functional change states the new one.
///
/// With a game, the command measures how long its opponent of fixed depth (smart, oizys or chess-five) thinks
/// at each depth, in positions of random games.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Measure the opponent of this game instead
    game: Option<String>,
    /// The depths to measure, in plies
    #[arg(long, value_name = "FROM-TO", default_value = "1-6", requires = "game", value_parser = read_depths)]
    depths: RangeInclusive<u32>,
    /// Reduce every depth by N plies, for a faster run
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "game")]
    shallower: u32,
}

fn read_depths(text: &str) -> Result<RangeInclusive<u32>, String> {
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    let read = |depth: &str| depth.parse().ok().filter(|depth| (1..=MOST).contains(depth));
    match (read(from), read(to)) {
        (Some(from), Some(to)) if from <= to => Ok(from..=to),
        _ => Err(format!("expected depths from 1 to {MOST} such as 1-6")),
    }
}

/// The greatest depth that can be measured.
const MOST: u32 = 20;

/// Game, moves, depth. A game without a position here is searched from its start, to [`START_DEPTH`].
const POSITIONS: [(&str, &str, u32); 19] = [
    ("tic-tac-toe", "", 9),
    ("connect-four", "", 13),
    ("connect-four", "4444", 13),
    ("connect-four", "44455343", 13),
    ("connect-four:8x9", "5556", 10),
    ("connect-four:10x10x5", "", 8),
    ("simplexity", "", 8),
    ("simplexity", "4r 4s 3r 5s", 8),
    ("simplexity", "1s 7r 4s 4r 4s 3r 5r 5s", 8),
    ("simplexity:9x37x5:83+84", "19r 19s", 3),
    ("chess-five", "", 5),
    ("chess-five", "Q@d Q@e R@d R@e B@d B@e", 5),
    ("chess-five", "R@a R@b R@c R@d N@e N@f N@g N@h B@a B@b B@c B@d Q@e Q@f K@g K@h", 4),
    ("gomoku", "", 6),
    ("gomoku", "h8 i9 g9 i7 i8 g8", 4),
    ("gomoku:9x9x5", "e5 d4 e4 e6", 6),
    ("popout", "", 7),
    ("popout", "4 4 4 3 5 2 4p 6", 6),
    ("popout:4x5x4", "3 3 2 4", 8),
];

const START_DEPTH: u32 = 4;

pub(crate) fn run(args: &Args) -> Result<()> {
    match &args.game {
        Some(game) => measure(game.parse()?, args.depths.clone()),
        None => sign(args.shallower),
    }
}

fn sign(shallower: u32) -> Result<()> {
    let mut output = io::stdout().lock();
    let mut nodes_of = vec![0; GAMES.len()];
    let mut time = Duration::ZERO;
    let has_position = |id| POSITIONS.iter().any(|(spec, ..)| spec.split(':').next() == Some(id));
    let others = GAMES.iter().filter(|info| !has_position(info.id));
    let others = others.map(|info| (info.standard, "", START_DEPTH));
    for (spec, moves, depth) in POSITIONS.into_iter().chain(others) {
        let mut game = AnyGame::from(spec.parse::<Spec>()?);
        game.play_all(moves)?;
        let depth = depth.saturating_sub(shallower).max(1);
        let settings =
            Settings { depth: Some(depth), time: None, nodes: None, threads: 1, book: false, proofs: false };
        let mut engine = Engine::new(settings, &system::resources(0))?;
        let start = Instant::now();
        let mut count = 0;
        engine
            .search(&game, &settings, &Question::Best, &Stop::default(), &mut |found| count = found.nodes)?;
        let place = GAMES.iter().position(|info| info.id == game.spec().name());
        nodes_of[place.expect("every game is in the table")] += count;
        time += start.elapsed();
        writeln!(output, "{count:>9} nodes  depth {depth:>2}  {spec} {moves}")?;
    }
    for (info, nodes) in GAMES.iter().zip(&nodes_of) {
        writeln!(output, "{nodes:>9} nodes  {}", info.id)?;
    }
    let nodes: u64 = nodes_of.iter().sum();
    writeln!(output, "signature {nodes}")?;
    writeln!(output, "{} nodes per second", u128::from(nodes) * 1000 / time.as_millis().max(1))?;
    Ok(())
}

/// The plies of the random games after which the opponent is measured: the empty board, drops, moves.
const PLIES: [usize; 8] = [0, 2, 4, 8, 12, 16, 20, 28];

/// Prints how long the opponent thinks at each depth.
fn measure(spec: Spec, depths: RangeInclusive<u32>) -> Result<()> {
    let games = random_games(spec);
    let name = roster::at_depth(&spec.into(), 1).map(|(name, _)| name);
    let name = name.ok_or_else(|| anyhow!("{spec} has no opponent that searches to a fixed depth"))?;
    let mut output = io::stdout().lock();
    writeln!(output, "{name} on {spec}, {} positions of random games\n", games.len())?;
    writeln!(output, "| depth | mean nodes | mean ms | slowest ms |")?;
    writeln!(output, "| --: | --: | --: | --: |")?;
    for depth in depths {
        let (mut nodes, mut times) = (0, Vec::new());
        for game in &games {
            let (_, mut program) = roster::at_depth(game, depth).expect("the game has this opponent");
            let start = Instant::now();
            nodes += program.choose(game, &Stop::default())?.nodes;
            times.push(start.elapsed());
        }
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        let (count, slowest) = (times.len() as u32, times.iter().max().copied().unwrap_or_default());
        let (nodes, mean) = (nodes / u64::from(count), ms(times.iter().sum::<Duration>() / count));
        writeln!(output, "| {depth} | {nodes} | {mean:.1} | {:.1} |", ms(slowest))?;
        output.flush()?;
    }
    Ok(())
}

/// The same positions at each run.
fn random_games(spec: Spec) -> Vec<AnyGame> {
    let mut rng = fastrand::Rng::with_seed(1);
    let mut random_game = |plies: usize| loop {
        let mut game = AnyGame::from(spec);
        while game.moves().len() < plies && game.outcome().is_none() {
            let moves = game.legal_moves();
            game.play(&moves[rng.usize(..moves.len())]).expect("a legal move");
        }
        if game.outcome().is_none() {
            return game;
        }
    };
    PLIES.iter().map(|&plies| random_game(plies)).collect()
}
