//! The database that the simulated nodes share. It does on maps what the store does in SQL, and records
//! violations of the log's invariants.

use std::collections::{BTreeMap, BTreeSet};

use protocol::{Clock, Event, TournamentEvent, TournamentPhase, TournamentSummary};
use store::{SILENCE_MS, StoreError, TableChange, TableKey, TableResult, TableRow};
use table::LogEntry;

use super::ratings::Ratings;

type Result<T> = std::result::Result<T, StoreError>;

/// A table as it is stored.
pub(super) struct StoredTable {
    pub(super) row: TableRow,
    /// The node that owns it.
    owner: Option<String>,
    pub(super) log: Vec<LogEntry>,
    /// How often its result was rated.
    pub(super) ratings: u32,
}

/// A tournament as it is stored.
pub(super) struct StoredTournament {
    pub(super) log: Vec<(u64, TournamentEvent)>,
    pub(super) summary: TournamentSummary,
    /// Whether nothing is due any more.
    pub(super) is_closed: bool,
}

/// Events of a tournament to append, with the tables that they name.
pub(super) struct NewEvents {
    pub(super) id: String,
    pub(super) after: u64,
    pub(super) at: u64,
    pub(super) events: Vec<TournamentEvent>,
    pub(super) tables: Vec<(TableRow, Event)>,
    pub(super) summary: TournamentSummary,
}

/// Tables, tournaments, ratings, nodes and downtimes.
#[derive(Default)]
pub(super) struct Database {
    pub(super) tables: BTreeMap<String, StoredTable>,
    pub(super) tournaments: BTreeMap<String, StoredTournament>,
    pub(super) ratings: Ratings,
    /// The number of keys of tables that nodes have drawn.
    keys: u64,
    /// The last heartbeat of each node.
    nodes: BTreeMap<String, u64>,
    /// The nodes with an open connection.
    pub(super) connected: BTreeSet<String>,
    pub(super) downtimes: BTreeSet<(u64, u64)>,
    /// When each heartbeat was sent, by the clock of its node, and written.
    pub(super) heartbeats: Vec<(u64, u64)>,
    pub(super) violations: Vec<String>,
}

impl Database {
    pub(super) fn create_table(
        &mut self,
        owner: Option<&str>,
        row: &TableRow,
        events: Vec<Event>,
    ) -> Result<()> {
        if self.tables.contains_key(&row.key.id) {
            return Err(StoreError::Conflict);
        }
        let entry = |(version, event)| LogEntry { version, at: row.created, event };
        let log = (1..).zip(events).map(entry).collect();
        let table = StoredTable { row: row.clone(), owner: owner.map(str::to_owned), log, ratings: 0 };
        self.tables.insert(row.key.id.clone(), table);
        Ok(())
    }

    pub(super) fn row(&self, id: &str) -> Option<TableRow> {
        self.tables.get(id).map(|table| table.row.clone())
    }

    pub(super) fn events(&self, id: &str, after: u64) -> Vec<LogEntry> {
        let log = self.tables.get(id).map_or(&[][..], |table| &table.log);
        log.iter().filter(|entry| entry.version > after).cloned().collect()
    }

    /// Appends an event, unless another writer has already stored this version of the table.
    pub(super) fn append(
        &mut self,
        key: &TableKey,
        after: u64,
        at: u64,
        events: Vec<Event>,
        change: Option<TableChange>,
    ) -> Result<Vec<LogEntry>> {
        let Some(table) = self.tables.get_mut(&key.id) else {
            return Err(StoreError::internal("an append to a table that does not exist"));
        };
        let version = table.log.last().map_or(0, |entry| entry.version);
        if after < version {
            return Err(StoreError::Conflict);
        }
        if after > version {
            self.violations
                .push(format!("{}: an append after {after}, but the log ends at {version}", key.id));
        }
        let entry = |(version, event)| LogEntry { version, at, event };
        let mut entries: Vec<_> = (after + 1..).zip(events).map(entry).collect();
        if let Some(rated) = change.as_ref().and_then(|change| change.rated.as_ref())
            && let Some(LogEntry { event: Event::Ended { winner, ratings, .. }, .. }) = entries.last_mut()
        {
            *ratings = self.ratings.rate(&table.row, rated, *winner, at);
        }
        table.log.extend(entries.iter().cloned());
        if let Some(change) = change {
            let row = &mut table.row;
            row.updated = at;
            row.status = change.status.unwrap_or(row.status);
            row.winner = change.winner.or(row.winner);
            row.reason = change.reason.or(row.reason);
            row.ply = change.ply.unwrap_or(row.ply);
            row.needs_owner = change.needs_owner.unwrap_or(row.needs_owner);
            if let Some(seats) = change.seats {
                row.seats = seats;
            }
            table.ratings += u32::from(change.rated.is_some());
        }
        Ok(entries)
    }

    /// Returns the keys of a new table, the same ones in every run.
    pub(super) fn new_key(&mut self) -> TableKey {
        self.keys += 1;
        TableKey { id: format!("cup{}", self.keys), number: 1_000_000 + self.keys }
    }

