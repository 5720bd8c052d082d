//! The door for Socket.IO: a thin edge that bounds what a client sends, reads it, and hands it on in order. The
//! body of each handler runs as the packet is read, so that the packets of one client keep their order; the library
//! starts a task only for what the body returns.

use std::{
    collections::{HashMap, HashSet},
    future::ready,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use players::{Stop, analysis};
use protocol::{
    Code, Command, Done, Event, Happened, Info, InfoLine, Paired, Proven, Refusal, Request, Sitter, Snapshot,
    Status,
};
use rules::AnyGame;
use serde_json::Value;
use socketioxide::{
    SocketIo,
    extract::{AckSender, Event as Name, SocketRef, TryData},
    handler::ConnectHandler,
    layer::SocketIoLayer,
};
use tokio::{sync::mpsc, task::AbortHandle};

use crate::{
    app::App,
    http::{Client, identify},
    outlet::{Outlet, Reply, cut_off},
    state::{self},
    table::Message,
    who::Who,
};

/// A client that answers no ping for so long is gone; so is one that does not read.
const PING_EVERY: Duration = Duration::from_secs(10);
const PING_PATIENCE: Duration = Duration::from_secs(5);
/// No message of ours is nearly as long.
const LONGEST_MESSAGE: usize = 16 << 10;
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
#[derive(Default)]
pub struct Sockets(Mutex<HashMap<u64, (Option<String>, SocketRef)>>);

impl Sockets {
    /// How many.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.lock().expect("no one panics with it").len()
    }

    /// Ends the connections of a session that was ended.
    pub(crate) fn close_session(&self, ended: &str) {
        let sockets = self.0.lock().expect("no one panics with it");
        let of_session = sockets.values().filter(|(session, _)| session.as_deref() == Some(ended));
        let of_session: Vec<_> = of_session.map(|(_, socket)| socket.clone()).collect();
        drop(sockets);
        of_session.iter().for_each(cut_off);
    }

    /// Says goodbye to everyone.
    pub(crate) fn close_all(&self) {
        let sockets: Vec<_> = {
            let sockets = self.0.lock().expect("no one panics with it");
            sockets.values().map(|(_, socket)| socket.clone()).collect()
        };
        for socket in sockets {
            // Who cannot be told notices soon enough.
            let _ = socket.emit("closing", &());
        }
    }
}

