//! A board as a screen draws it, and the legal moves as a screen offers them. Cells, pieces and moves travel as text,
//! so that a client can show a game it has never heard of.

use std::borrow::Cow;

use rules::Side;
use serde::{Deserialize, Serialize};

/// The id of a kind of piece, such as `stone` or `knight`.
pub type PieceKind = Cow<'static, str>;

/// A piece on the board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct Piece {
    /// The side that placed it.
    #[cfg_attr(feature = "schema", schema(value_type = crate::SideSchema), ts(as = "crate::SideSchema"))]
    pub side: Side,
    /// The id of its kind, such as `stone` or `knight`.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub kind: PieceKind,
}

/// A position as a screen draws it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
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
    pub hands: [Vec<(PieceKind, u16)>; 2],
    /// The cells that the last move touched, such as `a1` for the bottom left one.
    pub last: Vec<String>,
    /// The cells of the winning line.
    #[cfg_attr(feature = "schema", schema(required))]
    pub line: Option<Vec<String>>,
    /// The shape that makes the winning line, in games where shapes count; null if it was won by colour.
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>, required))]
    pub shape: Option<PieceKind>,
    /// The side to move.
    #[cfg_attr(feature = "schema", schema(value_type = crate::SideSchema), ts(as = "crate::SideSchema"))]
    pub turn: Side,
    /// How the game ended by its rules, if it has.
    #[cfg_attr(feature = "schema", schema(required))]
    pub outcome: Option<Outcome>,
}

/// How a game ended by its rules: the winning side, or a draw.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// First has won.
    First,
    /// Second has won.
    Second,
    /// Drawn.
    Draw,
}

/// A legal move: the piece it moves or places, and the cells it touches.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(optional_fields))]
pub struct Choice {
    /// The move as text.
    #[serde(rename = "move")]
    pub text: String,
    /// The cell that it empties, if the piece comes from the board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The cell that it fills.
    pub to: String,
    /// The id of the kind of piece that arrives there.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub kind: PieceKind,
}

/// Cells as text.
pub(crate) fn cell_names(cells: &[rules::Cell]) -> Vec<String> {
    cells.iter().map(ToString::to_string).collect()
}

impl From<rules::Piece> for Piece {
    fn from(piece: rules::Piece) -> Self {
        Self { side: piece.side, kind: piece.kind.id().into() }
    }
}

impl From<rules::View> for View {
    fn from(view: rules::View) -> Self {
        let hand = |hand: Vec<(rules::Kind, u16)>| {
            hand.into_iter().map(|(kind, count)| (kind.id().into(), count)).collect()
        };
        Self {
            rows: view.rows,
            cols: view.cols,
            cells: view.cells.into_iter().map(|piece| piece.map(Piece::from)).collect(),
            hands: view.hands.map(hand),
            last: cell_names(&view.last),
            line: view.line.as_deref().map(cell_names),
            shape: view.shape.map(|kind| kind.id().into()),
            turn: view.turn,
            outcome: view.outcome.map(Outcome::from),
        }
    }
}

impl From<rules::Outcome> for Outcome {
    fn from(outcome: rules::Outcome) -> Self {
        match outcome {
            rules::Outcome::Win(Side::First) => Self::First,
            rules::Outcome::Win(Side::Second) => Self::Second,
            rules::Outcome::Draw => Self::Draw,
        }
    }
}

impl From<rules::Choice> for Choice {
    fn from(choice: rules::Choice) -> Self {
        Self {
            text: choice.text,
            from: choice.from.map(|cell| cell.to_string()),
            to: choice.to.to_string(),
            kind: choice.kind.id().into(),
        }
    }
}
