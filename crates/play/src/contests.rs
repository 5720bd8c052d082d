//! Plays games of tournaments of programs in the slots of a worker. The caller provides the code that plays a game: this
//! crate knows tables, not contests.

use std::{sync::Arc, time::Duration};

use parking_lot::Mutex;
use players::Stop;
use store::{Store, TakenGame};

/// Plays games of one contest, one after another: receives a queued game and returns its record, or `None` if it was
/// stopped. It may block.
pub type PlayGame = Box<dyn FnMut(&str, &Stop) -> Result<Option<String>, String> + Send>;

/// Creates a [`PlayGame`] from the settings of a contest.
pub type OpenContest = dyn Fn(&str) -> Result<PlayGame, String> + Send + Sync;

/// Delay before another attempt to store a result.
const RETRY_INTERVAL: Duration = Duration::from_secs(1);

/// The players of a worker's games.
pub(super) struct Contests {
    open: Arc<OpenContest>,
    /// Whether players may be external commands.
    pub(super) runs_commands: bool,
    /// Idle players; they keep their engines running for the next game.
    idle: Mutex<Vec<(String, PlayGame)>>,
}

impl Contests {
    pub(super) fn new(open: Arc<OpenContest>, runs_commands: bool) -> Self {
        Self { open, runs_commands, idle: Mutex::default() }
    }

    /// Drops all idle players.
    pub(super) fn end_idle(&self) {
        let idle = std::mem::take(&mut *self.idle.lock());
        if !idle.is_empty() {
            // Engines take their time to quit.
            drop(tokio::task::spawn_blocking(move || drop(idle)));
        }
    }

    /// Plays a game and stores the result.
    pub(super) async fn play(&self, store: &Store, worker: &str, taken: &TakenGame, stop: Stop) {
        let played = self.record(store, taken, stop).await;
        loop {
            let stored = match &played {
                Ok(None) => return,
                Ok(Some(record)) => store.add_record(worker, taken, record).await,
                Err(reason) => {
                    tracing::error!(contest = taken.contest, reason, "contest_failed");
                    store.fail_contest(&taken.contest, reason).await
                }
            };
            match stored {
                Ok(()) => return,
                Err(error) => error.log("contest_record_store_failed"),
            }
            tokio::time::sleep(RETRY_INTERVAL).await;
        }
    }

    async fn record(&self, store: &Store, taken: &TakenGame, stop: Stop) -> Result<Option<String>, String> {
        let (kept, unfit) = self.take_idle(&taken.contest);
        let settings = match &kept {
            Some(_) => None,
            None => match store.contest_settings(&taken.contest).await {
                Ok(Some(settings)) => Some(settings),
                Ok(None) => return Ok(None),
                Err(error) => {
                    error.log("contest_settings_read_failed");
                    return Ok(None);
                }
            },
        };
        let (open, game) = (self.open.clone(), taken.game.clone());
        let played = tokio::task::spawn_blocking(move || {
            drop(unfit);
            let mut play = match kept {
                Some(play) => play,
                None => open(settings.as_deref().unwrap_or_default())?,
            };
            let record = play(&game, &stop)?;
            Ok::<_, String>((play, record))
        });
        let (play, record) =
            played.await.map_err(|error| format!("a game ended with a panic: {error}"))??;
        // The engines of a stopped game may still be thinking.
        if record.is_some() {
            self.idle.lock().push((taken.contest.clone(), play));
        }
        Ok(record)
    }

    /// Returns an idle player of this contest, or else one of another contest to be dropped, so that there are never more
    /// players than slots.
    fn take_idle(&self, contest: &str) -> (Option<PlayGame>, Option<PlayGame>) {
        let mut idle = self.idle.lock();
        match idle.iter().position(|(of, _)| of == contest) {
            Some(i) => (Some(idle.swap_remove(i).1), None),
            None => (None, idle.pop().map(|(_, play)| play)),
        }
    }
}
