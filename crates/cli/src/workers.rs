//! A tournament whose games are played by `alinea worker` on any number of machines: the coordinator's side, which queues
//! games in PostgreSQL and takes their records, and how a worker plays one.

use std::{
    collections::{HashSet, VecDeque},
    fmt::Write,
    path::Path,
    thread,
    time::{Duration, Instant},
};

use anyhow::{Result, anyhow, bail};
use arena::{
    Kind, Record, Tournament,
    run::{Scheduled, Worker},
};
use play::PlayGame;
use sha2::{Digest, Sha256};
use store::{PlayedGame, Store, StoreError};

use crate::{database::runtime, system};

/// Games in the database at a time; more are queued when half of them are played.
const WINDOW: usize = 1000;
/// Interval between polls of the database.
const POLL_INTERVAL: Duration = Duration::from_millis(100);
/// Interval between heartbeats.
const BEAT_INTERVAL: Duration = Duration::from_secs(1);
/// Time without a worker after which a message tells the user.
const LONELY_AFTER: Duration = Duration::from_secs(5);

/// The games of a tournament in a database.
pub(crate) struct Coordinator {
    runtime: tokio::runtime::Runtime,
    store: Store,
    /// The id of the contest, derived from its settings.
    id: String,
    /// The name of this run, derived from its folder, so that a restarted run continues without waiting for a timeout.
    name: String,
    has_engines: bool,
    /// Messages for the user, on standard error.
    print: fn(&str),
}

/// The games of a round that are not yet played.
struct Pending {
    /// Not yet in the database.
    games: VecDeque<Scheduled>,
    /// In the database.
    queued: HashSet<String>,
    /// How many were put there.
    number: u64,
    beat: Option<Instant>,
    /// Time since which no worker has played; `None` once the user was told.
    lonely_since: Option<Instant>,
}

