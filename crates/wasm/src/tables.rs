//! Local tables. A response has the events that a server would send, the entries of the log to store, and what the page
//! has to do next: start a program's search, or check a clock.

use players::{Resources, roster};
use protocol::{
    ApiError, Command, ErrorCode, NewTable, Occupant, Opponent, SidePreference, Snapshot, TableUpdate,
    Thought,
};
use rules::AnyGame;
use serde::Serialize;
use table::{LocalDone, LocalTable, LogEntry, ProgramTurn};

/// A table after a request.
#[derive(Debug, Serialize)]
pub(crate) struct Shown {
    snapshot: Snapshot,
    /// The updates since the request.
    updates: Vec<TableUpdate>,
    /// The same as entries of the log.
    entries: Vec<LogEntry>,
    /// The turn of a program.
    turn: Option<ProgramTurn>,
    /// When to check a clock, in Unix milliseconds.
    flag_at: Option<u64>,
    /// The next game of the same players, which has just begun.
    rematch: Option<Box<Shown>>,
}

/// The tables with their ids: a page has few.
#[derive(Debug, Default)]
pub(crate) struct Tables(Vec<(String, LocalTable)>);

impl Tables {
    pub(crate) fn open(
        &mut self,
        id: &str,
        new: &NewTable,
        seed: u64,
        resources: &Resources,
        now: u64,
    ) -> Result<Shown, ApiError> {
        let program = |game: &AnyGame, name: &str| program(game, name, resources);
        let (game, settings) = table::check_new_table(new)?;
        if settings.rated {
            return Err(ErrorCode::NotAllowed.because("a rated game needs a server"));
        }
        let seats = match &new.opponent {
            Opponent::Here => [LocalTable::me(), LocalTable::me()],
            Opponent::Program { name } => {
                let (me, program) = (LocalTable::me(), program(&game, name)?);
                let plays_first = match new.side {
                    SidePreference::First => true,
                    SidePreference::Second => false,
                    SidePreference::Random => seed.is_multiple_of(2),
                };
                if plays_first { [me, program] } else { [program, me] }
            }
            Opponent::Demo { first, second } => [program(&game, first)?, program(&game, second)?],
            Opponent::Link | Opponent::Challenge { .. } => {
                return Err(ErrorCode::NotAllowed.because("a game between people needs a server"));
            }
        };
        let table = LocalTable::new(settings, seats, now)
            .map_err(|error| ErrorCode::BadMessage.because(error.to_string()))?;
        Ok(self.begin(id, table, now))
    }

    /// Adds a table whose log is not stored yet.
    fn begin(&mut self, id: &str, table: LocalTable, now: u64) -> Shown {
        let shown = Shown { entries: table.log().to_vec(), ..show(id, &table, table.state().version(), now) };
        self.keep(id, table);
        shown
    }

    pub(crate) fn load(
        &mut self,
        id: &str,
        log: Vec<LogEntry>,
        seen: Option<u64>,
        now: u64,
    ) -> Result<Shown, ApiError> {
        let table =
            LocalTable::from_log(log).map_err(|error| ErrorCode::Broken.because(error.to_string()))?;
        let version = table.state().version();
        // The entries of the log are stored already.
        let shown = Shown { entries: Vec::new(), ..show(id, &table, seen.unwrap_or(version), now) };
        self.keep(id, table);
        Ok(shown)
    }

    pub(crate) fn command(
        &mut self,
        id: &str,
        command: &Command,
        next: Option<&str>,
        now: u64,
    ) -> Result<Shown, ApiError> {
        let table = self.table(id)?;
        let before = table.state().version();
        let mut rematch = None;
        if table.command(command, now)? == LocalDone::Rematch {
            let next = next.ok_or_else(|| ErrorCode::BadMessage.because("the next game needs an id"))?;
            let (settings, seats) = table.rematch();
            let another = LocalTable::new(settings, seats, now)
                .map_err(|error| ErrorCode::Broken.because(error.to_string()))?;
            table.rematch_is(next, now);
            rematch = Some(Box::new(self.begin(next, another, now)));
        }
        let table = self.table(id)?;
        Ok(Shown { rematch, ..show(id, table, before, now) })
    }

    pub(crate) fn program_moves(
        &mut self,
        id: &str,
        thought: Option<Thought>,
        now: u64,
    ) -> Result<Shown, ApiError> {
        let table = self.table(id)?;
        let before = table.state().version();
        if table.state().program_to_move().is_none() {
            return Err(ErrorCode::StalePly.because("it is not a program's turn"));
        }
        match thought {
            Some(thought) => table.program_moves(thought, now)?,
            None => table.program_fails(now),
        }
        Ok(show(id, table, before, now))
    }

    pub(crate) fn flag(&mut self, id: &str, now: u64) -> Result<Shown, ApiError> {
        let table = self.table(id)?;
        let before = table.state().version();
        table.flag(now);
        Ok(show(id, table, before, now))
    }

    /// Keeps a table; replaces the one with this id.
    fn keep(&mut self, id: &str, table: LocalTable) {
        self.0.retain(|(known, _)| known != id);
        self.0.push((id.to_owned(), table));
    }

    fn table(&mut self, id: &str) -> Result<&mut LocalTable, ApiError> {
        let found = self.0.iter_mut().find(|(known, _)| known == id).map(|(_, table)| table);
        found.ok_or_else(|| ErrorCode::UnknownTable.because("there is no such table here"))
    }
}

/// Describes a table and the updates after a version.
fn show(id: &str, table: &LocalTable, before: u64, now: u64) -> Shown {
    let state = table.state();
    Shown {
        snapshot: table.snapshot(id, now),
        updates: table.updates_since(before, id, now),
        entries: table.log().iter().filter(|entry| entry.version > before).cloned().collect(),
        turn: state.program_turn(id, now, &[]),
        flag_at: state.flag_at(&[]),
        rematch: None,
    }
}

/// A program as the occupant of a seat.
fn program(game: &AnyGame, name: &str, resources: &Resources) -> Result<Occupant, ApiError> {
    roster::program(game, name, resources)
        .map_err(|error| ErrorCode::UnknownPlayer.because(error.to_string()))?;
    Ok(Occupant::program(game, name))
}
