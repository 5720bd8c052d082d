//! Looking at positions without a table.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::{Info, Proven};

/// Where a game began and what was played: `POST /api/position`, `POST /api/review`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GameRecord {
    /// Such as `connect-four`.
    pub game: String,
    /// Where it begins, if not at the usual start.
    #[serde(default)]
    pub position: Option<String>,
    /// The moves from there, separated by spaces.
    #[serde(default)]
    pub moves: String,
    /// After how many moves to begin the answer.
    #[serde(default)]
    pub from: u32,
}

/// What a game looked like after each move.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Replay {
    /// The game in full, such as `connect-four:6x7x4`.
    pub game: String,
    /// How many moves there are.
    pub moves: u32,
    /// The start (or the position that was asked for first) and what followed; on large boards not all at
    /// once, then the rest is asked for with `from`.
    pub plies: Vec<ReplayStep>,
}

/// What a game looked like after some moves.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ReplayStep {
    /// How many moves were made.
    pub ply: u32,
    /// The last of them, as it is written.
    #[serde(rename = "move", default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The position, written down.
    pub position: String,
    /// The board.
    pub view: Value,
    /// The legal moves with the cells they touch.
    pub legal: Value,
}

/// What is to be analysed: `POST /api/analysis`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AnalysisRequest {
    /// Such as `connect-four`.
    pub game: String,
    /// Where it begins, if not at the usual start.
    #[serde(default)]
    pub position: Option<String>,
    /// The moves from there, separated by spaces.
    #[serde(default)]
    pub moves: String,
    /// How many of the best moves to tell, up to five.
    #[serde(default = "three")]
    #[schema(minimum = 1, maximum = 5)]
    pub lines: u32,
    /// For how long to think, up to two seconds.
    #[serde(default = "one_second")]
    #[schema(minimum = 1, maximum = 2000)]
    pub time_ms: u32,
}

fn three() -> u32 {
    3
}

fn one_second() -> u32 {
    1_000
}

/// What an analysis found.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Analysis {
    /// The best lines.
    pub info: Info,
    /// What our best player would do now, and why: `move`, `score`, `line`, `reasons` … None if the game is over.
    pub thought: Value,
    /// Connect Four, where it could be solved in time: the certain result of every column, none for a full one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub columns: Option<Vec<Option<Proven>>>,
}

/// What each move of a game gave away.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Review {
    /// The game in full, such as `connect-four:6x7x4`.
    pub game: String,
    /// Every move: `number`, `side`, `played` and `best` (lines as in an analysis), `loss` (0 to 2), `mark`
    /// (`inaccuracy`, `mistake`, `blunder`, `missed-win`) and `chance` of the first player after it (−1 to 1).
    pub moves: Value,
}
