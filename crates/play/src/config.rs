//! The settings of play.

use std::{path::PathBuf, time::Duration};

/// Settings of tables, programs and tournaments.
#[derive(Clone, Debug)]
pub struct Config {
    /// How many programs may think at once. None on PostgreSQL, where workers think instead.
    pub programs: usize,
    /// Grace period before the opponent of a disconnected player may claim the game, in milliseconds.
    pub grace_ms: u64,
    /// How long an open table waits for an opponent.
    pub open_life: Duration,
    /// How long a game without a clock goes on in which no account plays and nothing happens.
    pub idle_life: Duration,
    /// Whether players can chat.
    pub chat: bool,
    /// The accounts that may open tournaments; all if none are named.
    pub organisers: Option<Vec<String>>,
    /// Where the results of tournaments of programs are, which the page shows.
    pub tournaments: Option<TournamentSource>,
}

/// Where the results of tournaments of programs are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TournamentSource {
    /// In the folders of this folder.
    Folder(PathBuf),
    /// In the database, where tournaments whose games workers play tell of themselves.
    Database,
}

impl From<&str> for TournamentSource {
    fn from(text: &str) -> Self {
        if text == "database" { Self::Database } else { Self::Folder(text.into()) }
    }
}

impl Default for Config {
    fn default() -> Self {
        Self {
            programs: std::thread::available_parallelism().map_or(1, Into::into),
            grace_ms: 60_000,
            open_life: 7 * DAY,
            idle_life: 30 * DAY,
            chat: true,
            organisers: None,
            tournaments: None,
        }
    }
}

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

impl Config {
    /// Before which times open tables and idle games have expired.
    pub(crate) fn expiry(&self, now: u64) -> (u64, u64) {
        let before = |life: Duration| now.saturating_sub(u64::try_from(life.as_millis()).unwrap_or(u64::MAX));
        (before(self.open_life), before(self.idle_life))
    }
}
