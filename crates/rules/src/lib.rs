//! The rules of alignment games: tic-tac-toe, Connect Four, Simplexity, ChessFive, Gomoku, PopOut.
//!
//! Pure: no input or output, no clock, no threads, no randomness. A [`Position`] is a small value that
//! knows whose turn it is, which moves are legal and whether the game is over. A [`Game`] adds the history.
//! An [`AnyGame`] is a game of any kind, made from a [`Spec`] such as `connect-four:6x7x4`.
//!
//! ```
//! use alinea_rules::{AnyGame, GAMES, Outcome, Side, Spec};
//!
//! let mut game = AnyGame::from("connect-four:6x7x4".parse::<Spec>().unwrap());
//! game.play_all("4 4 5 5 6 6 7").unwrap();
//! assert_eq!(game.outcome(), Some(Outcome::Win(Side::First)));
//! assert!(GAMES.iter().any(|info| info.id == "connect-four"));
//! ```
//!
//! # Features
//! - `serde`: types with a JSON form implement serde's traits. Cells, outcomes and specs are text there.
//! - `schema`: types with a JSON form implement the traits of `ts-rs` and `utoipa`, which describe that form.
//! - `dummy`: adds a tiny game to the table, for tests of code that lists games.

// First: the modules below call its macro `with_game`, which is in textual scope only.
#[macro_use]
mod games;

mod any;
mod any_position;
mod bits;
mod cell;
pub mod chess_five;
pub mod connect_four;
#[cfg(feature = "dummy")]
pub mod dummy;
mod game;
pub mod game_text;
mod geometry;
pub mod gomoku;
mod gravity;
mod info;
mod mark;
mod notation;
mod opening;
mod outcome;
mod piece;
pub mod popout;
mod position;
pub mod runs;
#[cfg(feature = "serde")]
mod serde_text;
mod side;
pub mod simplexity;
mod spec;
mod stones;
pub mod tic_tac_toe;
mod view;

pub use any::{AnyGame, MoveError};
pub use any_position::AnyPosition;
pub use bits::{Bits, Wide};
pub use cell::{Cell, NoCell, column_letters};
pub use chess_five::{ChessFive, ChessFiveMove, Chessboard, Chessman, members};
pub use connect_four::ConnectFour;
pub use game::Game;
#[doc(hidden)]
pub use games::AnyKind;
pub use games::{GAMES, Spec};
pub use geometry::{Custom, Fixed, Geometry, Huge, Large, Medium, Size, SizeError, Small, Standard};
pub use gravity::Column;
pub use info::{Bounds, CellStyle, Coordinates, GameInfo, PhaseInfo, PieceInfo, SideInfo, SizeInfo};
pub use mark::Mark;
pub use notation::{Setup, SetupError, written};
pub use opening::{Opening, OpeningView, Stage, Word};
pub use outcome::Outcome;
pub use piece::{Kind, Piece};
pub use popout::{PopOut, PopOutMove};
pub use position::{Foul, Illegal, Move, ParseMoveError, PlayError, Position, excerpt, perft};
pub use runs::Direction;
pub use side::Side;
pub use simplexity::{Drop, Shape, Simplexity};
pub use spec::{Options, SpecError};
pub use tic_tac_toe::TicTacToe;
pub use view::{Board, Choice, Forbidden, View};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
