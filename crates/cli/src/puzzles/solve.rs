//! `alinea puzzles solve`: how many puzzles a player finds, and in what time.

use std::{
    collections::BTreeMap,
    io::{self, Write},
    time::{Duration, Instant},
};

use ::study::puzzles::finds;
use anyhow::Result;
use rules::AnyGame;
use serde::Serialize;

use super::{Numbered, Source, make};
use crate::{contestant, live};

/// Count the puzzles that a player solves, and the time it takes; prints a line of JSON per game
#[derive(clap::Args)]
pub(super) struct Args {
    /// The player, such as level:5, engine:100ms or external:COMMAND
    player: String,
    #[command(flatten)]
    source: Source,
    /// Ask about only one puzzle in N
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    sample: u16,
    /// The seed of the player's random choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// A line of JSON.
#[derive(Serialize)]
struct JsonLine<'a> {
    player: &'a str,
    game: String,
    puzzles: usize,
    solved: usize,
    percent: f64,
    /// The mean rating of those that it solved.
    rating: Option<f64>,
    time_ms: u64,
    /// For each theme: how many it solved, of how many.
    themes: BTreeMap<&'static str, [usize; 2]>,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let puzzles: Vec<_> = args.source.puzzles()?.into_iter().step_by(args.sample.into()).collect();
    let stop = live::stop_on_interrupt()?;
    let same_game = |a: &Numbered, b: &Numbered| a.puzzle.spec == b.puzzle.spec;
    for of_game in puzzles.chunk_by(same_game) {
        let spec = of_game[0].puzzle.spec;
        let (mut solved, mut themes, mut ratings) = (0, BTreeMap::new(), 0);
        let start = Instant::now();
        for (asked, it) in of_game.iter().enumerate() {
            // A new player for each puzzle, so that its result does not depend on the others.
            let mut program =
                contestant::program(&AnyGame::from(spec), &args.player, args.seed + it.number as u64)?;
            let is_found = finds(&mut program, &it.puzzle, &stop);
            if stop.is_cancelled() {
                return Ok(());
            }
            solved += usize::from(is_found);
            ratings += if is_found { it.puzzle.rating } else { 0 };
            for theme in &it.puzzle.themes {
                let counts = themes.entry(theme.name()).or_insert([0; 2]);
                counts[0] += usize::from(is_found);
                counts[1] += 1;
            }
            make::progress(&format!("{spec}: {solved} of {}", asked + 1));
        }
        make::end_progress();
        let line = JsonLine {
            player: &args.player,
            game: spec.to_string(),
            puzzles: of_game.len(),
            solved,
            percent: (1000.0 * solved as f64 / of_game.len() as f64).round() / 10.0,
            rating: (solved > 0).then(|| (f64::from(ratings) / solved as f64).round()),
            time_ms: Duration::as_millis(&start.elapsed()) as u64,
            themes,
        };
        writeln!(io::stdout(), "{}", serde_json::to_string(&line)?)?;
    }
    Ok(())
}
