//! `chess-five`: the ChessFive player of three levels, with its evaluation, search and opening book.

pub mod book;
mod evaluation;
mod levels;
mod search;
mod threats;

pub use levels::look_ahead;
pub(crate) use levels::{ChessFiveLevel, ChessFiveSearch, Level};
pub(crate) use threats::threats;
