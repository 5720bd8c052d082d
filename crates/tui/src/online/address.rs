//! The address of a server, or of one of its tables, as people write it.

use std::{fmt, str::FromStr};

/// A server, and the table or code to go to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Address {
    /// The server without a path, such as `https://alinea.example`.
    pub server: String,
    /// The id of a table, from a link.
    pub table: Option<String>,
}

impl Default for Address {
    /// The default address of `alinea serve` on this machine.
    fn default() -> Self {
        Self { server: "http://127.0.0.1:8080".to_owned(), table: None }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.server)
    }
}

impl FromStr for Address {
    type Err = String;

    /// `alinea.example`, `http://127.0.0.1:8080`, or the link of a table. The connection uses TLS, except to this
    /// machine, unless the address says otherwise.
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            || format!("{text} is not the address of a server; expected for example https://alinea.example");
        let (scheme, rest) = match text.trim().split_once("://") {
            Some((scheme @ ("http" | "https"), rest)) => (Some(scheme), rest),
            Some(_) => return Err(wrong()),
            None => (None, text.trim()),
        };
        let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
        let is_plain = |c: char| c.is_ascii_alphanumeric() || ".-_:[]".contains(c);
        if authority.is_empty() || !authority.chars().all(is_plain) {
            return Err(wrong());
        }
        let is_here = ["localhost", "127.", "[::1]"].iter().any(|host| authority.starts_with(host));
        let scheme = scheme.unwrap_or(if is_here { "http" } else { "https" });
        let path = path.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
        let table = match path.strip_prefix("g/") {
            Some(id) if !id.is_empty() && id.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') => {
                Some(id.to_owned())
            }
            None if path.is_empty() => None,
            _ => return Err(wrong()),
        };
        Ok(Self { server: format!("{scheme}://{authority}"), table })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_as_people_write_them() {
        let read = |text: &str| text.parse::<Address>().map(|address| (address.server, address.table));
        let server = |text: &str| Ok((text.to_owned(), None));
        assert_eq!(read("alinea.example"), server("https://alinea.example"));
        assert_eq!(read("https://alinea.example/"), server("https://alinea.example"));
        assert_eq!(read("localhost:8080"), server("http://localhost:8080"));
        assert_eq!(read("127.0.0.1:8080"), server("http://127.0.0.1:8080"));
        assert_eq!(read("[::1]:8080"), server("http://[::1]:8080"));
        let table = Ok(("http://127.0.0.1:1".to_owned(), Some("0b6e4c".to_owned())));
        assert_eq!(read("http://127.0.0.1:1/g/0b6e4c?x=1"), table);
        for text in
            ["", "ftp://alinea.example", "https://", "a b", "alinea.example/watch", "alinea.example/g/"]
        {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
