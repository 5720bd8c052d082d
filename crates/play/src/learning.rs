//! Reviews the finished games of accounts that ask for it, in the background and the newest first, for their profiles of
//! skills. Each game is reviewed once. An account has one review at a time, which waits in the fair queue behind
//! everything that people wait for.

use std::{collections::HashSet, sync::Arc};

use futures_util::future::BoxFuture;
use parking_lot::Mutex;
use protocol::{ApiError, EndReason, ErrorCode, LearnedGame, Occupant, Status};
use rules::Side;
use store::{Learned, Store, Stored, TableFilter, TableRow, task};
use study::skills::LEAST_MOVES;

use crate::{EnginePool, Registry};

/// The latest games of an account that are reviewed.
const MOST_GAMES: u32 = 100;
/// Accounts whose games are reviewed at the same time.
const MOST_ACCOUNTS: usize = 64;

/// Reviews of the games of accounts.
pub struct Learning {
    store: Store,
    tables: Registry,
    engines: EnginePool,
    /// The accounts whose games are being reviewed.
    accounts: Mutex<HashSet<String>>,
}

/// A running review; removed on drop.
struct Running {
    learning: Arc<Learning>,
    account: String,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.learning.accounts.lock().remove(&self.account);
    }
}

impl Learning {
    /// Reviews with the programs of this pool.
    #[must_use]
    pub fn new(store: Store, tables: Registry, engines: EnginePool) -> Arc<Self> {
        Arc::new(Self { store, tables, engines, accounts: Mutex::default() })
    }

    /// Whether games of an account are being reviewed here.
    pub fn is_reviewing(&self, account: &str) -> bool {
        self.accounts.lock().contains(account)
    }

    /// The number of an account's latest games of a kind, such as `connect-four`, that are not reviewed yet.
    ///
    /// # Errors
    /// If the store is unavailable.
    pub fn unreviewed<'a>(
        &'a self,
        account: &'a str,
        family: &'a str,
    ) -> BoxFuture<'a, Result<usize, ApiError>> {
        Box::pin(async move { Ok(self.wanted(account, family).await?.len()) })
    }

    /// Starts the review of an account's latest games of a kind, unless it is running.
    ///
    /// # Errors
    /// If games of too many accounts are being reviewed.
    pub fn start(self: &Arc<Self>, account: &str, family: &str) -> Result<(), ApiError> {
        {
            let mut accounts = self.accounts.lock();
            if accounts.contains(account) {
                return Ok(());
            }
            if accounts.len() >= MOST_ACCOUNTS {
                return Err(ErrorCode::Busy.because("too many games are being reviewed; try again later"));
            }
            accounts.insert(account.to_owned());
        }
        let running = Running { learning: self.clone(), account: account.to_owned() };
        let family = family.to_owned();
        task::spawn(async move {
            if let Err(error) = running.learning.review(&running.account, &family).await {
                tracing::warn!(account = running.account, error = error.message, "games_not_reviewed");
            }
        });
        Ok(())
    }

    /// The latest games that are not reviewed yet, with the side of the account.
    async fn wanted(&self, account: &str, family: &str) -> Result<Vec<(TableRow, Side)>, ApiError> {
        let filter = TableFilter {
            player: Some(account.to_owned()),
            status: Some(Status::Ended),
            game: Some(family.to_owned()),
            limit: MOST_GAMES,
            ..TableFilter::default()
        };
        let rows = self.store.tables(&filter).await.map_err(ApiError::from)?;
        let known = self.store.reviewed_games(account).await.map_err(ApiError::from)?;
        let side = |row: &TableRow| {
            let is_own = |side: &Side| matches!(&row.seats[side.index()], Occupant::Person { id, .. } if id == account);
            let sides: Vec<_> = Side::BOTH.into_iter().filter(is_own).collect();
            // A game of two sides on one screen says nothing about either.
            <[Side; 1]>::try_from(sides).ok()
        };
        let is_wanted = |row: &TableRow| {
            row.ply >= LEAST_MOVES && row.reason != Some(EndReason::Aborted) && !known.contains(&row.key.id)
        };
        let rows = rows.into_iter().filter(is_wanted);
        Ok(rows.filter_map(|row| side(&row).map(|[side]| (row, side))).collect())
    }

    /// Reviews the games one after the other.
    async fn review(&self, account: &str, family: &str) -> Result<(), ApiError> {
        for (row, you) in self.wanted(account, family).await? {
            let TableRow { key, settings, updated: at, .. } = row;
            let Some(state) = self.tables.replay(&key.id).await? else { continue };
            // A game that cannot be reviewed is no reason to leave out the others.
            let Ok(learned) = self.engines.learn(account, state.game(), (you, &key.id, at)).await else {
                tracing::warn!(table = key.id, "game_not_reviewed");
                continue;
            };
            let moves = state.game().moves().join(" ");
            let game = LearnedGame { observed: learned.observed, you, moves, position: settings.position };
            let exercises = learned.exercises.into_iter().map(Learned::Exercise);
            let new = std::iter::once(Learned::Game(game)).chain(exercises).collect();
            match self.store.learn(account, new).await.map_err(ApiError::from)? {
                Stored::All => {}
                Stored::Full | Stored::NoAccount => break,
            }
        }
        Ok(())
    }
}
