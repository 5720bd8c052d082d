//! Alinea without a server: rules, players, solver, assessments, reviews and local tables in WebAssembly.
//!
//! Everything is asked by one function, [`Core::ask`], with a [`Question`] as JSON, and answered as JSON in the forms of
//! `protocol`: `{"ok": …}`, or `{"error": {"code", "message"}}`. What comes before the answer, such as the moves of a
//! review, is reported on the way. One core does one thing at a time: a page loads it in several workers,
//! and stops a search by ending its worker.

#[cfg(target_arch = "wasm32")]
mod abi;
mod answer;
mod core;
mod puzzles;
mod question;
mod tables;
mod think;

pub use crate::core::{Core, Host};
pub use puzzles::{File, PersonRating, PuzzleQuestion};
pub use question::Question;
