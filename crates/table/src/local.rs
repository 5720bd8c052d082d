//! A table without a server: the state machine and its log, for one person who plays programs, plays both sides or
//! watches. It responds with the same messages as a server. The caller passes the time in Unix milliseconds.

use protocol::{
    ApiError, Clock, Command, Event, Occupant, Presence, Settings, Snapshot, TableUpdate, Thought,
};
use rules::AnyGame;

use crate::{Context, Decision, LogEntry, LogError, Principal, State};

/// The id of the person at this screen.
const ME: &str = "g:here";

/// The outcome of a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LocalDone {
    /// The command was executed, or had nothing to change.
    Changed,
    /// The command asks for a rematch: another game of the same players, with sides exchanged.
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

    /// Creates the table of a game. Each side has the program of this name or, without a name, the person at
    /// this screen. The moves that the game already has are made at once.
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
            unverified: false,
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

    /// The log, from which the table can be restored.
    #[must_use]
    pub fn log(&self) -> &[LogEntry] {
        &self.log
    }

    /// The table as it is.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Plays a move of either side without a clock, to set up a study.
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

    /// Executes a command of the person at this screen.
    ///
    /// # Errors
    /// If it is not allowed.
    pub fn command(&mut self, command: &Command, now: u64) -> Result<LocalDone, ApiError> {
        let decision = self.state.decide(&self.me, command, &context(now))?;
        Ok(self.carry_out(now, decision))
    }

    /// Plays the move of the program whose turn it is.
    ///
    /// # Errors
    /// If it is not legal, or the game is over.
    pub fn program_moves(&mut self, thought: Thought, now: u64) -> Result<(), ApiError> {
        let text = thought.chosen.clone();
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

    /// The updates after a version; the last one includes the board.
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

    /// Records the table of the next game.
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

#[cfg(test)]
mod tests {
    use protocol::{Clock, EndReason, ErrorCode, Status};
    use rules::Side;

    use super::*;

    fn settings(clock: Clock) -> Settings {
        Settings {
            game: "tic-tac-toe".to_owned(),
            position: None,
            clock,
            rated: false,
            take_back: true,
            listed: false,
            invited: None,
            tournament: None,
            bots: false,
            unverified: false,
        }
    }

    fn program() -> Occupant {
        Occupant::Program { name: "random".to_owned(), rating: None }
    }

    fn table(clock: Clock, opponent: Occupant) -> LocalTable {
        LocalTable::new(settings(clock), [LocalTable::me(), opponent], 1_000).unwrap()
    }

    fn make_move(ply: u32, text: &str) -> Command {
        Command::MakeMove { ply, text: text.to_owned(), lag_ms: 0, seen: None }
    }

    fn thought(text: &str) -> Thought {
        let json = format!(
            r#"{{"move":"{text}","candidates":[],"score":null,"line":[],"reasons":[],"nodes":5,"depth":null}}"#
        );
        serde_json::from_str(&json).unwrap()
    }

    fn end(table: &LocalTable) -> (Option<Side>, EndReason) {
        let result = table.state().result().expect("the game is over");
        (result.winner, result.reason)
    }

    #[test]
    fn a_person_plays_a_program() {
        let mut table = table(Clock::None, program());
        assert_eq!(table.command(&make_move(1, "b2"), 1_500), Ok(LocalDone::Changed));
        assert_eq!(table.state().program_to_move(), Some("random"));
        table.program_moves(thought("a1"), 2_000).unwrap();
        assert_eq!(table.program_moves(thought("b2"), 2_000).unwrap_err().code, ErrorCode::IllegalMove);
        let moves = table.state().moves();
        assert_eq!((moves.len(), moves[1].at, moves[1].thought.as_ref().unwrap().nodes), (2, 2_000, 5));
        assert_eq!(table.command(&make_move(1, "b2"), 3_000), Ok(LocalDone::Changed), "it was made before");
        assert_eq!(table.state().version(), 3);
        assert_eq!(table.command(&make_move(9, "b2"), 3_000).unwrap_err().code, ErrorCode::FuturePly);
    }

    #[test]
    fn a_table_is_made_again_from_its_log() {
        let mut table = table(Clock::None, LocalTable::me());
        table.command(&make_move(1, "b2"), 1_500).unwrap();
        table.command(&make_move(2, "a1"), 1_600).unwrap();
        let versions: Vec<_> = table.log().iter().map(|entry| (entry.version, entry.at)).collect();
        assert_eq!(versions, [(1, 1_000), (2, 1_500), (3, 1_600)]);
        let again = LocalTable::from_log(table.log().to_vec()).unwrap();
        assert_eq!(again.snapshot("t", 2_000), table.snapshot("t", 2_000));
        assert!(matches!(LocalTable::from_log(Vec::new()), Err(LogError::NotCreated)));
    }

    #[test]
    fn a_program_that_fails_resigns() {
        let mut table = table(Clock::None, program());
        table.command(&make_move(1, "b2"), 1_500).unwrap();
        table.program_fails(2_000);
        assert_eq!(end(&table), (Some(Side::First), EndReason::Resignation));
    }

    #[test]
    fn a_clock_that_has_run_out_ends_the_game() {
        let mut table = table(Clock::Move { ms: 10_000 }, LocalTable::me());
        assert!(!table.flag(u64::MAX), "the first moves are free");
        table.command(&make_move(1, "b2"), 1_000).unwrap();
        table.command(&make_move(2, "a1"), 1_000).unwrap();
        assert!(!table.flag(12_000));
        assert_eq!(table.state().status(), Status::Playing);
        assert!(table.flag(12_001), "ten seconds, and one for a move in transit");
        assert_eq!(end(&table), (Some(Side::Second), EndReason::Time));
        assert!(!table.flag(12_002), "it is over");
    }

    #[test]
    fn used_time_is_deducted() {
        let mut table = table(Clock::Game { initial_ms: 60_000, increment_ms: 0 }, LocalTable::me());
        for (ply, text, now) in [(1, "b2", 1_000), (2, "a1", 1_000), (3, "c3", 5_000)] {
            table.command(&make_move(ply, text), now).unwrap();
        }
        assert_eq!(table.state().moves()[2].left_ms, Some([56_000, 60_000]));
    }

    #[test]
    fn a_study_begins_with_moves_of_both_sides() {
        let mut table = table(Clock::None, program());
        table.preset("b2".to_owned(), 1_000).unwrap();
        table.preset("a1".to_owned(), 1_000).unwrap();
        assert!(table.preset("a1".to_owned(), 1_000).is_err());
        let Event::Moved { ply, side, .. } = &table.log()[2].event else { panic!("a move") };
        assert_eq!((*ply, *side, table.log().len()), (2, Side::Second, 3));
        assert_eq!(table.state().game().turn(), Side::First);
    }

    #[test]
    fn updates_are_those_after_a_version_and_the_last_has_the_board() {
        let mut table = table(Clock::None, LocalTable::me());
        table.command(&make_move(1, "b2"), 1_500).unwrap();
        table.command(&make_move(2, "a1"), 1_600).unwrap();
        let updates = table.updates_since(1, "t", 2_000);
        let shown: Vec<_> = updates
            .iter()
            .map(|update| match update {
                TableUpdate::Move(made) => (made.v, made.at, made.view.is_some()),
                TableUpdate::Event(update) => (update.v, update.at, update.view.is_some()),
            })
            .collect();
        assert_eq!(shown, [(2, 1_500, false), (3, 1_600, true)]);
        assert_eq!(table.updates_since(2, "t", 2_000).len(), 1);
        assert_eq!(table.updates_since(3, "t", 2_000).len(), 0);
    }

    #[test]
    fn a_snapshot_is_for_the_person_at_this_screen() {
        let snapshot = table(Clock::Move { ms: 10_000 }, program()).snapshot("t", 2_000);
        assert_eq!(
            (snapshot.table.as_str(), snapshot.you, snapshot.is_creator),
            ("t", vec![Side::First], true)
        );
        assert_eq!((snapshot.presence.here, snapshot.presence.watching), ([true; 2], 0));
        assert_eq!(snapshot.clocks.unwrap().left_ms, [10_000; 2]);
    }

    #[test]
    fn a_rematch_exchanges_the_sides() {
        let mut table = table(Clock::None, program());
        table.command(&Command::Resign {}, 2_000).unwrap();
        assert_eq!(end(&table).1, EndReason::Aborted);
        assert_eq!(table.command(&Command::Rematch {}, 2_000), Ok(LocalDone::Rematch));
        assert_eq!(table.rematch(), (settings(Clock::None), [program(), LocalTable::me()]));
        table.rematch_is("next", 2_000);
        assert_eq!(table.state().rematch(), Some("next"));
        assert_eq!(table.command(&Command::Rematch {}, 2_000), Ok(LocalDone::Changed), "there is one");
    }
}
