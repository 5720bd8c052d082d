//! Errors as HTTP responses, and how the OpenAPI document describes them.

use axum::{
    Json,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use protocol::{ApiError, ErrorCode};
use utoipa::{
    IntoResponses, ToSchema,
    openapi::{ContentBuilder, Ref, RefOr, ResponseBuilder, response},
};

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

/// The errors of requests that read, for the OpenAPI document.
pub(super) struct ReadErrors;

/// The errors of requests that change something, for the OpenAPI document.
pub(super) struct WriteErrors;

type Responses = std::collections::BTreeMap<String, RefOr<response::Response>>;

fn errors(codes: &[ErrorCode]) -> Responses {
    let mut responses = Responses::new();
    for status in codes.iter().map(|&code| status(code)) {
        let content = ContentBuilder::new().schema(Some(Ref::from_schema_name(ApiError::name()))).build();
        let reason = status.canonical_reason().unwrap_or("error");
        let response = ResponseBuilder::new().description(reason).content("application/json", content);
        responses.insert(status.as_str().to_owned(), response.build().into());
    }
    responses
}

impl IntoResponses for ReadErrors {
    fn responses() -> Responses {
        let codes = [
            ErrorCode::BadMessage,
            ErrorCode::SignInFirst,
            ErrorCode::NotFound,
            ErrorCode::TooLarge,
            ErrorCode::TooFast,
            ErrorCode::Unavailable,
        ];
        errors(&codes)
    }
}

impl IntoResponses for WriteErrors {
    fn responses() -> Responses {
        let codes = [ErrorCode::NotAllowed, ErrorCode::NameTaken, ErrorCode::IllegalMove];
        let mut responses = ReadErrors::responses();
        responses.extend(errors(&codes));
        responses
    }
}
