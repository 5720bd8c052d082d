//! The rules of four alignment games: tic-tac-toe, Connect Four, Simplexity and ChessFive.
//!
//! Pure: no input or output, no clock, no threads, no randomness. A [`Position`] is a small value that
//! knows whose turn it is, what may be played and whether the game is over; a [`Game`] is its course;
//! an [`AnyGame`] is one of whatever kind, made from a [`Spec`] such as `connect-four:6x7x4`.

mod any;
mod bits;
mod cell;
pub mod chess_five;
pub mod connect_four;
mod game;
pub mod game_text;
mod games;
mod geometry;
mod gravity;
mod info;
mod notation;
mod outcome;
mod piece;
mod position;
pub mod runs;
#[cfg(feature = "serde")]
mod serde_text;
mod side;
pub mod simplexity;
mod spec;
pub mod tic_tac_toe;
mod view;

pub use any::{AnyGame, MoveError};
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
pub use notation::{Setup, SetupError, written};
pub use outcome::Outcome;
pub use piece::{Kind, Piece};
pub use position::{Illegal, Move, ParseMoveError, PlayError, Position, excerpt, perft};
pub use runs::Direction;
pub use side::Side;
pub use simplexity::{Drop, Shape, Simplexity};
pub use spec::{Options, SpecError};
pub use tic_tac_toe::{Mark, TicTacToe};
pub use view::{Board, Choice, View};