    /// See `Store::append_tournament`.
    pub(super) fn append_tournament(&mut self, owner: Option<&str>, new: NewEvents) -> Result<()> {
        let version = self.tournaments.get(&new.id).map_or(0, |tournament| tournament.log.len() as u64);
        let is_taken = new.tables.iter().any(|(row, _)| self.tables.contains_key(&row.key.id));
        if new.after < version || is_taken {
            return Err(StoreError::Conflict);
        }
        if new.after > version {
            let (id, after) = (&new.id, new.after);
            self.violations.push(format!("{id}: an append after {after}, but the log ends at {version}"));
        }
        for (row, event) in new.tables {
            self.create_table(owner, &row, vec![event])?;
        }
        let tournament = self.tournaments.entry(new.id).or_insert_with(|| StoredTournament {
            log: Vec::new(),
            summary: new.summary.clone(),
            is_closed: false,
        });
        tournament.log.extend(new.events.into_iter().map(|event| (new.at, event)));
        tournament.summary = new.summary;
        Ok(())
    }

    pub(super) fn tournament_events(&self, id: &str, after: u64) -> Vec<(u64, TournamentEvent)> {
        let log = self.tournaments.get(id).map_or(&[][..], |tournament| &tournament.log);
        log.iter().skip(after as usize).cloned().collect()
    }

    /// See `Store::due_tournaments`. No tournament starts by itself.
    pub(super) fn due_tournaments(&self) -> Vec<String> {
        let due = |it: &StoredTournament| !it.is_closed && it.summary.phase != TournamentPhase::Entry;
        self.tournaments.iter().filter(|(_, tournament)| due(tournament)).map(|(id, _)| id.clone()).collect()
    }

    /// See `Store::close_tournament`.
    pub(super) fn close_tournament(&mut self, id: &str) {
        if let Some(tournament) = self.tournaments.get_mut(id) {
            tournament.is_closed = tournament.summary.phase == TournamentPhase::Over;
        }
    }

    pub(super) fn table_results(&self, tables: &[String]) -> Vec<TableResult> {
        let result = |id: &String| {
            let row = &self.tables.get(id)?.row;
            let (status, winner, reason) = (row.status, row.winner, row.reason);
            Some(TableResult { table: id.clone(), status, winner, reason })
        };
        tables.iter().filter_map(result).collect()
    }

    /// See `Store::heartbeat`.
    pub(super) fn heartbeat(&mut self, node: &str, is_first: bool, now: u64) -> Option<(u64, u64)> {
        let newest = self.last_heartbeat();
        let mut silence = SILENCE_MS;
        if is_first {
            self.nodes.retain(|node, _| self.connected.contains(node));
            if self.nodes.is_empty() {
                silence = 0;
            }
        }
        let downtime =
            newest.filter(|newest| now.saturating_sub(*newest) > silence).map(|newest| (newest, now));
        self.downtimes.extend(downtime);
        let seen = self.nodes.entry(node.to_owned()).or_insert(now);
        *seen = now.max(*seen);
        downtime
    }

    pub(super) fn last_heartbeat(&self) -> Option<u64> {
        self.nodes.values().max().copied()
    }

    /// See `Store::downtimes`.
    pub(super) fn downtimes(&self, since: u64, now: u64) -> Vec<(u64, u64)> {
        let overlapping = self.downtimes.iter().filter(|(from, to)| *to > since && *from < now);
        overlapping.map(|&(from, to)| (from, to.min(now))).collect()
    }

    pub(super) fn live_nodes(&self, since: u64) -> Vec<String> {
        self.nodes.iter().filter(|(_, seen)| **seen >= since).map(|(node, _)| node.clone()).collect()
    }

    /// See `Store::take_over`.
    pub(super) fn take_over(&mut self, node: &str, dead_before: u64) -> Vec<String> {
        let live: BTreeSet<_> = self.live_nodes(dead_before).into_iter().collect();
        let mut taken = Vec::new();
        for (id, table) in &mut self.tables {
            let is_owned = table.owner.as_ref().is_some_and(|owner| owner == node || live.contains(owner));
            if table.row.needs_owner && !is_owned {
                table.owner = Some(node.to_owned());
                taken.push(id.clone());
            }
        }
        taken
    }

    pub(super) fn owns(&self, node: &str, id: &str) -> bool {
        self.tables.get(id).is_some_and(|table| table.owner.as_deref() == Some(node))
    }

    pub(super) fn timed_tables(&self, node: &str) -> Vec<String> {
        let is_timed = |table: &StoredTable| table.row.settings.clock != Clock::None && table.row.needs_owner;
        let tables = self.tables.iter().filter(|(id, table)| is_timed(table) && self.owns(node, id));
        tables.map(|(id, _)| id.clone()).collect()
    }

    pub(super) fn versions(&self, tables: &[String]) -> Vec<(String, u64)> {
        let version = |id: &String| Some((id.clone(), self.tables.get(id)?.log.last()?.version));
        tables.iter().filter_map(version).collect()
    }
}
