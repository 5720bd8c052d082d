//! Where a request comes from: its address, whether it came over TLS, and from whose page.

use std::net::{IpAddr, Ipv4Addr};

use axum::http::{HeaderMap, header};
use play::Share;

use crate::config::Config;

/// Where a request comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Client {
    /// Address of the client, or of the nearest proxy that is not trusted.
    pub address: IpAddr,
    /// Whether the browser used TLS, so that cookies are marked secure.
    pub secure: bool,
    /// Whether it comes from a page of another site that may use this server.
    pub is_foreign: bool,
    /// Whether a trusted proxy passed it on.
    pub is_proxied: bool,
    /// Whose quota it uses.
    pub share: Share,
}

impl Client {
    /// Reads the peer address and headers. A forwarded address counts only if a trusted proxy reports it. Of
    /// several addresses, the last one that is not a trusted proxy counts, because a client can forge the
    /// others.
    #[must_use]
    pub(crate) fn new(peer: IpAddr, headers: &HeaderMap, config: &Config) -> Self {
        let trusted = |address: IpAddr| config.proxies.iter().any(|network| network.contains(address));
        let peer = peer.to_canonical();
        let is_foreign = headers
            .get(header::ORIGIN)
            .is_some_and(|origin| config.origins.iter().any(|other| other.as_bytes() == origin.as_bytes()));
        let share = Share::of(peer);
        let mut client =
            Self { address: peer, secure: config.always_secure, is_foreign, is_proxied: false, share };
        if !trusted(peer) {
            return client;
        }
        client.is_proxied = true;
        let last = |name| headers.get_all(name).iter().next_back()?.to_str().ok()?.rsplit(',').next();
        client.secure |= last("x-forwarded-proto").is_some_and(|scheme| scheme.trim() == "https");
        let forwarded =
            headers.get_all("x-forwarded-for").iter().rev().filter_map(|value| value.to_str().ok());
        for word in forwarded.flat_map(|value| value.rsplit(',')) {
            let Ok(address) = word.trim().parse::<IpAddr>() else { break };
            client.address = address.to_canonical();
            client.share = Share::of(address);
            if !trusted(client.address) {
                break;
            }
        }
        client
    }

    /// Used where no address is known.
    pub(crate) const UNKNOWN: Self = Self {
        address: IpAddr::V4(Ipv4Addr::LOCALHOST),
        secure: false,
        is_foreign: false,
        is_proxied: false,
        share: Share::of(IpAddr::V4(Ipv4Addr::LOCALHOST)),
    };
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn client(peer: &str, forwarded: &[&'static str], proto: &'static str) -> Client {
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append("x-forwarded-for", HeaderValue::from_static(value));
        }
        headers.append("x-forwarded-proto", HeaderValue::from_static(proto));
        let proxies = vec!["10.0.0.0/8".parse().unwrap(), "::1".parse().unwrap()];
        Client::new(peer.parse().unwrap(), &headers, &Config { proxies, ..Config::default() })
    }

    #[test]
    fn forged_addresses_are_ignored() {
        // Not a trusted proxy: its headers are ignored.
        assert_eq!(client("8.8.8.8", &["1.1.1.1"], "https").address.to_string(), "8.8.8.8");
        assert!(!client("8.8.8.8", &["1.1.1.1"], "https").secure);
        // A proxy appends; what precedes is the client's own claim.
        assert_eq!(client("10.1.1.1", &["1.1.1.1, 2.2.2.2"], "http").address.to_string(), "2.2.2.2");
        assert_eq!(
            client("10.1.1.1", &["1.1.1.1", "2.2.2.2, 10.3.3.3"], "http").address.to_string(),
            "2.2.2.2"
        );
        assert_eq!(client("10.1.1.1", &["1.1.1.1, nonsense"], "http").address.to_string(), "10.1.1.1");
        assert_eq!(
            client("::1", &[], "https"),
            Client {
                address: "::1".parse().unwrap(),
                secure: true,
                is_foreign: false,
                is_proxied: true,
                share: Share::of("::1".parse().unwrap())
            }
        );
        assert!(!client("::1", &[], "https, http").secure);
    }

    #[test]
    fn pages_of_allowed_sites_are_told_apart() {
        let config = Config { origins: vec!["https://blog.example".to_owned()], ..Config::default() };
        let is_foreign = |origin| {
            let headers = HeaderMap::from_iter([(header::ORIGIN, HeaderValue::from_static(origin))]);
            Client::new(Ipv4Addr::LOCALHOST.into(), &headers, &config).is_foreign
        };
        assert!(is_foreign("https://blog.example") && !is_foreign("https://game.example"));
    }
}
