//! Limits of a player: time, depth and nodes by the protocol; memory and CPU time by the operating system.

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
    /// Increment per move, in milliseconds.
    pub increment_ms: u64,
    /// Search depth in plies; only for external engines, built-in players have it in their name.
    pub depth: Option<u32>,
    /// Nodes to search; only for external engines.
    pub nodes: Option<u64>,
    /// Tolerance beyond the time limit of a move, in milliseconds.
    pub margin_ms: u64,
    /// Milliseconds without output after which an engine counts as hung where no time limit applies: at its
    /// start, between games, and with fixed depth or nodes.
    #[serde(alias = "patience_ms")]
    pub timeout_ms: u64,
    /// Resident memory of an engine with all its processes, in mebibytes.
    pub memory_mb: Option<u64>,
    /// CPU time of an engine process over its lifetime, in seconds.
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
            timeout_ms: 10_000,
            memory_mb: None,
            cpu_s: None,
        }
    }
}

impl Limits {
    /// Only a time per move.
    #[must_use]
    pub fn per_move(movetime_ms: u64) -> Self {
        Self { movetime_ms: Some(movetime_ms), ..Self::default() }
    }

    pub(crate) fn margin(&self) -> Duration {
        duration(self.margin_ms)
    }

    pub(crate) fn timeout(&self) -> Duration {
        duration(self.timeout_ms)
    }

    /// The clocks at the start of a game.
    pub(crate) fn clocks(&self) -> Option<[SideClock; 2]> {
        let left = duration(self.time_ms?);
        Some([SideClock { left, increment: duration(self.increment_ms) }; 2])
    }

    /// The `go` command for these clocks.
    #[must_use]
    pub fn go(&self, clock: Option<[SideClock; 2]>) -> Go {
        let movetime = self.movetime_ms.map(duration);
        let go = Go { movetime, depth: self.depth, nodes: self.nodes, clock };
        // Without any limit an engine would search until `stop`.
        if go == Go::default() { Go { movetime: Some(Duration::from_secs(1)), ..go } } else { go }
    }
}
