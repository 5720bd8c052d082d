//! The settings of a server.

use std::{fmt, net::IpAddr, str::FromStr, time::Duration};

use crate::page::Page;

/// Settings of a server.
#[derive(Clone, Debug)]
pub struct Config {
    /// Settings of tables, programs and tournaments.
    pub play: play::Config,
    /// Sites beside our own whose pages may use the server, such as `https://example.org`.
    pub origins: Vec<String>,
    /// Reverse proxies whose `X-Forwarded-…` headers are trusted.
    pub proxies: Vec<Network>,
    /// Whether clients always reach the server over TLS, so that cookies are marked secure.
    pub always_secure: bool,
    /// Factor for all rate limits; `None` switches them off.
    pub rate_factor: Option<f64>,
    /// Whether people can create accounts; operators always can.
    pub sign_up: bool,
    /// What browsers get.
    pub page: Page,
    /// The address of the server for people, such as `https://alinea.example`: links in previews begin with it. Without
    /// one they begin with the host that was asked for.
    pub public_url: Option<String>,
    /// How long entries of the audit log are kept.
    pub audit_life: Duration,
    /// Who runs the server, in the host's own words.
    pub imprint: Option<String>,
    /// What the host does with data, in the host's own words.
    pub privacy: Option<String>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            play: play::Config::default(),
            origins: Vec::new(),
            proxies: Vec::new(),
            always_secure: false,
            rate_factor: Some(1.0),
            sign_up: true,
            page: Page::embedded(),
            public_url: None,
            audit_life: Duration::from_secs(90 * 24 * 60 * 60),
            imprint: None,
            privacy: None,
        }
    }
}

/// A network such as `10.0.0.0/8`, or a single address.
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
        read().ok_or_else(|| {
            format!("“{text}” is not a network; expected an address such as 127.0.0.1 or 10.0.0.0/8")
        })
    }
}

/// Such as `10.0.0.0/8`.
impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.bits)
    }
}

impl Network {
    /// Whether an address belongs to the network.
    #[must_use]
    pub fn contains(self, address: IpAddr) -> bool {
        let is_same = |a: u128, b: u128, width: u32| {
            let rest = width - u32::from(self.bits);
            a.checked_shr(rest).unwrap_or(0) == b.checked_shr(rest).unwrap_or(0)
        };
        match (self.address, address.to_canonical()) {
            (IpAddr::V4(a), IpAddr::V4(b)) => is_same(a.to_bits().into(), b.to_bits().into(), 32),
            (IpAddr::V6(a), IpAddr::V6(b)) => is_same(a.to_bits(), b.to_bits(), 128),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_are_parsed_and_compared() {
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
}
