//! The settings of this crate.

use std::{path::PathBuf, time::Duration};

/// Settings of tables, programs and tournaments.
#[derive(Clone, Debug)]
pub struct Config {
    /// Maximum number of concurrent searches; 0 on PostgreSQL leaves all searches to workers.
    pub programs: usize,
    /// Grace period before the opponent of a disconnected player may claim the game, in milliseconds.
    pub grace_ms: u64,
    /// How long an open table waits for an opponent.
    pub open_life: Duration,
    /// Idle timeout of untimed games between guests.
    pub idle_life: Duration,
    /// Whether players can chat.
    pub chat: bool,
    /// The accounts that may create tournaments; empty for all.
    pub organisers: Option<Vec<String>>,
    /// The source of the tournaments of programs that the page shows.
    pub tournaments: Option<TournamentSource>,
}

/// The source of the results of tournaments of programs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TournamentSource {
    /// The subfolders of this folder.
    Folder(PathBuf),
    /// The database, in which tournaments played by workers store their reports.
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
    /// The times before which open tables and idle games have expired.
    pub(crate) fn expiry(&self, now: u64) -> (u64, u64) {
        let before = |life: Duration| now.saturating_sub(u64::try_from(life.as_millis()).unwrap_or(u64::MAX));
        (before(self.open_life), before(self.idle_life))
    }
}
