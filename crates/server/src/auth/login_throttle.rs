//! How often somebody may try a password: so many times within a while, per address, per name from an address, and
//! per name. The last is the widest, so that nobody keeps the owner of a name out easily.

use std::collections::HashMap;
use std::net::IpAddr;

const WHILE_MS: u64 = 15 * 60_000;

/// Enough for a whole school behind one address, far too few to guess.
const PER_ADDRESS: u32 = 60;
const PER_NAME_HERE: u32 = 20;
/// From many addresses together: still far too few to guess.
const PER_NAME: u32 = 300;

/// How many names and addresses are remembered. With more of them at once, those that tried least are forgotten.
const MOST_KEYS: usize = 20_000;

/// Whose tries are counted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key {
    Name(String),
    NameHere(String, IpAddr),
    Address(IpAddr),
}

impl Key {
    /// Whose tries count when a password is tried for a name from an address, as it is counted.
    pub(super) fn all(name: &str, address: IpAddr) -> [Key; 3] {
        let name = name.to_ascii_lowercase();
        [Key::Name(name.clone()), Key::NameHere(name, address), Key::Address(address)]
    }

    fn limit(&self) -> u32 {
        match self {
            Key::Name(_) => PER_NAME,
            Key::NameHere(..) => PER_NAME_HERE,
            Key::Address(_) => PER_ADDRESS,
        }
    }
}

#[derive(Default)]
pub(super) struct Tries {
    /// The number of tries, and when they are forgotten.
    counts: HashMap<Key, (u32, u64)>,
}

impl Tries {
    /// Counts a try. False if there were too many, and then it is not counted.
    pub(super) fn count(&mut self, keys: &[Key], now: u64) -> bool {
        let too_many = |key: &Key| {
            self.counts.get(key).is_some_and(|&(tries, until)| until > now && tries >= key.limit())
        };
        if keys.iter().any(too_many) {
            return false;
        }
        for key in keys {
            let (tries, until) = self.counts.entry(key.clone()).or_insert((0, now + WHILE_MS));
            if *until <= now {
                (*tries, *until) = (0, now + WHILE_MS);
            }
            *tries += 1;
        }
        if self.counts.len() > MOST_KEYS {
            self.forget(now);
        }
        true
    }

    /// Takes the last try back: it was right.
    pub(super) fn forgive(&mut self, keys: &[Key]) {
        for key in keys {
            if let Some((tries, _)) = self.counts.get_mut(key) {
                *tries = tries.saturating_sub(1);
            }
        }
    }

    fn forget(&mut self, now: u64) {
        self.counts.retain(|_, (_, until)| *until > now);
        let mut least = 1;
        while self.counts.len() > MOST_KEYS / 2 {
            self.counts.retain(|_, (tries, _)| *tries > least);
            least *= 2;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(name: &str, address: &str) -> [Key; 3] {
        Key::all(name, address.parse().unwrap())
    }

    #[test]
    fn a_name_can_be_tried_so_often_from_one_address() {
        let mut tries = Tries::default();
        for _ in 0..PER_NAME_HERE {
            assert!(tries.count(&keys("Ann", "10.0.0.1"), 5));
        }
        assert!(!tries.count(&keys("aNN", "10.0.0.1"), WHILE_MS + 4));
        assert!(tries.count(&keys("bob", "10.0.0.1"), 5));
        assert!(tries.count(&keys("Ann", "10.0.0.2"), 5), "its owner is elsewhere");
        assert!(tries.count(&keys("Ann", "10.0.0.1"), WHILE_MS + 5));
    }

    #[test]
    fn a_name_can_be_tried_so_often_from_everywhere() {
        let mut tries = Tries::default();
        let from = |n: u32| Key::all("ann", IpAddr::V4(n.into()));
        for n in 0..PER_NAME {
            assert!(tries.count(&from(n), 5));
        }
        assert!(!tries.count(&from(PER_NAME), 5));
    }

    #[test]
    fn an_address_can_try_so_often() {
        let mut tries = Tries::default();
        for n in 0..PER_ADDRESS {
            assert!(tries.count(&keys(&n.to_string(), "2001:db8::"), 5));
        }
        assert!(!tries.count(&keys("x", "2001:db8::"), 5));
        assert!(tries.count(&keys("x", "2001:db8:0:1::"), 5));
    }

    #[test]
    fn being_right_costs_nothing() {
        let mut tries = Tries::default();
        let keys = keys("ann", "10.0.0.1");
        for _ in 0..10 * PER_ADDRESS {
            assert!(tries.count(&keys, 5));
            tries.forgive(&keys);
        }
    }

    #[test]
    fn many_addresses_do_not_fill_the_memory() {
        let mut tries = Tries::default();
        let victim = [Key::Name("ann".to_owned())];
        while tries.count(&victim, 5) {}
        for n in 0..10 * MOST_KEYS as u32 {
            tries.count(&[Key::Address(IpAddr::V4(n.into()))], 5);
        }
        assert!(tries.counts.len() <= MOST_KEYS);
        assert!(!tries.count(&victim, 5), "the one who tried most is not forgotten");
    }
}
