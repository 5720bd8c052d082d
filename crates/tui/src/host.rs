//! Where a table is kept: in this program or on a server.

use protocol::{Occupant, Snapshot};
use rules::AnyGame;
use table::LocalTable;

use crate::online::Online;

pub(crate) enum Host {
    Local(Box<LocalTable>),
    Online(Box<Online>),
}

impl Host {
    /// The table at this Unix time in milliseconds.
    pub(crate) fn snapshot(&self, now: u64) -> Snapshot {
        match self {
            Self::Local(local) => local.snapshot("", now),
            Self::Online(online) => online.snapshot().clone(),
        }
    }

    pub(crate) fn game(&self) -> &AnyGame {
        match self {
            Self::Local(local) => local.state().game(),
            Self::Online(online) => online.game(),
        }
    }

    pub(crate) fn online(&self) -> Option<&Online> {
        match self {
            Self::Local(_) => None,
            Self::Online(online) => Some(online),
        }
    }

    /// The program whose turn it is, if it thinks here.
    pub(crate) fn program_to_move(&self) -> Option<&str> {
        match self {
            Self::Local(local) => local.state().program_to_move(),
            Self::Online(_) => None,
        }
    }
}

/// Whether two programs play.
pub(crate) fn is_demo(table: &Snapshot) -> bool {
    table.seats.iter().all(Occupant::is_program)
}
