//! The settings of a server.

use std::{net::IpAddr, path::PathBuf, str::FromStr, time::Duration};

use crate::page::Page;

/// Settings of a server.
#[derive(Clone, Debug)]
pub struct Config {
    /// How many programs may think at once. None on PostgreSQL, where workers think instead.
    pub programs: usize,
    /// Grace period before the opponent of a disconnected player may claim the game, in milliseconds.
    pub grace_ms: u64,
    /// Sites beside our own whose pages may use the server, such as `https://example.org`.
    pub origins: Vec<String>,
    /// Reverse proxies whose `X-Forwarded-…` headers are trusted.
    pub proxies: Vec<Network>,
    /// Whether clients always reach the server over TLS, so that cookies are marked secure.
    pub always_secure: bool,
    /// How long an open table waits for an opponent.
    pub open_life: Duration,
    /// How long a game without a clock goes on in which no account plays and nothing happens.
    pub idle_life: Duration,
    /// Factor for all rate limits; `None` switches them off.
    pub rate_factor: Option<f64>,
    /// Whether players can chat.
    pub chat: bool,
    /// Whether people can make accounts; operators always can.
    pub sign_up: bool,
    /// The accounts that may open tournaments; all if none are named.
    pub organisers: Option<Vec<String>>,
    /// Where the results of tournaments of programs are, which the page shows.
    pub tournaments: Option<TournamentSource>,
    /// What browsers get.
    pub page: Page,
    /// Who runs the server, in the host's own words.
    pub imprint: Option<String>,
    /// What the host does with data, in the host's own words.
    pub privacy: Option<String>,
}

/// Where the results of tournaments of programs are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TournamentSource {
    /// In the folders of this folder.
    Folder(PathBuf),
    /// In the database, where tournaments whose games workers play tell of themselves.
    Database,
}

impl From<&str> for TournamentSource {
    fn from(text: &str) -> Self {
        if text == "database" { Self::Database } else { Self::Folder(text.into()) }
    }
}

impl Default for Config {
    fn default() -> Self {
        Self {
            programs: std::thread::available_parallelism().map_or(1, Into::into),
            grace_ms: 60_000,
            origins: Vec::new(),
            proxies: Vec::new(),
            always_secure: false,
            open_life: 7 * DAY,
            idle_life: 30 * DAY,
            rate_factor: Some(1.0),
            chat: true,
            sign_up: true,
            organisers: None,
            tournaments: None,
            page: Page::embedded(),
            imprint: None,
            privacy: None,
        }
    }
}

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

impl Config {
    /// Before which times open tables and idle games have expired.
    pub(crate) fn expiry(&self, now: u64) -> (u64, u64) {
        let before = |life: Duration| now.saturating_sub(u64::try_from(life.as_millis()).unwrap_or(u64::MAX));
        (before(self.open_life), before(self.idle_life))
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
