//! Matches and tournaments of programs, written in any language, with honest verdicts.
//!
//! A [`Contestant`] is a player of ours or a program that speaks UGI ([`ugi`]); a [`bout`] is one game of
//! two of them.

pub mod bout;
mod contestant;
pub mod elo;
mod external;
mod fault;
mod limits;
mod process;
pub mod rating;
pub mod sprt;
pub mod ugi;

pub use contestant::{Contestant, ContestantError, Kind};
pub use external::{Answer, External};
pub use fault::{Failure, Fault};
pub use limits::Limits;
pub use process::{Complaints, Usage};
