//! Game specs: `connect-four:6x7x4` names a game and its options, everywhere the same.

use std::{fmt, str::FromStr};

use serde::{Serialize, Serializer};
use thiserror::Error;

use crate::{Size, SizeError, position::excerpt};

/// Which game, with all its options.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Spec {
    /// Three in a line on 3 × 3 cells.
    TicTacToe,
    /// Falling pieces on a board of any size.
    ConnectFour(Size),
    /// Falling pieces of two shapes on a board of any size.
    Simplexity {
        /// The board.
        size: Size,
        /// Round and square pieces per player.
        pieces: [u16; 2],
    },
    /// Dropped chess pieces that then move, on 8 × 8 cells.
    ChessFive,
}

/// Why a spec was refused.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SpecError {
    /// Nobody knows this game.
    #[error("there is no game “{0}”: games are tic-tac-toe, connect-four, simplexity and chess-five")]
    UnknownGame(String),
    /// The options are not written as the game wants them.
    #[error("“{text}” is no {game}: write {expected}")]
    Form {
        /// What was given.
        text: String,
        /// The game it named.
        game: &'static str,
        /// What would be right.
        expected: &'static str,
    },
    /// The board cannot have this size.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// Simplexity wants room for a run.
    #[error("a run of {run} does not fit a board of {rows}x{cols}: choose a shorter run or a larger board")]
    RunTooLong {
        /// How many in a line win.
        run: u8,
        /// The number of rows.
        rows: u8,
        /// The number of columns.
        cols: u8,
    },
    /// Too few or too many pieces.
    #[error("a player cannot have {0} pieces: 1 to {max} are possible", max = Spec::MAX_PIECES)]
    Pieces(u64),
}

impl Spec {
    /// The standard form of each game.
    pub const STANDARD: [&str; 4] =
        ["tic-tac-toe", "connect-four:6x7x4", "simplexity:6x7x4:10+11", "chess-five"];

    /// The most pieces a player of Simplexity may have: more would not fit the largest board.
    pub const MAX_PIECES: u16 = Size::MAX_SIDE as u16 * Size::MAX_SIDE as u16;

    /// The name of the game without options.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::TicTacToe => "tic-tac-toe",
            Self::ConnectFour(_) => "connect-four",
            Self::Simplexity { .. } => "simplexity",
            Self::ChessFive => "chess-five",
        }
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())?;
        if let Self::ConnectFour(size) | Self::Simplexity { size, .. } = self {
            write!(f, ":{}x{}x{}", size.rows(), size.cols(), size.run())?;
        }
        if let Self::Simplexity { pieces: [round, square], .. } = self {
            write!(f, ":{round}+{square}")?;
        }
        Ok(())
    }
}

impl Serialize for Spec {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let (name, options) = match text.split_once(':') {
            Some((name, options)) => (name, Some(options)),
            None => (text, None),
        };
        let form = |game, expected| SpecError::Form { text: excerpt(text), game, expected };
        match name {
            "tic-tac-toe" if options.is_none() => Ok(Self::TicTacToe),
            "tic-tac-toe" => Err(form("tic-tac-toe", "tic-tac-toe, which has no options")),
            "chess-five" if options.is_none() => Ok(Self::ChessFive),
            "chess-five" => Err(form("chess-five", "chess-five, which has no options")),
            "connect-four" => {
                let form = || form("connect-four", "connect-four:ROWSxCOLS or connect-four:ROWSxCOLSxRUN, such as connect-four:8x9x5");
                let numbers = numbers(options.unwrap_or("6x7x4"), 'x').ok_or_else(form)?;
                let size = match numbers[..] {
                    [rows, cols] => Size::new(rows, cols, 4)?,
                    [rows, cols, run] => Size::new(rows, cols, run)?,
                    _ => return Err(form()),
                };
                Ok(Self::ConnectFour(size))
            }
            "simplexity" => parse_simplexity(options.unwrap_or("6x7x4"))?.ok_or_else(|| {
                form(
                    "simplexity",
                    "simplexity:ROWSxCOLSxRUN or simplexity:ROWSxCOLSxRUN:ROUND+SQUARE, such as simplexity:8x9x5:18+18",
                )
            }),
            _ => Err(SpecError::UnknownGame(excerpt(name))),
        }
    }
}

