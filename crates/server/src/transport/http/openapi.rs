//! The OpenAPI document, generated from the handlers and the types of the protocol.

use axum::{
    body::Bytes,
    http::header,
    response::{IntoResponse, Response},
};
use protocol::{Answer, ApiError, Push, Request};
use serde_json::{Value, json};
use utoipa::{
    ToSchema,
    openapi::{
        Components, LicenseBuilder, OpenApi,
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
    document.info.description = Some(
        "Play alignment games online. A request is carried out, or rejected with a stable error code."
            .to_owned(),
    );
    let components = document.components.get_or_insert_default();
    // Handlers name errors by reference alone, and messages over Socket.IO have no path.
    add_schema::<ApiError>(components);
    add_schema::<Request>(components);
    add_schema::<Push>(components);
    add_schema::<Answer>(components);
    let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build();
    components.add_security_scheme("token", SecurityScheme::Http(bearer));
    let cookie = ApiKey::Cookie(ApiKeyValue::new("alinea-session"));
    components.add_security_scheme("session", SecurityScheme::ApiKey(cookie));
    // Optional, since guests may do most things; other requests are answered with `sign-in-first`.
    let by = |name: &str| SecurityRequirement::new(name, [] as [&str; 0]);
    document.security = Some(vec![SecurityRequirement::default(), by("token"), by("session")]);
    let mut document = serde_json::to_value(&document).expect("the document serialises as JSON");
    split_commands(&mut document);
    Document(document.to_string().into())
}

fn add_schema<T: ToSchema>(components: &mut Components) {
    let mut schemas = vec![(T::name().into_owned(), T::schema())];
    T::schemas(&mut schemas);
    components.schemas.extend(schemas);
}

/// Replaces the path of all commands by one path for each, with the body of that command.
fn split_commands(document: &mut Value) {
    let variants = document["components"]["schemas"]["Command"]["oneOf"].take();
    let paths = document["paths"].as_object_mut().expect("a document has paths");
    let all = paths.remove("/api/tables/{table}/{command}").expect("commands have a path");
    for variant in variants.as_array().into_iter().flatten() {
        let (name, body) = variant["properties"].as_object().and_then(|of| of.iter().next()).expect("a name");
        let mut path = all.clone();
        let operation = &mut path["post"];
        operation["operationId"] = json!(name.replace('-', "_"));
        operation["summary"] = body["description"].clone();
        if let Some(parameters) = operation["parameters"].as_array_mut() {
            parameters.retain(|parameter| parameter["name"] != "command");
        }
        let has_fields = body["required"].as_array().is_some_and(|fields| !fields.is_empty());
        let description = if has_fields {
            "The fields of the command."
        } else {
            "There are no fields; the body can be left out."
        };
        operation["requestBody"] = json!({
            "description": description,
            "required": has_fields,
            "content": { "application/json": { "schema": body } },
        });
        paths.insert(format!("/api/tables/{{table}}/{name}"), path);
    }
    document["components"]["schemas"]["Command"]["oneOf"] = variants;
}

impl IntoResponse for Document {
    fn into_response(self) -> Response {
        ([(header::CONTENT_TYPE, "application/json")], self.0).into_response()
    }
}
