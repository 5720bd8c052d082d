//! Tic-tac-toe: three own marks in a row, column or diagonal win.

use crate::{
    Bits, Board, Cell, Fixed, Geometry, Illegal, Kind, Mark, Outcome, Piece, Position, Setup, SetupError,
    Side,
    bits::mix,
    info::{CellStyle, Coordinates, GameInfo, PhaseInfo, PieceInfo, SideInfo, SizeInfo},
    mark,
    runs::{self, Length},
    spec, stones,
    view::{numbered_cell, reading_number, reading_order},
};

const BOARD: Fixed<3, 3, 3> = Fixed;

/// The description of the game.
pub static INFO: GameInfo = GameInfo {
    id: "tic-tac-toe",
    title: "Tic-tac-toe",
    form: "tic-tac-toe",
    standard: "tic-tac-toe",
    rated: "tic-tac-toe",
    suggested: &[],
    rule_sets: &[],
    openings: &[],
    size: SizeInfo::fixed(3, 3, 3),
    falls: false,
    coordinates: Coordinates::Cells,
    cells: CellStyle::Plain,
    pieces: &[PieceInfo {
        kind: Kind::Stone,
        name: "marks",
        glyphs: ["x", "o"],
        symbols: ["X", "O"],
        letters: ['x', 'o'],
        count: None,
    }],
    sides: [
        SideInfo { key: "x", name: "X", emblem: Kind::Stone },
        SideInfo { key: "o", name: "O", emblem: Kind::Stone },
    ],
    phases: &[PhaseInfo { id: "place", asks: "cell" }],
    examples: &["b2"],
    mover_may_lose: false,
    odd: &[],
};

spec::no_options!(TicTacToe);

/// A position of tic-tac-toe.
///
/// ```
/// use alinea_rules::{Game, Outcome, Side, TicTacToe};
///
/// let mut game = Game::new(TicTacToe::default());
/// for m in ["b2", "a1", "c1", "a3", "a2", "b1", "c2"] {
///     game.play(m.parse().unwrap()).unwrap();
/// }
/// assert_eq!(game.outcome(), Some(Outcome::Win(Side::First)));
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct TicTacToe {
    marks: [u64; 2],
    outcome: Option<Outcome>,
}

impl TicTacToe {
    #[inline]
    fn occupied(&self) -> u64 {
        self.marks[0] | self.marks[1]
    }
}

impl Position for TicTacToe {
    type Move = Mark;

    #[inline]
    fn turn(&self) -> Side {
        Side::after(self.ply())
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    #[inline]
    fn legal_moves(&self) -> impl Iterator<Item = Mark> {
        let (over, occupied) = (self.outcome.is_some(), self.occupied());
        reading_order(3, 3).filter(move |&cell| !over && !occupied.has(BOARD.index(cell))).map(Mark)
    }

    #[inline]
    fn check(&self, Mark(cell): Mark) -> Result<(), Illegal> {
        mark::check(BOARD, self.occupied(), cell)
    }

    #[inline]
    fn play_unchecked(&mut self, Mark(cell): Mark) {
        debug_assert!(self.is_legal(Mark(cell)));
        let mover = self.turn();
        let marks = &mut self.marks[mover.index()];
        *marks |= 1 << BOARD.index(cell);
        if runs::has_run(BOARD, *marks) {
            self.outcome = Some(Outcome::Win(mover));
        } else if self.ply() == BOARD.cells() {
            self.outcome = Some(Outcome::Draw);
        }
    }

    #[inline]
    fn key(&self) -> u64 {
        mix(mix(0, self.marks[0]), self.marks[1])
    }

    #[inline]
    fn ply(&self) -> u16 {
        self.occupied().count_ones() as u16
    }
}

impl Board for TicTacToe {
    fn info() -> &'static GameInfo {
        &INFO
    }

    fn rows(&self) -> u8 {
        BOARD.rows()
    }

    fn cols(&self) -> u8 {
        BOARD.cols()
    }

    fn piece(&self, cell: Cell) -> Option<Piece> {
        stones::piece(BOARD, &self.marks, cell)
    }

    fn conceivable_moves(&self) -> Vec<Mark> {
        mark::conceivable(BOARD).collect()
    }

    #[inline]
    fn move_count(&self) -> usize {
        BOARD.cells().into()
    }

    #[inline]
    fn move_number(&self, Mark(cell): Mark) -> usize {
        reading_number(BOARD.rows(), BOARD.cols(), cell)
    }

    #[inline]
    fn numbered_move(&self, number: usize) -> Mark {
        Mark(numbered_cell(BOARD.rows(), BOARD.cols(), number))
    }

    fn line(&self) -> Option<Vec<Cell>> {
        stones::line(BOARD, &self.marks, self.outcome)
    }

    fn touched(&self, Mark(cell): Mark) -> Vec<Cell> {
        vec![cell]
    }

    fn with_setup(&self, setup: &Setup) -> Result<Self, SetupError> {
        let marks = stones::read::<Self, _>(BOARD, setup)?;
        let outcome = if mark::check_last_move(BOARD, marks, setup.turn, [Length::AtLeast; 2])? {
            Some(Outcome::Win(setup.turn.other()))
        } else {
            (setup.letters.len() == usize::from(BOARD.cells())).then_some(Outcome::Draw)
        };
        Ok(Self { marks, outcome })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Game;

    #[test]
    fn a_win_on_the_ninth_mark_is_no_tie() {
        let mut game = Game::new(TicTacToe::default());
        for m in ["a1", "a2", "b1", "b3", "a3", "b2", "c2", "c3", "c1"] {
            game.play(m.parse().unwrap()).unwrap();
        }
        assert_eq!(game.outcome(), Some(Outcome::Win(Side::First)));
        assert_eq!(game.position().line().unwrap(), ["a1", "b1", "c1"].map(|cell| cell.parse().unwrap()));
    }
}
