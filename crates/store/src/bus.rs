//! Hints between nodes, through PostgreSQL's LISTEN and NOTIFY. The log is authoritative, so a lost hint
//! costs time, not moves.

use tokio::sync::broadcast;

use super::{Backend, Call, Result, Store, Transaction};

/// A hint from another node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hint {
    /// Another node appended to this table.
    Table {
        /// The table.
        table: String,
        /// The new version.
        version: u64,
    },
    /// A seek was paired, here or on another node.
    Paired {
        /// The seek.
        seek: String,
        /// The table created for it.
        table: String,
    },
    /// A session ended, here or on another node: its connections must be closed.
    SessionEnded(String),
    /// The clients at a table on another node.
    Presence {
        /// The node.
        node: String,
        /// The table and its clients.
        presence: PresenceHint,
    },
    /// A job is waiting in the queue.
    Job,
    /// A job has a new output.
    Output(String),
    /// Hints may have been lost: poll everything.
    Resync,
}

/// The clients at a table on one node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PresenceHint {
    /// The table.
    pub table: String,
    /// Whether first and second are connected.
    pub here: [bool; 2],
    /// The number of spectators.
    pub watching: usize,
    /// Whether the receiver should announce its own presence.
    pub wants_answer: bool,
}

impl PresenceHint {
    fn write(&self) -> String {
        let Self { table, here: [first, second], watching, wants_answer } = self;
        let flag = |flag: &bool| u8::from(*flag);
        format!("presence {table} {} {} {watching} {}", flag(first), flag(second), flag(wants_answer))
    }
}

impl Store {
    /// Subscribes to hints. A receiver that lags has lost hints, as with [`Hint::Resync`].
    pub fn hints(&self) -> broadcast::Receiver<Hint> {
        self.inner.hints.subscribe()
    }

    /// Whether other nodes may exist.
    pub fn is_shared(&self) -> bool {
        self.inner.backend == Backend::Postgres
    }

    /// Announces presence to the other nodes. It is not stored: a node that misses it receives the next one.
    pub fn announce<'a>(&'a self, presence: &'a PresenceHint) -> Call<'a, ()> {
        Box::pin(async move {
            let sql = "SELECT COUNT(pg_notify('alinea', $1))";
            let text = format!("{} {}", self.node(), presence.write());
            self.one(sql, |query| query.bind(text)).await.map(drop)
        })
    }

    /// Sends a hint within this node; there may be no receivers.
    pub(super) fn notify_local(&self, hint: Hint) {
        let _ = self.inner.hints.send(hint);
    }

    /// Sends a hint to the other nodes when the transaction commits.
    pub(super) async fn notify_others(&self, transaction: &mut Transaction, text: &str) -> Result<()> {
        if self.inner.backend == Backend::Postgres {
            let sql = "SELECT COUNT(pg_notify('alinea', $1))";
            let text = format!("{} {text}", self.node());
            transaction.one(sql, |query| query.bind(text)).await?;
        }
        Ok(())
    }
}
