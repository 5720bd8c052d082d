//! A fair queue for searches. A search costs a thousand times as much as a person's move, so slots are shared: first by
//! address, then by client. No client can block the others, and idle slots may be used by anyone.
//!
//! Any client may take a regular slot. There are as many spare slots as regular ones: if all regular slots
//! are taken, an address without a running job gets a spare one, so that it does not wait for the long jobs
//! of others. The system then shares the cores among more threads. The next job comes from the address with
//! the fewest running jobs, then from the client with the fewest, then by waiting time, where opponents of
//! people have a head start.

use std::{collections::HashMap, sync::Arc, time::Duration};

use parking_lot::Mutex;
use players::Stop;
use store::metrics::METRICS;
use tokio::{sync::oneshot, time::Instant};

/// The purpose of a job.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Class {
    /// The move of a program against a person.
    Opponent,
    /// Analysis or review.
    Study,
    /// The move of a program against another one.
    Demo,
}

impl Class {
    pub(crate) const ALL: [Self; 3] = [Self::Opponent, Self::Study, Self::Demo];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Opponent => "opponent",
            Self::Study => "study",
            Self::Demo => "demo",
        }
    }

    /// Records in the metrics how long a job of this class waited.
    pub(crate) fn record_wait(self, waited: Duration) {
        METRICS.waited(self.name(), waited);
    }

    /// The handicap of this class: its jobs queue as if they had arrived this much later.
    pub(crate) const fn handicap(self) -> Duration {
        match self {
            Self::Opponent => Duration::ZERO,
            Self::Study => Duration::from_secs(1),
            Self::Demo => Duration::from_secs(5),
        }
    }
}

/// Maximum number of waiting studies per client.
pub(crate) const MAX_WAITING_OF_CLIENT: usize = 4;
/// Maximum number of waiting studies per address.
pub(crate) const MAX_WAITING_OF_ADDRESS: usize = 64;
/// Minimum running time of an interruptible job when others wait.
pub(crate) const LEAST_RUN: Duration = Duration::from_secs(2);
/// Interval at which a waiting job checks whether another one can be interrupted.
const HURRY_INTERVAL: Duration = Duration::from_millis(250);

/// The client and its address. A client without a known address counts as its own address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Owner {
    pub(crate) client: String,
    pub(crate) address: String,
}

/// The queue is full for this client.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct QueueFull;

/// The queue. Clones share the same queue.
#[derive(Clone)]
pub(crate) struct FairQueue(Arc<Mutex<State>>);

struct State {
    /// The number of regular slots; there are as many spare ones.
    places: usize,
    waiting: Vec<Waiting>,
    running: HashMap<u64, Running>,
    next_id: u64,
}

struct Waiting {
    id: u64,
    job: Running,
    turn: oneshot::Sender<EnginePermit>,
}

struct Running {
    owner: Owner,
    class: Class,
    /// Arrival time or, once the job runs, its start time.
    since: Instant,
    /// Interrupts the job, if it is interruptible.
    hurry: Option<Stop>,
}

/// Permission to run one search; released on drop.
pub(crate) struct EnginePermit {
    queue: FairQueue,
    id: u64,
}

impl Drop for EnginePermit {
    fn drop(&mut self) {
        self.queue.0.lock().running.remove(&self.id);
        self.queue.start_waiting();
    }
}

impl FairQueue {
    pub(crate) fn new(places: usize) -> Self {
        let (waiting, running) = (Vec::new(), HashMap::new());
        Self(Arc::new(Mutex::new(State { places, waiting, running, next_id: 0 })))
    }

    /// The number of running jobs.
    pub(crate) fn running(&self) -> usize {
        self.0.lock().running.len()
    }

    /// The number of waiting jobs of a class.
    pub(crate) fn waiting(&self, class: Class) -> usize {
        self.0.lock().waiting.iter().filter(|waiting| waiting.job.class == class).count()
    }

    /// Waits for a slot. With `hurry` the job may be stopped early once it has run for a while and others
    /// wait. A caller that gives up drops the future.
    ///
    /// # Errors
    /// If the client or its address has too many studies waiting.
    pub(crate) async fn enter(
        &self,
        owner: Owner,
        class: Class,
        hurry: Option<Stop>,
    ) -> Result<EnginePermit, QueueFull> {
        let asked = Instant::now();
        let (sender, mut turn) = oneshot::channel();
        {
            let mut state = self.0.lock();
            state.waiting.retain(|waiting| !waiting.turn.is_closed());
            if class == Class::Study && state.is_full_for(&owner) {
                return Err(QueueFull);
            }
            let id = state.next_id;
            state.next_id += 1;
            let job = Running { owner, class, since: asked, hurry };
            state.waiting.push(Waiting { id, job, turn: sender });
        }
        self.start_waiting();
        loop {
            match tokio::time::timeout(HURRY_INTERVAL, &mut turn).await {
                Ok(place) => {
                    class.record_wait(asked.elapsed());
                    return Ok(place.expect("a waiting job receives its turn"));
                }
                Err(_) => self.0.lock().cut_one_short(),
            }
        }
    }

