//! The document of the interface, made from the handlers themselves.

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

/// The document as it is sent.
#[derive(Clone)]
pub(super) struct Document(Bytes);

/// Completes what the handlers say.
pub(super) fn document(mut document: OpenApi) -> Document {
    document.info.title = "Alinea".to_owned();
    // Otherwise those of the library that writes the document.
    document.info.contact = None;
    document.info.license = Some(LicenseBuilder::new().name(LICENSE).identifier(Some(LICENSE)).build());
    document.info.version = env!("CARGO_PKG_VERSION").to_owned();
    document.info.description = Some(
        "Play alignment games online. Whatever changes something is refused with a code or done.".to_owned(),
    );
    let components = document.components.get_or_insert_default();
    // The handlers name it by its reference alone.
    let mut refusal = vec![(ApiError::name().into_owned(), ApiError::schema())];
    ApiError::schemas(&mut refusal);
    components.schemas.extend(refusal);
    let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build();
    components.add_security_scheme("token", SecurityScheme::Http(bearer));
    let cookie = ApiKey::Cookie(ApiKeyValue::new("alinea-session"));
    components.add_security_scheme("session", SecurityScheme::ApiKey(cookie));
    // Guests may do most things, so that each is optional; who has to be known is told `sign-in-first`.
    let known_by = |name: &str| SecurityRequirement::new(name, [] as [&str; 0]);
    document.security = Some(vec![SecurityRequirement::default(), known_by("token"), known_by("session")]);
    Document(document.to_json().expect("the document can be written as JSON").into())
}

impl IntoResponse for Document {
    fn into_response(self) -> Response {
        ([(header::CONTENT_TYPE, "application/json")], self.0).into_response()
    }
}
