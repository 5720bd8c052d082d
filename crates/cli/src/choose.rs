//! `alinea choose`: what a player would play, and why.

use std::time::Instant;

use ::players::{Stop, Thought};
use anyhow::Result;
use rules::{AnyGame, PlayError, Spec};
use serde::Serialize;

use crate::{contestant, query::Query};

/// Let a player choose a move and show it with its reasons as JSON
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Who chooses, such as smart:5; `alinea players` lists them; external:COMMAND is a program that
    /// speaks UGI
    player: String,
    /// Which game, such as connect-four:6x7x4
    game: String,
    /// The seed of the player's random source
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    query: Query,
}

#[derive(Serialize)]
struct Answer {
    #[serde(flatten)]
    thought: Thought<String>,
    time_ms: f64,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    // A wrong player is one mistake, not one per line.
    let spec: Spec = args.game.parse()?;
    contestant::check(&AnyGame::from(spec), &args.player)?;
    args.query.answer(spec, |game| {
        if let Some(outcome) = game.outcome() {
            return Err(PlayError::GameOver(outcome).into());
        }
        let mut program = contestant::program(game, &args.player, args.seed)?;
        let start = Instant::now();
        let thought = program.choose(game, &Stop::default())?;
        let time_ms = (start.elapsed().as_secs_f64() * 1e6).round() / 1e3;
        Ok(Answer { thought, time_ms })
    })
}
