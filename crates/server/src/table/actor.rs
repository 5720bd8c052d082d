//! A table that is in use on this node: one task that takes what comes in order, decides, stores, tells everyone
//! at the table and answers. Whatever it knows can be rebuilt from the log.

use std::{
    sync::{Arc, LazyLock},
    time::Duration,
};

use metrics::Counter;
use players::{NoMove, Stop, Thought};
use protocol::{
    ApiError, Command, Done, EndReason, ErrorCode, Event, Occupant, Snapshot, Status, TableUpdate,
};
use table::{Context, Decision, LogError, Principal, State};
use tokio::{
    sync::mpsc::UnboundedReceiver,
    time::{Instant, sleep_until},
};

use super::{
    presence::{Company, Guest},
    registry::Tables,
    sink::{Outlet, Reply},
};
use crate::{
    services::engine_pool::Turn,
    store::{Rated, RatedPlayer, StoreError, TableChange, TableKey},
};

/// A table that nobody looks at and that needs no care is forgotten after this; its players may come back.
const IDLE: Duration = Duration::from_secs(60);
/// So is one that has ended, but soon: few come back to it.
const IDLE_ENDED: Duration = Duration::from_millis(200);
/// A table whose flag falls later than this is woken again in time.
pub(crate) const FLAG_SOON_MS: u64 = 15 * 60_000;
/// A node that does not look after a table lets the one that does go first.
const COURTESY_MS: u64 = 3_000;
/// Principal missed more than this gets the whole state.
const MOST_MISSED: u64 = 300;
/// How often a decision is tried anew when others were first.
const TRIES: usize = 20;
/// While the store is away, whoever asks is refused at once; it is asked again after this.
const STORE_REST: Duration = Duration::from_millis(500);
/// A table that could not be read is tried again after this if somebody has to look after it.
const CARE_AGAIN: Duration = Duration::from_secs(2);

/// What a table is told.
pub(crate) enum Message {
    /// Somebody does something.
    Command { who: Arc<Principal>, command: Command, measured_lag_ms: u64, reply: Reply },
    /// Somebody comes.
    Join { who: Arc<Principal>, outlet: Outlet, seen: Option<u64>, view: bool, reply: Reply },
    /// Somebody goes.
    Leave { outlet: u64 },
    /// Somebody wants the whole state.
    Look { who: Arc<Principal>, reply: Reply },
    /// A program has thought about the position that this version made.
    Thought { epoch: u64, waited: Duration, result: Result<Thought<String>, NoMove> },
    /// Another node has appended up to this version; 0 if that is not known.
    Hint { version: u64 },
    /// Principal is at this table on another node.
    Elsewhere { node: String, here: [bool; 2], watching: usize, answer: bool },
    /// Another node is gone.
    NodeGone { node: String },
    /// This node looks after the table from now on.
    Care,
}

/// A message on its way. A queue has room for 32 from the start, and there are thousands of queues.
pub(crate) type Letter = Box<Message>;

/// The table with those who are there.
pub(crate) struct Table {
    key: TableKey,
    tables: Tables,
    state: State,
    code: Option<String>,
    /// The log may have more than we know.
    is_behind: bool,
    /// The store was away; until then nobody asks it.
    rests_until: Option<Instant>,
    company: Company,
    cares: bool,
    thinking: Option<(u64, Stop)>,
    /// The version that made the position, or that was found when the table was woken.
    epoch: u64,
    idle_since: Instant,
}

/// Serves a table that was just set up until nobody needs it.
///
/// There are thousands of these, so what they do rarely is boxed: waiting for it would take most of a task's memory.
pub(crate) async fn run_new(mut table: Table, mut mailbox: UnboundedReceiver<Letter>) {
    table.serve(&mut mailbox).await;
}

