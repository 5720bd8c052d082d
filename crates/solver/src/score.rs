//! Scores and bounds.
//!
//! A score is seen from the side to move. 0 is a draw. With k > 0 it wins with its k-th stone counted back
//! from its last on a full board: 1 is its very last stone, and more is sooner. A negative score is the same
//! for the opponent.

use rules::{ConnectFour, Geometry, Position, Spec};
use thiserror::Error;

/// Proved bounds of a score, both inclusive.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Bounds {
    /// The score is at least this.
    pub lower: i32,
    /// The score is at most this.
    pub upper: i32,
}

/// Who wins, seen from the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    /// The opponent wins.
    Loss,
    /// A draw.
    Draw,
    /// The side to move wins.
    Win,
}

/// Why a search gave no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The stop flag was set; the score lies within these bounds.
    #[error("stopped; the score lies between {} and {}", .0.lower, .0.upper)]
    Stopped(Bounds),
    /// The solver supports runs of four only.
    #[error("cannot solve runs of {0}; only runs of 4 are supported")]
    Run(u8),
}

/// The game is not one that the solver supports.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("{0} cannot be solved; expected connect-four with (rows + 1) × columns of at most 64 and run {RUN}", RUN = crate::RUN)]
pub struct Unsolvable(pub Spec);

impl Bounds {
    /// The bounds of every score.
    pub(crate) const ANY: Self = Self { lower: -32, upper: 32 };

    /// The bounds of an exact score.
    #[must_use]
    pub const fn exactly(score: i32) -> Self {
        Self { lower: score, upper: score }
    }

    /// The score, if the bounds leave only one.
    #[must_use]
    pub fn exact(self) -> Option<i32> {
        (self.lower == self.upper).then_some(self.lower)
    }

    /// Who wins, if the bounds determine it.
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

    /// The intersection of two bounds.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self { lower: self.lower.max(other.lower), upper: self.upper.min(other.upper) }
    }
}

/// How many plies the game lasts from here with best play, given the position's score.
///
/// ```
/// use alinea_solver::rules::{ConnectFour, Standard};
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
