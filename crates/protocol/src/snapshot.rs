//! The whole state of a table, for those who come to it.

use rules::Side;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::{Chat, Clocks, EndReason, Occupant, RatingChange, Settings, SideSchema};

/// A table as it stands at a version.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Snapshot {
    /// Which table.
    pub table: String,
    /// The version that all this is of.
    pub v: u64,
    /// What is fixed.
    pub settings: Settings,
    /// Who sits where: first, second.
    pub seats: [Occupant; 2],
    /// The sides that the receiver plays.
    #[schema(value_type = Vec<SideSchema>)]
    pub you: Vec<Side>,
    /// Whether the receiver set it up.
    pub is_creator: bool,
    /// How far it is.
    pub status: Status,
    /// All moves.
    pub moves: Vec<PlayedMove>,
    /// What the clocks show, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clocks: Option<Clocks>,
    /// What waits for an answer.
    pub offers: Offers,
    /// How it ended, if it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<GameResult>,
    /// The next game of the same two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rematch: Option<String>,
    /// The latest words.
    pub chat: Vec<Chat>,
    /// How fast programs play among themselves.
    pub pace: Pace,
    /// The code that leads here while a seat is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// Who is here.
    pub presence: Presence,
    /// The board (`rows`, `cols`, `cells`, `hands`, `last`, `line`, `shape`, `turn`, `outcome`).
    pub view: Value,
    /// The legal moves with the cells they touch (`move`, `from`, `to`, `kind`).
    pub legal: Value,
}

/// How far a table is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// A seat is open.
    Open,
    /// The game goes on.
    Playing,
    /// It is over.
    Ended,
}

/// A move that was made.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct PlayedMove {
    /// As it is written.
    #[serde(rename = "move")]
    pub text: String,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// What both had left after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_ms: Option<[u64; 2]>,
    /// Why a program moved so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thought: Option<Value>,
}

/// What waits for an answer, and who asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct Offers {
    /// A draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<SideSchema>)]
    pub draw: Option<Side>,
    /// To take back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<SideSchema>)]
    pub take_back: Option<Side>,
    /// Another game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<SideSchema>)]
    pub rematch: Option<Side>,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct GameResult {
    /// Nobody: a draw, or no result if aborted.
    #[schema(value_type = Option<SideSchema>)]
    pub winner: Option<Side>,
    /// Why.
    pub reason: EndReason,
    /// How the ratings of first and second changed, if it was rated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratings: Option<[Option<RatingChange>; 2]>,
}

/// How fast programs play among themselves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Pace {
    /// Whether they wait.
    pub paused: bool,
    /// The least time for a move.
    pub delay_ms: u64,
}

/// Who is at a table now.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct Presence {
    /// Whether first and second are connected; programs always are.
    pub here: [bool; 2],
    /// After how many milliseconds the other side may claim the game, for those who are gone.
    pub claim_ms: [Option<u64>; 2],
    /// How many others look on.
    pub watching: usize,
}
