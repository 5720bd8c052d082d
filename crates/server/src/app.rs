//! Puts a server together, starts and stops it.

use std::{sync::Arc, time::Duration};

use axum::Router;
use futures_util::future::BoxFuture;
use play::{
    Addresses, Connections, EnginePool, Learning, Node, Pairing, ProgramTournaments, Registry, Tournaments,
    Worker,
};
use store::{Store, StoreError, task};
use tokio_util::sync::CancellationToken;

use crate::{
    auth::Accounts,
    config::Config,
    operations::Operations,
    picture::PictureCache,
    rate::RateLimits,
    transport::{self, AppState},
};

/// How often rate limits forget idle clients.
const RATE_CLEANUP_INTERVAL: Duration = Duration::from_secs(60);
/// Interval between reads of restrictions and announcements.
const OPERATIONS_POLL: Duration = Duration::from_secs(3);
/// Interval between deletions of old entries of the audit log, in reads.
const AUDIT_CLEANUP: u32 = 1_200;

/// A running server.
pub struct App {
    state: Arc<AppState>,
}

impl App {
    /// Starts a server: it joins the cluster, takes over tables without an owner, and pairs players.
    ///
    /// # Errors
    /// If the store fails.
    pub fn start(store: Store, config: Config) -> BoxFuture<'static, Result<Self, StoreError>> {
        // Boxed, so that this crate compiles it and not every program that calls it.
        Box::pin(Self::started(store, config))
    }

    async fn started(store: Store, config: Config) -> Result<Self, StoreError> {
        let config = Arc::new(config);
        let addresses = Arc::<Addresses>::default();
        let programs = config.play.programs;
        let engines = EnginePool::new(programs, &store, addresses.clone());
        let (tables, turns) = Registry::new(Arc::new(store.clone()), config.play.clone());
        task::spawn(engines.clone().run(turns, tables.clone()));
        let closing = CancellationToken::new();
        if store.is_shared() && programs > 0 {
            task::spawn(
                Worker::new(store.clone(), programs).run(Box::pin(closing.clone().cancelled_owned())),
            );
        }
        let state = Arc::new(AppState {
            accounts: Accounts::open(store.clone()).await?,
            addresses,
            pairing: Pairing::new(store.clone(), tables.clone()),
            tournaments: Tournaments::new(Arc::new(store.clone()), tables.clone()),
            program_tournaments: Arc::new(ProgramTournaments::new(
                config.play.tournaments.clone(),
                store.clone(),
            )),
            connections: Connections::default(),
            limits: RateLimits::new(config.rate_factor),
            pictures: PictureCache::default(),
            operations: Operations::default(),
            learning: Learning::new(store.clone(), tables.clone(), engines.clone()),
            closing,
            store,
            tables,
            engines,
            config,
        });
        Node::start(state.tables.clone(), state.connections.clone()).await?;
        task::spawn(state.pairing.clone().run());
        task::spawn(state.tournaments.clone().run());
        state.operations.read(&state.store, &state.connections).await?;
        task::spawn(follow_operations(state.clone()));
        task::spawn(forget_idle_clients(state.clone()));
        tracing::info!(node = state.store.node(), version = env!("CARGO_PKG_VERSION"), "server_started");
        Ok(Self { state })
    }

    /// The routes of this server.
    pub fn router(&self) -> Router {
        transport::router(self.state.clone())
    }

    /// Stops the server: notifies clients, waits until tables finish what they have begun, and closes the
    /// store.
    pub fn stop(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            tracing::info!(node = self.state.store.node(), "server_stopping");
            self.state.closing.cancel();
            self.state.connections.announce_shutdown();
            self.state.tables.close().await;
            self.state.store.close().await;
            tracing::info!(node = self.state.store.node(), "server_stopped");
        })
    }
}

/// Reads what operators decide, and deletes what is no longer kept.
async fn follow_operations(state: Arc<AppState>) {
    let mut ticks = tokio::time::interval(OPERATIONS_POLL);
    for tick in 0_u32.. {
        ticks.tick().await;
        if let Err(error) = state.operations.read(&state.store, &state.connections).await {
            error.log("operations_read_failed");
        }
        if tick.is_multiple_of(AUDIT_CLEANUP) {
            let now = state.store.clock().now_ms();
            let kept = u64::try_from(state.config.audit_life.as_millis()).unwrap_or(u64::MAX);
            if let Err(error) = state.store.forget_operations(now.saturating_sub(kept), now).await {
                error.log("audit_cleanup_failed");
            }
        }
    }
}

async fn forget_idle_clients(state: Arc<AppState>) {
    let mut ticks = tokio::time::interval(RATE_CLEANUP_INTERVAL);
    loop {
        ticks.tick().await;
        state.limits.shrink();
        state.addresses.shrink();
        state.accounts.forget_idle_attempts();
    }
}
