//! Programs think here: outside the event loop, so many at once, in the order in which they were asked, each
//! until its answer is no longer wanted.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use players::{NoMove, Stop, Thought, roster};
use protocol::{ApiError, ErrorCode};
use rules::AnyGame;
use study::analysis::{self, Limits};
use table::ProgramClock;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

/// A program that takes longer is told to answer with what it has.
const PATIENCE: Duration = Duration::from_secs(10);
/// One that does not even then has to stop.
const LAST_PATIENCE: Duration = Duration::from_secs(30);
/// An analysis that somebody watches ends after this.
const LONGEST_ANALYSIS: Duration = Duration::from_secs(60);
/// Who waits longer than this for a place is sent away.
const STUDY_PATIENCE: Duration = Duration::from_secs(2);
/// How long the reasons of an analysis may take.
const EXPLAINING: Duration = Duration::from_millis(500);
/// How often an analysis is told.
const TELLING: Duration = Duration::from_millis(250);
pub(crate) const MOST_LINES: usize = 5;

/// What our best player would do in a position, and why.
pub(crate) fn thought(game: &AnyGame, time: Duration, stop: &Stop) -> Option<protocol::Thought> {
    if game.outcome().is_some() {
        return None;
    }
    let time = time.as_millis().max(1);
    let names = ["perfect".to_owned(), format!("perfect:{time}ms"), format!("engine:{time}ms")];
    // Tic-tac-toe is known by heart and takes no time; not every board can be solved.
    let names = if game.spec().name() == "tic-tac-toe" { &names[..1] } else { &names[1..] };
    let program = names.iter().find_map(|name| roster::program(game, name, 0).ok());
    let thought = program.and_then(|mut program| program.choose(game, stop).ok());
    thought.as_ref().map(protocol::Thought::from)
}

/// Where programs think.
#[derive(Clone)]
pub struct Programs {
    thinking: Arc<Semaphore>,
    analysing: Arc<Semaphore>,
}

/// A program's turn.
pub(crate) struct Turn {
    pub(crate) game: AnyGame,
    /// Of the roster.
    pub(crate) name: String,
    pub(crate) seed: u64,
    /// The least time it should seem to think.
    pub(crate) delay: Duration,
    /// Its clock, if it runs.
    pub(crate) clock: Option<ProgramClock>,
}

/// How long a program should think about a move with this clock.
fn budget(clock: ProgramClock) -> Duration {
    Duration::from_millis(match clock {
        ProgramClock::Game { left_ms, increment_ms } => (left_ms / 20 + increment_ms / 2).min(left_ms / 2),
        ProgramClock::Move { left_ms } => left_ms / 2,
    })
}

impl Programs {
    /// Lets so many programs think at once; as many analyses go on beside them.
    #[must_use]
    pub fn new(at_once: usize) -> Self {
        let permits = || Arc::new(Semaphore::new(at_once.max(1)));
        Self { thinking: permits(), analysing: permits() }
    }

    /// The number of programs that think now.
    #[must_use]
    pub fn busy(&self, at_once: usize) -> usize {
        at_once.saturating_sub(self.thinking.available_permits())
    }

    /// Waits for a place and thinks; returns how long it waited, too, because that time is not the program's.
    pub(crate) async fn think(&self, turn: Turn, stop: &Stop) -> (Duration, Result<Thought<String>, NoMove>) {
        let asked = Instant::now();
        let Ok(permit) = self.thinking.clone().acquire_owned().await else {
            return (asked.elapsed(), Err(NoMove::Stopped));
        };
        (asked.elapsed(), self.think_at(permit, turn, stop).await)
    }

    async fn think_at(
        &self,
        permit: OwnedSemaphorePermit,
        turn: Turn,
        stop: &Stop,
    ) -> Result<Thought<String>, NoMove> {
        if stop.is_cancelled() {
            return Err(NoMove::Stopped);
        }
        let start = Instant::now();
        let budget = turn.clock.map_or(Duration::MAX, budget);
        let patience = budget.min(PATIENCE);
        let work = {
            let stop = stop.clone();
            tokio::task::spawn_blocking(move || {
                let _permit = permit;
                let mut program = roster::program(&turn.game, &turn.name, turn.seed)
                    .map_err(|error| NoMove::Failed(error.to_string()))?;
                let least = program.thinking_time().max(turn.delay);
                Ok::<_, NoMove>((program.choose(&turn.game, &stop)?, least))
            })
        };
        let hurry = async {
            tokio::time::sleep(patience).await;
            stop.move_now();
            tokio::time::sleep(LAST_PATIENCE - PATIENCE).await;
            stop.cancel();
        };
        let (thought, least) = tokio::select! {
            done = work => done.map_err(|_| NoMove::Failed("the program crashed".to_owned()))??,
            () = hurry => return Err(NoMove::Failed("it took too long".to_owned())),
        };
        // What people watch should not flash by, as far as the clock allows.
        tokio::time::sleep(least.min(budget).saturating_sub(start.elapsed())).await;
        Ok(thought)
    }

    /// Analyses a position within limits and answers with the last word and its reasons; intermediate ones go to
    /// `tell`.
    ///
    /// # Errors
    /// If too many analyses go on already.
    pub async fn analyse(
        &self,
        game: AnyGame,
        lines: usize,
        time: Duration,
        stop: Stop,
        tell: mpsc::UnboundedSender<analysis::Info>,
    ) -> Result<(analysis::Info, Option<protocol::Thought>), ApiError> {
        let time = Some(time.min(LONGEST_ANALYSIS));
        let limits = Limits { lines: lines.clamp(1, MOST_LINES), time, ..Limits::default() };
        let work = move || {
            let mut told: Option<Instant> = None;
            let info = analysis::analyse(&game, &limits, &stop, &mut |info| {
                if told.is_none_or(|told| told.elapsed() >= TELLING) {
                    told = Some(Instant::now());
                    // Nobody listens any more: then nobody needs the answer.
                    if tell.send(info.clone()).is_err() {
                        stop.cancel();
                    }
                }
            });
            (info, thought(&game, EXPLAINING, &stop))
        };
        self.study(work).await
    }

    /// Does something that takes its time, in one of the places for analyses.
    ///
    /// # Errors
    /// If too many analyses go on already.
    pub(crate) async fn study<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let busy = || ErrorCode::Busy.because("too many positions are analysed already; try again");
        let place = tokio::time::timeout(STUDY_PATIENCE, self.analysing.clone().acquire_owned()).await;
        let permit = place.ok().and_then(Result::ok).ok_or_else(busy)?;
        let work = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            work()
        });
        work.await.map_err(|_| ErrorCode::Broken.because("the analysis failed"))
    }
}