/// Reads a table from the log and serves it until nobody needs it.
pub(crate) async fn run(id: String, tables: Tables, mut mailbox: UnboundedReceiver<Letter>) {
    let loaded = {
        let _place = tables.reading().await;
        Table::load(id.clone(), tables.clone()).await
    };
    match loaded {
        Ok(table) => Box::pin(run_new(table, mailbox)).await,
        Err(refusal) => {
            tables.forget(&id);
            let mut needs_care = false;
            while let Ok(message) = mailbox.try_recv() {
                needs_care |= matches!(*message, Message::Care);
                message.refuse(&refusal);
            }
            if needs_care && refusal.code == ErrorCode::Unavailable {
                tokio::spawn(async move {
                    tokio::time::sleep(CARE_AGAIN).await;
                    tables.send(&id, Message::Care);
                });
            }
        }
    }
}

impl Message {
    /// Answers without doing anything.
    pub(crate) fn refuse(self, refusal: &ApiError) {
        match self {
            Self::Command { reply, .. } | Self::Join { reply, .. } | Self::Look { reply, .. } => {
                reply.send(Err(refusal.clone()));
            }
            _ => {}
        }
    }
}

impl Table {
    async fn load(id: String, tables: Tables) -> Result<Self, ApiError> {
        let unknown = || ErrorCode::UnknownTable.because("there is no such table");
        let row = tables.store().table(&id).await.map_err(unavailable)?.ok_or_else(unknown)?;
        let log = tables.store().events(&id, 0).await.map_err(unavailable)?;
        let state = State::replay(&log).map_err(damaged)?.ok_or_else(unknown)?;
        let cares = tables.store().cares(&id).await.map_err(unavailable)?;
        Ok(Self::new(row.key, tables, state, row.code, cares))
    }

    /// A table at which nobody is yet.
    pub(crate) fn new(
        key: TableKey,
        tables: Tables,
        state: State,
        code: Option<String>,
        cares: bool,
    ) -> Self {
        Self {
            company: Company::new(key.id.clone(), tables.clone()),
            // While it was set up, somebody may have sat down on another node.
            is_behind: tables.store().is_shared() && state.status() == Status::Open,
            epoch: state.version(),
            state,
            cares,
            code,
            key,
            tables,
            rests_until: None,
            thinking: None,
            idle_since: Instant::now(),
        }
    }

    async fn serve(&mut self, mailbox: &mut UnboundedReceiver<Letter>) {
        self.company.tell_nodes(true);
        self.let_programs_think();
        let alarm = sleep_until(self.next_wake());
        tokio::pin!(alarm);
        loop {
            // However many messages come, a flag falls in time.
            if self.is_flag_due() {
                self.on_time().await;
            }
            // An alarm that goes off too early costs less than setting it anew for every move.
            let wake = self.next_wake();
            if wake < alarm.deadline() || alarm.is_elapsed() {
                alarm.as_mut().reset(wake);
            }
            tokio::select! {
                biased;
                message = mailbox.recv() => match message {
                    Some(message) => self.hear(*message).await,
                    None => break,
                },
                () = &mut alarm => {
                    if self.is_idle() && self.tables.forget_if_unused(&self.key.id, mailbox) {
                        break;
                    }
                    self.on_time().await;
                }
            }
        }
        if let Some((_, stop)) = &self.thinking {
            stop.cancel();
        }
    }

    fn is_idle(&self) -> bool {
        let goes_on_alone = self.state.program_to_move().is_some()
            || self.flag_at().is_some_and(|at| at < now() + FLAG_SOON_MS);
        let is_needed = self.cares && goes_on_alone;
        self.company.is_empty() && !is_needed && self.idle_since.elapsed() >= self.patience()
    }

    fn patience(&self) -> Duration {
        if self.state.status() == Status::Ended { IDLE_ENDED } else { IDLE }
    }

    /// When something is to be done even if nobody says anything.
    fn next_wake(&self) -> Instant {
        let patience = self.patience();
        let mut wake = match self.company.is_empty() {
            true => (self.idle_since + patience).max(Instant::now() + patience.min(Duration::from_secs(1))),
            false => Instant::now() + IDLE,
        };
        if self.is_behind {
            wake = wake.min(Instant::now() + STORE_REST);
        }
        if let Some(at) = self.flag_at() {
            wake = wake.min(Instant::now() + Duration::from_millis(at.saturating_sub(now())));
        }
        if let Some(until) = self.rests_until {
            wake = wake.max(until);
        }
        if let Some(at) = self.company.next_count() {
            wake = wake.min(at);
        }
        wake
    }

