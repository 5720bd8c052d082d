//! Errors sent to clients: their log levels and counts.

use protocol::{ApiError, ErrorCode};
use store::metrics::METRICS;
use tracing::Level;

/// The log level of a code. Mistakes of clients are logged at a low level.
fn level(code: ErrorCode) -> Level {
    match code {
        ErrorCode::Broken => Level::ERROR,
        ErrorCode::Unavailable => Level::WARN,
        ErrorCode::Busy => Level::INFO,
        _ => Level::DEBUG,
    }
}

/// Counts and logs an error sent to a client.
pub fn record_error(error: &ApiError) {
    let code = error.code.name();
    METRICS.error(code);
    let message = &error.message;
    match level(error.code) {
        Level::ERROR => tracing::error!(code, message, "request_failed"),
        Level::WARN => tracing::warn!(code, message, "request_failed"),
        Level::INFO => tracing::info!(code, message, "request_failed"),
        _ => tracing::debug!(code, message, "request_rejected"),
    }
}
