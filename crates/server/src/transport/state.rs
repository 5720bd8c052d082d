//! The state that handlers share.

use std::sync::Arc;

use play::{
    Addresses, Connections, EnginePool, Learning, Pairing, ProgramTournaments, Registry, Tournaments,
};
use store::{AuditEntry, Store, task};
use tokio_util::sync::CancellationToken;

use crate::{
    auth::Accounts, config::Config, operations::Operations, picture::PictureCache, rate::RateLimits,
};

/// The parts of a running server, as handlers see them.
pub(crate) struct AppState {
    pub(crate) store: Store,
    pub(crate) accounts: Accounts,
    pub(crate) addresses: Arc<Addresses>,
    pub(crate) tables: Registry,
    pub(crate) pairing: Pairing,
    pub(crate) tournaments: Tournaments,
    pub(crate) program_tournaments: Arc<ProgramTournaments>,
    pub(crate) engines: EnginePool,
    pub(crate) learning: Arc<Learning>,
    pub(crate) pictures: PictureCache,
    pub(crate) connections: Connections,
    pub(crate) config: Arc<Config>,
    pub(crate) limits: RateLimits,
    pub(crate) operations: Operations,
    /// Cancelled when the server stops, which ends streams.
    pub(crate) closing: CancellationToken,
}

impl AppState {
    /// Records what someone did in the log and in the audit log. The subject is an id; neither it nor the details contain a
    /// password, a token, a message of a chat or an address.
    pub(crate) fn audit(&self, action: &'static str, actor: &str, subject: &str, details: impl Into<String>) {
        let details = details.into();
        tracing::info!(actor, subject, details, "{action}");
        let at = self.store.clock().now_ms();
        let (actor, action, subject) = (actor.to_owned(), action.to_owned(), subject.to_owned());
        let entry = AuditEntry { at, actor, action, subject, details };
        let store = self.store.clone();
        task::spawn(async move {
            if let Err(error) = store.audit(&entry).await {
                error.log("audit_failed");
            }
        });
    }
}
