//! All routes of a server on one port: the API, the page, and the endpoint of Socket.IO.

use std::{sync::Arc, time::Duration};

use axum::{
    Router,
    extract::{DefaultBodyLimit, Request},
    http::{HeaderValue, Method, StatusCode, header},
    middleware::from_fn_with_state,
    response::{IntoResponse, Response},
    routing::any,
};
use protocol::ErrorCode;
use tower_http::{
    catch_panic::CatchPanicLayer,
    cors::{AllowOrigin, CorsLayer},
};

use super::{
    AppState,
    http::{self, HttpError, erased},
    page,
    socket::SocketHandler,
};

/// All routes of a server.
pub(crate) fn router(state: Arc<AppState>) -> Router {
    let sockets = socketio::Server::new(socketio::Config::default(), SocketHandler(state.clone()));
    let sockets = any(erased(move |request: Request| {
        let sockets = sockets.clone();
        async move { sockets.handle(request).await }
    }));
    let router = http::api(&state)
        .route(socketio::PATH, sockets)
        .fallback(erased(page::page))
        .method_not_allowed_fallback(erased(method_not_allowed))
        .layer(DefaultBodyLimit::max(http::MAX_BODY))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(from_fn_with_state(state.clone(), http::apply))
        .with_state(state.clone());
    match &state.config.origins[..] {
        [] => router,
        origins => router.layer(cors(origins)),
    }
}

/// Lets pages of other sites use the server, with cookies or tokens.
fn cors(origins: &[String]) -> CorsLayer {
    let origins = origins.iter().filter_map(|origin| HeaderValue::from_str(origin).ok());
    CorsLayer::new()
        .allow_origin(AllowOrigin::list(origins))
        .allow_credentials(true)
        .allow_methods([Method::GET, Method::POST, Method::PUT, Method::DELETE])
        .allow_headers([header::AUTHORIZATION, header::CONTENT_TYPE])
        .expose_headers([header::RETRY_AFTER])
        .max_age(Duration::from_secs(3600))
}

async fn method_not_allowed() -> Response {
    let error = ErrorCode::BadMessage.because("this address does not support this method");
    let mut response = HttpError(error).into_response();
    *response.status_mut() = StatusCode::METHOD_NOT_ALLOWED;
    response
}

/// The response to a request whose handler panicked. The client does not learn why.
fn panicked(panic: Box<dyn std::any::Any + Send>) -> Response {
    let reason = panic.downcast_ref::<String>().map(String::as_str);
    let reason = reason.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("unknown");
    tracing::error!(reason, "handler_panicked");
    HttpError(ErrorCode::Broken.because("internal server error")).into_response()
}
