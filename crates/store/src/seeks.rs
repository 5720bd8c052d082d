//! Seeks of quick pairing, shared by all nodes.

use protocol::{Event, Occupant, Seek};
use sqlx::Row;
use sqlx::any::AnyRow;

use super::{
    Backend, Call, Hint, Result, Store, StoreError, TableRow, Transaction, count, from_json, json, number,
};

/// A seek that was not renewed for this long has expired.
const EXPIRY_MS: u64 = 15_000;

/// The accepted difference of ratings grows by this each second.
const RANGE_GROWTH_PER_SECOND: u64 = 15;

/// Takes the lock for pairing. Its number is arbitrary, but all nodes must use the same one, and not that of
/// heartbeats.
const PAIRING_LOCK: &str = "SELECT COUNT(pg_advisory_xact_lock(7084))";

/// A player who waits for an opponent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitingSeek {
    /// Unguessable.
    pub id: String,
    /// The id of the player, who is never paired with themselves.
    pub player: String,
    /// The player as the occupant of a seat.
    pub occupant: Occupant,
    /// The requested game.
    pub wish: Seek,
    /// The rating to compare by.
    pub rating: i64,
    /// Since when, in Unix time in milliseconds.
    pub since: u64,
}

/// Two players who were paired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// The one who waited longer first.
    pub seeks: [WaitingSeek; 2],
    /// The table that was opened for them.
    pub table: String,
}

impl WaitingSeek {
    /// The accepted difference of ratings at `now`.
    fn range(&self, now: u64) -> u64 {
        u64::from(self.wish.range) + RANGE_GROWTH_PER_SECOND * (now.saturating_sub(self.since) / 1000)
    }

    fn matches(&self, other: &WaitingSeek, now: u64) -> bool {
        let (mine, theirs) = (&self.wish, &other.wish);
        self.player != other.player
            && (&mine.game, mine.clock, mine.rated) == (&theirs.game, theirs.clock, theirs.rated)
            && (!mine.rated || self.accepts(other) && other.accepts(self))
            && self.rating.abs_diff(other.rating) <= self.range(now).min(other.range(now))
    }

    /// Whether this player allows a rated game against the other. A bot allows any opponent.
    fn accepts(&self, other: &WaitingSeek) -> bool {
        self.occupant.is_bot() || self.wish.bots || !other.occupant.is_bot()
    }

    fn read(row: &AnyRow) -> Result<WaitingSeek> {
        Ok(WaitingSeek {
            id: row.try_get(0)?,
            player: row.try_get(1)?,
            occupant: from_json(row, 2)?,
            wish: from_json(row, 3)?,
            rating: row.try_get(4)?,
            since: count(row, 5)?,
        })
    }
}

/// Pairs of matching seeks as indices into `seeks`: the longest waiting first, each with the nearest rating.
fn pairs(seeks: &[WaitingSeek], now: u64) -> Vec<(usize, usize)> {
    let mut free = vec![true; seeks.len()];
    let mut pairs = Vec::new();
    for (index, seek) in seeks.iter().enumerate() {
        if !free[index] {
            continue;
        }
        let others =
            (index + 1..seeks.len()).filter(|&other| free[other] && seek.matches(&seeks[other], now));
        if let Some(nearest) = others.min_by_key(|&other| seek.rating.abs_diff(seeks[other].rating)) {
            free[nearest] = false;
            pairs.push((index, nearest));
        }
    }
    pairs
}

impl Store {
    /// Adds a seek, which replaces an earlier one of the same player.
    pub fn put_seek<'a>(&'a self, seek: &'a WaitingSeek, now: u64) -> Call<'a, ()> {
        Box::pin(async move {
            let mut transaction = self.begin().await?;
            let done = transaction.put_seek(seek, now).await;
            transaction.finish(done).await
        })
    }

    /// Removes a seek. False if it was paired or removed before.
    pub fn remove_seek<'a>(&'a self, id: &'a str) -> Call<'a, bool> {
        Box::pin(async move {
            let sql = "DELETE FROM seeks WHERE id = $1 AND table_id IS NULL";
            Ok(self.change(sql, |query| query.bind(id)).await? == 1)
        })
    }

