//! `alinea engine`: a built-in player as a UGI engine for other tools.

use anyhow::Result;
use arena::EngineHost;
use players::{Program, roster, system};
use rules::{AnyGame, Spec};

use crate::contestant;

/// Run a player as a UGI engine on standard input and output
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The game, such as connect-four:6x7x4
    game: String,
    /// The player; by default the strongest for the game
    player: Option<String>,
    /// The seed of the player's random source
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let spec: Spec = args.game.parse()?;
    if let Some(player) = &args.player {
        contestant::check(&spec.into(), player)?;
    }
    Ok(arena::serve(spec, args.seed, &mut Roster { player: args.player.clone() })?)
}

/// The name of the player that is the strongest of its game.
const STRONGEST: &str = "alinea";

/// The players of the roster, and external engines.
struct Roster {
    player: Option<String>,
}

impl EngineHost for Roster {
    fn name(&self) -> String {
        self.player.clone().unwrap_or_else(|| STRONGEST.to_owned())
    }

    fn program(&mut self, spec: Spec, seed: u64) -> Result<Program, String> {
        let game = AnyGame::from(spec);
        match &self.player {
            Some(player) => contestant::program(&game, player, seed).map_err(|error| error.to_string()),
            None => roster::adviser(&game, &system::resources(seed)).map_err(|error| error.to_string()),
        }
    }

    fn options(&self) -> Vec<String> {
        vec![format!("option name Player type string default {}", self.name())]
    }

    fn set(&mut self, spec: Spec, name: &str, value: &str) -> Result<(), String> {
        if name == "Player" {
            let player = (value != STRONGEST).then(|| value.to_owned());
            if let Some(player) = &player {
                contestant::check(&spec.into(), player).map_err(|error| error.to_string())?;
            }
            self.player = player;
        }
        Ok(())
    }
}