    /// Starts the jobs that may run now.
    fn start_waiting(&self) {
        let mut turns = Vec::new();
        {
            let mut state = self.0.lock();
            state.waiting.retain(|waiting| !waiting.turn.is_closed());
            while let Some(next) = state.next() {
                let Waiting { id, job, turn } = state.waiting.swap_remove(next);
                state.running.insert(id, Running { since: Instant::now(), ..job });
                turns.push((turn, id));
            }
        }
        for (turn, id) in turns {
            // If no caller waits any more, the place is dropped, which starts the next job.
            drop(turn.send(EnginePermit { queue: self.clone(), id }));
        }
    }
}

impl State {
    /// The number of running jobs of this owner's address, and of the owner.
    fn running_for(&self, owner: &Owner) -> (usize, usize) {
        let of_address = self.running.values().filter(|job| job.owner.address == owner.address);
        of_address.fold((0, 0), |(address, client), job| {
            (address + 1, client + usize::from(job.owner.client == owner.client))
        })
    }

    fn is_full_for(&self, owner: &Owner) -> bool {
        let studies = self.waiting.iter().filter(|waiting| waiting.job.class == Class::Study);
        let of_address = studies.filter(|waiting| waiting.job.owner.address == owner.address);
        let (mut address, mut client) = (0, 0);
        for waiting in of_address {
            address += 1;
            client += usize::from(waiting.job.owner.client == owner.client);
        }
        address >= MAX_WAITING_OF_ADDRESS || client >= MAX_WAITING_OF_CLIENT
    }

    /// Returns the waiting job that may run now, if any.
    fn next(&self) -> Option<usize> {
        let running = self.running.len();
        let rank = |waiting: &Waiting| {
            let Running { owner, class, since, .. } = &waiting.job;
            let (of_address, of_client) = self.running_for(owner);
            let may_run = running < self.places || of_address == 0 && running < 2 * self.places;
            may_run.then(|| (of_address, of_client, *since + class.handicap(), waiting.id))
        };
        let ranked =
            self.waiting.iter().enumerate().filter_map(|(index, waiting)| Some((rank(waiting)?, index)));
        ranked.min().map(|(_, index)| index)
    }

