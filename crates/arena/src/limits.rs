//! Limits of a player: time, depth and nodes through the protocol; memory and CPU time through the operating system.

use std::time::Duration;

use rules::Side;
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
    /// Number of moves for which `time_ms` is given, and then given again; without it, it is for all moves of a game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<u32>,
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
            moves: None,
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
            SEARCH.iter().chain(&["moves"]).for_each(|name| drop(all.remove(*name)));
        }
        all.extend(own.clone());
        all.try_into().map_err(|error: toml::de::Error| error.message().to_owned())
    }

    /// The name of a limit within which no engine can move, if there is one.
    pub(crate) fn impossible(&self) -> Option<&'static str> {
        let limits = [
            ("movetime_ms", self.movetime_ms),
            ("depth", self.depth.map(u64::from)),
            ("nodes", self.nodes),
            ("memory_mb", self.memory_mb),
            ("cpu_s", self.cpu_s),
        ];
        limits.into_iter().find(|(_, limit)| *limit == Some(0)).map(|(name, _)| name)
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
    #[must_use]
    pub fn clock(&self) -> Option<SideClock> {
        let left = duration(self.time_ms?);
        Some(SideClock { left, increment: duration(self.increment_ms), moves_to_go: self.moves })
    }

    /// Deducts the time of a move from a clock, and adds what the side gets after it.
    pub(crate) fn charge(&self, clock: &mut SideClock, time: Duration) {
        clock.left = clock.left.saturating_sub(time) + clock.increment;
        if let Some(moves) = &mut clock.moves_to_go {
            *moves = moves.saturating_sub(1);
            if *moves == 0 {
                let Some(full) = self.clock() else { return };
                (clock.left, clock.moves_to_go) = (clock.left + full.left, full.moves_to_go);
            }
        }
    }

    /// The `go` command of a side for these clocks.
    #[must_use]
    pub fn go(&self, clock: Option<[SideClock; 2]>, side: Side) -> Go {
        let movetime = self.movetime_ms.map(duration);
        let moves_to_go = clock.and_then(|clock| clock[side.index()].moves_to_go);
        let go = Go { movetime, depth: self.depth, nodes: self.nodes, clock, moves_to_go, ..Go::default() };
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
        let by_clock = Limits { time_ms: Some(5), moves: Some(40), ..all.clone() };
        let replaced = by_clock.with(&toml::from_str("time_ms = 9").unwrap()).unwrap();
        assert_eq!((replaced.time_ms, replaced.moves), (Some(9), None));
        for wrong in ["nods = 5", "nodes = 'many'", "depth = -1"] {
            assert!(with(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn time_comes_again_after_the_moves_that_it_is_for() {
        let limits = Limits { time_ms: Some(1000), moves: Some(3), increment_ms: 10, ..Limits::default() };
        let mut clock = limits.clock().unwrap();
        let mut left = Vec::new();
        for _ in 0..4 {
            limits.charge(&mut clock, Duration::from_millis(110));
            left.push((clock.left.as_millis(), clock.moves_to_go));
        }
        assert_eq!(left, [(900, Some(2)), (800, Some(1)), (1700, Some(3)), (1600, Some(2))]);
        let go = limits.go(Some([clock; 2]), Side::First).to_string();
        assert_eq!(go, "go p1time 1600 p2time 1600 p1inc 10 p2inc 10 movestogo 2");
    }

    #[test]
    fn limits_of_version_0_2_are_written_as_they_were() {
        let limits = Limits { time_ms: Some(1000), ..Limits::default() };
        assert!(!serde_json::to_string(&limits).unwrap().contains("moves"));
    }
}
