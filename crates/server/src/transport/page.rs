//! The page over HTTP.

use std::sync::Arc;

use axum::{
    body::Body,
    extract::State,
    http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header},
    response::{Html, IntoResponse, Response},
};

use protocol::ErrorCode;

use super::{
    AppState, card,
    http::{Client, HttpError},
};
use crate::{
    page::{File, Page},
    rate::RateClass,
};

/// Serves the files of the page. If the address has a preview, the page contains it.
pub(super) async fn page(
    State(state): State<Arc<AppState>>,
    client: Client,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let files = &state.config.page;
    if method == Method::GET
        && state.limits.check(RateClass::Read, client.share).is_ok()
        && let Some(tags) = card::tags(&state, &uri, &headers, client).await
        && let Some(index) = files.find("index.html").and_then(|index| std::str::from_utf8(&index.plain).ok())
    {
        let page = index.replacen("</head>", &format!("{tags}</head>"), 1);
        // The links of the preview begin with the host.
        return ([(header::CACHE_CONTROL, "no-cache"), (header::VARY, "host, accept-language")], Html(page))
            .into_response();
    }
    file(files, &method, &uri, &headers)
}

/// Serves a file if there is one. Any other address outside the API gets the page, which has its own router.
fn file(page: &Page, method: &Method, uri: &Uri, headers: &HeaderMap) -> Response {
    let name = uri.path().trim_start_matches('/');
    if name == "api" || name.starts_with("api/") {
        return HttpError(ErrorCode::NotFound.because("the API has no such route")).into_response();
    }
    if *method != Method::GET && *method != Method::HEAD {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    // Names with a dot are files: an outdated page that requests a removed script must not receive HTML instead.
    let is_file =
        name.starts_with("assets/") || name.rsplit('/').next().is_some_and(|name| name.contains('.'));
    let name = if is_file || page.find(name).is_some() { name } else { "index.html" };
    match page.find(name) {
        Some(file) => response(name, file, headers),
        None => (StatusCode::NOT_FOUND, "file not found\n").into_response(),
    }
}

fn response(name: &str, file: &File, request: &HeaderMap) -> Response {
    let accepts = |name, wanted: &str| {
        let values = request.get_all(name).iter().filter_map(|value| value.to_str().ok());
        values.flat_map(|value| value.split(',')).any(|value| {
            let mut parts = value.split(';').map(str::trim);
            parts.next() == Some(wanted) && !parts.any(|part| matches!(part, "q=0" | "q=0.0"))
        })
    };
    let mut response = if file.tag.to_str().is_ok_and(|tag| accepts(header::IF_NONE_MATCH, tag)) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        match file.brotli.clone().filter(|_| accepts(header::ACCEPT_ENCODING, "br")) {
            Some(brotli) => ([(header::CONTENT_ENCODING, "br")], Body::from(brotli)).into_response(),
            None => Body::from(file.plain.clone()).into_response(),
        }
    };
    let headers = response.headers_mut();
    headers.insert(header::ETAG, file.tag.clone());
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type(name)));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    // The names of assets change with their content; everything else is revalidated each time.
    let is_immutable = name.starts_with("assets/");
    let cache = if is_immutable { "public, max-age=31536000, immutable" } else { "no-cache" };
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
    response
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "mp3" => "audio/mpeg",
        "ogg" => "audio/ogg",
        "wav" => "audio/wav",
        "wasm" => "application/wasm",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
#[cfg(test)]
mod tests {
    use super::*;

    fn get(path: &str, headers: &[(header::HeaderName, &'static str)]) -> Response {
        let headers = headers.iter().map(|(name, value)| (name.clone(), HeaderValue::from_static(value)));
        file(&Page::embedded(), &Method::GET, &path.parse().unwrap(), &headers.collect())
    }

    #[test]
    fn addresses_of_the_page_return_it() {
        for path in ["/", "/index.html", "/play/connect-four", "/u/ann"] {
            let answer = get(path, &[]);
            assert_eq!(answer.status(), StatusCode::OK, "{path}");
            assert_eq!(answer.headers()[header::CONTENT_TYPE], "text/html; charset=utf-8");
            assert_eq!(answer.headers()[header::CACHE_CONTROL], "no-cache");
        }
    }

    #[test]
    fn missing_files_are_not_found() {
        for path in ["/assets/old", "/assets/old-1.js", "/missing.png", "/api/nothing", "/api"] {
            assert_eq!(get(path, &[]).status(), StatusCode::NOT_FOUND, "{path}");
        }
    }

    #[test]
    fn unchanged_files_are_not_sent_again() {
        let tag = get("/", &[]).headers()[header::ETAG].to_str().unwrap().to_owned();
        let answer = get("/", &[(header::IF_NONE_MATCH, Box::leak(tag.into_boxed_str()))]);
        assert_eq!(answer.status(), StatusCode::NOT_MODIFIED);
        assert_eq!(get("/", &[(header::IF_NONE_MATCH, "\"other\"")]).status(), StatusCode::OK);
    }

    #[test]
    fn brotli_is_sent_to_browsers_that_accept_it() {
        let page = Page::new(["a.js", "a.js.br"].map(|name| (name.to_owned(), name.into())).into());
        let encoding = |accepted: &'static str| {
            let headers =
                HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(accepted))]);
            file(&page, &Method::GET, &Uri::from_static("/a.js"), &headers)
                .headers()
                .get(header::CONTENT_ENCODING)
                .cloned()
        };
        assert_eq!(encoding("gzip, br;q=0.5"), Some(HeaderValue::from_static("br")));
        assert_eq!(encoding("gzip, br;q=0"), None);
        assert_eq!(encoding("gzip"), None);
    }
}
