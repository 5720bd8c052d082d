//! The answer of an external engine, whatever its protocol.

use std::time::Duration;

/// The answer of an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The move, checked to be legal.
    pub chosen: String,
    /// The last search information it sent.
    pub info: Info,
    /// The time used.
    pub time: Duration,
}

/// Search information from `info` lines.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Info {
    /// Depth reached, in plies.
    pub depth: Option<u32>,
    /// Score for the side to move, in the engine's unit.
    pub score: Option<i64>,
    /// The winner's own moves to a forced win, negative if the side to move loses.
    pub mate: Option<i64>,
    /// The deepest line searched, in plies.
    pub seldepth: Option<u32>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Nodes per second.
    pub nps: Option<u64>,
    /// Time of the search by the engine's own clock.
    pub time_ms: Option<u64>,
    /// The principal variation.
    pub line: Vec<String>,
}
