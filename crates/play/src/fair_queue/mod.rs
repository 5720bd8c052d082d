//! A fair queue for searches. A search costs a thousand times as much as a person's move, so slots are shared: first by
//! address, then by client. No client can block the others, and idle slots of a lane may be used by anyone.
//!
//! Any client may take a regular slot. If all are taken, an address without a running job gets one of as many spare
//! slots, so that it does not wait for the long jobs of others; the system then shares the cores among more threads.

mod schedule;

use std::{collections::HashMap, sync::Arc, time::Duration};

use parking_lot::Mutex;
use players::Stop;
use store::metrics::METRICS;
use tokio::{sync::oneshot, time::Instant};

use self::schedule::Schedule;
pub(crate) use self::schedule::{Class, Lane, Owner, QUICK_LIMIT, QueueFull, slice};

/// Interval at which waiting jobs check whether another one must yield or overstays.
const TICK: Duration = Duration::from_millis(125);

/// The queue. Clones share the same queue.
#[derive(Clone)]
pub(crate) struct FairQueue(Arc<Mutex<State>>);

struct State {
    schedule: Schedule,
    jobs: HashMap<u64, Handles>,
    /// The schedule counts time from here.
    start: Instant,
    last_tick: Instant,
}

/// How to reach a job.
struct Handles {
    /// Present until the job starts.
    turn: Option<oneshot::Sender<EnginePermit>>,
    /// Asks a study to yield.
    hurry: Stop,
}

/// Permission to run one search; released on drop.
pub(crate) struct EnginePermit {
    queue: FairQueue,
    id: u64,
}

impl Drop for EnginePermit {
    fn drop(&mut self) {
        self.queue.remove(self.id);
    }
}

/// A place in the queue, given up on drop.
struct Place<'a> {
    queue: &'a FairQueue,
    id: Option<u64>,
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        if let Some(id) = self.id {
            self.queue.remove(id);
        }
    }
}

impl FairQueue {
    /// Creates a queue with this many regular slots per lane.
    pub(crate) fn new(places: usize) -> Self {
        let (schedule, start) = (Schedule::new(places), Instant::now());
        Self(Arc::new(Mutex::new(State { schedule, jobs: HashMap::new(), start, last_tick: start })))
    }

    /// The number of running jobs.
    pub(crate) fn running(&self) -> usize {
        self.0.lock().schedule.running()
    }

    /// The number of waiting jobs of a class.
    pub(crate) fn waiting(&self, class: Class) -> usize {
        self.0.lock().schedule.waiting(class)
    }

    /// Waits for a slot. `hurry` tells a running study to move or yield once it has used up its slice and others wait. A
    /// caller that gives up drops the future.
    ///
    /// # Errors
    /// If the client or its address has too many jobs of this class waiting.
    pub(crate) async fn enter(
        &self,
        owner: Owner,
        class: Class,
        lane: Lane,
        hurry: Stop,
    ) -> Result<EnginePermit, QueueFull> {
        let asked = Instant::now();
        let (sender, mut turn) = oneshot::channel();
        let mut place = {
            let mut state = self.0.lock();
            let now = asked - state.start;
            let id = state.schedule.add(owner, class, lane, now)?;
            state.jobs.insert(id, Handles { turn: Some(sender), hurry });
            Place { queue: self, id: Some(id) }
        };
        self.start_waiting();
        loop {
            match tokio::time::timeout(TICK, &mut turn).await {
                Ok(permit) => {
                    METRICS.waited(class.name(), asked.elapsed());
                    place.id = None;
                    return Ok(permit.expect("a waiting job receives its turn"));
                }
                Err(_) => self.tick(),
            }
        }
    }

    /// Forgets a job and starts others.
    fn remove(&self, id: u64) {
        {
            let mut state = self.0.lock();
            state.schedule.remove(id);
            state.jobs.remove(&id);
        }
        self.start_waiting();
    }

    /// Starts the jobs that may run now.
    fn start_waiting(&self) {
        let mut turns = Vec::new();
        {
            let mut state = self.0.lock();
            let now = state.start.elapsed();
            while let Some(id) = state.schedule.start_next(now) {
                turns.extend(state.jobs.get_mut(&id).and_then(|job| Some((job.turn.take()?, id))));
            }
        }
        for (turn, id) in turns {
            // If no caller waits any more, the permit is dropped, which starts the next job.
            drop(turn.send(EnginePermit { queue: self.clone(), id }));
        }
    }

    /// Makes studies yield, and starts what may run now; at most once per interval, however many jobs wait.
    fn tick(&self) {
        {
            let mut state = self.0.lock();
            if state.last_tick.elapsed() < TICK {
                return;
            }
            state.last_tick = Instant::now();
            state.hurry();
        }
        self.start_waiting();
    }
}

impl State {
    /// Tells the studies that must yield.
    fn hurry(&self) {
        for id in self.schedule.yielding(self.start.elapsed()) {
            if let Some(job) = self.jobs.get(&id) {
                job.hurry.move_now();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Enters the queue in a task of its own.
    fn job(
        queue: &FairQueue,
        client: &str,
        class: Class,
        lane: Lane,
    ) -> tokio::task::JoinHandle<EnginePermit> {
        let owner = Owner { client: client.into(), address: client.into() };
        let queue = queue.clone();
        tokio::spawn(async move {
            let permit = queue.enter(owner, class, lane, Stop::default()).await;
            permit.expect("the queue is not full")
        })
    }

    #[tokio::test(start_paused = true)]
    async fn who_gives_up_is_forgotten() {
        let queue = FairQueue::new(1);
        let running = [
            job(&queue, "a", Class::Opponent, Lane::Long).await.unwrap(),
            job(&queue, "b", Class::Opponent, Lane::Long).await.unwrap(),
        ];
        let gone = job(&queue, "c", Class::Opponent, Lane::Long);
        tokio::task::yield_now().await;
        assert_eq!(queue.waiting(Class::Opponent), 1);
        gone.abort();
        assert!(gone.await.is_err());
        assert_eq!(queue.waiting(Class::Opponent), 0);
        let next = job(&queue, "d", Class::Opponent, Lane::Long);
        tokio::task::yield_now().await;
        drop(running);
        drop(next.await.unwrap());
        assert_eq!((queue.running(), queue.0.lock().jobs.len()), (0, 0));
    }

    #[tokio::test(start_paused = true)]
    async fn a_study_yields_when_others_wait() {
        let queue = FairQueue::new(1);
        let hurry = Stop::default();
        let owner = |client: &str| Owner { client: client.into(), address: "school".into() };
        let first = queue.enter(owner("a"), Class::Study, Lane::Study, hurry.clone()).await;
        tokio::time::advance(Duration::from_secs(60)).await;
        assert!(!hurry.must_move_now(), "nobody waits");
        let waiting = {
            let queue = queue.clone();
            let owner = owner("b");
            tokio::spawn(async move { queue.enter(owner, Class::Study, Lane::Study, Stop::default()).await })
        };
        // Paused time advances to the next tick of the waiting job.
        while !hurry.must_move_now() {
            tokio::time::sleep(TICK).await;
        }
        drop(first);
        assert!(waiting.await.unwrap().is_ok());
    }
}
