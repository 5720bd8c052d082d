//! Simulated clients: two players and a spectator at a table. They reconnect to any server, repeat unacknowledged
//! commands, send commands twice or to two servers, and check every message.

use std::{sync::Arc, time::Duration};

use protocol::{ApiError, Command, Done, ErrorCode, Event, Status, TableUpdate};
use rules::{AnyGame, Side};
use table::Principal;
use tokio::time::{sleep, sleep_until, timeout};

use super::world::{Node, World};
use crate::table::Subscription;

/// How long a client waits for an answer before it tries another server.
const CLIENT_TIMEOUT: Duration = Duration::from_secs(7);
const RETRY_DELAY: Duration = Duration::from_millis(200);
/// Maximum thinking time of a player.
const THINKING_MS: u64 = 900;

pub(super) struct Player {
    world: Arc<World>,
    random: fastrand::Rng,
    table: String,
    principal: Arc<Principal>,
    /// None for a spectator.
    side: Option<Side>,
    /// Number of moves after which the player stops moving.
    moves_until: usize,
    start: AnyGame,
    /// The last version seen.
    seen: u64,
    moves: Vec<String>,
    is_over: bool,
    /// A move that was sent but not acknowledged.
    pending: Option<(u32, String)>,
}

/// A client at a node.
struct Session {
    node: Arc<Node>,
    updates: Subscription,
}

impl Player {
    pub(super) fn new(
        world: &Arc<World>,
        table: &str,
        principal: Arc<Principal>,
        side: Option<Side>,
        start: AnyGame,
        moves_until: usize,
    ) -> Self {
        Self {
            random: world.fork_random(),
            world: world.clone(),
            table: table.to_owned(),
            principal,
            side,
            moves_until,
            start,
            seen: 0,
            moves: Vec::new(),
            is_over: false,
            pending: None,
        }
    }

    /// Plays or watches until the game is over.
    pub(super) async fn run(mut self) {
        while !self.is_over {
            let Some(mut session) = self.connect().await else {
                sleep(RETRY_DELAY).await;
                continue;
            };
            while !self.is_over && self.step(&mut session).await {}
        }
    }

    fn node(&mut self) -> Option<Arc<Node>> {
        let server = self.random.usize(0..self.world.servers());
        self.world.node(server)
    }

    fn violated(&self, what: &str) {
        let who = self.side.map_or_else(|| "the spectator".to_owned(), |side| format!("{side:?}"));
        self.world.violated(format!("{} to {who}: {what}", self.table));
    }

    async fn connect(&mut self) -> Option<Session> {
        let node = self.node()?;
        // Sometimes a client has forgotten everything.
        let seen = (self.seen > 0 && self.random.u8(..) > 50).then_some(self.seen);
        let joining = node.registry.subscribe(&self.table, &self.principal, seen, false);
        let (done, updates) = tokio::select! {
            biased;
            () = node.link.died() => return None,
            done = timeout(CLIENT_TIMEOUT, joining) => done.ok()?.map_err(|error| self.check_refused(&error)).ok()?,
        };
        self.world.count(|figures| figures.connections += 1);
        if let Some(snapshot) = &done.snapshot {
            if seen.is_some_and(|seen| snapshot.v < seen) {
                self.violated(&format!("a snapshot of version {} after version {}", snapshot.v, self.seen));
            }
            for (index, played) in snapshot.moves.iter().enumerate() {
                self.learn(index + 1, &played.text);
            }
            self.seen = snapshot.v;
            self.is_over = snapshot.status == Status::Ended;
        }
        for update in done.missed.iter().flatten() {
            self.handle(update);
        }
        Some(Session { node, updates })
    }

    /// Checks a refusal: a valid request may be refused only because the store is unavailable.
    fn check_refused(&self, error: &ApiError) {
        if error.code != ErrorCode::Unavailable {
            self.violated(&format!("refused: {error:?}"));
        }
    }

    /// Checks that every version arrives once and in order.
    fn handle(&mut self, update: &TableUpdate) {
        let version = match update {
            TableUpdate::Move(made) => made.v,
            TableUpdate::Event(update) => update.v,
        };
        if version != self.seen + 1 {
            self.violated(&format!("version {version} after {}", self.seen));
        }
        self.seen = version;
        match update {
            TableUpdate::Move(made) => self.learn(made.ply as usize, &made.text),
            TableUpdate::Event(update) => self.is_over |= matches!(update.event, Event::Ended { .. }),
        }
        self.world.count(|figures| figures.updates += 1);
    }

