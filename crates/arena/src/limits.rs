//! Limits of a player: time, depth and nodes through the protocol; memory and CPU time through the operating system.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::go::{Go, SideClock, duration};

/// The limits of a side.
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

/// Limits of one player that override the shared ones, by the field names of [`Limits`].
pub type OwnLimits = toml::Table;

/// Parses the limits of one player from text such as `movetime_ms=50,memory_mb=512`.
#[must_use]
pub fn read_own_limits(text: &str) -> Option<OwnLimits> {
    toml::from_str(&text.replace(',', "\n")).ok()
}

/// Limits of a search. A player that sets any of them ignores the shared ones.
const SEARCH: [&str; 4] = ["movetime_ms", "time_ms", "depth", "nodes"];

impl Limits {
    /// Returns these limits with some overridden, by field name.
    ///
    /// # Errors
    /// If a name is unknown or a value is invalid; the message says which.
    pub fn with(&self, own: &OwnLimits) -> Result<Self, String> {
        let mut all = toml::Table::try_from(self).map_err(|error| error.to_string())?;
        if SEARCH.iter().any(|name| own.contains_key(*name)) {
            SEARCH.iter().for_each(|name| drop(all.remove(*name)));
        }
        all.extend(own.clone());
        all.try_into().map_err(|error: toml::de::Error| error.message().to_owned())
    }

    /// Limits with only a time per move.
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

    /// The clock of a side at the start of a game.
    pub(crate) fn clock(&self) -> Option<SideClock> {
        let left = duration(self.time_ms?);
        Some(SideClock { left, increment: duration(self.increment_ms) })
    }

    /// The `go` command for these clocks.
    #[must_use]
    pub fn go(&self, clock: Option<[SideClock; 2]>) -> Go {
        let movetime = self.movetime_ms.map(duration);
        let go = Go { movetime, depth: self.depth, nodes: self.nodes, clock, ..Go::default() };
        // Without any limit an engine would search until `stop`.
        if go == Go::default() { Go { movetime: Some(Duration::from_secs(1)), ..go } } else { go }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_of_one_player_replace_those_of_all() {
        let all = Limits { margin_ms: 7, memory_mb: Some(64), ..Limits::per_move(100) };
        let with = |own: &str| all.with(&toml::from_str(own).unwrap());
        assert_eq!(with(""), Ok(all.clone()));
        assert_eq!(with("memory_mb = 9"), Ok(Limits { memory_mb: Some(9), ..all.clone() }));
        let by_nodes = Limits { movetime_ms: None, nodes: Some(5), ..all.clone() };
        assert_eq!(with("nodes = 5"), Ok(by_nodes));
        for wrong in ["nods = 5", "nodes = 'many'", "depth = -1"] {
            assert!(with(wrong).is_err(), "{wrong}");
        }
    }
}
