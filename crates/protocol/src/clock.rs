//! How much time the players have.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::SideSchema;

/// The time control of a table. Clocks run from the second move of each side on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Clock {
    /// As long as they like.
    #[default]
    None,
    /// Time for the whole game, and some more after each move.
    Game {
        /// To begin with.
        initial_ms: u64,
        /// Added after each move.
        increment_ms: u64,
    },
    /// The same time for every move.
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

/// Ratings are kept apart by the kind of clock.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
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

/// What the clocks show.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Clocks {
    /// What is left for first and second, in milliseconds, at the moment of sending.
    pub left_ms: [u64; 2],
    /// Whose clock runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<SideSchema>)]
    pub running: Option<rules::Side>,
}

const MINUTE: u64 = 60_000;
const DAY: u64 = 24 * 60 * MINUTE;

impl Clock {
    /// How many moves a side makes in a game, to guess its length.
    const MOVES: u64 = 20;

    /// Whether the times are sane.
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

    /// What a side has to begin with.
    #[must_use]
    pub fn initial_ms(self) -> Option<u64> {
        match self {
            Self::None => None,
            Self::Game { initial_ms, .. } => Some(initial_ms),
            Self::Move { ms } => Some(ms),
            Self::Correspondence { days } => Some(days * DAY),
        }
    }

    /// What a side has left after a move that it began with `left` and thought `used` about.
    #[must_use]
    pub fn after_move(self, left_ms: u64, used_ms: u64) -> u64 {
        match self {
            Self::Game { increment_ms, .. } => left_ms.saturating_sub(used_ms) + increment_ms,
            _ => self.initial_ms().unwrap_or(left_ms),
        }
    }

    /// For ratings.
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

    /// As it is written.
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
