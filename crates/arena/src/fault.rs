//! Faults that forfeit a game, with their reasons.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Why a player forfeited a game.
#[derive(Clone, PartialEq, Eq, Debug, Error, Serialize, Deserialize)]
#[serde(tag = "fault", rename_all = "kebab-case")]
pub enum Fault {
    /// The engine did not complete the handshake.
    #[error("does not start: {reason}")]
    NoStart {
        /// Its exit status, or the timeout.
        reason: String,
    },
    /// The engine exited during a game.
    #[error("crashed: {status}")]
    Crash {
        /// Its exit status.
        status: String,
    },
    /// The engine did not answer before the timeout.
    #[error("hangs: no {awaited} within {waited_ms} ms")]
    Hang {
        /// The expected line.
        awaited: String,
        /// The timeout.
        waited_ms: u64,
    },
    /// The engine did not answer `stop` after its time was up.
    #[error("ignores stop: no bestmove within {waited_ms} ms after its time of {allowed_ms} ms")]
    IgnoresStop {
        /// The time for the move.
        allowed_ms: u64,
        /// The additional time to answer `stop`.
        waited_ms: u64,
    },
    /// The move came too late.
    #[error(
        "too slow: {used_ms} ms for a move; the limit is {allowed_ms} ms plus a margin of {margin_ms} ms"
    )]
    TooSlow {
        /// The time used.
        used_ms: u64,
        /// The limit.
        allowed_ms: u64,
        /// The tolerance beyond the limit.
        margin_ms: u64,
    },
    /// The move is illegal.
    #[error("illegal move {played}: {reason}")]
    IllegalMove {
        /// The move.
        played: String,
        /// Why it is illegal.
        reason: String,
    },
    /// The line with the move cannot be parsed.
    #[error("malformed answer “{line}”; expected {expected}")]
    Malformed {
        /// The line.
        line: String,
        /// The form of the answer; journals of version 0.2 do not have it.
        #[serde(default = "bestmove")]
        expected: String,
    },
    /// The engine's processes exceeded the memory limit.
    #[error("too much memory: used {used_mb} MiB of {limit_mb}")]
    Memory {
        /// Resident memory of all its processes, in mebibytes.
        used_mb: u64,
        /// The limit.
        limit_mb: u64,
    },
    /// The engine exceeded the output limit.
    #[error("floods its output: {reason}")]
    Flood {
        /// Which limit was exceeded.
        reason: String,
    },
}

/// The form of an answer in UGI.
pub(crate) fn bestmove() -> String {
    "“bestmove” and one move".to_owned()
}

impl Fault {
    /// Whether the engine itself failed, rather than its move.
    #[must_use]
    pub const fn is_crash(&self) -> bool {
        matches!(self, Self::NoStart { .. } | Self::Crash { .. } | Self::Hang { .. } | Self::Memory { .. })
    }

    /// A short name of the kind, for tables.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::NoStart { .. } => "no start",
            Self::Crash { .. } => "crash",
            Self::Hang { .. } => "hang",
            Self::IgnoresStop { .. } => "ignores stop",
            Self::TooSlow { .. } => "too slow",
            Self::IllegalMove { .. } => "illegal move",
            Self::Malformed { .. } => "malformed answer",
            Self::Memory { .. } => "memory",
            Self::Flood { .. } => "flood",
        }
    }
}

/// Why a player returned no move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// The run was cancelled.
    Stopped,
    /// The player committed a fault.
    Fault(Fault),
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}
