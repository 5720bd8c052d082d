//! `alinea bench`: a signature of the engine's search, and its speed.

use std::{
    io::{self, Write},
    time::{Duration, Instant},
};

use ::players::{
    Stop,
    engine::{Engine, Question, Settings},
};
use anyhow::Result;
use rules::{AnyGame, Spec};

/// Count the nodes of fixed searches; an unchanged total means that the search behaves as before
///
/// Searches fixed positions of every game at fixed depths on one thread. A refactoring must keep the
/// signature; a functional change states the new one.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Reduce every depth by N plies, for a faster run
    #[arg(long, value_name = "N", default_value_t = 0)]
    shallower: u32,
}

/// Game, moves, depth.
const POSITIONS: [(&str, &str, u32); 13] = [
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
];

pub(crate) fn run(args: &Args) -> Result<()> {
    let mut output = io::stdout().lock();
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for (spec, moves, depth) in POSITIONS {
        let mut game = AnyGame::from(spec.parse::<Spec>()?);
        game.play_all(moves)?;
        let depth = depth.saturating_sub(args.shallower).max(1);
        let settings =
            Settings { depth: Some(depth), time: None, nodes: None, threads: 1, book: false, proofs: false };
        let engine = Engine::new(settings, &native::resources(0));
        let start = Instant::now();
        let mut count = 0;
        engine.search(&game, &settings, &Question::Best, &Stop::default(), &mut |found| count = found.nodes);
        nodes += count;
        time += start.elapsed();
        writeln!(output, "{count:>9} nodes  depth {depth:>2}  {spec} {moves}")?;
    }
    writeln!(output, "signature {nodes}")?;
    writeln!(output, "{} nodes per second", u128::from(nodes) * 1000 / time.as_millis().max(1))?;
    Ok(())
}
