//! Programs that choose moves in alignment games, and say why.
//!
//! A [`Player`] plays one kind of game; the [`roster`] makes one by name as a [`Program`] for games of any
//! kind; a [`Seat`] gives it a side of a game. [`search`] finds the best move in a game of your own.
//!
//! No files, no network, no text for people. Seed, clock and threads come from outside as [`Resources`]; [`system`] has
//! those of the operating system, and nothing else in this crate asks it. A [`Stop`] ends a search.
//!
//! # Features
//! - `serde`: thoughts and reasons implement serde's traits.
//! - `schema`: they implement the traits of `ts-rs` and `utoipa`, which describe their JSON form.
//! - `dummy`: the tiny game of `rules` that only tests switch on.

mod any_size;
pub mod classic;
mod control;
pub mod engine;
mod entry;
mod eval;
pub mod forcing;
mod level;
pub mod network;
mod opening;
pub mod perfect;
mod player;
mod program;
mod reason_samples;
pub mod roster;
#[cfg(test)]
mod samples;
pub mod search;
mod seat;
pub mod sort;
#[cfg(not(target_family = "wasm"))]
pub mod system;
mod thought;

pub use control::{Clock, NoClock, Resources, Stop, Stopped, share_of_clock};
pub use eval::book as engine_book;
pub use network::{Network, NetworkError};
pub use player::{NoMove, Player};
pub use program::Program;
pub use rules;
pub use seat::{Event, Seat};
pub use solver::{SingleThread, StopSignal, Threads};
pub use thought::{CellIndex, Change, Proof, Proven, Reason, Term, Thought};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
