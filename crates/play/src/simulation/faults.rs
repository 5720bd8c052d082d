//! The faults of a run, and their times.

use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use tokio::{
    task::JoinSet,
    time::{Instant, sleep},
};

use super::world::{Node, World};

/// The longest time between two faults.
const PAUSE_MS: u64 = 2_500;
/// Maximum duration of a fault.
const FAULT_MS: u64 = 12_000;
/// Maximum delay of a slow store: some calls time out.
const SLOW_MS: u64 = 3_500;
/// Size of a jump of a system clock.
const CLOCK_STEP_MS: i64 = 600_000;

/// Injects faults for a while, and returns when everything works again.
pub(super) async fn inject(world: &Arc<World>, time: Duration) {
    let end = Instant::now() + time;
    let mut faults = JoinSet::new();
    while Instant::now() < end {
        sleep(Duration::from_millis(world.random(0..=PAUSE_MS))).await;
        let server = world.random(0..world.servers() as u64) as usize;
        let lasting = Duration::from_millis(world.random(50..=FAULT_MS));
        world.count(|figures| figures.faults += 1);
        match world.random(0..12) {
            0..3 => drop(faults.spawn(crash(world.clone(), vec![server], lasting))),
            3 => drop(faults.spawn(crash(world.clone(), (0..world.servers()).collect(), lasting))),
            4..7 => drop(faults.spawn(cut(world.clone(), Some(server), lasting))),
            7 => drop(faults.spawn(cut(world.clone(), None, lasting))),
            8..10 => drop(faults.spawn(slow(world.clone(), server, lasting))),
            10 => drop(faults.spawn(deafen(world.clone(), server, lasting))),
            _ => drop(faults.spawn(step_clock(world.clone(), server, lasting))),
        }
    }
    while faults.join_next().await.is_some() {}
    world.links().iter().for_each(|link| link.heal());
}

/// Kills servers and starts them again.
async fn crash(world: Arc<World>, servers: Vec<usize>, lasting: Duration) {
    let dead: Vec<usize> = servers
        .into_iter()
        .filter(|&server| {
            let node = world.node(server);
            node.map(|node| node.crash(&world, server)).is_some()
        })
        .collect();
    sleep(lasting).await;
    for server in dead {
        Node::start(&world, server).await;
    }
}

/// Cuts the connection of one server or of all to the database.
async fn cut(world: Arc<World>, server: Option<usize>, lasting: Duration) {
    let links = match server {
        Some(server) => world.node(server).map(|node| node.link.clone()).into_iter().collect(),
        None => world.links(),
    };
    links.iter().for_each(|link| link.cut());
    sleep(lasting).await;
    links.iter().for_each(|link| link.heal());
}

async fn slow(world: Arc<World>, server: usize, lasting: Duration) {
    let Some(node) = world.node(server) else { return };
    node.link.slow_ms.store(world.random(100..=SLOW_MS), Ordering::Relaxed);
    sleep(lasting).await;
    node.link.heal();
}

/// Drops hints from the other servers for a while.
async fn deafen(world: Arc<World>, server: usize, lasting: Duration) {
    let Some(node) = world.node(server) else { return };
    node.link.is_deaf.store(true, Ordering::Relaxed);
    sleep(lasting).await;
    node.link.heal();
}

/// Sets a system clock wrong for a while.
async fn step_clock(world: Arc<World>, server: usize, lasting: Duration) {
    let Some(node) = world.node(server) else { return };
    let step = if world.random(0..=1) == 0 { CLOCK_STEP_MS } else { -CLOCK_STEP_MS };
    node.link.clock_off_ms.fetch_add(step, Ordering::Relaxed);
    sleep(lasting).await;
    node.link.clock_off_ms.fetch_sub(step, Ordering::Relaxed);
}
