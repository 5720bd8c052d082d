//! `alinea perft`: counts move sequences, the classical test of move generators.

use anyhow::Result;

use crate::query::Query;

/// Count the move sequences of a length, not continued after the end of a game
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Which game, such as connect-four:6x7x4
    game: String,
    /// The length of the sequences
    // More would never end, and recursion is not endless either.
    #[arg(value_parser = clap::value_parser!(u32).range(..=255))]
    depth: u32,
    #[command(flatten)]
    query: Query,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    args.query.answer(args.game.parse()?, |game| Ok(game.perft(args.depth)))
}
