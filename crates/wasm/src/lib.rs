//! Alinea without a server: rules, players, solver, assessments, reviews and local tables in WebAssembly.
//!
//! One function does everything: [`Core::ask`] takes a [`Request`] as JSON and returns a response as JSON, in the forms
//! of `protocol`: `{"ok": …}`, or `{"error": {"code", "message"}}`. Intermediate results, such as the moves of a review,
//! are reported before the response. A core handles one request at a time: a page loads it in several workers, and stops
//! a search by terminating its worker.

#[cfg(target_arch = "wasm32")]
mod abi;
mod core;
mod puzzles;
mod request;
mod response;
mod skills;
mod tables;
mod think;

pub use crate::core::{Core, Host};
pub use puzzles::{File, PersonRating, PuzzleRequest};
pub use request::Request;
pub use skills::SkillsRequest;
