//! Everything a running server has, put together.

use std::sync::Arc;

use crate::{
    auth::{Accounts, Connections},
    config::Config,
    services::{cluster, engine_pool::Programs, pairing::Pairing},
    store::{Store, StoreError},
    table::Tables,
    transport::http::gather_figures,
};

/// A running server.
pub struct App {
    /// Where everything is kept.
    pub store: Store,
    /// Who is who.
    pub accounts: Accounts,
    /// The tables of this node.
    pub tables: Tables,
    /// Who looks for somebody to play with.
    pub pairing: Pairing,
    /// Where programs think.
    pub programs: Programs,
    /// The open connections of this node.
    pub connections: Connections,
    /// What can be set.
    pub config: Arc<Config>,
}

impl App {
    /// Puts a server together and takes over the tables that nobody looks after.
    ///
    /// # Errors
    /// If the store is away.
    pub async fn start(store: Store, config: Config) -> Result<Arc<Self>, StoreError> {
        // Before anything happens that counts.
        gather_figures();
        let config = Arc::new(config);
        let programs = Programs::new(config.programs);
        let tables = Tables::new(store.clone(), programs.clone(), config.clone());
        let app = Arc::new(Self {
            accounts: Accounts::open(store.clone()).await?,
            pairing: Pairing::new(store.clone(), tables.clone()),
            connections: Connections::default(),
            store,
            tables,
            programs,
            config,
        });
        tokio::spawn(cluster::listen(app.clone()));
        cluster::begin(&app).await?;
        tokio::spawn(cluster::live(app.clone()));
        let pairing = app.pairing.clone();
        tokio::spawn(async move { pairing.bring_together().await });
        Ok(app)
    }

    /// Tells the clients, finishes what was begun, and lets go of the store.
    pub async fn stop(&self) {
        self.connections.announce_shutdown();
        self.tables.close().await;
        self.store.close().await;
    }
}
