//! `alinea choose`: one move of a player, with its reasons.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Instant,
};

use ::players::{Stop, Thought};
use anyhow::{Result, anyhow};
use rules::{AnyGame, PlayError, Spec};
use serde::Serialize;

use crate::{contestant, query::Query};

/// Ask a player for a move; prints the move and its reasons as JSON
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The player, such as smart:5 (`alinea players` lists them) or external:COMMAND for an engine that speaks
    /// UGI
    player: String,
    /// The game, such as connect-four:6x7x4
    game: String,
    /// The seed of the player's random source; each further line of standard input has the next seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    query: Query,
}

#[derive(Serialize)]
struct Answer {
    #[serde(flatten)]
    thought: Thought,
    time_ms: f64,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    // Checked once, so that a wrong player is one error and not one per line.
    let spec: Spec = args.game.parse()?;
    contestant::check(&AnyGame::from(spec), &args.player)?;
    let seed = AtomicU64::new(args.seed);
    args.query.answer(spec, |game| {
        let seed = seed.fetch_add(1, Ordering::Relaxed);
        if let Some(outcome) = game.outcome() {
            return Err(PlayError::GameOver(outcome).into());
        }
        let mut program = contestant::program(game, &args.player, seed)?;
        let start = Instant::now();
        let thought =
            program.choose(game, &Stop::default()).map_err(|error| anyhow!("{}: {error}", args.player))?;
        let time_ms = (start.elapsed().as_secs_f64() * 1e6).round() / 1e3;
        Ok(Answer { thought, time_ms })
    })
}
