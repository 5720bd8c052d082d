//! Alinea online: one binary with tables, people, programs, accounts and ratings behind one port.

pub mod app;
pub mod auth;
pub mod clock;
pub mod config;
mod error;
mod metrics;
pub mod page;
mod random;
mod rate;
pub mod services;
#[cfg(any(test, feature = "simulation"))]
pub mod simulation;
pub mod store;
pub mod table;
mod task;
pub mod transport;

pub use random::random_hex;
pub(crate) use random::{hex, random};
