//! Connection limits, in all and by address, so that no client can take every place.

use std::{
    collections::{HashMap, hash_map::Entry},
    net::IpAddr,
    sync::Arc,
    time::{Duration, Instant},
};

use parking_lot::Mutex;

use crate::config::Network;

/// How often refusals are logged.
const LOG_INTERVAL: Duration = Duration::from_secs(60);

/// Limits of connections.
#[derive(Clone, Debug)]
pub struct ConnectionLimits {
    /// Connections at once.
    pub all: usize,
    /// Connections of one address at once, unless it is a trusted proxy.
    pub per_address: usize,
    /// Reverse proxies, which speak for many clients.
    pub proxies: Vec<Network>,
}

/// The door. Clones are the same door.
#[derive(Clone)]
pub(super) struct Door(Arc<Inner>);

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

/// A place inside, until it is dropped.
pub(super) struct Admission {
    door: Door,
    address: IpAddr,
}

impl Drop for Admission {
    fn drop(&mut self) {
        let mut open = self.door.0.open.lock();
        open.all -= 1;
        if let Entry::Occupied(mut count) = open.by_address.entry(self.address) {
            *count.get_mut() -= 1;
            if *count.get() == 0 {
                count.remove();
            }
        }
    }
}

impl Door {
    pub(super) fn new(limits: ConnectionLimits) -> Self {
        Self(Arc::new(Inner { limits, open: Mutex::default(), logged: Mutex::default() }))
    }

    /// A place for a connection from this address, if there is one.
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
        Some(Admission { door: self.clone(), address })
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
        let door = Door::new(limits);
        let admit = |address: &str| door.admit(address.parse().unwrap());
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
        assert_eq!(door.0.open.lock().by_address.len(), 1, "who has left is forgotten");
    }
}
