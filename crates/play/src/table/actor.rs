//! The actor of a live table: one task that handles messages in order, decides, appends, broadcasts and responds.
//! Its whole state can be rebuilt from the log.
//!
//! The actor never sleeps. While it waits for the store, it handles the messages that need no log and keeps the others
//! in order. Searches run elsewhere and report by message; back-off and flags are deadlines of its one timer.

use std::{collections::VecDeque, pin::pin, sync::Arc, time::Duration};

use players::Stop;
use protocol::{ApiError, Command, Done, ErrorCode, Snapshot, Status};
use store::{TableKey, task};
use table::{Context, Decision, Principal, State};
use tokio::{
    sync::mpsc::UnboundedReceiver,
    time::{Instant, sleep_until},
};

use super::{
    lease::Lease,
    message::{Envelope, Message},
    outage::{BACK_OFF, corrupt, short_id, store_unavailable},
    presence::{Presence, Subscriber},
    registry::Registry,
    sink::EventSink,
};

/// A table without subscribers that needs no owner is unloaded after this time; its players may come back.
const IDLE_TIMEOUT: Duration = Duration::from_secs(60);
/// The same for finished games, to which few players come back.
const ENDED_IDLE_TIMEOUT: Duration = Duration::from_millis(200);
/// Clients that are further behind receive a snapshot.
const MAX_MISSED: u64 = 300;
/// Delay before this node tries again to load a table that it owns.
const RELOAD_DELAY: Duration = Duration::from_secs(2);

/// The table with its subscribers.
pub(super) struct Actor {
    pub(super) key: Arc<TableKey>,
    pub(super) registry: Registry,
    pub(super) state: State,
    pub(super) presence: Presence,
    pub(super) lease: Lease,
    /// The code of the table while a seat is open.
    pub(super) code: Option<String>,
    /// Whether the log may be ahead of the state.
    pub(super) is_behind: bool,
    /// The end of the back-off, if the store has failed.
    pub(super) retry_at: Option<Instant>,
    /// The epoch of the running search of a program.
    pub(super) thinking: Option<(u64, Stop)>,
    /// The version that led to the current position, or the version at which the table was loaded.
    pub(super) epoch: u64,
    mailbox: UnboundedReceiver<Envelope>,
    /// Messages that arrived while the actor waited for the store.
    deferred: VecDeque<Envelope>,
    /// The sink that is about to be subscribed.
    joining: Option<u64>,
    idle_since: Instant,
}

/// Runs a table that was just created, until it is idle.
///
/// There are thousands of these tasks, so rarely used operations are boxed: their state would dominate a task's memory.
pub(super) async fn run(mut actor: Actor) {
    actor.run().await;
}

/// Loads a table from the log and runs it until it is idle.
pub(super) async fn load_and_run(id: String, registry: Registry, mut mailbox: UnboundedReceiver<Envelope>) {
    let loaded = {
        let _permit = registry.loading().await;
        load(&id, &registry).await
    };
    match loaded {
        Ok(table) => Box::pin(run(Actor::new(registry, table, mailbox))).await,
        Err(error) => {
            registry.forget(&id);
            let mut needs_owner = false;
            while let Ok(message) = mailbox.try_recv() {
                needs_owner |= matches!(*message, Message::TakeOver);
                message.refuse(&error);
            }
            if needs_owner && error.code == ErrorCode::Unavailable {
                task::spawn(async move {
                    tokio::time::sleep(RELOAD_DELAY).await;
                    registry.send(&id, Message::TakeOver);
                });
            }
        }
    }
}

/// Loads a table from the store.
pub(super) struct LoadedTable {
    pub(super) key: TableKey,
    pub(super) state: State,
    pub(super) code: Option<String>,
    pub(super) owns: bool,
}

