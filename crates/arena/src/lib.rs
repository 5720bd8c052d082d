//! Matches and tournaments of programs, written in any language, with honest verdicts.
//!
//! A [`Contestant`] is a player of ours or a program that speaks UGI ([`ugi`]); a [`bout`] is one game of
//! two of them; a [`Tournament`] is held by [`run::run`], which writes each finished game into a
//! [`journal`] before it counts; a [`Report`] tells what came out.

pub mod bout;
mod contestant;
pub mod elo;
mod external;
mod fault;
mod html;
pub mod journal;
mod limits;
pub mod openings;
mod process;
pub mod rating;
pub mod record;
mod report;
pub mod run;
pub mod schedule;
pub mod sprt;
pub mod standings;
pub mod tournament;
pub mod ugi;

pub use contestant::{Contestant, ContestantError, Kind};
pub use external::{Answer, External};
pub use fault::{Failure, Fault};
pub use journal::Journal;
pub use limits::Limits;
pub use openings::{AnyGameText, Openings, OpeningsError};
pub use process::{Complaints, Usage};
pub use record::{Record, Slot};
pub use report::Report;
pub use tournament::{Settings, Tournament};
