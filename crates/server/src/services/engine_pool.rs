//! Where programs think: on blocking threads, a limited number at once, in the order of the fair queue,
//! until the answer is no longer wanted.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use players::{NoMove, Stop, Thought, roster};
use protocol::{ApiError, ErrorCode};
use rules::AnyGame;
use study::assessment::{Assessment, Limits, assess};
use table::ProgramClock;
use tokio::{sync::mpsc::UnboundedReceiver, task::JoinHandle};

use super::fair_queue::{Class, FairQueue, Owner, Place};
use crate::{
    auth::Addresses,
    table::{Message, Registry, Turn, TurnRequest},
};

/// A program that takes longer is told to move now, and answers with the best it knows.
const MOVE_NOW_TIMEOUT: Duration = Duration::from_secs(10);
const MAX_ANALYSIS_TIME: Duration = Duration::from_secs(60);
/// How long an analysis waits for a place before it is refused.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(20);
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
    queue: FairQueue,
    addresses: Arc<Addresses>,
}

impl EnginePool {
    /// A pool with this many places to think, and as many spare ones for those who have none.
    pub(crate) fn new(places: usize, addresses: Arc<Addresses>) -> Self {
        Self { queue: FairQueue::new(places.max(1)), addresses }
    }

    /// Sets the metrics of the queue.
    pub(crate) fn measure(&self) {
        metrics::gauge!("alinea_thinking").set(self.queue.running() as f64);
        for class in [Class::Opponent, Class::Study, Class::Demo] {
            metrics::gauge!("alinea_queue", "class" => class.name()).set(self.queue.waiting(class) as f64);
        }
    }

    fn owner(&self, client: &str) -> Owner {
        let address =
            self.addresses.of(client).map_or_else(|| client.to_owned(), |address| address.to_string());
        Owner { client: client.to_owned(), address }
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

    /// Waits for a place and thinks. Also returns how long it waited, because a program is not charged for that.
    async fn think(&self, turn: Turn, stop: &Stop) -> (Duration, Result<Thought<String>, NoMove>) {
        let asked = Instant::now();
        let class = if turn.is_demo { Class::Demo } else { Class::Opponent };
        let Ok(place) = self.queue.enter(self.owner(&turn.client), class, None).await else {
            return (asked.elapsed(), Err(NoMove::Stopped));
        };
        (asked.elapsed(), self.think_in(place, turn, stop).await)
    }

    async fn think_in(&self, place: Place, turn: Turn, stop: &Stop) -> Result<Thought<String>, NoMove> {
        if stop.is_cancelled() {
            return Err(NoMove::Stopped);
        }
        let start = Instant::now();
        let budget = turn.clock.map_or(Duration::MAX, |clock| budget(&turn.game, clock));
        let mut work = {
            let stop = stop.clone();
            tokio::task::spawn_blocking(move || {
                let _place = place;
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
    /// Ends early when others wait.
    ///
    /// # Errors
    /// If too much is waiting.
    pub(crate) async fn assess(
        &self,
        client: &str,
        game: AnyGame,
        lines: usize,
        time: Duration,
        stop: Stop,
        mut on_progress: impl FnMut(&Assessment) + Send + 'static,
    ) -> Result<protocol::Assessment, ApiError> {
        let time = Some(time.min(MAX_ANALYSIS_TIME));
        let limits = Limits { lines: lines.clamp(1, MAX_LINES), time, ..Limits::default() };
        let hurry = Some(stop.clone());
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
        let work = self.study(client, hurry, work).await?;
        work.await.map_err(|_| ErrorCode::Broken.because("the analysis failed"))
    }

    /// Starts a long computation as soon as there is a place for it. With `hurry` it may be told to end when others
    /// wait.
    ///
    /// # Errors
    /// If too much is waiting.
    pub(crate) async fn study<T: Send + 'static>(
        &self,
        client: &str,
        hurry: Option<Stop>,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<JoinHandle<T>, ApiError> {
        let enter = self.queue.enter(self.owner(client), Class::Study, hurry);
        let place = tokio::time::timeout(QUEUE_TIMEOUT, enter).await;
        let busy = || ErrorCode::Busy.because("too many analyses are running; try again");
        let place = place.ok().and_then(Result::ok).ok_or_else(busy)?;
        Ok(tokio::task::spawn_blocking(move || {
            let _place = place;
            work()
        }))
    }
}