async fn load(id: &str, registry: &Registry) -> Result<LoadedTable, ApiError> {
    let unknown = || ErrorCode::UnknownTable.because("there is no such table");
    let store = registry.store();
    let row = store.table(id).await.map_err(ApiError::from)?.ok_or_else(unknown)?;
    let log = store.events(id, 0).await.map_err(ApiError::from)?;
    let state = State::replay(&log).map_err(|error| corrupt(id, &error))?.ok_or_else(unknown)?;
    let owns = store.owns(id).await.map_err(ApiError::from)?;
    Ok(LoadedTable { key: row.key, state, code: row.code, owns })
}

impl Actor {
    pub(super) fn new(registry: Registry, table: LoadedTable, mailbox: UnboundedReceiver<Envelope>) -> Self {
        let LoadedTable { key, state, code, owns } = table;
        Self {
            presence: Presence::new(key.id.clone(), registry.clone()),
            // While the table was being created, a seat may have been taken on another node.
            is_behind: registry.store().is_shared() && state.status() == Status::Open,
            epoch: state.version(),
            state,
            lease: Lease::new(owns),
            code,
            key: Arc::new(key),
            retry_at: None,
            thinking: None,
            mailbox,
            deferred: VecDeque::new(),
            joining: None,
            idle_since: registry.clock().instant(),
            registry,
        }
    }

    async fn run(&mut self) {
        self.presence.announce(true);
        self.request_program_move();
        let mut alarm = pin!(sleep_until(self.next_wake()));
        loop {
            // A flag falls on time however many messages arrive.
            if self.is_flag_due() {
                self.handle_deadlines().await;
            }
            if let Some(message) = self.deferred.pop_front() {
                self.handle(*message).await;
                continue;
            }
            // A spurious wake-up is cheaper than resetting the timer for every move.
            let wake = self.next_wake();
            if wake < alarm.deadline() || alarm.is_elapsed() {
                alarm.as_mut().reset(wake);
            }
            tokio::select! {
                biased;
                message = self.mailbox.recv() => match message {
                    Some(message) => self.handle(*message).await,
                    None => break,
                },
                () = &mut alarm => {
                    if self.is_idle() && self.registry.forget_if_unused(&self.key.id, &self.mailbox) {
                        break;
                    }
                    self.handle_deadlines().await;
                }
            }
        }
        if let Some((_, stop)) = &self.thinking {
            stop.cancel();
        }
    }

    /// Waits for the store and meanwhile handles messages that need no log. The others keep their order.
    pub(super) async fn wait<T>(&mut self, work: impl Future<Output = T>) -> T {
        let mut work = pin!(work);
        loop {
            tokio::select! {
                biased;
                done = &mut work => return done,
                message = self.mailbox.recv() => match message {
                    Some(message) if self.can_handle_while_waiting(&message) => self.handle_presence(*message),
                    Some(message) => self.deferred.push_back(message),
                    None => return work.await,
                },
            }
        }
    }

    /// Whether a message needs no log and may overtake deferred messages.
    fn can_handle_while_waiting(&self, message: &Message) -> bool {
        match message {
            Message::RemotePresence { .. } | Message::NodeGone { .. } => true,
            Message::Leave { sink } => {
                self.joining != Some(*sink) && !self.deferred.iter().any(|message| message.joins(*sink))
            }
            _ => false,
        }
    }

    /// The number of messages waiting for the log.
    #[cfg(test)]
    pub(super) fn deferred(&self) -> usize {
        self.deferred.len()
    }

    fn is_idle(&self) -> bool {
        let clock = self.registry.clock();
        self.presence.is_empty()
            && clock.instant() - self.idle_since >= self.idle_timeout()
            && !self.lease.keeps_awake(&self.state, &self.registry.downtimes(), clock.now_ms())
    }

    fn idle_timeout(&self) -> Duration {
        if self.state.status() == Status::Ended { ENDED_IDLE_TIMEOUT } else { IDLE_TIMEOUT }
    }

