//! Rejected requests.

use axum::{
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use serde_json::json;

/// Why a request is rejected, with the numbers of Engine.IO.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rejection {
    /// The transport is neither `polling` nor `websocket`.
    UnknownTransport = 0,
    /// No session has this id.
    UnknownSession = 1,
    /// The method does not fit the request.
    BadMethod = 2,
    /// The request is malformed.
    BadRequest = 3,
    /// The server accepts no further session now.
    Forbidden = 4,
    /// Not Engine.IO 4.
    UnsupportedVersion = 5,
}

impl IntoResponse for Rejection {
    fn into_response(self) -> Response {
        let message = match self {
            Self::UnknownTransport => "Transport unknown",
            Self::UnknownSession => "Session ID unknown",
            Self::BadMethod => "Bad handshake method",
            Self::BadRequest => "Bad request",
            Self::Forbidden => "Forbidden",
            Self::UnsupportedVersion => "Unsupported protocol version",
        };
        let status = match self {
            Self::Forbidden => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::BAD_REQUEST,
        };
        let body = json!({ "code": self as u8, "message": message }).to_string();
        (status, [(header::CONTENT_TYPE, "application/json")], body).into_response()
    }
}
