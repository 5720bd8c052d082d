//! Tournaments of people: decides commands and due events, stores them with the tables of new games, and notifies
//! watchers. Every node does this for every tournament; if two nodes decide at the same time, the log accepts one.

use std::{
    collections::{BTreeMap, BTreeSet},
    net::IpAddr,
    sync::Arc,
    time::Duration,
};

use futures_util::future::BoxFuture;
use parking_lot::Mutex;
use protocol::{
    ApiError, EndReason, ErrorCode, Event, NewTable, NewTournament, Occupant, Opponent, Settings,
    SidePreference, Status, TournamentCommand, TournamentCreated, TournamentEvent, TournamentPhase,
    TournamentSummary, TournamentView,
};
use rules::Side;
use sha2::{Digest, Sha256};
use store::{Store, StoreError, TableKey, TableRow, TournamentChange, TournamentStore};
use table::Principal;
use tokio::{
    sync::{OnceCell, watch},
    time::interval,
};
use tournament::people::{self, Context, State, TableStatus};

use crate::{
    addresses::Share,
    table::{Registry, new_row},
};

/// Interval between checks for finished games, forfeits and due rounds.
const TICK: Duration = Duration::from_secs(1);
/// Maximum number of retries after version conflicts.
const MAX_RETRIES: usize = 20;
/// Maximum number of unfinished tournaments per account.
const MAX_OPEN: u64 = 5;
/// Maximum number of tournaments in a list.
const MAX_LISTED: u32 = 100;
/// Maximum length of an id.
const MAX_ID_LENGTH: usize = 40;

/// The tournaments of this server. Clones share the same tournaments.
#[derive(Clone)]
pub struct Tournaments(Arc<Inner>);

struct Inner {
    store: Arc<dyn TournamentStore>,
    tables: Registry,
    /// The tournaments requested since the start, by id.
    known: Mutex<BTreeMap<String, Known>>,
    /// The key of the hashes of addresses, once it has been read.
    address_key: OnceCell<String>,
}

/// A cached tournament; all of it can be read again.
struct Known {
    state: Arc<State>,
    view: watch::Sender<Arc<TournamentView>>,
    /// Tables at which both sides have moved.
    begun: BTreeSet<String>,
    /// Tables known to be abandoned.
    closed: BTreeSet<String>,
}

/// A decision about a tournament, with ids for new tables.
type Decided = Result<Vec<TournamentEvent>, ApiError>;

impl Tournaments {
    /// Creates the tournaments of a store.
    pub fn new(store: Arc<dyn TournamentStore>, tables: Registry) -> Self {
        Self(Arc::new(Inner { store, tables, known: Mutex::default(), address_key: OnceCell::new() }))
    }

