//! What clients ask for. Over Socket.IO the name of the event is the name of the variant; a [`Command`]
//! names its table beside its own fields. Over HTTP a command is posted to the table's address.

use serde::{Deserialize, Serialize};

use crate::{ApiError, ErrorCode, Seek, named};

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

    /// Reads a request from its name and the JSON of its fields.
    ///
    /// # Errors
    /// If it makes no sense.
    pub fn read(name: &str, fields: &str) -> Result<Self, ApiError> {
        named::read(name, fields).map_err(bad)
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

    /// Reads a command from its name and the JSON of its fields, which name its table, as sent over a socket.
    ///
    /// # Errors
    /// If it makes no sense.
    pub fn read_with_table(name: &str, fields: &str) -> Result<(String, Self), ApiError> {
        let (table, command) = named::read_with_table(name, fields).map_err(bad)?;
        Ok((table.ok_or_else(|| ErrorCode::BadMessage.because("the message names no table"))?, command))
    }

    /// Reads a command from its name and the JSON of its fields.
    ///
    /// # Errors
    /// If it makes no sense.
    pub fn read(name: &str, fields: &str) -> Result<Self, ApiError> {
        named::read(name, fields).map_err(bad)
    }
}

fn bad(error: serde_json::Error) -> ApiError {
    ErrorCode::BadMessage.because(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_known() {
        let unknown = |refusal: &ApiError| refusal.message.contains("unknown variant");
        for name in Request::NAMES {
            assert!(!Request::read(name, "7").is_err_and(|refusal| unknown(&refusal)), "{name}");
        }
        for name in Command::NAMES {
            assert!(!Command::read(name, "7").is_err_and(|refusal| unknown(&refusal)), "{name}");
        }
        assert!(Command::read("win", "{}").is_err_and(|refusal| unknown(&refusal)));
    }

    #[test]
    fn a_command_names_its_table() {
        let made = Command::MakeMove { ply: 3, text: "4".to_owned(), lag_ms: 0, seen: None };
        for fields in [
            r#"{"table": "t", "ply": 3, "move": "4"}"#,
            r#"{"ply": 3, "move": "4", "seen": null, "table": "t"}"#,
            r#"{"\u0074able": "\u0074", "move": "\u0034", "p\u006cy": 3}"#,
        ] {
            assert_eq!(
                Command::read_with_table("make-move", fields).unwrap(),
                ("t".to_owned(), made.clone())
            );
        }
        let table = r#""table": "t""#;
        for fields in [
            "null".to_owned(),
            "{}".to_owned(),
            r#"{"table": 3}"#.to_owned(),
            r#"["t"]"#.to_owned(),
            format!(r#"{{{table}, "rows": 3}}"#),
            format!("{{{table}, {table}}}"),
            format!("{{{table}}} {{}}"),
            format!("{{{table}"),
        ] {
            let refusal = Command::read_with_table("resign", &fields).unwrap_err();
            assert_eq!(refusal.code, ErrorCode::BadMessage, "{fields}");
        }
    }

    #[test]
    fn a_request_has_the_fields_of_its_name() {
        let join = Request::Join { table: "t".to_owned(), seen: Some(3), view: false };
        assert_eq!(Request::read("join", r#"{"table": "t", "seen": 3}"#).unwrap(), join);
        for (name, fields) in [("join", r#"["t", 3, false]"#), ("seek", "7"), ("leave", "{}"), ("sit", "{}")]
        {
            assert_eq!(
                Request::read(name, fields).unwrap_err().code,
                ErrorCode::BadMessage,
                "{name} {fields}"
            );
        }
    }
}