    /// Stops one job that has run long enough, of the address with the most running jobs.
    fn cut_one_short(&self) {
        let now = Instant::now();
        let candidates = self.running.values().filter(|job| now - job.since >= LEAST_RUN);
        let candidates = candidates.filter_map(|job| Some((job, job.hurry.as_ref()?)));
        let longest = candidates.max_by_key(|(job, _)| (self.running_for(&job.owner), now - job.since));
        if let Some((_, stop)) = longest {
            stop.move_now();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        future::poll_fn,
        pin::Pin,
        task::Poll::{Pending, Ready},
    };

    use super::*;

    struct Job(Pin<Box<dyn Future<Output = Result<EnginePermit, QueueFull>> + Send>>);

    impl Job {
        fn new(queue: &FairQueue, client: &str, address: &str, class: Class, hurry: Option<Stop>) -> Self {
            let (queue, owner) = (queue.clone(), Owner { client: client.into(), address: address.into() });
            Self(Box::pin(async move { queue.enter(owner, class, hurry).await }))
        }

        /// The answer, if there is one now.
        async fn now(&mut self) -> Option<Result<EnginePermit, QueueFull>> {
            poll_fn(|context| match self.0.as_mut().poll(context) {
                Ready(place) => Ready(Some(place)),
                Pending => Ready(None),
            })
            .await
        }

        async fn place(&mut self) -> Option<EnginePermit> {
            self.now().await.map(|place| place.expect("the queue is not full"))
        }
    }

    /// Lets time pass for all jobs.
    fn age(queue: &FairQueue, by: Duration) {
        let mut state = queue.0.lock();
        let State { running, waiting, .. } = &mut *state;
        let jobs = running.values_mut().chain(waiting.iter_mut().map(|waiting| &mut waiting.job));
        jobs.for_each(|job| job.since -= by);
    }

    /// A job of a client with an address of its own.
    fn opponent(queue: &FairQueue, client: &str) -> Job {
        Job::new(queue, client, client, Class::Opponent, None)
    }

    #[tokio::test]
    async fn one_address_cannot_take_every_place() {
        let queue = FairQueue::new(2);
        let mut greedy: Vec<_> = (0..30).map(|_| opponent(&queue, "greedy")).collect();
        let mut places = Vec::new();
        for job in &mut greedy {
            places.extend(job.place().await);
        }
        assert_eq!(places.len(), 2, "as many as there are regular places");
        let mut other = opponent(&queue, "other");
        let spare = other.place().await.expect("a spare place at once");
        assert!(opponent(&queue, "other").place().await.is_none(), "only one spare place for an address");
        assert!(opponent(&queue, "third").place().await.is_some());
        drop(spare);
        assert_eq!(queue.running(), 2);
    }

    #[tokio::test]
    async fn whatever_is_idle_may_be_used() {
        let queue = FairQueue::new(3);
        let mut places = Vec::new();
        for pupil in ["a", "b", "c"] {
            places.extend(Job::new(&queue, pupil, "school", Class::Study, None).place().await);
        }
        assert_eq!(places.len(), 3);
    }

    #[tokio::test]
    async fn those_with_the_fewest_running_jobs_are_next() {
        let queue = FairQueue::new(2);
        let mut first = Job::new(&queue, "a", "school", Class::Opponent, None).place().await;
        let mut second = Job::new(&queue, "b", "home", Class::Opponent, None).place().await;
        assert!(first.is_some() && second.is_some());
        let mut a = Job::new(&queue, "a", "school", Class::Opponent, None);
        let mut c = Job::new(&queue, "c", "school", Class::Opponent, None);
        assert!(a.place().await.is_none() && c.place().await.is_none());
        second.take();
        let c = c.place().await;
        assert!(c.is_some(), "of one address, the client that has nothing running");
        assert!(a.place().await.is_none());
        first.take();
        assert!(a.place().await.is_some());
    }

    #[tokio::test]
    async fn opponents_of_people_have_a_head_start() {
        let queue = FairQueue::new(1);
        let mut place = opponent(&queue, "a").place().await;
        assert!(place.is_some());
        let [mut demo, mut study, mut move_] = [Class::Demo, Class::Study, Class::Opponent]
            .map(|class| Job::new(&queue, class.name(), "a", class, None));
        for job in [&mut demo, &mut study, &mut move_] {
            assert!(job.place().await.is_none());
        }
        assert_eq!((queue.waiting(Class::Study), queue.running()), (1, 1));
        for job in [&mut move_, &mut study, &mut demo] {
            place.take();
            place = job.place().await;
            assert!(place.is_some());
        }
        // But not for ever.
        let mut demo = Job::new(&queue, "demo", "a", Class::Demo, None);
        assert!(demo.place().await.is_none());
        age(&queue, Duration::from_secs(6));
        let mut late = Job::new(&queue, "late", "a", Class::Opponent, None);
        assert!(late.place().await.is_none());
        place.take();
        assert!(late.place().await.is_none() && demo.place().await.is_some());
    }

    #[tokio::test]
    async fn who_gives_up_is_forgotten() {
        let queue = FairQueue::new(1);
        let mut place = opponent(&queue, "a").place().await;
        assert!(place.is_some());
        let mut gone = Job::new(&queue, "b", "a", Class::Opponent, None);
        assert!(gone.place().await.is_none());
        let mut next = Job::new(&queue, "c", "a", Class::Opponent, None);
        assert!(next.place().await.is_none());
        drop(gone);
        place.take();
        let place = next.place().await;
        assert!(place.is_some());
        // Also if it was its turn already.
        let mut gone = Job::new(&queue, "d", "a", Class::Opponent, None);
        assert!(gone.place().await.is_none());
        drop(place);
        drop(gone);
        assert_eq!(queue.running(), 0);
    }

    #[tokio::test]
    async fn waiting_studies_are_bounded() {
        let queue = FairQueue::new(1);
        let _place = Job::new(&queue, "x", "a", Class::Opponent, None).place().await;
        let mut waiting = Vec::new();
        for client in 0..20 {
            for _ in 0..MAX_WAITING_OF_CLIENT {
                let mut job = Job::new(&queue, &client.to_string(), "a", Class::Study, None);
                if job.now().await.is_none() {
                    waiting.push(job);
                }
            }
            let mut job = Job::new(&queue, &client.to_string(), "a", Class::Study, None);
            assert!(matches!(job.now().await, Some(Err(QueueFull))));
        }
        assert_eq!(waiting.len(), MAX_WAITING_OF_ADDRESS);
        assert!(Job::new(&queue, "x", "a", Class::Opponent, None).now().await.is_none(), "moves always wait");
        drop(waiting);
        assert!(Job::new(&queue, "x", "a", Class::Study, None).now().await.is_none());
    }

    #[tokio::test]
    async fn a_study_ends_when_others_wait() {
        let queue = FairQueue::new(1);
        let stop = Stop::default();
        let place = Job::new(&queue, "a", "school", Class::Study, Some(stop.clone())).place().await;
        let mut waiting = Job::new(&queue, "b", "school", Class::Study, None);
        assert!(waiting.place().await.is_none());
        queue.0.lock().cut_one_short();
        assert!(!stop.must_move_now(), "it has just begun");
        age(&queue, LEAST_RUN);
        assert!(tokio::time::timeout(2 * HURRY_INTERVAL, &mut waiting.0).await.is_err());
        assert!(stop.must_move_now());
        drop(place);
        assert!(waiting.place().await.is_some());
    }
}
