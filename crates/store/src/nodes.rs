//! Heartbeats of nodes, ownership of tables, and downtimes.

use std::sync::atomic::Ordering;

use protocol::ClockKind;
use sqlx::{AssertSqlSafe, Row};

use super::{Backend, Call, Result, Store, Transaction, count, number};

/// If the latest heartbeat of all nodes is older than this, the database was unreachable in between.
pub const SILENCE_MS: u64 = 3_000;

/// Takes the lock for heartbeats. Its number is arbitrary, but all nodes must use the same one.
const HEARTBEAT_LOCK: &str = "SELECT COUNT(pg_advisory_xact_lock(7083))";

impl Store {
    /// Records a heartbeat of this node; to be called about every second.
    ///
    /// The time since the last heartbeat of any node is a downtime if it is long (the database was unavailable), or if
    /// this is the first heartbeat of the only node (the server was down). It is stored and returned as (from, to), so
    /// that clocks are not charged for it.
    pub fn heartbeat(&self, now: u64) -> Call<'_, Option<(u64, u64)>> {
        Box::pin(async move {
            let mut transaction = self.begin().await?;
            let done = self.heartbeat_in(&mut transaction, now).await;
            let done = transaction.finish(done).await;
            if done.is_ok() {
                self.inner.has_heartbeat.store(true, Ordering::Relaxed);
            }
            done
        })
    }

    async fn heartbeat_in(&self, transaction: &mut Transaction, now: u64) -> Result<Option<(u64, u64)>> {
        if self.inner.backend == Backend::Postgres {
            transaction.one(HEARTBEAT_LOCK, |query| query).await?;
        }
        let newest = transaction.one("SELECT MAX(seen) FROM nodes", |query| query).await?;
        let newest: Option<i64> = newest.map(|row| row.try_get(0)).transpose()?.flatten();
        let newest = newest.map(i64::unsigned_abs);
        let mut silence = SILENCE_MS;
        if !self.inner.has_heartbeat.load(Ordering::Relaxed) {
            self.forget_dead_nodes(transaction).await?;
            let others = transaction.one("SELECT node FROM nodes", |query| query).await?;
            if others.is_none() {
                silence = 0;
            }
        }
        let downtime =
            newest.filter(|newest| now.saturating_sub(*newest) > silence).map(|newest| (newest, now));
        if let Some((from, to)) = downtime {
            let sql = "INSERT INTO downtimes (from_at, to_at) VALUES ($1, $2) ON CONFLICT DO NOTHING";
            transaction.change(sql, |query| query.bind(number(from)).bind(number(to))).await?;
        }
        // A heartbeat that was given up may arrive after a later one, and takes nothing back.
        let sql = "INSERT INTO nodes (node, seen) VALUES ($1, $2) ON CONFLICT (node) DO UPDATE
            SET seen = CASE WHEN nodes.seen > excluded.seen THEN nodes.seen ELSE excluded.seen END";
        transaction.change(sql, |query| query.bind(self.node()).bind(number(now))).await?;
        Ok(downtime)
    }

    /// Deletes nodes that are gone. An SQLite file has one server; on PostgreSQL a live node has a listener
    /// with its name.
    async fn forget_dead_nodes(&self, transaction: &mut Transaction) -> Result<()> {
        let sql = match self.inner.backend {
            Backend::Sqlite => "DELETE FROM nodes",
            Backend::Postgres => {
                "DELETE FROM nodes WHERE 'alinea ' || node NOT IN
                    (SELECT application_name FROM pg_stat_activity WHERE application_name IS NOT NULL)"
            }
        };
        transaction.change(sql, |query| query).await.map(drop)
    }

    /// The downtimes since a time, oldest first, as (from, to). None of them is in the future, whatever a
    /// wrong clock has written.
    pub fn downtimes(&self, since: u64, now: u64) -> Call<'_, Vec<(u64, u64)>> {
        Box::pin(async move {
            let sql =
                "SELECT from_at, to_at FROM downtimes WHERE to_at > $1 AND from_at < $2 ORDER BY from_at";
            let rows = self.all(sql, |query| query.bind(number(since)).bind(number(now))).await?;
            rows.iter().map(|row| Ok((count(row, 0)?, count(row, 1)?.min(now)))).collect()
        })
    }

    /// The latest heartbeat of any node; 0 if there was none.
    pub(super) async fn last_heartbeat(&self) -> Result<u64> {
        let row = self.one("SELECT MAX(seen) FROM nodes", |query| query).await?;
        let newest: Option<i64> = row.map(|row| row.try_get(0)).transpose()?.flatten();
        Ok(newest.map_or(0, i64::unsigned_abs))
    }

    /// Takes over the tables that need an owner and have none, or whose owner has sent no heartbeat since
    /// `dead_before`.
    pub fn take_over(&self, dead_before: u64) -> Call<'_, Vec<String>> {
        Box::pin(async move {
            // In the order in which the log's writer locks rows, which prevents deadlocks.
            let sql = AssertSqlSafe(format!(
                "UPDATE tables SET node = $1 WHERE id IN (SELECT id FROM tables
                WHERE needs_owner = 1 AND (node IS NULL OR node <> $1)
                    AND (node IS NULL OR node NOT IN (SELECT node FROM nodes WHERE seen >= $2))
                ORDER BY number{})
            RETURNING id",
                self.inner.backend.for_update()
            ));
            let mut transaction = self.begin().await?;
            let done = transaction.all(sql, |query| query.bind(self.node()).bind(number(dead_before))).await;
            let rows = transaction.finish(done).await?;
            rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
        })
    }

    /// The tables with a clock that this node owns.
    pub fn timed_tables(&self) -> Call<'_, Vec<String>> {
        Box::pin(async move {
            let sql = "SELECT id FROM tables WHERE needs_owner = 1 AND node = $1 AND clock_kind <> $2";
            let untimed = ClockKind::Untimed.name();
            let rows = self.all(sql, |query| query.bind(self.node()).bind(untimed)).await?;
            rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
        })
    }

    /// Whether this node owns the table.
    pub fn owns<'a>(&'a self, table: &'a str) -> Call<'a, bool> {
        Box::pin(async move {
            let sql = "SELECT id FROM tables WHERE id = $1 AND node = $2";
            Ok(self.one(sql, |query| query.bind(table).bind(self.node())).await?.is_some())
        })
    }

    /// The nodes with a heartbeat since a time.
    pub fn live_nodes(&self, since: u64) -> Call<'_, Vec<String>> {
        Box::pin(async move {
            let rows = self
                .all("SELECT node FROM nodes WHERE seen >= $1", |query| query.bind(number(since)))
                .await?;
            rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
        })
    }
}
