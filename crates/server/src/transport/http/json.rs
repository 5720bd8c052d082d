//! JSON as the body of requests and responses. Replaces axum's extractor, which would compile a second reader and
//! writer for every message.

use axum::{
    http::header,
    response::{IntoResponse, Response},
};
use serde::Serialize;

/// A message as the whole body.
pub(super) struct Json<T>(pub(super) T);

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        let text = serde_json::to_string(&self.0).expect("keys of messages are strings");
        ([(header::CONTENT_TYPE, "application/json")], text).into_response()
    }
}
