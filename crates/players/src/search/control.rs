//! Ends the search in all threads when a limit is reached.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The number of nodes between two checks of the limits: well below a millisecond on usual boards, a few
/// milliseconds on the largest.
pub(super) const CHECK_EVERY: u64 = 64;

/// Shared by the threads of a search.
pub(crate) struct SearchControl<'a> {
    ended: AtomicBool,
    nodes: AtomicU64,
    /// Whether a limit is reached, given the number of nodes of all threads.
    is_due: &'a (dyn Fn(u64) -> bool + Sync),
}

/// The search was ended by a limit.
pub(crate) struct Ended;

impl<'a> SearchControl<'a> {
    pub(crate) fn new(is_due: &'a (dyn Fn(u64) -> bool + Sync)) -> Self {
        Self { ended: AtomicBool::new(false), nodes: AtomicU64::new(0), is_due }
    }

    /// Ends the search of all threads.
    pub(crate) fn end(&self) {
        self.ended.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_ended(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }

    /// The nodes of all threads, up to their last checks.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Called by each thread every [`CHECK_EVERY`] nodes.
    #[inline]
    pub(super) fn check(&self) -> Result<(), Ended> {
        let nodes = self.nodes.fetch_add(CHECK_EVERY, Ordering::Relaxed) + CHECK_EVERY;
        if self.is_ended() || (self.is_due)(nodes) {
            self.end();
            return Err(Ended);
        }
        Ok(())
    }
}
