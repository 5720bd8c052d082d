//! `alinea perft`: counts move sequences, the standard test of move generators.

use anyhow::Result;

use crate::query::Query;

/// Count the move sequences of a given length; a finished game is not continued
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The game, such as connect-four:6x7x4
    game: String,
    /// The length of the sequences
    // Bounds the recursion; the count would never finish anyway.
    #[arg(value_parser = clap::value_parser!(u32).range(..=255))]
    depth: u32,
    #[command(flatten)]
    query: Query,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    args.query.answer(args.game.parse()?, |game| Ok(game.perft(args.depth)))
}
