//! Quick pairing: pairs players who seek the same game, on any nodes.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use futures_util::future::BoxFuture;
use protocol::{ApiError, Clock, ErrorCode, Event, Occupant, Seek, Settings};
use rules::Spec;
use store::{Hint, Store, StoreError, TableRow, WaitingSeek, task};
use table::Principal;
use tokio::{
    sync::{Notify, broadcast::error::RecvError},
    time::{interval, timeout},
};

use crate::table::{Registry, coin_flip, new_row};

/// Interval at which waiting seeks are matched again.
const MATCH_INTERVAL: Duration = Duration::from_millis(500);
/// Interval at which a seek is renewed.
const RENEWAL_INTERVAL: Duration = Duration::from_secs(4);
const MAX_RATING_RANGE: u32 = 4_000;
const DEFAULT_RATING: i64 = 1500;

/// Pairs players.
#[derive(Clone)]
pub struct Pairing {
    store: Store,
    registry: Registry,
    waiting: Arc<AtomicUsize>,
    /// Notified when a seek arrives.
    arrived: Arc<Notify>,
}

/// Counts a waiting seek while it lives.
struct Waiting(Arc<AtomicUsize>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Removes a seek from the store when its future is dropped.
struct SeekGuard {
    store: Store,
    id: String,
    is_settled: bool,
}

impl Drop for SeekGuard {
    fn drop(&mut self) {
        if !self.is_settled {
            let (store, id) = (self.store.clone(), self.id.clone());
            // If the store is unavailable, the seek expires.
            task::spawn(async move { drop(store.remove_seek(&id).await) });
        }
    }
}

impl Pairing {
    /// Pairs players who seek through this node.
    pub fn new(store: Store, registry: Registry) -> Self {
        Self { store, registry, waiting: Arc::default(), arrived: Arc::default() }
    }

    /// The number of seeks waiting on this node.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    fn now(&self) -> u64 {
        self.registry.clock().now_ms()
    }

    /// Waits for an opponent and returns the table of the game. Dropping the future cancels the seek.
    ///
    /// # Errors
    /// If the seek is invalid or replaced by another one, or the store is unavailable.
    pub fn seek<'a>(
        &'a self,
        principal: &'a Principal,
        mut wish: Seek,
    ) -> BoxFuture<'a, Result<String, ApiError>> {
        Box::pin(async move {
            let occupant = self.check(principal, &mut wish).await?;
            let rating = match &occupant {
                Occupant::Person { rating: Some(rating), .. } => *rating,
                _ => DEFAULT_RATING,
            };
            let id = store::random_hex::<16>();
            let since = self.now();
            let seek = WaitingSeek {
                id: id.clone(),
                player: principal.id().to_owned(),
                occupant,
                wish,
                rating,
                since,
            };
            let mut hints = self.store.hints();
            let mut guard = SeekGuard { store: self.store.clone(), id: id.clone(), is_settled: false };
            // In a task of its own, because dropping this future must not interrupt a transaction.
            let put = {
                let store = self.store.clone();
                tokio::spawn(async move { store.put_seek(&seek, since).await })
            };
            put.await.map_err(|_| ErrorCode::Broken.because("the search failed"))?.map_err(ApiError::from)?;
            self.waiting.fetch_add(1, Ordering::Relaxed);
            let _waiting = Waiting(self.waiting.clone());
            self.arrived.notify_one();
            let mut renewals = interval(RENEWAL_INTERVAL);
            loop {
                tokio::select! {
                    hint = hints.recv() => match hint {
                        Ok(Hint::Paired { seek, table }) if seek == id => {
                            guard.is_settled = true;
                            return Ok(table);
                        }
                        Err(RecvError::Closed) => break,
                        _ => {}
                    },
                    _ = renewals.tick() => match self.store.renew_seek(&id, self.now()).await {
                        Ok(Some(table)) => {
                            guard.is_settled = true;
                            return Ok(table);
                        }
                        Err(StoreError::Conflict) => {
                            return Err(ErrorCode::NotFound.because("you started another seek, which replaced this one"));
                        }
                        // The seek stays open while the store is unavailable.
                        Ok(None) | Err(StoreError::Unavailable { .. }) => {}
                        Err(error) => return Err(error.into()),
                    },
                }
            }
            Err(ErrorCode::Unavailable.because("the server is stopping"))
        })
    }

    /// Normalizes a seek so that it can be compared with others; returns the player as the occupant of a seat.
    async fn check(&self, principal: &Principal, wish: &mut Seek) -> Result<Occupant, ApiError> {
        let spec =
            wish.game.parse::<Spec>().map_err(|error| ErrorCode::UnknownGame.because(error.to_string()))?;
        if !wish.clock.is_valid() {
            return Err(ErrorCode::BadMessage.because(format!("invalid clock; expected {}", Clock::BOUNDS)));
        }
        if wish.rated {
            if principal.account.is_none() {
                return Err(ErrorCode::SignInFirst.because("you need an account to play rated games"));
            }
            let rated = spec.rated();
            if rated != spec || wish.clock == Clock::None {
                return Err(ErrorCode::NotAllowed.because(format!("only {rated} with a clock can be rated")));
            }
        }
        wish.game = spec.to_string();
        wish.range = wish.range.clamp(1, MAX_RATING_RANGE);
        let rating = self.registry.shown_rating(principal, &settings(wish)).await;
        Ok(principal.occupant(rating))
    }

    /// Pairs waiting seeks: at once when one arrives, and at intervals because the accepted rating range grows.
    pub fn run(self) -> BoxFuture<'static, ()> {
        Box::pin(async move {
            loop {
                // Seeks of other nodes are matched there, or with the next one here.
                let _ = timeout(MATCH_INTERVAL, self.arrived.notified()).await;
                if self.waiting() > 0 {
                    let now = self.now();
                    if let Err(error) = self.store.pair(now, |one, other| open(one, other, now)).await {
                        error.log("pairing_failed");
                    }
                }
            }
        })
    }
}

fn settings(wish: &Seek) -> Settings {
    Settings {
        game: wish.game.clone(),
        position: None,
        clock: wish.clock,
        rated: wish.rated,
        take_back: false,
        listed: true,
        invited: None,
        tournament: None,
        bots: wish.bots,
        unverified: false,
    }
}

/// Creates the table of a pair; the side that begins is random.
fn open(one: &WaitingSeek, other: &WaitingSeek, now: u64) -> (TableRow, Vec<Event>) {
    let (first, second) = if coin_flip() { (one, other) } else { (other, one) };
    let seats = [first.occupant.clone(), second.occupant.clone()];
    let (row, event) = new_row(&settings(&first.wish), &seats, "", None, now);
    (row, vec![event])
}