    /// The time to act even if no message arrives.
    pub(super) fn next_wake(&self) -> Instant {
        let (now, timeout) = (self.registry.clock().instant(), self.idle_timeout());
        let mut wake = match self.presence.is_empty() {
            true => (self.idle_since + timeout).max(now + timeout.min(Duration::from_secs(1))),
            false => now + IDLE_TIMEOUT,
        };
        if self.is_behind {
            wake = wake.min(now + BACK_OFF);
        }
        if let Some(at) = self.flag_at() {
            let left = Duration::from_millis(at.saturating_sub(self.registry.clock().now_ms()));
            // No flag falls before the next heartbeat has told the downtimes.
            let left = if self.registry.knows_downtimes() { left } else { left.max(BACK_OFF) };
            wake = wake.min(now + left);
        }
        if let Some(retry_at) = self.retry_at {
            wake = wake.max(retry_at);
        }
        if let Some(at) = self.presence.next_send() {
            wake = wake.min(at);
        }
        wake
    }

    fn flag_at(&self) -> Option<u64> {
        self.lease.flag_at(&self.state, &self.registry.downtimes())
    }

    /// Whether a clock has run out. No flag falls before all downtimes are known, because clocks stand still
    /// during a downtime.
    fn is_flag_due(&self) -> bool {
        !self.is_backing_off()
            && self.registry.knows_downtimes()
            && self.flag_at().is_some_and(|at| at <= self.registry.clock().now_ms())
    }

    pub(super) fn is_backing_off(&self) -> bool {
        self.retry_at.is_some_and(|retry_at| retry_at > self.registry.clock().instant())
    }

    /// After a failure of the store, refuses requests until the back-off ends, instead of letting them wait one by one.
    pub(super) fn back_off(&mut self, by: Duration) {
        self.is_behind = true;
        self.retry_at = self.retry_at.max(Some(self.registry.clock().instant() + by));
    }

    async fn handle_deadlines(&mut self) {
        self.presence.send_if_due(self.state.seats());
        if self.is_flag_due() {
            // A move may have been appended by another node.
            self.is_behind = true;
            let flag = |state: &mut State, context: &Context| {
                let ended = state.flag(context.now, &context.downtimes);
                let ended =
                    ended.ok_or_else(|| ErrorCode::TooEarly.because("the clock has not run out yet"))?;
                Ok(Decision::Append(vec![ended]))
            };
            // If the store is unavailable, the clock shows zero and the flag falls after the back-off.
            let _ = self.change(flag, None).await;
        } else if self.is_behind {
            let _ = self.catch_up_if_behind().await;
        }
    }

    async fn handle(&mut self, message: Message) {
        if !message.is_from_node() {
            self.idle_since = self.registry.clock().instant();
        }
        if message.is_request() && self.is_backing_off() {
            return message.refuse(&store_unavailable());
        }
        match message {
            Message::Command { principal, command, measured_lag_ms, responder } => {
                let done = self.handle_command(&principal, &command, measured_lag_ms).await;
                responder.send(done);
            }
            Message::Join { principal, sink, seen, view, responder } => {
                self.joining = Some(sink.id());
                let done = self.join(principal, sink, seen, view).await;
                self.joining = None;
                responder.send(done);
            }
            Message::Look { principal, responder } => {
                let done = self.catch_up_if_behind().await.map(|()| {
                    let snapshot = Some(Box::new(self.snapshot(&principal)));
                    Done { snapshot, ..Done::at(self.state.version()) }
                });
                responder.send(done);
            }
            Message::Thought { epoch, waited, result } => self.handle_thought(epoch, waited, result).await,
            Message::Hint { version } => {
                if version == 0 {
                    // Announcements of the other nodes may have been lost, too.
                    self.presence.announce(true);
                }
                if version == 0 || version > self.state.version() {
                    self.is_behind = true;
                    // If the store is unavailable, the timer tries again.
                    let _ = self.catch_up_if_behind().await;
                }
            }
            Message::TakeOver => {
                self.lease = Lease::Owner;
                self.is_behind = true;
                let _ = self.catch_up_if_behind().await;
                self.request_program_move();
            }
            Message::Expire => {
                let (open_before, idle_before) =
                    self.registry.config().expiry(self.registry.clock().now_ms());
                let expire = |state: &mut State, _: &Context| match state.expire(open_before, idle_before) {
                    Some(ended) => Ok(Decision::Append(vec![ended])),
                    None => Ok(Decision::AlreadyDone { version: state.version() }),
                };
                // If the store is unavailable, it expires an hour later.
                let _ = self.change(expire, None).await;
            }
            Message::End { winner, responder } => {
                let end = |state: &mut State, _: &Context| match state.decided_elsewhere(winner) {
                    Some(ended) => Ok(Decision::Append(vec![ended])),
                    None => Ok(Decision::AlreadyDone { version: state.version() }),
                };
                let done = self.change(end, None).await;
                responder.send(done);
            }
            message => self.handle_presence(message),
        }
    }

