//! The duties of a node in the cluster: heartbeats, taking over the tables of dead nodes, and listening to hints.
//! Nothing depends on a hint: polling the log finds missed events.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use futures_util::future::BoxFuture;
use store::{Hint, SESSION_LIFE_MS, StoreError, TableStore, task};
use tokio::{
    sync::broadcast::error::RecvError,
    time::{MissedTickBehavior, interval},
};

use crate::{
    connections::Connections,
    table::{FLAG_SOON_MS, Message, Registry},
};

const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(1);
/// A node without a heartbeat for this long counts as dead. If it was only paused, the log refuses its writes.
const DEAD_AFTER_MS: u64 = 5_000;
/// Interval between polls of the log for missed hints, in heartbeats.
const POLL_INTERVAL: u32 = 5;
/// Interval between checks for ended sessions, in heartbeats.
const SESSION_POLL_INTERVAL: u32 = 60;
/// Interval between deletions of expired sessions and abandoned tables, in heartbeats.
const CLEANUP_INTERVAL: u32 = 3_600;
/// Interval at which tables with a clock are woken, in heartbeats, so that flags that are days away fall on time.
const WAKE_INTERVAL: u32 = 600;
const _: () = assert!(WAKE_INTERVAL as u64 * 1_000 < FLAG_SOON_MS, "woken before a flag is due");
/// Maximum number of tables or sessions per statement.
const POLL_BATCH: usize = 400;
/// Maximum length of any clock.
const MAX_CLOCK_MS: u64 = 15 * 24 * 60 * 60 * 1_000;

/// This node in its cluster.
pub struct Node {
    store: Arc<dyn TableStore>,
    registry: Registry,
    connections: Connections,
}

