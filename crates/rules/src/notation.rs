//! Written positions: `7/7/7/7/3o3/3x3 w`.
//!
//! Rows from the top separated by `/`, a number for that many empty cells, in ChessFive the pieces in
//! hand in brackets, then the side to move. Reading gives a [`Setup`], which the game validates.

use thiserror::Error;

use crate::{
    Board, Cell, Kind, Piece, Side, info::GameInfo, position::excerpt, spec::and, view::reading_order,
};

/// A position as written, not yet validated by a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The letter on each occupied cell.
    pub letters: Vec<(Cell, char)>,
    /// The letters in brackets, if there are brackets.
    pub hand: Option<String>,
    /// The side to move.
    pub turn: Side,
}

impl Setup {
    /// The same position with the stones and the turn of each side as the other's.
    pub(crate) fn exchanged(&self, info: &GameInfo) -> Result<Self, SetupError> {
        let other = |&(cell, found): &(Cell, char)| {
            let piece = piece_of(info, found)?;
            Ok((cell, letter(info, Piece { side: piece.side.other(), ..piece })))
        };
        let letters = self.letters.iter().map(other).collect::<Result<_, SetupError>>()?;
        Ok(Self { letters, hand: self.hand.clone(), turn: self.turn.other() })
    }
}

/// Why a written position was refused.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum SetupError {
    /// The board or the side to move is missing.
    #[error(
        "“{0}” is not a position; expected the rows from the top with / between them, a space, and w or b for the side to move"
    )]
    Form(String),
    /// The board has another height.
    #[error("the position must have {expected} rows, not {found}")]
    Rows {
        /// How many were written.
        found: usize,
        /// How many there should be.
        expected: u8,
    },
    /// A row has another width.
    #[error("row {row} of the position must have {expected} columns, not {found}")]
    Columns {
        /// The row, counted from the bottom, from one.
        row: u8,
        /// How many were written.
        found: usize,
        /// How many there should be.
        expected: u8,
    },
    /// The letter stands for no piece.
    #[error("“{}” is not a piece of this game; its letters are {}", excerpt(&letter.to_string()), letters(.allowed))]
    Letter {
        /// What was written.
        letter: char,
        /// The letters of the game.
        allowed: Vec<char>,
    },
    /// The numbers of pieces do not fit the side to move.
    #[error("with {first} against {second} pieces it cannot be {turn}'s turn; {}", match turn { Side::First => "both must have the same number", Side::Second => "the first must have one more" })]
    Counts {
        /// Pieces of the first player.
        first: usize,
        /// Pieces of the second player.
        second: usize,
        /// The side to move according to the text.
        turn: Side,
    },
    /// Every turn adds or removes one piece, which does not fit the side to move.
    #[error(
        "with {pieces} pieces on the board it cannot be {turn}'s turn; each turn adds or removes one, so an even number is first's turn"
    )]
    Parity {
        /// How many pieces there are.
        pieces: usize,
        /// The side to move according to the text.
        turn: Side,
    },
    /// A side has more pieces of a kind than the game gives it.
    #[error("there are {found} “{letter}” on the board and in hand; the game has {expected}")]
    TooMany {
        /// The kind of piece.
        letter: char,
        /// How many there are.
        found: usize,
        /// How many there may be.
        expected: usize,
    },
    /// A piece is neither on the board nor in hand.
    #[error("there are {found} “{letter}” on the board and in hand; the game has {expected}")]
    TooFew {
        /// The kind of piece.
        letter: char,
        /// How many there are.
        found: usize,
        /// How many there must be.
        expected: usize,
    },
    /// A side has too few pieces for a line.
    #[error("{side} has only {found} pieces, but a line needs {expected}")]
    NoLinePossible {
        /// The owner of the pieces.
        side: Side,
        /// How many there are.
        found: usize,
        /// How many there must be at least.
        expected: usize,
    },
    /// Gravity would have pulled the piece down.
    #[error("the piece on {0} floats; pieces rest on the bottom or on another piece")]
    Floating(Cell),
    /// The game would have ended earlier.
    #[error(
        "no last move can have made the winning lines; one piece of the side that has just moved must complete them all"
    )]
    EndedBefore,
    /// The game writes the pieces in hand after the board.
    #[error("the pieces in hand are missing; write them in brackets after the board, [] if there are none")]
    NoHand,
    /// The game has no pieces in hand.
    #[error("this game has no pieces in hand; leave the brackets out")]
    UnexpectedHand,
}

/// Reads a position of the same size as `board`.
pub(crate) fn parse<B: Board>(board: &B, text: &str) -> Result<Setup, SetupError> {
    read(board.rows(), board.cols(), B::writes_hand(), text)
}

