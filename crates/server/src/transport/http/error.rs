//! Refusals over HTTP: the same codes as everywhere, each with its status.

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

use crate::auth::AccountError;

/// A refusal on its way to the client.
#[derive(Debug)]
pub(crate) struct Refused(pub(crate) ApiError);

/// What handlers return.
pub(crate) type Result<T> = std::result::Result<T, Refused>;

impl From<ApiError> for Refused {
    fn from(refusal: ApiError) -> Self {
        Self(refusal)
    }
}

impl From<AccountError> for Refused {
    fn from(error: AccountError) -> Self {
        Self(error.into())
    }
}

/// The status of a refusal.
fn status(code: ErrorCode) -> StatusCode {
    match code {
        ErrorCode::BadMessage => StatusCode::BAD_REQUEST,
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

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        metrics::counter!("alinea_refusals_total", "code" => self.0.code.name()).increment(1);
        let status = status(self.0.code);
        let mut response = (status, Json(self.0)).into_response();
        if matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE) {
            response.headers_mut().insert(header::RETRY_AFTER, header::HeaderValue::from_static("1"));
        }
        response
    }
}

/// The statuses of refusals, for the document: where something is only asked for.
pub(super) struct CannotTell;

/// The statuses of refusals, for the document: where something is to be done.
pub(super) struct CannotDo;

type Responses = std::collections::BTreeMap<String, RefOr<response::Response>>;

fn refusals(codes: &[ErrorCode]) -> Responses {
    let mut responses = Responses::new();
    for status in codes.iter().map(|&code| status(code)) {
        let content = ContentBuilder::new().schema(Some(Ref::from_schema_name(ApiError::name()))).build();
        let reason = status.canonical_reason().unwrap_or("refused");
        let response = ResponseBuilder::new().description(reason).content("application/json", content);
        responses.insert(status.as_str().to_owned(), response.build().into());
    }
    responses
}

impl IntoResponses for CannotTell {
    fn responses() -> Responses {
        let codes = [
            ErrorCode::BadMessage,
            ErrorCode::SignInFirst,
            ErrorCode::NotFound,
            ErrorCode::TooFast,
            ErrorCode::Unavailable,
        ];
        refusals(&codes)
    }
}

impl IntoResponses for CannotDo {
    fn responses() -> Responses {
        let codes =
            [ErrorCode::NotAllowed, ErrorCode::NameTaken, ErrorCode::TooLarge, ErrorCode::IllegalMove];
        let mut responses = CannotTell::responses();
        responses.extend(refusals(&codes));
        responses
    }
}
