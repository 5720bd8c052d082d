//! The rate limiter: GCRA as the crate `governor` implements it. Requests are limited by class and client address,
//! messages by socket, passwords by [`crate::auth`].
//!
//! A quota is a burst and the rate at which it is replenished. Memory is bounded: idle keys are dropped from
//! time to time, and when there are too many at once, those that used the least of their quota are dropped
//! first.

use std::{
    collections::HashMap,
    hash::Hash,
    num::NonZeroU32,
    sync::Arc,
    time::{Duration, Instant},
};

use governor::{
    DefaultDirectRateLimiter, InsufficientCapacity, Quota, RateLimiter,
    clock::{Clock, MonotonicClock},
    nanos::Nanos,
    state::{StateStore, keyed::ShrinkableKeyedStateStore},
};
use parking_lot::Mutex;
use play::Share;
use protocol::{ApiError, ErrorCode};

/// What a request costs the server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RateClass {
    /// Creating an account, signing in, changing a password: a slow hash.
    Password,
    /// Creating a table, a seek or a token.
    Create,
    /// A command at a table.
    Command,
    /// Looking up an invitation code.
    Code,
    /// Analysis by a program.
    Analysis,
    /// Lists, profiles, downloads: a query of the store.
    Read,
    /// Opening a polling session, which is kept for a while even if its client never returns.
    Polling,
}

impl RateClass {
    const ALL: [Self; 7] =
        [Self::Password, Self::Create, Self::Command, Self::Code, Self::Analysis, Self::Read, Self::Polling];

    /// Burst, and replenished requests per second.
    const fn quota(self) -> (u32, f64) {
        match self {
            // A class of thirty signs in at once, from one address.
            Self::Password => (40, 0.2),
            Self::Create => (30, 1.0),
            Self::Command => (100, 20.0),
            Self::Code => (20, 0.5),
            Self::Analysis => (20, 2.0),
            Self::Read => (200, 40.0),
            Self::Polling => (100, 10.0),
        }
    }
}

/// Burst and replenished messages per second of a socket.
const MESSAGES: (u32, f64) = (100, 20.0);

/// Addresses that are remembered per class.
const MAX_ADDRESSES: usize = 50_000;

/// A quota, multiplied by the factor that the operator has set.
fn scaled((burst, per_second): (u32, f64), factor: f64) -> Quota {
    let burst = NonZeroU32::new((f64::from(burst) * factor).ceil() as u32).unwrap_or(NonZeroU32::MIN);
    quota(burst, Duration::from_secs_f64(1.0 / (per_second * factor)))
}

/// A quota of this burst, replenished by one in each period.
pub(crate) fn quota(burst: NonZeroU32, period: Duration) -> Quota {
    Quota::with_period(period.max(Duration::from_nanos(1)))
        .expect("the period is not zero")
        .allow_burst(burst)
}

/// The limits of requests, by class and client address.
pub(crate) struct RateLimits {
    /// One limiter per class; none if limits are switched off.
    classes: Vec<KeyedLimiter<Share>>,
    refusals: Refusals,
}

/// Logs refused requests, at most one line per [`Refusals::INTERVAL`], so that a flood does not fill the log.
#[derive(Default)]
struct Refusals(Mutex<(Option<Instant>, u64)>);

impl Refusals {
    const INTERVAL: Duration = Duration::from_secs(1);

    fn log(&self, class: RateClass, share: Share) {
        let now = Instant::now();
        let unlogged = {
            let (last, unlogged) = &mut *self.0.lock();
            if last.is_some_and(|last| now - last < Self::INTERVAL) {
                *unlogged += 1;
                return;
            }
            *last = Some(now);
            std::mem::take(unlogged)
        };
        tracing::info!(client = %share, class = ?class, unlogged, "rate_limited");
    }
}

impl RateLimits {
    /// The usual quotas multiplied by a factor; `None` switches limits off.
    pub(crate) fn new(factor: Option<f64>) -> Self {
        let limiter = |(class, factor): (RateClass, f64)| {
            KeyedLimiter::new(scaled(class.quota(), factor), MAX_ADDRESSES, MonotonicClock)
        };
        let classes = factor.into_iter().flat_map(|factor| RateClass::ALL.map(|class| (class, factor)));
        Self { classes: classes.map(limiter).collect(), refusals: Refusals::default() }
    }

