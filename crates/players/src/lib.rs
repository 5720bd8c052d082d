//! Programs that choose moves in alignment games, and say why.
//!
//! A [`Player`] plays one kind of game; the [`roster`] makes one by name as a [`Program`] for games of
//! whatever kind; a [`Seat`] gives it a side of a game. No files, no network, no words for people: the
//! random source is seeded from outside, and a [`Stop`] ends a search.

pub mod analysis;
pub mod chess_five;
mod choice_index;
mod deadline;
mod engine;
mod greedy;
mod level;
mod oizys;
mod oxo;
mod perfect;
mod player;
mod random;
pub mod review;
pub mod roster;
mod seat;
mod smart;
mod tic_tac_toe_lines;

pub use deadline::{share_of_clock, within};
pub use engine::book as engine_book;
pub use player::{CellIndex, Change, NoMove, Player, Proof, Proven, Reason, Stop, Stopped, Term, Thought};
pub use roster::Program;
pub use seat::{Event, Seat};