    fn flag_at(&self) -> Option<u64> {
        let at = self.state.flag_at(&self.tables.downtimes())?;
        Some(if self.cares { at } else { at + COURTESY_MS })
    }

    /// Whether somebody's time is over, as far as can be known: while nobody knows whether the store was away for all,
    /// and so for how long clocks stood still, nobody loses on time.
    fn is_flag_due(&self) -> bool {
        !self.rests() && self.tables.knows_downtimes() && self.flag_at().is_some_and(|at| at <= now())
    }

    fn rests(&self) -> bool {
        self.rests_until.is_some_and(|until| until > Instant::now())
    }

    async fn on_time(&mut self) {
        self.company.count(self.state.seats());
        if self.is_flag_due() {
            // Somebody may have moved elsewhere; the log knows.
            self.is_behind = true;
            let flag = |state: &mut State, now, downtimes: &[(u64, u64)]| {
                let ended =
                    state.flag(now, downtimes).ok_or_else(|| ErrorCode::TooEarly.because("there is time"))?;
                Ok(Decision::Append(vec![ended]))
            };
            // If the store is away, the clock stands at nought, and it is tried again soon.
            let _ = self
                .change(|state, circumstances| flag(state, circumstances.now, &circumstances.downtimes), None)
                .await;
        } else if self.is_behind && !self.rests() {
            let _ = self.catch_up_if_behind().await;
        }
    }

    async fn hear(&mut self, message: Message) {
        self.idle_since = Instant::now();
        if self.rests()
            && matches!(message, Message::Command { .. } | Message::Join { .. } | Message::Look { .. })
        {
            return message.refuse(&store_is_away());
        }
        match message {
            Message::Command { who, command, measured_lag_ms, reply } => {
                let done = self.command(&who, &command, measured_lag_ms).await;
                reply.send(done);
            }
            Message::Join { who, outlet, seen, view, reply } => {
                let done = self.join(who, outlet, seen, view).await;
                reply.send(done);
            }
            Message::Leave { outlet } => self.company.leave(outlet, self.state.seats()),
            Message::Look { who, reply } => {
                let done = self.catch_up_if_behind().await.map(|()| {
                    let snapshot = Some(Box::new(self.snapshot(&who)));
                    Done { snapshot, ..Done::at(self.state.version()) }
                });
                reply.send(done);
            }
            Message::Thought { epoch, waited, result } => self.hear_program(epoch, waited, result).await,
            Message::Hint { version } => {
                if version == 0 {
                    // Words of the other nodes may have been lost, too.
                    self.company.tell_nodes(true);
                }
                if version == 0 || version > self.state.version() {
                    self.is_behind = true;
                    // If the store is away, the next message tries again.
                    let _ = self.catch_up_if_behind().await;
                }
            }
            Message::Elsewhere { node, here, watching, answer } => {
                self.company.hear_of(node, Some((here, watching)), self.state.seats());
                if answer {
                    self.company.tell_nodes(false);
                }
            }
            Message::NodeGone { node } => self.company.hear_of(node, None, self.state.seats()),
            Message::Care => {
                self.cares = true;
                self.is_behind = true;
                let _ = self.catch_up_if_behind().await;
                self.let_programs_think();
            }
        }
    }

    async fn command(&mut self, who: &Arc<Principal>, command: &Command, lag: u64) -> Result<Done, ApiError> {
        let done =
            self.change(|state, circumstances| state.decide(who, command, circumstances), Some((who, lag)));
        let mut done = done.await?;
        if let Command::MakeMove { ply, .. } = command {
            if self.state.moves().len() < *ply as usize {
                return Err(ErrorCode::GameOver.because("your time had run out"));
            }
            done.ply = Some(*ply);
        }
        Ok(done)
    }

