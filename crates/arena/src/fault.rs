//! What a player can do wrong. Each costs it the game, and the reason is kept.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Why a player lost a game other than by the rules.
#[derive(Clone, PartialEq, Eq, Debug, Error, Serialize, Deserialize)]
#[serde(tag = "fault", rename_all = "kebab-case")]
pub enum Fault {
    /// It never said `ugiok`.
    #[error("does not start: {reason}")]
    NoStart {
        /// How it ended, or that it was silent.
        reason: String,
    },
    /// It ended in the middle of a game.
    #[error("crashed: {status}")]
    Crash {
        /// How it ended.
        status: String,
    },
    /// It said nothing for too long.
    #[error("hangs: no {awaited} within {waited_ms} ms")]
    Hang {
        /// The word it should have said.
        awaited: String,
        /// How long it had.
        waited_ms: u64,
    },
    /// It did not even answer to `stop` when its time was over.
    #[error("ignores stop: no bestmove {waited_ms} ms after its time of {allowed_ms} ms was over")]
    IgnoresStop {
        /// What it had for the move.
        allowed_ms: u64,
        /// How long it then had to answer.
        waited_ms: u64,
    },
    /// Its move came too late.
    #[error("too slow: {used_ms} ms for a move, allowed were {allowed_ms} ms and {margin_ms} ms of margin")]
    TooSlow {
        /// What it used.
        used_ms: u64,
        /// What it had.
        allowed_ms: u64,
        /// How much later it might have come.
        margin_ms: u64,
    },
    /// The rules do not allow its move.
    #[error("illegal move {played}: {reason}")]
    IllegalMove {
        /// What it played.
        played: String,
        /// The rule.
        reason: String,
    },
    /// It said something else where a move was expected.
    #[error("malformed answer “{line}”: “bestmove” and one move were expected")]
    Malformed {
        /// What it said.
        line: String,
    },
    /// It wrote more than anybody would read.
    #[error("floods its output: {reason}")]
    Flood {
        /// What was too much.
        reason: String,
    },
}

impl Fault {
    /// The kind in a word or two, for tables.
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
            Self::Flood { .. } => "flood",
        }
    }
}

/// Why a player gave no move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// The arena wanted to stop.
    Stopped,
    /// The player's fault.
    Fault(Fault),
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}
