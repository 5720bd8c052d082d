//! Errors as HTTP responses.

use axum::{
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use protocol::ApiError;

use super::json::Json;
use crate::{
    auth::AccountError,
    error::{record, status},
};

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
        record(&self.0);
        let status = status(self.0.code);
        let mut response = (status, Json(self.0)).into_response();
        if matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE) {
            response.headers_mut().insert(header::RETRY_AFTER, header::HeaderValue::from_static("1"));
        }
        response
    }
}
