//! How often an address may do what costs us something: a bucket of tokens for each, that fills by itself.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Mutex, PoisonError},
    time::Instant,
};

use protocol::{ApiError, ErrorCode};

/// What is counted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Costly {
    /// Making an account, signing in, changing a password: a hash that takes its time.
    Password,
    /// Setting up a table.
    Table,
    /// Doing something at a table.
    Move,
    /// Trying a code.
    Code,
    /// Thinking.
    Analysis,
    /// Lists, profiles, downloads: a question to the store.
    Look,
    /// Beginning to come by requests instead of a WebSocket: remembered for a while even if nobody comes again.
    Polling,
}

impl Costly {
    /// How many at once, and how many in a second later on.
    const fn allowance(self) -> (f64, f64) {
        match self {
            Self::Password => (10.0, 0.1),
            Self::Table => (30.0, 1.0),
            Self::Move => (100.0, 20.0),
            Self::Code => (20.0, 0.5),
            Self::Analysis => (20.0, 2.0),
            Self::Look => (100.0, 20.0),
            Self::Polling => (100.0, 10.0),
        }
    }
}

/// No more addresses are remembered; those with full buckets are forgotten first.
const MOST_BUCKETS: usize = 50_000;

/// The buckets of all addresses.
pub(crate) struct Limits {
    /// Times the usual allowance; none is no limit.
    factor: Option<f64>,
    buckets: Mutex<HashMap<(Costly, IpAddr), Bucket>>,
}

#[derive(Clone, Copy)]
struct Bucket {
    tokens: f64,
    at: Instant,
}

impl Limits {
    pub(crate) fn new(factor: Option<f64>) -> Self {
        Self { factor, buckets: Mutex::default() }
    }

    /// Takes a token, or refuses.
    pub(crate) fn take(&self, what: Costly, address: IpAddr) -> Result<(), ApiError> {
        self.take_at(what, address, Instant::now())
    }

    fn take_at(&self, what: Costly, address: IpAddr, now: Instant) -> Result<(), ApiError> {
        let Some(factor) = self.factor else {
            return Ok(());
        };
        let level = |what: Costly, bucket: &Bucket| {
            let (most, rate) = what.allowance();
            let gained = now.saturating_duration_since(bucket.at).as_secs_f64() * rate * factor;
            (bucket.tokens + gained).min(most * factor)
        };
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MOST_BUCKETS {
            buckets.retain(|&(what, _), bucket| level(what, bucket) < what.allowance().0 * factor);
            // So many at once is an attack; to count anew is kinder than to refuse everybody.
            if buckets.len() >= MOST_BUCKETS {
                buckets.clear();
            }
        }
        let full = Bucket { tokens: what.allowance().0 * factor, at: now };
        let bucket = buckets.entry((what, address)).or_insert(full);
        *bucket = Bucket { tokens: level(what, bucket), at: now };
        if bucket.tokens < 1.0 {
            return Err(ErrorCode::TooFast.because("that was too often: wait a little and try again"));
        }
        bucket.tokens -= 1.0;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::{net::Ipv4Addr, time::Duration};

    use super::*;

    #[test]
    fn a_bucket_empties_and_fills() {
        let limits = Limits::new(Some(1.0));
        let (here, there) = (Ipv4Addr::new(1, 1, 1, 1).into(), Ipv4Addr::new(1, 1, 1, 2).into());
        let start = Instant::now();
        let take = |address, seconds| {
            limits.take_at(Costly::Password, address, start + Duration::from_secs(seconds)).is_ok()
        };
        assert_eq!((0..20).filter(|_| take(here, 0)).count(), 10);
        assert!(take(there, 0));
        assert!(!take(here, 9));
        assert!(take(here, 10) && !take(here, 10));
        assert_eq!((0..20).filter(|_| take(here, 10_000)).count(), 10);
        assert!(limits.take_at(Costly::Table, here, start).is_ok());
    }

    #[test]
    fn memory_is_bounded() {
        let limits = Limits::new(Some(1.0));
        let start = Instant::now();
        for number in 0..2 * MOST_BUCKETS as u32 {
            let address = Ipv4Addr::from_bits(number).into();
            assert!(limits.take_at(Costly::Look, address, start).is_ok());
        }
        assert!(limits.buckets.lock().unwrap().len() <= MOST_BUCKETS);
    }

    #[test]
    fn limits_can_be_switched_off() {
        let limits = Limits::new(None);
        assert!((0..1000).all(|_| limits.take(Costly::Password, Ipv4Addr::LOCALHOST.into()).is_ok()));
    }
}
