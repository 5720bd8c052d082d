//! The two sides of every game.

use std::fmt;

/// A side of a game: `first` moves first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub enum Side {
    /// Moves first: X, ○, white, cyan.
    First,
    /// Moves second: O, ●, red, magenta.
    Second,
}

impl Side {
    /// Both sides, in the order of moving.
    pub const BOTH: [Self; 2] = [Self::First, Self::Second];

    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// 0 for the first player, 1 for the second: the index in arrays with an entry per side.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The side to move after `ply` moves of a game in which the sides alternate.
    #[must_use]
    pub(crate) const fn after(ply: u16) -> Self {
        if ply.is_multiple_of(2) { Self::First } else { Self::Second }
    }

    /// The letter of the side to move in a written position, as in chess notation.
    #[must_use]
    pub(crate) const fn letter(self) -> char {
        match self {
            Self::First => 'w',
            Self::Second => 'b',
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Self::First => "first",
            Self::Second => "second",
        })
    }
}
