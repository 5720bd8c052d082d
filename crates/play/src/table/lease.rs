//! Ownership of tables. The owner runs programs and lets flags fall on time even if no client is connected; the
//! other nodes only serve their connected clients.

use table::State;

/// Grace period before a node that does not own the table flags it.
const NON_OWNER_GRACE_MS: u64 = 3_000;
/// An owner may unload a table whose flag falls later than this: the cluster wakes it in time.
pub(crate) const FLAG_SOON_MS: u64 = 15 * 60_000;

/// Whether this node owns a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lease {
    Owner,
    NonOwner,
}

impl Lease {
    pub(super) fn new(owns: bool) -> Self {
        if owns { Self::Owner } else { Self::NonOwner }
    }

    pub(super) fn owns(self) -> bool {
        self == Self::Owner
    }

    /// The time at which this node flags the side to move, if its clock runs.
    pub(super) fn flag_at(self, state: &State, downtimes: &[(u64, u64)]) -> Option<u64> {
        let at = state.flag_at(downtimes)?;
        Some(if self.owns() { at } else { at + NON_OWNER_GRACE_MS })
    }

    /// Whether this node must keep the table loaded although no client is connected.
    pub(super) fn keeps_awake(self, state: &State, downtimes: &[(u64, u64)], now: u64) -> bool {
        let is_due = || self.flag_at(state, downtimes).is_some_and(|at| at < now + FLAG_SOON_MS);
        self.owns() && (state.program_to_move().is_some() || is_due())
    }
}
