//! Limits attempts to guess a password: per address, per name from an address, and per name. The last limit is the
//! widest, so that a stranger cannot easily lock out the owner of a name. Successful attempts cost nothing.

use std::{num::NonZeroU32, time::Duration};

use governor::clock::{Clock, MonotonicClock};
use play::Share;

use crate::rate::{KeyedLimiter, quota};

/// Time in which a used-up limit is replenished.
const WINDOW: Duration = Duration::from_secs(15 * 60);

/// Enough for a school behind one address, far too few to guess a password.
const PER_ADDRESS: u32 = 60;
const PER_NAME_AND_ADDRESS: u32 = 20;
/// From all addresses together; still far too few to guess a password.
const PER_NAME: u32 = 300;

/// Maximum number of remembered keys of each kind.
const MAX_KEYS: usize = 20_000;

/// Counts attempts.
pub(super) struct LoginThrottle<C: Clock + Clone = MonotonicClock> {
    addresses: KeyedLimiter<Share, C>,
    names_here: KeyedLimiter<(String, Share), C>,
    names: KeyedLimiter<String, C>,
}

impl<C: Clock + Clone> LoginThrottle<C> {
    pub(super) fn new(clock: C) -> Self {
        let per_window = |limit: u32| {
            let burst = NonZeroU32::new(limit).unwrap_or(NonZeroU32::MIN);
            quota(burst, WINDOW / limit)
        };
        Self {
            addresses: KeyedLimiter::new(per_window(PER_ADDRESS), MAX_KEYS, clock.clone()),
            names_here: KeyedLimiter::new(per_window(PER_NAME_AND_ADDRESS), MAX_KEYS, clock.clone()),
            names: KeyedLimiter::new(per_window(PER_NAME), MAX_KEYS, clock),
        }
    }

    /// Counts the creation of an account; false if there were too many attempts from this address.
    pub(super) fn check_address(&self, address: Share) -> bool {
        self.addresses.check(&address)
    }

    /// Counts an attempt to sign in. If there were too many, returns false and does not count it.
    pub(super) fn check(&self, name: &str, address: Share) -> bool {
        let name = name.to_ascii_lowercase();
        if !self.addresses.check(&address) {
            return false;
        }
        let name_here = (name, address);
        if !self.names_here.check(&name_here) {
            self.addresses.refund(&address);
            return false;
        }
        if !self.names.check(&name_here.0) {
            self.addresses.refund(&address);
            self.names_here.refund(&name_here);
            return false;
        }
        true
    }

    /// Takes back an attempt that was successful.
    pub(super) fn refund(&self, name: &str, address: Share) {
        let name_here = (name.to_ascii_lowercase(), address);
        self.addresses.refund(&address);
        self.names.refund(&name_here.0);
        self.names_here.refund(&name_here);
    }

    /// Forgets idle names and addresses.
    pub(super) fn shrink(&self) {
        self.addresses.shrink();
        self.names_here.shrink();
        self.names.shrink();
    }
}

#[cfg(test)]
mod tests {
    use governor::clock::FakeRelativeClock;

    use super::*;

    fn throttle() -> (LoginThrottle<FakeRelativeClock>, FakeRelativeClock) {
        let clock = FakeRelativeClock::default();
        (LoginThrottle::new(clock.clone()), clock)
    }

    fn address(text: &str) -> Share {
        Share::of(text.parse().unwrap())
    }

    #[test]
    fn attempts_for_a_name_from_one_address_are_limited() {
        let (throttle, clock) = throttle();
        let here = address("10.0.0.1");
        assert!((0..PER_NAME_AND_ADDRESS).all(|_| throttle.check("Ann", here)));
        assert!(!throttle.check("aNN", here));
        assert!(throttle.check("bob", here));
        assert!(throttle.check("Ann", address("10.0.0.2")), "the owner of the name is elsewhere");
        clock.advance(WINDOW / PER_NAME_AND_ADDRESS);
        assert!(throttle.check("Ann", here) && !throttle.check("Ann", here));
    }

    #[test]
    fn attempts_for_a_name_from_all_addresses_are_limited() {
        let (throttle, _) = throttle();
        let from = |n: u32| Share::of(std::net::IpAddr::V4(n.into()));
        assert!((0..PER_NAME).all(|n| throttle.check("ann", from(n))));
        assert!(!throttle.check("ann", from(PER_NAME)));
    }

    #[test]
    fn attempts_from_an_address_are_limited() {
        let (throttle, _) = throttle();
        let here = address("2001:db8::");
        assert!((0..PER_ADDRESS).all(|n| throttle.check(&n.to_string(), here)));
        assert!(!throttle.check("x", here) && !throttle.check_address(here));
        assert!(throttle.check("x", address("2001:db8:0:1::")));
    }

    #[test]
    fn successful_attempts_cost_nothing() {
        let (throttle, _) = throttle();
        let here = address("10.0.0.1");
        for _ in 0..10 * PER_ADDRESS {
            assert!(throttle.check("ann", here));
            throttle.refund("ann", here);
        }
    }

    #[test]
    fn rejected_attempts_are_not_counted() {
        let (throttle, _) = throttle();
        let here = address("10.0.0.1");
        while throttle.check("ann", here) {}
        assert!((0..1_000).all(|_| !throttle.check("ann", here)));
        assert!((0..PER_ADDRESS - PER_NAME_AND_ADDRESS).all(|n| throttle.check(&n.to_string(), here)));
    }

    #[test]
    fn many_addresses_do_not_hide_the_most_attacked_name() {
        let (throttle, _) = throttle();
        let from = |n: u32| Share::of(std::net::IpAddr::V4(n.into()));
        assert!((0..PER_NAME).all(|n| throttle.check("ann", from(n))));
        for n in 0..2 * MAX_KEYS as u32 {
            throttle.check(&format!("name{n}"), from(n));
        }
        assert!(throttle.names.len() <= MAX_KEYS);
        assert!(!throttle.check("ann", from(u32::MAX)));
    }
}
