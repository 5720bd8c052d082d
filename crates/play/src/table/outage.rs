//! Outages of a table's log: how long the table waits, and its response to requests in the meantime.

use std::time::Duration;

use protocol::{ApiError, ErrorCode};
use table::LogError;

/// Back-off after the store was unavailable; requests are refused at once meanwhile.
pub(super) const BACK_OFF: Duration = Duration::from_millis(500);
/// Back-off after a row of the log could not be read. It stays unreadable until an administrator repairs it.
pub(super) const INVALID_LOG_BACK_OFF: Duration = Duration::from_secs(60);

pub(super) fn store_unavailable() -> ApiError {
    ErrorCode::Unavailable.because("the database is unavailable; try again")
}

/// The answer to a request for a table whose log cannot be replayed.
pub(super) fn corrupt(table: &str, error: &LogError) -> ApiError {
    let error = error as &dyn std::error::Error;
    tracing::error!(table = short_id(table), error, "event_log_corrupt");
    ErrorCode::Unavailable.because("the event log of this table is corrupt")
}

/// Truncated id for logs: identifies the table without granting access.
pub(super) fn short_id(id: &str) -> &str {
    id.get(..6).unwrap_or_default()
}
