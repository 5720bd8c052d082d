//! Alinea online: one binary with tables, people, programs, accounts and ratings behind one port.

pub mod app;
pub mod auth;
pub mod config;
mod operations;
pub mod page;
mod picture;
mod rate;
pub mod transport;
