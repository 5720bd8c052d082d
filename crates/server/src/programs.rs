//! Programs think here: outside the event loop, so many at once, in the order in which they were asked, each
//! until its answer is no longer wanted.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use players::{
    NoMove, Stop, Thought,
    analysis::{self, Limits},
    roster,
};
use protocol::{Code, Refusal};
use rules::AnyGame;
use tokio::sync::{Semaphore, mpsc};

/// A program that takes longer is told to answer with what it has.
const PATIENCE: Duration = Duration::from_secs(10);
/// One that does not even then has to stop.
const LAST_PATIENCE: Duration = Duration::from_secs(30);
/// An analysis that somebody watches ends after this.
const LONGEST_ANALYSIS: Duration = Duration::from_secs(60);
/// How often an analysis is told.
const TELLING: Duration = Duration::from_millis(250);
pub(crate) const MOST_LINES: usize = 5;

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
    /// What its clock allows.
    pub(crate) budget: Option<Duration>,
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

    /// Waits for a place and thinks; the time of waiting is not the program's.
    pub(crate) async fn think(&self, turn: Turn, stop: &Stop) -> Result<Thought<String>, NoMove> {
        let permit = self.thinking.clone().acquire_owned().await.map_err(|_| NoMove::Stopped)?;
        if stop.is_raised() {
            return Err(NoMove::Stopped);
        }
        let start = Instant::now();
        let patience = turn.budget.unwrap_or(PATIENCE).min(PATIENCE);
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
            stop.hurry();
            tokio::time::sleep(LAST_PATIENCE - PATIENCE).await;
            stop.raise();
        };
        let (thought, least) = tokio::select! {
            done = work => done.map_err(|_| NoMove::Failed("the program crashed".to_owned()))??,
            () = hurry => return Err(NoMove::Failed("it took too long".to_owned())),
        };
        // What people watch should not flash by.
        tokio::time::sleep(least.saturating_sub(start.elapsed())).await;
        Ok(thought)
    }

    /// Analyses a position within limits and answers with the last word; intermediate ones go to `tell`.
    ///
    /// # Errors
    /// If too many analyses go on already.
    pub async fn analyse(
        &self,
        game: AnyGame,
        lines: usize,
        time: Duration,
        stop: Stop,
        tell: Option<mpsc::UnboundedSender<analysis::Info>>,
    ) -> Result<analysis::Info, Refusal> {
        let time = Some(time.min(LONGEST_ANALYSIS));
        let limits = Limits { lines: lines.clamp(1, MOST_LINES), time, ..Limits::default() };
        let work = move || {
            let mut told: Option<Instant> = None;
            analysis::analyse(&game, &limits, &stop, &mut |info| {
                let Some(tell) = &tell else { return };
                if told.is_none_or(|told| told.elapsed() >= TELLING) {
                    told = Some(Instant::now());
                    // Nobody listens any more: then nobody needs the answer.
                    if tell.send(info.clone()).is_err() {
                        stop.raise();
                    }
                }
            })
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
    ) -> Result<T, Refusal> {
        let busy = || Code::Busy.because("too many positions are analysed already; try again");
        let permit = self.analysing.clone().try_acquire_owned().map_err(|_| busy())?;
        let work = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            work()
        });
        work.await.map_err(|_| Code::Broken.because("the analysis failed"))
    }
}
