//! The state of a table, for clients that join it.

use rules::{Choice, Side, View};
use serde::{Deserialize, Serialize};

use crate::{Chat, Clocks, EndReason, Occupant, RatingChange, Settings, Thought};

/// A table at a version.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(optional_fields))]
pub struct Snapshot {
    /// The id of the table.
    pub table: String,
    /// The version of the table.
    pub v: u64,
    /// What is fixed.
    pub settings: Settings,
    /// The occupants of both seats: first, second.
    pub seats: [Occupant; 2],
    /// The sides that the receiver plays.
    pub you: Vec<Side>,
    /// Whether the receiver created the table.
    pub is_creator: bool,
    /// Whether it is open, playing or ended.
    pub status: Status,
    /// All moves.
    pub moves: Vec<PlayedMove>,
    /// The clocks, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clocks: Option<Clocks>,
    /// Offers that wait for an answer.
    pub offers: Offers,
    /// How the game ended, if it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<GameResult>,
    /// The table of the rematch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rematch: Option<String>,
    /// The latest chat messages.
    pub chat: Vec<Chat>,
    /// The pace of a game between two programs.
    pub pace: Pace,
    /// The short code of the table while a seat is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// Who is connected.
    pub presence: Presence,
    /// The board.
    pub view: View,
    /// The legal moves; none while the game is not being played.
    pub legal: Vec<Choice>,
}

/// Whether a table is open, playing or ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// A seat is open.
    Open,
    /// The game is being played.
    Playing,
    /// The game is over.
    Ended,
}

/// A move that was played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(optional_fields))]
pub struct PlayedMove {
    /// The move as text.
    #[serde(rename = "move")]
    pub text: String,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// The remaining time of first and second after the move, if there are clocks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_ms: Option<[u64; 2]>,
    /// Why a program made this move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thought: Option<Box<Thought>>,
}

/// Offers that wait for an answer: the side that made each.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(optional_fields))]
pub struct Offers {
    /// A draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<Side>,
    /// To take the last move back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub take_back: Option<Side>,
    /// A rematch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rematch: Option<Side>,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(optional_fields))]
pub struct GameResult {
    /// The winner; null for a draw or an aborted game.
    #[cfg_attr(feature = "schema", schema(required), ts(optional = false))]
    pub winner: Option<Side>,
    /// Why the game ended.
    pub reason: EndReason,
    /// How the ratings of first and second changed, if the game was rated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratings: Option<[Option<RatingChange>; 2]>,
}

/// The pace of a game between two programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct Pace {
    /// Whether they are paused.
    pub paused: bool,
    /// Minimum time for a move.
    pub delay_ms: u64,
}

/// Who is connected to a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct Presence {
    /// Whether first and second are connected; programs always are.
    pub here: [bool; 2],
    /// For first and second: the milliseconds until the opponent may claim the game; null while the player is
    /// connected.
    pub claim_ms: [Option<u64>; 2],
    /// The number of spectators.
    pub watching: usize,
}
