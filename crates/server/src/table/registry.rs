//! The tables of this node: finds or wakes the one that is meant, and sets up new ones.

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
    sync::{
        Arc, Mutex, OnceLock, RwLock,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use players::roster;
use protocol::{
    ApiError, Command, Done, ErrorCode, Event, NewTable, Occupant, Opponent, Settings, SidePreference,
    Snapshot, Status, TableCreated, TableUpdate,
};
use rules::AnyGame;
use table::{Principal, State};
use tokio::sync::{
    Semaphore, SemaphorePermit,
    mpsc::{self, UnboundedReceiver, UnboundedSender},
    oneshot,
};
use tokio_util::task::TaskTracker;

use super::{
    actor::{self, Letter, Message, Table, now, unavailable},
    sink::{Outlet, Reply},
};
use crate::{
    config::Config,
    services::engine_pool::Programs,
    store::{SILENCE_MS, Store, StoreError, TableKey, TableRow},
};

const SHARDS: usize = 32;
/// Without letters and digits that look alike.
const CODE_LETTERS: &[u8] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const CODE_LENGTH: usize = 6;
/// Longer than any id of ours.
const LONGEST_ID: usize = 40;
/// How many tables are read from the store at once.
const READ_AT_ONCE: usize = 6;
/// How long the end of serving waits for tables.
const FAREWELL: Duration = Duration::from_secs(10);
/// How many news a stream may fall behind.
const STREAM_ROOM: usize = 128;

/// The tables of this node.
#[derive(Clone)]
pub struct Tables(Arc<Inner>);

struct Inner {
    store: Store,
    programs: Programs,
    config: Arc<Config>,
    /// The tables that are awake, by the hash of their ids.
    open: [Mutex<HashMap<String, UnboundedSender<Letter>>>; SHARDS],
    tasks: TaskTracker,
    is_closing: AtomicBool,
    /// When no server was there; clocks are not charged for it.
    downtimes: RwLock<Arc<[(u64, u64)]>>,
    /// Until when all downtimes are known.
    known_until: AtomicU64,
    /// Tables that are being read: no more than the store can serve at once.
    reading: Semaphore,
    /// What the other nodes are to hear, in order.
    words: OnceLock<UnboundedSender<String>>,
    outlets: AtomicU64,
}

impl Tables {
    pub(crate) fn new(store: Store, programs: Programs, config: Arc<Config>) -> Self {
        Self(Arc::new(Inner {
            store,
            programs,
            config,
            open: std::array::from_fn(|_| Mutex::default()),
            tasks: TaskTracker::new(),
            is_closing: AtomicBool::new(false),
            downtimes: RwLock::new(Arc::new([])),
            known_until: AtomicU64::new(0),
            reading: Semaphore::new(READ_AT_ONCE),
            words: OnceLock::new(),
            outlets: AtomicU64::new(0),
        }))
    }

    pub(crate) fn store(&self) -> &Store {
        &self.0.store
    }

    pub(crate) fn programs(&self) -> &Programs {
        &self.0.programs
    }

    pub(crate) fn config(&self) -> &Config {
        &self.0.config
    }

    pub(crate) fn downtimes(&self) -> Arc<[(u64, u64)]> {
        self.0.downtimes.read().expect("no one panics with it").clone()
    }

    /// What is known of downtimes up to now.
    pub(crate) fn set_downtimes(&self, downtimes: Vec<(u64, u64)>, now: u64) {
        *self.0.downtimes.write().expect("no one panics with it") = downtimes.into();
        self.0.known_until.store(now, Ordering::Relaxed);
    }

    /// Whether it is known for how long clocks stood still. If not, the store has been away, or this node has.
    pub(crate) fn knows_downtimes(&self) -> bool {
        now().saturating_sub(self.0.known_until.load(Ordering::Relaxed)) <= SILENCE_MS
    }

    /// A place among those who read a whole table.
    pub(crate) async fn reading(&self) -> Option<SemaphorePermit<'_>> {
        self.0.reading.acquire().await.ok()
    }

    /// A number that no other outlet of this node has.
    pub(crate) fn new_outlet(&self) -> u64 {
        self.0.outlets.fetch_add(1, Ordering::Relaxed)
    }

    fn shard(&self, table: &str) -> &Mutex<HashMap<String, UnboundedSender<Letter>>> {
        let mut hasher = DefaultHasher::new();
        table.hash(&mut hasher);
        &self.0.open[hasher.finish() as usize % SHARDS]
    }

    /// Tells a table something, and wakes it if need be. Messages of one sender arrive in order.
    pub(crate) fn send(&self, table: &str, message: Message) {
        if self.0.is_closing.load(Ordering::Relaxed) {
            return message.refuse(&ErrorCode::Unavailable.because("the server is stopping"));
        }
        if table.len() > LONGEST_ID || !table.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return message.refuse(&ErrorCode::UnknownTable.because("there is no such table"));
        }
        let mut open = self.shard(table).lock().expect("no one panics with it");
        let letter = Box::new(message);
        let sent = match open.get(table) {
            Some(mailbox) => mailbox.send(letter),
            None => {
                let (sender, mailbox) = mpsc::unbounded_channel();
                self.0.tasks.spawn(actor::run(table.to_owned(), self.clone(), mailbox));
                let sent = sender.send(letter);
                open.insert(table.to_owned(), sender);
                sent
            }
        };
        if let Err(lost) = sent {
            // Its task has died; the next message wakes another one.
            open.remove(table);
            drop(open);
            lost.0.refuse(&ErrorCode::Unavailable.because("the table is being set up again; try again"));
        }
    }

    /// Tells a table something if it is awake.
    pub(crate) fn send_if_open(&self, table: &str, message: Message) {
        let open = self.shard(table).lock().expect("no one panics with it");
        if let Some(mailbox) = open.get(table) {
            // A table that has just ended does not care.
            let _ = mailbox.send(Box::new(message));
        }
    }

    /// The ids of the tables that are awake.
    pub(crate) fn open_ids(&self) -> Vec<String> {
        let ids = |shard: &Mutex<HashMap<String, _>>| {
            shard.lock().expect("no one panics with it").keys().cloned().collect::<Vec<_>>()
        };
        self.0.open.iter().flat_map(ids).collect()
    }

    /// How many tables are awake.
    #[must_use]
    pub fn open_count(&self) -> usize {
        self.0.open.iter().map(|shard| shard.lock().expect("no one panics with it").len()).sum()
    }

    pub(crate) fn forget(&self, table: &str) {
        self.shard(table).lock().expect("no one panics with it").remove(table);
    }

    /// Forgets a table unless something has just been sent to it.
    pub(crate) fn forget_if_unused(&self, table: &str, mailbox: &UnboundedReceiver<Letter>) -> bool {
        let mut open = self.shard(table).lock().expect("no one panics with it");
        let is_unused = mailbox.is_empty();
        if is_unused {
            open.remove(table);
        }
        is_unused
    }

    /// Refuses whatever comes from now on, and waits until what came before is done, but not for ever.
    pub(crate) async fn close(&self) {
        self.0.is_closing.store(true, Ordering::Relaxed);
        for shard in &self.0.open {
            shard.lock().expect("no one panics with it").clear();
        }
        self.0.tasks.close();
        if tokio::time::timeout(FAREWELL, self.0.tasks.wait()).await.is_err() {
            tracing::warn!("some tables could not finish what they had begun");
        }
    }

    /// Does something at a table.
    ///
    /// # Errors
    /// If it may not be done.
    pub async fn command(
        &self,
        table: &str,
        who: &Arc<Principal>,
        command: Command,
    ) -> Result<Done, ApiError> {
        let who = who.clone();
        self.ask(table, |reply| Message::Command { who, command, measured_lag_ms: 0, reply }).await
    }

    /// The whole state of a table.
    ///
    /// # Errors
    /// If there is none.
    pub async fn snapshot(&self, table: &str, who: &Arc<Principal>) -> Result<Snapshot, ApiError> {
        let who = who.clone();
        let done = self.ask(table, |reply| Message::Look { who, reply }).await?;
        done.snapshot.map(|snapshot| *snapshot).ok_or_else(stopped)
    }

    /// What happens at a table from now on, after what was missed since a version (or the whole state).
    ///
    /// # Errors
    /// If there is no such table.
    pub async fn watch(
        &self,
        table: &str,
        who: &Arc<Principal>,
        seen: Option<u64>,
    ) -> Result<(Done, Watch), ApiError> {
        let (sender, news) = mpsc::channel(STREAM_ROOM);
        let id = self.new_outlet();
        let (who, outlet) = (who.clone(), Outlet::Stream { id, sender });
        let done = self.ask(table, |reply| Message::Join { who, outlet, seen, view: false, reply }).await?;
        Ok((done, Watch { tables: self.clone(), table: table.to_owned(), id, news }))
    }

    async fn ask(&self, table: &str, message: impl FnOnce(Reply) -> Message) -> Result<Done, ApiError> {
        let (sender, answer) = oneshot::channel();
        self.send(table, message(Reply::Once(sender)));
        answer.await.unwrap_or_else(|_| Err(stopped()))
    }

    /// Sets up a table.
    ///
    /// # Errors
    /// If it cannot be.
    pub async fn create(&self, who: &Principal, new: NewTable) -> Result<TableCreated, ApiError> {
        let (game, mut settings) = table::check_new_table(&new)?;
        let me = self.person(who, &settings).await;
        let (other, has_door) = match &new.opponent {
            Opponent::Here => (me.clone(), false),
            Opponent::Link => (Occupant::Open, true),
            Opponent::Program { name } => (program(&game, name)?, false),
            Opponent::Challenge { name } => {
                let account = self.0.store.account_by_name(name).await.map_err(unavailable)?;
                let account =
                    account.ok_or_else(|| ErrorCode::NotFound.because("there is no such account"))?;
                settings.invited = Some(account.id);
                (Occupant::Open, false)
            }
            Opponent::Demo { first, second } => {
                if new.rated {
                    return Err(ErrorCode::NotAllowed.because("programs among themselves are not rated"));
                }
                let seats = [program(&game, first)?, program(&game, second)?];
                return self.open(settings, seats, who.id().to_owned(), false).await;
            }
        };
        table::check_rated(&settings, &game, who, &other)?;
        if new.rated && matches!(new.opponent, Opponent::Here) {
            return Err(ErrorCode::NotAllowed.because("a game against oneself is not rated"));
        }
        let takes_first = match new.side {
            SidePreference::First => true,
            SidePreference::Second => false,
            SidePreference::Random => lot(),
        };
        let seats = if takes_first { [me, other] } else { [other, me] };
        self.open(settings, seats, who.id().to_owned(), has_door).await
    }

    /// Somebody as they sit down.
    async fn person(&self, who: &Principal, settings: &Settings) -> Occupant {
        let rating = self.shown_rating(who, settings).await;
        Occupant::Person { id: who.id().to_owned(), name: who.name.clone(), rating }
    }

    /// The rating that is shown beside a name, if the account has one.
    pub(crate) async fn shown_rating(&self, who: &Principal, settings: &Settings) -> Option<i64> {
        let (account, game) = (who.account.as_ref()?, settings.game.split(':').next()?);
        let rating = self.0.store.rating(account, game, settings.clock.kind()).await.ok()?;
        Some(rating.rating.round() as i64)
    }

    /// A table as it is first stored.
    pub(crate) fn prepare(
        settings: &Settings,
        seats: &[Occupant; 2],
        creator: &str,
        code: Option<String>,
    ) -> (TableRow, Event) {
        let (settings, seats, creator) = (settings.clone(), seats.clone(), creator.to_owned());
        let is_open = seats.contains(&Occupant::Open);
        let at = now();
        let row = TableRow {
            key: TableKey::new(at),
            code,
            settings: settings.clone(),
            seats: seats.clone(),
            status: if is_open { Status::Open } else { Status::Playing },
            winner: None,
            reason: None,
            ply: 0,
            created: at,
            updated: at,
            needs_care: !is_open && table::needs_owner(&seats, settings.clock),
        };
        (row, Event::Created { settings, seats, creator })
    }

    /// Wakes a table that was just stored: whoever set it up comes, or a program begins, and nobody need read it.
    fn wake(&self, row: &TableRow, event: &Event) {
        let state = State::new(1, row.created, event);
        let (Ok(state), false) = (state, self.0.is_closing.load(Ordering::Relaxed)) else { return };
        let mut open = self.shard(&row.key.id).lock().expect("no one panics with it");
        open.entry(row.key.id.clone()).or_insert_with(|| {
            let (sender, mailbox) = mpsc::unbounded_channel();
            let table = Table::new(row.key.clone(), self.clone(), state, row.code.clone(), true);
            self.0.tasks.spawn(actor::run_new(table, mailbox));
            sender
        });
    }

    /// Stores a new table and wakes it.
    pub(crate) async fn open(
        &self,
        settings: Settings,
        seats: [Occupant; 2],
        creator: String,
        has_door: bool,
    ) -> Result<TableCreated, ApiError> {
        loop {
            let code = has_door.then(code);
            let (row, event) = Self::prepare(&settings, &seats, &creator, code.clone());
            match self.0.store.create_table(&row, vec![event.clone()]).await {
                Ok(()) => {
                    self.wake(&row, &event);
                    return Ok(TableCreated { table: row.key.id, code });
                }
                // The code is in use, or the number.
                Err(StoreError::Conflict) => {}
                Err(error) => return Err(unavailable(error)),
            }
        }
    }

    /// Tells the other nodes who of a table is here; with `ask` they answer likewise.
    pub(crate) fn tell_presence(&self, table: &str, here: [bool; 2], watching: usize, ask: bool) {
        if !self.0.store.is_shared() {
            return;
        }
        let [first, second] = here.map(u8::from);
        let words = format!("here {table} {first} {second} {watching} {}", u8::from(ask));
        let sender = self.0.words.get_or_init(|| {
            let (sender, mut words) = mpsc::unbounded_channel::<String>();
            let store = self.0.store.clone();
            tokio::spawn(async move {
                while let Some(words) = words.recv().await {
                    // While the store is away nobody hears anything; when it is back, all are asked anew.
                    let _ = store.say(&words).await;
                }
            });
            sender
        });
        let _ = sender.send(words);
    }

    /// What another node said about who is there.
    pub(crate) fn hear_presence(&self, node: &str, words: &str) {
        let words: Vec<&str> = words.split(' ').collect();
        let ["here", table, first, second, watching, answer] = words[..] else { return };
        let (here, answer) = ([first == "1", second == "1"], answer == "1");
        if let Ok(watching) = watching.parse() {
            let node = node.to_owned();
            self.send_if_open(table, Message::Elsewhere { node, here, watching, answer });
        }
    }
}

