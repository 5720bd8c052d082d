//! The state that handlers share.

use std::sync::Arc;

use play::{Addresses, Connections, EnginePool, Pairing, ProgramTournaments, Registry, Tournaments};
use store::Store;
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
    pub(crate) pictures: PictureCache,
    pub(crate) connections: Connections,
    pub(crate) config: Arc<Config>,
    pub(crate) limits: RateLimits,
    pub(crate) operations: Operations,
    /// Cancelled when the server stops, which ends streams.
    pub(crate) closing: CancellationToken,
}