/// One client.
struct Connection {
    app: Arc<App>,
    id: u64,
    who: Arc<Who>,
    bucket: Mutex<Bucket>,
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

/// How many messages may still come.
struct Bucket {
    left: f64,
    at: Instant,
    warnings: u32,
}

impl Bucket {
    /// Takes one, if there is one.
    fn take(&mut self, per_second: f64, burst: f64) -> bool {
        let now = Instant::now();
        let gained = now.duration_since(self.at).as_secs_f64() * per_second;
        (self.left, self.at) = ((self.left + gained).min(burst), now);
        let is_left = self.left >= 1.0;
        if is_left {
            self.left -= 1.0;
        }
        is_left
    }
}

/// The door, to be put around the other routes.
pub(crate) fn layer(app: Arc<App>) -> SocketIoLayer {
    let (layer, io) = SocketIo::builder()
        .ping_interval(PING_EVERY)
        .ping_timeout(PING_PATIENCE)
        .max_payload(LONGEST_MESSAGE as u64)
        .max_buffer_size(WAITING_MESSAGES)
        .ws_read_buffer_size(4 << 10)
        .ws_max_message_size(LONGEST_MESSAGE)
        .ws_max_frame_size(LONGEST_MESSAGE)
        .build_layer();
    let identify = {
        let app = app.clone();
        move |socket: SocketRef| {
            let app = app.clone();
            async move {
                let parts = socket.req_parts();
                let client = parts.extensions.get::<Client>().copied().unwrap_or(Client::UNKNOWN);
                let (identity, new_cookie) = identify(&app, &parts.headers, client).await?;
                if new_cookie.is_some() {
                    // A socket cannot give a cookie that is kept, and nobody should lose a seat for want of one.
                    return Err(Refused(Code::SignInFirst.because("ask /api/me for a cookie first")));
                }
                socket.extensions.insert(Arc::new(Who::from(&identity)));
                Ok::<_, Refused>(())
            }
        }
    };
    let welcome = move |socket: SocketRef| {
        welcome(&app, &socket);
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

fn welcome(app: &Arc<App>, socket: &SocketRef) {
    let Some(who) = socket.extensions.get::<Arc<Who>>() else {
        return cut_off(socket);
    };
    let id = app.tables.new_outlet();
    let burst = f64::from(app.config.message_burst);
    let connection = Arc::new(Connection {
        app: app.clone(),
        id,
        bucket: Mutex::new(Bucket { left: burst, at: Instant::now(), warnings: 0 }),
        tables: Mutex::default(),
        lag_ms: AtomicU64::new(0),
        analysis: Mutex::default(),
        thinking: Mutex::default(),
        seek: Mutex::default(),
        pulse: Mutex::default(),
        who: who.clone(),
    });
    app.sockets.0.lock().expect("no one panics with it").insert(id, (who.session.clone(), socket.clone()));
    metrics::gauge!("alinea_sockets").increment(1.0);

    let hearing = connection.clone();
    socket.on_fallback(
        move |socket: SocketRef, Name(name): Name, TryData(data): TryData<Value>, ack: AckSender| {
            hearing.hear(&socket, &name, data.unwrap_or(Value::Null), ack);
            ready(())
        },
    );
    socket.on_disconnect(move || {
        connection.leave();
        ready(())
    });
}

impl Connection {
    fn leave(&self) {
        self.app.sockets.0.lock().expect("no one panics with it").remove(&self.id);
        metrics::gauge!("alinea_sockets").decrement(1.0);
        for table in self.tables.lock().expect("no one panics with it").drain() {
            self.app.tables.send_if_open(&table, Message::Leave { outlet: self.id });
        }
        for slot in [&self.analysis, &self.seek, &self.pulse] {
            slot.lock().expect("no one panics with it").take();
        }
        self.thinking.lock().expect("no one panics with it").clear();
    }

    /// Takes a message; whatever takes time is done elsewhere.
    fn hear(self: &Arc<Self>, socket: &SocketRef, name: &str, data: Value, ack: AckSender) {
        let reply = Reply::Ack(ack, socket.clone());
        {
            let config = &self.app.config;
            let mut bucket = self.bucket.lock().expect("no one panics with it");
            if !bucket.take(config.messages_per_second.into(), config.message_burst.into()) {
                bucket.warnings += 1;
                if bucket.warnings > WARNINGS {
                    return cut_off(socket);
                }
                return reply.send(Err(Code::TooFast.because("too many messages")));
            }
        }
        if Command::NAMES.contains(&name) {
            match Command::read_with_table(name, data) {
                Ok((table, command)) => {
                    let (who, measured_lag_ms) = (self.who.clone(), self.lag_ms.load(Ordering::Relaxed));
                    let message = Message::Command { who, command, measured_lag_ms, reply };
                    self.app.tables.send(&table, message);
                }
                Err(refusal) => reply.send(Err(refusal)),
            }
            return;
        }
        match Request::read(name, data) {
            Ok(request) => self.answer(socket, request, reply),
            Err(refusal) => reply.send(Err(refusal)),
        }
    }

    fn answer(self: &Arc<Self>, socket: &SocketRef, request: Request, reply: Reply) {
        match request {
            Request::Join { table, seen, view } => {
                let mut tables = self.tables.lock().expect("no one panics with it");
                if tables.len() >= MOST_TABLES && !tables.contains(&table) {
                    return reply.send(Err(Code::NotAllowed.because("that is at too many tables at once")));
                }
                tables.insert(table.clone());
                drop(tables);
                self.measure(socket);
                let outlet = Outlet::Socket { id: self.id, socket: socket.clone() };
                let who = self.who.clone();
                self.app.tables.send(&table, Message::Join { who, outlet, seen, view, reply });
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
                    match found.await {
                        Ok(table) => drop(socket.emit("paired", &Paired { table })),
                        Err(refusal) => drop(socket.emit("seek-ended", &refusal)),
                    }
                };
                *self.seek.lock().expect("no one panics with it") = Some(go(Stop::default(), work));
                reply.send(Ok(Done::new()));
            }
            Request::CancelSeek {} => {
                self.seek.lock().expect("no one panics with it").take();
                reply.send(Ok(Done::new()));
            }
            Request::Analyse { game, position, moves, lines } => {
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
                // The one before ends first, so that its place is free.
                self.analysis.lock().expect("no one panics with it").take();
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
                let Ok(answer) = socket.emit_with_ack::<_, Value>("pulse", &()) else { return };
                if answer.await.is_ok()
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
        self.thinking.lock().expect("no one panics with it").remove(&table);
        if !on {
            return reply.send(Ok(Done::new()));
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

/// A position that a client names.
pub(crate) fn position_of(game: &str, position: Option<&str>, moves: &str) -> Result<AnyGame, Refusal> {
    if moves.len() > LONGEST_MOVES {
        return Err(Code::BadMessage.because("too many moves"));
    }
    let mut game = state::begin(game, position)?;
    game.play_all(moves).map_err(|error| Code::IllegalMove.because(error.to_string()))?;
    Ok(game)
}

/// Whether somebody may be helped at this table: not while they play against somebody else.
fn may_be_helped(snapshot: &Snapshot) -> bool {
    let plays_people = match &snapshot.seats {
        [Sitter::Person { id: first, .. }, Sitter::Person { id: second, .. }] => first != second,
        _ => snapshot.settings.rated,
    };
    snapshot.you.is_empty() || snapshot.status == Status::Ended || !plays_people
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
        if !may_be_helped(&snapshot) {
            return Err(Code::NotAllowed.because("no help while you play against somebody"));
        }
        let moves: Vec<&str> = snapshot.moves.iter().map(|made| made.text.as_str()).collect();
        let settings = &snapshot.settings;
        let game = position_of(&settings.game, settings.position.as_deref(), &moves.join(" "))?;
        Ok((watch, game))
    };
    let (mut watch, mut game) = match begin.await {
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
                Happened::Event(told) => {
                    if let Event::TakenBack { ply, .. } = told.event {
                        while game.moves().len() > ply as usize {
                            game.take_back();
                        }
                        break;
                    }
                }
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
    let (tell, mut told) = mpsc::unbounded_channel();
    let analysis = app.programs.analyse(game, lines, time, stop, Some(tell));
    tokio::pin!(analysis);
    let send = |info: analysis::Info, done: bool| {
        socket.emit("info", &info_of(table.clone(), ply, info, done)).is_ok()
    };
    loop {
        tokio::select! {
            biased;
            Some(info) = told.recv() => if !send(info, false) { return },
            done = &mut analysis => {
                match done {
                    Ok(info) => drop(send(info, true)),
                    Err(refusal) => drop(socket.emit("analysis-ended", &refusal)),
                }
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
    Info { table, ply, depth, nodes, time_ms, lines: lines.into_iter().map(line).collect(), done }
}
