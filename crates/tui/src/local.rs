//! A table without a server: the state machine of `crates/table` and a log. It answers with the same snapshots as a
//! server. The time, in Unix milliseconds, comes from outside.

use protocol::{ApiError, Clock, Command, Event, Occupant, Presence, Settings, Snapshot, Status, Thought};
use rules::{AnyGame, Side};
use serde::{Deserialize, Serialize};
use table::{Context, Decision, LogEntry, Principal, State};

/// The id of the person at this screen.
const ME: &str = "g:here";

/// A game to be played: the start, a program's name or none for a person at each side, the clock.
#[derive(Clone, Debug)]
pub struct NewGame {
    /// The game at its start.
    pub start: AnyGame,
    /// A program of the roster, or none for the person at this screen.
    pub seats: [Option<String>; 2],
    /// The time control.
    pub clock: Clock,
}

/// An entry of the log as it is kept in a file.
#[derive(Serialize, Deserialize)]
pub(crate) struct Entry {
    version: u64,
    at: u64,
    event: Event,
}

/// What a command led to.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Done {
    Changed,
    /// Another game of the same players, with sides exchanged.
    Rematch,
}

/// A table on this screen.
pub(crate) struct Local {
    state: State,
    log: Vec<LogEntry>,
    me: Principal,
}

impl Local {
    /// A new table. The moves that the start already has are made at once, for a study.
    pub(crate) fn new(new: &NewGame, now: u64) -> Result<Self, String> {
        let mut start = new.start.clone();
        let moves = start.moves();
        while start.take_back().is_some() {}
        let usual = AnyGame::from(start.spec()).position();
        let position = Some(start.position()).filter(|position| *position != usual);
        let settings = Settings {
            game: start.spec().to_string(),
            position,
            clock: new.clock,
            rated: false,
            take_back: true,
            listed: false,
            invited: None,
            bots: false,
        };
        let seats = new.seats.clone().map(|seat| match seat {
            Some(name) => Occupant::Program { name, rating: None },
            None => {
                Occupant::Person { id: ME.to_owned(), name: "human".to_owned(), rating: None, bot: false }
            }
        });
        let created = Event::Created { settings, seats, creator: ME.to_owned() };
        let mut local = Self::from_log(vec![Entry { version: 1, at: now, event: created }])?;
        for m in moves {
            let ply = local.state.moves().len() as u32 + 1;
            let side = local.state.game().turn();
            let moved =
                Event::Moved { ply, side, text: m, left_ms: None, lag_compensation_ms: 0, thought: None };
            local.append(now, moved);
        }
        Ok(local)
    }

    /// The table of a log.
    pub(crate) fn from_log(entries: Vec<Entry>) -> Result<Self, String> {
        let log: Vec<_> =
            entries.into_iter().map(|Entry { version, at, event }| LogEntry { version, at, event }).collect();
        let state = State::replay(&log).map_err(|error| error.to_string())?.ok_or("the log is empty")?;
        let me = Principal { ids: vec![ME.to_owned()], name: "human".to_owned(), account: None, bot: false };
        Ok(Self { state, log, me })
    }

    /// The log, to be kept in a file.
    pub(crate) fn entries(&self) -> Vec<Entry> {
        let entry =
            |entry: &LogEntry| Entry { version: entry.version, at: entry.at, event: entry.event.clone() };
        self.log.iter().map(entry).collect()
    }

    pub(crate) fn state(&self) -> &State {
        &self.state
    }

    pub(crate) fn command(&mut self, command: &Command, now: u64) -> Result<Done, ApiError> {
        let decision = self.state.decide(&self.me, command, &context(now))?;
        Ok(self.carry_out(now, decision))
    }

    /// The move of the program to move.
    pub(crate) fn program_moves(&mut self, thought: Thought, now: u64) -> Result<Done, ApiError> {
        let text = thought.text.clone();
        let decision = self.state.decide_program(&text, Some(thought), 0, &context(now))?;
        Ok(self.carry_out(now, decision))
    }

    /// Ends the game of a program that failed.
    pub(crate) fn program_fails(&mut self, now: u64) {
        let event = self.state.program_resigns();
        self.append(now, event);
    }

    /// Ends the game if a clock has run out.
    pub(crate) fn flag(&mut self, now: u64) -> bool {
        let flagged = self.state.flag(now, &[]);
        let is_over = flagged.is_some();
        if let Some(event) = flagged {
            self.append(now, event);
        }
        is_over
    }

    fn carry_out(&mut self, now: u64, decision: Decision) -> Done {
        match decision {
            Decision::Append(events) => events.into_iter().for_each(|event| self.append(now, event)),
            Decision::AlreadyDone { .. } => {}
            Decision::CreateRematch => return Done::Rematch,
        }
        Done::Changed
    }

    fn append(&mut self, at: u64, event: Event) {
        let version = self.state.version() + 1;
        self.state.apply(version, at, &event).expect("a decision can be applied");
        self.log.push(LogEntry { version, at, event });
    }

    pub(crate) fn snapshot(&self, now: u64) -> Snapshot {
        let presence = Presence { here: [true; 2], claim_ms: [None; 2], watching: 0 };
        self.state.snapshot("", &self.me, None, presence, now, &[])
    }

    /// The same players with sides exchanged.
    pub(crate) fn rematch(&self) -> NewGame {
        let mut start = self.state.game().clone();
        while start.take_back().is_some() {}
        let [first, second] = self.state.seats().clone().map(|seat| match seat {
            Occupant::Program { name, .. } => Some(name),
            _ => None,
        });
        NewGame { start, seats: [second, first], clock: self.state.settings().clock }
    }

    /// Whether the game is over or has begun.
    pub(crate) fn is_worth_keeping(&self) -> bool {
        self.state.status() == Status::Playing && !self.state.moves().is_empty()
    }
}

fn context(now: u64) -> Context {
    Context { now, ..Context::default() }
}

/// The game with as many of its moves.
pub(crate) fn at_ply(game: &AnyGame, ply: usize) -> AnyGame {
    let mut game = game.clone();
    for _ in ply..game.moves().len() {
        game.take_back();
    }
    game
}

/// The only side that the reader plays.
pub(crate) fn only_side(you: &[Side]) -> Option<Side> {
    match you {
        [side] => Some(*side),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_can_be_left_and_continued() {
        let start = AnyGame::from(rules::GAMES[0].standard.parse::<rules::Spec>().unwrap());
        let mut local = Local::new(&NewGame { start, seats: [None, None], clock: Clock::None }, 0).unwrap();
        let text = local.state().game().legal_moves()[0].clone();
        local.command(&Command::MakeMove { ply: 1, text: text.clone(), lag_ms: 0, seen: None }, 0).unwrap();
        let kept = serde_json::to_string(&local.entries()).unwrap();
        let again = Local::from_log(serde_json::from_str(&kept).unwrap()).unwrap();
        assert_eq!(again.state().game().moves(), [text]);
        assert!(Local::from_log(Vec::new()).is_err());
    }
}
