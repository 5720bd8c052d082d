//! The door for Socket.IO: a thin edge that bounds what a client sends, reads it, and hands it on in order. Packets are
//! handled as they are read, so that those of one client keep their order.

use std::{
    collections::{HashMap, HashSet},
    future::ready,
    sync::{
        Arc, Mutex, MutexGuard,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use players::{Stop, analysis};
use protocol::{
    Code, Command, Done, Event, Happened, Info, InfoLine, Paired, Proven, Refusal, Request, Sitter, Snapshot,
    Status,
};
use rules::AnyGame;
use serde::Deserialize;
use serde_json::{Value, value::RawValue};
use socketioxide::{
    SocketIo,
    adapter::LocalAdapter,
    extract::SocketRef,
    handler::{self as packet, ConnectHandler, DisconnectHandler, MessageHandler},
    layer::SocketIoLayer,
    socket::{DisconnectReason, Socket},
};
use tokio::{sync::mpsc, task::AbortHandle};
use tokio_util::sync::CancellationToken;

use crate::{
    app::App,
    http::{Client, identify},
    outlet::{Outlet, Reply},
    state::{self},
    table::Message,
    who::Who,
    wire::{Ack, Wire, cut_off, tell},
};

/// A client that answers no ping for so long is gone; so is one that does not read.
const PING_EVERY: Duration = Duration::from_secs(10);
const PING_PATIENCE: Duration = Duration::from_secs(5);
/// No message of ours is nearly as long.
const LONGEST_MESSAGE: usize = 16 << 10;
/// Most messages of a client are far shorter; a longer one is read in parts.
const USUAL_MESSAGE: usize = 1 << 10;
/// So many messages may wait for a client that reads slowly.
const WAITING_MESSAGES: usize = 128;
/// How often the way to a client is measured.
const PULSE: Duration = Duration::from_secs(20);
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
    Socket(SocketRef),
    /// A program that reads a stream.
    Stream(CancellationToken),
}

impl Connected {
    fn end(&self) {
        match self {
            Self::Socket(socket) => cut_off(socket),
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
                Connected::Socket(socket) => drop(tell(&socket, "closing", &())),
                Connected::Stream(token) => token.cancel(),
            }
        }
    }
}

/// One client.
struct Connection {
    app: Arc<App>,
    id: u64,
    who: Arc<Who>,
    wire: Arc<Wire>,
    has_left: AtomicBool,
    tables: Mutex<HashSet<String>>,
    lag_ms: AtomicU64,
    /// What goes on for this client and ends with it.
    analysis: Mutex<Option<Going>>,
    thinking: Mutex<HashMap<String, Going>>,
    seek: Mutex<Option<Going>>,
    pulse: Mutex<Option<Going>>,
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

/// The door, to be put around the other routes.
pub(crate) fn layer(app: Arc<App>) -> SocketIoLayer {
    let (layer, io) = SocketIo::builder()
        .ping_interval(PING_EVERY)
        .ping_timeout(PING_PATIENCE)
        .max_payload(LONGEST_MESSAGE as u64)
        .max_buffer_size(WAITING_MESSAGES)
        .ws_read_buffer_size(USUAL_MESSAGE)
        .ws_max_message_size(LONGEST_MESSAGE)
        .ws_max_frame_size(LONGEST_MESSAGE)
        .build_layer();
    let identify = {
        let app = app.clone();
        move |socket: SocketRef| {
            let app = app.clone();
            async move {
                let parts = socket.req_parts();
                if Wire::of(&socket).is_none_or(|wire| wire.is_cut()) {
                    return Err(Refused(Code::TooFast.because("connect anew")));
                }
                let client = parts.extensions.get::<Client>().copied().unwrap_or(Client::UNKNOWN);
                let (identity, new_cookie) = identify(&app, &parts.headers, client).await?;
                if new_cookie.is_some() {
                    // A socket cannot give a cookie that is kept, and nobody should lose a seat for want of one.
                    return Err(Refused(Code::SignInFirst.because("ask /api/me for a cookie first")));
                }
                receive(&app, &socket, Who::from(&identity));
                Ok::<_, Refused>(())
            }
        }
    };
    let welcome = |socket: SocketRef| {
        if let Some(connection) = socket.extensions.get::<Arc<Connection>>() {
            connection.enter(socket);
        }
        ready(())
    };
    io.ns("/", welcome.with(identify));
    layer
}

/// Why a client may not connect.
#[derive(Debug, thiserror::Error)]
#[error("{}", .0.message)]
struct Refused(Refusal);

impl From<Refusal> for Refused {
    fn from(refusal: Refusal) -> Self {
        Self(refusal)
    }
}

/// Hears what a client says from now on, before it is welcomed: it may answer the welcome, or leave, at once.
fn receive(app: &Arc<App>, socket: &SocketRef, who: Who) {
    let Some(wire) = Wire::of(socket) else { return };
    let connection = Arc::new(Connection {
        app: app.clone(),
        id: app.tables.new_outlet(),
        who: Arc::new(who),
        wire: wire.clone(),
        has_left: AtomicBool::new(false),
        tables: Mutex::default(),
        lag_ms: AtomicU64::new(0),
        analysis: Mutex::default(),
        thinking: Mutex::default(),
        seek: Mutex::default(),
        pulse: Mutex::default(),
    });
    socket.on_fallback(Listener(connection.clone()));
    socket.on_disconnect(Listener(connection.clone()));
    socket.extensions.insert(connection);
}

/// Takes what the library tells at once, in the order in which it came. A function would be asked for something to do in
/// a task of its own, one for every message; and a client that left would be forgotten only by such a task, so that one
/// who enters again over the same connection before it has run would be ignored.
struct Listener(Arc<Connection>);

impl MessageHandler<LocalAdapter, ()> for Listener {
    fn call(&self, socket: Arc<Socket<LocalAdapter>>, said: packet::Value, id: Option<i64>) {
        self.0.hear(&said, Ack::new(socket, id));
    }
}

impl DisconnectHandler<LocalAdapter, ()> for Listener {
    fn call_with_defer(
        &self,
        socket: Arc<Socket<LocalAdapter>>,
        _: DisconnectReason,
        forget: fn(Arc<Socket<LocalAdapter>>),
    ) {
        self.0.leave();
        forget(socket);
    }
}

/// The name of a message and the JSON of its fields. It came as a list of the name and, as a rule, one object.
fn parts(said: &packet::Value) -> Result<(&str, &str), Refusal> {
    #[derive(Deserialize)]
    struct Parts<'a>(&'a str, #[serde(borrow, default)] Option<&'a RawValue>);
    let bad = || Code::BadMessage.because("a message is a name and an object");
    let packet::Value::Str(text, _) = said else { return Err(bad()) };
    let Parts(name, fields) = serde_json::from_str(text).map_err(|_| bad())?;
    Ok((name, fields.map_or("null", RawValue::get)))
}

impl Connection {
    fn enter(&self, socket: SocketRef) {
        let mut connected = self.app.sockets.lock();
        // Under the same lock as in `leave`, so that nobody enters who has left already.
        if !self.has_left.load(Ordering::Relaxed) {
            connected.insert(self.id, (self.who.session.clone(), Connected::Socket(socket)));
            metrics::gauge!("alinea_sockets").increment(1.0);
        }
    }

