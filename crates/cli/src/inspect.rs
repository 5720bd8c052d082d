//! `alinea inspect`: the state of a position by the rules.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, anyhow};
use arena::{Evaluation, record};
use rules::{AnyGame, Cell, Outcome, Side, Spec};
use serde::Serialize;

use crate::query::Query;

/// Print turn, legal moves, outcome, winning line and position as JSON
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The game, such as connect-four:6x7x4
    #[arg(required_unless_present = "games")]
    game: Option<String>,
    /// Print the final position of each game in a file written by a match or tournament
    #[arg(long, value_name = "FILE", conflicts_with_all = ["game", "position"])]
    games: Option<PathBuf>,
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

impl Answer {
    fn new(game: &AnyGame) -> Self {
        Self {
            turn: game.outcome().is_none().then_some(game.turn()),
            legal: game.legal_moves(),
            outcome: game.outcome(),
            line: game.line(),
            position: game.position(),
            ply: game.ply(),
        }
    }
}

/// A game of a file: its tags and its final position.
#[derive(Serialize)]
struct Recorded {
    game: Spec,
    first: Option<String>,
    second: Option<String>,
    result: Option<Outcome>,
    termination: Option<String>,
    moves: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    evaluations: Vec<Evaluation>,
    #[serde(flatten)]
    end: Answer,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    if let Some(path) = &args.games {
        return inspect_file(path);
    }
    let game = args.game.as_deref().expect("clap requires a game unless a file is given");
    args.query.answer(game.parse()?, |game| Ok(Answer::new(game)))
}

fn inspect_file(path: &Path) -> Result<()> {
    // A file that cannot be read is a mistake on the command line.
    let text =
        fs::read_to_string(path).map_err(|error| anyhow!("cannot read {}: {error}", path.display()))?;
    let games = record::read(&text).with_context(|| path.display().to_string())?;
    let mut output = io::stdout().lock();
    for read in games {
        let evaluations = record::evaluations(&read);
        let [first, second] = read.players;
        let recorded = Recorded {
            game: read.game.spec(),
            first,
            second,
            result: read.result,
            termination: read.termination,
            moves: read.game.moves(),
            evaluations,
            end: Answer::new(&read.game),
        };
        writeln!(output, "{}", serde_json::to_string(&recorded)?)?;
    }
    Ok(())
}
