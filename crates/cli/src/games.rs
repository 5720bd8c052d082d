//! `alinea games`: what can be played, and the games that were played full screen.

use std::{
    io::{self, Write},
    path::PathBuf,
};

use anyhow::Result;
use rules::GAMES;

/// List the games that can be played, or work with those that you have finished
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Print what a screen needs to draw each game, as JSON
    #[arg(long)]
    json: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(clap::Subcommand)]
enum Command {
    /// List your finished games
    List {
        /// Print JSON, one line per game
        #[arg(long)]
        json: bool,
    },
    /// Show a finished game: on a terminal full screen, else as text
    Show {
        /// Its number in the list
        number: u32,
        #[command(flatten)]
        screen: crate::play::ScreenArgs,
    },
    /// Write finished games as text
    Export {
        /// Their numbers; all if none are given
        numbers: Vec<u32>,
        /// The file to write; standard output if not given
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Review a finished game: on a terminal full screen, else one line of JSON per move
    Review {
        /// Its number in the list
        number: u32,
        #[command(flatten)]
        screen: crate::play::ScreenArgs,
    },
}

pub(crate) fn run(args: &Args) -> Result<()> {
    if let Some(command) = &args.command {
        return kept::run(command);
    }
    let mut output = io::stdout().lock();
    if args.json {
        writeln!(output, "{}", serde_json::to_string(GAMES)?)?;
        return Ok(());
    }
    for info in GAMES {
        writeln!(output, "{}", info.id)?;
    }
    Ok(())
}

/// How each game may be written, for the help.
pub(crate) fn help() -> String {
    let (last, others) = GAMES.split_last().expect("there are games");
    let others: Vec<_> = others.iter().map(|info| info.form).collect();
    format!("GAME is {} or {}.", others.join(", "), last.form)
}

/// The games that the full screen keeps.
#[cfg(feature = "full-screen")]
mod kept {
    use std::fs;

    use anyhow::{Context, anyhow};
    use rules::{AnyGame, game_text};
    use serde::Serialize;
    use tui::{Keep, Kept};

    use super::{Command, Result, Write, io};
    use crate::{
        play::{Begin, Session, run_full_screen},
        review,
    };

    /// A line of JSON.
    #[derive(Serialize)]
    struct JsonLine<'a> {
        number: u32,
        date: Option<&'a str>,
        game: String,
        players: [Option<&'a str>; 2],
        result: &'static str,
        moves: Vec<String>,
    }

    fn find(number: u32) -> Result<Kept> {
        let keep = Keep::of_user();
        keep.get(number).map_err(|_| anyhow!("there is no game {number} in {}", keep.folder().display()))
    }

    fn game(number: u32) -> Result<(Kept, AnyGame)> {
        let kept = find(number)?;
        let game = kept.game.as_ref().map_err(|error| anyhow!("game {number}: {error}"))?.game.clone();
        Ok((kept, game))
    }

    pub(super) fn run(command: &Command) -> Result<()> {
        let mut output = io::stdout();
        match command {
            Command::List { json } => list(*json),
            Command::Export { numbers, out } => {
                let all = Keep::of_user().numbers()?;
                let numbers = if numbers.is_empty() { &all } else { numbers };
                let games: Result<Vec<_>> = numbers.iter().map(|number| Ok(find(*number)?.text)).collect();
                let text = games?.concat();
                match out {
                    None => output.write_all(text.as_bytes())?,
                    Some(path) => {
                        fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
                    }
                }
                Ok(())
            }
            Command::Show { number, screen } => {
                let (kept, game) = game(*number)?;
                if screen.is_full() {
                    let session = Session { screen: screen.clone(), pace: None, seed: None };
                    return run_full_screen(session, Begin::Analyse(game));
                }
                Ok(output.write_all(kept.text.as_bytes())?)
            }
            Command::Review { number, screen } => {
                let (_, game) = game(*number)?;
                if screen.is_full() {
                    let session = Session { screen: screen.clone(), pace: None, seed: None };
                    return run_full_screen(session, Begin::Review(game));
                }
                review::print_one(&game)
            }
        }
    }

    fn list(json: bool) -> Result<()> {
        let keep = Keep::of_user();
        let mut output = io::stdout().lock();
        for number in keep.numbers()? {
            let kept = keep.get(number)?;
            let read = match &kept.game {
                Ok(read) => read,
                Err(error) => {
                    crate::say(&format!("game {number}: {error}"));
                    continue;
                }
            };
            let name = |side: usize| read.players[side].as_deref();
            let result = game_text::result(read.result);
            if json {
                let line = JsonLine {
                    number,
                    date: kept.date.as_deref(),
                    game: read.game.spec().to_string(),
                    players: [name(0), name(1)],
                    result,
                    moves: read.game.moves(),
                };
                writeln!(output, "{}", serde_json::to_string(&line)?)?;
            } else {
                let date = kept.date.as_deref().unwrap_or("-");
                let [first, second] = [0, 1].map(|side| name(side).unwrap_or("-"));
                writeln!(output, "{number}\t{date}\t{}\t{first}\t{second}\t{result}", read.game.spec())?;
            }
        }
        Ok(())
    }
}

#[cfg(not(feature = "full-screen"))]
mod kept {
    pub(super) fn run(_: &super::Command) -> super::Result<()> {
        Err(anyhow::anyhow!("this binary was built without the full screen, which saves games"))
    }
}