    /// Counts a request.
    ///
    /// # Errors
    /// If the quota is used up.
    pub(crate) fn check(&self, class: RateClass, share: Share) -> Result<(), ApiError> {
        match self.classes.get(class as usize) {
            Some(limiter) if !limiter.check(&share) => {
                self.refusals.log(class, share);
                Err(ErrorCode::TooFast.because("too many requests; wait a little and try again"))
            }
            _ => Ok(()),
        }
    }

    /// Forgets idle addresses.
    pub(crate) fn shrink(&self) {
        self.classes.iter().for_each(KeyedLimiter::shrink);
    }
}

/// The limit of one socket's messages.
pub(crate) struct MessageLimit(Option<DefaultDirectRateLimiter>);

impl MessageLimit {
    /// The usual quota multiplied by a factor; `None` switches the limit off.
    pub(crate) fn new(factor: Option<f64>) -> Self {
        Self(factor.map(|factor| RateLimiter::direct(scaled(MESSAGES, factor))))
    }

    /// Counts a message that costs as much as the given number of usual ones; false if the quota is used up.
    pub(crate) fn check(&self, cost: NonZeroU32) -> bool {
        let Some(limiter) = &self.0 else { return true };
        match limiter.check_n(cost) {
            Ok(outcome) => outcome.is_ok(),
            // A cost above the burst takes all of it.
            Err(InsufficientCapacity(burst)) => {
                NonZeroU32::new(burst).is_some_and(|burst| matches!(limiter.check_n(burst), Ok(Ok(()))))
            }
        }
    }
}

/// One quota for each key.
pub(crate) struct KeyedLimiter<K: Hash + Eq + Clone, C: Clock = MonotonicClock> {
    limiter: RateLimiter<K, BoundedStore<K>, C, governor::middleware::NoOpMiddleware<C::Instant>>,
    store: BoundedStore<K>,
    period: Nanos,
}

impl<K: Hash + Eq + Clone, C: Clock> KeyedLimiter<K, C> {
    pub(crate) fn new(quota: Quota, max_keys: usize, clock: C) -> Self {
        let store = BoundedStore { states: Arc::default(), max_keys };
        let limiter = RateLimiter::new(quota, store.clone(), clock);
        Self { limiter, store, period: quota.replenish_interval().into() }
    }

    /// Takes one from a key's quota; false if the quota is used up.
    pub(crate) fn check(&self, key: &K) -> bool {
        self.limiter.check_key(key).is_ok()
    }

    /// Gives back what [`KeyedLimiter::check`] took.
    pub(crate) fn refund(&self, key: &K) {
        if let Some(arrival) = self.store.states.lock().get_mut(key) {
            *arrival = arrival.saturating_sub(self.period);
        }
    }

    /// Forgets idle keys.
    pub(crate) fn shrink(&self) {
        self.limiter.retain_recent();
        self.limiter.shrink_to_fit();
    }

    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.limiter.len()
    }
}

/// Theoretical arrival times by key, the state of GCRA: the later, the more of its quota a key has used.
#[derive(Clone)]
struct BoundedStore<K> {
    states: Arc<Mutex<HashMap<K, Nanos>>>,
    max_keys: usize,
}

impl<K: Hash + Eq + Clone> StateStore for BoundedStore<K> {
    type Key = K;

    fn measure_and_replace<T, F, E>(&self, key: &K, decide: F) -> Result<T, E>
    where
        F: Fn(Option<Nanos>) -> Result<(T, Nanos), E>,
    {
        let mut states = self.states.lock();
        if let Some(arrival) = states.get_mut(key) {
            let (outcome, next) = decide(Some(*arrival))?;
            *arrival = next;
            return Ok(outcome);
        }
        let (outcome, next) = decide(None)?;
        if states.len() >= self.max_keys {
            drop_least_used(&mut states);
        }
        states.insert(key.clone(), next);
        Ok(outcome)
    }
}

impl<K: Hash + Eq + Clone> ShrinkableKeyedStateStore<K> for BoundedStore<K> {
    fn retain_recent(&self, drop_below: Nanos) {
        self.states.lock().retain(|_, arrival| *arrival > drop_below);
    }

