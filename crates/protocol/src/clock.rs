//! Time controls and clocks.

use serde::{Deserialize, Serialize};

/// The time control of a table. A side's clock starts with its second move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Clock {
    /// No time limit.
    #[default]
    None,
    /// Time for the whole game, with an increment after each move.
    Game {
        /// The initial time.
        initial_ms: u64,
        /// The increment.
        increment_ms: u64,
    },
    /// A fixed time for every move.
    Move {
        /// For one move.
        ms: u64,
    },
    /// Days for every move.
    Correspondence {
        /// For one move.
        days: u64,
    },
}

/// Each kind of clock has its own ratings.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ClockKind {
    /// No clock.
    Untimed,
    /// A game of less than five minutes.
    Fast,
    /// A longer game.
    Slow,
    /// Days for each move.
    Correspondence,
}

/// The clocks of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(optional_fields))]
pub struct Clocks {
    /// The remaining time of first and second in milliseconds when the message was sent.
    pub left_ms: [u64; 2],
    /// The side whose clock runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub running: Option<rules::Side>,
}

const MINUTE: u64 = 60_000;
const DAY: u64 = 24 * 60 * MINUTE;

impl Clock {
    /// The number of moves of a side in a game, to estimate its length.
    const MOVES: u64 = 20;

    /// The bounds that [`Clock::is_valid`] checks, for error messages.
    pub const BOUNDS: &'static str = "1 s to 180 min per game with at most 3 min per move added, 0.5 s to 60 min per move, or 1 to 14 days per move";

    /// Whether the times are within the allowed bounds.
    #[must_use]
    pub fn is_valid(self) -> bool {
        match self {
            Self::None => true,
            Self::Game { initial_ms, increment_ms } => {
                (1_000..=180 * MINUTE).contains(&initial_ms) && increment_ms <= 3 * MINUTE
            }
            Self::Move { ms } => (500..=60 * MINUTE).contains(&ms),
            Self::Correspondence { days } => (1..=14).contains(&days),
        }
    }

    /// The time of a side at the beginning.
    #[must_use]
    pub fn initial_ms(self) -> Option<u64> {
        match self {
            Self::None => None,
            Self::Game { initial_ms, .. } => Some(initial_ms),
            Self::Move { ms } => Some(ms),
            Self::Correspondence { days } => Some(days * DAY),
        }
    }

    /// The remaining time of a side after a move that took `used_ms`.
    #[must_use]
    pub fn after_move(self, left_ms: u64, used_ms: u64) -> u64 {
        match self {
            Self::Game { increment_ms, .. } => left_ms.saturating_sub(used_ms) + increment_ms,
            _ => self.initial_ms().unwrap_or(left_ms),
        }
    }

    /// The kind of time control, for ratings.
    #[must_use]
    pub fn kind(self) -> ClockKind {
        let expected = match self {
            Self::None => return ClockKind::Untimed,
            Self::Correspondence { .. } => return ClockKind::Correspondence,
            Self::Game { initial_ms, increment_ms } => 2 * (initial_ms + Self::MOVES * increment_ms),
            Self::Move { ms } => 2 * Self::MOVES * ms,
        };
        if expected < 5 * MINUTE { ClockKind::Fast } else { ClockKind::Slow }
    }
}

impl ClockKind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Untimed, Self::Fast, Self::Slow, Self::Correspondence];

    /// The kind as text.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Untimed => "untimed",
            Self::Fast => "fast",
            Self::Slow => "slow",
            Self::Correspondence => "correspondence",
        }
    }
}
