//! Receives the hints of other nodes, by PostgreSQL's LISTEN.

use std::time::Duration;

use sqlx::{Executor, postgres::PgListener};
use tokio::sync::broadcast;
use tokio_util::task::AbortOnDropHandle;

use super::{Hint, PresenceHint, Result, TIMEOUT, within};
use crate::task;

/// How long to wait before the connection for hints is opened again.
const RECONNECT_DELAY: Duration = Duration::from_millis(500);

/// Listens until the handle is dropped, and from before this returns, so that no later hint is missed.
pub(super) async fn start(
    url: &str,
    node: &str,
    hints: broadcast::Sender<Hint>,
) -> Result<AbortOnDropHandle<()>> {
    let channel = Channel { url: url.to_owned(), node: node.to_owned(), hints };
    let mut listener = within(channel.connect()).await?;
    let task = task::spawn(async move {
        loop {
            if let Err(error) = channel.listen(&mut listener).await {
                error.log("hints_disconnected");
            }
            listener = channel.reconnect().await;
            let _ = channel.hints.send(Hint::Resync);
        }
    });
    Ok(AbortOnDropHandle::new(task))
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
                        && let Some(hint) = parse(from, text)
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

fn parse(node: &str, text: &str) -> Option<Hint> {
    let mut words = text.split(' ');
    let mut word = || words.next();
    match word()? {
        "table" => Some(Hint::Table { table: word()?.to_owned(), version: word()?.parse().ok()? }),
        "paired" => Some(Hint::Paired { seek: word()?.to_owned(), table: word()?.to_owned() }),
        "presence" => Some(Hint::Presence { node: node.to_owned(), presence: parse_presence(words)? }),
        "job" => Some(Hint::Job),
        "output" => Some(Hint::Output(word()?.to_owned())),
        "session" => Some(Hint::SessionEnded(word()?.to_owned())),
        _ => None,
    }
}

fn parse_presence<'a>(mut words: impl Iterator<Item = &'a str>) -> Option<PresenceHint> {
    let table = words.next()?.to_owned();
    let here = [words.next()? == "1", words.next()? == "1"];
    let watching = words.next()?.parse().ok()?;
    Some(PresenceHint { table, here, watching, wants_answer: words.next()? == "1" })
}
