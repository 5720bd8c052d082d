//! What can be said about positions and games of alignment games: analysis, reviews, opening books.

pub mod analysis;
pub mod book;
pub mod review;