    fn shrink_to_fit(&self) {
        self.states.lock().shrink_to_fit();
    }

    fn len(&self) -> usize {
        self.states.lock().len()
    }

    fn is_empty(&self) -> bool {
        self.states.lock().is_empty()
    }
}

/// Drops at least half of the keys. In a flood of new keys, the new keys have used the least and are dropped.
fn drop_least_used<K: Hash + Eq>(states: &mut HashMap<K, Nanos>) {
    let mut arrivals: Vec<_> = states.values().copied().collect();
    let middle = arrivals.len() / 2;
    let (_, &mut median, _) = arrivals.select_nth_unstable(middle);
    states.retain(|_, arrival| *arrival > median);
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use governor::clock::FakeRelativeClock;

    use super::*;

    fn limiter(
        class: RateClass,
        max_keys: usize,
    ) -> (KeyedLimiter<u32, FakeRelativeClock>, FakeRelativeClock) {
        let clock = FakeRelativeClock::default();
        (KeyedLimiter::new(scaled(class.quota(), 1.0), max_keys, clock.clone()), clock)
    }

    #[test]
    fn a_quota_is_used_up_and_replenished() {
        let (limiter, clock) = limiter(RateClass::Password, 10);
        assert_eq!((0..60).filter(|_| limiter.check(&1)).count(), 40);
        assert!(limiter.check(&2), "another key");
        clock.advance(Duration::from_secs(4));
        assert!(!limiter.check(&1));
        clock.advance(Duration::from_secs(1));
        assert!(limiter.check(&1) && !limiter.check(&1));
        clock.advance(Duration::from_secs(10_000));
        assert_eq!((0..60).filter(|_| limiter.check(&1)).count(), 40);
    }

    #[test]
    fn a_refund_gives_back_one() {
        let (limiter, _) = limiter(RateClass::Password, 10);
        assert_eq!((0..60).filter(|_| limiter.check(&1)).count(), 40);
        limiter.refund(&1);
        assert!(limiter.check(&1) && !limiter.check(&1));
    }

    #[test]
    fn memory_is_bounded_and_heavy_users_are_remembered() {
        let (limiter, _) = limiter(RateClass::Password, 1_000);
        while limiter.check(&0) {}
        for key in 1..10_000 {
            assert!(limiter.check(&key));
            assert!(limiter.len() <= 1_000);
        }
        assert!(!limiter.check(&0));
    }

    #[test]
    fn idle_keys_are_forgotten() {
        let (limiter, clock) = limiter(RateClass::Password, 1_000);
        assert!((0..100).all(|key| limiter.check(&key)));
        limiter.shrink();
        assert_eq!(limiter.len(), 100);
        clock.advance(Duration::from_secs(60));
        assert!(limiter.check(&0));
        limiter.shrink();
        assert_eq!(limiter.len(), 1);
    }

    #[test]
    fn limits_are_scaled_and_switched_off() {
        let address = Share::of(Ipv4Addr::LOCALHOST.into());
        let allowed = |factor, class| {
            let limits = RateLimits::new(factor);
            (0..1_000).filter(|_| limits.check(class, address).is_ok()).count()
        };
        assert_eq!(allowed(Some(1.0), RateClass::Password), 40);
        assert_eq!(allowed(Some(0.001), RateClass::Password), 1);
        assert_eq!(allowed(Some(3.0), RateClass::Code), 60);
        assert_eq!(allowed(None, RateClass::Password), 1_000);
    }

    #[test]
    fn costly_messages_take_more() {
        let cost = |cost| NonZeroU32::new(cost).unwrap();
        let limit = MessageLimit::new(Some(1.0));
        assert_eq!((0..100).filter(|_| limit.check(cost(10))).count(), 10);
        assert!(!limit.check(cost(1)));
        let small = MessageLimit::new(Some(0.05));
        assert!(small.check(cost(10)) && !small.check(cost(1)), "a cost above the burst takes all of it");
        assert!((0..1_000).all(|_| MessageLimit::new(None).check(cost(10))));
    }

    #[test]
    fn classes_are_indexed_by_their_order() {
        for (index, class) in RateClass::ALL.into_iter().enumerate() {
            assert_eq!(class as usize, index);
        }
    }
}
