//! A connected client: limits its events, parses them, and passes them on in the order in which they arrived.

use std::{
    collections::{HashMap, HashSet},
    num::NonZeroU32,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use parking_lot::Mutex;
use play::{EventSink, Responder};
use protocol::{ApiError, Command, Done, ErrorCode, Paired, Request};
use serde::{Deserialize, de::IgnoredAny};
use serde_json::value::RawValue;
use socketio::{AckSender, Session};
use store::{metrics::METRICS, task};

use super::{
    SocketPeer,
    analysis::{self, ANALYSIS_TIME, Analysis, Work},
};
use crate::{auth::Principal, transport::AppState};

/// Tables that one client may join.
const MAX_TABLES: usize = 64;
/// Minimum time between two updates about a tournament.
const TOURNAMENT_INTERVAL: Duration = Duration::from_millis(500);
/// Tournaments that one client may follow.
const MAX_TOURNAMENTS: usize = 8;
/// Events over the rate limit after which a client is disconnected.
const MAX_VIOLATIONS: u32 = 200;

/// A connected client.
pub(super) struct Connection {
    peer: Arc<SocketPeer>,
    session: Arc<Session>,
    id: u64,
    principal: Arc<Principal>,
    /// The login session or token that the client connected with.
    login: Option<String>,
    is_disconnected: AtomicBool,
    tables: Mutex<HashSet<String>>,
    /// Work that ends with the connection.
    analysis: Mutex<Option<Work>>,
    thinking: Mutex<HashMap<String, Work>>,
    seek: Mutex<Option<Work>>,
    tournaments: Mutex<HashMap<String, Work>>,
}

/// Cost of an event in messages: some events start work, or the response is a whole table.
fn cost(event: &str) -> NonZeroU32 {
    const START: NonZeroU32 = NonZeroU32::new(4).unwrap();
    const SEEK: NonZeroU32 = NonZeroU32::new(10).unwrap();
    match event {
        "join" | "think" | "analyse" | "watch-tournament" => START,
        "seek" => SEEK,
        _ => NonZeroU32::MIN,
    }
}

/// Parses an event into its name and the JSON of its fields. The payload is an array of the name and usually
/// one object. `None` if the payload is not JSON.
fn parse(payload: &str) -> Option<Result<(&str, &str), ApiError>> {
    #[derive(Deserialize)]
    struct Parts<'a>(&'a str, #[serde(borrow, default)] Option<&'a RawValue>);
    match serde_json::from_str(payload) {
        Ok(Parts(name, fields)) => Some(Ok((name, fields.map_or("null", RawValue::get)))),
        Err(_) if payload.starts_with("[\"") && serde_json::from_str::<IgnoredAny>(payload).is_ok() => {
            Some(Err(ErrorCode::BadMessage.because("expected a message with a name and an object")))
        }
        Err(_) => None,
    }
}

impl socketio::Connection for Connection {
    fn connected(&self) {
        let state = self.state();
        state.connections.add_socket(self.id, self.login.clone(), self.session.clone());
        METRICS.sockets.inc();
    }

    fn event(self: Arc<Self>, payload: &str, ack: AckSender) -> bool {
        let Some(event) = parse(payload) else { return false };
        self.handle(event, Responder::Ack(ack, Instant::now()));
        true
    }

    fn binary_event(self: Arc<Self>, ack: AckSender) {
        let error = ErrorCode::BadMessage.because("binary attachments are not supported");
        self.handle(Err(error), Responder::Ack(ack, Instant::now()));
    }

    fn disconnected(&self) {
        self.is_disconnected.store(true, Ordering::Relaxed);
        let state = self.state();
        if state.connections.remove_socket(self.id) {
            METRICS.sockets.dec();
        }
        let tables = std::mem::take(&mut *self.tables.lock());
        for table in tables {
            state.tables.leave(&table, self.id);
        }
        self.analysis.lock().take();
        self.seek.lock().take();
        self.thinking.lock().clear();
        self.tournaments.lock().clear();
    }
}

impl Connection {
    pub(super) fn new(
        peer: Arc<SocketPeer>,
        session: Arc<Session>,
        principal: Arc<Principal>,
        login: Option<String>,
    ) -> Self {
        Self {
            id: peer.state.tables.new_sink_id(),
            peer,
            session,
            principal,
            login,
            is_disconnected: AtomicBool::new(false),
            tables: Mutex::default(),
            analysis: Mutex::default(),
            thinking: Mutex::default(),
            seek: Mutex::default(),
            tournaments: Mutex::default(),
        }
    }

    fn state(&self) -> &Arc<AppState> {
        &self.peer.state
    }

    fn handle(&self, event: Result<(&str, &str), ApiError>, responder: Responder) {
        if self.state().operations.check(self.peer.client.address, &self.principal.ids).is_err() {
            return self.session.close();
        }
        let name = event.as_ref().map_or("", |(name, _)| name);
        if !self.peer.messages.check(cost(name)) {
            if self.peer.add_violation() > MAX_VIOLATIONS {
                return self.session.close();
            }
            return responder
                .send(Err(ErrorCode::TooFast.because("too many messages; wait a little and try again")));
        }
        let (name, fields) = match event {
            Ok(event) => event,
            Err(error) => return responder.send(Err(error)),
        };
        if Command::NAMES.contains(&name) {
            match Command::read_with_table(name, fields) {
                Ok((table, command)) => {
                    let address = self.peer.client.address;
                    let operations = &self.state().operations;
                    if let Err(error) = operations.check_command(address, &self.principal, &command) {
                        return responder.send(Err(error));
                    }
                    let (principal, measured_lag_ms) = (self.principal.clone(), self.session.latency_ms());
                    let tables = &self.state().tables;
                    tables.send_command(&table, principal, command, measured_lag_ms, responder);
                }
                Err(error) => responder.send(Err(error)),
            }
            return;
        }
        match Request::read(name, fields) {
            Ok(request) => self.request(request, responder),
            Err(error) => responder.send(Err(error)),
        }
        if self.is_disconnected.load(Ordering::Relaxed) {
            // Another thread disconnected the client meanwhile; work that was just started ends, too.
            socketio::Connection::disconnected(self);
        }
    }

    fn request(&self, request: Request, responder: Responder) {
        match request {
            Request::Join { table, seen, view } => self.join(table, seen, view, responder),
            Request::Leave { table } => {
                self.tables.lock().remove(&table);
                self.thinking.lock().remove(&table);
                self.state().tables.leave(&table, self.id);
                responder.send(Ok(Done::new()));
            }
            Request::Think { table, on } => self.think(table, on, responder),
            Request::WatchTournament { id } => self.watch_tournament(id, responder),
            Request::LeaveTournament { id } => {
                self.tournaments.lock().remove(&id);
                responder.send(Ok(Done::new()));
            }
            Request::Seek(seek) => {
                let (state, principal) = (self.state().clone(), self.principal.clone());
                let session = self.session.clone();
                // The acknowledgement says that the search continues; its result is an event.
                let work = async move {
                    let _is_open = match state.pairing.seek(&principal, seek).await {
                        Ok(table) => session.emit("paired", &Paired { table }),
                        Err(error) => session.emit("seek-ended", &error),
                    };
                };
                *self.seek.lock() = Some(Work::new(task::spawn(work)));
                responder.send(Ok(Done::new()));
            }
            Request::CancelSeek {} => {
                self.seek.lock().take();
                responder.send(Ok(Done::new()));
            }
            Request::Analyse { game, position, moves, lines } => {
                // The previous analysis ends first, so that its place in the pool is free.
                self.analysis.lock().take();
                let started = table::recorded_game(&game, position.as_deref(), &moves).map(|game| {
                    let principal = self.principal.clone();
                    let analysis = Analysis { table: None, principal, game, lines, time: ANALYSIS_TIME };
                    let work = analysis.spawn(self.state().clone(), self.session.clone());
                    *self.analysis.lock() = Some(work);
                    Done::new()
                });
                responder.send(started);
            }
            Request::StopAnalysis {} => {
                self.analysis.lock().take();
                responder.send(Ok(Done::new()));
            }
        }
    }

    fn join(&self, table: String, seen: Option<u64>, view: bool, responder: Responder) {
        let has_room = {
            let mut tables = self.tables.lock();
            let has_room = tables.len() < MAX_TABLES || tables.contains(&table);
            if has_room {
                tables.insert(table.clone());
            }
            has_room
        };
        if !has_room {
            return responder.send(Err(too_many_tables()));
        }
        self.session.measure_latency();
        let sink = EventSink::Socket { id: self.id, session: self.session.clone() };
        self.state().tables.join(&table, self.principal.clone(), sink, seen, view, responder);
        if self.is_disconnected.load(Ordering::Relaxed) {
            // The table may have received the Leave of the disconnect before this Join.
            self.state().tables.leave(&table, self.id);
        }
    }

    /// Sends a tournament now and after every change.
    fn watch_tournament(&self, id: String, responder: Responder) {
        let mut watched = self.tournaments.lock();
        watched.retain(|_, work| !work.is_finished());
        if watched.len() >= MAX_TOURNAMENTS && !watched.contains_key(&id) {
            let reason = format!("a connection can follow at most {MAX_TOURNAMENTS} tournaments");
            return responder.send(Err(ErrorCode::NotAllowed.because(reason)));
        }
        let (state, session, tournament) = (self.state().clone(), self.session.clone(), id.clone());
        let follow = async move {
            let mut view = match state.tournaments.watch(&tournament).await {
                Ok(view) => view,
                Err(error) => return responder.send(Err(error)),
            };
            responder.send(Ok(Done::new()));
            loop {
                let now = view.borrow_and_update().clone();
                if !session.emit("tournament", &*now) || view.changed().await.is_err() {
                    return;
                }
                // Changes until the next update are sent in one message.
                tokio::time::sleep(TOURNAMENT_INTERVAL).await;
            }
        };
        watched.insert(id, Work::new(task::spawn(follow)));
    }

    /// Starts or stops the analysis of a table's positions for this client.
    fn think(&self, table: String, on: bool, responder: Responder) {
        let has_room = {
            let mut thinking = self.thinking.lock();
            thinking.remove(&table);
            thinking.retain(|_, work| !work.is_finished());
            thinking.len() < MAX_TABLES
        };
        if !on {
            return responder.send(Ok(Done::new()));
        }
        if !has_room {
            return responder.send(Err(too_many_tables()));
        }
        let (sender, started) = tokio::sync::oneshot::channel();
        let (state, principal) = (self.state().clone(), self.principal.clone());
        let follow = analysis::follow(state, principal, self.session.clone(), table.clone(), sender);
        self.thinking.lock().insert(table, Work::new(task::spawn(follow)));
        task::spawn(async move {
            let stopped = || Err(ErrorCode::Unavailable.because("the server is stopping"));
            responder.send(started.await.unwrap_or_else(|_| stopped()));
        });
    }
}

fn too_many_tables() -> ApiError {
    ErrorCode::NotAllowed.because(format!("a connection can join at most {MAX_TABLES} tables"))
}
