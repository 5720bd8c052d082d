//! Runs searches: in this process, with a limited number at once, in the order of the fair queue; or, on PostgreSQL, in
//! workers that take jobs from the shared queue. Either way a job stops when its result is no longer wanted.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use futures_util::future::BoxFuture;
use players::{NoMove, Stop};
use protocol::{ApiError, Assessment, ErrorCode, Thought};
use rules::{AnyGame, Side};
use store::{Hint, NewJob, Store, StoreError, metrics::METRICS, task};
use study::{review::Reviewed, skills::Learned};
use table::ProgramTurn;
use tokio::sync::{broadcast::error::RecvError, mpsc, mpsc::UnboundedReceiver};

use super::{
    fair_queue::{Class, EnginePermit, FairQueue, Lane, Owner},
    job::{Course, Job, Output, Outputs, Question},
};
use crate::{
    addresses::{Addresses, Share},
    table::{Message, Registry, Turn, TurnRequest},
};

const MAX_ANALYSIS_TIME: Duration = Duration::from_secs(60);
/// How long a study waits for a slot before it is refused.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(20);
/// Interval between checks for the output of a job, in case a hint was missed.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// Maximum number of lines of an analysis.
pub const MAX_LINES: usize = 5;

/// The engine pool. Clones share the same pool.
#[derive(Clone)]
pub struct EnginePool {
    /// What runs in this process: previews, and searches unless workers run them.
    queue: FairQueue,
    /// The database from which workers take searches.
    shared: Option<Store>,
    addresses: Arc<Addresses>,
}

impl EnginePool {
    /// Creates a pool with this many slots, and as many spare slots for clients without a running job; or, with a shared
    /// store, one that leaves its jobs to [workers](crate::Worker).
    pub fn new(places: usize, store: &Store, addresses: Arc<Addresses>) -> Self {
        let shared = store.is_shared().then(|| store.clone());
        Self { queue: FairQueue::new(places.max(1)), shared, addresses }
    }

