//! `chess-five`: the ChessFive player of three levels, with its evaluation, search and opening book.

pub mod book;
mod evaluation;
mod levels;
mod look_ahead;
mod search;
mod threats;

pub(crate) use levels::{ChessFiveLevel, ChessFiveSearch, Level};
pub use look_ahead::look_ahead;
pub(crate) use threats::threats;
