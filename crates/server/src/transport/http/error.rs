//! Errors as HTTP responses: for each code one status.

use axum::{
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use play::record_error;
use protocol::{ApiError, ErrorCode};

use super::json::Json;
use crate::auth::AccountError;

/// An error as a response.
#[derive(Debug)]
pub(crate) struct HttpError(pub(crate) ApiError);

/// Result of a handler.
pub(crate) type Result<T> = std::result::Result<T, HttpError>;

impl From<ApiError> for HttpError {
    fn from(error: ApiError) -> Self {
        Self(error)
    }
}

impl From<AccountError> for HttpError {
    fn from(error: AccountError) -> Self {
        Self(error.into())
    }
}

impl IntoResponse for HttpError {
    fn into_response(self) -> Response {
        record_error(&self.0);
        let status = status(self.0.code);
        let mut response = (status, Json(self.0)).into_response();
        if matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE) {
            response.headers_mut().insert(header::RETRY_AFTER, header::HeaderValue::from_static("1"));
        }
        response
    }
}

/// The HTTP status of a code.
pub(super) fn status(code: ErrorCode) -> StatusCode {
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
