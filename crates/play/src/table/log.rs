//! Changes of a table: decide, append to the log, apply, broadcast. The store accepts one writer per version; a writer
//! that gets a conflict reads the log and decides again.

use std::sync::{Arc, LazyLock};

use prometheus_client::metrics::counter::Counter;
use protocol::{ApiError, Done, ErrorCode, Event, Occupant, Status, TableUpdate};
use store::{Rated, RatedPlayer, StoreError, TableChange, metrics::METRICS};
use table::{Context, Decision, LogEntry, Principal, State};

use super::{
    actor::Actor,
    outage::{BACK_OFF, INVALID_LOG_BACK_OFF, store_unavailable},
    sink::EncodedFrame,
};

/// Maximum number of retries after version conflicts.
const MAX_RETRIES: usize = 20;

impl Actor {
    /// Decides, appends and broadcasts; retries on a version conflict.
    pub(super) async fn change(
        &mut self,
        mut decide: impl FnMut(&mut State, &Context) -> Result<Decision, ApiError>,
        by: Option<(&Arc<Principal>, u64)>,
    ) -> Result<Done, ApiError> {
        if self.state.is_timed() && !self.registry.knows_downtimes() {
            return Err(store_unavailable());
        }
        for _ in 0..MAX_RETRIES {
            self.catch_up_if_behind().await?;
            let context = self.context(by.map_or(0, |(_, lag_ms)| lag_ms));
            let now = context.now;
            let events = match decide(&mut self.state, &context)? {
                Decision::AlreadyDone { version } => return Ok(self.done(version)),
                Decision::Append(events) => events,
                Decision::CreateRematch => vec![Box::pin(self.create_rematch()).await?],
            };
            match self.append(now, events, by.map(|(principal, _)| principal)).await {
                Ok(()) => return Ok(self.done(self.state.version())),
                Err(StoreError::Conflict) => self.is_behind = true,
                Err(error) => {
                    // It is not known whether the events were written.
                    self.is_behind = true;
                    if error.is_outage() {
                        self.back_off(BACK_OFF);
                    }
                    return Err(error.into());
                }
            }
        }
        Err(ErrorCode::Unavailable.because("too many changes at once; try again"))
    }

    fn done(&self, version: u64) -> Done {
        Done { table: self.state.rematch().map(str::to_owned), ..Done::at(version) }
    }

    fn context(&self, measured_lag_ms: u64) -> Context {
        let now = self.registry.clock().now_ms();
        Context {
            now,
            downtimes: self.registry.downtimes(),
            away_ms: self.presence.away_ms(now),
            measured_lag_ms,
            grace_ms: self.registry.config().grace_ms,
        }
    }

    /// Creates the next game of the same players, with sides exchanged.
    async fn create_rematch(&mut self) -> Result<Event, ApiError> {
        let [first, second] = self.state.seats().clone();
        let (settings, creator) = (self.state.settings().clone(), self.state.creator().to_owned());
        let registry = self.registry.clone();
        let created = self.wait(registry.open(settings, [second, first], creator, false)).await?;
        Ok(Event::Rematch { table: created.table })
    }

    /// Appends events to the log, then applies and broadcasts them.
    async fn append(
        &mut self,
        at: u64,
        mut events: Vec<Event>,
        by: Option<&Arc<Principal>>,
    ) -> Result<(), StoreError> {
        for event in &mut events {
            if let (Event::Seated { occupant: Occupant::Person { rating, .. }, .. }, Some(principal)) =
                (event, by)
            {
                let (registry, settings) = (self.registry.clone(), self.state.settings().clone());
                *rating = Box::pin(self.wait(registry.shown_rating(principal, &settings))).await;
            }
        }
        let change = self.row_change(at, &events, by.is_some());
        let (registry, key, version) = (self.registry.clone(), self.key.clone(), self.state.version());
        for entry in self.wait(registry.store().append(&key, version, at, events, change)).await? {
            self.apply(entry).await;
        }
        self.request_program_move();
        Ok(())
    }

