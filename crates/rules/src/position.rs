//! The trait of all games: a position that knows whose turn it is, which moves are legal and whether the
//! game is over.

use std::{
    fmt::{self, Debug, Display, Formatter},
    hash::Hash,
    str::FromStr,
};

use thiserror::Error;

use crate::{Cell, Column, Kind, Outcome, Side, column_letters};

/// A move: a small value that prints and parses without a board.
pub trait Move:
    Copy + Eq + Hash + Debug + Display + FromStr<Err = ParseMoveError> + Send + Sync + 'static
{
}

/// A position of a game; also its rules.
pub trait Position: Clone + Eq + Hash + Debug + Send + Sync + 'static {
    /// How a move of this game is written down.
    type Move: Move;

    /// The side to move, or that would be if the game were not over.
    fn turn(&self) -> Side;

    /// How the game ended, if it has.
    fn outcome(&self) -> Option<Outcome>;

    /// The legal moves: none exactly when the game is over.
    fn legal_moves(&self) -> impl Iterator<Item = Self::Move>;

    /// Checks a move in a game that is not over.
    ///
    /// # Errors
    /// The rule that the move breaks.
    fn check(&self, m: Self::Move) -> Result<(), Illegal>;

    /// Plays a move that the caller knows to be legal; anything else leaves a meaningless position.
    fn play_unchecked(&mut self, m: Self::Move);

    /// A hash of everything that decides how the game can continue, except history: equal positions have
    /// equal keys.
    fn key(&self) -> u64;

    /// The number of moves from the start of the game.
    fn ply(&self) -> u16;

    /// How often this position must have occurred for a draw, in games with such a rule.
    fn draws_when_seen(&self) -> Option<usize> {
        None
    }

    /// The number of legal moves, which some games know without listing them.
    fn legal_count(&self) -> usize {
        self.legal_moves().count()
    }

    // The rest follows from the above and is not meant to be overridden.

    /// Whether a move is legal.
    fn is_legal(&self, m: Self::Move) -> bool {
        self.outcome().is_none() && self.check(m).is_ok()
    }

    /// Plays a move.
    ///
    /// # Errors
    /// If it is not legal; the position is then unchanged.
    fn play(&mut self, m: Self::Move) -> Result<(), PlayError> {
        if let Some(outcome) = self.outcome() {
            return Err(PlayError::GameOver(outcome));
        }
        self.check(m)?;
        self.play_unchecked(m);
        Ok(())
    }

    /// The position after a legal move.
    #[inline]
    #[must_use]
    fn after(&self, m: Self::Move) -> Self {
        let mut next = self.clone();
        next.play_unchecked(m);
        next
    }
}

/// The number of move sequences of this length, not continued after the end of a game.
#[must_use]
pub fn perft<P: Position>(position: &P, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.legal_count() as u64,
        _ => {
            // Not `after`, whose result would be copied once more.
            let count_after = |m| {
                let mut next = position.clone();
                next.play_unchecked(m);
                perft(&next, depth - 1)
            };
            position.legal_moves().map(count_after).sum()
        }
    }
}

/// The text is not a move of the game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("“{text}” is not a move; expected {expected}")]
pub struct ParseMoveError {
    /// What was given, cut if it is long.
    pub text: String,
    /// The form of a move.
    pub expected: &'static str,
}

impl ParseMoveError {
    pub(crate) fn new(text: &str, expected: &'static str) -> Self {
        Self { text: excerpt(text), expected }
    }
}

/// The first forty characters of a text, to quote them in a message. Control characters and line breaks are
/// escaped.
#[must_use]
pub fn excerpt(text: &str) -> String {
    let mut quoted = String::new();
    for (i, c) in text.chars().enumerate() {
        match c {
            _ if i == 40 => {
                quoted.push('…');
                break;
            }
            '\'' | '"' | '\\' => quoted.push(c),
            _ => quoted.extend(c.escape_debug()),
        }
    }
    quoted
}

/// Why a move was refused.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum PlayError {
    /// The game has ended.
    #[error("the game is over ({}); no move can follow", match .0 { Outcome::Win(side) => format!("{side} has won"), Outcome::Draw => "a draw".to_owned() })]
    GameOver(Outcome),
    /// The move breaks a rule.
    #[error(transparent)]
    Illegal(#[from] Illegal),
}

