//! Pairings and rankings of tournaments, for programs and for people. Pure: results in, pairings and ranks
//! out; the arena and the server play the games.

#[cfg(feature = "people")]
pub mod people;
pub mod ranking;
pub mod report;
pub mod schedule;

pub use ranking::{GameScore, Points, Ranked, Tally, TieBreak, rank};
pub use report::Report;
pub use schedule::{Format, NextRound, PairingResult, Round};
