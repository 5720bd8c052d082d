//! Which search starts next: a pure state machine. Its callers pass in the time since the queue was created.
//!
//! Jobs are divided into lanes by how long they run, and each lane has slots of its own: a move that takes milliseconds
//! never waits for searches of seconds. Within a lane, addresses take turns, and so do the clients of an address: of those
//! with the fewest running jobs, the one served longest ago is next. A newcomer therefore goes before any backlog.

use std::{
    collections::{HashMap, HashSet},
    time::Duration,
};

use rules::AnyGame;

/// The purpose of a job.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Class {
    /// The move of a program against a person.
    Opponent,
    /// Analysis or review.
    Study,
    /// The move of a program against another one.
    Demo,
    /// The preview of a link.
    Picture,
    /// The review of a game for its player's profile, in the background.
    Learn,
}

impl Class {
    pub(crate) const ALL: [Self; 5] = [Self::Opponent, Self::Study, Self::Demo, Self::Picture, Self::Learn];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Opponent => "opponent",
            Self::Study => "study",
            Self::Demo => "demo",
            Self::Picture => "picture",
            Self::Learn => "learn",
        }
    }

    /// The handicap of this class: its jobs queue as if they had arrived, and their owners had been served, this much
    /// later.
    pub(crate) const fn handicap(self) -> Duration {
        match self {
            Self::Opponent => Duration::ZERO,
            Self::Study | Self::Picture => Duration::from_secs(1),
            Self::Demo | Self::Learn => Duration::from_secs(5),
        }
    }

    /// Maximum numbers of waiting jobs of this class per client and per address. Moves always wait: a table has only one;
    /// so do reviews in the background, of which an account has one.
    pub(crate) fn most_waiting(self) -> Option<(usize, usize)> {
        match self {
            Self::Study => Some((MAX_WAITING_OF_CLIENT, MAX_WAITING_OF_ADDRESS)),
            // Their clients are known only by address.
            Self::Picture => Some((MAX_WAITING_OF_ADDRESS, MAX_WAITING_OF_ADDRESS)),
            Self::Opponent | Self::Demo | Self::Learn => None,
        }
    }
}

/// Maximum number of waiting studies per client: an analysis in each of a few tabs.
pub(crate) const MAX_WAITING_OF_CLIENT: usize = 4;
/// Maximum number of waiting studies per address: a class of thirty, where everyone waits for one. Addresses take turns,
/// so this bounds memory, not the waiting time of others.
pub(crate) const MAX_WAITING_OF_ADDRESS: usize = 32;

/// How long the jobs of a lane run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Lane {
    /// Milliseconds: levels on boards of the usual size, previews.
    Quick,
    /// Studies, which yield their slot after a slice of time if others wait.
    Study,
    /// Seconds: searches limited by time.
    Long,
}

impl Lane {
    pub(crate) const ALL: [Self; 3] = [Self::Quick, Self::Study, Self::Long];

    /// The lane of a program's move. Levels and random moves take milliseconds on a board of a usual size; on larger boards
    /// levels may take seconds, and other players may search for as long as they are asked to.
    pub(crate) fn of_move(game: &AnyGame, player: &str) -> Self {
        let name = player.split_once(':').map_or(player, |(name, _)| name);
        let is_quick = matches!(name, "level" | "random") && game.view().cells.len() <= USUAL_CELLS;
        if is_quick { Self::Quick } else { Self::Long }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Study => "study",
            Self::Long => "long",
        }
    }
}

/// Boards of at most this many cells are of a usual size; Gomoku has up to 361.
const USUAL_CELLS: usize = 400;
/// A quick job that runs longer than this takes a slot of the long jobs from then on.
pub(crate) const QUICK_LIMIT: Duration = Duration::from_millis(500);
/// Maximum number of running quick jobs per slot, including those that run too long.
const MAX_QUICK: usize = 4;
/// Time in which every address with a waiting study should get a turn.
const ROTATION: Duration = Duration::from_secs(3);
/// Minimum and maximum time after which a study yields if others wait.
const SLICE: [Duration; 2] = [Duration::from_millis(250), Duration::from_secs(2)];
/// Maximum number of remembered owners per lane.
const MAX_SERVED: usize = 10_000;

/// The time after which a study yields if studies of this many addresses wait.
pub(crate) fn slice(places: usize, waiting_addresses: usize) -> Duration {
    let turn = ROTATION * places.try_into().unwrap_or(u32::MAX);
    (turn / waiting_addresses.max(1).try_into().unwrap_or(u32::MAX)).clamp(SLICE[0], SLICE[1])
}

/// The client and its address. A client without a known address counts as its own address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Owner {
    pub(crate) client: String,
    pub(crate) address: String,
}

/// The queue is full for this client.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct QueueFull;

/// The schedule of the lanes.
pub(crate) struct Schedule {
    /// The number of regular slots of each lane; there are as many spare ones.
    places: usize,
    lanes: [Queue; 3],
    next_id: u64,
}

#[derive(Default)]
struct Queue {
    waiting: Vec<Waiting>,
    running: HashMap<u64, Running>,
    /// When addresses and clients were last served.
    addresses: Served,
    clients: Served,
}

struct Waiting {
    id: u64,
    owner: Owner,
    class: Class,
    arrived: Duration,
}

struct Running {
    owner: Owner,
    since: Duration,
}

/// When owners were last served.
#[derive(Default)]
struct Served(HashMap<String, Duration>);

