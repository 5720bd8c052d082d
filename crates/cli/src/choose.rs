//! `alinea choose`: one move of a player, with its reasons.

use std::time::Instant;

use ::players::Stop;
use anyhow::{Result, anyhow};
use protocol::Thought;
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
    /// The seed of the player's random source
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
    args.query.answer(spec, |game| {
        if let Some(outcome) = game.outcome() {
            return Err(PlayError::GameOver(outcome).into());
        }
        let mut program = contestant::program(game, &args.player, args.seed)?;
        let start = Instant::now();
        let thought =
            program.choose(game, &Stop::default()).map_err(|error| anyhow!("{}: {error}", args.player))?;
        let time_ms = (start.elapsed().as_secs_f64() * 1e6).round() / 1e3;
        Ok(Answer { thought: Thought::from(&thought), time_ms })
    })
}

#[cfg(test)]
mod tests {
    use ::players::Reason;

    use super::*;

    #[test]
    fn players_serialise_thoughts_as_the_protocol_does() {
        let chosen = ::players::Thought::new("4", vec!["4", "5"], Reason::samples());
        for thought in [chosen.clone(), ::players::Thought { score: Some(7), depth: Some(3), ..chosen }] {
            let sent = serde_json::to_value(Thought::from(&thought)).unwrap();
            assert_eq!(serde_json::to_value(&thought).unwrap(), sent);
        }
    }
}
