//! Checks at the end of a run, when everything works again.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use protocol::{DecidedBy, EndReason, Event, Status, TournamentEvent, TournamentPhase};
use table::{LogEntry, Principal, State};
use tokio::time::sleep;
use tournament::people::State as Tournament;

use super::{
    database::Database,
    world::{Told, World},
};

/// Maximum error of a node's clock, which runs at most 5 % faster or slower than true time.
const MAX_CLOCK_ERROR_MS: u64 = 3_500;
/// Number of comparisons of the nodes before a difference counts.
const COMPARISONS: usize = 5;
/// Time after which every node has polled the log.
const POLL_INTERVAL: Duration = Duration::from_secs(6);
/// Time after which every table without clients is unloaded, with a margin.
const IDLE: Duration = Duration::from_secs(75);
/// Maximum delay of a flag: a node that does not own the table waits three seconds, and may first have to
/// take the table over.
const MAX_FLAG_DELAY_MS: u64 = 15_000;

/// Checks logs, promises to clients, clocks, ratings and downtimes; then that every node has the same tables, and that it
/// forgets them.
pub(super) async fn check(world: &Arc<World>) {
    check_logs(world);
    // A flag may still have fallen, and its hint may have been lost.
    let mut found = compare_nodes(world).await;
    for _ in 1..COMPARISONS {
        if found.is_empty() {
            break;
        }
        sleep(POLL_INTERVAL).await;
        found = compare_nodes(world).await;
    }
    sleep(IDLE).await;
    for server in 0..world.servers() {
        let open = world.node(server).map_or(0, |node| node.registry.open_count());
        if open > 0 {
            found.push(format!("{open} tables without clients stay in the memory of server {server}"));
        }
    }
    for what in found {
        world.violated(what);
    }
}

fn check_logs(world: &World) {
    let found = world.with(|state| {
        let mut found = std::mem::take(&mut state.violations);
        found.append(&mut state.database.violations);
        let error = state.clock_error_ms;
        if error > MAX_CLOCK_ERROR_MS {
            found.push(format!("a clock was wrong by {error} ms"));
        }
        let database = &state.database;
        for (from, to) in &database.downtimes {
            // A heartbeat with a long delay does not count.
            let is_inside =
                |(sent, written): &&(u64, u64)| *sent > from + 2 * error && written + 2 * error < *to;
            if let Some(heartbeat) = database.heartbeats.iter().find(is_inside) {
                found.push(format!("a downtime from {from} to {to}, but a heartbeat at {heartbeat:?}"));
            }
        }
        let downtimes: Vec<_> = database.downtimes.iter().copied().collect();
        let nothing = Told::default();
        for (id, table) in &database.tables {
            let told = state.told.get(id).unwrap_or(&nothing);
            let context = LogContext { told, downtimes: &downtimes, now: world.now_ms(), clock_error: error };
            let ratings = u32::from(is_rated(&table.log));
            if table.ratings != ratings {
                found.push(format!("{id}: rated {} times instead of {ratings}", table.ratings));
            }
            found.extend(context.check(&table.log).into_iter().map(|what| format!("{id}: {what}")));
        }
        for (id, tournament) in &database.tournaments {
            found.extend(
                check_tournament(&tournament.log, database).into_iter().map(|what| format!("{id}: {what}")),
            );
            if tournament.summary.phase != TournamentPhase::Entry && !tournament.is_closed {
                found.push(format!("{id}: {:?}, not closed", tournament.summary.phase));
            }
        }
        found
    });
    world.with(|state| {
        state.violations = found;
        let ratings = state.database.ratings.check();
        state.violations.extend(ratings);
    });
}

/// Whether the result of a table must be rated: both sides made two moves, and it was not decided elsewhere. Nobody
/// claims a game in these runs, so that an abandoned one was decided by an organiser or for a no-show.
fn is_rated(log: &[LogEntry]) -> bool {
    let is_rated = matches!(log.first(), Some(LogEntry { event: Event::Created { settings, .. }, .. }) if settings.rated);
    let ended = log.iter().find_map(|entry| match entry.event {
        Event::Ended { reason, .. } => Some(reason),
        _ => None,
    });
    is_rated
        && moves(log) >= 4
        && ended.is_some_and(|reason| !matches!(reason, EndReason::Aborted | EndReason::Abandoned))
}

