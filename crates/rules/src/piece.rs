//! Pieces: what stands on a cell, and whose it is.

use std::fmt;

use crate::Side;

/// What a piece is, apart from its owner.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum Kind {
    /// The only kind of the games whose pieces are all alike.
    Stone,
    /// Simplexity: counts for the first player, whichever side placed it.
    Round,
    /// Simplexity: counts for the second player, whichever side placed it.
    Square,
    /// Slides along rows and columns.
    Rook,
    /// Jumps.
    Knight,
    /// Slides along diagonals.
    Bishop,
    /// Slides in all eight directions.
    Queen,
    /// Steps to a neighbouring cell.
    King,
}

impl Kind {
    /// The name in messages.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Stone => "stone",
            Self::Round => "round",
            Self::Square => "square",
            Self::Rook => "rook",
            Self::Knight => "knight",
            Self::Bishop => "bishop",
            Self::Queen => "queen",
            Self::King => "king",
        }
    }
}

/// As moves name them: shapes by words, chess pieces by their letters.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Self::Stone => "stone",
            Self::Round => "round piece",
            Self::Square => "square piece",
            Self::Rook => "R",
            Self::Knight => "N",
            Self::Bishop => "B",
            Self::Queen => "Q",
            Self::King => "K",
        })
    }
}

/// A piece on the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct Piece {
    /// The side that placed it.
    pub side: Side,
    /// The id of its kind, such as `stone` or `knight`.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub kind: Kind,
}