    fn leave(&self) {
        {
            let mut connected = self.app.sockets.lock();
            self.has_left.store(true, Ordering::Relaxed);
            if connected.remove(&self.id).is_some() {
                metrics::gauge!("alinea_sockets").decrement(1.0);
            }
        }
        let tables = std::mem::take(&mut *self.tables.lock().expect("no one panics with it"));
        for table in tables {
            self.app.tables.send_if_open(&table, Message::Leave { outlet: self.id });
        }
        for slot in [&self.analysis, &self.seek, &self.pulse] {
            slot.lock().expect("no one panics with it").take();
        }
        self.thinking.lock().expect("no one panics with it").clear();
    }

    /// Takes a message; whatever takes time is done elsewhere.
    fn hear(self: &Arc<Self>, said: &packet::Value, ack: Ack) {
        if self.wire.is_cut() {
            return;
        }
        let socket = ack.socket().clone();
        let reply = Reply::Ack(ack, self.wire.clone());
        let parts = parts(said);
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
                return cut_off(&socket);
            }
            return reply.send(Err(Code::TooFast.because("too many messages")));
        }
        let (name, fields) = match parts {
            Ok(parts) => parts,
            Err(refusal) => return reply.send(Err(refusal)),
        };
        if Command::NAMES.contains(&name) {
            match Command::read_with_table(name, fields) {
                Ok((table, command)) => {
                    let (who, measured_lag_ms) = (self.who.clone(), self.lag_ms.load(Ordering::Relaxed));
                    let message = Message::Command { who, command, measured_lag_ms, reply };
                    self.app.tables.send(&table, message);
                }
                Err(refusal) => reply.send(Err(refusal)),
            }
            return;
        }
        match Request::read(name, fields) {
            Ok(request) => self.answer(&socket, request, reply),
            Err(refusal) => reply.send(Err(refusal)),
        }
        if self.has_left.load(Ordering::Relaxed) {
            // Noted by another thread meanwhile; what was just begun ends, too.
            self.leave();
        }
    }

    fn answer(self: &Arc<Self>, socket: &SocketRef, request: Request, reply: Reply) {
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
                self.measure(socket);
                let (socket, wire) = (socket.clone(), self.wire.clone());
                let outlet = Outlet::Socket { id: self.id, socket, wire };
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
            Request::Think { table, on } => self.think(socket, table, on, reply),
            Request::Seek(seek) => {
                let (app, who, socket) = (self.app.clone(), self.who.clone(), socket.clone());
                // The answer says that the search goes on; what comes of it is told later.
                let work = async move {
                    let found = app.pairing.seek(&who, seek);
                    let _is_there = match found.await {
                        Ok(table) => tell(&socket, "paired", &Paired { table }),
                        Err(refusal) => tell(&socket, "seek-ended", &refusal),
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
                        socket.clone(),
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

    /// Measures from time to time how long the way to the client takes.
    fn measure(self: &Arc<Self>, socket: &SocketRef) {
        let mut pulse = self.pulse.lock().expect("no one panics with it");
        if pulse.is_some() {
            return;
        }
        let (connection, socket) = (Arc::downgrade(self), socket.clone());
        let work = async move {
            loop {
                let start = Instant::now();
                // What cannot be sent now is sent the next time; the task ends with the connection.
                if let Ok(answer) = socket.emit_with_ack::<_, Value>("pulse", &())
                    && answer.await.is_ok()
                    && let Some(connection) = connection.upgrade()
                {
                    let lag = start.elapsed().as_millis() as u64;
                    connection.lag_ms.store(lag, Ordering::Relaxed);
                }
                tokio::time::sleep(PULSE).await;
            }
        };
        *pulse = Some(go(Stop::default(), work));
    }

    /// Lets the client hear what the positions of a table are worth, or no longer.
    fn think(&self, socket: &SocketRef, table: String, on: bool, reply: Reply) {
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
        let work = follow(self.app.clone(), self.who.clone(), socket.clone(), table.clone(), sender);
        let going = go(Stop::default(), work);
        self.thinking.lock().expect("no one panics with it").insert(table, going);
        tokio::spawn(async move {
            let stopped = || Err(Code::Unavailable.because("the server is stopping"));
            reply.send(begun.await.unwrap_or_else(|_| stopped()));
        });
    }
}

fn too_many_tables() -> Refusal {
    Code::NotAllowed.because("that is at too many tables at once")
}

/// A position that a client names.
pub(crate) fn position_of(game: &str, position: Option<&str>, moves: &str) -> Result<AnyGame, Refusal> {
    if moves.len() > LONGEST_MOVES {
        return Err(Code::BadMessage.because("too many moves"));
    }
    let mut game = state::begin(game, position)?;
    game.play_all(moves).map_err(|error| Code::IllegalMove.because(error.to_string()))?;
    Ok(game)
}

/// Whether somebody may be helped at this table: not while they play against somebody else, nor for a rating.
fn may_be_helped(who: &Who, seats: &[Sitter; 2], is_rated: bool) -> bool {
    let is_me = |sitter: &Sitter| who.ids.iter().any(|id| sitter.is(id));
    let is_harmless = |sitter: &Sitter| is_me(sitter) || sitter.is_program();
    !seats.iter().any(is_me) || !is_rated && seats.iter().all(is_harmless)
}

/// Analyses every position of a table for a client, as it comes.
async fn follow(
    app: Arc<App>,
    who: Arc<Who>,
    socket: SocketRef,
    table: String,
    begun: tokio::sync::oneshot::Sender<Result<Done, Refusal>>,
) {
    let begin = async {
        let (done, watch) = app.tables.watch(&table, &who, None).await?;
        let snapshot = done.snapshot.ok_or_else(|| Code::Unavailable.because("the table did not answer"))?;
        let Snapshot { seats, settings, status, .. } = &*snapshot;
        if *status != Status::Ended && !may_be_helped(&who, seats, settings.rated) {
            return Err(Code::NotAllowed.because("no help while you play against somebody"));
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
        let work =
            stream(app.clone(), socket.clone(), name, ply, game.clone(), 1, THINKING_TIME, stop.clone());
        let _going = go(stop, work);
        // Until the position changes.
        loop {
            let Some(news) = watch.next().await else { return };
            match &*news {
                Happened::Move(made) => {
                    if game.play(&made.text).is_err() {
                        return;
                    }
                    break;
                }
                Happened::Event(told) => match &told.event {
                    Event::TakenBack { ply, .. } => {
                        while game.moves().len() > *ply as usize {
                            game.take_back();
                        }
                        break;
                    }
                    Event::Seated { side, sitter } => {
                        seats[side.index()] = sitter.clone();
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
    socket: SocketRef,
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
    let send = |info: analysis::Info, thought: Option<Value>| {
        let done = thought.is_some();
        let info = Info { thought, ..info_of(table.clone(), ply, info, done) };
        tell(&socket, "info", &info)
    };
    loop {
        tokio::select! {
            biased;
            Some(info) = told.recv() => if !send(info, None) { return },
            done = &mut analysis => {
                match done {
                    Ok((info, thought)) => send(info, Some(thought)),
                    Err(refusal) => tell(&socket, "analysis-ended", &refusal),
                };
                return;
            }
        }
    }
}

/// An analysis as it is sent.
pub(crate) fn info_of(table: Option<String>, ply: u32, info: analysis::Info, done: bool) -> Info {
    let line = |line: analysis::Line| InfoLine {
        score: line.score,
        chance: line.chance,
        proven: line.proven.map(|proven| Proven {
            result: serde_json::to_value(proven.result)
                .ok()
                .and_then(|word| Some(word.as_str()?.to_owned()))
                .unwrap_or_default(),
            plies: proven.plies,
        }),
        moves: line.moves,
    };
    let analysis::Info { depth, nodes, time_ms, lines } = info;
    let lines = lines.into_iter().map(line).collect();
    Info { table, ply, depth, nodes, time_ms, lines, done, thought: None }
}
