//! Scores and what is known of them.
//!
//! A score is seen from the side to move: 0 is a draw; k > 0 wins with its k-th stone counted from its
//! last on a full board (so 1 is its very last, and more is sooner); negative likewise for the opponent.

use rules::{ConnectFour, Geometry, Position};
use thiserror::Error;

/// What is proved about a score: it is not less than `lower` and not greater than `upper`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Bounds {
    /// The least that the score can be.
    pub lower: i32,
    /// The most that the score can be.
    pub upper: i32,
}

/// Who wins, seen from the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    /// The opponent wins.
    Loss,
    /// Nobody does.
    Draw,
    /// The side to move wins.
    Win,
}

/// Why there is no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The stop flag was raised; until then this was proved of the score.
    #[error("stopped when the score was known to be from {} to {}", .0.lower, .0.upper)]
    Stopped(Bounds),
    /// Only four in a line is solved.
    #[error("only runs of 4 are solved, not of {0}")]
    Run(u8),
}

impl Bounds {
    /// What is known before anything is.
    pub(crate) const ANY: Self = Self { lower: -32, upper: 32 };

    /// The bounds of a score that is known.
    #[must_use]
    pub const fn exactly(score: i32) -> Self {
        Self { lower: score, upper: score }
    }

    /// The score, if the bounds leave only one.
    #[must_use]
    pub fn exact(self) -> Option<i32> {
        (self.lower == self.upper).then_some(self.lower)
    }

    /// Who wins, if the bounds tell.
    #[must_use]
    pub fn value(self) -> Option<Value> {
        if self.lower > 0 {
            Some(Value::Win)
        } else if self.upper < 0 {
            Some(Value::Loss)
        } else {
            (self.exact() == Some(0)).then_some(Value::Draw)
        }
    }

    /// The same seen from the other side.
    #[must_use]
    pub const fn reversed(self) -> Self {
        Self { lower: -self.upper, upper: -self.lower }
    }

    /// What is left when both hold.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self { lower: self.lower.max(other.lower), upper: self.upper.min(other.upper) }
    }
}

/// How many plies the game lasts from here if both sides play for this score, the position's own.
///
/// ```
/// use rules::{ConnectFour, Standard};
///
/// // The first player wins with its very last stone: on the 41st ply of 42.
/// assert_eq!(alinea_solver::plies_left(&ConnectFour::new(Standard::default()), 1), 41);
/// ```
#[must_use]
pub fn plies_left<G: Geometry>(position: &ConnectFour<G>, score: i32) -> u16 {
    let rest = i32::from(position.geometry().cells()) - i32::from(position.ply());
    let plies = if position.outcome().is_some() {
        0
    } else if score > 0 {
        2 * ((rest + 1) / 2 - score) + 1
    } else if score < 0 {
        2 * (rest / 2 + score) + 2
    } else {
        rest
    };
    plies as u16
}
