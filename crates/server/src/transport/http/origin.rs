//! Origin check: requests of pages of other sites must not change anything or open a socket.

use axum::http::{HeaderMap, Method, Uri, header};

/// Whether a request may come from the origin that its browser names.
pub(super) fn allows(method: &Method, uri: &Uri, headers: &HeaderMap, others: &[String]) -> bool {
    let is_safe = method.is_safe() && !uri.path().starts_with("/socket.io");
    is_safe || is_own(uri, headers, others)
}

fn is_own(uri: &Uri, headers: &HeaderMap, others: &[String]) -> bool {
    let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    match (text(header::ORIGIN.as_str()), text("sec-fetch-site")) {
        (Some(origin), _) => {
            let host = uri
                .authority()
                .map(axum::http::uri::Authority::as_str)
                .or_else(|| text(header::HOST.as_str()));
            let own = origin.split_once("://").map(|(_, host)| host);
            // An origin without a host, such as "null", must not equal a missing host.
            (own.is_some() && own == host) || others.iter().any(|other| other == origin)
        }
        (None, Some(site)) => matches!(site, "same-origin" | "none"),
        // Not a browser.
        (None, None) => true,
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn is_allowed(method: &Method, path: &'static str, headers: &[(&'static str, &'static str)]) -> bool {
        let mut map = HeaderMap::from_iter([(header::HOST, HeaderValue::from_static("game.example:8080"))]);
        for &(name, value) in headers {
            map.insert(name, HeaderValue::from_static(value));
        }
        allows(method, &Uri::from_static(path), &map, &["https://other.example".to_owned()])
    }

    #[test]
    fn other_sites_may_neither_change_anything_nor_open_sockets() {
        let socket = "/socket.io/?EIO=4&transport=polling";
        for (method, path) in
            [(Method::POST, "/api/tables"), (Method::DELETE, "/api/session"), (Method::GET, socket)]
        {
            for (headers, fine) in [
                (&[][..], true),
                (&[("origin", "http://game.example:8080")], true),
                (&[("origin", "https://other.example")], true),
                (&[("origin", "https://evil.example")], false),
                (&[("origin", "http://game.example")], false),
                (&[("origin", "null")], false),
                (&[("origin", "game.example:8080")], false),
                (&[("origin", "")], false),
                (&[("sec-fetch-site", "same-origin")], true),
                (&[("sec-fetch-site", "none")], true),
                (&[("sec-fetch-site", "same-site")], false),
                (&[("sec-fetch-site", "cross-site")], false),
                (&[("sec-fetch-site", "same-origin"), ("origin", "https://evil.example")], false),
            ] {
                assert_eq!(is_allowed(&method, path, headers), fine, "{method} {path} {headers:?}");
            }
        }
        // A link on another site may lead here.
        assert!(is_allowed(&Method::GET, "/g/1", &[("sec-fetch-site", "cross-site")]));
    }
}
