//! The participants: `smart:5` is a player of the roster, `external:COMMAND` an engine in any language that speaks UGI,
//! `external-gomocup:COMMAND` one that speaks the protocol of the Gomocup, and a `NAME=` prefix gives each a display
//! name.

use std::{fmt, str::FromStr, sync::Arc};

use players::{
    Program,
    roster::{self, RosterError},
    system,
};
use rules::{AnyGame, Spec, excerpt};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{Limits, Protocol, external::External, process::Stderr};

/// A participant, parsed from text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Contestant {
    /// The display name.
    pub name: String,
    /// Built-in or external.
    pub kind: Kind,
}

/// The kind of a contestant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A player of the roster, by its name there.
    Roster(String),
    /// An external engine.
    External {
        /// The protocol that it speaks.
        protocol: Protocol,
        /// The shell command that starts it.
        command: String,
    },
    /// A player that the caller creates, in this process. It has no text form.
    Hosted(Hosted),
}

/// Creates the program of a hosted player for a game, with a seed.
#[derive(Clone)]
pub struct Hosted(pub Arc<MakeProgram>);

/// A function that creates programs on any thread.
pub type MakeProgram = dyn Fn(&AnyGame, u64) -> Program + Send + Sync;

impl fmt::Debug for Hosted {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("Hosted")
    }
}

impl PartialEq for Hosted {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Hosted {}

/// Why a text is not a contestant, or a contestant does not play a game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ContestantError {
    /// No player or command is given.
    #[error("“{0}” is not a player; expected smart:5, external:COMMAND or NAME=PLAYER")]
    Empty(String),
    /// The display name would break tables.
    #[error("“{0}” is not a valid player name; expected at most 40 characters without spaces and quotes")]
    Name(String),
    /// The game has no such player.
    #[error(transparent)]
    Roster(#[from] RosterError),
    /// The engine's protocol does not support the game.
    #[error("{prefix}COMMAND plays only Gomoku with five in a row, such as gomoku:15x15x5, not {spec}")]
    Protocol {
        /// What the name of such a contestant begins with: `external-gomocup:`.
        prefix: &'static str,
        /// The game.
        spec: Spec,
    },
}

impl FromStr for Contestant {
    type Err = ContestantError;

    fn from_str(text: &str) -> Result<Self, ContestantError> {
        // The command of an engine may contain an equals sign; a name ends before the first colon.
        let (name, player) = match text.split_once('=') {
            Some((name, player)) if !name.contains([':', ' ']) => (Some(name), player),
            _ => (None, text),
        };
        let external = Protocol::ALL.into_iter().find_map(|protocol| {
            let command = player.strip_prefix(protocol.prefix())?.trim().to_owned();
            Some(Kind::External { protocol, command })
        });
        let kind = external.unwrap_or_else(|| Kind::Roster(player.trim().to_owned()));
        if matches!(&kind, Kind::Roster(what) | Kind::External { command: what, .. } if what.is_empty()) {
            return Err(ContestantError::Empty(excerpt(text)));
        }
        name.map_or(Ok(()), check_name)?;
        let name = match name {
            Some(name) => name.to_owned(),
            // Names go into tables and game files, where a quote or a line break would corrupt the format.
            None => excerpt(player.trim()).replace('"', "'"),
        };
        Ok(Self { name, kind })
    }
}

/// Rejects a display name that would break tables.
fn check_name(name: &str) -> Result<(), ContestantError> {
    if name.is_empty() || name.chars().count() > 40 || name.chars().any(is_forbidden) {
        return Err(ContestantError::Name(excerpt(name)));
    }
    Ok(())
}

fn is_forbidden(c: char) -> bool {
    c.is_whitespace() || c.is_control() || c == '"'
}

impl TryFrom<String> for Contestant {
    type Error = ContestantError;