fn moves(log: &[LogEntry]) -> usize {
    log.iter().filter(|entry| matches!(entry.event, Event::Moved { .. })).count()
}

/// Nobody is paired during another game, results are those of the tables, organisers decide no game of their own, no game is
/// rated twice, and no game remains that nobody has begun.
fn check_tournament(log: &[(u64, TournamentEvent)], database: &Database) -> Vec<String> {
    let mut found = Vec::new();
    let Some(mut state) = log.first().and_then(|(at, opened)| Tournament::new(*at, opened)) else {
        return vec!["its log has no first event".to_owned()];
    };
    // The tables of each game.
    let mut tables: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for (at, event) in &log[1..] {
        let known = state.games().len();
        state.apply(*at, event);
        match event {
            TournamentEvent::Decided { game, result } => {
                let game = &state.games()[*game];
                let is_own =
                    game.players.iter().any(|&player| state.players()[player].occupant.is(state.organiser()));
                if is_own && result.by == DecidedBy::Organiser {
                    found.push("the organiser decided an own game".to_owned());
                }
                let row = game.table.as_ref().and_then(|table| database.tables.get(table));
                if let (DecidedBy::Play, Some(table)) = (result.by, row)
                    && (table.row.status, table.row.winner) != (Status::Ended, result.winner)
                {
                    found.push(format!("{result:?}, but the table has {:?}", table.row.winner));
                }
            }
            TournamentEvent::Paired { .. } | TournamentEvent::Replayed { .. } => {
                let open: Vec<_> = state
                    .games()
                    .iter()
                    .filter(|game| game.result.is_none() && game.table.is_some())
                    .collect();
                for (number, game) in state.games().iter().enumerate() {
                    let Some(table) = &game.table else { continue };
                    let tables = tables.entry(number).or_default();
                    if !tables.contains(table) {
                        tables.push(table.clone());
                    }
                    let is_busy =
                        |player: &usize| open.iter().filter(|it| it.players.contains(player)).count() > 1;
                    if number >= known && game.players.iter().any(is_busy) {
                        found.push("somebody was paired during another game".to_owned());
                    }
                }
            }
            _ => {}
        }
    }
    for (game, tables) in tables {
        // A game that has begun continues when the tournament is over.
        for table in tables.iter().filter_map(|table| database.tables.get(table)) {
            if table.row.status != Status::Ended && moves(&table.log) < 2 {
                found.push(format!("nobody has begun game {game}, and its table is left over"));
            }
        }
        let rated =
            tables.iter().filter(|table| database.tables.get(*table).is_some_and(|it| it.ratings > 0));
        if rated.count() > 1 {
            found.push(format!("game {game} was rated more than once"));
        }
    }
    found
}

struct LogContext<'a> {
    told: &'a Told,
    downtimes: &'a [(u64, u64)],
    now: u64,
    clock_error: u64,
}

