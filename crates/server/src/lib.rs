//! Alinea online: one binary with tables, people, programs, accounts and ratings behind one port.

pub mod accounts;
pub mod app;
pub mod glicko;
pub mod http;
pub mod services;
pub mod socket;
mod socketio;
mod state;
pub mod store;
pub mod table;
pub mod who;

use std::time::{SystemTime, UNIX_EPOCH};

/// Unix time in milliseconds.
pub fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// Bytes that nobody can guess.
pub(crate) fn random<const BYTES: usize>() -> [u8; BYTES] {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes).expect("the system has randomness");
    bytes
}

/// Bytes that nobody can guess, as hexadecimal text.
pub fn random_hex<const BYTES: usize>() -> String {
    hex(&random::<BYTES>())
}

/// Bytes as hexadecimal text.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
