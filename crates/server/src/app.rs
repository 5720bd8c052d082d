//! Everything a running server has, put together.

use std::sync::Arc;

use crate::{
    auth::{Accounts, Connections},
    config::Config,
    services::{cluster::Node, engine_pool::EnginePool, pairing::Pairing},
    store::{Store, StoreError},
    table::Registry,
    transport::http::gather_figures,
};

/// A running server.
pub struct App {
    /// Where everything is kept.
    pub store: Store,
    /// Who is who.
    pub accounts: Accounts,
    /// The tables of this node.
    pub tables: Registry,
    /// Who looks for somebody to play with.
    pub pairing: Pairing,
    /// Where programs think.
    pub engines: EnginePool,
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
        let engines = EnginePool::new(config.programs);
        let (tables, turns) = Registry::new(store.clone(), config.clone());
        tokio::spawn(engines.clone().run(turns, tables.clone()));
        let app = Arc::new(Self {
            accounts: Accounts::open(store.clone()).await?,
            pairing: Pairing::new(tables.clone()),
            connections: Connections::default(),
            store,
            tables,
            engines,
            config,
        });
        Node::start(app.tables.clone(), app.connections.clone()).await?;
        tokio::spawn(app.pairing.clone().run());
        Ok(app)
    }

    /// Tells the clients, finishes what was begun, and lets go of the store.
    pub async fn stop(&self) {
        self.connections.announce_shutdown();
        self.tables.close().await;
        self.store.close().await;
    }
}
