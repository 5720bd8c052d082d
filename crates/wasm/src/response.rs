//! Responses as JSON.

use protocol::ApiError;
use serde::Serialize;

/// The response to a request.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Response<T> {
    Ok(T),
    Error(ApiError),
}

pub(crate) fn ok(response: &impl Serialize) -> Result<String, ApiError> {
    Ok(json(&Response::Ok(response)))
}

pub(crate) fn json(message: &impl Serialize) -> String {
    serde_json::to_string(message).expect("messages have a JSON form")
}
