//! The shared state of a server's sessions: its configuration, and the total number of queued bytes.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use crate::config::Config;

/// The shared state of all sessions of a server.
pub(crate) struct Shared {
    pub(crate) config: Config,
    /// Queued bytes of all sessions.
    queued: AtomicUsize,
}

impl Shared {
    pub(crate) fn new(config: Config) -> Arc<Self> {
        Arc::new(Self { config, queued: AtomicUsize::new(0) })
    }

    pub(crate) fn add_queued(&self, count: usize) {
        self.queued.fetch_add(count, Ordering::Relaxed);
    }

    pub(crate) fn remove_queued(&self, count: usize) {
        self.queued.fetch_sub(count, Ordering::Relaxed);
    }

    /// Whether all sessions together have too many queued bytes.
    pub(crate) fn is_overloaded(&self) -> bool {
        self.queued.load(Ordering::Relaxed) > self.config.max_queued_total
    }
}
