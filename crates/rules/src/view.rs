//! What a screen shows of a game, in one form for all games.

use crate::{
    Cell, Foul, Kind, OpeningView, Outcome, Piece, Position, Setup, SetupError, Side, info::GameInfo,
};

/// A position that can be drawn and written down.
///
/// What a game of the table may do, and what it must; the conformance suite says which sentence a game breaks:
/// - The sides take turns, one move each. Its text is a word that parses without a board.
/// - A move changes the cells that it says it [touches](Board::touched), at least one: it places a piece, moves one, takes
///   one out, or shifts several along a line of cells. A piece that it places or moves belongs to the side to move.
/// - A game may end by a line, without one, or by repetition ([`Position::draws_when_seen`]); the loser may end it. Where it
///   may go on without end, [`Board::max_plies`] says so.
/// - Equal positions have equal keys and equal texts, and a text is read as the same position.
pub trait Board: Position {
    /// The description of the game.
    fn info() -> &'static GameInfo;

    /// The number of rows.
    fn rows(&self) -> u8;

    /// The number of columns.
    fn cols(&self) -> u8;

    /// The piece on a cell of the board.
    fn piece(&self, cell: Cell) -> Option<Piece>;

    /// Every move that can be written for this board, legal now or not, and some that name places just
    /// outside it, for tests of all games.
    fn conceivable_moves(&self) -> Vec<Self::Move>;

    /// How many moves can be written for this board. They are numbered from zero, the same in all positions, for
    /// programs that learn.
    fn move_count(&self) -> usize;

    /// The number of a move of this board.
    fn move_number(&self, m: Self::Move) -> usize;

    /// The move with a number less than [`Board::move_count`].
    fn numbered_move(&self, number: usize) -> Self::Move;

    /// The length of the longest game in plies. Where it exceeds the number of cells, positions can repeat.
    fn max_plies(&self) -> u16 {
        u16::from(self.rows()) * u16::from(self.cols())
    }

    /// Maximum number of plies that follow; for games without a natural bound, a typical number.
    fn plies_left(&self) -> u16 {
        (u16::from(self.rows()) * u16::from(self.cols())).saturating_sub(self.ply())
    }

    /// The pieces that a side has not placed yet, in games with a limited supply.
    fn hand(&self, _side: Side) -> Vec<(Kind, u16)> {
        Vec::new()
    }

    /// Whether written positions list the pieces in hand.
    fn writes_hand() -> bool {
        false
    }

    /// The cells of the winning line from left to right (upwards in a column), if a side has won.
    fn line(&self) -> Option<Vec<Cell>>;

    /// The cells that a move has touched, at least one, in the order in which pieces went along them; `self` is the position
    /// right after it. What stands on a cell came from the one before it, and what was on the last cell left the board. The
    /// first cell is where a new piece arrived, or is now empty. So a placement touches its cell, and a step where it
    /// began and where it ended.
    fn touched(&self, m: Self::Move) -> Vec<Cell>;

    /// The empty cells that the side to move must not take, in rule sets with such cells.
    fn forbidden(&self) -> Vec<Forbidden> {
        Vec::new()
    }

    /// The position of the same game (size, pieces) that is written down.
    ///
    /// # Errors
    /// If no game could reach it.
    fn with_setup(&self, setup: &Setup) -> Result<Self, SetupError>;

    /// Splits a word into moves, in games where several moves may be written without spaces.
    fn split_moves<'a>(&self, word: &'a str) -> Vec<&'a str> {
        vec![word]
    }
}

/// A position as a screen draws it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct View {
    /// The number of rows.
    pub rows: u8,
    /// The number of columns.
    pub cols: u8,
    /// The cells by rows from the top, each row from the left.
    pub cells: Vec<Option<Piece>>,
    /// The pieces in hand of first and second: kind and count.
    #[cfg_attr(feature = "schema", schema(value_type = [Vec<(String, u16)>; 2]))]
    pub hands: [Vec<(Kind, u16)>; 2],
    /// The cells that the last move touched, such as `a1` for the bottom left one.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<String>))]
    pub last: Vec<Cell>,
    /// The cells of the winning line.
    #[cfg_attr(feature = "schema", schema(value_type = Option<Vec<String>>, required))]
    pub line: Option<Vec<Cell>>,
    /// The shape that makes the winning line, in games where shapes count; none if it was won by colour.
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>, required))]
    pub shape: Option<Kind>,
    /// The empty cells that the side to move must not take.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    #[cfg_attr(feature = "schema", ts(as = "Option<Vec<Forbidden>>", optional))]
    pub forbidden: Vec<Forbidden>,
    /// The opening, while it lasts.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "schema", ts(optional))]
    pub opening: Option<OpeningView>,
    /// The side to move.
    pub turn: Side,
    /// How the game ended by its rules, if it has.
    #[cfg_attr(feature = "schema", schema(value_type = Option<crate::serde_text::schema::OutcomeText>, required))]
    #[cfg_attr(feature = "schema", ts(as = "Option<crate::serde_text::schema::OutcomeText>"))]
    pub outcome: Option<Outcome>,
}

/// An empty cell that the side to move must not take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct Forbidden {
    /// The cell.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub cell: Cell,
    /// What a stone there would make.
    pub foul: Foul,
}

/// A legal move as a screen offers it: the cells to choose one after the other, and the piece.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(optional_fields))]
pub struct Choice {
    /// The move as text.
    #[cfg_attr(feature = "serde", serde(rename = "move"))]
    pub text: String,
    /// The cell where the piece is, if it is on the board.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>))]
    pub from: Option<Cell>,
    /// The cell where the piece goes; the same as `from` if it leaves the board.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub to: Cell,
    /// The id of the kind of piece.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub kind: Kind,
}

impl View {
    /// The piece on a cell; none outside the board.
    #[must_use]
    pub fn piece(&self, cell: Cell) -> Option<Piece> {
        let is_inside = cell.row < self.rows && cell.column < self.cols;
        let number = is_inside.then(|| reading_number(self.rows, self.cols, cell))?;
        // A view that was read from JSON may have too few cells.
        *self.cells.get(number)?
    }

    /// What the side to move must not make on a cell.
    #[must_use]
    pub fn foul(&self, cell: Cell) -> Option<Foul> {
        self.forbidden.iter().find(|forbidden| forbidden.cell == cell).map(|forbidden| forbidden.foul)
    }
}

/// The place of a cell in [`reading_order`].
#[inline]
pub(crate) fn reading_number(rows: u8, cols: u8, cell: Cell) -> usize {
    usize::from(rows - 1 - cell.row) * usize::from(cols) + usize::from(cell.column)
}

/// The cell with this place in [`reading_order`].
#[inline]
pub(crate) fn numbered_cell(rows: u8, cols: u8, number: usize) -> Cell {
    let (from_top, column) = (number / usize::from(cols), number % usize::from(cols));
    Cell::new(column as u8, rows - 1 - from_top as u8)
}

/// The cells of a board by rows from the top, each row from the left.
#[inline]
pub(crate) fn reading_order(rows: u8, cols: u8) -> impl Iterator<Item = Cell> {
    (0..usize::from(rows) * usize::from(cols)).map(move |number| numbered_cell(rows, cols, number))
}
