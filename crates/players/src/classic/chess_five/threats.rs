//! Where a side is about to complete five in a line.

use rules::{Bits, Cell, ChessFive, Chessboard, Chessman, Geometry, Side, members, runs};

use crate::sort::sort_by_key;

/// The cells where a side would win with its next move if it were its turn, in the order of cells.
pub(crate) fn threats(position: &ChessFive, side: Side) -> Vec<Cell> {
    let (pieces, occupied) = (position.pieces(side), position.occupied());
    if Chessman::ALL.into_iter().any(|man| position.in_hand(side, man) > 0) {
        let landings = (0..8).map(|column| Cell::new(column, Chessboard.height(occupied, column)));
        let wins = |cell: &Cell| {
            cell.row < 8 && runs::has_run(Chessboard, pieces | u64::bit(Chessboard.index(*cell)))
        };
        return landings.filter(wins).collect();
    }
    let mut cells: Vec<_> = position
        .reaches(side)
        .flat_map(move |(from, reach)| {
            let wins = move |to: &u32| runs::has_run(Chessboard, pieces ^ (1 << from | 1 << to));
            members(reach).filter(wins).map(|to| Chessboard.cell(to))
        })
        .collect();
    sort_by_key(&mut cells, |&cell| cell);
    cells.dedup();
    cells
}

/// Whether a side could complete five in a line by moving one piece.
pub(super) fn threatens(position: &ChessFive, side: Side) -> bool {
    !threats(position, side).is_empty()
}
