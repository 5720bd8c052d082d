//! `alinea doctor`: checks the environment of the program.

use std::{
    env,
    env::consts::{ARCH, OS},
    io::{self, IsTerminal, Write},
};

use ::players::roster;
use anyhow::{Result, bail};
use rules::{AnyGame, GAMES, Spec};
use serde::Serialize;
use store::Store;

use crate::{
    database::{Database, runtime},
    system,
};

/// Check the version, the system, the terminal, the opening book, the weights and the database; fails if something is broken
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    database: Database,
    /// Print JSON, one line per check
    #[arg(long)]
    json: bool,
}

/// What a check found.
#[derive(Serialize)]
struct Check {
    name: &'static str,
    ok: bool,
    found: String,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let checks = [
        version(),
        operating_system(),
        terminal(),
        data_folder(),
        games(),
        book(),
        weights(),
        database(&args.database)?,
    ];
    let mut output = io::stdout().lock();
    for check in &checks {
        if args.json {
            writeln!(output, "{}", serde_json::to_string(check)?)?;
        } else {
            let sign = if check.ok { "ok " } else { "BAD" };
            writeln!(output, "{sign}  {:<9} {}", check.name, check.found)?;
        }
    }
    match checks.iter().filter(|check| !check.ok).count() {
        0 => Ok(()),
        bad => bail!("{bad} of {} checks failed", checks.len()),
    }
}

fn version() -> Check {
    let kind = if cfg!(debug_assertions) { "development build" } else { "release build" };
    let features = [
        ("full-screen", cfg!(feature = "full-screen")),
        ("parquet", cfg!(feature = "parquet")),
        ("postgres", store::HAS_POSTGRES),
    ];
    let found = format!("{}, {kind}{}", env!("CARGO_PKG_VERSION"), named(&features));
    Check { name: "version", ok: true, found }
}

/// The features that a build has, and those that it leaves out.
fn named(features: &[(&str, bool)]) -> String {
    let listed = |word: &str, is_on: bool| {
        let names: Vec<_> = features.iter().filter(|(_, on)| *on == is_on).map(|(name, _)| *name).collect();
        if names.is_empty() { String::new() } else { format!("; {word} {}", names.join(", ")) }
    };
    listed("with", true) + &listed("without", false)
}

/// Names what this system lacks. That breaks nothing: what needs it says so.
fn operating_system() -> Check {
    let missing: Vec<_> = system::MISSING.iter().copied().chain(arena::missing_from_system()).collect();
    let missing = if missing.is_empty() {
        "nothing is missing".to_owned()
    } else {
        format!("without {}", missing.join("; "))
    };
    Check { name: "system", ok: true, found: format!("{OS} on {ARCH}; {missing}") }
}

fn terminal() -> Check {
    let set = |name: &str| env::var(name).unwrap_or_else(|_| "not set".to_owned());
    let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    let kind = if is_terminal { "a terminal" } else { "no terminal: games are asked line by line" };
    let found = format!("{kind}; TERM {}, COLORTERM {}{}", set("TERM"), set("COLORTERM"), screen());
    Check { name: "terminal", ok: true, found }
}

#[cfg(feature = "full-screen")]
fn screen() -> String {
    format!("; colours {:?}, language {}", tui::Depth::of_terminal(), tui::Language::of_system().code())
}

#[cfg(not(feature = "full-screen"))]
fn screen() -> String {
    String::new()
}

#[cfg(feature = "full-screen")]
fn data_folder() -> Check {
    let keep = tui::Keep::of_user();
    let games = keep.numbers();
    let found = match &games {
        Ok(numbers) => format!("{} finished games in {}", numbers.len(), keep.folder().display()),
        Err(error) => format!("{}: {error}", keep.folder().display()),
    };
    Check { name: "games", ok: games.is_ok(), found }
}

#[cfg(not(feature = "full-screen"))]
fn data_folder() -> Check {
    Check { name: "games", ok: true, found: "not kept by this build".to_owned() }
}

/// Checks that every game can be set up and has players.
fn games() -> Check {
    let is_playable = |spec: &str| {
        spec.parse::<Spec>().is_ok_and(|spec| {
            let game = AnyGame::from(spec);
            !game.legal_moves().is_empty() && !roster::players(&game).is_empty()
        })
    };
    let ok = GAMES.iter().all(|info| is_playable(info.standard));
    let ids: Vec<_> = GAMES.iter().map(|info| info.id).collect();
    Check { name: "rules", ok, found: ids.join(", ") }
}

fn book() -> Check {
    let book = solver::Book::embedded();
    let found = format!("{} positions of Connect Four, up to {} plies", book.len(), book.plies());
    Check { name: "book", ok: !book.is_empty(), found }
}

fn weights() -> Check {
    let ok = players::Network::standard().is_some();
    let found =
        if ok { "learned evaluation of Gomoku" } else { "none; Gomoku is evaluated in a simpler way" };
    Check { name: "weights", ok, found: found.into() }
}

fn database(database: &Database) -> Result<Check> {
    if !database.exists() {
        let found = format!("none yet; `alinea serve` creates {}", database.name());
        return Ok(Check { name: "database", ok: true, found });
    }
    let url = database.url()?;
    let opened = runtime()?.block_on(async { Store::open(&url).await });
    Ok(match opened {
        Ok(_) => Check { name: "database", ok: true, found: format!("{} can be used", database.name()) },
        Err(error) => Check { name: "database", ok: false, found: format!("{}: {error}", database.name()) },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_names_its_features() {
        assert_eq!(
            named(&[("screen", true), ("parquet", false), ("postgres", true)]),
            "; with screen, postgres; without parquet"
        );
        assert_eq!(named(&[("screen", false)]), "; without screen");
        assert_eq!(named(&[("screen", true)]), "; with screen");
        assert_eq!(named(&[]), "");
    }
}
