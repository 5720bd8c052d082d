//! Matches and tournaments between programs written in any language, with the statistics to judge them.
//!
//! A [`Contestant`] is a built-in player or an external engine that speaks UGI ([`ugi`]) or, for Gomoku, the protocol of
//! the Gomocup ([`gomocup`]); a [`bout`] is one
//! game between two of them; [`run::run`] plays a [`Tournament`] and writes each finished game to a
//! [`journal`] before it counts; a [`Report`] presents the results.

pub mod adjudication;
mod affinity;
mod answer;
pub mod bout;
pub mod claims;
mod conditions;
mod connection;
mod contestant;
mod dialogue;
mod dirichlet;
pub mod elo;
mod engine;
mod evaluation;
pub mod evidence;
mod external;
mod fault;
mod go;
pub mod gomocup;
mod html;
mod identity;
pub mod import;
pub mod journal;
mod limits;
mod live;
pub mod lottery;
pub mod openings;
mod process;
pub mod rating;
pub mod record;
mod report;
pub mod run;
mod session;
pub mod sprt;
pub mod standings;
mod system;
pub mod tournament;
pub mod ugi;

pub use ::tournament::report::{Condition, LiveGame, PlayedGame, Slot, Usage};
pub use adjudication::{Adjudicated, Adjudication};
pub use affinity::{Affinity, NotCores};
pub use answer::Answer;
pub use contestant::{Contestant, ContestantError, Hosted, Kind, MakeProgram};
pub use dialogue::Log;
pub use engine::EngineHost;
pub use evaluation::{Evaluation, NoEvaluation};
pub use external::{External, Protocol};
pub use fault::{Failure, Fault};
pub use journal::Journal;
pub use limits::{Limits, OwnLimits, read_own_limits};
pub use live::LiveGames;
pub use openings::{AnyGameText, Openings, OpeningsError};
pub use process::Stderr;
pub use record::Record;
pub use report::Report;
pub use system::missing_from_system;
pub use tournament::{Settings, Tournament};
pub use ugi::serve;
