//! Where a request comes from: its address and whether the way was encrypted, as far as it can be known.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    str::FromStr,
};

use axum::http::HeaderMap;

/// Addresses that begin alike: `10.0.0.0/8`, `::1`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Network {
    address: IpAddr,
    bits: u8,
}

impl FromStr for Network {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (address, bits) = match text.split_once('/') {
            Some((address, bits)) => (address, Some(bits)),
            None => (text, None),
        };
        let read = || {
            let address: IpAddr = address.parse().ok()?;
            let most = if address.is_ipv4() { 32 } else { 128 };
            let bits = bits.map_or(Some(most), |bits| bits.parse().ok().filter(|&bits| bits <= most))?;
            Some(Self { address, bits })
        };
        read().ok_or_else(|| format!("“{text}” is no address such as 127.0.0.1 or 10.0.0.0/8"))
    }
}

impl Network {
    /// Whether an address belongs to it.
    #[must_use]
    pub fn contains(self, address: IpAddr) -> bool {
        let same = |a: u128, b: u128, width: u32| {
            let rest = width - u32::from(self.bits);
            a.checked_shr(rest).unwrap_or(0) == b.checked_shr(rest).unwrap_or(0)
        };
        match (self.address, address.to_canonical()) {
            (IpAddr::V4(a), IpAddr::V4(b)) => same(a.to_bits().into(), b.to_bits().into(), 32),
            (IpAddr::V6(a), IpAddr::V6(b)) => same(a.to_bits(), b.to_bits(), 128),
            _ => false,
        }
    }
}

/// Where a request comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Client {
    /// Of whoever asks, or of the nearest one we know nothing about.
    pub address: IpAddr,
    /// Whether the browser used TLS, so that cookies can be kept to it.
    pub secure: bool,
}

impl Client {
    /// What a connection and its headers say. A forwarded address counts only if a trusted proxy names it; of
    /// several, the last one that is no trusted proxy, because anybody can write the others.
    #[must_use]
    pub(crate) fn new(peer: IpAddr, headers: &HeaderMap, proxies: &[Network], always_secure: bool) -> Self {
        let trusted = |address: IpAddr| proxies.iter().any(|network| network.contains(address));
        let peer = peer.to_canonical();
        let mut client = Self { address: peer, secure: always_secure };
        if !trusted(peer) {
            return client;
        }
        let last = |name| headers.get_all(name).iter().next_back()?.to_str().ok()?.rsplit(',').next();
        client.secure |= last("x-forwarded-proto").is_some_and(|scheme| scheme.trim() == "https");
        let forwarded =
            headers.get_all("x-forwarded-for").iter().rev().filter_map(|value| value.to_str().ok());
        for word in forwarded.flat_map(|value| value.rsplit(',')) {
            let Ok(address) = word.trim().parse::<IpAddr>() else { break };
            client.address = address.to_canonical();
            if !trusted(client.address) {
                break;
            }
        }
        client
    }

    /// The address for counting: whoever has one IPv6 address has all 2^64 beside it.
    #[must_use]
    pub(crate) fn counted(self) -> IpAddr {
        match self.address {
            IpAddr::V4(_) => self.address,
            IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
        }
    }

    /// Somebody on the same machine, if nothing else is known.
    pub(crate) const UNKNOWN: Self = Self { address: IpAddr::V4(Ipv4Addr::LOCALHOST), secure: false };
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
        let proxies = ["10.0.0.0/8".parse().unwrap(), "::1".parse().unwrap()];
        Client::new(peer.parse().unwrap(), &headers, &proxies, false)
    }

    #[test]
    fn networks_are_read_and_compared() {
        let network: Network = "192.168.4.0/22".parse().unwrap();
        assert!(network.contains("192.168.7.255".parse().unwrap()));
        assert!(network.contains("::ffff:192.168.5.1".parse().unwrap()));
        assert!(!network.contains("192.168.8.0".parse().unwrap()));
        assert!("0.0.0.0/0".parse::<Network>().unwrap().contains("8.8.8.8".parse().unwrap()));
        assert!("::/0".parse::<Network>().unwrap().contains("::7".parse().unwrap()));
        for text in ["", "localhost", "10.0.0.0/33", "10.0.0.0/", "::/129", "10.0.0/8"] {
            assert!(text.parse::<Network>().is_err(), "{text}");
        }
    }

    #[test]
    fn nobody_forges_an_address() {
        // Not a proxy: whatever it says.
        assert_eq!(client("8.8.8.8", &["1.1.1.1"], "https").address.to_string(), "8.8.8.8");
        assert!(!client("8.8.8.8", &["1.1.1.1"], "https").secure);
        // A proxy adds at the end; what was there before is the client's own claim.
        assert_eq!(client("10.1.1.1", &["1.1.1.1, 2.2.2.2"], "http").address.to_string(), "2.2.2.2");
        assert_eq!(
            client("10.1.1.1", &["1.1.1.1", "2.2.2.2, 10.3.3.3"], "http").address.to_string(),
            "2.2.2.2"
        );
        assert_eq!(client("10.1.1.1", &["1.1.1.1, nonsense"], "http").address.to_string(), "10.1.1.1");
        assert_eq!(client("::1", &[], "https"), Client { address: "::1".parse().unwrap(), secure: true });
        assert!(!client("::1", &[], "https, http").secure);
    }

    #[test]
    fn neighbours_count_as_one() {
        let counted = |address: &str| Client { address: address.parse().unwrap(), secure: false }.counted();
        assert_eq!(counted("2001:db8::1"), counted("2001:db8::ffff"));
        assert_ne!(counted("2001:db8::1"), counted("2001:db8:0:1::1"));
        assert_ne!(counted("1.2.3.4"), counted("1.2.3.5"));
    }
}