    fn try_from(text: String) -> Result<Self, ContestantError> {
        text.parse()
    }
}

impl From<Contestant> for String {
    fn from(contestant: Contestant) -> Self {
        contestant.to_string()
    }
}

impl fmt::Display for Contestant {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let what = match &self.kind {
            Kind::Roster(player) => player.clone(),
            Kind::External { protocol, command } => format!("{}{command}", protocol.prefix()),
            Kind::Hosted(_) => self.name.clone(),
        };
        if self.name.contains([':', ' ']) || self.name == what {
            f.write_str(&what)
        } else {
            write!(f, "{}={what}", self.name)
        }
    }
}

impl Contestant {
    /// A player that the caller creates, in this process.
    ///
    /// # Errors
    /// If the name would break tables.
    pub fn hosted(
        name: &str,
        make: impl Fn(&AnyGame, u64) -> Program + Send + Sync + 'static,
    ) -> Result<Self, ContestantError> {
        check_name(name)?;
        Ok(Self { name: name.to_owned(), kind: Kind::Hosted(Hosted(Arc::new(make))) })
    }

    /// Creates a program that plays this game within the limits.
    ///
    /// # Errors
    /// If the game has no such player. An engine that cannot run fails when asked for a move.
    pub fn program(&self, game: &AnyGame, limits: &Limits, seed: u64) -> Result<Program, ContestantError> {
        match &self.kind {
            Kind::Roster(player) => Ok(roster::program(game, player, &system::resources(seed))?),
            Kind::External { protocol, command } => {
                protocol.check(game.spec())?;
                Ok(External::speaking(*protocol, command, limits, Stderr::Discard).into_program(seed))
            }
            Kind::Hosted(Hosted(make)) => Ok(make(game, seed)),
        }
    }

    /// Checks that the game has this player.
    ///
    /// # Errors
    /// If it does not.
    pub fn check(&self, game: &AnyGame) -> Result<(), ContestantError> {
        match &self.kind {
            Kind::Roster(player) => Ok(roster::program(game, player, &system::resources(0)).map(drop)?),
            Kind::External { protocol, .. } => protocol.check(game.spec()),
            Kind::Hosted(_) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contestants_round_trip_through_text() {
        for (text, name) in [
            ("smart:5", "smart:5"),
            ("Old=smart:5", "Old"),
            ("external:./mine --depth=4", "./mine --depth=4"),
            ("Mine=external:./mine --depth=4", "Mine"),
            ("external-gomocup:./pbrain-mine", "external-gomocup:./pbrain-mine"),
            ("Mine=external-gomocup:./pbrain-mine -v", "Mine"),
        ] {
            let contestant: Contestant = text.parse().unwrap();
            assert_eq!(contestant.name, if name.starts_with('.') { text } else { name });
            let protocol = if text.contains("gomocup") { Protocol::Gomocup } else { Protocol::Ugi };
            let is_external = matches!(contestant.kind, Kind::External { protocol: p, .. } if p == protocol);
            assert_eq!(is_external, text.contains("external"));
            assert_eq!(contestant.to_string(), text);
        }
    }

    #[test]
    fn the_protocol_of_the_gomocup_is_for_gomoku() {
        let brain: Contestant = "external-gomocup:./brain".parse().unwrap();
        let check = |spec: &str| brain.check(&AnyGame::from(spec.parse::<Spec>().unwrap()));
        assert_eq!([check("gomoku"), check("gomoku:5x25x5")], [Ok(()), Ok(())]);
        for spec in ["connect-four", "gomoku:6x6x4", "gomoku:9x9x6"] {
            let error = check(spec).unwrap_err().to_string();
            assert!(error.starts_with("external-gomocup:COMMAND plays only Gomoku with five"), "{error}");
        }
    }

    #[test]
    fn a_name_without_a_player_is_rejected() {
        for text in ["", "=", "X=", "external:", "external-gomocup: ", "=smart:5", "a\tb=smart:5"] {
            assert!(text.parse::<Contestant>().is_err(), "{text}");
        }
    }
}
