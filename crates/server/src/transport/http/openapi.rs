//! Generates the OpenAPI document from the handlers and the types of the protocol, and fails when the checked-in file
//! differs.

use std::collections::{BTreeMap, HashSet};

use protocol::{Answer, ApiError, ErrorCode, Push, Request};
use serde_json::{Value, json};
use testkit::check_generated;
use utoipa::{
    IntoResponses, OpenApi, ToSchema,
    openapi::{
        Components, ContentBuilder, LicenseBuilder, Ref, RefOr, ResponseBuilder, response,
        security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme},
    },
};

use super::{Api, OPERATIONS, error::status};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/openapi.json");
const LICENSE: &str = env!("CARGO_PKG_LICENSE");

#[test]
fn the_document_is_up_to_date() {
    let document = serde_json::to_string_pretty(&document()).unwrap() + "\n";
    check_generated(FILE.as_ref(), &document, env!("CARGO_PKG_NAME"));
}

#[test]
fn operations_have_names_of_their_own() {
    let document = document();
    let paths = document["paths"].as_object().unwrap().values();
    let mut known = HashSet::new();
    for operation in paths.flat_map(|path| path.as_object().unwrap().values()) {
        assert!(known.insert(operation["operationId"].as_str().unwrap()), "{operation}");
    }
}

/// The document that the handlers describe, completed.
fn document() -> Value {
    let mut document = Api::openapi();
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
    let mut document = serde_json::to_value(&document).unwrap();
    tighten(&mut document["components"]["schemas"]);
    name_operations(&mut document);
    split_commands(&mut document);
    document
}

/// What the server refuses although the types allow it: schema, path of properties or variants, limits.
fn limits() -> [(&'static str, &'static str, Value); 28] {
    let name = || json!({ "pattern": "^[A-Za-z0-9_-]{3,20}$" });
    let password = || json!({ "minLength": 8, "maxLength": 128 });
    let moves = || json!({ "maxLength": 8192 });
    [
        ("Credentials", "/properties/name", name()),
        ("Credentials", "/properties/password", password()),
        ("NewPassword", "/properties/old", password()),
        ("NewPassword", "/properties/new", password()),
        ("Confirmation", "/properties/password", password()),
        ("Recovery", "/properties/name", name()),
        ("Recovery", "/properties/password", password()),
        ("GuestName", "/properties/name", json!({ "pattern": "^[0-9]{1,2}\\.[0-9]{1,2}$" })),
        ("NewToken", "/properties/label", json!({ "minLength": 1, "maxLength": 50 })),
        ("NewReport", "/properties/text", json!({ "maxLength": 500 })),
        ("AnalysisRequest", "/properties/moves", moves()),
        ("GameRecord", "/properties/moves", moves()),
        ("KeptGame", "/properties/moves", moves()),
        ("KeptGame", "/properties/id", json!({ "pattern": "^[A-Za-z0-9]{1,40}$" })),
        ("PuzzleAttempt", "/properties/moves", json!({ "maxItems": 50 })),
        ("NewTournament", "/properties/name", json!({ "minLength": 1, "maxLength": 60, "pattern": "\\S" })),
        ("NewTournament", "/properties/sit_down_s", json!({ "minimum": 5, "maximum": 259_200 })),
        ("NewTournament", "/properties/places_per_address", json!({ "minimum": 1, "maximum": 200 })),
        ("TournamentFormat", "/oneOf/1/properties/rounds", json!({ "minimum": 1, "maximum": 30 })),
        ("TournamentFormat", "/oneOf/3/properties/minutes", json!({ "minimum": 1, "maximum": 480 })),
        ("Clock", "/oneOf/1/properties/initial_ms", json!({ "minimum": 1_000, "maximum": 10_800_000 })),
        ("Clock", "/oneOf/1/properties/increment_ms", json!({ "maximum": 180_000 })),
        ("Clock", "/oneOf/2/properties/ms", json!({ "minimum": 500, "maximum": 3_600_000 })),
        ("Clock", "/oneOf/3/properties/days", json!({ "minimum": 1, "maximum": 14 })),
        ("Opponent", "/oneOf/2/properties/name", json!({ "minLength": 1, "maxLength": 100 })),
        ("Opponent", "/oneOf/3/properties/first", json!({ "minLength": 1, "maxLength": 100 })),
        ("Opponent", "/oneOf/3/properties/second", json!({ "minLength": 1, "maxLength": 100 })),
        ("Opponent", "/oneOf/4/properties/name", name()),
    ]
}

