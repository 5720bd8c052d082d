//! Runs jobs from the shared queue: in servers on PostgreSQL, and in `alinea worker` on any number of
//! machines. A worker that dies loses nothing: its jobs go to others when its heartbeats stop. Free slots
//! may play games of tournaments of programs.

use std::{collections::HashMap, sync::Arc, time::Duration};

use futures_util::future::BoxFuture;
use parking_lot::Mutex;
use players::Stop;
use store::{Hint, Store, StoreError, TakenGame, TakenJob, metrics::METRICS, task};
use tokio::{
    sync::{Notify, broadcast::error::RecvError, mpsc},
    time::{Instant, MissedTickBehavior},
};

use super::{
    contests::{Contests, OpenContest},
    fair_queue::{Lane, QUICK_LIMIT, slice},
    job::{Job, Output, Outputs},
};

/// Interval between heartbeats.
const BEAT_INTERVAL: Duration = Duration::from_secs(1);

/// Maximum number of running jobs and games per slot, including quick jobs that run too long.
const MAX_RUNNING: usize = 8;

/// A worker. Clones share the same worker.
#[derive(Clone)]
pub struct Worker(Arc<Inner>);

struct Inner {
    store: Store,
    /// The name of the worker, new at every start.
    name: String,
    /// The number of regular slots of each lane; there are as many spare ones.
    places: usize,
    running: Mutex<HashMap<String, Running>>,
    has_place: Notify,
    /// The players of contest games, if the worker plays them.
    contests: Option<Contests>,
}

impl Inner {
    fn change_running(&self, change: impl FnOnce(&mut HashMap<String, Running>)) {
        let mut running = self.running.lock();
        change(&mut running);
        METRICS.thinking.set(running.len() as i64);
    }
}

/// A job or a game that runs here.
struct Running {
    since: Instant,
    /// The lane of a job; none for a game.
    lane: Option<Lane>,
    stop: Stop,
    /// Makes a study yield its slot when others wait.
    hurry: Stop,
}

impl Running {
    /// Whether it takes a slot of this lane: a quick job that runs too long takes one of the long jobs.
    fn takes(&self, lane: Lane) -> bool {
        let overstays = self.lane == Some(Lane::Quick) && self.since.elapsed() >= QUICK_LIMIT;
        if overstays { lane == Lane::Long } else { self.lane == Some(lane) }
    }
}

impl Worker {
    /// Creates a worker with this many slots, and as many spare ones for addresses without a running job.
    #[must_use]
    pub fn new(store: Store, places: usize) -> Self {
        Self::with_contests(store, places, None)
    }

    /// Creates a worker that also plays games of tournaments of programs in idle slots. It skips games with external
    /// commands as players unless it `runs_commands`.
    #[must_use]
    pub fn playing(store: Store, places: usize, open: Arc<OpenContest>, runs_commands: bool) -> Self {
        Self::with_contests(store, places, Some(Contests::new(open, runs_commands)))
    }

    fn with_contests(store: Store, places: usize, contests: Option<Contests>) -> Self {
        let name = store::random_hex::<8>();
        let inner =
            Inner { store, name, places, running: Mutex::default(), has_place: Notify::new(), contests };
        // Metrics show that nothing runs yet.
        inner.change_running(|_| {});
        Self(Arc::new(inner))
    }