impl Coordinator {
    /// Opens the contest of a tournament with this results folder.
    pub(crate) fn open(url: &str, tournament: &Tournament, folder: &Path, print: fn(&str)) -> Result<Self> {
        let runtime = runtime()?;
        let store = runtime.block_on(Store::open(url));
        let store = store.map_err(|error| anyhow!("cannot open the database: {}", error.reason()))?;
        let identity = tournament.identity().to_string();
        let id = Sha256::digest(&identity).iter().fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        });
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let name = format!("{}:{}", system::host_name(), folder.display());
        let is_own = runtime.block_on(store.open_contest(&id, &name, &identity, has_engines(tournament)));
        if !is_own.map_err(|error| anyhow!("cannot use the database: {}", error.reason()))? {
            bail!("another run of this tournament uses the database; wait until it ends");
        }
        print("the games are played by `alinea worker` on the same database; this program plays none\n");
        Ok(Self { runtime, store, id, name, has_engines: has_engines(tournament), print })
    }

    /// Lets workers play these games; see [`arena::run::PlayGames`].
    ///
    /// # Errors
    /// If workers cannot play them, or another run has taken over. While the database is unavailable, it waits.
    pub(crate) fn play(
        &self,
        games: VecDeque<Scheduled>,
        finish: &mut dyn FnMut(Vec<Record>) -> bool,
    ) -> Result<()> {
        let lonely_since = Some(Instant::now());
        let mut pending = Pending { games, queued: HashSet::new(), number: 0, beat: None, lonely_since };
        let mut is_available = true;
        loop {
            let done = self.runtime.block_on(self.exchange(&mut pending));
            let goes_on = match done {
                Ok(played) => {
                    is_available = true;
                    self.take(played, &mut pending, finish)?
                }
                Err(Trouble::Store(error @ StoreError::Unavailable { .. })) => {
                    if std::mem::take(&mut is_available) {
                        (self.print)(&format!(
                            "the database is unavailable, trying again: {}\n",
                            error.reason()
                        ));
                    }
                    finish(Vec::new())
                }
                Err(Trouble::Store(error)) => bail!("the database failed: {}", error.reason()),
                Err(Trouble::Contest(reason)) => bail!(reason),
            };
            if pending.games.is_empty() && pending.queued.is_empty() {
                return Ok(());
            }
            if !goes_on {
                return self.withdraw(&mut pending, finish);
            }
            thread::sleep(POLL_INTERVAL);
        }
    }

    /// Sends a heartbeat, queues games, and fetches those that are played.
    async fn exchange(&self, pending: &mut Pending) -> Result<Vec<PlayedGame>, Trouble> {
        if pending.beat.is_none_or(|beat| beat.elapsed() >= BEAT_INTERVAL) {
            let Some(state) = self.store.beat_contest(&self.id, &self.name).await? else {
                let reason = "another run of this tournament has taken over its games in the database";
                return Err(Trouble::Contest(reason.to_owned()));
            };
            if let Some(reason) = state.failure {
                return Err(Trouble::Contest(format!("a worker cannot play this tournament: {reason}")));
            }
            if state.is_playing {
                pending.lonely_since = None;
            } else if pending.lonely_since.is_some_and(|since| since.elapsed() >= LONELY_AFTER) {
                pending.lonely_since = None;
                let options = if self.has_engines { "--engines and " } else { "" };
                (self.print)(&format!(
                    "no worker of this version plays yet: run `alinea worker` with {options}this database\n"
                ));
            }
            pending.beat = Some(Instant::now());
        }
        if pending.queued.len() <= WINDOW / 2 && !pending.games.is_empty() {
            let count = pending.games.len().min(WINDOW - pending.queued.len());
            let next: Vec<_> = pending.games.iter().take(count).map(to_text).collect();
            self.store.queue_games(&self.id, pending.number, &next).await?;
            pending.games.drain(..count);
            pending.number += count as u64;
            pending.queued.extend(next);
        }
        Ok(self.store.played_games(&self.id).await?)
    }

    /// Has the records journaled, then deletes them from the database. Records of games that are not pending were
    /// journaled earlier.
    fn take(
        &self,
        played: Vec<PlayedGame>,
        pending: &mut Pending,
        finish: &mut dyn FnMut(Vec<Record>) -> bool,
    ) -> Result<bool> {
        let mut records = Vec::new();
        for PlayedGame { game, record } in &played {
            if pending.queued.remove(game) {
                let record: Record = serde_json::from_str(record)
                    .map_err(|error| anyhow!("the database has an unreadable record of a game: {error}"))?;
                records.push(record);
            }
        }
        let goes_on = finish(records);
        let games: Vec<_> = played.into_iter().map(|played| played.game).collect();
        if !games.is_empty() {
            // Deleted the next time if the database is unavailable now.
            let _ = self.runtime.block_on(self.store.delete_games(&self.id, &games));
        }
        Ok(goes_on)
    }

    /// Cancels the unfinished games.
    fn withdraw(&self, pending: &mut Pending, finish: &mut dyn FnMut(Vec<Record>) -> bool) -> Result<()> {
        let rest = self.runtime.block_on(async {
            self.store.withdraw_games(&self.id).await?;
            self.store.played_games(&self.id).await
        });
        // If this fails, workers time out by themselves; the next run finds their results.
        self.take(rest.unwrap_or_default(), pending, finish).map(drop)
    }

    /// Publishes the report for servers that show it, if the database is available.
    pub(crate) fn publish(&self, report: &str) {
        let _ = self.runtime.block_on(self.store.put_contest_report(&self.id, report));
    }

    /// Removes the contest, whose results are in the journal; its last report stays.
    pub(crate) fn close(&self) {
        let _ = self.runtime.block_on(self.store.close_contest(&self.id, &self.name));
        self.runtime.block_on(self.store.close());
    }
}

/// Why games cannot be played.
enum Trouble {
    Store(StoreError),
    Contest(String),
}

impl From<StoreError> for Trouble {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// A game as the queue stores it.
fn to_text(game: &Scheduled) -> String {
    serde_json::to_string(game).expect("a scheduled game has only numbers")
}

fn has_engines(tournament: &Tournament) -> bool {
    tournament.settings.players.iter().any(|player| matches!(player.kind, Kind::External { .. }))
}

/// Prepares a worker to play the games of a contest.
pub(crate) fn open_contest(settings: &str, engines: bool) -> Result<PlayGame, String> {
    let tournament = Tournament::from_identity(settings).map_err(|error| error.to_string())?;
    if has_engines(&tournament) && !engines {
        return Err("it was started without --engines".to_owned());
    }
    let mut worker = Worker::default();
    Ok(Box::new(move |game, stop| {
        let game = serde_json::from_str(game).map_err(|error| format!("a game cannot be read: {error}"))?;
        let record = worker.play(&tournament, game, stop);
        Ok(record.map(|record| serde_json::to_string(&record).expect("a record has only text and numbers")))
    }))
}
