//! Cells and their names: `a1` is the bottom left one.

use std::{fmt, str::FromStr};

/// A cell of a board. Columns and rows count from zero, from the left and from the bottom.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cell {
    /// Zero is column `a`.
    pub column: u8,
    /// Zero is row 1.
    pub row: u8,
}

impl Cell {
    /// The cell in this column and row, both counted from zero.
    #[must_use]
    pub const fn new(column: u8, row: u8) -> Self {
        Self { column, row }
    }
}

/// The letters of a column: a … z, then aa, ab … as in a spreadsheet.
///
/// ```
/// assert_eq!(alinea_rules::column_letters(3), "d");
/// assert_eq!(alinea_rules::column_letters(36), "ak");
/// ```
#[must_use]
pub fn column_letters(column: u8) -> String {
    let letter = |n: u8| char::from(b'a' + n);
    match column {
        0..26 => letter(column).to_string(),
        _ => [letter(column / 26 - 1), letter(column % 26)].iter().collect(),
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}{}", column_letters(self.column), u32::from(self.row) + 1)
    }
}

/// The text names no cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoCell;

impl FromStr for Cell {
    type Err = NoCell;

    fn from_str(text: &str) -> Result<Self, NoCell> {
        let digits = text.find(|c: char| c.is_ascii_digit()).ok_or(NoCell)?;
        let (letters, row) = text.split_at(digits);
        let column = parse_column(letters).ok_or(NoCell)?;
        // No leading zero or sign: each cell has one name.
        if row.starts_with('0') || !row.bytes().all(|b| b.is_ascii_digit()) {
            return Err(NoCell);
        }
        let row = row.parse::<u8>().map_err(|_| NoCell)?;
        Ok(Self::new(column, row - 1))
    }
}

/// The column named by these letters; the reverse of [`column_letters`].
pub(crate) fn parse_column(letters: &str) -> Option<u8> {
    let letter = |b: u8| b.is_ascii_lowercase().then(|| b - b'a');
    match *letters.as_bytes() {
        [one] => letter(one),
        [high, low] => ((letter(high)? + 1).checked_mul(26)?).checked_add(letter(low)?),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for column in 0..64 {
            for row in 0..64 {
                let cell = Cell::new(column, row);
                assert_eq!(cell.to_string().parse(), Ok(cell));
            }
        }
    }

    #[test]
    fn other_texts_are_no_cells() {
        for text in ["", "a", "1", "a0", "a01", "A1", "a-1", "a1 ", "aaa1", "a256", "zz1", "é1", "a1b"] {
            assert_eq!(text.parse::<Cell>(), Err(NoCell), "{text}");
        }
    }
}