    /// Creates a tournament.
    ///
    /// # Errors
    /// If the tournament is not allowed, or the store is unavailable.
    pub fn open<'a>(
        &'a self,
        principal: &'a Principal,
        mut new: NewTournament,
    ) -> BoxFuture<'a, Result<TournamentCreated, ApiError>> {
        Box::pin(async move {
            let organisers = &self.0.tables.config().organisers;
            let may_open = |name: &String| name.eq_ignore_ascii_case(&principal.name);
            if principal.account.is_none() || principal.bot {
                return Err(ErrorCode::SignInFirst.because("only a personal account can create a tournament"));
            }
            if organisers.as_ref().is_some_and(|names| !names.iter().any(may_open)) {
                return Err(ErrorCode::NotAllowed
                    .because("on this server only the organisers named by the host can create tournaments"));
            }
            new.name = table::sanitize(&new.name);
            people::check(&new, self.now())?;
            let (game, settings) = table::check_new_table(&NewTable {
                game: new.game.clone(),
                position: None,
                opponent: Opponent::Link,
                side: SidePreference::Random,
                clock: new.clock,
                rated: new.rated,
                take_back: false,
                listed: new.listed,
                bots: true,
            })?;
            if new.rated && new.guests {
                return Err(ErrorCode::NotAllowed.because("a rated tournament cannot admit guests"));
            }
            table::check_rated(&settings, &game, principal, &Occupant::Open)?;
            new.game = settings.game;
            if self.0.store.open_tournaments(principal.id()).await.map_err(ApiError::from)? >= MAX_OPEN {
                let reason = format!("an account can have at most {MAX_OPEN} unfinished tournaments");
                return Err(ErrorCode::NotAllowed.because(reason));
            }
            let id = store::random_hex::<16>();
            let opened = TournamentEvent::Opened { settings: new, organiser: principal.occupant(None) };
            let now = self.now();
            let state = State::new(now, &opened).expect("it was just opened");
            self.append(&id, 0, now, &[opened], Vec::new(), &state).await.map_err(ApiError::from)?;
            Ok(TournamentCreated { id })
        })
    }

    /// Executes a command. Players whose `address` is the same count as players of one address.
    ///
    /// # Errors
    /// If the command is refused, or the store is unavailable.
    pub fn command<'a>(
        &'a self,
        principal: &'a Principal,
        address: IpAddr,
        id: &'a str,
        command: &'a TournamentCommand,
    ) -> BoxFuture<'a, Result<Arc<TournamentView>, ApiError>> {
        Box::pin(async move {
            let settings = self.state(id).await?.settings().clone();
            let rating = self.0.tables.shown_rating(principal, &table_settings(&settings, id)).await;
            let person = principal.occupant(rating);
            let address = self.address_hash(id, address).await?;
            let decide = |state: &State, new_table: &mut dyn FnMut() -> String| {
                let sender = people::Sender { ids: &principal.ids, person: &person, address: &address };
                state.decide(&sender, command, new_table)
            };
            self.change(id, decide).await?;
            // Players who enter or withdraw wait for the next tick; otherwise a client could make the server check all
            // tables again and again.
            if !matches!(command, TournamentCommand::Enter {} | TournamentCommand::Withdraw {}) {
                self.advance(id).await?;
            }
            self.view(id).await
        })
    }

    /// Returns the public view of a tournament.
    ///
    /// # Errors
    /// If the tournament does not exist, or the store is unavailable.
    pub fn view<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<Arc<TournamentView>, ApiError>> {
        Box::pin(async move { Ok(self.watch(id).await?.borrow().clone()) })
    }

    /// Subscribes to a tournament.
    ///
    /// # Errors
    /// If the tournament does not exist, or the store is unavailable.
    pub fn watch<'a>(
        &'a self,
        id: &'a str,
    ) -> BoxFuture<'a, Result<watch::Receiver<Arc<TournamentView>>, ApiError>> {
        Box::pin(async move {
            self.state(id).await?;
            let known = self.0.known.lock();
            known.get(id).map(|known| known.view.subscribe()).ok_or_else(unknown)
        })
    }

    /// Returns tournaments, latest first, including those that the principal created.
    ///
    /// # Errors
    /// If the store is unavailable.
    pub fn list<'a>(
        &'a self,
        principal: &'a Principal,
    ) -> BoxFuture<'a, Result<Vec<TournamentSummary>, ApiError>> {
        Box::pin(
            async move { self.0.store.tournaments(principal.id(), MAX_LISTED).await.map_err(ApiError::from) },
        )
    }

    /// Runs the due actions periodically.
    pub fn run(self) -> BoxFuture<'static, ()> {
        Box::pin(async move {
            let mut ticks = interval(TICK);
            loop {
                ticks.tick().await;
                // During an outage no one forfeits, because its length is not known yet.
                if !self.0.tables.knows_downtimes() {
                    continue;
                }
                let due = match self.0.store.due_tournaments(self.now()).await {
                    Ok(due) => due,
                    Err(error) => {
                        error.log("tournaments_list_failed");
                        continue;
                    }
                };
                for id in &due {
                    if let Err(error) = self.advance(id).await {
                        tracing::warn!(tournament = id, reason = error.message, "tournament_stalled");
                    }
                }
                for id in self.forget_idle(&due) {
                    // Reads the events of other nodes; after an outage the next tick does.
                    let _ = self.state(&id).await;
                }
            }
        })
    }

    /// Returns a keyed hash of an address, another one for each tournament. The log tells whether two players share an
    /// address, but not which one it is.
    async fn address_hash(&self, id: &str, address: IpAddr) -> Result<String, ApiError> {
        let key = || async { self.0.store.setting("address-key", &store::random_hex::<32>()).await };
        let key = self.0.address_key.get_or_try_init(key).await.map_err(ApiError::from)?;
        let hash = Sha256::digest(format!("{key}\n{id}\n{}", Share::of(address)));
        Ok(hash.iter().take(8).map(|byte| format!("{byte:02x}")).collect())
    }

    fn now(&self) -> u64 {
        self.0.tables.clock().now_ms()
    }

    /// Drops tournaments that are neither due nor watched; returns those that are only watched.
    fn forget_idle(&self, due: &[String]) -> Vec<String> {
        let mut known = self.0.known.lock();
        known.retain(|id, known| known.view.receiver_count() > 0 || due.contains(id));
        known.keys().filter(|id| !due.contains(id)).cloned().collect()
    }

    /// Returns the current state from the log.
    async fn state(&self, id: &str) -> Result<Arc<State>, ApiError> {
        if id.len() > MAX_ID_LENGTH {
            return Err(unknown());
        }
        let before = self.0.known.lock().get(id).map(|known| known.state.clone());
        let version = before.as_ref().map_or(0, |state| state.version());
        let events = self.0.store.tournament_events(id, version).await.map_err(ApiError::from)?;
        let mut events = events.iter();
        let mut state = match &before {
            Some(state) => State::clone(state),
            None => {
                let (at, opened) = events.next().ok_or_else(unknown)?;
                State::new(*at, opened).ok_or_else(|| {
                    ErrorCode::Broken.because("the log of the tournament has no first event")
                })?
            }
        };
        for (at, event) in events {
            state.apply(*at, event);
        }
        Ok(self.remember(id, state))
    }

    /// Stores a state unless a later one is known, and notifies watchers.
    fn remember(&self, id: &str, state: State) -> Arc<State> {
        let mut all = self.0.known.lock();
        if let Some(known) = all.get(id)
            && known.state.version() >= state.version()
        {
            return known.state.clone();
        }
        let view = Arc::new(state.view(id, self.now(), &|since| self.0.tables.elapsed(since)));
        let state = Arc::new(state);
        match all.get_mut(id) {
            Some(known) => {
                known.state = state.clone();
                known.view.send_replace(view);
            }
            None => {
                let known = Known {
                    state: state.clone(),
                    view: watch::Sender::new(view),
                    begun: BTreeSet::new(),
                    closed: BTreeSet::new(),
                };
                all.insert(id.to_owned(), known);
            }
        }
        state
    }

    /// Decides, appends and notifies; retries if another node was faster. False if there was nothing to do.
    async fn change(
        &self,
        id: &str,
        decide: impl Fn(&State, &mut dyn FnMut() -> String) -> Decided,
    ) -> Result<bool, ApiError> {
        for _ in 0..MAX_RETRIES {
            let state = self.state(id).await?;
            let now = self.now();
            let mut keys = Vec::new();
            let mut new_table = || {
                keys.push(self.0.store.new_key(now));
                keys[keys.len() - 1].id.clone()
            };
            let mut events = decide(&state, &mut new_table)?;
            if events.is_empty() {
                return Ok(false);
            }
            for event in &mut events {
                if let TournamentEvent::Replayed { game, was_rated, .. } = event
                    && let Some(table) = &state.games()[*game].table
                {
                    *was_rated = self.stop_table(table).await?;
                }
            }
            let mut next = State::clone(&state);
            for event in &events {
                next.apply(now, event);
            }
            let tables = new_tables(id, &next, keys, now);
            match self.append(id, state.version(), now, &events, tables, &next).await {
                Ok(()) => {
                    self.remember(id, next);
                    return Ok(true);
                }
                Err(StoreError::Conflict) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(ErrorCode::Unavailable.because("too many changes at once; try again"))
    }

    async fn append(
        &self,
        id: &str,
        after: u64,
        at: u64,
        events: &[TournamentEvent],
        tables: Vec<(TableRow, Event)>,
        next: &State,
    ) -> Result<(), StoreError> {
        let change = TournamentChange {
            id,
            after,
            at,
            events,
            tables,
            summary: &next.summary(id),
            organiser: next.organiser(),
            is_listed: next.settings().listed,
        };
        self.0.store.append_tournament(change).await
    }

    /// Runs the due actions of a tournament.
    async fn advance(&self, id: &str) -> Result<(), ApiError> {
        loop {
            let tables = self.table_statuses(id).await?;
            let decide = |state: &State, new_table: &mut dyn FnMut() -> String| {
                Ok(state.advance(&mut Context {
                    now: self.now(),
                    elapsed: &|since| self.0.tables.elapsed(since),
                    table: &|table| tables.get(table).copied(),
                    new_table,
                }))
            };
            if !self.change(id, decide).await? {
                break;
            }
        }
        self.close_tables(id).await
    }

    /// Returns the status of the tables of undecided games.
    async fn table_statuses(&self, id: &str) -> Result<BTreeMap<String, TableStatus>, ApiError> {
        let state = self.state(id).await?;
        let open: BTreeMap<_, _> = state.open_tables().collect();
        let tables: Vec<_> = open.keys().map(|&table| table.to_owned()).collect();
        let rows = self.0.store.table_results(&tables).await.map_err(ApiError::from)?;
        let mut statuses = BTreeMap::new();
        for row in rows {
            let since = open.get(row.table.as_str()).copied().unwrap_or_default();
            let is_early = state.phase() == TournamentPhase::Running
                && self.0.tables.elapsed(since) <= 1000 * u64::from(state.settings().sit_down_s);
            let status = match (row.status, row.reason) {
                (Status::Ended, Some(EndReason::Aborted)) => TableStatus::Aborted,
                (Status::Ended, _) => TableStatus::Ended { winner: row.winner },
                // No one can have forfeited yet, so that the log need not be read.
                _ if is_early => TableStatus::Playing,
                _ => self.begun(id, &row.table).await?,
            };
            statuses.insert(row.table, status);
        }
        Ok(statuses)
    }

    /// Whether both sides have moved at a table.
    async fn begun(&self, id: &str, table: &str) -> Result<TableStatus, ApiError> {
        if self.0.known.lock().get(id).is_some_and(|known| known.begun.contains(table)) {
            return Ok(TableStatus::Playing);
        }
        let Some(game) = self.0.tables.replay(table).await? else { return Ok(TableStatus::Playing) };
        let side = game.game().turn();
        if !game.has_moved(side) {
            return Ok(TableStatus::Waiting { side, since: game.since() });
        }
        if game.has_begun()
            && let Some(known) = self.0.known.lock().get_mut(id)
        {
            known.begun.insert(table.to_owned());
        }
        Ok(TableStatus::Playing)
    }

    /// Ends a table before its game is replayed, so that it cannot be rated later. Returns whether it was rated.
    async fn stop_table(&self, table: &str) -> Result<bool, ApiError> {
        self.end_table(table, None).await?;
        let state = self.0.tables.replay(table).await?;
        Ok(state.is_some_and(|state| state.result().is_some_and(|result| result.ratings.is_some())))
    }

    /// Ends a table that was decided elsewhere, unless it is over.
    async fn end_table(&self, table: &str, winner: Option<Side>) -> Result<(), ApiError> {
        match self.0.tables.end(table, winner).await {
            // An operator has deleted the table.
            Err(error) if error.code != ErrorCode::UnknownTable => Err(error),
            _ => Ok(()),
        }
    }

    /// Ends the tables of games that were decided elsewhere, and those that nobody had begun when the tournament ended.
    /// Games in progress continue.
    async fn close_tables(&self, id: &str) -> Result<(), ApiError> {
        let state = self.state(id).await?;
        let mut tables = state.closed_tables().to_vec();
        let is_over = state.phase() == TournamentPhase::Over;
        if is_over {
            let waits =
                |(table, status)| matches!(status, TableStatus::Waiting { .. }).then_some((table, None));
            tables.extend(self.table_statuses(id).await?.into_iter().filter_map(waits));
        }
        for (table, winner) in tables {
            if self.0.known.lock().get(id).is_some_and(|known| known.closed.contains(&table)) {
                continue;
            }
            self.end_table(&table, winner).await?;
            if let Some(known) = self.0.known.lock().get_mut(id) {
                known.closed.insert(table);
            }
        }
        if is_over {
            self.0.store.close_tournament(id).await.map_err(ApiError::from)?;
        }
        Ok(())
    }
}

/// Ends a tournament in the place of its organiser, and its games without a result: for operators, also while servers run.
/// Returns the number of its games.
///
/// # Errors
/// If the tournament does not exist or is over, or the store is unavailable.
pub fn end_tournament<'a>(store: &'a Store, id: &'a str) -> BoxFuture<'a, Result<usize, ApiError>> {
    Box::pin(async move {
        for _ in 0..MAX_RETRIES {
            let events = store.tournament_events(id, 0).await.map_err(ApiError::from)?;
            let mut events = events.iter();
            let (at, opened) = events.next().ok_or_else(unknown)?;
            let mut state = State::new(*at, opened).ok_or_else(unknown)?;
            events.for_each(|(at, event)| state.apply(*at, event));
            if state.phase() == TournamentPhase::Over {
                return Err(ErrorCode::GameOver.because("the tournament is over"));
            }
            let decided = [TournamentEvent::Ended { by_organiser: false }];
            let tables: Vec<_> = state.open_tables().map(|(table, _)| table.to_owned()).collect();
            let (after, now) = (state.version(), store.clock().now_ms());
            decided.iter().for_each(|event| state.apply(now, event));
            let change = TournamentChange {
                id,
                after,
                at: now,
                events: &decided,
                tables: Vec::new(),
                summary: &state.summary(id),
                organiser: state.organiser(),
                is_listed: state.settings().listed,
            };
            match store.append_tournament(change).await {
                Ok(()) => {}
                // A server was faster.
                Err(StoreError::Conflict) => continue,
                Err(error) => return Err(error.into()),
            }
            for table in &tables {
                store.end_table(table).await.map_err(ApiError::from)?;
            }
            return Ok(tables.len());
        }
        Err(ErrorCode::Unavailable.because("too many changes at once; try again"))
    })
}

/// The settings of the tables of a tournament.
fn table_settings(tournament: &NewTournament, id: &str) -> Settings {
    Settings {
        game: tournament.game.clone(),
        position: None,
        clock: tournament.clock,
        rated: tournament.rated,
        take_back: false,
        listed: tournament.listed,
        invited: None,
        tournament: Some(id.to_owned()),
        bots: true,
        unverified: false,
    }
}

/// Returns the tables with these keys, named by games of the state. A game that was played is not rated again.
fn new_tables(id: &str, state: &State, keys: Vec<TableKey>, now: u64) -> Vec<(TableRow, Event)> {
    let settings = table_settings(state.settings(), id);
    let table = |key: TableKey| {
        let game = state.games().iter().find(|game| game.table.as_ref() == Some(&key.id))?;
        let seats = game.players.map(|player| state.players()[player].occupant.clone());
        let settings = Settings { rated: settings.rated && !game.was_played, ..settings.clone() };
        let (row, event) = new_row(&settings, &seats, "", None, now);
        Some((TableRow { key, ..row }, event))
    };
    keys.into_iter().filter_map(table).collect()
}

fn unknown() -> ApiError {
    ErrorCode::NotFound.because("there is no such tournament")
}
