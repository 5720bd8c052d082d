//! Errors as clients see them: for each code one HTTP status and one log level.

use axum::http::StatusCode;
use protocol::{ApiError, ErrorCode};
use tracing::Level;

use crate::metrics::METRICS;

/// The HTTP status of a code.
pub(crate) fn status(code: ErrorCode) -> StatusCode {
    match code {
        ErrorCode::BadMessage | ErrorCode::BadName | ErrorCode::BadPassword | ErrorCode::CommonPassword => {
            StatusCode::BAD_REQUEST
        }
        ErrorCode::SignInFirst | ErrorCode::WrongPassword => StatusCode::UNAUTHORIZED,
        ErrorCode::NotSeated | ErrorCode::NotAllowed | ErrorCode::ForeignOrigin => StatusCode::FORBIDDEN,
        ErrorCode::UnknownTable | ErrorCode::UnknownGame | ErrorCode::UnknownPlayer | ErrorCode::NotFound => {
            StatusCode::NOT_FOUND
        }
        ErrorCode::SeatTaken
        | ErrorCode::NotYourTurn
        | ErrorCode::StalePly
        | ErrorCode::FuturePly
        | ErrorCode::NotStarted
        | ErrorCode::GameOver
        | ErrorCode::NotOver
        | ErrorCode::NothingToAnswer
        | ErrorCode::TooEarly
        | ErrorCode::NameTaken => StatusCode::CONFLICT,
        ErrorCode::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        ErrorCode::IllegalMove => StatusCode::UNPROCESSABLE_ENTITY,
        ErrorCode::TooFast => StatusCode::TOO_MANY_REQUESTS,
        ErrorCode::Broken => StatusCode::INTERNAL_SERVER_ERROR,
        ErrorCode::Busy | ErrorCode::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
    }
}

/// The log level of a code: mistakes of clients are not ours to repair.
fn level(code: ErrorCode) -> Level {
    match code {
        ErrorCode::Broken => Level::ERROR,
        ErrorCode::Unavailable => Level::WARN,
        ErrorCode::Busy => Level::INFO,
        _ => Level::DEBUG,
    }
}

/// Counts and logs an error that is sent to a client.
pub(crate) fn record(error: &ApiError) {
    let code = error.code.name();
    METRICS.error(code);
    let message = &error.message;
    match level(error.code) {
        Level::ERROR => tracing::error!(code, message, "request failed"),
        Level::WARN => tracing::warn!(code, message, "request failed"),
        Level::INFO => tracing::info!(code, message, "request failed"),
        _ => tracing::debug!(code, message, "request rejected"),
    }
}
