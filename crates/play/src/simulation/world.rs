//! The shared state of a simulated run: the time, the random numbers, the database, the nodes, and the messages to
//! clients.

use std::{
    collections::BTreeMap,
    ops::RangeBounds,
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use parking_lot::Mutex;
use store::Hint;
use tokio::time::{Instant, sleep};

use super::{Figures, database::Database, link::Link};
use crate::{table::Registry, tournaments::Tournaments};

/// When a run begins, in Unix time.
const START_MS: u64 = 1_800_000_000_000;

/// Maximum delay of a hint without a fault.
const HINT_MS: u64 = 20;
/// Without a fault, one hint in this many is lost.
const LOST_HINTS: u64 = 20;

/// A node that runs, as clients and faults reach it.
pub(super) struct Node {
    pub(super) link: Arc<Link>,
    pub(super) registry: Registry,
    pub(super) tournaments: Tournaments,
}

pub(super) struct World {
    start: Instant,
    random: Mutex<fastrand::Rng>,
    figures: Mutex<Figures>,
    state: Mutex<State>,
    /// The connections of all nodes that live.
    links: Mutex<Vec<Arc<Link>>>,
    /// The servers, with the node that clients of each can reach.
    servers: Mutex<Vec<Option<Arc<Node>>>>,
}

#[derive(Default)]
pub(super) struct State {
    pub(super) database: Database,
    pub(super) told: BTreeMap<String, Told>,
    pub(super) violations: Vec<String>,
    /// The largest error of a node's clock.
    pub(super) clock_error_ms: u64,
}

/// The responses to clients about their moves at one table, each with its ply.
#[derive(Default)]
pub(super) struct Told {
    pub(super) acknowledged: Vec<(u32, String)>,
    /// Refused because another move has been played.
    pub(super) stale: Vec<(u32, String)>,
    /// Refused because the game was over.
    pub(super) over: bool,
    /// A player who stopped moving on purpose.
    pub(super) is_silent: bool,
}

impl World {
    pub(super) fn new(seed: u64, servers: usize) -> Arc<Self> {
        Arc::new(Self {
            start: Instant::now(),
            random: Mutex::new(fastrand::Rng::with_seed(seed)),
            figures: Mutex::default(),
            state: Mutex::default(),
            links: Mutex::default(),
            servers: Mutex::new(vec![None; servers]),
        })
    }

    /// The true time.
    pub(super) fn now_ms(&self) -> u64 {
        START_MS + self.start.elapsed().as_millis() as u64
    }

    pub(super) fn random(&self, range: impl RangeBounds<u64>) -> u64 {
        self.random.lock().u64(range)
    }

    pub(super) fn fork_random(&self) -> fastrand::Rng {
        self.random.lock().fork()
    }

    pub(super) fn with<T>(&self, work: impl FnOnce(&mut State) -> T) -> T {
        work(&mut self.state.lock())
    }

    pub(super) fn count(&self, add: impl FnOnce(&mut Figures)) {
        add(&mut self.figures.lock());
    }

    pub(super) fn figures(&self) -> Figures {
        self.figures.lock().clone()
    }

    pub(super) fn violated(&self, text: String) {
        let seconds = (self.now_ms() - START_MS) as f64 / 1_000.0;
        self.with(|state| state.violations.push(format!("{seconds:.3} s: {text}")));
    }

    pub(super) fn told(&self, table: &str, tell: impl FnOnce(&mut Told)) {
        self.with(|state| tell(state.told.entry(table.to_owned()).or_default()));
    }

    /// Records the time by a node's clock, to find its largest error.
    pub(super) fn note_clock(&self, now: u64) {
        let error = self.now_ms().abs_diff(now);
        self.with(|state| state.clock_error_ms = state.clock_error_ms.max(error));
    }

    pub(super) fn servers(&self) -> usize {
        self.servers.lock().len()
    }

    /// The node that runs on a server, if clients can reach one.
    pub(super) fn node(&self, server: usize) -> Option<Arc<Node>> {
        self.servers.lock()[server].clone()
    }

    pub(super) fn set_node(&self, server: usize, node: Option<Arc<Node>>) {
        self.servers.lock()[server] = node;
    }

    /// Connects a node that starts to the database.
    pub(super) fn connect(&self, link: Arc<Link>) {
        self.with(|state| state.database.connected.insert(link.node.clone()));
        self.links.lock().push(link);
    }

    /// Closes a dead node's connection, as the database does when a process is gone.
    pub(super) fn disconnect(&self, link: &Link) {
        link.kill();
        self.with(|state| state.database.connected.remove(&link.node));
        self.links.lock().retain(|other| other.node != link.node);
    }

    pub(super) fn links(&self) -> Vec<Arc<Link>> {
        self.links.lock().clone()
    }

    /// Sends a hint to all nodes but one. May be called while the state is locked.
    pub(super) fn publish(self: &Arc<Self>, from: &str, hint: Hint) {
        for link in self.links().into_iter().filter(|link| link.node != from) {
            tokio::spawn(self.clone().deliver(link, hint.clone()));
        }
    }

    /// Delays a message on its way between the node and the database; false if it is lost.
    pub(super) async fn travel(&self, link: &Link) -> bool {
        let delay = self.random(0..=link.slow_ms.load(Ordering::Relaxed));
        if delay > 0 {
            sleep(Duration::from_millis(delay)).await;
        }
        let is_broken = link.is_cut.get() || !link.is_alive();
        if is_broken && self.random(0..=1) == 0 {
            return false;
        }
        link.is_cut.wait_for(false).await;
        true
    }

    /// Delivers a hint of another node, or loses it.
    async fn deliver(self: Arc<Self>, link: Arc<Link>, hint: Hint) {
        sleep(Duration::from_millis(self.random(0..=HINT_MS))).await;
        let is_lost = link.is_cut.get() || link.is_deaf.load(Ordering::Relaxed);
        if is_lost || self.random(0..LOST_HINTS) == 0 {
            self.count(|figures| figures.hints_lost += 1);
        } else {
            // A node that is dead or does not listen yet has no receiver.
            let _ = link.hints.send(hint);
        }
    }
}
