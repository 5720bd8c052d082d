//! What clients ask for. Over Socket.IO the name of the event is the name of the variant; a [`Command`] names its table
//! beside its own fields. Over HTTP a command is posted to the table's address.

use serde::{Deserialize, Serialize};

use crate::{ApiError, ErrorCode, Seek, named};

/// A request to the server: `join`, `seek` …
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(optional_fields))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Request {
    /// Subscribes to a table, as a player or as a spectator.
    Join {
        /// The id of the table.
        table: String,
        /// The last version that the client has seen: only later updates are sent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seen: Option<u64>,
        /// Whether to send the board and the legal moves after each move.
        #[serde(default)]
        view: bool,
    },
    /// Unsubscribes from a table.
    Leave {
        /// The id of the table.
        table: String,
    },
    /// Starts or stops `info` messages about the program that thinks at a table.
    Think {
        /// The id of the table.
        table: String,
        /// Whether to send `info`.
        on: bool,
    },
    /// Follows a tournament: `tournament` sends its state now and after every change, until `leave-tournament`.
    WatchTournament {
        /// The id of the tournament.
        id: String,
    },
    /// Ends `watch-tournament`.
    LeaveTournament {
        /// The id of the tournament.
        id: String,
    },
    /// Searches for an opponent; `paired` follows.
    Seek(Seek),
    /// Ends the search for an opponent.
    CancelSeek {},
    /// Analyses a position; `info` follows until `stop-analysis`.
    Analyse {
        /// The game.
        game: String,
        /// The initial position, if it is not the usual one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        position: Option<String>,
        /// The moves from there, separated by spaces.
        #[serde(default)]
        moves: String,
        /// The number of lines.
        #[serde(default = "one")]
        lines: usize,
    },
    /// Ends the analysis.
    StopAnalysis {},
}

/// A command at a table: `make-move`, `resign` …
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(optional_fields))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Command {
    /// Makes a move.
    MakeMove {
        /// The number of the move, from 1: a move sent twice is made once.
        ply: u32,
        /// The move as text.
        #[serde(rename = "move")]
        text: String,
        /// The network lag in milliseconds as the client measured it.
        #[serde(default)]
        #[cfg_attr(feature = "schema", ts(as = "Option<u64>"))]
        lag_ms: u64,
        /// The latest version of the table that the client knew, if given. A move chosen before a takeback is then
        /// rejected.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seen: Option<u64>,
    },
    /// Takes the open seat.
    Sit {},
    /// Resigns; before both sides have moved the game is aborted instead. Declines a challenge.
    Resign {},
    /// Offers a draw, or accepts the one offered.
    OfferDraw {},
    /// Declines the draw offered.
    DeclineDraw {},
    /// Takes your last move back, requests that, or agrees to the opponent's request.
    TakeBack {},
    /// Declines the opponent's request to take back.
    DeclineTakeBack {},
    /// Claims the game when the opponent has been disconnected for long enough.
    Claim {
        /// The result that is claimed.
        result: Claim,
    },
    /// Offers a rematch with sides exchanged, or accepts it.
    Rematch {},
    /// Sends a chat message.
    Chat {
        /// The message.
        text: String,
    },
    /// Changes the pace of a game between two programs.
    Pace {
        /// Whether they are paused.
        paused: bool,
        /// Minimum time for a move.
        delay_ms: u64,
    },
    /// Lets paused programs make one move.
    Step {},
}

/// The result that is claimed from an opponent who left.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Claim {
    /// A win.
    Win,
    /// A draw.
    Draw,
}

fn one() -> usize {
    1
}

impl Request {
    /// The names of all requests.
    pub const NAMES: [&'static str; 9] = [
        "join",
        "leave",
        "think",
        "watch-tournament",
        "leave-tournament",
        "seek",
        "cancel-seek",
        "analyse",
        "stop-analysis",
    ];

    /// Reads a request from its name and the JSON of its fields.
    ///
    /// # Errors
    /// If there is no such name or the fields do not fit.
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
    /// If there is no such name or the fields do not fit.
    pub fn read_with_table(name: &str, fields: &str) -> Result<(String, Self), ApiError> {
        let (table, command) = named::read_with_table(name, fields).map_err(bad)?;
        Ok((
            table.ok_or_else(|| ErrorCode::BadMessage.because("the message does not name a table"))?,
            command,
        ))
    }

    /// Reads a command from its name and the JSON of its fields.
    ///
    /// # Errors
    /// If there is no such name or the fields do not fit.
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
