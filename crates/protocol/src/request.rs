//! What clients ask for. Over Socket.IO the name of the event is the name of the variant; a [`Command`]
//! names its table beside its own fields. Over HTTP a command is posted to the table's address.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{Code, Refusal, Seek};

/// What a client asks of the server: `join`, `seek` …
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Request {
    /// To see a table, as a player or not.
    Join {
        /// Which.
        table: String,
        /// The last version that was seen: only what came after it is wanted.
        #[serde(default)]
        seen: Option<u64>,
        /// Whether to send the board and the legal moves after each move.
        #[serde(default)]
        view: bool,
    },
    /// To see it no longer.
    Leave {
        /// Which.
        table: String,
    },
    /// To hear by `info` what the program at this table thinks, or no longer.
    Think {
        /// Which.
        table: String,
        /// Whether to send `info`.
        on: bool,
    },
    /// To look for somebody to play with; `paired` follows.
    Seek(Seek),
    /// Not to look any more.
    CancelSeek {},
    /// To analyse a position; `info` follows until `stop-analysis`.
    Analyse {
        /// The game.
        game: String,
        /// Where it begins.
        #[serde(default)]
        position: Option<String>,
        /// The moves from there, separated by spaces.
        #[serde(default)]
        moves: String,
        /// How many lines.
        #[serde(default = "one")]
        lines: usize,
    },
    /// Not to analyse any more.
    StopAnalysis {},
}

/// What somebody does at a table: `make-move`, `resign` …
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Command {
    /// Makes a move.
    MakeMove {
        /// The number of the move, from 1: a move sent twice is made once.
        ply: u32,
        /// As it is written.
        #[serde(rename = "move")]
        text: String,
        /// How long the way to the server takes, as the client measured it.
        #[serde(default)]
        lag_ms: u64,
        /// The version of the table that the client knew, if it says: a move that was thought of before others were
        /// taken back is refused.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seen: Option<u64>,
    },
    /// Takes the open seat.
    Sit {},
    /// Gives up; before both have moved the game is called off instead.
    Resign {},
    /// Offers a draw, or accepts the one offered.
    OfferDraw {},
    /// Declines the draw offered.
    DeclineDraw {},
    /// Takes the own last move back, asks for it, or grants it.
    TakeBack {},
    /// Does not let the other take back.
    DeclineTakeBack {},
    /// Takes the game when the other side has been gone for long enough.
    Claim {
        /// What for.
        result: Claim,
    },
    /// Offers another game with sides exchanged, or accepts it.
    Rematch {},
    /// Says something.
    Chat {
        /// What.
        text: String,
    },
    /// Changes how fast programs play among themselves.
    Pace {
        /// Whether they wait.
        paused: bool,
        /// The least time for a move.
        delay_ms: u64,
    },
    /// Lets programs that wait make one move.
    Step {},
}

/// What may be claimed from somebody who is gone.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Claim {
    /// The game.
    Win,
    /// Half of it.
    Draw,
}

fn one() -> usize {
    1
}

impl Request {
    /// The names of all requests.
    pub const NAMES: [&'static str; 7] =
        ["join", "leave", "think", "seek", "cancel-seek", "analyse", "stop-analysis"];

    /// Reads a request.
    ///
    /// # Errors
    /// If it makes no sense.
    pub fn read(name: &str, data: Value) -> Result<Self, Refusal> {
        read(name, data)
    }
}

impl Command {
    /// The names of all commands.
    pub const NAMES: [&'static str; 12] = [
        "make-move",
        "sit",
        "resign",
        "offer-draw",
        "decline-draw",
        "take-back",
        "decline-take-back",
        "claim",
        "rematch",
        "chat",
        "pace",
        "step",
    ];

    /// Reads a command that names its table, as sent over a socket.
    ///
    /// # Errors
    /// If it makes no sense.
    pub fn read_with_table(name: &str, mut data: Value) -> Result<(String, Self), Refusal> {
        let Some(Value::String(table)) = data.as_object_mut().and_then(|fields| fields.remove("table"))
        else {
            return Err(Code::BadMessage.because("the message names no table"));
        };
        Ok((table, Self::read(name, data)?))
    }

    /// Reads a command.
    ///
    /// # Errors
    /// If it makes no sense.
    pub fn read(name: &str, data: Value) -> Result<Self, Refusal> {
        read(name, data)
    }
}

fn read<T: for<'de> Deserialize<'de>>(name: &str, data: Value) -> Result<T, Refusal> {
    let message = Value::Object(Map::from_iter([(name.to_owned(), data)]));
    serde_json::from_value(message).map_err(|error| Code::BadMessage.because(error.to_string()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_name_is_known() {
        let unknown = |refusal: &Refusal| refusal.message.contains("unknown variant");
        for name in Request::NAMES {
            assert!(!Request::read(name, json!(7)).is_err_and(|refusal| unknown(&refusal)), "{name}");
        }
        for name in Command::NAMES {
            assert!(!Command::read(name, json!(7)).is_err_and(|refusal| unknown(&refusal)), "{name}");
        }
        assert!(Command::read("win", json!({})).is_err_and(|refusal| unknown(&refusal)));
    }

    #[test]
    fn a_command_names_its_table() {
        let (table, command) =
            Command::read_with_table("make-move", json!({"table": "t", "ply": 3, "move": "4"})).unwrap();
        assert_eq!(table, "t");
        assert_eq!(command, Command::MakeMove { ply: 3, text: "4".to_owned(), lag_ms: 0, seen: None });
        for data in [json!(null), json!({}), json!({"table": 3}), json!({"table": "t", "rows": 3})] {
            assert_eq!(Command::read_with_table("resign", data).unwrap_err().code, Code::BadMessage);
        }
    }
}