/// `None` if the options have another form.
fn parse_simplexity(options: &str) -> Result<Option<Spec>, SpecError> {
    let (size, pieces) = match options.split_once(':') {
        Some((size, pieces)) => (size, Some(pieces)),
        None => (options, None),
    };
    let Some(&[rows, cols, run]) = numbers(size, 'x').as_deref() else {
        return Ok(None);
    };
    let size = Size::new(rows, cols, run)?;
    if size.run() > size.rows().max(size.cols()) {
        return Err(SpecError::RunTooLong { run: size.run(), rows: size.rows(), cols: size.cols() });
    }
    let [round, square] = match pieces.map(|pieces| numbers(pieces, '+')) {
        Some(Some(pieces)) => match pieces[..] {
            [round, square] => [round, square],
            _ => return Ok(None),
        },
        Some(None) => return Ok(None),
        None => {
            // Enough for half the board each, the odd piece being square.
            let each = (u32::from(size.rows()) * u32::from(size.cols())).div_ceil(2);
            [each / 2, each.div_ceil(2)]
        }
    };
    let sum = u64::from(round) + u64::from(square);
    match (u16::try_from(round), u16::try_from(square)) {
        (Ok(round), Ok(square)) if (1..=u64::from(Spec::MAX_PIECES)).contains(&sum) => {
            Ok(Some(Spec::Simplexity { size, pieces: [round, square] }))
        }
        _ => Err(SpecError::Pieces(sum)),
    }
}

/// Whole numbers without signs.
fn numbers(text: &str, separator: char) -> Option<Vec<u32>> {
    let number =
        |digits: &str| digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok()).flatten();
    text.split(separator).map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs_round_trip() {
        for spec in ["connect-four:64x64x16", "simplexity:9x37x5:83+84", "simplexity:6x7x4:0+1"] {
            assert_eq!(spec.parse::<Spec>().unwrap().to_string(), spec);
        }
        for spec in Spec::STANDARD {
            assert_eq!(spec.parse::<Spec>().unwrap().to_string(), spec);
            assert_eq!(spec.split(':').next().unwrap().parse::<Spec>().unwrap().to_string(), spec);
        }
        assert_eq!("connect-four:8x9".parse::<Spec>().unwrap().to_string(), "connect-four:8x9x4");
    }

    #[test]
    fn pieces_fill_the_board_unless_stated() {
        for (given, whole) in [
            ("simplexity:9x37x5", "simplexity:9x37x5:83+84"),
            ("simplexity:5x5x4", "simplexity:5x5x4:6+7"),
            ("simplexity:4x4x3", "simplexity:4x4x3:4+4"),
        ] {
            assert_eq!(given.parse::<Spec>().unwrap().to_string(), whole);
        }
    }

    #[test]
    fn refusals_say_what_would_be_right() {
        for (spec, message) in [
            ("", "there is no game “”: games are tic-tac-toe, connect-four, simplexity and chess-five"),
            ("chess-five:8x8", "“chess-five:8x8” is no chess-five: write chess-five, which has no options"),
            ("connect-four:0x7", "a board cannot have 0 rows: 1 to 64 are possible"),
            ("connect-four:6x65", "a board cannot have 65 columns: 1 to 64 are possible"),
            ("connect-four:6x7x2", "a run of 2 cannot win: 3 to 16 in a line are possible"),
            ("connect-four:6x7x9999999", "a run of 9999999 cannot win: 3 to 16 in a line are possible"),
            (
                "connect-four:6x-7",
                "“connect-four:6x-7” is no connect-four: write connect-four:ROWSxCOLS or connect-four:ROWSxCOLSxRUN, such as connect-four:8x9x5",
            ),
            (
                "simplexity:3x3x4",
                "a run of 4 does not fit a board of 3x3: choose a shorter run or a larger board",
            ),
            ("simplexity:6x7x4:0+0", "a player cannot have 0 pieces: 1 to 4096 are possible"),
        ] {
            assert_eq!(spec.parse::<Spec>().unwrap_err().to_string(), message);
        }
    }
}