    async fn hear_program(&mut self, epoch: u64, waited: Duration, result: Result<Thought<String>, NoMove>) {
        if self.thinking.as_ref().is_none_or(|(thinking, _)| *thinking != epoch) {
            return;
        }
        self.thinking = None;
        if epoch == self.epoch && self.state.program_to_move().is_some() {
            let ply = self.state.moves().len();
            let check = |state: &State| match state.program_to_move() {
                Some(_) if state.moves().len() == ply => Ok(()),
                _ => Err(ErrorCode::StalePly.because("the position has changed")),
            };
            let done = match result {
                Ok(thought) => {
                    let text = thought.chosen.clone();
                    let thought = protocol::Thought::from(&thought);
                    let waited_ms = waited.as_millis() as u64;
                    self.change(
                        |state, circumstances| {
                            check(state)?;
                            state.decide_program(&text, Some(thought.clone()), waited_ms, circumstances)
                        },
                        None,
                    )
                    .await
                }
                Err(NoMove::Stopped) => Ok(Done::new()),
                Err(NoMove::Failed(reason)) => {
                    tracing::error!(table = self.short_id(), reason, "a program failed and gives up");
                    let give_up = |state: &mut State, _: &Context| {
                        check(state)?;
                        Ok(Decision::Append(vec![state.program_resigns()]))
                    };
                    self.change(give_up, None).await
                }
            };
            if done.is_err_and(|refusal| refusal.code == ErrorCode::Unavailable) {
                // Thinking again gives the same move when the store is back.
                tokio::time::sleep(STORE_REST).await;
            }
        }
        self.let_programs_think();
    }

    /// Decides, stores, tells, until nobody else was first.
    async fn change(
        &mut self,
        mut decide: impl FnMut(&mut State, &Context) -> Result<Decision, ApiError>,
        by: Option<(&Arc<Principal>, u64)>,
    ) -> Result<Done, ApiError> {
        if self.state.is_timed() && !self.tables.knows_downtimes() {
            return Err(store_is_away());
        }
        for _ in 0..TRIES {
            self.catch_up_if_behind().await?;
            let circumstances = self.circumstances(by.map_or(0, |(_, lag)| lag));
            let now = circumstances.now;
            let events = match decide(&mut self.state, &circumstances)? {
                Decision::AlreadyDone { version } => return Ok(self.done(version)),
                Decision::Append(events) => events,
                Decision::CreateRematch => vec![Box::pin(self.set_up_again()).await?],
            };
            match self.append(now, events, by.map(|(who, _)| who)).await {
                Ok(()) => return Ok(self.done(self.state.version())),
                Err(StoreError::Conflict) => self.is_behind = true,
                Err(error) => {
                    // Nobody knows whether it was written.
                    self.is_behind = true;
                    return Err(self.rest(error));
                }
            }
        }
        Err(ErrorCode::Unavailable.because("too many changes at once; try again"))
    }

    /// The store is away: asking it for every message would only make all of them wait.
    fn rest(&mut self, error: StoreError) -> ApiError {
        self.rests_until = Some(Instant::now() + STORE_REST);
        unavailable(error)
    }

    /// Enough to find the table by, too little to come to it.
    fn short_id(&self) -> &str {
        self.key.id.get(..6).unwrap_or_default()
    }

    fn done(&self, version: u64) -> Done {
        Done { table: self.state.rematch().map(str::to_owned), ..Done::at(version) }
    }

    fn circumstances(&self, measured_lag_ms: u64) -> Context {
        let now = now();
        Context {
            now,
            downtimes: self.tables.downtimes(),
            away_ms: self.company.away_ms(now),
            measured_lag_ms,
            grace_ms: self.tables.config().grace_ms,
        }
    }

    /// Sets up the next game of the same two, with sides exchanged.
    async fn set_up_again(&self) -> Result<Event, ApiError> {
        let [first, second] = self.state.seats().clone();
        let settings = self.state.settings().clone();
        let creator = self.state.creator().to_owned();
        let made = self.tables.open(settings, [second, first], creator, false).await?;
        Ok(Event::Rematch { table: made.table })
    }