fn read(rows: u8, cols: u8, writes_hand: bool, text: &str) -> Result<Setup, SetupError> {
    let form = || SetupError::Form(excerpt(text));
    let mut words = text.split_ascii_whitespace();
    let (Some(placement), Some(turn), None) = (words.next(), words.next(), words.next()) else {
        return Err(form());
    };
    let turn = match turn {
        "w" => Side::First,
        "b" => Side::Second,
        _ => return Err(form()),
    };
    let (placement, hand) = match placement.split_once('[') {
        None => (placement, None),
        Some((placement, rest)) => (placement, Some(rest.strip_suffix(']').ok_or_else(form)?.to_owned())),
    };
    match (writes_hand, &hand) {
        (true, None) => return Err(SetupError::NoHand),
        (false, Some(_)) => return Err(SetupError::UnexpectedHand),
        _ => {}
    }
    let found = placement.split('/').count();
    if found != usize::from(rows) {
        return Err(SetupError::Rows { found, expected: rows });
    }
    let mut letters = Vec::new();
    for (row, text) in (0..rows).rev().zip(placement.split('/')) {
        let mut column = 0_usize;
        let mut empty = 0_usize;
        for letter in text.chars() {
            if let Some(digit) = letter.to_digit(10) {
                empty = empty * 10 + digit as usize;
                if empty == 0 || empty > usize::from(u8::MAX) {
                    return Err(form());
                }
                continue;
            }
            column += std::mem::take(&mut empty);
            if let Some(column) = u8::try_from(column).ok().filter(|&column| column < cols) {
                letters.push((Cell::new(column, row), letter));
            }
            column += 1;
        }
        let found = column + empty;
        if found != usize::from(cols) {
            return Err(SetupError::Columns { row: row + 1, found, expected: cols });
        }
    }
    Ok(Setup { letters, hand, turn })
}

/// Writes a position down.
///
/// ```
/// assert_eq!(alinea_rules::written(&alinea_rules::TicTacToe::default()), "3/3/3 w");
/// ```
#[must_use]
pub fn written<B: Board>(board: &B) -> String {
    written_as(board, false)
}

/// Writes a position down, with the pieces and the turn of each side as the other's if `exchanged`.
pub(crate) fn written_as<B: Board>(board: &B, exchanged: bool) -> String {
    let seen = |side: Side| if exchanged { side.other() } else { side };
    let hands = B::writes_hand().then(|| Side::BOTH.map(|side| board.hand(seen(side))));
    let pieces = |cell| board.piece(cell).map(|piece| Piece { side: seen(piece.side), ..piece });
    write(B::info(), board.rows(), board.cols(), &pieces, hands, seen(board.turn()))
}

fn write(
    info: &GameInfo,
    rows: u8,
    cols: u8,
    pieces: &dyn Fn(Cell) -> Option<Piece>,
    hands: Option<[Vec<(Kind, u16)>; 2]>,
    turn: Side,
) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for cell in reading_order(rows, cols) {
        let piece = pieces(cell);
        let row_ends = cell.column + 1 == cols;
        empty += u32::from(piece.is_none());
        if empty > 0 && (piece.is_some() || row_ends) {
            text += &std::mem::take(&mut empty).to_string();
        }
        text.extend(piece.map(|piece| letter(info, piece)));
        if row_ends && cell.row > 0 {
            text.push('/');
        }
    }
    if let Some(hands) = hands {
        text.push('[');
        for (side, hand) in Side::BOTH.into_iter().zip(hands) {
            for (kind, count) in hand {
                let letter = letter(info, Piece { side, kind });
                text.extend(std::iter::repeat_n(letter, usize::from(count)));
            }
        }
        text.push(']');
    }
    text.push(' ');
    text.push(turn.letter());
    text
}

fn letters(allowed: &[char]) -> String {
    let letters: Vec<_> = allowed.iter().map(ToString::to_string).collect();
    and(&letters.iter().map(String::as_str).collect::<Vec<_>>())
}

/// The letter of a piece of the game.
fn letter(info: &GameInfo, piece: Piece) -> char {
    let info = info.piece(piece.kind).expect("a game describes all its pieces");
    info.letters[piece.side.index()]
}

/// The piece that a letter stands for in a game.
pub(crate) fn piece_of(info: &GameInfo, letter: char) -> Result<Piece, SetupError> {
    let allowed = || {
        Side::BOTH
            .into_iter()
            .flat_map(|side| info.pieces.iter().map(move |piece| piece.letters[side.index()]))
    };
    info.piece_of(letter).ok_or_else(|| SetupError::Letter { letter, allowed: allowed().collect() })
}

/// Checks that the numbers of pieces fit the side to move.
pub(crate) fn check_turn(first: usize, second: usize, turn: Side) -> Result<(), SetupError> {
    let ahead = match turn {
        Side::First => 0,
        Side::Second => 1,
    };
    if first == second + ahead { Ok(()) } else { Err(SetupError::Counts { first, second, turn }) }
}
