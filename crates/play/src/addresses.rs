//! Whose share of the server a client uses: that of its address, or, where many new addresses of one network appear at
//! once, that of the network. Also the last known share of each guest and account, for work that they ask for.

use std::{
    collections::{HashMap, VecDeque},
    fmt,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    time::{Duration, Instant},
};

use parking_lot::Mutex;

/// Maximum number of remembered clients. When it is reached, all are forgotten; active clients are soon seen again.
const MAX_CLIENTS: usize = 100_000;
/// Maximum number of remembered addresses. Beyond it, new addresses share the quota of their network.
const MAX_ADDRESSES: usize = 100_000;
/// Number of new addresses of a network within [`NEW_WINDOW`] that get quotas of their own. A provider or a university
/// rarely sends more; an attacker with a network of its own sends hundreds.
const MAX_NEW: usize = 16;
const NEW_WINDOW: Duration = Duration::from_secs(60);
/// An address that is not seen for this long is forgotten.
const FORGET_AFTER: Duration = Duration::from_secs(600);

/// Those who share one quota: an address, or a network of many new addresses. An IPv6 client has a whole /64 network.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Share {
    address: IpAddr,
    /// Whether it is the /24 or /48 network of the address.
    is_network: bool,
}

impl Share {
    /// The share of an address on its own.
    #[must_use]
    pub const fn of(address: IpAddr) -> Self {
        let address = match address.to_canonical() {
            IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
            address @ IpAddr::V4(_) => address,
        };
        Self { address, is_network: false }
    }

    /// The share of the network of this address.
    #[must_use]
    pub fn network(self) -> Self {
        let address = match self.address {
            IpAddr::V4(address) => Ipv4Addr::from_bits(address.to_bits() >> 8 << 8).into(),
            IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 80 << 80).into(),
        };
        Self { address, is_network: true }
    }
}

/// Such as `192.0.2.7`, `2001:db8::/64` or `192.0.2.0/24`.
impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match (self.address, self.is_network) {
            (IpAddr::V4(address), false) => write!(f, "{address}"),
            (IpAddr::V4(address), true) => write!(f, "{address}/24"),
            (IpAddr::V6(address), false) => write!(f, "{address}/64"),
            (IpAddr::V6(address), true) => write!(f, "{address}/48"),
        }
    }
}

/// The shares of addresses and of clients.
pub struct Addresses {
    start: Instant,
    shares: Mutex<Shares>,
    /// The last share of each client, by the ids of guests and accounts.
    clients: Mutex<HashMap<String, Share>>,
}

impl Default for Addresses {
    fn default() -> Self {
        Self { start: Instant::now(), shares: Mutex::default(), clients: Mutex::default() }
    }
}

impl Addresses {
    /// Returns the share of an address, which has just been seen.
    pub fn share(&self, address: IpAddr) -> Share {
        self.shares.lock().see(Share::of(address), self.start.elapsed())
    }

    /// Records the share of a client.
    pub fn note(&self, client: &str, share: Share) {
        let mut clients = self.clients.lock();
        if clients.get(client) == Some(&share) {
            return;
        }
        if clients.len() >= MAX_CLIENTS {
            clients.clear();
        }
        clients.insert(client.to_owned(), share);
    }

    /// Returns the last share of a client, if this node has seen it.
    pub(crate) fn of(&self, client: &str) -> Option<Share> {
        self.clients.lock().get(client).copied()
    }

    /// Forgets idle addresses.
    pub fn shrink(&self) {
        self.shares.lock().shrink(self.start.elapsed());
    }
}

/// The shares of the addresses seen lately. Pure: callers pass in the time.
#[derive(Default)]
struct Shares {
    seen: HashMap<Share, Seen>,
    /// When new addresses of a network appeared, within the window.
    networks: HashMap<Share, VecDeque<Duration>>,
}

struct Seen {
    share: Share,
    at: Duration,
}

