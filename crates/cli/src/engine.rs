//! `alinea engine`: a built-in player as an engine for other tools.

use anyhow::{Result, bail};
use arena::{EngineHost, gomocup};
use players::{Program, roster, system};
use rules::{AnyGame, Spec, gomoku};

use crate::contestant;

/// Run a player as an engine on standard input and output: UGI, or the protocol of the Gomocup
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The game, such as connect-four:6x7x4; with --gomocup always gomoku, and the manager sets the size
    #[arg(required_unless_present = "gomocup")]
    game: Option<String>,
    /// The player; by default the strongest for the game
    player: Option<String>,
    /// Speak the protocol of the Gomocup instead of UGI
    #[arg(long)]
    gomocup: bool,
    /// The seed of the player's random source
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let game = args.game.as_deref().unwrap_or(gomoku::INFO.id);
    let spec: Spec = game.parse()?;
    if args.gomocup && spec.name() != gomoku::INFO.id {
        bail!("the protocol of the Gomocup supports only gomoku, not {spec}");
    }
    if let Some(player) = &args.player {
        contestant::check(&spec.into(), player)?;
    }
    let mut roster = Roster { player: args.player.clone() };
    Ok(if args.gomocup {
        gomocup::serve(args.seed, &mut roster)
    } else {
        arena::serve(spec, args.seed, &mut roster)
    }?)
}

/// The name of the strongest player of any game.
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
