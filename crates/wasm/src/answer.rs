//! Answers as JSON.

use protocol::ApiError;
use serde::Serialize;

/// The answer to a question.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Answer<T> {
    Ok(T),
    Error(ApiError),
}

pub(crate) fn ok(answer: &impl Serialize) -> Result<String, ApiError> {
    Ok(json(&Answer::Ok(answer)))
}

pub(crate) fn json(message: &impl Serialize) -> String {
    serde_json::to_string(message).expect("messages have a JSON form")
}
