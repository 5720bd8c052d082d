//! A table without a server: the state machine and its log, for one person who plays programs, plays against themselves
//! or watches. It answers with the same messages as a server. The time, in Unix milliseconds, comes from outside.

use protocol::{
    ApiError, Clock, Command, Event, Occupant, Presence, Settings, Snapshot, TableUpdate, Thought,
};
use rules::AnyGame;

use crate::{Context, Decision, LogEntry, LogError, Principal, State};

/// The id of the person at this screen.
const ME: &str = "g:here";

/// What a command led to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LocalDone {
    /// The table has changed, or was already as the command wants it.
    Changed,
    /// Another game of the same players is wanted, with sides exchanged.
    Rematch,
}

/// A table on this screen.
#[derive(Clone, Debug)]
pub struct LocalTable {
    state: State,
    log: Vec<LogEntry>,
    me: Principal,
}

impl LocalTable {
    /// A new table.
    ///
    /// # Errors
    /// If the game cannot be set up.
    pub fn new(settings: Settings, seats: [Occupant; 2], now: u64) -> Result<Self, LogError> {
        let event = Event::Created { settings: settings.into(), seats, creator: ME.to_owned() };
        Self::from_log(vec![LogEntry { version: 1, at: now, event }])
    }

    /// The table of a game between programs of these names and, where there is none, the person at this screen. The
    /// moves that the game already has are made at once.
    ///
    /// # Errors
    /// If the game cannot be set up.
    pub fn of_game(
        game: &AnyGame,
        programs: [Option<String>; 2],
        clock: Clock,
        now: u64,
    ) -> Result<Self, LogError> {
        let mut start = game.clone();
        while start.take_back().is_some() {}
        let usual = AnyGame::from(start.spec()).position();
        let settings = Settings {
            game: start.spec().to_string(),
            position: Some(start.position()).filter(|position| *position != usual),
            clock,
            rated: false,
            take_back: true,
            listed: false,
            invited: None,
            tournament: None,
            bots: false,
        };
        let seats = programs.map(|program| match program {
            Some(name) => Occupant::Program { name, rating: None },
            None => Self::me(),
        });
        let mut table = Self::new(settings, seats, now)?;
        for m in game.moves() {
            table.preset(m, now)?;
        }
        Ok(table)
    }

    /// The table of a log.
    ///
    /// # Errors
    /// If the log describes no table.
    pub fn from_log(log: Vec<LogEntry>) -> Result<Self, LogError> {
        let state = State::replay(&log)?.ok_or(LogError::NotCreated)?;
        Ok(Self { state, log, me: person() })
    }

    /// The person at this screen as the occupant of a seat.
    #[must_use]
    pub fn me() -> Occupant {
        person().occupant(None)
    }

    /// The log, from which the table can be made again.
    #[must_use]
    pub fn log(&self) -> &[LogEntry] {
        &self.log
    }

    /// The table as it is.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Plays a move of either side, without a clock: how a study begins.
    ///
    /// # Errors
    /// If the move is not legal.
    pub fn preset(&mut self, text: String, now: u64) -> Result<(), LogError> {
        let ply = self.state.moves().len() as u32 + 1;
        let side = self.state.game().turn();
        self.append(
            now,
            Event::Moved { ply, side, text, left_ms: None, lag_compensation_ms: 0, thought: None },
        )
    }

    /// Carries out a command of the person at this screen.
    ///
    /// # Errors
    /// If it is not allowed.
    pub fn command(&mut self, command: &Command, now: u64) -> Result<LocalDone, ApiError> {
        let decision = self.state.decide(&self.me, command, &context(now))?;
        Ok(self.carry_out(now, decision))
    }

    /// Plays the move of the program to move.
    ///
    /// # Errors
    /// If it is not legal, or the game is over.
    pub fn program_moves(&mut self, thought: Thought, now: u64) -> Result<(), ApiError> {
        let text = thought.text.clone();
        let decision = self.state.decide_program(&text, Some(thought), 0, &context(now))?;
        self.carry_out(now, decision);
        Ok(())
    }

    /// Ends the game of a program that failed.
    pub fn program_fails(&mut self, now: u64) {
        let event = self.state.program_resigns();
        self.append_decided(now, event);
    }

    /// Ends the game if a clock has run out, and says whether it did.
    pub fn flag(&mut self, now: u64) -> bool {
        let flagged = self.state.flag(now, &[]);
        let is_over = flagged.is_some();
        if let Some(event) = flagged {
            self.append_decided(now, event);
        }
        is_over
    }

    /// The whole table under this id.
    #[must_use]
    pub fn snapshot(&self, id: &str, now: u64) -> Snapshot {
        let presence = Presence { here: [true; 2], claim_ms: [None; 2], watching: 0 };
        self.state.snapshot(id, &self.me, None, presence, now, &[])
    }

    /// What has happened after a version, the last with the board.
    #[must_use]
    pub fn updates_since(&self, version: u64, id: &str, now: u64) -> Vec<TableUpdate> {
        let newer = self.log.iter().filter(|entry| entry.version > version);
        let message =
            |entry: &LogEntry| self.state.message(id, entry.version, entry.at, entry.event.clone(), now, &[]);
        let mut updates: Vec<_> = newer.map(message).collect();
        if let Some(last) = updates.pop() {
            updates.push(self.state.with_board(last));
        }
        updates
    }

    /// The settings and seats of another game, with sides exchanged.
    #[must_use]
    pub fn rematch(&self) -> (Settings, [Occupant; 2]) {
        let [first, second] = self.state.seats().clone();
        (self.state.settings().clone(), [second, first])
    }

    /// Notes the table of the next game.
    pub fn rematch_is(&mut self, table: &str, now: u64) {
        self.append_decided(now, Event::Rematch { table: table.to_owned() });
    }

    fn carry_out(&mut self, now: u64, decision: Decision) -> LocalDone {
        match decision {
            Decision::Append(events) => events.into_iter().for_each(|event| self.append_decided(now, event)),
            Decision::AlreadyDone { .. } => {}
            Decision::CreateRematch => return LocalDone::Rematch,
        }
        LocalDone::Changed
    }

    fn append_decided(&mut self, at: u64, event: Event) {
        self.append(at, event).expect("a decision can be applied");
    }

    fn append(&mut self, at: u64, event: Event) -> Result<(), LogError> {
        let version = self.state.version() + 1;
        self.state.apply(version, at, &event)?;
        self.log.push(LogEntry { version, at, event });
        Ok(())
    }
}

fn person() -> Principal {
    Principal { ids: vec![ME.to_owned()], name: "human".to_owned(), account: None, bot: false }
}

fn context(now: u64) -> Context {
    Context { now, ..Context::default() }
}
