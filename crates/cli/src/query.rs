//! What the commands for scripts ask about: a game, a position, moves; one on the command line or many
//! on standard input, one answer per line.

use std::io::{self, BufRead, Write};

use anyhow::{Context, Result, bail};
use rules::{AnyGame, Spec};
use serde::Serialize;

/// The arguments that name a position of a game.
#[derive(clap::Args)]
pub(crate) struct Query {
    /// Start at a written position, such as "3/1x1/3 b"
    #[arg(long, value_name = "P")]
    position: Option<String>,
    /// Moves to play first; - reads many from standard input: per line moves, or `position P`, or
    /// `position P moves M…`
    #[arg(value_name = "MOVES")]
    moves: Vec<String>,
}

impl Query {
    /// Answers each position asked about with one line of JSON.
    pub(crate) fn answer<T: Serialize>(
        &self,
        game: Spec,
        answer: impl Fn(&AnyGame) -> Result<T>,
    ) -> Result<()> {
        let mut start = AnyGame::from(game);
        if let Some(position) = &self.position {
            start.set_position(position)?;
        }
        let mut output = io::stdout().lock();
        if self.moves != ["-"] {
            let answer = answer(&with_moves(&start, &self.moves.join(" "))?)?;
            writeln!(output, "{}", serde_json::to_string(&answer)?)?;
            return Ok(());
        }
        let mut input = io::stdin().lock();
        let mut line = Vec::new();
        loop {
            line.clear();
            if input.read_until(b'\n', &mut line).context("standard input")? == 0 {
                return Ok(());
            }
            let text = match read_line(&start, &line).and_then(|game| answer(&game)) {
                Ok(answer) => serde_json::to_string(&answer)?,
                Err(error) => serde_json::json!({ "error": error.to_string() }).to_string(),
            };
            writeln!(output, "{text}")?;
        }
    }
}

fn read_line(start: &AnyGame, line: &[u8]) -> Result<AnyGame> {
    let Ok(line) = str::from_utf8(line) else {
        bail!("the line is not UTF-8 text");
    };
    let words: Vec<_> = line.split_whitespace().collect();
    if words.first() != Some(&"position") {
        return with_moves(start, line);
    }
    let moves = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let mut game = start.clone();
    game.set_position(&words[1..moves].join(" "))?;
    with_moves(&game, &words[words.len().min(moves + 1)..].join(" "))
}

fn with_moves(start: &AnyGame, moves: &str) -> Result<AnyGame> {
    let mut game = start.clone();
    game.play_all(moves)?;
    Ok(game)
}
