//! What clients say over Socket.IO: a thin edge that bounds it, reads it, and hands it on in the order in which it came.

use std::{
    collections::{HashMap, HashSet},
    sync::{
        Arc, Mutex, MutexGuard,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use players::Stop;
use protocol::{
    ApiError, Command, Done, ErrorCode, Event, Info, Occupant, Paired, Request, Snapshot, Status, TableUpdate,
};
use rules::AnyGame;
use serde::{Deserialize, de::IgnoredAny};
use serde_json::value::RawValue;
use tokio::{sync::mpsc, task::AbortHandle};
use tokio_util::sync::CancellationToken;

use crate::{
    app::App,
    auth::Principal,
    socketio::Wire,
    table::{Message, Outlet, Reply},
    transport::http::identify,
};

/// At how many tables one client may be.
const MOST_TABLES: usize = 64;
/// How often a client may be told that it is too fast before it is cut off.
const WARNINGS: u32 = 200;
const LONGEST_MOVES: usize = 8 << 10;
const ANALYSIS_TIME: Duration = Duration::from_secs(30);
/// How long the position of a table is looked at for those who want to hear.
const THINKING_TIME: Duration = Duration::from_secs(5);

/// Who is connected to this node.
#[derive(Clone, Default)]
pub struct Sockets(Arc<Mutex<Connections>>);

/// By their numbers, with the session that each was opened with.
type Connections = HashMap<u64, (Option<String>, Connected)>;

/// How somebody is connected.
#[derive(Clone)]
enum Connected {
    Socket(Arc<Wire>),
    /// A program that reads a stream.
    Stream(CancellationToken),
}

impl Connected {
    fn end(&self) {
        match self {
            Self::Socket(wire) => wire.cut_off(),
            Self::Stream(token) => token.cancel(),
        }
    }
}

/// Somebody who reads a stream, for as long as this lives.
pub(crate) struct Reader {
    sockets: Sockets,
    id: u64,
    ended: CancellationToken,
}

impl Reader {
    /// Waits until the session ends that opened the stream.
    pub(crate) async fn sent_away(&self) {
        self.ended.cancelled().await;
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.sockets.lock().remove(&self.id);
    }
}

impl Sockets {
    fn lock(&self) -> MutexGuard<'_, Connections> {
        self.0.lock().expect("no one panics with it")
    }

    /// Notes that somebody reads a stream, under a number that no other outlet has.
    pub(crate) fn read(&self, id: u64, session: Option<String>) -> Reader {
        let ended = CancellationToken::new();
        self.lock().insert(id, (session, Connected::Stream(ended.clone())));
        Reader { sockets: self.clone(), id, ended }
    }

    /// The sessions that somebody is connected with.
    pub(crate) fn sessions(&self) -> Vec<String> {
        let sessions: HashSet<_> = self.lock().values().filter_map(|(session, _)| session.clone()).collect();
        sessions.into_iter().collect()
    }

    /// Ends the connections of a session that was ended.
    pub(crate) fn close_session(&self, ended: &str) {
        let of_session: Vec<_> = {
            let connected = self.lock();
            let of_session = connected.values().filter(|(session, _)| session.as_deref() == Some(ended));
            of_session.map(|(_, connected)| connected.clone()).collect()
        };
        of_session.iter().for_each(Connected::end);
    }

    /// Says goodbye to everyone.
    pub(crate) fn close_all(&self) {
        let connected: Vec<_> = self.lock().values().map(|(_, connected)| connected.clone()).collect();
        for connected in connected {
            match connected {
                // Who cannot be told notices soon enough.
                Connected::Socket(wire) => drop(wire.tell("closing", &())),
                Connected::Stream(token) => token.cancel(),
            }
        }
    }
}

/// A client that has said hello.
pub(crate) struct Connection {
    app: Arc<App>,
    id: u64,
    who: Arc<Principal>,
    session: Option<String>,
    wire: Arc<Wire>,
    has_left: AtomicBool,
    tables: Mutex<HashSet<String>>,
    /// What goes on for this client and ends with it.
    analysis: Mutex<Option<Going>>,
    thinking: Mutex<HashMap<String, Going>>,
    seek: Mutex<Option<Going>>,
}

/// A task that ends when nobody holds this any more.
struct Going(AbortHandle, Stop);

impl Drop for Going {
    fn drop(&mut self) {
        self.1.raise();
        self.0.abort();
    }
}

fn go(stop: Stop, work: impl Future<Output = ()> + Send + 'static) -> Going {
    Going(tokio::spawn(work).abort_handle(), stop)
}

/// What a message costs: most are small, but some are answered with a whole table or make others work.
fn cost(name: &str) -> f64 {
    match name {
        "join" | "think" | "analyse" => 4.0,
        "seek" => 10.0,
        _ => 1.0,
    }
}

/// The name of a message and the JSON of its fields, from a list of the name and, as a rule, one object. None if it is
/// no message at all.
fn parts(said: &str) -> Option<Result<(&str, &str), ApiError>> {
    #[derive(Deserialize)]
    struct Parts<'a>(&'a str, #[serde(borrow, default)] Option<&'a RawValue>);
    match serde_json::from_str(said) {
        Ok(Parts(name, fields)) => Some(Ok((name, fields.map_or("null", RawValue::get)))),
        Err(_) if said.starts_with("[\"") && serde_json::from_str::<IgnoredAny>(said).is_ok() => {
            Some(Err(ErrorCode::BadMessage.because("a message is a name and an object")))
        }
        Err(_) => None,
    }
}

impl Connection {
    /// Who says hello over a connection.
    pub(crate) async fn identify(app: &Arc<App>, wire: &Arc<Wire>) -> Result<Arc<Self>, ApiError> {
        let (identity, new_cookie) = identify(app, &wire.headers(), wire.client()).await?;
        if new_cookie.is_some() {
            // A socket cannot give a cookie that is kept, and nobody should lose a seat for want of one.
            return Err(ErrorCode::SignInFirst.because("ask /api/me for a cookie first"));
        }
        Ok(Arc::new(Self {
            app: app.clone(),
            id: app.tables.new_outlet(),
            who: Arc::new(Principal::from(&identity)),
            session: identity.session,
            wire: wire.clone(),
            has_left: AtomicBool::new(false),
            tables: Mutex::default(),
            analysis: Mutex::default(),
            thinking: Mutex::default(),
            seek: Mutex::default(),
        }))
    }

    pub(crate) fn enter(&self) {
        let connected = (self.session.clone(), Connected::Socket(self.wire.clone()));
        self.app.sockets.lock().insert(self.id, connected);
        metrics::gauge!("alinea_sockets").increment(1.0);
    }

    pub(crate) fn leave(&self) {
        self.has_left.store(true, Ordering::Relaxed);
        if self.app.sockets.lock().remove(&self.id).is_some() {
            metrics::gauge!("alinea_sockets").decrement(1.0);
        }
        let tables = std::mem::take(&mut *self.tables.lock().expect("no one panics with it"));
        for table in tables {
            self.app.tables.send_if_open(&table, Message::Leave { outlet: self.id });
        }
        for slot in [&self.analysis, &self.seek] {
            slot.lock().expect("no one panics with it").take();
        }
        self.thinking.lock().expect("no one panics with it").clear();
    }

    /// Takes a message; whatever takes time is done elsewhere. False if it makes no sense.
    pub(crate) fn hear(self: &Arc<Self>, id: Option<u64>, said: &str) -> bool {
        let Some(parts) = parts(said) else { return false };
        if !self.wire.is_cut() {
            self.hear_parts(parts, Reply::Ack(id, self.wire.clone()));
        }
        true
    }

    /// Takes a message that carries bytes, which none of ours does.
    pub(crate) fn hear_bytes(self: &Arc<Self>, id: Option<u64>) {
        let refusal = ErrorCode::BadMessage.because("a message carries no bytes");
        self.hear_parts(Err(refusal), Reply::Ack(id, self.wire.clone()));
    }

    fn hear_parts(self: &Arc<Self>, parts: Result<(&str, &str), ApiError>, reply: Reply) {
        let name = parts.as_ref().map_or("", |(name, _)| name);
        let (is_left, warnings) = {
            let config = &self.app.config;
            let mut bucket = self.wire.bucket();
            let is_left =
                bucket.take(cost(name), config.messages_per_second.into(), config.message_burst.into());
            bucket.warnings += u32::from(!is_left);
            (is_left, bucket.warnings)
        };
        if !is_left {
            if warnings > WARNINGS {
                return self.wire.cut_off();
            }
            return reply.send(Err(ErrorCode::TooFast.because("too many messages")));
        }
        let (name, fields) = match parts {
            Ok(parts) => parts,
            Err(refusal) => return reply.send(Err(refusal)),
        };
        if Command::NAMES.contains(&name) {
            match Command::read_with_table(name, fields) {
                Ok((table, command)) => {
                    let (who, measured_lag_ms) = (self.who.clone(), self.wire.lag_ms());
                    let message = Message::Command { who, command, measured_lag_ms, reply };
                    self.app.tables.send(&table, message);
                }
                Err(refusal) => reply.send(Err(refusal)),
            }
            return;
        }
        match Request::read(name, fields) {
            Ok(request) => self.answer(request, reply),
            Err(refusal) => reply.send(Err(refusal)),
        }
        if self.has_left.load(Ordering::Relaxed) {
            // Noted by another thread meanwhile; what was just begun ends, too.
            self.leave();
        }
    }

    fn answer(self: &Arc<Self>, request: Request, reply: Reply) {
        match request {
            Request::Join { table, seen, view } => {
                let is_room = {
                    let mut tables = self.tables.lock().expect("no one panics with it");
                    let is_room = tables.len() < MOST_TABLES || tables.contains(&table);
                    if is_room {
                        tables.insert(table.clone());
                    }
                    is_room
                };
                if !is_room {
                    return reply.send(Err(too_many_tables()));
                }
                self.wire.measure();
                let outlet = Outlet::Socket { id: self.id, wire: self.wire.clone() };
                let who = self.who.clone();
                self.app.tables.send(&table, Message::Join { who, outlet, seen, view, reply });
                if self.has_left.load(Ordering::Relaxed) {
                    // Perhaps the table was told so before it was told of the coming.
                    self.app.tables.send_if_open(&table, Message::Leave { outlet: self.id });
                }
            }
            Request::Leave { table } => {
                self.tables.lock().expect("no one panics with it").remove(&table);
                self.thinking.lock().expect("no one panics with it").remove(&table);
                self.app.tables.send_if_open(&table, Message::Leave { outlet: self.id });
                reply.send(Ok(Done::new()));
            }
            Request::Think { table, on } => self.think(table, on, reply),
            Request::Seek(seek) => {
                let (app, who, wire) = (self.app.clone(), self.who.clone(), self.wire.clone());
                // The answer says that the search goes on; what comes of it is told later.
                let work = async move {
                    let found = app.pairing.seek(&who, seek);
                    let _is_there = match found.await {
                        Ok(table) => wire.tell("paired", &Paired { table }),
                        Err(refusal) => wire.tell("seek-ended", &refusal),
                    };
                };
                *self.seek.lock().expect("no one panics with it") = Some(go(Stop::default(), work));
                reply.send(Ok(Done::new()));
            }
            Request::CancelSeek {} => {
                self.seek.lock().expect("no one panics with it").take();
                reply.send(Ok(Done::new()));
            }
            Request::Analyse { game, position, moves, lines } => {
                // The one before ends first, so that its place is free.
                self.analysis.lock().expect("no one panics with it").take();
                let going = position_of(&game, position.as_deref(), &moves).map(|game| {
                    let stop = Stop::default();
                    let ply = game.moves().len() as u32;
                    let work = stream(
                        self.app.clone(),
                        self.wire.clone(),
                        None,
                        ply,
                        game,
                        lines,
                        ANALYSIS_TIME,
                        stop.clone(),
                    );
                    go(stop, work)
                });
                let done = going.map(|going| {
                    *self.analysis.lock().expect("no one panics with it") = Some(going);
                    Done::new()
                });
                reply.send(done);
            }
            Request::StopAnalysis {} => {
                self.analysis.lock().expect("no one panics with it").take();
                reply.send(Ok(Done::new()));
            }
        }
    }

    /// Lets the client hear what the positions of a table are worth, or no longer.
    fn think(&self, table: String, on: bool, reply: Reply) {
        let is_room = {
            let mut thinking = self.thinking.lock().expect("no one panics with it");
            thinking.remove(&table);
            thinking.retain(|_, going| !going.0.is_finished());
            thinking.len() < MOST_TABLES
        };
        if !on {
            return reply.send(Ok(Done::new()));
        }
        if !is_room {
            return reply.send(Err(too_many_tables()));
        }
        let (sender, begun) = tokio::sync::oneshot::channel();
        let work = follow(self.app.clone(), self.who.clone(), self.wire.clone(), table.clone(), sender);
        let going = go(Stop::default(), work);
        self.thinking.lock().expect("no one panics with it").insert(table, going);
        tokio::spawn(async move {
            let stopped = || Err(ErrorCode::Unavailable.because("the server is stopping"));
            reply.send(begun.await.unwrap_or_else(|_| stopped()));
        });
    }
}

fn too_many_tables() -> ApiError {
    ErrorCode::NotAllowed.because("that is at too many tables at once")
}

/// A position that a client names.
pub(crate) fn position_of(game: &str, position: Option<&str>, moves: &str) -> Result<AnyGame, ApiError> {
    if moves.len() > LONGEST_MOVES {
        return Err(ErrorCode::BadMessage.because("too many moves"));
    }
    let mut game = table::start_game(game, position)?;
    game.play_all(moves).map_err(|error| ErrorCode::IllegalMove.because(error.to_string()))?;
    Ok(game)
}

/// Whether somebody may be helped at this table: not while they play against somebody else, nor for a rating.
fn may_be_helped(who: &Principal, seats: &[Occupant; 2], is_rated: bool) -> bool {
    let is_me = |occupant: &Occupant| who.ids.iter().any(|id| occupant.is(id));
    let is_harmless = |occupant: &Occupant| is_me(occupant) || occupant.is_program();
    !seats.iter().any(is_me) || !is_rated && seats.iter().all(is_harmless)
}

/// Analyses every position of a table for a client, as it comes.
async fn follow(
    app: Arc<App>,
    who: Arc<Principal>,
    wire: Arc<Wire>,
    table: String,
    begun: tokio::sync::oneshot::Sender<Result<Done, ApiError>>,
) {
    let begin = async {
        let (done, watch) = app.tables.watch(&table, &who, None).await?;
        let snapshot =
            done.snapshot.ok_or_else(|| ErrorCode::Unavailable.because("the table did not answer"))?;
        let Snapshot { seats, settings, status, .. } = &*snapshot;
        if *status != Status::Ended && !may_be_helped(&who, seats, settings.rated) {
            return Err(ErrorCode::NotAllowed.because("no help while you play against somebody"));
        }
        let moves: Vec<&str> = snapshot.moves.iter().map(|made| made.text.as_str()).collect();
        let game = position_of(&settings.game, settings.position.as_deref(), &moves.join(" "))?;
        Ok((watch, game, seats.clone(), settings.rated))
    };
    let (mut watch, mut game, mut seats, is_rated) = match begin.await {
        Ok(begin) => begin,
        Err(refusal) => return drop(begun.send(Err(refusal))),
    };
    if begun.send(Ok(Done::new())).is_err() {
        return;
    }
    loop {
        let stop = Stop::default();
        let ply = game.moves().len() as u32;
        let name = Some(table.clone());
        let work = stream(app.clone(), wire.clone(), name, ply, game.clone(), 1, THINKING_TIME, stop.clone());
        let _going = go(stop, work);
        // Until the position changes.
        loop {
            let Some(news) = watch.next().await else { return };
            match &*news {
                TableUpdate::Move(made) => {
                    if game.play(&made.text).is_err() {
                        return;
                    }
                    break;
                }
                TableUpdate::Event(told) => match &told.event {
                    Event::TakenBack { ply, .. } => {
                        while game.moves().len() > *ply as usize {
                            game.take_back();
                        }
                        break;
                    }
                    Event::Seated { side, occupant } => {
                        seats[side.index()] = occupant.clone();
                        if !may_be_helped(&who, &seats, is_rated) {
                            return;
                        }
                    }
                    _ => {}
                },
            }
        }
    }
}

/// Analyses a position and sends what comes of it.
#[expect(clippy::too_many_arguments, reason = "one call, in two places, with what it is all about")]
async fn stream(
    app: Arc<App>,
    wire: Arc<Wire>,
    table: Option<String>,
    ply: u32,
    game: AnyGame,
    lines: usize,
    time: Duration,
    stop: Stop,
) {
    let (words, mut told) = mpsc::unbounded_channel();
    let analysis = app.programs.analyse(game, lines, time, stop, words);
    tokio::pin!(analysis);
    let info_of = |info| Info::new(table.clone(), ply, info);
    loop {
        tokio::select! {
            biased;
            Some(info) = told.recv() => if !wire.tell("info", &info_of(info)) { return },
            done = &mut analysis => {
                match done {
                    Ok((info, thought)) => {
                        let thought = thought.map(Box::new);
                        wire.tell("info", &Info { done: true, thought, ..info_of(info) })
                    }
                    Err(refusal) => wire.tell("analysis-ended", &refusal),
                };
                return;
            }
        }
    }
}
