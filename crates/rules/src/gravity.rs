//! What the games with falling pieces share: columns, what can fall where, and which piece fell last.

use std::{fmt, str::FromStr};

use crate::{Bits, Cell, Geometry, Illegal, ParseMoveError, SetupError};

/// A column, by its number: the whole move of Connect Four, half of one of Simplexity.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Column {
    /// From one, as people count. Zero and large numbers are moves that no board allows.
    number: u16,
}

impl Column {
    /// The column with this index, counted from zero.
    #[inline]
    #[must_use]
    pub const fn new(index: u8) -> Self {
        Self { number: index as u16 + 1 }
    }

    /// The index of a column that the board has, counted from zero.
    #[inline]
    #[must_use]
    pub const fn index(self) -> u8 {
        self.number as u8 - 1
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.number.fmt(f)
    }
}

impl FromStr for Column {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Self, ParseMoveError> {
        let digits = text.bytes().all(|b| b.is_ascii_digit());
        let leading_zero = text.len() > 1 && text.starts_with('0');
        match text.parse() {
            Ok(number) if digits && !leading_zero => Ok(Self { number }),
            _ => Err(ParseMoveError::new(text, "a column number such as 4")),
        }
    }
}

/// The columns of a board and one beyond each edge.
pub(crate) fn conceivable_columns(cols: u8) -> impl Iterator<Item = Column> {
    (0..=u16::from(cols) + 1).map(|number| Column { number })
}

/// Whether a piece can fall into this column.
pub(crate) fn check_column<G: Geometry>(
    geometry: G,
    occupied: G::Bits,
    column: Column,
) -> Result<(), Illegal> {
    check_exists(geometry, column)?;
    if geometry.is_full(occupied, column.index()) { Err(Illegal::ColumnFull(column)) } else { Ok(()) }
}

/// Whether the board has this column.
pub(crate) fn check_exists<G: Geometry>(geometry: G, column: Column) -> Result<(), Illegal> {
    let exists = (1..=u16::from(geometry.cols())).contains(&column.number);
    if exists { Ok(()) } else { Err(Illegal::NoSuchColumn { column, cols: geometry.cols() }) }
}

/// The cell where a piece dropped into an open column comes to rest.
#[inline]
pub(crate) fn landing<G: Geometry>(geometry: G, occupied: G::Bits, column: Column) -> Cell {
    Cell::new(column.index(), geometry.height(occupied, column.index()))
}

/// The highest piece of a column.
pub(crate) fn top<G: Geometry>(geometry: G, occupied: G::Bits, column: u8) -> Option<Cell> {
    let row = geometry.height(occupied, column).checked_sub(1)?;
    Some(Cell::new(column, row))
}

/// The highest piece of each column: one of them fell last.
pub(crate) fn tops<G: Geometry>(geometry: G, occupied: G::Bits) -> impl Iterator<Item = Cell> {
    (0..geometry.cols()).filter_map(move |column| top(geometry, occupied, column))
}

/// Refuses pieces with nothing below them.
pub(crate) fn check_support<G: Geometry>(geometry: G, occupied: G::Bits) -> Result<(), SetupError> {
    for column in 0..geometry.cols() {
        for row in geometry.height(occupied, column)..geometry.rows() {
            let cell = Cell::new(column, row);
            if occupied.has(geometry.index(cell)) {
                return Err(SetupError::Floating(cell));
            }
        }
    }
    Ok(())
}
