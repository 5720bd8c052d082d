//! The OpenAPI document, generated from the handlers.

use axum::{
    body::Bytes,
    http::header,
    response::{IntoResponse, Response},
};
use protocol::ApiError;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        LicenseBuilder, OpenApi,
        security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme},
    },
};

const LICENSE: &str = env!("CARGO_PKG_LICENSE");

/// The document as JSON.
#[derive(Clone)]
pub(super) struct Document(Bytes);

/// Completes the document that the handlers describe.
pub(super) fn document(mut document: OpenApi) -> Document {
    document.info.title = "Alinea".to_owned();
    // The default is the contact of the crate's author.
    document.info.contact = None;
    document.info.license = Some(LicenseBuilder::new().name(LICENSE).identifier(Some(LICENSE)).build());
    document.info.version = env!("CARGO_PKG_VERSION").to_owned();
    document.info.description = Some("Play alignment games online. Errors have a stable code.".to_owned());
    let components = document.components.get_or_insert_default();
    // Handlers only refer to it.
    let mut schemas = vec![(ApiError::name().into_owned(), ApiError::schema())];
    ApiError::schemas(&mut schemas);
    components.schemas.extend(schemas);
    let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build();
    components.add_security_scheme("token", SecurityScheme::Http(bearer));
    let cookie = ApiKey::Cookie(ApiKeyValue::new("alinea-session"));
    components.add_security_scheme("session", SecurityScheme::ApiKey(cookie));
    // Optional, since guests may do most things; other requests are answered with `sign-in-first`.
    let by = |name: &str| SecurityRequirement::new(name, [] as [&str; 0]);
    document.security = Some(vec![SecurityRequirement::default(), by("token"), by("session")]);
    Document(document.to_json().expect("the document serialises as JSON").into())
}

impl IntoResponse for Document {
    fn into_response(self) -> Response {
        ([(header::CONTENT_TYPE, "application/json")], self.0).into_response()
    }
}