/// The news of a table; whoever drops it leaves.
pub struct Watch {
    tables: Tables,
    table: String,
    id: u64,
    news: mpsc::Receiver<Arc<TableUpdate>>,
}

impl Watch {
    /// What happens next; none if the table was closed or one fell too far behind.
    pub async fn next(&mut self) -> Option<Arc<TableUpdate>> {
        self.news.recv().await
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.tables.send_if_open(&self.table, Message::Leave { outlet: self.id });
    }
}

/// A program as it sits down.
fn program(game: &AnyGame, name: &str) -> Result<Occupant, ApiError> {
    if name.contains("threads") {
        return Err(ErrorCode::NotAllowed.because("programs think with one thread here"));
    }
    roster::program(game, name, 0).map_err(|error| ErrorCode::UnknownPlayer.because(error.to_string()))?;
    let rating = level_rating(game, name);
    Ok(Occupant::Program { name: name.to_owned(), rating })
}

/// What the weakest level counts for; the others stand above it as they were measured.
const WEAKEST_LEVEL: f64 = 800.0;

/// What a level of ours counts for.
fn level_rating(game: &AnyGame, name: &str) -> Option<i64> {
    let level: u32 = name.strip_prefix("level:")?.parse().ok()?;
    let strength = roster::levels(game).into_iter().find(|strength| strength.level == level)?;
    Some((WEAKEST_LEVEL + strength.elo?).round() as i64)
}

/// True or false, as chance has it.
pub(crate) fn lot() -> bool {
    crate::random::<1>()[0].is_multiple_of(2)
}

/// A short code that people can read to each other.
fn code() -> String {
    let letter = |byte| char::from(CODE_LETTERS[usize::from(byte) % CODE_LETTERS.len()]);
    crate::random::<CODE_LENGTH>().map(letter).iter().collect()
}

fn stopped() -> ApiError {
    ErrorCode::Unavailable.because("the server is stopping")
}
