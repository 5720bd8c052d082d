//! A simulated node: the real registry, actors and cluster tasks over a simulated store, and programs that
//! answer after a while. A crash cuts its connections, so that nothing the node does afterwards has an
//! effect.

use std::{sync::Arc, time::Duration};

use protocol::Thought;
use store::{StoreError, TableStore as _};
use tokio::{sync::mpsc::UnboundedReceiver, time::sleep};

use super::{
    link::Link,
    store::SimulatedStore,
    world::{Node, World},
};
use crate::{
    cluster,
    config::Config,
    connections::Connections,
    table::{Message, Registry, TurnRequest},
    tournaments::Tournaments,
};

/// Maximum error of a node's clock at its start.
const CLOCK_OFF_MS: i64 = 100;
/// Maximum thinking time of a program.
const THINKING_MS: u64 = 1_500;
/// Delay before another attempt to start, if the store was unavailable.
const RESTART_DELAY: Duration = Duration::from_millis(500);

impl Node {
    /// Starts a node on a server; retries until that succeeds.
    pub(super) async fn start(world: &Arc<World>, server: usize) {
        while Self::try_start(world, server).await.is_err() {
            sleep(RESTART_DELAY).await;
        }
    }

    async fn try_start(world: &Arc<World>, server: usize) -> Result<(), StoreError> {
        let mut random = world.fork_random();
        let name = format!("{server}-{:08x}", random.u32(..));
        let link = Link::new(name, random.i64(-CLOCK_OFF_MS..=CLOCK_OFF_MS));
        world.connect(link.clone());
        let store = SimulatedStore::new(world.clone(), link.clone());
        let started = async {
            store.clock().start_at(store.last_heartbeat().await?);
            let (registry, turns) = Registry::new(Arc::new(store.clone()), Config::default());
            tokio::spawn(think(turns, registry.clone(), random));
            cluster::Node::start(registry.clone(), Connections::default()).await?;
            let tournaments = Tournaments::new(Arc::new(store), registry.clone());
            tokio::spawn(tournaments.clone().run());
            Ok((registry, tournaments))
        };
        match started.await {
            Ok((registry, tournaments)) => {
                world.set_node(server, Some(Arc::new(Self { link, registry, tournaments })));
                Ok(())
            }
            Err(error) => {
                world.disconnect(&link);
                Err(error)
            }
        }
    }

    /// Kills the node.
    pub(super) fn crash(&self, world: &World, server: usize) {
        world.set_node(server, None);
        world.disconnect(&self.link);
    }
}

/// Programs that play a random move, the same one for the same turn.
async fn think(mut turns: UnboundedReceiver<TurnRequest>, registry: Registry, mut random: fastrand::Rng) {
    while let Some(TurnRequest { table, epoch, turn, stop }) = turns.recv().await {
        let (registry, time) = (registry.clone(), Duration::from_millis(random.u64(0..=THINKING_MS)));
        tokio::spawn(async move {
            sleep(time).await;
            if stop.is_cancelled() {
                return;
            }
            let moves = turn.game.legal_moves();
            let text = moves[turn.program.seed as usize % moves.len()].clone();
            let thought = Thought {
                chosen: text,
                candidates: Vec::new(),
                score: None,
                line: Vec::new(),
                reasons: Vec::new(),
                nodes: 0,
                depth: None,
            };
            registry.send_if_open(
                &table,
                Message::Thought { epoch, waited: Duration::ZERO, result: Ok(thought) },
            );
        });
    }
}
