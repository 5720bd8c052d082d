//! Play on a server: live tables, searches for programs, pairing, tournaments, and the cluster of nodes.
//!
//! Depends on the store, but not on HTTP.

mod addresses;
mod cluster;
mod config;
mod connections;
mod contests;
mod engine_pool;
mod error;
mod export;
mod fair_queue;
mod job;
mod learning;
mod pairing;
mod program_tournaments;
#[cfg(any(test, feature = "simulation"))]
pub mod simulation;
mod table;
mod tournaments;
mod worker;

pub use self::table::{EventSink, Registry, Responder, Subscription, TurnRequest};
pub use addresses::{Addresses, Share};
pub use cluster::Node;
pub use config::{Config, TournamentSource};
pub use connections::{Connections, StreamGuard};
pub use contests::{OpenContest, PlayGame};
pub use engine_pool::{EnginePool, MAX_LINES, Review};
pub use error::record_error;
pub use learning::Learning;
pub use pairing::Pairing;
pub use program_tournaments::{ProgramTournament, ProgramTournaments};
pub use tournaments::{Tournaments, end_tournament};
pub use worker::Worker;
