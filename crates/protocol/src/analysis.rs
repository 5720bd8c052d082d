//! Replays, analyses and reviews of games that need no table.

use players::Reason;
use rules::{AnyGame, Choice, View};
use serde::{Deserialize, Serialize};

/// A game as it was played: the body of `POST /api/position` and `POST /api/review`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(optional_fields))]
#[serde(deny_unknown_fields)]
pub struct GameRecord {
    /// The game, such as `connect-four`.
    pub game: String,
    /// The initial position, if it is not the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// The moves from there, separated by spaces.
    #[serde(default)]
    pub moves: String,
    /// The number of moves to skip in the response.
    #[serde(default)]
    #[cfg_attr(feature = "schema", ts(as = "Option<u32>"))]
    pub from: u32,
}

/// The positions of a game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct Replay {
    /// The full name of the game, such as `connect-four:6x7x4`.
    pub game: String,
    /// The number of moves.
    pub moves: u32,
    /// The position before the first requested move, then one position for each move. A response is bounded; on large
    /// boards request the rest with `from`.
    pub plies: Vec<ReplayStep>,
}

/// The position after some moves of a game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(optional_fields))]
pub struct ReplayStep {
    /// The number of moves made.
    pub ply: u32,
    /// The last move as text.
    #[serde(rename = "move", default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The position in its written form.
    pub position: String,
    /// The board.
    pub view: View,
    /// The legal moves.
    pub legal: Vec<Choice>,
}

/// A position to be analysed: the body of `POST /api/analysis`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(optional_fields))]
#[serde(deny_unknown_fields)]
pub struct AnalysisRequest {
    /// The game, such as `connect-four`.
    pub game: String,
    /// The initial position, if it is not the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// The moves from there, separated by spaces.
    #[serde(default)]
    pub moves: String,
    /// The number of best moves with a line, up to five.
    #[serde(default = "three")]
    #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 5), ts(as = "Option<u32>"))]
    pub lines: u32,
    /// The time for the search, up to two seconds.
    #[serde(default = "one_second")]
    #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 2000), ts(as = "Option<u32>"))]
    pub time_ms: u32,
}

fn three() -> u32 {
    3
}

fn one_second() -> u32 {
    1_000
}

/// `assessment`: what is known about a position. Screens derive the best move, the best lines, the results of all
/// columns, the expected result and the reasons from it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(optional_fields))]
pub struct Assessment {
    /// The id of the table with this position, if the client follows a table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// The number of moves made in the position.
    pub ply: u32,
    /// What is known.
    #[serde(flatten)]
    pub known: study::assessment::Assessment,
    /// Whether this is the last message of this search.
    #[serde(default)]
    pub done: bool,
    /// With the last message: why the best move is best.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasons: Option<Vec<Reason>>,
}

impl Assessment {
    /// A message about a position; others follow.
    #[must_use]
    pub fn new(game: &AnyGame, known: study::assessment::Assessment) -> Self {
        Self { table: None, ply: game.moves().len() as u32, known, done: false, reasons: None }
    }

    /// The last message about a position, with the reasons.
    #[must_use]
    pub fn last(game: &AnyGame, known: study::assessment::Assessment) -> Self {
        Self { done: true, reasons: Some(known.reasons(game)), ..Self::new(game, known) }
    }
}
