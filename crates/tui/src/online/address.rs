//! The address of a server, or of one of its tables or tournaments, as people write it.

use std::{fmt, str::FromStr};

/// What a link leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AddressTarget {
    /// The table with this id.
    Table(String),
    /// The tournament with this id.
    Tournament(String),
}

/// A server, and what to go to there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Address {
    /// The server without a path, such as `https://alinea.example`.
    pub server: String,
    /// The table or tournament of a link.
    pub target: Option<AddressTarget>,
}

impl Default for Address {
    /// The default address of `alinea serve` on this machine.
    fn default() -> Self {
        Self { server: "http://127.0.0.1:8080".to_owned(), target: None }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.server)
    }
}

impl FromStr for Address {
    type Err = String;

    /// `alinea.example`, `http://127.0.0.1:8080`, or the link of a table or tournament. The connection uses TLS, except to this
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
        let is_id = |id: &str| {
            !id.is_empty() && id.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
        };
        let target = match path.split_once('/') {
            Some(("g", id)) if is_id(id) => Some(AddressTarget::Table(id.to_owned())),
            Some(("t", id)) if is_id(id) => Some(AddressTarget::Tournament(id.to_owned())),
            None if path.is_empty() => None,
            _ => return Err(wrong()),
        };
        Ok(Self { server: format!("{scheme}://{authority}"), target })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_as_people_write_them() {
        let read = |text: &str| text.parse::<Address>().map(|address| (address.server, address.target));
        let server = |text: &str| Ok((text.to_owned(), None));
        assert_eq!(read("alinea.example"), server("https://alinea.example"));
        assert_eq!(read("https://alinea.example/"), server("https://alinea.example"));
        assert_eq!(read("localhost:8080"), server("http://localhost:8080"));
        assert_eq!(read("127.0.0.1:8080"), server("http://127.0.0.1:8080"));
        assert_eq!(read("[::1]:8080"), server("http://[::1]:8080"));
        let target = |target| Ok(("http://127.0.0.1:1".to_owned(), Some(target)));
        let table = AddressTarget::Table("0b6e4c".to_owned());
        assert_eq!(read("http://127.0.0.1:1/g/0b6e4c?x=1"), target(table));
        let tournament = AddressTarget::Tournament("spring_cup-2".to_owned());
        assert_eq!(read("http://127.0.0.1:1/t/spring_cup-2/"), target(tournament));
        for text in [
            "",
            "ftp://alinea.example",
            "https://",
            "a b",
            "alinea.example/watch",
            "alinea.example/g/",
            "a.example/t/a/b",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
