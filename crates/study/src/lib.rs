//! Assessments of positions, reviews of games, puzzles and opening books for alignment games.
//!
//! # Features
//! - `serde`: assessments and reviews implement `serde::Serialize`.

pub mod assessment;
pub mod book;
pub mod dataset;
pub mod glicko;
pub mod puzzles;
pub mod review;
mod verdict;

pub use players;
pub use rules;
pub use verdict::Verdict;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
