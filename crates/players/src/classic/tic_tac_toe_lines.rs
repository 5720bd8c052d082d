//! The lines of the tic-tac-toe board, in the order in which the original programs visit them.

use rules::{Board, Cell, Side, TicTacToe};

const fn cell(column: u8, row: u8) -> Cell {
    Cell::new(column, row)
}

pub(crate) const CENTRE: Cell = cell(1, 1);
pub(crate) const CORNERS: [Cell; 4] = [cell(0, 2), cell(2, 2), cell(0, 0), cell(2, 0)];
pub(crate) const SIDES: [Cell; 4] = [cell(1, 2), cell(0, 1), cell(2, 1), cell(1, 0)];

/// From the top left to the bottom right.
pub(crate) const READING_ORDER: [Cell; 9] = [
    cell(0, 2),
    cell(1, 2),
    cell(2, 2),
    cell(0, 1),
    cell(1, 1),
    cell(2, 1),
    cell(0, 0),
    cell(1, 0),
    cell(2, 0),
];

/// Rows from the top, columns from the left, then the diagonals a3–c1 and a1–c3.
pub(crate) const LINES: [[Cell; 3]; 8] = {
    const fn line(a: usize, b: usize, c: usize) -> [Cell; 3] {
        [READING_ORDER[a], READING_ORDER[b], READING_ORDER[c]]
    }
    [
        line(0, 1, 2),
        line(3, 4, 5),
        line(6, 7, 8),
        line(0, 3, 6),
        line(1, 4, 7),
        line(2, 5, 8),
        line(0, 4, 8),
        line(6, 4, 2),
    ]
};

/// The number of marks of a side and of its opponent on a line.
pub(crate) fn tally(position: &TicTacToe, line: &[Cell; 3], side: Side) -> (usize, usize) {
    let marks =
        |side| line.iter().filter(|&&cell| position.piece(cell).is_some_and(|p| p.side == side)).count();
    (marks(side), marks(side.other()))
}
