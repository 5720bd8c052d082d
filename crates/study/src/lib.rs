//! Analysis of positions, reviews of games and opening books for alignment games.
//!
//! # Features
//! - `serde`: analyses and reviews implement `serde::Serialize`.

pub mod analysis;
pub mod book;
pub mod review;
