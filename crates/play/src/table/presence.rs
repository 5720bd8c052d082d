//! Presence at a table, on this node and on others: players, how long each has been away, and spectators. They
//! receive the table's events and changes of presence.

use std::{sync::Arc, time::Duration};

use protocol::{Occupant, PresenceChanged};
use rules::Side;
use table::Principal;
use tokio::time::Instant;

use super::{
    registry::Registry,
    sink::{EncodedFrame, EventSink},
};

/// Minimum interval between updates of the number of spectators.
const PRESENCE_INTERVAL: Duration = Duration::from_secs(2);
/// Yields to the runtime after this many sends: a table may have thousands of spectators.
const FANOUT_BATCH: usize = 16;

/// A client at the table.
pub(super) struct Subscriber {
    pub(super) sink: EventSink,
    pub(super) principal: Arc<Principal>,
    /// The sides it plays.
    pub(super) sides: Vec<Side>,
    /// Whether it wants the board with each update.
    pub(super) view: bool,
}

/// The clients at the table on another node.
struct RemotePresence {
    node: String,
    here: [bool; 2],
    watching: usize,
}

/// The clients at one table. Programs are always present; methods that depend on this take the seats.
pub(super) struct Presence {
    table: String,
    registry: Registry,
    /// Players come first, so that they receive updates first.
    subscribers: Vec<Subscriber>,
    remote: Vec<RemotePresence>,
    /// When each side went away.
    away_since: [Option<u64>; 2],
    /// The number of spectators last sent, and when to send it again.
    sent_watching: usize,
    /// The number of spectators in the registry, for lists of tables.
    listed_watching: usize,
    send_at: Option<Instant>,
}

impl Presence {
    pub(super) fn new(table: String, registry: Registry) -> Self {
        let (subscribers, remote) = (Vec::new(), Vec::new());
        let away_since = [Some(registry.clock().now_ms()); 2];
        let (sent_watching, listed_watching, send_at) = (0, 0, None);
        Self { table, registry, subscribers, remote, away_since, sent_watching, listed_watching, send_at }
    }

    /// Whether no client of this node is at the table.
    pub(super) fn is_empty(&self) -> bool {
        self.subscribers.is_empty()
    }

    /// Whether there is a client at the table, on this node or another.
    pub(super) fn is_watched(&self) -> bool {
        let is_there = |remote: &RemotePresence| remote.watching > 0 || remote.here.contains(&true);
        !self.is_empty() || self.remote.iter().any(is_there)
    }

    /// The id of a client of this node at the table.
    pub(super) fn first_watching(&self) -> Option<&str> {
        self.subscribers.first().map(|subscriber| subscriber.principal.id())
    }

    /// Adds a subscriber, which is about to receive a snapshot or else only the updates that it missed.
    pub(super) fn join(&mut self, subscriber: Subscriber, with_snapshot: bool, seats: &[Occupant; 2]) {
        let id = subscriber.sink.id();
        self.subscribers.retain(|subscriber| subscriber.sink.id() != id);
        let place = if subscriber.sides.is_empty() { self.subscribers.len() } else { 0 };
        self.subscribers.insert(place, subscriber);
        self.update_except(with_snapshot.then_some(id), seats);
        if !with_snapshot {
            // Presence is not part of the updates that were missed.
            self.schedule();
        }
    }

    pub(super) fn leave(&mut self, sink: u64, seats: &[Occupant; 2]) {
        self.subscribers.retain(|subscriber| subscriber.sink.id() != sink);
        self.update(seats);
    }

    /// Recomputes who plays which side, after a seat was taken.
    pub(super) fn seat(&mut self, sides: impl Fn(&Principal) -> Vec<Side>) {
        for subscriber in &mut self.subscribers {
            subscriber.sides = sides(&subscriber.principal);
        }
        self.subscribers.sort_by_key(|subscriber| subscriber.sides.is_empty());
    }

    /// Sets the clients at the table on another node; `None` if that node is gone.
    pub(super) fn set_remote(
        &mut self,
        node: String,
        there: Option<([bool; 2], usize)>,
        seats: &[Occupant; 2],
    ) {
        self.remote.retain(|remote| remote.node != node);
        self.remote.extend(there.map(|(here, watching)| RemotePresence { node, here, watching }));
        self.update(seats);
    }

    /// Announces this node's presence to the other nodes; with `ask` they respond with theirs.
    pub(super) fn announce(&self, ask: bool) {
        self.registry.announce_presence(&self.table, self.local_players(), self.local_watching(), ask);
    }

