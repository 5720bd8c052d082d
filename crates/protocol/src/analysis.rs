//! Replays, analyses and reviews of games that need no table.

use rules::Side;
use serde::{Deserialize, Serialize};

use crate::{Choice, Proven, Reason, View};

/// A game as it was played: the body of `POST /api/position` and `POST /api/review`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(optional_fields))]
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
    /// The position before the first move that was asked for, then one position for each move. A response is bounded;
    /// on large boards request the rest with `from`.
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
    /// Such as `connect-four`.
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

/// `assessment`: what is known about a position. The best move, the best lines, the results of all columns, the
/// expected result and the reasons are all read off it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(optional_fields))]
pub struct Assessment {
    /// The id of the table whose position it is, if it is followed there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// The number of moves made in the position.
    pub ply: u32,
    /// The moves, best first: every legal move where results are proven, otherwise at least as many as were asked for;
    /// those left out are not better than the last. Empty if the game is over.
    pub moves: Vec<AssessedMove>,
    /// The depth in plies to which estimates were searched; of proofs alone, the length of the longest.
    pub depth: u32,
    /// The number of positions searched.
    pub nodes: u64,
    /// The time taken.
    pub time_ms: u64,
    /// Whether everything is proven, so that nothing will change.
    #[serde(rename = "final")]
    pub is_final: bool,
    /// Whether this is the last message of this search.
    #[serde(default)]
    pub done: bool,
    /// With the last message: why the best move is best.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasons: Option<Vec<Reason>>,
}

/// A move with what is known about it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct AssessedMove {
    /// The move as text.
    #[serde(rename = "move")]
    pub text: String,
    /// What is known about it, for the side that plays it.
    pub verdict: Verdict,
    /// The expected line of play, beginning with the move.
    pub line: Vec<String>,
}

/// What is known about a move, for the side that plays it.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Verdict {
    /// The result is proven.
    Proven(Proven),
    /// The result is proven to lie between two others, and estimated.
    Between {
        /// Not worse than this.
        least: Proven,
        /// Not better than this.
        most: Proven,
        /// The estimate in points, within the bounds.
        score: i32,
        /// The same as an expected result, from −1 (loss) to 1 (win).
        chance: f64,
        /// The same in a word; absent in assessments of older versions.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", ts(optional))]
        advantage: Option<Advantage>,
    },
    /// The result is estimated by a search.
    Estimate {
        /// In points.
        score: i32,
        /// The same as an expected result, from −1 (loss) to 1 (win).
        chance: f64,
        /// The same in a word; absent in assessments of older versions.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "schema", ts(optional))]
        advantage: Option<Advantage>,
    },
}

/// How large an estimated advantage is; the sign of the chance says whose it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Advantage {
    /// Neither side is better.
    Even,
    /// One side is a little better.
    Slight,
    /// One side is better.
    Clear,
    /// One side is close to winning.
    Decisive,
}

/// A move of a game compared with the best one: a line of the response to `POST /api/review`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(optional_fields))]
pub struct ReviewedMove {
    /// The number of the move, from 1.
    pub number: u32,
    /// The side that played it.
    #[cfg_attr(feature = "schema", schema(value_type = crate::SideSchema), ts(as = "crate::SideSchema"))]
    pub side: Side,
    /// The move that was played.
    pub played: AssessedMove,
    /// The best move; the same if the one that was played is as good.
    pub best: AssessedMove,
    /// How much of its expected result the side lost: 0 nothing, 2 a win turned into a loss.
    pub loss: f64,
    /// What was wrong with the move, if anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<Mark>,
    /// What could have been better still about a move that keeps its result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remark: Option<Remark>,
    /// The expected result of the first player after the move, from −1 (loss) to 1 (win).
    pub chance: f64,
    /// The depth in plies to which both moves were searched, if they are estimates.
    pub depth: u32,
}

/// What was wrong with a move: the last two are proven, the others estimates.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// There was a better move.
    Inaccuracy,
    /// There was a clearly better move.
    Mistake,
    /// It may have cost the game.
    Blunder,
    /// It turns a draw into a loss.
    ThrowsDraw,
    /// It turns a win into a draw or a loss.
    ThrowsWin,
}

/// What could have been better about a move that keeps its result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Remark {
    /// It wins, but there was a quicker win.
    QuickerWin,
}