    /// Works until `stop` is ready; then returns its jobs to the queue.
    pub fn run(self, stop: BoxFuture<'static, ()>) -> BoxFuture<'static, ()> {
        Box::pin(self.work(stop))
    }

    async fn work(self, mut stop: BoxFuture<'static, ()>) {
        let mut hints = self.0.store.hints();
        let mut ticks = tokio::time::interval(BEAT_INTERVAL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let hinted = async {
                loop {
                    match hints.recv().await {
                        Ok(Hint::Job | Hint::Resync) | Err(RecvError::Lagged(_)) => return,
                        Ok(_) => {}
                        Err(RecvError::Closed) => std::future::pending().await,
                    }
                }
            };
            tokio::select! {
                () = &mut stop => break,
                _ = ticks.tick() => self.beat().await,
                () = self.0.has_place.notified() => {}
                () = hinted => {}
            }
            self.take_all().await;
            self.take_games().await;
        }
        let (jobs, games) =
            tokio::join!(self.0.store.release_jobs(&self.0.name), self.0.store.release_games(&self.0.name));
        if let Err(error) = jobs.and(games) {
            error.log("cannot return jobs to the queue");
        }
        self.0.running.lock().values().for_each(|job| job.stop.cancel());
    }

    /// Takes jobs while slots are free.
    async fn take_all(&self) {
        for lane in Lane::ALL {
            loop {
                let places = self.0.places;
                let (taken, running) = {
                    let running = self.0.running.lock();
                    (running.values().filter(|job| job.takes(lane)).count(), running.len())
                };
                if taken >= 2 * places || running >= MAX_RUNNING * places {
                    break;
                }
                match self.0.store.take_job(&self.0.name, lane.name(), taken >= places).await {
                    Ok(Some(job)) => self.start(job, lane),
                    Ok(None) => break,
                    Err(error) => return error.log("cannot take a job"),
                }
            }
        }
    }

    /// Takes games while regular slots are free.
    async fn take_games(&self) {
        let Some(contests) = &self.0.contests else { return };
        while self.0.running.lock().len() < self.0.places {
            match self.0.store.take_game(&self.0.name, contests.runs_commands).await {
                Ok(Some(game)) => self.start_game(game),
                Ok(None) => return contests.end_idle(),
                Err(error) => return error.log("cannot take a game"),
            }
        }
    }

    fn start_game(&self, taken: TakenGame) {
        let stop = Stop::default();
        let hurry = Stop::default();
        let running = Running { since: Instant::now(), lane: None, stop: stop.clone(), hurry };
        let place = self.occupy(taken.id(), running);
        let worker = self.clone();
        task::spawn(async move {
            let Inner { store, name, contests, .. } = &*worker.0;
            if let Some(contests) = contests {
                contests.play(store, name, &taken, stop).await;
            }
            drop(place);
        });
    }

    /// Occupies a slot.
    fn occupy(&self, id: String, running: Running) -> Slot {
        self.0.change_running(|all| drop(all.insert(id.clone(), running)));
        Slot { worker: self.clone(), id }
    }

    fn start(&self, taken: TakenJob, lane: Lane) {
        let stop = Stop::default();
        let job = serde_json::from_str::<Job>(&taken.payload);
        let hurry = job.as_ref().map_or_else(|_| Stop::default(), |job| job.hurry(&stop));
        let running =
            Running { since: Instant::now(), lane: Some(lane), stop: stop.clone(), hurry: hurry.clone() };
        let place = self.occupy(taken.id.clone(), running);
        let (sender, outputs) = Outputs::channel(stop.clone());
        let rest = job.as_ref().ok().cloned();
        task::spawn(self.clone().send_outputs(taken, rest, outputs));
        task::spawn(async move {
            let last = match job {
                Ok(job) => job.run(stop, hurry, sender.clone(), place).await,
                // It was written by another version.
                Err(error) => Output::Failed(format!("the job cannot be read: {error}")),
            };
            let _ = sender.send(last).await;
        });
    }

    /// Stores the outputs of a job, until the last one or until the job no longer belongs to this worker.
    async fn send_outputs(self, taken: TakenJob, job: Option<Job>, mut outputs: Outputs) {
        let mut number = taken.next_output;
        let mut output = Output::Started { waited_ms: taken.waited_ms };
        loop {
            let Inner { store, name, .. } = &*self.0;
            let stored = match (&output, &job) {
                // The rest of the job goes back to the queue.
                (Output::Yielded(question), Some(job)) => {
                    let rest = Job { question: question.clone(), ..job.clone() };
                    let rest = serde_json::to_string(&rest).expect("jobs are written as JSON");
                    store.requeue_job(&taken.id, name, rest).await
                }
                _ => {
                    let payload = serde_json::to_string(&output).expect("outputs are written as JSON");
                    store.add_output(&taken.id, name, number, payload).await
                }
            };
            match stored {
                Ok(true) => {}
                Ok(false) => return,
                // Tried again until the database is back. By then another worker may have the job.
                Err(error) => {
                    error.log("cannot store the output of a job");
                    tokio::time::sleep(BEAT_INTERVAL).await;
                    continue;
                }
            }
            if output.is_last() {
                return;
            }
            number += 1;
            output = latest(&mut outputs.receiver, outputs.stop.clone()).await;
        }
    }

    /// Sends a heartbeat, stops jobs that no longer belong to this worker, and interrupts one job if others
    /// wait.
    async fn beat(&self) {
        let games: Vec<_> = {
            let running = self.0.running.lock();
            running.iter().filter(|(_, job)| job.lane.is_none()).map(|(id, _)| id.clone()).collect()
        };
        let alive = async {
            let mut own = self.0.store.beat(&self.0.name).await?;
            own.extend(self.0.store.beat_games(&self.0.name, &games).await?);
            Ok::<_, StoreError>(own)
        };
        let own = match alive.await {
            Ok(own) => own,
            Err(error) => return error.log("cannot send the worker's heartbeat"),
        };
        let waiting = self.0.store.waiting_jobs().await.unwrap_or_default();
        let (jobs, addresses) = waiting
            .iter()
            .filter(|waiting| waiting.lane == Lane::Study.name())
            .fold((0, 0), |(jobs, addresses), more| (jobs + more.jobs, addresses + more.addresses));
        let running = self.0.running.lock();
        for (id, job) in running.iter() {
            if !own.contains(id) {
                job.stop.cancel();
            }
        }
        let slice = slice(self.0.places, addresses as usize);
        let studies = running.values().filter(|job| job.takes(Lane::Study));
        let mut used_up: Vec<_> = studies.filter(|job| job.since.elapsed() >= slice).collect();
        used_up.sort_unstable_by_key(|job| job.since);
        used_up.into_iter().take(jobs as usize).for_each(|job| job.hurry.move_now());
    }
}

/// Returns the next output; of several waiting assessments, only the latest.
async fn latest(outputs: &mut mpsc::Receiver<Output>, stop: Stop) -> Output {
    let Some(mut output) = outputs.recv().await else {
        stop.cancel();
        return Output::Stopped;
    };
    while let Output::Assessment(_) = &output
        && let Ok(next) = outputs.try_recv()
    {
        output = next;
    }
    output
}

/// An occupied slot of the worker; released on drop.
struct Slot {
    worker: Worker,
    id: String,
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.worker.0.change_running(|all| drop(all.remove(&self.id)));
        self.worker.0.has_place.notify_one();
    }
}