    /// Sets the metrics of the queue.
    pub fn measure(&self) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            let shared = match &self.shared {
                Some(store) => store.waiting_jobs().await.unwrap_or_default(),
                None => {
                    METRICS.thinking.set(self.queue.running() as i64);
                    Vec::new()
                }
            };
            for class in Class::ALL {
                let shared = shared.iter().filter(|waiting| waiting.class == class.name());
                let shared: u64 = shared.map(|waiting| waiting.jobs).sum();
                METRICS.waiting(class.name(), shared + self.queue.waiting(class) as u64);
            }
        })
    }

    /// Serves the tables' requests for moves of programs.
    pub fn run(
        self,
        mut requests: UnboundedReceiver<TurnRequest>,
        registry: Registry,
    ) -> BoxFuture<'static, ()> {
        Box::pin(async move {
            while let Some(TurnRequest { table, epoch, turn, stop }) = requests.recv().await {
                let (pool, registry) = (self.clone(), registry.clone());
                task::spawn(async move {
                    let (waited, result) = pool.think(turn, stop).await;
                    registry.send_if_open(&table, Message::Thought { epoch, waited, result });
                });
            }
        })
    }

    /// Waits for a slot and searches. Also returns the waiting time, for which a program is not charged.
    async fn think(&self, turn: Turn, stop: Stop) -> (Duration, Result<Thought, NoMove>) {
        let ProgramTurn { player, seed, time_ms, delay_ms } = turn.program;
        let lane = Lane::of_move(&turn.game, &player);
        let question = Question::Turn { name: player, seed, budget_ms: time_ms };
        let job = Job { course: Course::from(&turn.game), question };
        let class = if turn.is_demo { Class::Demo } else { Class::Opponent };
        let mut outputs = self.start(&turn.client, class, lane, job, stop);
        let mut waited = Duration::ZERO;
        loop {
            match outputs.next().await {
                // A job that its worker did not finish is started again.
                Output::Started { waited_ms } => waited = Duration::from_millis(waited_ms),
                Output::Thought { thought, least_ms, took_ms } => {
                    // A move should not appear too fast to be followed, as far as the clock allows.
                    let least_ms = least_ms.max(delay_ms).min(time_ms.unwrap_or(u64::MAX));
                    tokio::time::sleep(Duration::from_millis(least_ms.saturating_sub(took_ms))).await;
                    return (waited, Ok(thought));
                }
                Output::Failed(reason) => return (waited, Err(NoMove::Failed(reason))),
                _ => return (waited, Err(NoMove::Stopped)),
            }
        }
    }

    /// Assesses a position and returns the final result with its reasons; intermediate results go to `on_progress`.
    /// Stops early if other jobs are waiting.
    ///
    /// # Errors
    /// If too many jobs are waiting.
    pub async fn assess(
        &self,
        client: &str,
        game: &AnyGame,
        lines: usize,
        time: Duration,
        mut on_progress: impl FnMut(Assessment) + Send,
    ) -> Result<Assessment, ApiError> {
        let time_ms = time.min(MAX_ANALYSIS_TIME).as_millis() as u64;
        let question = Question::Assess { lines: lines.clamp(1, MAX_LINES), time_ms };
        let mut outputs = self.study(client, Job { course: Course::from(game), question }).await?;
        loop {
            match outputs.next().await {
                Output::Assessment(assessment) if assessment.done => return Ok(*assessment),
                Output::Assessment(assessment) => on_progress(*assessment),
                Output::Started { .. } => {}
                _ => return Err(ErrorCode::Broken.because("the analysis failed")),
            }
        }
    }

    /// Starts the review of a game after the move with this number.
    ///
    /// # Errors
    /// If too many jobs are waiting.
    pub fn review<'a>(
        &'a self,
        client: &'a str,
        game: &'a AnyGame,
        from: usize,
    ) -> BoxFuture<'a, Result<Review, ApiError>> {
        Box::pin(async move {
            let job = Job { course: Course::from(game), question: Question::Review { from, spent_ms: 0 } };
            Ok(Review { outputs: self.study(client, job).await?, last: 0 })
        })
    }

    /// Reviews a finished game in the background, and returns what it says about the player of a side.
    ///
    /// # Errors
    /// If the game cannot be reviewed.
    pub(crate) fn learn<'a>(
        &'a self,
        client: &'a str,
        game: &'a AnyGame,
        (side, id, at): (Side, &'a str, u64),
    ) -> BoxFuture<'a, Result<Learned, ApiError>> {
        Box::pin(async move {
            let question = Question::Learn { side, id: id.to_owned(), at, review: Vec::new() };
            let job = Job { course: Course::from(game), question };
            let mut outputs = self.start(client, Class::Learn, Lane::Study, job, Stop::default());
            loop {
                match outputs.next().await {
                    Output::Started { .. } => {}
                    Output::Learned(learned) => return Ok(*learned),
                    _ => return Err(ErrorCode::Broken.because("the review failed")),
                }
            }
        })
    }

    /// Starts a study as soon as a slot is free.
    async fn study(&self, client: &str, job: Job) -> Result<Outputs, ApiError> {
        let mut outputs = self.start(client, Class::Study, Lane::Study, job, Stop::default());
        let started = tokio::time::timeout(QUEUE_TIMEOUT, outputs.next()).await;
        if matches!(started, Ok(Output::Started { .. })) {
            return Ok(outputs);
        }
        Err(ErrorCode::Busy.because("too many analyses are running; try again"))
    }

    /// Waits for a slot for a quick piece of work in this process, such as a preview.
    ///
    /// # Errors
    /// If too much work of this client or its address is waiting.
    pub async fn picture_permit(&self, share: Share) -> Result<impl Send + use<>, ApiError> {
        let address = share.to_string();
        let owner = Owner { client: address.clone(), address };
        let permit = self.queue.enter(owner, Class::Picture, Lane::Quick, Stop::default()).await;
        let permit: EnginePermit =
            permit.map_err(|_| ErrorCode::Busy.because("too many pictures are being drawn; try again"))?;
        Ok(permit)
    }

    /// Starts a job; its first output arrives when the job starts. The outputs end at once if too many jobs are waiting.
    fn start(&self, client: &str, class: Class, lane: Lane, job: Job, stop: Stop) -> Outputs {
        let address = self.addresses.of(client).map_or_else(|| client.to_owned(), |share| share.to_string());
        let owner = Owner { client: client.to_owned(), address };
        let (sender, outputs) = Outputs::channel(stop.clone());
        match &self.shared {
            None => task::spawn(think_here(self.queue.clone(), owner, class, lane, job, stop, sender)),
            Some(store) => {
                let queued = QueuedJob { store: store.clone(), id: store::random_hex::<8>() };
                task::spawn(queued.follow(owner, class, lane, job, stop, sender))
            }
        };
        outputs
    }
}

/// A running review. Dropping it stops the review.
pub struct Review {
    outputs: Outputs,
    /// The number of the last returned move.
    last: u32,
}