    /// Whether a subscriber wants the board with each update.
    pub(super) fn wants_view(&self) -> bool {
        self.subscribers.iter().any(|subscriber| subscriber.view)
    }

    /// Sends an update to every subscriber, with the board to those who want it.
    pub(super) async fn broadcast(
        &mut self,
        plain: &EncodedFrame,
        with_view: Option<&EncodedFrame>,
        seats: &[Occupant; 2],
    ) {
        let mut closed = Vec::new();
        for (sent, subscriber) in self.subscribers.iter().enumerate() {
            let frame = with_view.filter(|_| subscriber.view).unwrap_or(plain);
            if !subscriber.sink.send_update(frame) {
                closed.push(subscriber.sink.id());
            }
            if sent % FANOUT_BATCH == FANOUT_BATCH - 1 {
                tokio::task::yield_now().await;
            }
        }
        self.subscribers.retain(|subscriber| !closed.contains(&subscriber.sink.id()));
        self.update(seats);
    }

    /// How long each side has been away, if it is.
    pub(super) fn away_ms(&self, now: u64) -> [Option<u64>; 2] {
        self.away_since.map(|since| since.map(|since| now.saturating_sub(since)))
    }

    /// Presence as clients receive it.
    pub(super) fn message(&self, seats: &[Occupant; 2]) -> protocol::Presence {
        let (now, grace) = (self.registry.clock().now_ms(), self.registry.config().grace_ms);
        protocol::Presence {
            here: self.players(seats),
            claim_ms: self.away_since.map(|since| Some((since? + grace).saturating_sub(now))),
            watching: self.watching(),
        }
    }

    /// When to call [`Presence::send_if_due`], if ever.
    pub(super) fn next_send(&self) -> Option<Instant> {
        self.send_at
    }

    /// Sends the number of spectators if it is due.
    pub(super) fn send_if_due(&mut self, seats: &[Occupant; 2]) {
        if self.send_at.is_some_and(|at| at <= self.registry.clock().instant()) {
            self.send_at = None;
            self.send(None, seats);
        }
    }

    fn schedule(&mut self) {
        let registry = &self.registry;
        self.send_at.get_or_insert_with(|| registry.clock().instant() + PRESENCE_INTERVAL);
    }

    fn local_players(&self) -> [bool; 2] {
        Side::BOTH.map(|side| self.subscribers.iter().any(|subscriber| subscriber.sides.contains(&side)))
    }

    fn local_watching(&self) -> usize {
        self.subscribers.iter().filter(|subscriber| subscriber.sides.is_empty()).count()
    }

    fn watching(&self) -> usize {
        let remote: usize = self.remote.iter().map(|remote| remote.watching).sum();
        self.local_watching() + remote
    }

    fn players(&self, seats: &[Occupant; 2]) -> [bool; 2] {
        let local = self.local_players();
        Side::BOTH.map(|side| {
            let i = side.index();
            local[i] || seats[i].is_program() || self.remote.iter().any(|remote| remote.here[i])
        })
    }

    fn update(&mut self, seats: &[Occupant; 2]) {
        self.update_except(None, seats);
    }

    /// Records arrivals and departures. A change of players is sent at once, except to a subscriber that is about to receive
    /// a snapshot; the number of spectators is sent at intervals.
    fn update_except(&mut self, newcomer: Option<u64>, seats: &[Occupant; 2]) {
        self.list_watching(self.watching());
        let here = self.players(seats);
        let was_here = self.away_since.map(|since| since.is_none());
        if here == was_here {
            if self.watching() != self.sent_watching {
                self.schedule();
            }
            return;
        }
        let now = self.registry.clock().now_ms();
        for i in 0..2 {
            if here[i] != was_here[i] {
                self.away_since[i] = (!here[i]).then_some(now);
            }
        }
        self.announce(false);
        self.send(newcomer, seats);
    }

    fn list_watching(&mut self, count: usize) {
        if count != self.listed_watching {
            self.registry.set_watching(&self.table, count);
            self.listed_watching = count;
        }
    }

    fn send(&mut self, except: Option<u64>, seats: &[Occupant; 2]) {
        self.sent_watching = self.watching();
        let message = PresenceChanged { table: self.table.clone(), presence: self.message(seats) };
        self.subscribers.retain(|subscriber| {
            Some(subscriber.sink.id()) == except || subscriber.sink.send("presence", &message)
        });
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        self.list_watching(0);
    }
}
