//! Moves of ChessFive and how they are written: `Q@d`, `d1d5`.

use std::{fmt, str::FromStr};

use super::board::{Chessboard, Chessman};
use crate::{Cell, Geometry, Move, ParseMoveError, cell::parse_column, column_letters};

/// A drop or a move of a piece.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ChessFiveMove {
    /// Gravity phase: a piece falls into a column.
    Drop {
        /// The falling piece.
        man: Chessman,
        /// Counted from zero.
        column: u8,
    },
    /// Chess phase: a piece moves.
    Step {
        /// Where it stands.
        from: Cell,
        /// Where it goes.
        to: Cell,
    },
}

impl Move for ChessFiveMove {}

impl ChessFiveMove {
    /// The same move on the mirrored board.
    #[must_use]
    pub fn mirrored(self) -> Self {
        let mirrored = |cell: Cell| Cell::new(7 - cell.column, cell.row);
        match self {
            Self::Drop { man, column } => Self::Drop { man, column: 7 - column },
            Self::Step { from, to } => Self::Step { from: mirrored(from), to: mirrored(to) },
        }
    }
}

impl fmt::Display for ChessFiveMove {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Drop { man, column } => write!(f, "{}@{}", man.letter(), column_letters(*column)),
            Self::Step { from, to } => write!(f, "{from}{to}"),
        }
    }
}

impl FromStr for ChessFiveMove {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Self, ParseMoveError> {
        let cell = |text: Option<&str>| text?.parse().ok().filter(|&cell| Chessboard.contains(cell));
        let drop = || {
            let (man, column) = text.split_once('@')?;
            let mut letters = man.chars();
            let man = Chessman::from_letter(letters.next()?).filter(|_| letters.next().is_none())?;
            let column = parse_column(column).filter(|&column| column < Chessboard.cols())?;
            Some(Self::Drop { man, column })
        };
        let step = || Some(Self::Step { from: cell(text.get(..2))?, to: cell(text.get(2..))? });
        drop().or_else(step).ok_or_else(|| {
            ParseMoveError::new(text, "a drop such as Q@d (R, N, B, Q or K) or a move such as d1d5")
        })
    }
}