impl LogContext<'_> {
    fn check(&self, log: &[LogEntry]) -> Vec<String> {
        let mut found = Vec::new();
        if let Some((entry, expected)) =
            log.iter().zip(1..).find(|(entry, version)| entry.version != *version)
        {
            found.push(format!("version {} instead of {expected}", entry.version));
        }
        let state = match State::replay(log) {
            Ok(Some(state)) => state,
            other => return vec![format!("cannot be replayed: {:?}", other.err())],
        };
        let moves = moves(log);
        if moves != state.moves().len() {
            found.push(format!("{moves} moves in the log, {} in the game", state.moves().len()));
        }
        let stored = |ply: u32| state.moves().get(ply as usize - 1).map(|played| played.text.as_str());
        for (ply, text) in &self.told.acknowledged {
            if stored(*ply) != Some(text) {
                found.push(format!("{text} was acknowledged as move {ply}, which is {:?}", stored(*ply)));
            }
        }
        for (ply, text) in &self.told.stale {
            if stored(*ply).is_none_or(|stored| stored == text) {
                found.push(format!("{text} was refused as move {ply}, which is {:?}", stored(*ply)));
            }
        }
        if self.told.over && state.status() != Status::Ended {
            found.push("a move was refused because the game was over, but it is not".to_owned());
        }
        if state.flag_at(self.downtimes).is_some_and(|at| at + MAX_FLAG_DELAY_MS < self.now) {
            found.push(format!("the flag of {:?} has not fallen", state.game().turn()));
        }
        self.check_clocks(log, &mut found);
        found
    }

    /// Checks that a side is charged for its thinking time without downtimes, and loses on time only if no
    /// time is left.
    fn check_clocks(&self, log: &[LogEntry], found: &mut Vec<String>) {
        let mut replayed: Option<State> = None;
        for entry in log {
            let Some(state) = &mut replayed else {
                replayed = State::new(entry.version, entry.at, &entry.event).ok();
                continue;
            };
            let passed = entry.at.saturating_sub(state.since());
            let down = self
                .downtimes
                .iter()
                .map(|&(from, to)| to.min(entry.at).saturating_sub(from.max(state.since())));
            let thinking = passed.saturating_sub(down.sum());
            let runs = state.clocks(state.since(), &[]).filter(|clocks| clocks.running.is_some());
            match &entry.event {
                Event::Moved { ply, side, left_ms: Some(left), lag_compensation_ms, .. }
                    if runs.is_some() =>
                {
                    let before = runs.expect("checked before").left_ms[side.index()];
                    let increment = match state.settings().clock {
                        protocol::Clock::Game { increment_ms, .. } => increment_ms,
                        _ => 0,
                    };
                    let Some(used) = (before + increment).checked_sub(left[side.index()]) else {
                        found.push(format!("move {ply} gained time: {before} to {}", left[side.index()]));
                        continue;
                    };
                    let (least, most) = (thinking.saturating_sub(*lag_compensation_ms), passed);
                    if used < least || used > most {
                        found.push(format!("move {ply} cost {used} ms instead of {least} to {most}"));
                    }
                }
                Event::Ended { reason: EndReason::Time, .. } => {
                    let left = runs.map_or(0, |clocks| clocks.left_ms[state.game().turn().index()]);
                    if passed + 2 * self.clock_error < left {
                        found.push(format!("lost on time after {passed} ms of {left}"));
                    }
                }
                _ => {}
            }
            if state.apply(entry.version, entry.at, &entry.event).is_err() {
                return;
            }
        }
    }
}

/// Returns where a node's view of a table differs from the log.
async fn compare_nodes(world: &Arc<World>) -> Vec<String> {
    let mut found = Vec::new();
    let eve = Principal { ids: vec!["u:eve".to_owned()], name: "eve".to_owned(), account: None, bot: false };
    let eve = Arc::new(eve);
    let logs: Vec<_> = world.with(|state| {
        let tables = state.database.tables.iter();
        tables.map(|(id, table)| (id.clone(), table.log.clone())).collect()
    });
    for server in 0..world.servers() {
        let Some(node) = world.node(server) else {
            found.push(format!("server {server} does not run"));
            continue;
        };
        for (id, log) in &logs {
            let Ok(Some(state)) = State::replay(log) else { continue };
            let snapshot = match node.registry.snapshot(id, &eve).await {
                Ok(snapshot) => snapshot,
                Err(error) => {
                    found.push(format!("{id} on server {server}: {error:?}"));
                    continue;
                }
            };
            let moves = snapshot.moves.iter().map(|played| (&played.text, played.at, played.left_ms));
            let is_same = snapshot.v == state.version()
                && snapshot.status == state.status()
                && snapshot.result.as_ref() == state.result()
                && moves.eq(state.moves().iter().map(|played| (&played.text, played.at, played.left_ms)));
            if !is_same {
                let versions = (snapshot.v, state.version());
                found.push(format!("{id} differs on server {server}: versions {versions:?}"));
            }
            world.count(|figures| figures.replicas += 1);
        }
    }
    found
}
