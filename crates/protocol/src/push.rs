//! Messages that the server sends without being asked.

use rules::{Choice, Side, View};
use serde::{Deserialize, Serialize};

use crate::{Announcement, ApiError, Assessment, Clocks, Event, Presence, Snapshot, Thought, TournamentView};

/// A message from the server over Socket.IO; the name of the variant is the name of the event.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Push {
    /// A move was made at a table.
    MoveMade(Box<MoveMade>),
    /// Another event happened at a table.
    TableEvent(Box<TableEvent>),
    /// The people at a table changed.
    Presence(PresenceChanged),
    /// The assessment of an analysed position, or of the position at a followed table.
    Assessment(Assessment),
    /// An analysis failed.
    AnalysisEnded(ApiError),
    /// The state of a followed tournament, first and after each change.
    Tournament(Box<TournamentView>),
    /// An opponent was found.
    Paired(Paired),
    /// The search for an opponent ended without one.
    SeekEnded(ApiError),
    /// The host has a message to all players.
    Announcement(Announcement),
    /// The server is shutting down; clients should reconnect.
    Closing(()),
}

/// A line of `GET /api/tables/{table}/events`: first `snapshot` or `missed`, then the updates.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum TableStreamLine {
    /// The state of the table.
    Snapshot(Box<Snapshot>),
    /// The updates after the version that the client has seen.
    Missed(Vec<TableUpdate>),
    /// A move was made.
    MoveMade(Box<MoveMade>),
    /// Another event happened.
    TableEvent(Box<TableEvent>),
}

/// `move-made`: a move was made at a table.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(optional_fields))]
pub struct MoveMade {
    /// The id of the table.
    pub table: String,
    /// The version of the table with this move.
    pub v: u64,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// The number of the move, from 1.
    pub ply: u32,
    /// The side that moved.
    pub side: Side,
    /// The move as text.
    #[serde(rename = "move")]
    pub text: String,
    /// The clocks, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clocks: Option<Clocks>,
    /// Why a program made this move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thought: Option<Box<Thought>>,
    /// The board after the move, for clients that joined with `view`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view: Option<Box<View>>,
    /// The legal moves after it, together with the board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub legal: Option<Vec<Choice>>,
}

/// `table-event`: an event other than a move.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(optional_fields))]
pub struct TableEvent {
    /// The id of the table.
    pub table: String,
    /// The version of the table with this event.
    pub v: u64,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// The event.
    pub event: Event,
    /// The clocks, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clocks: Option<Clocks>,
    /// The board, if it changed, for clients that joined with `view`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view: Option<Box<View>>,
    /// The legal moves, together with the board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub legal: Option<Vec<Choice>>,
}

/// A change of a table, as listed for clients that reconnect.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(untagged)]
pub enum TableUpdate {
    /// Sent as `move-made`.
    Move(Box<MoveMade>),
    /// Sent as `table-event`.
    Event(Box<TableEvent>),
}

/// `presence`: the people at a table changed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct PresenceChanged {
    /// The id of the table.
    pub table: String,
    /// Who is connected.
    #[serde(flatten)]
    pub presence: Presence,
}

/// `paired`: an opponent was found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct Paired {
    /// The id of the table of the game.
    pub table: String,
}