impl Review {
    /// Returns the next reviewed move; `None` after the last one.
    pub fn next_move(&mut self) -> BoxFuture<'_, Option<Box<Reviewed>>> {
        Box::pin(async move {
            loop {
                match self.outputs.next().await {
                    // A review that its worker did not finish is begun again by another.
                    Output::Reviewed(reviewed) if reviewed.number <= self.last => {}
                    Output::Reviewed(reviewed) => {
                        self.last = reviewed.number;
                        return Some(reviewed);
                    }
                    Output::Started { .. } => {}
                    _ => return None,
                }
            }
        })
    }
}

/// Waits for a slot in this process and searches; a review that yields waits for the next one.
async fn think_here(
    queue: FairQueue,
    owner: Owner,
    class: Class,
    lane: Lane,
    mut job: Job,
    stop: Stop,
    outputs: mpsc::Sender<Output>,
) {
    loop {
        let queued = Instant::now();
        let hurry = job.hurry(&stop);
        let permit = tokio::select! {
            permit = queue.enter(owner.clone(), class, lane, hurry.clone()) => permit,
            () = outputs.closed() => return,
        };
        let Ok(permit) = permit else { return };
        let waited_ms = queued.elapsed().as_millis() as u64;
        if outputs.send(Output::Started { waited_ms }).await.is_err() {
            return;
        }
        match job.clone().run(stop.clone(), hurry, outputs.clone(), permit).await {
            Output::Yielded(rest) => job.question = rest,
            // Not received if the answer is not wanted any more.
            last => {
                let _ = outputs.send(last).await;
                return;
            }
        }
    }
}

/// A job in the shared queue.
struct QueuedJob {
    store: Store,
    id: String,
}

impl QueuedJob {
    /// Queues the job and forwards its outputs until the last one, or until they are no longer wanted.
    async fn follow(
        self,
        owner: Owner,
        class: Class,
        lane: Lane,
        job: Job,
        stop: Stop,
        outputs: mpsc::Sender<Output>,
    ) {
        let mut hints = self.store.hints();
        let relay = async {
            // Queued again when the job is gone: this node was paused for so long that workers deleted it.
            while self.queue(&owner, class, lane, &job, &stop).await {
                if self.relay(class, &mut hints, &stop, &outputs).await {
                    break;
                }
            }
        };
        tokio::select! {
            () = relay => {}
            () = outputs.closed() => {}
        }
        // If that fails, the workers find out that it is not wanted.
        let _ = self.store.delete_job(&self.id).await;
    }

    /// Queues the job; false if too many jobs are waiting or the job is stopped.
    async fn queue(&self, owner: &Owner, class: Class, lane: Lane, job: &Job, stop: &Stop) -> bool {
        let new = || NewJob {
            id: &self.id,
            client: &owner.client,
            address: &owner.address,
            class: class.name(),
            lane: lane.name(),
            handicap_ms: class.handicap().as_millis() as u64,
            payload: serde_json::to_string(job).expect("a job is written as JSON"),
            most_waiting: class.most_waiting().map(|(client, address)| (client as u64, address as u64)),
        };
        while !stop.is_cancelled() {
            match self.store.add_job(&new()).await {
                Ok(is_queued) => return is_queued,
                // The statement was carried out, but its answer was lost.
                Err(StoreError::Conflict) => return true,
                Err(error) => {
                    error.log("cannot queue a job");
                    tokio::time::sleep(POLL_INTERVAL).await;
                }
            }
        }
        false
    }

    /// Forwards outputs; false if the job disappears before its last one.
    async fn relay(
        &self,
        class: Class,
        hints: &mut tokio::sync::broadcast::Receiver<Hint>,
        stop: &Stop,
        outputs: &mpsc::Sender<Output>,
    ) -> bool {
        let mut from = 0;
        loop {
            match self.store.outputs(&self.id, from).await {
                Ok(None) => return false,
                Ok(Some(found)) => {
                    for (number, payload) in found {
                        from = number + 1;
                        let Ok(output) = serde_json::from_str::<Output>(&payload) else { return true };
                        if let Output::Started { waited_ms } = output {
                            METRICS.waited(class.name(), Duration::from_millis(waited_ms));
                        }
                        let is_last = output.is_last();
                        if outputs.send(output).await.is_err() || is_last {
                            return true;
                        }
                    }
                }
                Err(error) => error.log("cannot read the output of a job"),
            }
            if stop.is_cancelled() {
                return true;
            }
            let hinted = async {
                loop {
                    match hints.recv().await {
                        Ok(Hint::Output(job)) if job == self.id => return,
                        Ok(Hint::Resync) | Err(RecvError::Lagged(_)) => return,
                        Ok(_) => {}
                        // The store was closed.
                        Err(RecvError::Closed) => std::future::pending().await,
                    }
                }
            };
            let _ = tokio::time::timeout(POLL_INTERVAL, hinted).await;
        }
    }
}
