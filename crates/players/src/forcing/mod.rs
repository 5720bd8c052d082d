//! Forced wins by forcing moves, proved: what puzzles, hints, reviews and the engine share.
//!
//! [`Forced`] searches positions that implement [`Node`]. A game that knows which moves force anything has a node of its
//! own, such as [`Stones`] for Gomoku; an [`AnyPosition`](rules::AnyPosition) is searched with all its moves.

mod forced;
mod stones;

pub use self::{
    forced::{Forced, Node},
    stones::Stones,
};
