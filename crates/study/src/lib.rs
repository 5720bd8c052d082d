//! Analysis of positions, reviews of games and opening books for alignment games.
//!
//! # Features
//! - `serde`: analyses and reviews implement `serde::Serialize`.

pub mod analysis;
pub mod book;
pub mod review;

pub use players;
pub use rules;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
