//! Extractors for bodies, paths and queries. They respond to malformed input with our own errors.

use std::time::Duration;

use axum::{
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

use super::{
    error::{HttpError, Result},
    json::Json,
};

/// Longest body, in bytes.
pub(crate) const MAX_BODY: usize = 16 * 1024;

/// Time for a whole body.
const BODY_TIMEOUT: Duration = Duration::from_secs(10);

/// An encoded NUL, which no name contains and PostgreSQL does not accept.
const NUL: &str = "%00";

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Json<T> {
    type Rejection = HttpError;

    async fn from_request(request: Request, state: &S) -> Result<Self> {
        Ok(Self(read(&json(request, state).await?)?))
    }
}

/// The text of a body that is declared as JSON.
async fn json<S: Send + Sync>(request: Request, state: &S) -> Result<String> {
    let is_json = request.headers().get(header::CONTENT_TYPE).is_some_and(|kind| {
        kind.to_str().is_ok_and(|kind| kind.split(';').next().map(str::trim) == Some("application/json"))
    });
    if !is_json {
        return Err(ErrorCode::BadMessage
            .because("expected a JSON body with Content-Type: application/json")
            .into());
    }
    body(request, state).await
}

fn read<T: DeserializeOwned>(text: &str) -> Result<T> {
    serde_json::from_str(text)
        .map_err(|error| ErrorCode::BadMessage.because(format!("invalid body: {error}")).into())
}

/// A JSON body with the fields of a command; an empty body has none.
pub(super) struct Fields(pub(super) Value);

impl<S: Send + Sync> FromRequest<S> for Fields {
    type Rejection = HttpError;

    async fn from_request(request: Request, state: &S) -> Result<Self> {
        match &*body(request, state).await? {
            "" => Ok(Self(Value::Object(Map::new()))),
            text => Ok(Self(read(text)?)),
        }
    }
}

/// The text of a body, without an escaped NUL, which PostgreSQL does not accept.
async fn body<S: Send + Sync>(request: Request, state: &S) -> Result<String> {
    let bytes = tokio::time::timeout(BODY_TIMEOUT, Bytes::from_request(request, state)).await;
    let slow = || ErrorCode::BadMessage.because("the body did not arrive in time");
    let bytes = bytes.map_err(|_| slow())?.map_err(|rejection| body_error(&rejection))?;
    let text = String::from_utf8(bytes.into());
    let text = text.map_err(|_| ErrorCode::BadMessage.because("the body is not UTF-8"))?;
    if text.contains(r"\u0000") {
        return Err(ErrorCode::BadMessage.because("the body contains a NUL character").into());
    }
    Ok(text)
}

fn body_error(rejection: &BytesRejection) -> HttpError {
    match rejection {
        BytesRejection::FailedToBufferBody(FailedToBufferBody::LengthLimitError(_)) => {
            ErrorCode::TooLarge.because(format!("the body is longer than {MAX_BODY} bytes")).into()
        }
        _ => ErrorCode::BadMessage.because("the body could not be read").into(),
    }
}

/// The query of a request.
pub(super) struct QueryParams<T>(pub(super) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for QueryParams<T> {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        if parts.uri.query().is_some_and(|query| query.contains(NUL)) {
            return Err(ErrorCode::BadMessage.because("the query contains a NUL character").into());
        }
        match Query::from_request_parts(parts, state).await {
            Ok(Query(value)) => Ok(Self(value)),
            Err(rejection) => Err(ErrorCode::BadMessage.because(rejection.body_text()).into()),
        }
    }
}

/// The parameters of the path.
pub(super) struct PathParams<T>(pub(super) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for PathParams<T> {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        if parts.uri.path().contains(NUL) {
            return Err(ErrorCode::NotFound.because("there is no resource with this name").into());
        }
        match Path::from_request_parts(parts, state).await {
            Ok(Path(value)) => Ok(Self(value)),
            Err(rejection) if rejection.status() == StatusCode::INTERNAL_SERVER_ERROR => {
                Err(ErrorCode::Broken.because("internal server error").into())
            }
            Err(rejection) => Err(ErrorCode::BadMessage.because(rejection.body_text()).into()),
        }
    }
}
