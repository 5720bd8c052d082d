//! What the server sends by itself.

use rules::Side;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::{Clocks, Event, Presence, SideSchema};

/// `move-made`: somebody has moved.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct MoveMade {
    /// At which table.
    pub table: String,
    /// The version of the table with this move.
    pub v: u64,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// The number of the move, from 1.
    pub ply: u32,
    /// Who moved.
    #[schema(value_type = SideSchema)]
    pub side: Side,
    /// As it is written.
    #[serde(rename = "move")]
    pub text: String,
    /// What the clocks show, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clocks: Option<Clocks>,
    /// Why a program moved so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thought: Option<Value>,
    /// The board after it, for those who asked for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view: Option<Value>,
    /// The legal moves after it, for those who asked for the board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub legal: Option<Value>,
}

/// `table-event`: something else has happened.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct TableEvent {
    /// At which table.
    pub table: String,
    /// The version of the table with this event.
    pub v: u64,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// What.
    pub event: Event,
    /// What the clocks show, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clocks: Option<Clocks>,
    /// The board, if it changed, for those who asked for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view: Option<Value>,
    /// The legal moves, with the board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub legal: Option<Value>,
}

/// Either of them, as they are listed for those who come back.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum TableUpdate {
    /// Sent as `move-made`.
    Move(MoveMade),
    /// Sent as `table-event`.
    Event(TableEvent),
}

/// `presence`: who is at a table now.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct PresenceChanged {
    /// Which.
    pub table: String,
    /// Who.
    #[serde(flatten)]
    pub presence: Presence,
}

/// `info`: what a program thinks, or how an analysis goes.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Info {
    /// At which table; none for an analysis.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// After how many moves.
    pub ply: u32,
    /// How many moves ahead.
    pub depth: u32,
    /// How many positions were looked at.
    pub nodes: u64,
    /// For how long.
    pub time_ms: u64,
    /// The best lines, the best first.
    pub lines: Vec<InfoLine>,
    /// Whether there will be no more.
    #[serde(default)]
    pub done: bool,
    /// At the end: what our best player would do, and why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thought: Option<Value>,
}

/// A line of play.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct InfoLine {
    /// Points for the side to move.
    pub score: i64,
    /// From −1 (the rival wins) to 1.
    pub chance: f64,
    /// In how many moves it is proved to end, and how: `win`, `draw`, `loss` for the side to move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proven: Option<Proven>,
    /// The moves.
    pub moves: Vec<String>,
}

/// A result that is certain.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Proven {
    /// `win`, `draw` or `loss`.
    pub result: String,
    /// In how many moves.
    pub plies: u32,
}

/// `paired`: somebody to play with was found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Paired {
    /// The table of the game.
    pub table: String,
}
