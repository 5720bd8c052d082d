//! Where programs think: on blocking threads, a limited number at once, first come first served, until the answer is
//! no longer wanted.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use players::{NoMove, Stop, Thought, roster};
use protocol::{ApiError, ErrorCode};
use rules::AnyGame;
use study::assessment::{Assessment, Limits, assess};
use table::ProgramClock;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore, mpsc::UnboundedReceiver},
    task::JoinHandle,
};

use crate::table::{Message, Registry, Turn, TurnRequest};

/// A program that takes longer is told to move now, and answers with the best it knows.
const MOVE_NOW_TIMEOUT: Duration = Duration::from_secs(10);
const MAX_ANALYSIS_TIME: Duration = Duration::from_secs(60);
/// How long an analysis waits for a free thread before it is refused.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(2);
/// Intermediate results of an analysis are sent at most this often.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(250);
pub(crate) const MAX_LINES: usize = 5;

/// How long a program should think about a move with this clock.
fn budget(game: &AnyGame, clock: ProgramClock) -> Duration {
    match clock {
        ProgramClock::Game { left_ms, increment_ms } => {
            players::share_of_clock(game, Duration::from_millis(left_ms), Duration::from_millis(increment_ms))
        }
        // Each move has its own time; half of it is left for everything but thinking.
        ProgramClock::Move { left_ms } => Duration::from_millis(left_ms / 2),
    }
}

/// The engine pool. Cheap to clone; clones are the same pool.
#[derive(Clone)]
pub struct EnginePool {
    thinking: Arc<Semaphore>,
    analysing: Arc<Semaphore>,
    size: usize,
}

impl EnginePool {
    /// A pool in which `size` programs think at once, and as many analyses run beside them.
    #[must_use]
    pub fn new(size: usize) -> Self {
        let size = size.max(1);
        let permits = || Arc::new(Semaphore::new(size));
        Self { thinking: permits(), analysing: permits(), size }
    }

    /// The number of programs that are thinking.
    #[must_use]
    pub fn busy(&self) -> usize {
        self.size.saturating_sub(self.thinking.available_permits())
    }

    /// Serves the tables' requests for moves of programs.
    pub(crate) async fn run(self, mut requests: UnboundedReceiver<TurnRequest>, registry: Registry) {
        while let Some(TurnRequest { table, epoch, turn, stop }) = requests.recv().await {
            let (pool, registry) = (self.clone(), registry.clone());
            tokio::spawn(async move {
                let (waited, result) = pool.think(turn, &stop).await;
                registry.send_if_open(&table, Message::Thought { epoch, waited, result });
            });
        }
    }

    /// Waits for a free thread and thinks. Also returns how long it waited, because a program is not charged for that.
    async fn think(&self, turn: Turn, stop: &Stop) -> (Duration, Result<Thought<String>, NoMove>) {
        let asked = Instant::now();
        let Ok(permit) = self.thinking.clone().acquire_owned().await else {
            return (asked.elapsed(), Err(NoMove::Stopped));
        };
        (asked.elapsed(), self.think_with(permit, turn, stop).await)
    }

    async fn think_with(
        &self,
        permit: OwnedSemaphorePermit,
        turn: Turn,
        stop: &Stop,
    ) -> Result<Thought<String>, NoMove> {
        if stop.is_cancelled() {
            return Err(NoMove::Stopped);
        }
        let start = Instant::now();
        let budget = turn.clock.map_or(Duration::MAX, |clock| budget(&turn.game, clock));
        let mut work = {
            let stop = stop.clone();
            tokio::task::spawn_blocking(move || {
                let _permit = permit;
                let mut program = roster::program(&turn.game, &turn.name, &native::resources(turn.seed))
                    .map_err(|error| NoMove::Failed(error.to_string()))?;
                let least = program.thinking_time().max(turn.delay);
                Ok::<_, NoMove>((program.choose(&turn.game, &stop)?, least))
            })
        };
        let done = tokio::select! {
            done = &mut work => done,
            () = tokio::time::sleep(budget.min(MOVE_NOW_TIMEOUT)) => {
                stop.move_now();
                work.await
            }
        };
        let (thought, least) = done.map_err(|_| NoMove::Failed("the program panicked".to_owned()))??;
        // A move should not appear too fast to be followed, as far as the clock allows.
        tokio::time::sleep(least.min(budget).saturating_sub(start.elapsed())).await;
        Ok(thought)
    }

    /// Assesses a position and returns the final result with its reasons; intermediate results go to `on_progress`.
    ///
    /// # Errors
    /// If no thread becomes free in time.
    pub async fn assess(
        &self,
        game: AnyGame,
        lines: usize,
        time: Duration,
        stop: Stop,
        mut on_progress: impl FnMut(&Assessment) + Send + 'static,
    ) -> Result<protocol::Assessment, ApiError> {
        let time = Some(time.min(MAX_ANALYSIS_TIME));
        let limits = Limits { lines: lines.clamp(1, MAX_LINES), time, ..Limits::default() };
        let work = move || {
            let mut sent: Option<Instant> = None;
            let last = assess(&game, &limits, &native::resources(0), &stop, &mut |assessment| {
                if sent.is_none_or(|sent| sent.elapsed() >= PROGRESS_INTERVAL) {
                    sent = Some(Instant::now());
                    on_progress(assessment);
                }
            });
            protocol::Assessment::with_reasons(&game, last)
        };
        self.study(work).await
    }

    /// Runs a long computation on one of the threads for analyses.
    ///
    /// # Errors
    /// If no thread becomes free in time.
    pub(crate) async fn study<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let work = self.start_study(work).await?;
        work.await.map_err(|_| ErrorCode::Broken.because("the analysis failed"))
    }

    /// Like [`EnginePool::study`], but returns as soon as the computation has a thread.
    ///
    /// # Errors
    /// If no thread becomes free in time.
    pub(crate) async fn start_study<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<JoinHandle<T>, ApiError> {
        let busy = || ErrorCode::Busy.because("too many analyses are running; try again");
        let permit = tokio::time::timeout(QUEUE_TIMEOUT, self.analysing.clone().acquire_owned()).await;
        let permit = permit.ok().and_then(Result::ok).ok_or_else(busy)?;
        Ok(tokio::task::spawn_blocking(move || {
            let _permit = permit;
            work()
        }))
    }
}
