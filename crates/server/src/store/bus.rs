//! Hints between nodes, by PostgreSQL's LISTEN and NOTIFY. The log is the truth, so a lost hint costs time, not moves.

use std::time::Duration;

use sqlx::Executor;
use sqlx::postgres::PgListener;
use tokio::sync::broadcast;
use tokio::task::AbortHandle;

use super::{Backend, Result, Store, TIMEOUT, Transaction, within};

/// How long to wait before the connection for hints is opened again.
const RECONNECT_DELAY: Duration = Duration::from_millis(500);

/// A hint from another node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hint {
    /// Another node appended to this table.
    Table {
        /// Which table.
        table: String,
        /// Its version then.
        version: u64,
    },
    /// A seek was paired, here or on another node.
    Paired {
        /// Which seek.
        seek: String,
        /// The table that was opened for it.
        table: String,
    },
    /// A session was ended, here or on another node: its connections must be closed.
    SessionEnded(String),
    /// Who is at a table on another node.
    Presence {
        /// Which node.
        node: String,
        /// Which table, and who.
        presence: PresenceHint,
    },
    /// Hints may have been lost: poll everything.
    Resync,
}

/// Who is at a table on one node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PresenceHint {
    /// Which table.
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

    fn parse<'a>(mut words: impl Iterator<Item = &'a str>) -> Option<Self> {
        let table = words.next()?.to_owned();
        let here = [words.next()? == "1", words.next()? == "1"];
        let watching = words.next()?.parse().ok()?;
        Some(Self { table, here, watching, wants_answer: words.next()? == "1" })
    }
}

impl Hint {
    fn parse(node: &str, text: &str) -> Option<Hint> {
        let mut words = text.split(' ');
        let mut word = || words.next();
        match word()? {
            "table" => Some(Hint::Table { table: word()?.to_owned(), version: word()?.parse().ok()? }),
            "paired" => Some(Hint::Paired { seek: word()?.to_owned(), table: word()?.to_owned() }),
            "presence" => {
                Some(Hint::Presence { node: node.to_owned(), presence: PresenceHint::parse(words)? })
            }
            "session" => Some(Hint::SessionEnded(word()?.to_owned())),
            _ => None,
        }
    }
}

impl Store {
    /// Subscribes to hints. A receiver that lags has lost hints, as with [`Hint::Resync`].
    pub fn hints(&self) -> broadcast::Receiver<Hint> {
        self.inner.hints.subscribe()
    }

    /// Whether there may be other nodes.
    pub fn is_shared(&self) -> bool {
        self.inner.backend == Backend::Postgres
    }

    /// Announces presence to the other nodes. It is not stored: a node that misses it hears the next one.
    pub async fn announce(&self, presence: &PresenceHint) -> Result<()> {
        let sql = "SELECT COUNT(pg_notify('alinea', $1))";
        let text = format!("{} {}", self.node(), presence.write());
        self.one(sql, |query| query.bind(text)).await.map(drop)
    }

    /// Sends a hint within this node, which may have no receivers.
    pub(super) fn notify_local(&self, hint: Hint) {
        let _ = self.inner.hints.send(hint);
    }

    /// Sends a hint to the other nodes, with the commit of the transaction.
    pub(super) async fn notify_others(&self, transaction: &mut Transaction, text: &str) -> Result<()> {
        if self.inner.backend == Backend::Postgres {
            let sql = "SELECT COUNT(pg_notify('alinea', $1))";
            let text = format!("{} {text}", self.node());
            transaction.one(sql, |query| query.bind(text)).await?;
        }
        Ok(())
    }
}

/// The task that listens to the other nodes, until this is dropped.
pub(super) struct Listener(AbortHandle);

impl Drop for Listener {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Listener {
    /// Listens from before it returns, so that no later hint is missed.
    pub(super) async fn start(url: &str, node: &str, hints: broadcast::Sender<Hint>) -> Result<Listener> {
        let channel = Channel { url: url.to_owned(), node: node.to_owned(), hints };
        let mut listener = within(channel.connect()).await?;
        let task = tokio::spawn(async move {
            loop {
                if let Err(error) = channel.listen(&mut listener).await {
                    error.log("listening for hints failed; reconnecting");
                }
                listener = channel.reconnect().await;
                let _ = channel.hints.send(Hint::Resync);
            }
        });
        Ok(Listener(task.abort_handle()))
    }
}

/// The connection on which hints arrive.
struct Channel {
    url: String,
    node: String,
    hints: broadcast::Sender<Hint>,
}

impl Channel {
    async fn connect(&self) -> std::result::Result<PgListener, sqlx::Error> {
        let mut listener = PgListener::connect(&self.url).await?;
        listener.eager_reconnect(false);
        // The other nodes recognize a live node by this name.
        let name = sqlx::AssertSqlSafe(format!("SET application_name = 'alinea {}'", self.node));
        listener.execute(name).await?;
        listener.listen("alinea").await?;
        Ok(listener)
    }

    async fn reconnect(&self) -> PgListener {
        loop {
            tokio::time::sleep(RECONNECT_DELAY).await;
            if let Ok(listener) = within(self.connect()).await {
                return listener;
            }
        }
    }

    /// Listens until the connection is lost.
    async fn listen(&self, listener: &mut PgListener) -> Result<()> {
        loop {
            match tokio::time::timeout(TIMEOUT, listener.try_recv()).await {
                Ok(Ok(Some(notification))) => {
                    if let Some((from, text)) = notification.payload().split_once(' ')
                        && from != self.node
                        && let Some(hint) = Hint::parse(from, text)
                    {
                        let _ = self.hints.send(hint);
                    }
                }
                Ok(Ok(None)) => return Ok(()),
                Ok(Err(error)) => return Err(error.into()),
                // No hint for a while: check the connection.
                Err(_) => {
                    within(listener.execute("SELECT 1")).await?;
                }
            }
        }
    }
}
