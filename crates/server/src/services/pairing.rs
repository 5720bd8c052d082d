//! Quick pairing: whoever looks for the same game is brought together, on whichever node they are.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use protocol::{ApiError, Clock, ErrorCode, Event, Occupant, Seek, Settings};
use rules::Spec;
use table::Principal;
use tokio::{
    sync::{Notify, broadcast::error::RecvError},
    time::{interval, timeout},
};

use crate::{
    store::{Hint, Store, StoreError, TableRow, WaitingSeek},
    table::{Tables, lot, now, unavailable},
};

/// How often those who wait are looked at.
const LOOKING: Duration = Duration::from_millis(500);
/// How often a seek says that somebody still waits.
const RENEWING: Duration = Duration::from_secs(4);
const WIDEST_RANGE: u32 = 4_000;

/// Brings people together.
#[derive(Clone)]
pub struct Pairing {
    store: Store,
    tables: Tables,
    waiting: Arc<AtomicUsize>,
    /// Told when somebody new waits.
    arrived: Arc<Notify>,
}

/// Counts somebody who waits for as long as they do.
struct Waiting(Arc<AtomicUsize>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Takes the seek away when whoever sought gives up.
struct Wish {
    store: Store,
    id: String,
    is_settled: bool,
}

impl Drop for Wish {
    fn drop(&mut self) {
        if !self.is_settled {
            let (store, id) = (self.store.clone(), self.id.clone());
            // If the store is away, the seek ends by itself when nobody renews it.
            tokio::spawn(async move { store.remove_seek(&id).await.ok() });
        }
    }
}

impl Pairing {
    pub(crate) fn new(store: Store, tables: Tables) -> Self {
        Self { store, tables, waiting: Arc::default(), arrived: Arc::default() }
    }

    /// How many wait on this node.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    /// Waits until somebody is found; the table of their game. Principal stops waiting drops the future.
    ///
    /// # Errors
    /// If there is no such game, or the store is away.
    pub async fn seek(&self, who: &Principal, mut wish: Seek) -> Result<String, ApiError> {
        let occupant = self.check(who, &mut wish).await?;
        let rating = match &occupant {
            Occupant::Person { rating: Some(rating), .. } => *rating,
            _ => 1500,
        };
        let id = crate::random_hex::<16>();
        let at = now();
        let seek =
            WaitingSeek { id: id.clone(), player: who.id().to_owned(), occupant, wish, rating, since: at };
        let mut hints = self.store.hints();
        let mut wish = Wish { store: self.store.clone(), id: id.clone(), is_settled: false };
        // In a task of its own, because who gives up meanwhile must not break off a transaction.
        let put = {
            let store = self.store.clone();
            tokio::spawn(async move { store.put_seek(&seek, at).await })
        };
        put.await.map_err(|_| ErrorCode::Broken.because("the search failed"))?.map_err(unavailable)?;
        self.waiting.fetch_add(1, Ordering::Relaxed);
        let _waiting = Waiting(self.waiting.clone());
        self.arrived.notify_one();
        let mut renewals = interval(RENEWING);
        loop {
            tokio::select! {
                hint = hints.recv() => match hint {
                    Ok(Hint::Paired { seek, table }) if seek == id => {
                        wish.is_settled = true;
                        return Ok(table);
                    }
                    Err(RecvError::Closed) => break,
                    _ => {}
                },
                _ = renewals.tick() => match self.store.renew_seek(&id, now()).await {
                    Ok(Some(table)) => {
                        wish.is_settled = true;
                        return Ok(table);
                    }
                    Err(StoreError::Conflict) => {
                        return Err(ErrorCode::NotFound.because("another search has taken the place of this one"));
                    }
                    // While the store is away one waits on.
                    Ok(None) | Err(StoreError::Unavailable(_)) => {}
                },
            }
        }
        Err(ErrorCode::Unavailable.because("the server is stopping"))
    }

    /// Makes a wish comparable with others, and the seeker a player.
    async fn check(&self, who: &Principal, wish: &mut Seek) -> Result<Occupant, ApiError> {
        let spec =
            wish.game.parse::<Spec>().map_err(|error| ErrorCode::UnknownGame.because(error.to_string()))?;
        if !wish.clock.is_valid() {
            return Err(ErrorCode::BadMessage.because("no such clock"));
        }
        if wish.rated {
            if who.account.is_none() {
                return Err(ErrorCode::SignInFirst.because("a rated game needs an account"));
            }
            if spec.name().parse::<Spec>().ok() != Some(spec) || wish.clock == Clock::None {
                return Err(ErrorCode::NotAllowed.because("only the usual size with a clock is rated"));
            }
        }
        wish.game = spec.to_string();
        wish.range = wish.range.clamp(1, WIDEST_RANGE);
        let rating = self.tables.shown_rating(who, &settings(wish)).await;
        Ok(Occupant::Person { id: who.id().to_owned(), name: who.name.clone(), rating })
    }

    /// Brings together those who wait, from now on: at once when somebody comes, and from time to time because what
    /// they would take widens.
    pub(crate) async fn bring_together(&self) {
        loop {
            // Principal waits on other nodes is looked at there, or with the next one here.
            let _ = timeout(LOOKING, self.arrived.notified()).await;
            if self.waiting() > 0
                && let Err(error) = self.store.pair(now(), open).await
            {
                tracing::debug!(%error, "nobody could be paired");
            }
        }
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
    }
}

/// The table of two who found each other; chance decides who begins.
fn open(one: &WaitingSeek, other: &WaitingSeek) -> (TableRow, Vec<Event>) {
    let (first, second) = if lot() { (one, other) } else { (other, one) };
    let seats = [first.occupant.clone(), second.occupant.clone()];
    let (row, event) = Tables::prepare(&settings(&first.wish), &seats, "", None);
    (row, vec![event])
}
