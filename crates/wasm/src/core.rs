//! Answers questions, one after the other.

use std::{fmt::Debug, sync::Arc, time::Duration};

use players::{Clock, Resources};
use protocol::{ApiError, ErrorCode, GameEntry, GameRecord};
use rules::AnyGame;
use serde::Serialize;
use solver::Book;
use table::recorded_game;

use crate::{
    answer::{Answer, json, ok},
    puzzles::{self, Puzzles},
    question::{Asked, Question},
    tables::Tables,
    think,
};

/// Cells of all boards in one answer, as on a server.
const MAX_CELLS: usize = 50_000;

/// What the core needs from outside.
pub trait Host: Debug + Send + Sync {
    /// The time since a moment that does not change.
    fn now(&self) -> Duration;
    /// Unix time in milliseconds.
    fn unix_ms(&self) -> u64;
    /// Takes what is known before the answer, as JSON.
    fn report(&self, text: &str);
}

/// The clock of a host, as players take it.
#[derive(Debug)]
struct HostClock(Arc<dyn Host>);

impl Clock for HostClock {
    fn now(&self) -> Duration {
        self.0.now()
    }
}

/// Games, players and local tables.
#[derive(Debug)]
pub struct Core {
    pub(crate) host: Arc<dyn Host>,
    tables: Tables,
    pub(crate) puzzles: Puzzles,
    /// The solver's book.
    pub(crate) book: Option<&'static Book>,
}

impl Core {
    /// A core without tables.
    pub fn new(host: impl Host + 'static) -> Self {
        Self {
            host: Arc::new(host),
            tables: Tables::default(),
            puzzles: Puzzles::default(),
            book: Book::standard(),
        }
    }

    /// Takes the solver's book, which is a file of its own. It is kept as long as the core.
    pub fn take_book(&mut self, bytes: &[u8]) -> String {
        match Book::from_bytes(bytes) {
            Ok(book) => {
                self.book = Some(Box::leak(Box::new(book)));
                json(&Answer::Ok(()))
            }
            Err(error) => json(&Answer::<()>::Error(ErrorCode::BadMessage.because(error.to_string()))),
        }
    }

    /// Answers a [`Question`] in JSON.
    pub fn ask(&mut self, question: &str) -> String {
        let answer = serde_json::from_str(question)
            .map_err(|error| ErrorCode::BadMessage.because(error.to_string()))
            .and_then(|asked: Asked| self.answer(asked.question));
        answer.unwrap_or_else(|error| json(&Answer::<()>::Error(error)))
    }

    fn answer(&mut self, question: Question) -> Result<String, ApiError> {
        let now = self.host.unix_ms();
        match question {
            Question::Games {} => ok(&GameEntry::all()),
            Question::Positions { record } => ok(&table::replay(&record, MAX_CELLS)?),
            Question::Choose { record, player, seed, time_ms } => {
                ok(&think::choose(self, &game_of(&record)?, &player, seed, time_ms)?)
            }
            Question::Assess { record, lines, time_ms, depth, nodes } => {
                let limits = think::limits(lines, time_ms, depth, nodes);
                ok(&think::assess(self, &game_of(&record)?, &limits))
            }
            Question::Review { record, time_ms, depth } => {
                let limits = think::limits(1, time_ms, depth, None);
                ok(&think::review(self, &game_of(&record)?, &limits))
            }
            Question::Solve { record } => ok(&think::solve(self, &game_of(&record)?)?),
            Question::Perft { record, depth } => ok(&game_of(&record)?.perft(depth)),
            Question::Puzzle(question) => puzzles::answer(self, question),
            Question::Open { table, new, seed } => ok(&self.tables.open(&table, &new, seed, now)?),
            Question::Load { table, log, seen } => ok(&self.tables.load(&table, log, seen, now)?),
            Question::Command { table, command, next } => {
                ok(&self.tables.command(&table, &command, next.as_deref(), now)?)
            }
            Question::ProgramMoves { table, thought } => {
                ok(&self.tables.program_moves(&table, thought, now)?)
            }
            Question::Flag { table } => ok(&self.tables.flag(&table, now)?),
        }
    }

    /// What a player is given here: a seed and the clock.
    pub(crate) fn resources(&self, seed: u64) -> Resources {
        Resources::new(seed).with_clock(self.clock()).with_book(self.book)
    }

    pub(crate) fn clock(&self) -> Arc<dyn Clock> {
        Arc::new(HostClock(self.host.clone()))
    }

    pub(crate) fn report(&self, report: &impl Serialize) {
        self.host.report(&json(report));
    }
}

fn game_of(record: &GameRecord) -> Result<AnyGame, ApiError> {
    recorded_game(&record.game, record.position.as_deref(), &record.moves)
}
