//! Principal is at a table, on this node and on others: the players, since when one of them has been away, and those who look
//! on. They hear the news of the table, and of each other.

use std::{sync::Arc, time::Duration};

use protocol::{Occupant, Presence, PresenceChanged};
use rules::Side;
use table::Principal;
use tokio::time::Instant;

use super::{
    registry::Tables,
    sink::{Outlet, Prepared},
};
use crate::now_ms;

/// How often the number of those who look on is told.
const COUNTING: Duration = Duration::from_secs(2);
/// So many are told something before others get their turn: thousands may look on, and other tables must not notice.
const CROWD: usize = 16;

/// Somebody at the table.
pub(crate) struct Guest {
    pub(crate) outlet: Outlet,
    pub(crate) who: Arc<Principal>,
    /// The sides they play.
    pub(crate) sides: Vec<Side>,
    /// Whether they want to see the board with the news.
    pub(crate) view: bool,
}

/// Another node where somebody is at the table.
struct Elsewhere {
    node: String,
    here: [bool; 2],
    watching: usize,
}

/// Those at one table. Programs, whose seats are given where it matters, are always there.
pub(crate) struct Company {
    table: String,
    tables: Tables,
    /// Players first, as they hear everything first.
    guests: Vec<Guest>,
    elsewhere: Vec<Elsewhere>,
    /// Since when nobody of a side has been there.
    away_since: [Option<u64>; 2],
    /// How many look on as it was told last, and when to tell it again.
    told_watching: usize,
    count_at: Option<Instant>,
}

impl Company {
    /// Nobody yet.
    pub(crate) fn new(table: String, tables: Tables) -> Self {
        let (guests, elsewhere) = (Vec::new(), Vec::new());
        let away_since = [Some(now_ms()); 2];
        Self { table, tables, guests, elsewhere, away_since, told_watching: 0, count_at: None }
    }

    /// Whether nobody is there on this node.
    pub(crate) fn is_empty(&self) -> bool {
        self.guests.is_empty()
    }

    /// Somebody comes, with all that is known of the table, or else with no more than what they missed.
    pub(crate) fn join(&mut self, guest: Guest, with_snapshot: bool, seats: &[Occupant; 2]) {
        let id = guest.outlet.id();
        self.guests.retain(|guest| guest.outlet.id() != id);
        let place = if guest.sides.is_empty() { self.guests.len() } else { 0 };
        self.guests.insert(place, guest);
        self.update_except(with_snapshot.then_some(id), seats);
        if !with_snapshot {
            // Principal is there is no part of what was missed.
            self.count_at.get_or_insert_with(|| Instant::now() + COUNTING);
        }
    }

    /// Somebody goes.
    pub(crate) fn leave(&mut self, outlet: u64, seats: &[Occupant; 2]) {
        self.guests.retain(|guest| guest.outlet.id() != outlet);
        self.update(seats);
    }

    /// Somebody has sat down.
    pub(crate) fn seat(&mut self, sides: impl Fn(&Principal) -> Vec<Side>) {
        for guest in &mut self.guests {
            guest.sides = sides(&guest.who);
        }
        self.guests.sort_by_key(|guest| guest.sides.is_empty());
    }

    /// Principal is there on another node, as it says; nobody if it is gone.
    pub(crate) fn hear_of(&mut self, node: String, there: Option<([bool; 2], usize)>, seats: &[Occupant; 2]) {
        self.elsewhere.retain(|other| other.node != node);
        self.elsewhere.extend(there.map(|(here, watching)| Elsewhere { node, here, watching }));
        self.update(seats);
    }

    /// Tells the other nodes who is here; with `ask` they answer likewise.
    pub(crate) fn tell_nodes(&self, ask: bool) {
        self.tables.tell_presence(&self.table, self.here_on_this_node(), self.watching_on_this_node(), ask);
    }

    /// Whether anybody wants to see the board with the news.
    pub(crate) fn wants_view(&self) -> bool {
        self.guests.iter().any(|guest| guest.view)
    }

    /// Tells everyone on this node what happened, with the board if they want to see it.
    pub(crate) async fn tell(&mut self, plain: &Prepared, view: Option<&Prepared>, seats: &[Occupant; 2]) {
        let mut gone = Vec::new();
        for (told, guest) in self.guests.iter().enumerate() {
            let news = view.filter(|_| guest.view).unwrap_or(plain);
            if !guest.outlet.send_happened(news) {
                gone.push(guest.outlet.id());
            }
            if told % CROWD == CROWD - 1 {
                tokio::task::yield_now().await;
            }
        }
        self.guests.retain(|guest| !gone.contains(&guest.outlet.id()));
        self.update(seats);
    }

    /// For how long nobody of each side has been there.
    pub(crate) fn away_ms(&self, now: u64) -> [Option<u64>; 2] {
        self.away_since.map(|since| since.map(|since| now.saturating_sub(since)))
    }

    pub(crate) fn presence(&self, seats: &[Occupant; 2]) -> Presence {
        let (now, grace) = (now_ms(), self.tables.config().grace_ms);
        Presence {
            here: self.here(seats),
            claim_ms: self.away_since.map(|since| Some((since? + grace).saturating_sub(now))),
            watching: self.watching(),
        }
    }

    /// When to call [`Company::count`], if ever.
    pub(crate) fn next_count(&self) -> Option<Instant> {
        self.count_at
    }

    /// Tells how many look on, if it is time to.
    pub(crate) fn count(&mut self, seats: &[Occupant; 2]) {
        if self.count_at.is_some_and(|at| at <= Instant::now()) {
            self.count_at = None;
            self.send_presence(None, seats);
        }
    }

    fn here_on_this_node(&self) -> [bool; 2] {
        Side::BOTH.map(|side| self.guests.iter().any(|guest| guest.sides.contains(&side)))
    }

    fn watching_on_this_node(&self) -> usize {
        self.guests.iter().filter(|guest| guest.sides.is_empty()).count()
    }

    fn watching(&self) -> usize {
        let elsewhere: usize = self.elsewhere.iter().map(|other| other.watching).sum();
        self.watching_on_this_node() + elsewhere
    }

    fn here(&self, seats: &[Occupant; 2]) -> [bool; 2] {
        let own = self.here_on_this_node();
        Side::BOTH.map(|side| {
            let i = side.index();
            own[i] || seats[i].is_program() || self.elsewhere.iter().any(|other| other.here[i])
        })
    }

    fn update(&mut self, seats: &[Occupant; 2]) {
        self.update_except(None, seats);
    }

    /// Notes who came and went, and tells players at once, the number of others from time to time; not who is told by
    /// a snapshot.
    fn update_except(&mut self, newcomer: Option<u64>, seats: &[Occupant; 2]) {
        let here = self.here(seats);
        let was_here = self.away_since.map(|since| since.is_none());
        if here == was_here {
            if self.watching() != self.told_watching {
                self.count_at.get_or_insert_with(|| Instant::now() + COUNTING);
            }
            return;
        }
        for i in 0..2 {
            if here[i] != was_here[i] {
                self.away_since[i] = (!here[i]).then(now_ms);
            }
        }
        self.tell_nodes(false);
        self.send_presence(newcomer, seats);
    }

    fn send_presence(&mut self, except: Option<u64>, seats: &[Occupant; 2]) {
        self.told_watching = self.watching();
        let message = PresenceChanged { table: self.table.clone(), presence: self.presence(seats) };
        self.guests
            .retain(|guest| Some(guest.outlet.id()) == except || guest.outlet.send("presence", &message));
    }
}