impl Shares {
    fn see(&mut self, own: Share, now: Duration) -> Share {
        if let Some(seen) = self.seen.get_mut(&own) {
            seen.at = now;
            return seen.share;
        }
        let network = own.network();
        if self.seen.len() >= MAX_ADDRESSES {
            return network;
        }
        let newcomers = self.networks.entry(network).or_default();
        drop_before(newcomers, now.saturating_sub(NEW_WINDOW));
        let share = if newcomers.len() < MAX_NEW { own } else { network };
        // Only the latest matter, so the memory of a network is bounded, too.
        newcomers.push_back(now);
        if newcomers.len() > MAX_NEW {
            newcomers.pop_front();
        }
        self.seen.insert(own, Seen { share, at: now });
        share
    }

    fn shrink(&mut self, now: Duration) {
        let idle = now.saturating_sub(FORGET_AFTER);
        self.seen.retain(|_, seen| seen.at >= idle);
        let old = now.saturating_sub(NEW_WINDOW);
        self.networks.retain(|_, newcomers| {
            drop_before(newcomers, old);
            !newcomers.is_empty()
        });
    }
}

fn drop_before(times: &mut VecDeque<Duration>, start: Duration) {
    while times.front().is_some_and(|at| *at < start) {
        times.pop_front();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(text: &str) -> Share {
        Share::of(text.parse().unwrap())
    }

    #[test]
    fn an_ipv6_client_is_a_network_of_64_bits() {
        assert_eq!(share("2001:db8::1"), share("2001:db8::ffff"));
        assert_ne!(share("2001:db8::1"), share("2001:db8:0:1::1"));
        assert_ne!(share("1.2.3.4"), share("1.2.3.5"));
        assert_eq!(share("::ffff:1.2.3.4"), share("1.2.3.4"));
        let names =
            ["1.2.3.4", "2001:db8:1:2::3"].map(share).map(|own| (own.to_string(), own.network().to_string()));
        assert_eq!(names[0], ("1.2.3.4".to_owned(), "1.2.3.0/24".to_owned()));
        assert_eq!(names[1], ("2001:db8:1:2::/64".to_owned(), "2001:db8:1::/48".to_owned()));
    }

    #[test]
    fn many_new_addresses_of_a_network_share_a_quota() {
        for (network, address) in [
            ("10.1.2.0/24", (|n| format!("10.1.2.{n}")) as fn(u32) -> String),
            ("2001:db8:7::/48", |n| format!("2001:db8:7:{n:x}::1")),
        ] {
            let mut shares = Shares::default();
            let mut see =
                |n, seconds| shares.see(share(&address(n)), Duration::from_secs(seconds)).to_string();
            let first: Vec<_> = (0..200).map(|n| see(n, 100)).collect();
            assert_eq!(first.iter().filter(|name| *name != network).count(), MAX_NEW);
            assert_eq!(see(3, 200), first[3], "who came first keeps a quota");
            assert_eq!(see(150, 200), network, "and who came with the crowd keeps sharing one");
            assert_ne!(see(201, 200), network, "a new one, a minute later");
        }
    }

    #[test]
    fn few_new_addresses_of_a_network_are_left_alone() {
        let mut shares = Shares::default();
        for n in 0..250_u64 {
            let own = share(&format!("10.1.2.{n}"));
            assert_eq!(shares.see(own, Duration::from_secs(n * 4)), own);
        }
    }

    #[test]
    fn memory_is_bounded_and_idle_addresses_are_forgotten() {
        let mut shares = Shares::default();
        let own = |n: u32| Share::of(Ipv4Addr::from_bits(n << 8).into());
        for n in 0..MAX_ADDRESSES as u32 {
            assert_eq!(shares.see(own(n), Duration::ZERO), own(n));
        }
        let late = own(MAX_ADDRESSES as u32);
        assert_eq!(shares.see(late, Duration::ZERO), late.network(), "no memory for it");
        shares.shrink(FORGET_AFTER + Duration::from_secs(1));
        assert!(shares.seen.is_empty() && shares.networks.is_empty());
        assert_eq!(shares.see(late, FORGET_AFTER + Duration::from_secs(1)), late);
    }
}
