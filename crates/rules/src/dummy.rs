//! A tiny game, which is in the table only with the feature `dummy`. It is the smallest example of a game,
//! and tests that code which lists, draws and plays games needs no change for a new game.
//!
//! Two rows of four cells; three own marks in a row win.

use crate::{
    Board, Cell, Fixed, Geometry, Illegal, Kind, Mark, Outcome, Piece, Position, Setup, SetupError, Side,
    bits::mix,
    info::{CellStyle, Coordinates, GameInfo, PhaseInfo, PieceInfo, SideInfo, SizeInfo},
    mark,
    runs::{self, Length},
    spec, stones,
    view::{numbered_cell, reading_number, reading_order},
};

const BOARD: Fixed<2, 4, 3> = Fixed;

/// The description of the game.
pub static INFO: GameInfo = GameInfo {
    id: "dummy",
    title: "Dummy",
    form: "dummy",
    standard: "dummy",
    rated: "dummy",
    suggested: &[],
    rule_sets: &[],
    openings: &[],
    size: SizeInfo::fixed(2, 4, 3),
    falls: false,
    coordinates: Coordinates::Cells,
    cells: CellStyle::Plain,
    pieces: &[PieceInfo {
        kind: Kind::Stone,
        name: "signs",
        glyphs: ["disc", "ring"],
        symbols: ["+", "-"],
        letters: ['p', 'm'],
        count: None,
    }],
    sides: [
        SideInfo { key: "solid", name: "plus", emblem: Kind::Stone },
        SideInfo { key: "outline", name: "minus", emblem: Kind::Stone },
    ],
    phases: &[PhaseInfo { id: "place", asks: "place" }],
    examples: &["b2"],
    mover_may_lose: false,
    odd: &[],
};

spec::no_options!(Dummy);

/// A position of the game.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Dummy {
    marks: [u64; 2],
}

impl Dummy {
    fn occupied(&self) -> u64 {
        self.marks[0] | self.marks[1]
    }
}

impl Position for Dummy {
    type Move = Mark;

    fn turn(&self) -> Side {
        Side::after(self.ply())
    }

    fn outcome(&self) -> Option<Outcome> {
        let winner = Side::BOTH.into_iter().find(|side| runs::has_run(BOARD, self.marks[side.index()]));
        winner.map(Outcome::Win).or((self.ply() == BOARD.cells()).then_some(Outcome::Draw))
    }

    fn legal_moves(&self) -> impl Iterator<Item = Mark> {
        let over = self.outcome().is_some();
        let is_legal = move |&cell: &Cell| !over && self.piece(cell).is_none();
        reading_order(BOARD.rows(), BOARD.cols()).filter(is_legal).map(Mark)
    }

    fn check(&self, Mark(cell): Mark) -> Result<(), Illegal> {
        mark::check(BOARD, self.occupied(), cell)
    }

    fn play_unchecked(&mut self, Mark(cell): Mark) {
        self.marks[self.turn().index()] |= 1 << BOARD.index(cell);
    }

    fn key(&self) -> u64 {
        mix(mix(0, self.marks[0]), self.marks[1])
    }

    fn ply(&self) -> u16 {
        self.occupied().count_ones() as u16
    }
}

impl Board for Dummy {
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

    fn move_count(&self) -> usize {
        BOARD.cells().into()
    }

    fn move_number(&self, Mark(cell): Mark) -> usize {
        reading_number(BOARD.rows(), BOARD.cols(), cell)
    }

    fn numbered_move(&self, number: usize) -> Mark {
        Mark(numbered_cell(BOARD.rows(), BOARD.cols(), number))
    }

    fn line(&self) -> Option<Vec<Cell>> {
        stones::line(BOARD, &self.marks, self.outcome())
    }

    fn touched(&self, Mark(cell): Mark) -> Vec<Cell> {
        vec![cell]
    }

    fn with_setup(&self, setup: &Setup) -> Result<Self, SetupError> {
        let marks = stones::read::<Self, _>(BOARD, setup)?;
        mark::check_last_move(BOARD, marks, setup.turn, [Length::AtLeast; 2])?;
        Ok(Self { marks })
    }
}
