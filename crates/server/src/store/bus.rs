//! What nodes tell each other: only where to look. The log is the truth, so a lost hint costs time, not moves.

use std::time::Duration;

use sqlx::Executor;
use sqlx::postgres::PgListener;
use tokio::sync::broadcast;
use tokio::task::AbortHandle;

use super::{Backend, PATIENCE, Result, Store, Transaction, within};

/// Something happened elsewhere.
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
    /// A session was ended, here or on another node: its sockets must go.
    SessionEnded(String),
    /// Another node says something that is not kept.
    Said {
        /// Which node.
        node: String,
        /// What; whoever listens knows the words.
        words: String,
    },
    /// Hints may have been lost: look at everything again.
    Resync,
}

impl Hint {
    fn parse(node: &str, text: &str) -> Option<Hint> {
        let mut words = text.split(' ');
        let mut word = || words.next();
        match word()? {
            "table" => Some(Hint::Table { table: word()?.to_owned(), version: word()?.parse().ok()? }),
            "paired" => Some(Hint::Paired { seek: word()?.to_owned(), table: word()?.to_owned() }),
            "said" => {
                Some(Hint::Said { node: node.to_owned(), words: text.strip_prefix("said ")?.to_owned() })
            }
            "session" => Some(Hint::SessionEnded(word()?.to_owned())),
            _ => None,
        }
    }
}

impl Store {
    /// What happens from now on. A receiver that lags has lost hints, as in [`Hint::Resync`].
    pub fn hints(&self) -> broadcast::Receiver<Hint> {
        self.inner.hints.subscribe()
    }

    /// Whether there may be other nodes.
    pub fn is_shared(&self) -> bool {
        self.inner.backend == Backend::Postgres
    }

    /// Says something to the other nodes that is not kept: who misses it hears the next one.
    pub async fn say(&self, words: &str) -> Result<()> {
        let sql = "SELECT COUNT(pg_notify('alinea', $1))";
        let words = format!("{} said {words}", self.node());
        self.one(sql, |query| query.bind(words)).await.map(drop)
    }

    /// Tells this node. Nobody listening is fine.
    pub(super) fn tell_here(&self, hint: Hint) {
        let _ = self.inner.hints.send(hint);
    }

    /// Tells the other nodes, with the commit of the transaction.
    pub(super) async fn tell_others(&self, transaction: &mut Transaction, words: &str) -> Result<()> {
        if self.inner.backend == Backend::Postgres {
            let sql = "SELECT COUNT(pg_notify('alinea', $1))";
            let words = format!("{} {words}", self.node());
            transaction.one(sql, |query| query.bind(words)).await?;
        }
        Ok(())
    }
}

/// The task that listens to the other nodes; ends when this is dropped.
pub(super) struct Listener(AbortHandle);

impl Drop for Listener {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Listener {
    /// Starts to listen before it returns, so that no hint is missed from then on.
    pub(super) async fn start(url: &str, node: &str, hints: broadcast::Sender<Hint>) -> Result<Listener> {
        let line = Line { url: url.to_owned(), node: node.to_owned(), hints };
        let mut listener = within(line.connect()).await?;
        let task = tokio::spawn(async move {
            loop {
                // Whatever the error is, the answer is to connect again; the log of the database knows more.
                let _ = line.listen(&mut listener).await;
                listener = line.connect_again().await;
                let _ = line.hints.send(Hint::Resync);
            }
        });
        Ok(Listener(task.abort_handle()))
    }
}

/// The line to the other nodes.
struct Line {
    url: String,
    node: String,
    hints: broadcast::Sender<Hint>,
}

impl Line {
    async fn connect(&self) -> std::result::Result<PgListener, sqlx::Error> {
        let mut listener = PgListener::connect(&self.url).await?;
        listener.eager_reconnect(false);
        // Under this name the other nodes see that this one lives.
        let name = sqlx::AssertSqlSafe(format!("SET application_name = 'alinea {}'", self.node));
        listener.execute(name).await?;
        listener.listen("alinea").await?;
        Ok(listener)
    }

    async fn connect_again(&self) -> PgListener {
        loop {
            tokio::time::sleep(Duration::from_millis(500)).await;
            if let Ok(listener) = within(self.connect()).await {
                return listener;
            }
        }
    }

    /// Listens until the line is lost.
    async fn listen(&self, listener: &mut PgListener) -> Result<()> {
        loop {
            match tokio::time::timeout(PATIENCE, listener.try_recv()).await {
                Ok(Ok(Some(notification))) => {
                    if let Some((from, words)) = notification.payload().split_once(' ')
                        && from != self.node
                        && let Some(hint) = Hint::parse(from, words)
                    {
                        // Nobody listening is fine.
                        let _ = self.hints.send(hint);
                    }
                }
                Ok(Ok(None)) => return Ok(()),
                Ok(Err(error)) => return Err(error.into()),
                // Nothing to hear for a while: is anybody there at all?
                Err(_) => {
                    within(listener.execute("SELECT 1")).await?;
                }
            }
        }
    }
}