    /// Stores events, then applies and tells them.
    async fn append(
        &mut self,
        at: u64,
        mut events: Vec<Event>,
        by: Option<&Arc<Principal>>,
    ) -> Result<(), StoreError> {
        for event in &mut events {
            if let (Event::Seated { occupant: Occupant::Person { rating, .. }, .. }, Some(who)) = (event, by)
            {
                *rating = Box::pin(self.tables.shown_rating(who, self.state.settings())).await;
            }
        }
        let change = self.row_change(at, &events);
        for entry in self.tables.store().append(&self.key, self.state.version(), at, events, change).await? {
            self.take_in(entry.version, entry.at, entry.event).await;
        }
        self.let_programs_think();
        Ok(())
    }

    /// What lists show of the table after these events, if it changes.
    fn row_change(&self, at: u64, events: &[Event]) -> Option<TableChange> {
        if !events.iter().any(|event| matches!(event, Event::Seated { .. } | Event::Ended { .. })) {
            return None;
        }
        let mut next = self.state.clone();
        for event in events {
            next.apply(0, at, event).expect("what was decided can be applied");
        }
        let state = &self.state;
        let mut change = TableChange {
            status: (next.status() != state.status()).then_some(next.status()),
            seats: (next.seats() != state.seats()).then(|| next.seats().clone()),
            free_code: state.status() == Status::Open && next.status() != Status::Open,
            ply: Some(next.moves().len() as u32),
            needs_care: (next.needs_owner() != state.needs_owner()).then_some(next.needs_owner()),
            ..TableChange::default()
        };
        if let Some(result) = next.result() {
            (change.winner, change.reason) = (result.winner, Some(result.reason));
            if next.settings().rated && result.reason != EndReason::Aborted {
                change.rated = rated(&next);
            }
        }
        Some(change)
    }

    /// Reads what others have appended, and tells it.
    async fn catch_up_if_behind(&mut self) -> Result<(), ApiError> {
        if !self.is_behind {
            return Ok(());
        }
        let log = match Box::pin(self.tables.store().events(&self.key.id, self.state.version())).await {
            Ok(log) => log,
            Err(error) => return Err(self.rest(error)),
        };
        for entry in log {
            self.take_in(entry.version, entry.at, entry.event).await;
        }
        self.is_behind = false;
        self.let_programs_think();
        Ok(())
    }

    /// Applies an event that is in the log, and tells everyone here.
    async fn take_in(&mut self, version: u64, at: u64, event: Event) {
        if let Err(error) = self.state.apply(version, at, &event) {
            let error = &error as &dyn std::error::Error;
            tracing::error!(table = self.short_id(), version, error, "the log of a table makes no sense");
            return;
        }
        EVENTS[kind(&event)].increment(1);
        if table::changes_position(&event) {
            self.epoch = version;
        }
        if matches!(event, Event::Seated { .. }) {
            self.company.seat(|who| self.state.sides(who));
            if self.state.status() != Status::Open {
                self.code = None;
            }
        }
        let plain = self.happened(version, at, event);
        let view = self.company.wants_view().then(|| Outlet::prepare(self.state.with_view(plain.clone())));
        self.company.tell(&Outlet::prepare(plain), view.as_ref(), self.state.seats()).await;
    }

    /// An event as it is told.
    fn happened(&self, v: u64, at: u64, event: Event) -> TableUpdate {
        self.state.message(&self.key.id, v, at, event, now(), &self.tables.downtimes())
    }

    async fn join(
        &mut self,
        who: Arc<Principal>,
        outlet: Outlet,
        seen: Option<u64>,
        view: bool,
    ) -> Result<Done, ApiError> {
        // Something may have happened on another node before its word of it is here.
        self.is_behind |= self.company.is_empty() && self.tables.store().is_shared();
        self.catch_up_if_behind().await?;
        let version = self.state.version();
        let mut done = Done::at(version);
        match seen {
            Some(seen) if seen <= version && version - seen <= MOST_MISSED => {
                let log = if seen < version {
                    Box::pin(self.tables.store().events(&self.key.id, seen)).await.map_err(unavailable)?
                } else {
                    Vec::new()
                };
                let mut missed = Vec::new();
                // Whatever came after `version` will be told as it is taken in.
                for entry in log.into_iter().filter(|entry| entry.version <= version) {
                    missed.push(self.happened(entry.version, entry.at, entry.event));
                }
                if view && let Some(last) = missed.pop() {
                    missed.push(self.state.with_board(last));
                }
                done.missed = Some(missed);
            }
            _ => {}
        }
        let sides = self.state.sides(&who);
        let guest = Guest { outlet, who: who.clone(), sides, view };
        self.company.join(guest, done.missed.is_none(), self.state.seats());
        if done.missed.is_none() {
            done.snapshot = Some(Box::new(self.snapshot(&who)));
        }
        Ok(done)
    }

