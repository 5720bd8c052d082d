//! Replays, analyses and reviews of games that need no table.

use rules::Side;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Choice, Proven, SideSchema, Thought, View};

/// A game as it was played: the body of `POST /api/position` and `POST /api/review`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(deny_unknown_fields)]
pub struct GameRecord {
    /// Such as `connect-four`.
    pub game: String,
    /// The initial position, if it is not the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// The moves from there, separated by spaces.
    #[serde(default)]
    pub moves: String,
    /// The number of moves to skip in the response.
    #[serde(default)]
    #[cfg_attr(test, ts(as = "Option<u32>"))]
    pub from: u32,
}

/// The positions of a game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Replay {
    /// The full name of the game, such as `connect-four:6x7x4`.
    pub game: String,
    /// The number of moves.
    pub moves: u32,
    /// The position before the first move that was asked for, then one position for each move. A response is bounded;
    /// on large boards request the rest with `from`.
    pub plies: Vec<ReplayStep>,
}

/// The position after some moves of a game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
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
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(deny_unknown_fields)]
pub struct AnalysisRequest {
    /// Such as `connect-four`.
    pub game: String,
    /// The initial position, if it is not the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// The moves from there, separated by spaces.
    #[serde(default)]
    pub moves: String,
    /// The number of best moves to report, up to five.
    #[serde(default = "three")]
    #[schema(minimum = 1, maximum = 5)]
    #[cfg_attr(test, ts(as = "Option<u32>"))]
    pub lines: u32,
    /// The time for the search, up to two seconds.
    #[serde(default = "one_second")]
    #[schema(minimum = 1, maximum = 2000)]
    #[cfg_attr(test, ts(as = "Option<u32>"))]
    pub time_ms: u32,
}

fn three() -> u32 {
    3
}

fn one_second() -> u32 {
    1_000
}

/// The result of an analysis.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct Analysis {
    /// The best lines.
    pub info: Info,
    /// What the strongest player would do, and why; null if the game is over.
    #[schema(required)]
    #[cfg_attr(test, ts(optional = false))]
    pub thought: Option<Thought>,
    /// The proven result of every column, null for a full one, if the game is one of columns and could be solved in
    /// time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub columns: Option<Vec<Option<Proven>>>,
}

/// `info`: the progress of an analysis, or of a program that thinks at a table.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct Info {
    /// The id of the table; absent for an analysis.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// The number of moves made in the position.
    pub ply: u32,
    /// The depth of the search in plies.
    pub depth: u32,
    /// The number of positions searched.
    pub nodes: u64,
    /// The time taken.
    pub time_ms: u64,
    /// The best lines, best first.
    pub lines: Vec<InfoLine>,
    /// Whether this is the last message of this search.
    #[serde(default)]
    pub done: bool,
    /// With the last message: what the strongest player would do, and why; absent if the game is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thought: Option<Box<Thought>>,
}

/// A line of play with its value.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct InfoLine {
    /// Points for the side to move.
    pub score: i64,
    /// The expected result for the side to move, from −1 (loss) to 1 (win).
    pub chance: f64,
    /// The result for the side to move, if it is proven.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proven: Option<Proven>,
    /// The moves.
    pub moves: Vec<String>,
}

/// What each move of a game lost.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Review {
    /// The full name of the game, such as `connect-four:6x7x4`.
    pub game: String,
    /// Every move from the first one that was asked for.
    pub moves: Vec<ReviewedMove>,
}

/// A move of a game compared with the best one.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct ReviewedMove {
    /// The number of the move, from 1.
    pub number: u32,
    /// The side that played it.
    #[schema(value_type = SideSchema)]
    #[cfg_attr(test, ts(as = "SideSchema"))]
    pub side: Side,
    /// The move and its expected line.
    pub played: InfoLine,
    /// The best move and its expected line; the same if it was played.
    pub best: InfoLine,
    /// How much of its expected result the side lost: 0 nothing, 2 a win turned into a loss.
    pub loss: f64,
    /// How bad the move was, if it was bad.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<Mark>,
    /// The expected result of the first player after the move, from −1 (loss) to 1 (win).
    pub chance: f64,
}

/// How bad a move was.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// There was a better move.
    Inaccuracy,
    /// There was a clearly better move.
    Mistake,
    /// It may have cost the game.
    Blunder,
    /// It threw a proven win away.
    MissedWin,
}
