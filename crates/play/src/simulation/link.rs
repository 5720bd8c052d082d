//! What is wrong with the connections of a node.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering},
};

use store::Hint;
use tokio::sync::{Notify, broadcast};

/// Maximum delay to the database or back without a fault.
const USUAL_MS: u64 = 3;

/// A condition that tasks can await. Unlike a `watch` channel, it wakes them in the order in which they came,
/// so that a run can be repeated.
#[derive(Default)]
pub(super) struct Flag {
    is_set: AtomicBool,
    changed: Notify,
}

impl Flag {
    pub(super) fn get(&self) -> bool {
        self.is_set.load(Ordering::Relaxed)
    }

    /// Sets the value and returns the previous one.
    fn set(&self, to: bool) -> bool {
        let was = self.is_set.swap(to, Ordering::Relaxed);
        self.changed.notify_waiters();
        was
    }

    pub(super) async fn wait_for(&self, value: bool) {
        loop {
            let changed = self.changed.notified();
            if self.get() == value {
                return;
            }
            changed.await;
        }
    }
}

/// What is wrong with the connections of a node.
pub(super) struct Link {
    /// The name of the node, different at every start.
    pub(super) node: String,
    is_dead: Flag,
    pub(super) is_cut: Flag,
    /// Whether hints are lost without the node noticing.
    pub(super) is_deaf: AtomicBool,
    /// Maximum delay to the database or back.
    pub(super) slow_ms: AtomicU64,
    /// Error of the node's system clock.
    pub(super) clock_off_ms: AtomicI64,
    pub(super) hints: broadcast::Sender<Hint>,
}

impl Link {
    pub(super) fn new(node: String, clock_off_ms: i64) -> Arc<Self> {
        Arc::new(Self {
            node,
            is_dead: Flag::default(),
            is_cut: Flag::default(),
            is_deaf: false.into(),
            slow_ms: USUAL_MS.into(),
            clock_off_ms: clock_off_ms.into(),
            hints: broadcast::Sender::new(4096),
        })
    }

    pub(super) fn is_alive(&self) -> bool {
        !self.is_dead.get()
    }

    pub(super) fn kill(&self) {
        self.is_dead.set(true);
    }

    /// Waits until the node is dead.
    pub(super) async fn died(&self) {
        self.is_dead.wait_for(true).await;
    }

    pub(super) fn cut(&self) {
        self.is_cut.set(true);
    }

    /// Reconnects the node, which then polls everything, like a listener after a reconnect.
    pub(super) fn heal(&self) {
        self.slow_ms.store(USUAL_MS, Ordering::Relaxed);
        self.is_deaf.store(false, Ordering::Relaxed);
        if self.is_cut.set(false) {
            let _ = self.hints.send(Hint::Resync);
        }
    }
}
