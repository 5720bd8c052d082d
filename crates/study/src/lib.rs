//! Assessments of positions, reviews of games, puzzles, opening books and data sets for alignment games.
//!
//! # Features
//! - `serde`: assessments and reviews implement `serde::Serialize`, rows of data sets `serde::Deserialize` too.

pub mod assessment;
pub mod book;
pub mod dataset;
pub mod glicko;
pub mod puzzles;
pub mod review;
mod verdict;

pub use players;
pub use rules;
pub use verdict::{Advantage, Verdict};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