/// Makes schemas as strict as the server, so that generated clients and tests send what it accepts.
fn tighten(schemas: &mut Value) {
    for (schema, path, limits) in limits() {
        let property = schemas[schema].pointer_mut(path).unwrap_or_else(|| panic!("{schema} has no {path}"));
        for (name, limit) in limits.as_object().expect("limits have names") {
            property[name] = limit.clone();
        }
    }
    let games: Vec<_> = rules::GAMES.iter().filter_map(|info| info.standard.split(':').next()).collect();
    // The game of tests is in no released server.
    let games: Vec<_> = games.into_iter().filter(|game| *game != "dummy").collect();
    let pattern = format!("^({})(:.*)?$", games.join("|"));
    for schema in ["AnalysisRequest", "GameRecord", "NewTable", "NewTournament", "Seek"] {
        schemas[schema]["properties"]["game"]["pattern"] = json!(pattern);
    }
    bound_integers(schemas);
    // A variant with its name as the only key has no other key.
    for variant in schemas["TournamentCommand"]["oneOf"].as_array_mut().into_iter().flatten() {
        variant["additionalProperties"] = json!(false);
    }
}

/// Gives every integer the greatest value of its type that all languages can write.
fn bound_integers(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            let is_integer = fields.get("type").is_some_and(|kind| {
                kind == "integer" || kind.as_array().is_some_and(|kinds| kinds.contains(&json!("integer")))
            });
            if is_integer && fields.get("minimum").is_some_and(|least| least.as_u64().is_some()) {
                let is_short = fields.get("format").is_some_and(|format| format == "int32");
                // Beyond it, JavaScript rounds.
                let most = if is_short { u64::from(u32::MAX) } else { (1 << 53) - 1 };
                fields.entry("maximum").or_insert(json!(most));
            }
            fields.values_mut().for_each(bound_integers);
        }
        Value::Array(items) => items.iter_mut().for_each(bound_integers),
        _ => {}
    }
}

fn add_schema<T: ToSchema>(components: &mut Components) {
    let mut schemas = vec![(T::name().into_owned(), T::schema())];
    T::schemas(&mut schemas);
    components.schemas.extend(schemas);
}

/// Names each operation by its module and handler, which must be described by the path and method of its route.
fn name_operations(document: &mut Value) {
    let paths = document["paths"].as_object().unwrap().values();
    let count: usize = paths.map(|path| path.as_object().unwrap().len()).sum();
    assert_eq!(count, OPERATIONS.len(), "two handlers are described alike");
    for [path, method, module, handler] in OPERATIONS {
        let id = &mut document["paths"][path][method]["operationId"];
        assert_eq!(id, handler, "{module}::{handler} is not described as {method} {path}");
        *id = json!(format!("{module}_{handler}"));
    }
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
        operation["operationId"] = json!(format!("tables_{}", name.replace('-', "_")));
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

/// The errors of requests that read.
pub(super) struct ReadErrors;

/// The errors of requests that change something.
pub(super) struct WriteErrors;

type Responses = BTreeMap<String, RefOr<response::Response>>;

fn errors(codes: &[ErrorCode]) -> Responses {
    let mut responses = Responses::new();
    for status in codes.iter().map(|&code| status(code)) {
        let content = ContentBuilder::new().schema(Some(Ref::from_schema_name(ApiError::name()))).build();
        let reason = status.canonical_reason().unwrap_or("error");
        let response = ResponseBuilder::new().description(reason).content("application/json", content);
        responses.insert(status.as_str().to_owned(), response.build().into());
    }
    responses
}

impl IntoResponses for ReadErrors {
    fn responses() -> Responses {
        let codes = [
            ErrorCode::BadMessage,
            ErrorCode::SignInFirst,
            // The address is banned.
            ErrorCode::NotAllowed,
            ErrorCode::NotFound,
            ErrorCode::TooLarge,
            ErrorCode::TooFast,
            ErrorCode::Unavailable,
        ];
        errors(&codes)
    }
}

impl IntoResponses for WriteErrors {
    fn responses() -> Responses {
        let codes = [ErrorCode::NameTaken, ErrorCode::IllegalMove];
        let mut responses = ReadErrors::responses();
        responses.extend(errors(&codes));
        responses
    }
}
