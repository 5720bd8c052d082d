//! `alinea players`: the players of each game.

use std::io::{self, Write};

use ::players::roster::{self, Strength};
use anyhow::Result;
use rules::{AnyGame, GAMES, Spec};
use serde::Serialize;

/// List the players of a game, or of all games
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The game
    game: Option<String>,
    /// Print JSON, one line per game
    #[arg(long)]
    json: bool,
}

/// A line of JSON.
#[derive(Serialize)]
struct JsonLine {
    game: String,
    /// The players as they are written, with the range of their parameter: `smart:1..8`.
    players: Vec<String>,
    levels: Vec<Strength>,
}

/// Lists each level with its rating and its score against the level below; names the board of the
/// measurements if it is a different one.
fn list_levels(output: &mut impl Write, game: &AnyGame) -> Result<()> {
    let standard: Spec = game.spec().name().parse()?;
    if standard != game.spec() {
        writeln!(output, "    measured on {standard}; the differences may vary on this board")?;
    }
    for Strength { level, name, character, against_below, elo, .. } in roster::levels(game) {
        let score = against_below.map_or_else(String::new, |score| {
            let (share, margin) = (100.0 * score.share, 100.0 * score.margin());
            format!("  {share:.0} ± {margin:.0} % of {} games against level:{}", score.games, level - 1)
        });
        let elo = elo.map_or_else(String::new, |elo| format!("{elo:+5.0}"));
        writeln!(output, "    level:{level}  {name:<13} {character:<11} {elo}{score}")?;
    }
    Ok(())
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let mut output = io::stdout().lock();
    let all = || GAMES.iter().map(|info| info.standard.to_owned()).collect();
    for game in args.game.clone().map_or_else(all, |game| vec![game]) {
        let spec: Spec = game.parse()?;
        let game = AnyGame::from(spec);
        if args.json {
            let line = JsonLine {
                game: spec.to_string(),
                players: roster::players(&game).iter().map(ToString::to_string).collect(),
                levels: roster::levels(&game),
            };
            writeln!(output, "{}", serde_json::to_string(&line)?)?;
            continue;
        }
        writeln!(output, "{spec}")?;
        writeln!(output, "  human")?;
        for listing in roster::players(&game) {
            writeln!(output, "  {listing}")?;
            if listing.name == "level" {
                list_levels(&mut output, &game)?;
            }
        }
    }
    Ok(())
}