    /// Renews a seek, about every five seconds. Returns the table if the seek was paired; a conflict if it is gone.
    pub fn renew_seek<'a>(&'a self, id: &'a str, now: u64) -> Call<'a, Option<String>> {
        Box::pin(async move {
            let sql = "UPDATE seeks SET seen = $2 WHERE id = $1 RETURNING table_id";
            let mut transaction = self.begin().await?;
            let done = transaction.one(sql, |query| query.bind(id).bind(number(now))).await;
            let row = transaction.finish(done).await?.ok_or(StoreError::Conflict)?;
            Ok(row.try_get(0)?)
        })
    }

    /// Pairs matching seeks, creates a table for each pair and notifies their nodes: all of it or nothing, and each seek
    /// once, even if several nodes do this at the same time.
    pub async fn pair(
        &self,
        now: u64,
        open: impl Fn(&WaitingSeek, &WaitingSeek) -> (TableRow, Vec<Event>),
    ) -> Result<Vec<Pairing>> {
        // Most of the time fewer than two players wait: that needs no lock.
        let seeks = self.all("SELECT id FROM seeks LIMIT 2", |query| query).await?;
        if seeks.len() < 2 {
            return Ok(Vec::new());
        }
        let mut transaction = self.begin().await?;
        let done = self.pair_in(&mut transaction, now, open).await;
        let pairings = transaction.finish(done).await?;
        for pairing in &pairings {
            for seek in &pairing.seeks {
                self.notify_local(Hint::Paired { seek: seek.id.clone(), table: pairing.table.clone() });
            }
        }
        Ok(pairings)
    }

    async fn pair_in(
        &self,
        transaction: &mut Transaction,
        now: u64,
        open: impl Fn(&WaitingSeek, &WaitingSeek) -> (TableRow, Vec<Event>),
    ) -> Result<Vec<Pairing>> {
        if self.inner.backend == Backend::Postgres {
            transaction.one(PAIRING_LOCK, |query| query).await?;
        }
        transaction
            .change("DELETE FROM seeks WHERE seen < $1", |query| {
                query.bind(number(now.saturating_sub(EXPIRY_MS)))
            })
            .await?;
        let sql = "SELECT id, player, occupant, wish, rating, since FROM seeks
            WHERE table_id IS NULL ORDER BY since, id";
        let rows = transaction.all(sql, |query| query).await?;
        let seeks = rows.iter().map(WaitingSeek::read).collect::<Result<Vec<_>>>()?;
        let mut pairings = Vec::new();
        for (one, other) in pairs(&seeks, now) {
            let seeks = [seeks[one].clone(), seeks[other].clone()];
            let (row, events) = open(&seeks[0], &seeks[1]);
            transaction.create_table(&row, events, self.node()).await?;
            for seek in &seeks {
                let sql = "UPDATE seeks SET table_id = $2 WHERE id = $1";
                transaction.change(sql, |query| query.bind(&seek.id).bind(&row.key.id)).await?;
                self.notify_others(transaction, &format!("paired {} {}", seek.id, row.key.id)).await?;
            }
            pairings.push(Pairing { seeks, table: row.key.id });
        }
        Ok(pairings)
    }
}

impl Transaction {
    async fn put_seek(&mut self, seek: &WaitingSeek, now: u64) -> Result<()> {
        let sql = "DELETE FROM seeks WHERE player = $1 AND table_id IS NULL";
        self.change(sql, |query| query.bind(&seek.player)).await?;
        let sql = "INSERT INTO seeks (id, player, occupant, wish, rating, since, seen)
            VALUES ($1, $2, $3, $4, $5, $6, $7)";
        self.change(sql, |query| {
            let query =
                query.bind(&seek.id).bind(&seek.player).bind(json(&seek.occupant)).bind(json(&seek.wish));
            query.bind(seek.rating).bind(number(seek.since)).bind(number(now))
        })
        .await
        .map(drop)
    }
}
