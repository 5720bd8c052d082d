//! The table of games: one entry each. Everything that must know all games is generated from it, here.

use std::{fmt, str::FromStr};

#[cfg(feature = "dummy")]
use crate::dummy;
use crate::{
    Opening, chess_five, connect_four, gomoku,
    info::GameInfo,
    popout,
    position::excerpt,
    simplexity,
    spec::{self, Options, SpecError},
    tic_tac_toe,
};

/// Expands the table. An entry has a description, the name of the game in types, its module, and its macro
/// that hands out typed games. The first token is the dollar sign, which a macro that defines a macro cannot
/// write itself.
macro_rules! games {
    ($d:tt $($(#[$doc:meta])* $Game:ident($module:ident, $with:ident))*) => {
        /// A game with all its options.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[non_exhaustive]
        pub enum Spec {
            $($(#[$doc])* $Game($module::Options),)*
        }

        /// The games with their board types.
        #[doc(hidden)]
        #[derive(Clone, Debug)]
        pub enum AnyKind {
            $($Game(<$module::Options as Options>::Boards),)*
        }

        /// The descriptions of all games, in the order in which they are listed.
        pub static GAMES: &[&GameInfo] = &[$(&$module::INFO),*];

        /// The ids of all games.
        const IDS: &[&str] = &[$($module::INFO.id),*];

        impl Spec {
            /// The description of the game.
            #[must_use]
            pub fn info(self) -> &'static GameInfo {
                match self {
                    $(Self::$Game(_) => &$module::INFO,)*
                }
            }

            /// The id of its rule set, in games with several: one of [`GameInfo::rule_sets`].
            #[must_use]
            pub fn rule_set(self) -> Option<&'static str> {
                match self {
                    $(Self::$Game(options) => options.rule_set(),)*
                }
            }

            /// How the game begins.
            #[must_use]
            pub fn opening(self) -> Opening {
                match self {
                    $(Self::$Game(options) => options.opening(),)*
                }
            }

            /// The same game with another opening.
            ///
            /// # Errors
            /// If the game has no such opening, or it does not fit the other options.
            pub fn with_opening(self, opening: Opening) -> Result<Self, SpecError> {
                let game = self.info();
                if opening != Opening::Free && !game.openings.contains(&opening.id()) {
                    return Err(SpecError::Form { text: format!("{self}{opening}"), game });
                }
                match self {
                    $(Self::$Game(options) => options.with_opening(opening).map(Self::$Game),)*
                }
            }

            /// The same game with the usual rule set.
            #[must_use]
            pub fn with_usual_rules(self) -> Self {
                match self {
                    $(Self::$Game(options) => Self::$Game(options.with_usual_rules()),)*
                }
            }

            /// A game at its start.
            pub(crate) fn boards(self) -> AnyKind {
                match self {
                    $(Self::$Game(options) => AnyKind::$Game(options.boards()),)*
                }
            }
        }

        impl fmt::Display for Spec {
            fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
                match self {
                    $(Self::$Game(options) => write!(f, "{}{options}{}", $module::INFO.id, options.opening()),)*
                }
            }
        }

        impl FromStr for Spec {
            type Err = SpecError;

            fn from_str(text: &str) -> Result<Self, SpecError> {
                let (plain, opening) = Opening::split(text);
                let (id, options) = match plain.split_once(':') {
                    Some((id, options)) => (id, Some(options)),
                    None => (plain, None),
                };
                $(if id == $module::INFO.id {
                    let spec: Self = spec::read(text, options).map(Self::$Game)?;
                    return spec.with_opening(opening);
                })*
                Err(SpecError::UnknownGame { given: excerpt(id), games: IDS })
            }
        }

        /// Evaluates an expression with the typed [`Game`](crate::Game) in an [`AnyGame`](crate::AnyGame).
        ///
        /// ```
        /// let game: alinea_rules::AnyGame = "chess-five".parse::<alinea_rules::Spec>().unwrap().into();
        /// assert_eq!(alinea_rules::with_game!(&game, game => game.legal_moves().count()), 40);
        /// ```
        #[macro_export]
        macro_rules! with_game {
            (&mut $d any:expr, $d game:ident => $d body:expr) => {
                match &mut $d any.kind {
                    $($crate::AnyKind::$Game(boards) => $crate::$with!(boards, $d game => $d body),)*
                }
            };
            (&$d any:expr, $d game:ident => $d body:expr) => {
                match &$d any.kind {
                    $($crate::AnyKind::$Game(boards) => $crate::$with!(boards, $d game => $d body),)*
                }
            };
        }
    };
}

/// Adds the games that only tests switch on. The feature is checked here, where the table is expanded: inside
/// an exported macro it would be the feature of the crate that calls the macro.
#[cfg(not(feature = "dummy"))]
macro_rules! with_test_games {
    ($($table:tt)*) => { games! { $($table)* } };
}

#[cfg(feature = "dummy")]
macro_rules! with_test_games {
    ($($table:tt)*) => {
        games! {
            $($table)*
            /// A tiny game that shows how little a new game needs.
            Dummy(dummy, with_one_board)
        }
    };
}

with_test_games! { $
    /// Three in a line on 3 × 3 cells.
    TicTacToe(tic_tac_toe, with_one_board)
    /// Falling pieces on a board of any size.
    ConnectFour(connect_four, with_connect_four)
    /// Falling pieces of two shapes on a board of any size.
    Simplexity(simplexity, with_simplexity)
    /// Dropped chess pieces that then move, on 8 × 8 cells.
    ChessFive(chess_five, with_one_board)
    /// Stones on any empty cell of a large board.
    Gomoku(gomoku, with_gomoku)
    /// Falling pieces that can be taken out at the bottom again.
    PopOut(popout, with_one_board)
}

impl Spec {
    /// The id of the game, without options.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.info().id
    }

    /// The form of the game in which games are rated. All rated games of a game count in one list.
    #[must_use]
    pub fn rated(self) -> Self {
        self.info().rated.parse().expect("a rated spec is a spec")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs_round_trip() {
        for spec in ["connect-four:64x64x16", "simplexity:9x37x5:83+84", "simplexity:6x7x4:0+1"] {
            assert_eq!(spec.parse::<Spec>().unwrap().to_string(), spec);
        }
        assert_eq!("connect-four:8x9".parse::<Spec>().unwrap().to_string(), "connect-four:8x9x4");
    }

    #[test]
    fn the_table_describes_each_game() {
        for info in GAMES {
            let standard: Spec = info.standard.parse().unwrap();
            assert_eq!(standard.info(), *info);
            assert_eq!(standard.to_string(), info.standard);
            assert_eq!(info.id.parse(), Ok(standard));
            assert_eq!(info.rated, standard.rated().to_string());
            assert_eq!(!info.suggested.is_empty(), info.size.has_choice(), "{}", info.id);
            assert!(info.suggested.iter().take(1).all(|first| *first == info.standard));
            assert_eq!(standard.rule_set(), info.rule_sets.first().copied(), "{}", info.id);
            for rules in info.rule_sets {
                let spec: Spec = format!("{}:{rules}", info.standard).parse().unwrap();
                assert_eq!((spec.rule_set(), spec.with_usual_rules()), (Some(*rules), standard));
            }
            for spec in info.suggested {
                assert_eq!(spec.parse::<Spec>().unwrap().to_string(), *spec);
            }
            for spec in info.odd {
                assert_eq!(spec.parse::<Spec>().unwrap().info(), *info);
            }
            for piece in info.pieces {
                assert_eq!(info.piece(piece.kind), Some(piece));
            }
            let start = crate::AnyGame::from(standard);
            let size = info.size.usual();
            assert_eq!((start.view().rows, start.view().cols), (size.rows(), size.cols()));
            let hand: Vec<_> =
                info.pieces.iter().filter_map(|piece| Some((piece.kind, piece.count?))).collect();
            assert_eq!(start.view().hands, [hand.clone(), hand], "{}", info.id);
        }
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
            ("", &*format!("there is no game “”; games are {}", spec::and(IDS))),
            (
                "chess-five:8x8",
                "“chess-five:8x8” is not a game of chess-five; expected chess-five, which has no options",
            ),
            ("connect-four:0x7", "a board cannot have 0 rows; expected 1 to 64"),
            ("connect-four:6x65", "a board cannot have 65 columns; expected 1 to 64"),
            ("connect-four:6x7x2", "a run of 2 is not possible; expected 3 to 16"),
            ("connect-four:6x7x9999999", "a run of 9999999 is not possible; expected 3 to 16"),
            (
                "connect-four:6x-7",
                "“connect-four:6x-7” is not a game of connect-four; expected connect-four[:ROWSxCOLS[xRUN]][:OPENING], such as connect-four:6x7x4",
            ),
            (
                "simplexity:3x3x4",
                "a run of 4 does not fit a board of 3x3; choose a shorter run or a larger board",
            ),
            ("simplexity:6x7x4:0+0", "a player cannot have 0 pieces; expected 1 to 4096"),
        ] {
            assert_eq!(spec.parse::<Spec>().unwrap_err().to_string(), message);
        }
    }
}