impl Served {
    /// When this owner was last served; zero if it never was.
    fn at(&self, owner: &str) -> Duration {
        self.0.get(owner).copied().unwrap_or_default()
    }

    fn note(&mut self, owner: &str, now: Duration) {
        if self.0.len() >= MAX_SERVED && !self.0.contains_key(owner) {
            let mut times: Vec<_> = self.0.values().copied().collect();
            let middle = times.len() / 2;
            let (_, &mut median, _) = times.select_nth_unstable(middle);
            self.0.retain(|_, at| *at > median);
        }
        self.0.insert(owner.to_owned(), now);
    }
}

impl Schedule {
    pub(crate) fn new(places: usize) -> Self {
        Self { places, lanes: Default::default(), next_id: 0 }
    }

    /// The number of running jobs.
    pub(crate) fn running(&self) -> usize {
        self.lanes.iter().map(|lane| lane.running.len()).sum()
    }

    /// The number of waiting jobs of a class.
    pub(crate) fn waiting(&self, class: Class) -> usize {
        let waiting = self.lanes.iter().flat_map(|lane| &lane.waiting);
        waiting.filter(|waiting| waiting.class == class).count()
    }

    /// Adds a job and returns its id.
    ///
    /// # Errors
    /// If its client or address has too many jobs of this class waiting.
    pub(crate) fn add(
        &mut self,
        owner: Owner,
        class: Class,
        lane: Lane,
        now: Duration,
    ) -> Result<u64, QueueFull> {
        let queue = &mut self.lanes[lane as usize];
        if class.most_waiting().is_some_and(|most| queue.is_full_for(&owner, class, most)) {
            return Err(QueueFull);
        }
        let id = self.next_id;
        self.next_id += 1;
        queue.waiting.push(Waiting { id, owner, class, arrived: now });
        Ok(id)
    }

    /// Removes a job that waits or runs.
    pub(crate) fn remove(&mut self, id: u64) {
        for lane in &mut self.lanes {
            lane.waiting.retain(|waiting| waiting.id != id);
            lane.running.remove(&id);
        }
    }

    /// Starts the next job that may run now, and returns its id.
    pub(crate) fn start_next(&mut self, now: Duration) -> Option<u64> {
        Lane::ALL.into_iter().find_map(|lane| self.start_next_of(lane, now))
    }

    fn start_next_of(&mut self, lane: Lane, now: Duration) -> Option<u64> {
        let places = self.places;
        let quick = &self.lanes[Lane::Quick as usize];
        let overstaying = quick.running.values().filter(|job| now - job.since >= QUICK_LIMIT).count();
        let queue = &self.lanes[lane as usize];
        let taken = match lane {
            Lane::Quick if queue.running.len() >= MAX_QUICK * places => return None,
            Lane::Quick => queue.running.len() - overstaying,
            Lane::Study => queue.running.len(),
            Lane::Long => queue.running.len() + overstaying,
        };
        if taken >= 2 * places {
            return None;
        }
        let rank = |waiting: &Waiting| {
            let Waiting { id, owner, class, arrived } = waiting;
            let (of_address, of_client) = queue.running_for(owner);
            let may_run = taken < places || of_address == 0;
            let address = (of_address, queue.addresses.at(&owner.address) + class.handicap());
            let client = (of_client, queue.clients.at(&owner.client));
            may_run.then(|| (address, client, *arrived + class.handicap(), *id))
        };
        let ranked =
            queue.waiting.iter().enumerate().filter_map(|(index, waiting)| Some((rank(waiting)?, index)));
        let (_, index) = ranked.min()?;
        let queue = &mut self.lanes[lane as usize];
        let Waiting { id, owner, .. } = queue.waiting.swap_remove(index);
        queue.addresses.note(&owner.address, now);
        queue.clients.note(&owner.client, now);
        queue.running.insert(id, Running { owner, since: now });
        Some(id)
    }

    /// The running studies that must yield: those that have used up their slice, at most as many as others wait.
    pub(crate) fn yielding(&self, now: Duration) -> Vec<u64> {
        let queue = &self.lanes[Lane::Study as usize];
        let addresses: HashSet<_> = queue.waiting.iter().map(|waiting| &waiting.owner.address).collect();
        let slice = slice(self.places, addresses.len());
        let used_up = queue.running.iter().filter(|(_, job)| now - job.since >= slice);
        let mut used_up: Vec<_> = used_up.map(|(&id, job)| (job.since, id)).collect();
        used_up.sort_unstable();
        used_up.into_iter().take(queue.waiting.len()).map(|(_, id)| id).collect()
    }
}

impl Queue {
    /// The number of running jobs of this owner's address, and of the owner.
    fn running_for(&self, owner: &Owner) -> (usize, usize) {
        let of_address = self.running.values().filter(|job| job.owner.address == owner.address);
        of_address.fold((0, 0), |(address, client), job| {
            (address + 1, client + usize::from(job.owner.client == owner.client))
        })
    }

    fn is_full_for(&self, owner: &Owner, class: Class, (of_client, of_address): (usize, usize)) -> bool {
        let of_class = self.waiting.iter().filter(|waiting| waiting.class == class);
        let neighbours = of_class.filter(|waiting| waiting.owner.address == owner.address);
        let (mut address, mut client) = (0, 0);
        for waiting in neighbours {
            address += 1;
            client += usize::from(waiting.owner.client == owner.client);
        }
        address >= of_address || client >= of_client
    }
}

#[cfg(test)]
#[path = "schedule_tests.rs"]
mod tests;