    /// Returns the changed list entry of the table after these events; `by_player` tells whether they are a player's
    /// command.
    fn row_change(&self, at: u64, events: &[Event], by_player: bool) -> Option<TableChange> {
        if !events.iter().any(|event| matches!(event, Event::Seated { .. } | Event::Ended { .. })) {
            return None;
        }
        let (state, mut next) = (&self.state, self.state.clone());
        for event in events {
            next.apply(0, at, event).expect("events of a decision can be applied");
        }
        let mut change = TableChange {
            status: (next.status() != state.status()).then_some(next.status()),
            seats: (next.seats() != state.seats()).then(|| next.seats().clone()),
            free_code: state.status() == Status::Open && next.status() != Status::Open,
            ply: Some(next.moves().len() as u32),
            needs_owner: (next.needs_owner() != state.needs_owner()).then_some(next.needs_owner()),
            ..TableChange::default()
        };
        if let Some(result) = next.result() {
            (change.winner, change.reason) = (result.winner, Some(result.reason));
            if next.counts_for_ratings(by_player) {
                change.rated = rated(&next);
            }
        }
        Some(change)
    }

    /// Applies and broadcasts events that other nodes have appended.
    pub(super) async fn catch_up_if_behind(&mut self) -> Result<(), ApiError> {
        if !self.is_behind {
            return Ok(());
        }
        if self.is_backing_off() {
            return Err(store_unavailable());
        }
        let log = Box::pin(self.read_log(self.state.version())).await;
        if log.as_ref().is_err_and(|error| !error.is_outage()) {
            self.back_off(INVALID_LOG_BACK_OFF);
        }
        for entry in log? {
            self.apply(entry).await;
        }
        self.is_behind = false;
        self.request_program_move();
        Ok(())
    }

    async fn read_log(&mut self, after: u64) -> Result<Vec<LogEntry>, StoreError> {
        let (registry, key) = (self.registry.clone(), self.key.clone());
        let log = self.wait(registry.store().events(&key.id, after)).await;
        if log.as_ref().is_err_and(StoreError::is_outage) {
            self.back_off(BACK_OFF);
        }
        log
    }

    /// Applies an event of the log, and broadcasts it to the subscribers of this node.
    async fn apply(&mut self, LogEntry { version, at, event }: LogEntry) {
        if let Err(error) = self.state.apply(version, at, &event) {
            let error = &error as &dyn std::error::Error;
            tracing::error!(table = self.short_id(), version, error, "event_log_corrupt");
            return;
        }
        EVENTS[kind(&event)].inc();
        if table::changes_position(&event) {
            self.epoch = version;
        }
        if matches!(event, Event::Seated { .. }) {
            self.presence.seat(|principal| self.state.sides(principal));
            if self.state.status() != Status::Open {
                self.code = None;
            }
        }
        let plain = self.update(version, at, event);
        let with_view =
            self.presence.wants_view().then(|| EncodedFrame::new(self.state.with_view(plain.clone())));
        self.presence.broadcast(&EncodedFrame::new(plain), with_view.as_ref(), self.state.seats()).await;
    }

    /// An event as clients receive it.
    fn update(&self, version: u64, at: u64, event: Event) -> TableUpdate {
        let (now, downtimes) = (self.registry.clock().now_ms(), self.registry.downtimes());
        self.state.message(&self.key.id, version, at, event, now, &downtimes)
    }

    /// Returns the updates after a version, the last one with the board if `view` is set.
    pub(super) async fn missed_since(&mut self, seen: u64, view: bool) -> Result<Vec<TableUpdate>, ApiError> {
        let version = self.state.version();
        if seen == version {
            return Ok(Vec::new());
        }
        let log = self.read_log(seen).await?;
        // Later events will be broadcast when they are applied.
        let log = log.into_iter().filter(|entry| entry.version <= version);
        let mut missed: Vec<_> =
            log.map(|LogEntry { version, at, event }| self.update(version, at, event)).collect();
        if view && let Some(last) = missed.pop() {
            missed.push(self.state.with_board(last));
        }
        Ok(missed)
    }
}

/// Event counters by kind. A lookup by name would cost more than the rest of the counting.
static EVENTS: LazyLock<[Counter; 4]> =
    LazyLock::new(|| ["moved", "ended", "chat", "other"].map(|kind| METRICS.events(kind)));

fn kind(event: &Event) -> usize {
    match event {
        Event::Moved { .. } => 0,
        Event::Ended { .. } => 1,
        Event::Chat(_) => 2,
        _ => 3,
    }
}

/// Returns the result of a game, if both sides can be rated.
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
        tournament: state.settings().tournament.clone(),
    })
}
