//! The rules of four alignment games: tic-tac-toe, Connect Four, Simplexity and ChessFive.
//!
//! Pure: no input or output, no clock, no threads, no randomness. A [`Position`] is a small value that
//! knows whose turn it is, what may be played and whether the game is over; a [`Game`] is its course;
//! an [`AnyGame`] is one of whatever kind, made from a [`Spec`] such as `connect-four:6x7x4`.

mod any;
mod bits;
mod cell;
mod chess_five;
mod connect_four;
mod game;
pub mod game_text;
mod geometry;
mod gravity;
mod notation;
mod outcome;
mod position;
pub mod runs;
mod side;
mod simplexity;
mod spec;
mod tic_tac_toe;
mod view;

#[doc(hidden)]
pub use any::AnyKind;
pub use any::{AnyGame, Huge, Large, Medium, MoveError, Small, Standard};
pub use bits::{Bits, Wide};
pub use cell::{Cell, NoCell, column_letters};
pub use chess_five::{ChessFive, ChessFiveMove, Chessboard, Chessman, members};
pub use connect_four::ConnectFour;
pub use game::Game;
pub use geometry::{Custom, Fixed, Geometry, Size, SizeError};
pub use gravity::Column;
pub use notation::{Setup, SetupError, written};
pub use outcome::Outcome;
pub use position::{Illegal, Move, ParseMoveError, PlayError, Position, excerpt, perft};
pub use runs::Direction;
pub use side::Side;
pub use simplexity::{Drop, Shape, Simplexity};
pub use spec::{Spec, SpecError};
pub use tic_tac_toe::{Mark, TicTacToe};
pub use view::{Board, Choice, Kind, Piece, View};
