//! How a game ends.

use std::fmt;

use crate::Side;

/// The result of a game. It names the winner, since in Simplexity a move can lose at once.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// This side has won.
    Win(Side),
    /// Neither side has won.
    Draw,
}

impl Outcome {
    /// The winner, if there is one.
    #[must_use]
    pub const fn winner(self) -> Option<Side> {
        match self {
            Self::Win(side) => Some(side),
            Self::Draw => None,
        }
    }

    /// The same with the sides exchanged, if they are.
    pub(crate) const fn seen(self, exchanged: bool) -> Self {
        match self {
            Self::Win(side) if exchanged => Self::Win(side.other()),
            other => other,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Win(side) => side.fmt(f),
            Self::Draw => f.write_str("draw"),
        }
    }
}