    fn snapshot(&self, who: &Principal) -> Snapshot {
        let presence = self.company.presence(self.state.seats());
        let downtimes = self.tables.downtimes();
        self.state.snapshot(&self.key.id, who, self.code.as_deref(), presence, now(), &downtimes)
    }

    /// Lets the program whose turn it is think, if this node looks after the table, and stops one that need not.
    fn let_programs_think(&mut self) {
        let name = self.state.program_to_move().filter(|_| self.cares).map(str::to_owned);
        if let Some((epoch, stop)) = &self.thinking {
            if name.is_some() && *epoch == self.epoch {
                return;
            }
            stop.cancel();
            self.thinking = None;
        }
        let Some(name) = name else { return };
        let stop = Stop::default();
        self.thinking = Some((self.epoch, stop.clone()));
        let delay = if self.state.is_demo() { self.state.pace().delay_ms } else { 0 };
        let turn = Turn {
            game: self.state.game().clone(),
            name,
            seed: seed(&self.key.id, self.state.moves().len()),
            delay: Duration::from_millis(delay),
            clock: self.state.program_clock(now(), &self.tables.downtimes()),
        };
        let (tables, id, epoch) = (self.tables.clone(), self.key.id.clone(), self.epoch);
        tokio::spawn(async move {
            let (waited, result) = tables.programs().think(turn, &stop).await;
            tables.send_if_open(&id, Message::Thought { epoch, waited, result });
        });
    }
}

/// The same for the same place in the same game, so that a program that thinks again moves alike.
fn seed(table: &str, ply: usize) -> u64 {
    let word = |seed: u64, byte: u8| (seed ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    table.bytes().fold(0xcbf2_9ce4_8422_2325 ^ ply as u64, word)
}

/// The word by which a value is known in JSON.
pub(crate) fn word(value: &impl serde::Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        _ => String::new(),
    }
}

/// What happened at tables, by kind. Looking a figure up by its name would cost more than the rest of counting.
static EVENTS: LazyLock<[Counter; 4]> = LazyLock::new(|| {
    ["moved", "ended", "chat", "other"].map(|kind| metrics::counter!("alinea_events_total", "kind" => kind))
});

fn kind(event: &Event) -> usize {
    match event {
        Event::Moved { .. } => 0,
        Event::Ended { .. } => 1,
        Event::Chat(_) => 2,
        _ => 3,
    }
}

/// How a game counts, if both sides can be rated.
fn rated(state: &State) -> Option<Rated> {
    let player = |occupant: &Occupant| match occupant {
        Occupant::Person { id, .. } => id.starts_with("u:").then(|| RatedPlayer::Account(id.clone())),
        Occupant::Program { rating, .. } => Some(RatedPlayer::Fixed((*rating)? as f64)),
        Occupant::Open => None,
    };
    let [first, second] = state.seats();
    Some(Rated {
        first: player(first)?,
        second: player(second)?,
        game: state.game().spec().name().to_owned(),
        clock_kind: state.settings().clock.kind(),
    })
}

pub(crate) fn unavailable(error: StoreError) -> ApiError {
    tracing::warn!(%error, "the store refused");
    store_is_away()
}

fn store_is_away() -> ApiError {
    ErrorCode::Unavailable.because("nothing can be stored just now; try again")
}

pub(crate) fn damaged(error: LogError) -> ApiError {
    tracing::error!(error = &error as &dyn std::error::Error, "the log of a table makes no sense");
    ErrorCode::Unavailable.because("the log of this table is damaged")
}

/// Milliseconds since 1970.
pub(crate) fn now() -> u64 {
    crate::now_ms()
}
