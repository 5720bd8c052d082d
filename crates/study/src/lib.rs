//! Assessments of positions, reviews of games, puzzles, opening books and data sets for alignment games.
//!
//! # Features
//! - `serde`: assessments, reviews, puzzles and rows of data sets implement serde's traits.
//! - `schema`: assessments, reviews and puzzles implement the traits of `ts-rs` and `utoipa`, which describe their JSON
//!   form.

pub mod assessment;
pub mod book;
pub mod dataset;
pub mod even;
pub mod glicko;
pub mod puzzles;
pub mod ratings;
pub mod review;
pub mod skills;
mod verdict;

pub use players;
pub use rules;
pub use verdict::{Advantage, Verdict};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
