//! What near duplicates have in common: the same solution to the same line, seen in a mirror, turned, or, on boards
//! with room, moved.

use rules::{AnyGame, Cell, GameInfo, Side, View};

/// Equal for puzzles that differ only in what plays no part in the solution.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Pattern(Vec<(i16, i16, u8)>);

/// The pattern of a solution: its cells and the line it completes; without a line, everything on the board.
pub(super) fn of(game: &AnyGame, solution: &[String]) -> Pattern {
    let (info, start) = (game.info(), game.view());
    let mut after = game.clone();
    let mut played = Vec::new();
    for m in solution {
        after.play(m).expect("the moves of a solution are legal");
        let view = after.view();
        played.extend(view.last.iter().map(|&cell| (cell, mark(info, &view, cell))));
    }
    let rest = match after.line() {
        Some(line) => line.into_iter().map(|cell| (cell, 0)).collect(),
        None => occupied(&start).map(|cell| (cell, mark(info, &start, cell))).collect::<Vec<_>>(),
    };
    let has_room = !info.falls && start.rows >= 2 * info.size.run.usual;
    let images = symmetries(info.falls, start.rows, start.cols);
    let pattern = images.map(|image| {
        let place = |&(cell, mark): &(Cell, u8)| {
            let (column, row) = image(cell);
            (column, row, mark)
        };
        let mut rest: Vec<_> = rest.iter().map(place).collect();
        rest.sort_unstable();
        let mut cells: Vec<_> = played.iter().map(place).chain(rest).collect();
        if has_room {
            let column = cells.iter().map(|cell| cell.0).min().unwrap_or(0);
            let row = cells.iter().map(|cell| cell.1).min().unwrap_or(0);
            cells.iter_mut().for_each(|cell| (cell.0, cell.1) = (cell.0 - column, cell.1 - row));
        }
        Pattern(cells)
    });
    pattern.min().expect("there is at least the board itself")
}

type Image = Box<dyn Fn(Cell) -> (i16, i16)>;

/// The board itself and its images: where pieces fall, the mirror alone; else also turned.
fn symmetries(falls: bool, rows: u8, cols: u8) -> impl Iterator<Item = Image> {
    let (top, right) = (i16::from(rows) - 1, i16::from(cols) - 1);
    let is_square = rows == cols;
    (0..8_u8).filter(move |image| if falls { *image < 2 } else { is_square || *image < 4 }).map(
        move |image| {
            let place = move |cell: Cell| {
                let (mut column, mut row) = (i16::from(cell.column), i16::from(cell.row));
                if image & 1 != 0 {
                    column = right - column;
                }
                if image & 2 != 0 {
                    row = top - row;
                }
                if image & 4 != 0 { (row, column) } else { (column, row) }
            };
            Box::new(place) as Image
        },
    )
}

fn occupied(view: &View) -> impl Iterator<Item = Cell> {
    let cells = (0..view.cols).flat_map(|column| (0..view.rows).map(move |row| Cell::new(column, row)));
    cells.filter(|&cell| view.piece(cell).is_some())
}

/// A number for a cell's contents: zero is empty.
fn mark(info: &GameInfo, view: &View, cell: Cell) -> u8 {
    view.piece(cell).map_or(0, |piece| {
        let kind = info.pieces.iter().position(|known| known.kind == piece.kind).unwrap_or(0) as u8;
        2 * kind + 1 + u8::from(piece.side == Side::Second)
    })
}
