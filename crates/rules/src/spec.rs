//! Game specs: `connect-four:6x7x4` names a game and its options in commands, URLs, messages and exports.
//! Each game's file defines its options; this file holds what they share.

use std::{
    fmt::{self, Debug},
    hash::Hash,
};

use thiserror::Error;

use crate::{Opening, Size, SizeError, info::GameInfo, position::excerpt};

/// The options of a game: its size and anything else that can be chosen. `Display` writes what follows the
/// id, including the colon; reading it gives the same options.
pub trait Options: Copy + Eq + Hash + Debug + fmt::Display + Send + Sync + 'static {
    /// A game on any of the board types that the options can select.
    type Boards: Clone + Debug;

    /// The description of the game.
    fn info() -> &'static GameInfo;

    /// Reads what follows the id and the colon, `None` for the id alone. Returns `None` if the text does not
    /// have the form of the game.
    ///
    /// # Errors
    /// If the form is right and a number is out of its limits.
    fn read(options: Option<&str>) -> Result<Option<Self>, SpecError>;

    /// A game at its start, on the fastest board type for the options.
    fn boards(self) -> Self::Boards;

    /// The id of the rule set, in games with several.
    fn rule_set(self) -> Option<&'static str> {
        None
    }

    /// How the game begins.
    fn opening(self) -> Opening {
        Opening::Free
    }

    /// The same with another opening, one of [`GameInfo::openings`].
    ///
    /// # Errors
    /// If it does not fit the other options.
    fn with_opening(self, _opening: Opening) -> Result<Self, SpecError> {
        Ok(self)
    }

    /// The same with the usual rule set.
    #[must_use]
    fn with_usual_rules(self) -> Self {
        self
    }
}

/// Defines `Options` for a game that has none, and so has one board type.
macro_rules! no_options {
    ($Game:ident) => {
        /// The game has no options.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
        pub struct Options;

        impl std::fmt::Display for Options {
            fn fmt(&self, _: &mut std::fmt::Formatter) -> std::fmt::Result {
                Ok(())
            }
        }

        impl $crate::spec::Options for Options {
            type Boards = $crate::Game<$Game>;

            fn info() -> &'static $crate::GameInfo {
                &INFO
            }

            fn read(options: Option<&str>) -> Result<Option<Self>, $crate::SpecError> {
                Ok(options.is_none().then_some(Self))
            }

            fn boards(self) -> Self::Boards {
                $crate::Game::new($Game::default())
            }
        }
    };
}
pub(crate) use no_options;

/// Evaluates an expression with the typed game, for games with one board type.
#[doc(hidden)]
#[macro_export]
macro_rules! with_one_board {
    ($boards:expr, $game:ident => $body:expr) => {{
        let $game = $boards;
        $body
    }};
}

/// Why a spec was refused.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum SpecError {
    /// There is no such game.
    #[error("there is no game “{given}”; games are {}", and(.games))]
    UnknownGame {
        /// The name that was given, cut if it is long.
        given: String,
        /// The ids of all games.
        games: &'static [&'static str],
    },
    /// The options do not have the form of the game.
    #[error("“{text}” is not a game of {}; expected {}", .game.id, expected(.game))]
    Form {
        /// What was given, cut if it is long.
        text: String,
        /// The game it named.
        game: &'static GameInfo,
    },
    /// The board cannot have this size.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// The rule set demands another run.
    #[error("{rules} is played with a run of {run}, not {found}")]
    RunOfRules {
        /// The run asked for.
        found: u8,
        /// The rule set.
        rules: &'static str,
        /// Its run.
        run: u8,
    },
    /// The opening does not fit the other options.
    #[error("{opening} {reason}")]
    Opening {
        /// The opening asked for.
        opening: &'static str,
        /// Why not.
        reason: &'static str,
    },
    /// Too few or too many pieces.
    #[error("a player cannot have {found} pieces; expected {least} to {most}")]
    Pieces {
        /// The requested number.
        found: u64,
        /// The fewest possible.
        least: u16,
        /// The most possible.
        most: u16,
    },
}

fn expected(game: &GameInfo) -> String {
    if game.form == game.id {
        format!("{}, which has no options", game.form)
    } else {
        format!("{}, such as {}", game.form, game.standard)
    }
}

/// A list in words: "a, b and c".
pub(crate) fn and(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [many @ .., last] => format!("{} and {last}", many.join(", ")),
    }
}

/// Reads the options of a spec that names their game.
pub(crate) fn read<O: Options>(spec: &str, options: Option<&str>) -> Result<O, SpecError> {
    O::read(options)?.ok_or_else(|| SpecError::Form { text: excerpt(spec), game: O::info() })
}

/// Reads `ROWSxCOLSxRUN`, and `ROWSxCOLS` where the game has a usual run; nothing at all is the usual size.
pub(crate) fn read_size(info: &GameInfo, options: Option<&str>) -> Result<Option<Size>, SpecError> {
    let Some(options) = options else {
        return Ok(Some(info.size.usual()));
    };
    let size = match numbers(options, 'x').as_deref() {
        Some(&[rows, cols]) if info.size.run_optional => (rows, cols, u32::from(info.size.run.usual)),
        Some(&[rows, cols, run]) => (rows, cols, run),
        _ => return Ok(None),
    };
    Ok(Some(info.size.size(size.0, size.1, size.2)?))
}

/// Writes `:ROWSxCOLSxRUN`.
pub(crate) fn write_size(f: &mut fmt::Formatter, size: Size) -> fmt::Result {
    write!(f, ":{}x{}x{}", size.rows(), size.cols(), size.run())
}

/// Whole numbers without signs.
pub(crate) fn numbers(text: &str, separator: char) -> Option<Vec<u32>> {
    let number =
        |digits: &str| digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok()).flatten();
    text.split(separator).map(number).collect()
}
