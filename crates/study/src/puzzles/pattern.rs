//! The pattern that near duplicates share: the same solution and line, mirrored, turned or, on boards with room,
//! shifted.

use rules::{AnyGame, Cell, GameInfo, Side, View};

/// A pattern, equal for puzzles that differ only in pieces that play no part in the solution.
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

/// The board and its images: mirrored and, in games without falling pieces, also turned.
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

#[cfg(test)]
mod tests {
    use rules::Spec;

    use super::*;

    /// The pattern of a solution after these moves.
    fn pattern(spec: &str, moves: &str, solution: &str) -> Pattern {
        let mut game = AnyGame::from(spec.parse::<Spec>().unwrap());
        game.play_all(moves).unwrap();
        of(&game, &solution.split(' ').map(str::to_owned).collect::<Vec<_>>())
    }

    /// The cell of this column and row in an image.
    type Place = fn(u8, u8) -> (u8, u8);

    /// Cells as text, each moved by a mapping.
    fn sent(cells: &str, to: Place) -> String {
        let cell = |name: &str| {
            let cell: Cell = name.parse().ok().unwrap();
            let (column, row) = to(cell.column, cell.row);
            Cell::new(column, row).to_string()
        };
        cells.split(' ').map(cell).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_square_board_has_eight_images() {
        let images: [Place; 8] = [
            |c, r| (c, r),
            |c, r| (2 - c, r),
            |c, r| (c, 2 - r),
            |c, r| (2 - c, 2 - r),
            |c, r| (r, c),
            |c, r| (2 - r, c),
            |c, r| (r, 2 - c),
            |c, r| (2 - r, 2 - c),
        ];
        // With a line at the end, and without.
        for (moves, solution) in [("c2 a1", "c1 c3 b2 a3 a2"), ("c2 a1", "c1"), ("a1 b1 c2", "a3 b2")] {
            let here = pattern("tic-tac-toe", moves, solution);
            for image in images {
                assert_eq!(pattern("tic-tac-toe", &sent(moves, image), &sent(solution, image)), here);
            }
            assert_ne!(pattern("tic-tac-toe", moves, "a2"), here);
        }
    }

    #[test]
    fn a_longer_board_is_not_turned_by_a_quarter() {
        let of = |cells: &str| pattern("gomoku:6x7x5", "", cells);
        let (row, column) = (of("a1 b2 c1"), of("a1 b2 a3"));
        assert_ne!(row, column);
        for image in [|c, r| (6 - c, r), |c, r| (c, 5 - r), |c, r| (6 - c, 5 - r)] as [Place; 3] {
            assert_eq!(of(&sent("a1 b2 c1", image)), row);
        }
    }

    #[test]
    fn where_pieces_fall_the_mirror_is_the_only_image() {
        let of = |moves: &str, solution: &str| pattern("connect-four", moves, solution);
        assert_eq!(of("1 1 1 1 1", "1"), of("7 7 7 7 7", "7"));
        assert_eq!(of("1 2 2", "3 4"), of("7 6 6", "5 4"));
        assert_ne!(of("1 2", "3"), of("1 2", "4"));
        // There is no room to move it, however large the board is.
        let large = |moves: &str, solution: &str| pattern("connect-four:10x10", moves, solution);
        assert_ne!(large("2 2", "2"), large("3 3", "3"));
        assert_eq!(large("2 2", "2"), large("9 9", "9"));
    }

    #[test]
    fn a_board_of_two_runs_has_room_to_move_the_pattern() {
        let of = |size: &str, cells: &str| pattern(&format!("gomoku:{size}x5"), "", cells);
        assert_eq!(of("10x10", "b2 d3"), of("10x10", "e5 g6"));
        assert_eq!(of("10x10", "b2 d3"), of("10x10", "e6 f8"), "turned too");
        assert_ne!(of("9x9", "b2 d3"), of("9x9", "e5 g6"));
        assert_ne!(of("10x10", "b2 d3"), of("10x10", "e5 h6"));
    }

    #[test]
    fn pieces_on_the_board_are_told_apart_by_side_and_kind() {
        let of = |moves: &str, solution: &str| pattern("simplexity", moves, solution);
        let other = [
            ("4r 3s", "1r"),
            ("4s 3s", "1r"),
            ("4r 3r", "1r"),
            ("3s 4r", "1r"),
            ("4s 3r", "1r"),
            ("4r 3s", "1s"),
        ];
        for (i, one) in other.iter().enumerate() {
            for two in &other[..i] {
                assert_ne!(of(one.0, one.1), of(two.0, two.1), "{one:?} {two:?}");
            }
        }
        // With a line, what else is on the board plays no part.
        assert_eq!(of("1r 2s 1r 3s 1r 5s", "1r"), of("1r 2s 1r 3s 1r 6s", "1r"));
    }
}
