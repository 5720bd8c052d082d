//! What a player may use: time, depth and nodes by the protocol; memory and processor time by the system.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::ugi::{Go, SideClock, duration};

/// The limits of a game, the same for both sides.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// Time for one move, in milliseconds.
    pub movetime_ms: Option<u64>,
    /// Time for all moves of a game, in milliseconds.
    pub time_ms: Option<u64>,
    /// What each move adds to the time for all, in milliseconds.
    pub increment_ms: u64,
    /// Moves to look ahead; only engines heed it, players of ours have it in their name.
    pub depth: Option<u32>,
    /// Positions to look at; only engines heed it.
    pub nodes: Option<u64>,
    /// How much later than allowed a move may come, in milliseconds.
    pub margin_ms: u64,
    /// After this many milliseconds without a sign of life an engine is taken for hung where no other
    /// time is set: at its start, between games, and with fixed depth or nodes.
    pub patience_ms: u64,
    /// How much memory an engine may ask the system for, in mebibytes.
    pub memory_mb: Option<u64>,
    /// How much processor time an engine may use from its start to its end, in seconds.
    pub cpu_s: Option<u64>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            movetime_ms: None,
            time_ms: None,
            increment_ms: 0,
            depth: None,
            nodes: None,
            margin_ms: 100,
            patience_ms: 10_000,
            memory_mb: None,
            cpu_s: None,
        }
    }
}

impl Limits {
    /// As much for each move, without anything else.
    #[must_use]
    pub fn per_move(movetime_ms: u64) -> Self {
        Self { movetime_ms: Some(movetime_ms), ..Self::default() }
    }

    pub(crate) fn margin(&self) -> Duration {
        duration(self.margin_ms)
    }

    pub(crate) fn patience(&self) -> Duration {
        duration(self.patience_ms)
    }

    /// The clocks at the start of a game.
    pub(crate) fn clocks(&self) -> Option<[SideClock; 2]> {
        let left = duration(self.time_ms?);
        Some([SideClock { left, increment: duration(self.increment_ms) }; 2])
    }

    /// What an engine is told, the clocks standing so.
    #[must_use]
    pub fn go(&self, clock: Option<[SideClock; 2]>) -> Go {
        let movetime = self.movetime_ms.map(duration);
        let go = Go { movetime, depth: self.depth, nodes: self.nodes, clock };
        // Told nothing, an engine would think for ever.
        if go == Go::default() { Go { movetime: Some(Duration::from_secs(1)), ..go } } else { go }
    }
}