    fn learn(&mut self, ply: usize, text: &str) {
        match self.moves.get(ply - 1) {
            Some(known) if known == text => {}
            Some(known) => self.violated(&format!("move {ply} is {text} and was {known}")),
            None if self.moves.len() == ply - 1 => self.moves.push(text.to_owned()),
            None => self.violated(&format!("move {ply} after {}", self.moves.len())),
        }
    }

    /// Waits for the next update or makes a move; false if the connection is lost.
    async fn step(&mut self, session: &mut Session) -> bool {
        let mine = self.side.is_some_and(|side| self.moves.len() % 2 == side.index());
        let is_silent = self.moves.len() >= self.moves_until;
        if mine && is_silent {
            self.world.told(&self.table, |told| told.is_silent = true);
        }
        let think = Duration::from_millis(self.random.u64(0..=THINKING_MS));
        let wait = if mine && !is_silent { think } else { CLIENT_TIMEOUT };
        let at = tokio::time::Instant::now() + wait;
        let update = tokio::select! {
            biased;
            () = session.node.link.died() => return false,
            update = session.updates.next() => Some(update),
            () = sleep_until(at) => None,
        };
        match update {
            Some(Some(update)) => self.handle(&update),
            // The table was closed.
            Some(None) => return false,
            None if mine && !is_silent => return self.make_move(session).await,
            // Reconnects from time to time, also if nothing happens.
            None => return self.random.bool(),
        }
        self.random.u8(..) > 5
    }

    /// Sends a move until it is answered or the connection is lost; true if the session can continue.
    async fn make_move(&mut self, session: &Session) -> bool {
        let ply = self.moves.len() as u32 + 1;
        let text = match self.pending.take() {
            Some((pending, text)) if pending == ply => Some(text),
            _ => self.choose(),
        };
        // The last move arrives before the end of the game.
        let Some(text) = text else { return true };
        self.pending = Some((ply, text.clone()));
        let answer = if self.random.u8(..) < 40
            && let Some(other) = self.node()
        {
            // The same move or another one for the same ply, at the same time at another server.
            let second = if self.random.bool() { None } else { self.choose() };
            let second = second.unwrap_or_else(|| text.clone());
            let asked = (self.ask(&session.node, ply, &text), self.ask(&other, ply, &second));
            let (first, other) = tokio::join!(asked.0, asked.1);
            self.note(ply, &second, other.as_ref());
            first
        } else {
            self.ask(&session.node, ply, &text).await
        };
        self.note(ply, &text, answer.as_ref());
        match answer {
            None => false,
            Some(Ok(_)) => true,
            Some(Err(error)) => {
                sleep(RETRY_DELAY).await;
                error.code != ErrorCode::Unavailable
            }
        }
    }

    /// Chooses a legal move, if there is one.
    fn choose(&mut self) -> Option<String> {
        let mut game = self.start.clone();
        for text in &self.moves {
            game.play(text).expect("the log has legal moves");
        }
        let moves = game.legal_moves();
        self.random.choice(moves)
    }

    /// Sends a move; none if the connection is lost.
    async fn ask(&self, node: &Node, ply: u32, text: &str) -> Option<Result<Done, ApiError>> {
        self.world.count(|figures| figures.commands += 1);
        let command = Command::MakeMove { ply, text: text.to_owned(), lag_ms: 0, seen: None };
        tokio::select! {
            biased;
            () = node.link.died() => None,
            answer = timeout(CLIENT_TIMEOUT, node.registry.command(&self.table, &self.principal, command)) => answer.ok(),
        }
    }

    /// Records what the response promises.
    fn note(&self, ply: u32, text: &str, answer: Option<&Result<Done, ApiError>>) {
        let entry = (ply, text.to_owned());
        match answer {
            None => {}
            Some(Ok(done)) => {
                if done.ply != Some(ply) {
                    self.violated(&format!("move {ply} acknowledged as {:?}", done.ply));
                }
                self.world.count(|figures| figures.acknowledged += 1);
                self.world.told(&self.table, |told| told.acknowledged.push(entry));
            }
            Some(Err(error)) => match error.code {
                ErrorCode::StalePly => self.world.told(&self.table, |told| told.stale.push(entry)),
                ErrorCode::GameOver => self.world.told(&self.table, |told| told.over = true),
                _ => self.check_refused(error),
            },
        }
    }
}
