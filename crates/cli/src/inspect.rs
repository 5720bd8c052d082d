//! `alinea inspect`: what the rules say about a position.

use anyhow::Result;
use rules::{Cell, Outcome, Side};
use serde::Serialize;

use crate::query::Query;

/// Show turn, legal moves, outcome, winning line and position as JSON
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Which game, such as connect-four:6x7x4
    game: String,
    #[command(flatten)]
    query: Query,
}

#[derive(Serialize)]
struct Answer {
    turn: Option<Side>,
    legal: Vec<String>,
    outcome: Option<Outcome>,
    line: Option<Vec<Cell>>,
    position: String,
    ply: u16,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    args.query.answer(args.game.parse()?, |game| {
        Ok(Answer {
            turn: game.outcome().is_none().then_some(game.turn()),
            legal: game.legal_moves(),
            outcome: game.outcome(),
            line: game.line(),
            position: game.position(),
            ply: game.ply(),
        })
    })
}
