//! What requests bring, read within bounds; what cannot be read is refused in our own words.

use axum::{
    Json,
    body::Bytes,
    extract::{
        FromRequest, FromRequestParts, Path, Query, Request,
        rejection::{BytesRejection, FailedToBufferBody},
    },
    http::{StatusCode, header, request::Parts},
};
use protocol::ErrorCode;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::error::{Refused, Result};

/// No body may be longer.
pub(super) const MOST_BYTES: usize = 16 * 1024;

/// As it is written in an address. Nothing of ours has one in its name, and PostgreSQL would not take it.
const NUL: &str = "%00";

/// A body of JSON.
pub(super) struct Sent<T>(pub(super) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Sent<T> {
    type Rejection = Refused;

    async fn from_request(request: Request, state: &S) -> Result<Self> {
        let is_json = request.headers().get(header::CONTENT_TYPE).is_some_and(|kind| {
            kind.to_str().is_ok_and(|kind| kind.split(';').next().map(str::trim) == Some("application/json"))
        });
        if !is_json {
            return Err(ErrorCode::BadMessage
                .because("send JSON, with Content-Type: application/json")
                .into());
        }
        let bytes = body(request, state).await?;
        match Json::from_bytes(&bytes) {
            Ok(Json(value)) => Ok(Self(value)),
            Err(rejection) => Err(ErrorCode::BadMessage.because(rejection.body_text()).into()),
        }
    }
}

/// A body of JSON with the fields of a command; none at all is as good as one without fields.
pub(super) struct Fields(pub(super) Value);

impl<S: Send + Sync> FromRequest<S> for Fields {
    type Rejection = Refused;

    async fn from_request(request: Request, state: &S) -> Result<Self> {
        let bytes = body(request, state).await?;
        if bytes.is_empty() {
            return Ok(Self(Value::Object(Map::new())));
        }
        match serde_json::from_slice(&bytes) {
            Ok(value) => Ok(Self(value)),
            Err(error) => Err(ErrorCode::BadMessage.because(format!("the body is no JSON: {error}")).into()),
        }
    }
}

/// The bytes of a body. No text of ours has a NUL, and PostgreSQL would not take it.
async fn body<S: Send + Sync>(request: Request, state: &S) -> Result<Bytes> {
    let bytes = Bytes::from_request(request, state).await.map_err(|rejection| unread(&rejection))?;
    if bytes.windows(6).any(|part| part == br"\u0000") {
        return Err(ErrorCode::BadMessage.because("there is a NUL in the body").into());
    }
    Ok(bytes)
}

fn unread(rejection: &BytesRejection) -> Refused {
    match rejection {
        BytesRejection::FailedToBufferBody(FailedToBufferBody::LengthLimitError(_)) => {
            ErrorCode::TooLarge.because(format!("the body is longer than {MOST_BYTES} bytes")).into()
        }
        _ => ErrorCode::BadMessage.because("the body cannot be read").into(),
    }
}

/// What follows the question mark.
pub(super) struct Asked<T>(pub(super) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Asked<T> {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        if parts.uri.query().is_some_and(|query| query.contains(NUL)) {
            return Err(ErrorCode::BadMessage.because("there is a NUL in the address").into());
        }
        match Query::from_request_parts(parts, state).await {
            Ok(Query(value)) => Ok(Self(value)),
            Err(rejection) => Err(ErrorCode::BadMessage.because(rejection.body_text()).into()),
        }
    }
}

/// The parts of the path that name something.
pub(super) struct Named<T>(pub(super) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Named<T> {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        if parts.uri.path().contains(NUL) {
            return Err(ErrorCode::NotFound.because("there is nothing with this name").into());
        }
        match Path::from_request_parts(parts, state).await {
            Ok(Path(value)) => Ok(Self(value)),
            Err(rejection) if rejection.status() == StatusCode::INTERNAL_SERVER_ERROR => {
                Err(ErrorCode::Broken.because("the server made a mistake").into())
            }
            Err(rejection) => Err(ErrorCode::BadMessage.because(rejection.body_text()).into()),
        }
    }
}