    /// Handles the messages that need no log.
    fn handle_presence(&mut self, message: Message) {
        match message {
            Message::Leave { sink } => self.presence.leave(sink, self.state.seats()),
            Message::RemotePresence { node, here, watching, wants_answer } => {
                self.presence.set_remote(node, Some((here, watching)), self.state.seats());
                if wants_answer {
                    self.presence.announce(false);
                }
            }
            Message::NodeGone { node } => self.presence.set_remote(node, None, self.state.seats()),
            _ => return,
        }
        // Two programs play only before spectators.
        self.request_program_move();
    }

    async fn handle_command(
        &mut self,
        principal: &Arc<Principal>,
        command: &Command,
        lag_ms: u64,
    ) -> Result<Done, ApiError> {
        if matches!(command, Command::Chat { .. }) && !self.registry.config().chat {
            return Err(ErrorCode::NotAllowed.because("chat is disabled on this server"));
        }
        let decide = |state: &mut State, context: &Context| state.decide(principal, command, context);
        let by = Some((principal, lag_ms));
        let mut done = match self.change(decide, by).await {
            // Another node may have appended the moves before it, and its hint is still on its way.
            Err(error) if error.code == ErrorCode::FuturePly && self.registry.store().is_shared() => {
                self.is_behind = true;
                self.change(decide, by).await?
            }
            done => done?,
        };
        if let Command::MakeMove { ply, .. } = command {
            if self.state.moves().len() < *ply as usize {
                return Err(ErrorCode::GameOver.because("your time ran out"));
            }
            done.ply = Some(*ply);
        }
        Ok(done)
    }

    async fn join(
        &mut self,
        principal: Arc<Principal>,
        sink: EventSink,
        seen: Option<u64>,
        view: bool,
    ) -> Result<Done, ApiError> {
        // The hint of an event on another node may still be on its way.
        let is_ahead = seen.is_some_and(|seen| seen > self.state.version());
        self.is_behind |= (self.presence.is_empty() || is_ahead) && self.registry.store().is_shared();
        self.catch_up_if_behind().await?;
        let mut done = Done::at(self.state.version());
        if let Some(seen) = seen
            && let Some(missed) = self.state.version().checked_sub(seen)
            && missed <= MAX_MISSED
        {
            done.missed = Some(Box::pin(self.missed_since(seen, view)).await?);
        }
        let sides = self.state.sides(&principal);
        let subscriber = Subscriber { sink, principal: principal.clone(), sides, view };
        self.presence.join(subscriber, done.missed.is_none(), self.state.seats());
        if done.missed.is_none() {
            done.snapshot = Some(Box::new(self.snapshot(&principal)));
        }
        self.request_program_move();
        Ok(done)
    }

    fn snapshot(&self, principal: &Principal) -> Snapshot {
        let presence = self.presence.message(self.state.seats());
        let (now, downtimes) = (self.registry.clock().now_ms(), self.registry.downtimes());
        self.state.snapshot(&self.key.id, principal, self.code.as_deref(), presence, now, &downtimes)
    }

    /// Truncated id for logs: identifies the table without granting access.
    pub(super) fn short_id(&self) -> &str {
        short_id(&self.key.id)
    }
}