impl Node {
    /// Sends the first heartbeat, takes over tables without an owner, and starts the node's tasks.
    ///
    /// # Errors
    /// If the store fails.
    pub fn start(registry: Registry, connections: Connections) -> BoxFuture<'static, Result<(), StoreError>> {
        Box::pin(async move {
            let node = || Self {
                store: registry.store().clone(),
                registry: registry.clone(),
                connections: connections.clone(),
            };
            task::spawn(node().listen());
            let node = node();
            node.heartbeat().await?;
            node.take_over().await?;
            task::spawn(node.run());
            Ok(())
        })
    }

    async fn run(self) {
        let mut ticks = interval(HEARTBEAT_INTERVAL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut live = BTreeSet::new();
        for tick in 1_u32.. {
            ticks.tick().await;
            if let Err(error) = self.heartbeat().await {
                error.log("heartbeat_failed");
                continue;
            }
            log_failure("table_takeover_failed", self.take_over().await);
            if tick.is_multiple_of(SESSION_POLL_INTERVAL) {
                log_failure("ended_sessions_check_failed", self.close_ended_sessions().await);
            }
            if tick.is_multiple_of(WAKE_INTERVAL) {
                log_failure("timed_tables_wakeup_failed", self.wake_timed_tables().await);
            }
            if tick % CLEANUP_INTERVAL == 1 {
                log_failure("expired_sessions_deletion_failed", self.delete_expired_sessions().await);
                log_failure("abandoned_tables_end_failed", self.expire_tables().await);
            }
            if self.store.is_shared() {
                log_failure("job_renewal_failed", self.store.want_jobs().await);
                log_failure("dead_nodes_check_failed", self.notice_dead_nodes(&mut live).await);
                if tick.is_multiple_of(POLL_INTERVAL) {
                    log_failure("log_poll_failed", self.poll_log().await);
                }
            }
        }
    }

    fn now(&self) -> u64 {
        self.registry.clock().now_ms()
    }

    /// Sends one heartbeat. Any node may record a downtime, so every node reads them.
    async fn heartbeat(&self) -> Result<(), StoreError> {
        let now = self.now();
        self.store.heartbeat(now).await?;
        let downtimes = self.store.downtimes(now.saturating_sub(MAX_CLOCK_MS), now).await?;
        self.registry.set_downtimes(downtimes, now);
        Ok(())
    }

    async fn take_over(&self) -> Result<(), StoreError> {
        let tables = self.store.take_over(self.now() - DEAD_AFTER_MS).await?;
        if !tables.is_empty() {
            tracing::info!(tables = tables.len(), "tables_taken_over");
        }
        for table in tables {
            self.registry.send(&table, Message::TakeOver);
        }
        Ok(())
    }

    async fn wake_timed_tables(&self) -> Result<(), StoreError> {
        for table in self.store.timed_tables().await? {
            self.registry.send(&table, Message::TakeOver);
        }
        Ok(())
    }

    async fn delete_expired_sessions(&self) -> Result<(), StoreError> {
        self.store.delete_sessions(self.now().saturating_sub(SESSION_LIFE_MS)).await.map(drop)
    }

    async fn expire_tables(&self) -> Result<(), StoreError> {
        let (open_before, idle_before) = self.registry.config().expiry(self.now());
        for table in self.store.left_tables(open_before, idle_before).await? {
            self.registry.send(&table, Message::Expire);
        }
        Ok(())
    }

    async fn notice_dead_nodes(&self, live: &mut BTreeSet<String>) -> Result<(), StoreError> {
        let now_live: BTreeSet<_> =
            self.store.live_nodes(self.now() - DEAD_AFTER_MS).await?.into_iter().collect();
        for node in now_live.difference(live) {
            tracing::info!(node, "node_joined");
        }
        for node in live.difference(&now_live) {
            tracing::info!(node, "node_left");
            for table in self.registry.open_ids() {
                self.registry.send_if_open(&table, Message::NodeGone { node: node.clone() });
            }
        }
        // If both players of a table that this node owns were connected there, no other node lets its flag fall.
        if !live.is_subset(&now_live) {
            self.wake_timed_tables().await?;
        }
        *live = now_live;
        Ok(())
    }

    /// Closes the connections of ended sessions, in case a hint was missed.
    async fn close_ended_sessions(&self) -> Result<(), StoreError> {
        for sessions in self.connections.sessions().chunks(POLL_BATCH) {
            let live = self.store.live_sessions(sessions).await?;
            for ended in sessions.iter().filter(|session| !live.contains(*session)) {
                self.connections.close_session(ended);
            }
        }
        Ok(())
    }

    /// Finds events whose hints were missed.
    async fn poll_log(&self) -> Result<(), StoreError> {
        for tables in self.registry.open_ids().chunks(POLL_BATCH) {
            for (table, version) in self.store.versions(tables).await? {
                self.registry.send_if_open(&table, Message::Hint { version });
            }
        }
        Ok(())
    }

    /// Handles the hints of other nodes.
    async fn listen(self) {
        let mut hints = self.store.hints();
        loop {
            match hints.recv().await {
                Ok(Hint::Table { table, version }) => {
                    self.registry.send_if_open(&table, Message::Hint { version });
                }
                Ok(Hint::SessionEnded(session)) => self.connections.close_session(&session),
                Ok(Hint::Presence { node, presence }) => self.registry.handle_presence(node, presence),
                // Seeks, workers and those who wait for an output listen for themselves.
                Ok(Hint::Paired { .. } | Hint::Job | Hint::Output(_)) => {}
                Ok(Hint::Resync) | Err(RecvError::Lagged(_)) => {
                    log_failure("ended_sessions_check_failed", self.close_ended_sessions().await);
                    for table in self.registry.open_ids() {
                        self.registry.send_if_open(&table, Message::Hint { version: 0 });
                    }
                }
                Err(RecvError::Closed) => return,
            }
        }
    }
}

fn log_failure(event: &str, done: Result<(), StoreError>) {
    if let Err(error) = done {
        error.log(event);
    }
}
