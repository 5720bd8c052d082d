//! Limits connections, in total and per address, so that no client can take all of them.

use std::{
    collections::{HashMap, hash_map::Entry},
    net::IpAddr,
    sync::Arc,
    time::{Duration, Instant},
};

use parking_lot::Mutex;

use crate::config::Network;

/// Minimum interval between log lines about refused connections.
const LOG_INTERVAL: Duration = Duration::from_secs(60);

/// The limits of connections.
#[derive(Clone, Debug)]
pub struct ConnectionLimits {
    /// Maximum number of concurrent connections.
    pub all: usize,
    /// Maximum number of concurrent connections per address, except for trusted proxies.
    pub per_address: usize,
    /// Trusted reverse proxies, which serve many clients.
    pub proxies: Vec<Network>,
}

/// Limits concurrent connections. Clones share the same limit.
#[derive(Clone)]
pub(super) struct ConnectionLimiter(Arc<Inner>);

struct Inner {
    limits: ConnectionLimits,
    open: Mutex<Open>,
    logged: Mutex<Option<Instant>>,
}

#[derive(Default)]
struct Open {
    all: usize,
    by_address: HashMap<IpAddr, usize>,
}

/// An admitted connection; released on drop.
pub(super) struct Admission {
    limiter: ConnectionLimiter,
    address: IpAddr,
}

impl Drop for Admission {
    fn drop(&mut self) {
        let mut open = self.limiter.0.open.lock();
        open.all -= 1;
        if let Entry::Occupied(mut count) = open.by_address.entry(self.address) {
            *count.get_mut() -= 1;
            if *count.get() == 0 {
                count.remove();
            }
        }
    }
}

impl ConnectionLimiter {
    pub(super) fn new(limits: ConnectionLimits) -> Self {
        Self(Arc::new(Inner { limits, open: Mutex::default(), logged: Mutex::default() }))
    }

    /// Admits a connection from this address; `None` if the limit is reached.
    pub(super) fn admit(&self, address: IpAddr) -> Option<Admission> {
        let address = address.to_canonical();
        let ConnectionLimits { all, per_address, proxies } = &self.0.limits;
        let per_address = match proxies.iter().any(|proxy| proxy.contains(address)) {
            true => *all,
            false => *per_address,
        };
        let mut open = self.0.open.lock();
        let of_address = open.by_address.get(&address).copied().unwrap_or_default();
        if open.all >= *all || of_address >= per_address {
            let all = open.all;
            drop(open);
            self.log(&format!("{address} has {of_address} connections, all have {all}; more are refused"));
            return None;
        }
        open.all += 1;
        *open.by_address.entry(address).or_default() += 1;
        Some(Admission { limiter: self.clone(), address })
    }

    /// Logs a problem, but not again and again.
    pub(super) fn log(&self, problem: &str) {
        let mut logged = self.0.logged.lock();
        if logged.is_none_or(|logged| logged.elapsed() >= LOG_INTERVAL) {
            *logged = Some(Instant::now());
            tracing::warn!("{problem}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_address_takes_every_place() {
        let limits =
            ConnectionLimits { all: 5, per_address: 2, proxies: vec!["10.0.0.0/8".parse().unwrap()] };
        let limiter = ConnectionLimiter::new(limits);
        let admit = |address: &str| limiter.admit(address.parse().unwrap());
        let one = admit("1.1.1.1");
        assert!(one.is_some());
        let _two = admit("::ffff:1.1.1.1").expect("the same address");
        assert!(admit("1.1.1.1").is_none());
        drop(one);
        let _again = admit("1.1.1.1").expect("a place became free");
        let proxy: Vec<_> = (0..5).map_while(|_| admit("10.1.2.3")).collect();
        assert_eq!(proxy.len(), 3, "until all places are taken");
        assert!(admit("2.2.2.2").is_none());
        drop(proxy);
        assert!(admit("2.2.2.2").is_some());
        assert_eq!(limiter.0.open.lock().by_address.len(), 1, "who has left is forgotten");
    }
}
