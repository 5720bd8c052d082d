//! A simulation of several nodes with live tables over one database, while servers crash, connections break, the store
//! is slow, hints are lost and clocks jump. Registry, actors and cluster tasks are the real ones; time, store, bus and
//! clients are simulated, so a seed gives the same run on every machine, and a run of a minute takes milliseconds.
//!
//! Checked in every run: no acknowledged move is lost or changed, none counts twice, no client sees a gap or goes back,
//! no right command is refused while the store works, all nodes end with the same tables, clocks are charged only for
//! thinking, flags fall, only play is rated, and once, ratings are those that follow from the results that count, whatever
//! organisers decide and operators void, every game goes on when the faults are over, and tables that everybody has left
//! do not stay in memory.

mod check;
mod cups;
mod database;
mod faults;
mod link;
mod node;
mod player;
mod ratings;
mod store;
mod tables;
mod world;

#[cfg(test)]
mod tests;

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use protocol::{Event, Status};
use tokio::{task::JoinSet, time::sleep};

use world::{Node, World};

const SERVERS: usize = 3;
const TABLES: u64 = 4;
const TOURNAMENTS: u64 = 2;
/// For how long faults begin.
const FAULTS: Duration = Duration::from_secs(40);
/// Maximum time until tables continue after the last fault: other nodes notice a dead node and take over its
/// tables.
const RECOVERY: Duration = Duration::from_secs(12);
/// How long games are observed after that.
const PLAY: Duration = Duration::from_secs(8);
/// Maximum time until all nodes know the last moves: they poll the log every five seconds.
const QUIET: Duration = Duration::from_secs(10);

/// What happened in a run, or in several.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Faults that were injected.
    pub faults: u64,
    /// Calls of the store.
    pub calls: u64,
    /// Calls that failed.
    pub failed_calls: u64,
    /// Hints that did not arrive.
    pub hints_lost: u64,
    /// Connections of clients.
    pub connections: u64,
    /// Moves that were sent.
    pub commands: u64,
    /// Moves that were acknowledged.
    pub acknowledged: u64,
    /// Moves in the logs.
    pub moves: u64,
    /// Games that ended.
    pub games: u64,
    /// Games that were rated.
    pub rated: u64,
    /// Tournaments.
    pub tournaments: u64,
    /// Commands of organisers to decide, remove or end.
    pub decisions: u64,
    /// Results that were voided or restored.
    pub revised: u64,
    /// Updates that clients received.
    pub updates: u64,
    /// Tables that were compared with their logs, on each node.
    pub replicas: u64,
    /// A fingerprint of all logs: the same for the same seed.
    pub fingerprint: u64,
}

impl Figures {
    /// Adds the figures of another run.
    pub fn add(&mut self, other: &Self) {
        self.faults += other.faults;
        self.calls += other.calls;
        self.failed_calls += other.failed_calls;
        self.hints_lost += other.hints_lost;
        self.connections += other.connections;
        self.commands += other.commands;
        self.acknowledged += other.acknowledged;
        self.moves += other.moves;
        self.games += other.games;
        self.rated += other.rated;
        self.tournaments += other.tournaments;
        self.decisions += other.decisions;
        self.revised += other.revised;
        self.updates += other.updates;
        self.replicas += other.replicas;
        self.fingerprint = self.fingerprint.rotate_left(1) ^ other.fingerprint;
    }
}

/// Runs a simulation.
///
/// # Errors
/// The violations, if there are any.
///
/// # Panics
/// If the system cannot create a runtime.
pub fn run(seed: u64) -> Result<Figures, Vec<String>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    let runtime = runtime.expect("a runtime of one thread");
    let world = runtime.block_on(async {
        let world = World::new(seed, SERVERS);
        simulate(&world).await;
        check::check(&world).await;
        world
    });
    // Nothing of the run goes on.
    drop(runtime);
    let mut violations = world.with(|state| std::mem::take(&mut state.violations));
    violations.extend(compare_ratings(&world));
    if violations.is_empty() { Ok(measure(&world)) } else { Err(violations) }
}

/// Returns where the ratings of a real database differ after the same results.
fn compare_ratings(world: &World) -> Vec<String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.expect("a runtime of one thread");
    let ratings = world.with(|state| std::mem::take(&mut state.database.ratings));
    let found = runtime.block_on(async {
        let store = ::store::Store::open("sqlite::memory:").await?;
        let found = ratings.repeat(&store).await;
        store.close().await;
        found
    });
    world.count(|figures| figures.rated = ratings.tables().count() as u64);
    found.unwrap_or_else(|error| vec![format!("the database failed: {error:?}")])
}

async fn simulate(world: &Arc<World>) {
    for server in 0..SERVERS {
        Node::start(world, server).await;
    }
    let mut games = JoinSet::new();
    for number in 1..=TABLES {
        games.spawn(tables::play(world.clone(), number));
    }
    for number in 1..=TOURNAMENTS {
        games.spawn(cups::hold(world.clone(), number));
    }
    games.spawn(cups::operate(world.clone()));
    faults::inject(world, FAULTS).await;
    sleep(RECOVERY).await;
    let before = progress(world);
    sleep(PLAY).await;
    let after = progress(world);
    for (table, version) in before {
        if after.get(&table) == Some(&version) {
            world.violated(format!("{table} does not go on after version {version}"));
        }
    }
    games.shutdown().await;
    // What was sent before may still arrive.
    sleep(QUIET).await;
    cups::end_all(world).await;
    sleep(QUIET).await;
}

/// The versions of the tables whose player to move has not fallen silent. In a tournament a player may have another game
/// to play first.
fn progress(world: &World) -> BTreeMap<String, u64> {
    world.with(|state| {
        let tables = state.database.tables.iter().filter(|(id, table)| {
            let is_silent = state.told.get(*id).is_some_and(|told| told.is_silent);
            table.row.status == Status::Playing && !is_silent && table.row.settings.tournament.is_none()
        });
        tables.map(|(id, table)| (id.clone(), table.log.len() as u64)).collect()
    })
}

fn measure(world: &World) -> Figures {
    let mut figures = world.figures();
    world.with(|state| {
        figures.tournaments = state.database.tournaments.len() as u64;
        for table in state.database.tables.values() {
            figures.games += u64::from(table.row.status == Status::Ended);
            for entry in &table.log {
                figures.moves += u64::from(matches!(entry.event, Event::Moved { .. }));
                let text = format!("{entry:?}");
                // FNV-1a.
                let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
                figures.fingerprint = text.bytes().fold(figures.fingerprint, mix);
            }
        }
    });
    figures
}
