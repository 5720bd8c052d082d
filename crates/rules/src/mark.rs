//! Moves that fill any empty cell: what the games without falling or moving pieces share.

use std::{fmt, str::FromStr};

use crate::{
    Bits, Cell, Geometry, Illegal, Move, ParseMoveError, SetupError, Side,
    runs::{self, Length},
    view::reading_order,
};

/// A mark on a cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Mark(pub Cell);

impl Move for Mark {}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Mark {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Self, ParseMoveError> {
        text.parse().map(Self).map_err(|_| ParseMoveError::new(text, "a cell such as b2"))
    }
}

/// Whether a cell can be filled.
pub(crate) fn check<G: Geometry>(geometry: G, occupied: G::Bits, cell: Cell) -> Result<(), Illegal> {
    if !geometry.contains(cell) {
        let last = Cell::new(geometry.cols() - 1, geometry.rows() - 1);
        Err(Illegal::NoSuchCell { cell, last })
    } else if occupied.has(geometry.index(cell)) {
        Err(Illegal::Occupied(cell))
    } else {
        Ok(())
    }
}

/// The cells of a board, and those just above it and to its right.
pub(crate) fn conceivable<G: Geometry>(geometry: G) -> impl Iterator<Item = Mark> {
    reading_order(geometry.rows() + 1, geometry.cols() + 1).map(Mark)
}

/// Checks that one mark of the side that has just moved completed every winning run; returns whether there
/// is one.
pub(crate) fn check_last_move<G: Geometry>(
    geometry: G,
    marks: [G::Bits; 2],
    turn: Side,
    lengths: [Length; 2],
) -> Result<bool, SetupError> {
    let wins = |side: Side, marks| runs::has_line(geometry, marks, lengths[side.index()]);
    let [mover, other] = [turn.other(), turn];
    if wins(other, marks[other.index()]) {
        return Err(SetupError::EndedBefore);
    }
    if !wins(mover, marks[mover.index()]) {
        return Ok(false);
    }
    let without = |cell: Cell| marks[mover.index()] & !G::Bits::bit(geometry.index(cell));
    let explains = |cell: Cell| !wins(mover, without(cell));
    let explained = reading_order(geometry.rows(), geometry.cols()).any(explains);
    if explained { Ok(true) } else { Err(SetupError::EndedBefore) }
}