/// The rule that a move breaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum Illegal {
    /// The board is not that wide.
    #[error("there is no column {column}; columns are 1 to {cols}")]
    NoSuchColumn {
        /// The column asked for.
        column: Column,
        /// How many there are.
        cols: u8,
    },
    /// Nothing can fall into a full column.
    #[error("column {0} is full; choose one with an empty cell")]
    ColumnFull(Column),
    /// The same where moves name columns by letters.
    #[error("column {} is full; choose one with an empty cell", column_letters(*.0))]
    LetteredColumnFull(u8),
    /// PopOut: the column is empty.
    #[error("column {0} is empty; there is no piece to take out")]
    NothingToPop(Column),
    /// PopOut: the lowest piece belongs to the opponent.
    #[error("the lowest piece of column {0} is your opponent's; take out one of yours, or drop a piece")]
    NotYoursToPop(Column),
    /// The board has no such cell.
    #[error("there is no cell {cell}; cells are a1 to {last}")]
    NoSuchCell {
        /// The cell asked for.
        cell: Cell,
        /// The top right cell.
        last: Cell,
    },
    /// Another piece is there.
    #[error("cell {0} is taken; choose an empty one")]
    Occupied(Cell),
    /// All pieces of this kind are on the board.
    #[error("no {0} is left in hand; choose another piece")]
    NoneInHand(Kind),
    /// ChessFive: pieces are dropped before they move.
    #[error("there are pieces in hand; drop one, such as {0}@d")]
    DropFirst(Kind),
    /// ChessFive: all pieces are on the board.
    #[error("all pieces are on the board; move one, such as d1d5")]
    NothingToDrop,
    /// There is nothing to move on this cell.
    #[error("cell {0} is empty; name the cell of one of your pieces first")]
    NoPiece(Cell),
    /// The piece belongs to the opponent.
    #[error("the piece on {0} is your opponent's; name the cell of one of your pieces first")]
    NotYours(Cell),
    /// The piece does not move so, or something is in its way.
    #[error("the {kind} on {from} cannot reach {to}; it moves as in chess and only the knight jumps")]
    Unreachable {
        /// What stands on `from`.
        kind: Kind,
        /// Where it is.
        from: Cell,
        /// Where it was to go.
        to: Cell,
    },
    /// Renju: the first player must not do this.
    #[error("a stone on {cell} makes {foul}, which the first player must not do; choose another cell")]
    Foul {
        /// Where the stone was to go.
        cell: Cell,
        /// What it would make there.
        foul: Foul,
    },
    /// The opening does not offer this choice now.
    #[error("“{0}” cannot be chosen now; it is a choice of the opening")]
    NotOffered(&'static str),
    /// The opening demands a choice before the next move on the board.
    #[error("choose first: {0}")]
    ChooseFirst(&'static str),
    /// A rule of a game outside this crate; the text says what would be legal.
    #[error("{0}")]
    Other(&'static str),
}

/// What a stone must not make, in rule sets that take the advantage of the first move away.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub enum Foul {
    /// A line longer than a run.
    Overline,
    /// Two fours at once.
    DoubleFour,
    /// Two open threes at once.
    DoubleThree,
}

impl Foul {
    /// Its name in message keys.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Overline => "overline",
            Self::DoubleFour => "double-four",
            Self::DoubleThree => "double-three",
        }
    }
}

impl Display for Foul {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        f.write_str(match self {
            Self::Overline => "an overline",
            Self::DoubleFour => "a double four",
            Self::DoubleThree => "a double three",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quoted_text_stays_short_and_on_one_line() {
        assert_eq!(excerpt("d1d5 ○"), "d1d5 ○");
        assert_eq!(excerpt("a\nb\t\u{1b}[2J\u{2028}"), "a\\nb\\t\\u{1b}[2J\\u{2028}");
        assert_eq!(excerpt(&"é".repeat(40)), "é".repeat(40));
        assert_eq!(excerpt(&"é".repeat(41)), "é".repeat(40) + "…");
    }
}
