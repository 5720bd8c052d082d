//! Responds to requests, one after the other.

use std::{fmt::Debug, sync::Arc, time::Duration};

use players::{Clock, Network, Resources};
use protocol::{ApiError, ErrorCode, GameEntry, GameRecord};
use rules::AnyGame;
use serde::Serialize;
use solver::Book;
use table::recorded_game;

use crate::{
    puzzles::{self, Puzzles},
    request::Request,
    response::{Response, json, ok},
    skills,
    tables::Tables,
    think,
};

/// The maximum number of cells of all boards in one response, as on a server.
const MAX_CELLS: usize = 50_000;

/// The functions that the core needs from its host.
pub trait Host: Debug + Send + Sync {
    /// The time since a fixed moment.
    fn now(&self) -> Duration;
    /// Unix time in milliseconds.
    fn unix_ms(&self) -> u64;
    /// Receives an intermediate result before the response, as JSON.
    fn report(&self, text: &str);
}

/// The clock of a host, as a clock for players.
#[derive(Debug)]
struct HostClock(Arc<dyn Host>);

impl Clock for HostClock {
    fn now(&self) -> Duration {
        self.0.now()
    }
}

/// Keeps data that was read for the lifetime of the core.
fn taken<T>(read: Result<T, impl std::fmt::Display>, kept: &mut Option<&'static T>) -> String {
    match read {
        Ok(data) => {
            *kept = Some(Box::leak(Box::new(data)));
            json(&Response::Ok(()))
        }
        Err(error) => json(&Response::<()>::Error(ErrorCode::BadMessage.because(error.to_string()))),
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
    /// The weights of the learned evaluation.
    network: Option<&'static Network>,
}

impl Core {
    /// A core without tables.
    pub fn new(host: impl Host + 'static) -> Self {
        Self {
            host: Arc::new(host),
            tables: Tables::default(),
            puzzles: Puzzles::default(),
            book: Book::standard(),
            network: Network::standard(),
        }
    }

    /// Loads the solver's book, which is a separate file, for the lifetime of the core.
    pub fn take_book(&mut self, bytes: &[u8]) -> String {
        taken(Book::from_bytes(bytes), &mut self.book)
    }

    /// Loads the weights of the learned evaluation, which are a separate file too.
    pub fn take_weights(&mut self, bytes: &[u8]) -> String {
        taken(Network::from_bytes(bytes), &mut self.network)
    }

    /// Responds to a [`Request`] in JSON.
    pub fn ask(&mut self, request: &str) -> String {
        let response = Request::read(request)
            .map_err(|error| ErrorCode::BadMessage.because(error))
            .and_then(|request| self.respond(request));
        response.unwrap_or_else(|error| json(&Response::<()>::Error(error)))
    }

    fn respond(&mut self, request: Request) -> Result<String, ApiError> {
        let now = self.host.unix_ms();
        match request {
            Request::Games {} => ok(&GameEntry::all()),
            Request::Positions { record } => ok(&table::replay(&record, MAX_CELLS)?),
            Request::Choose { record, player, seed, time_ms } => {
                ok(&think::choose(self, &game_of(&record)?, &player, seed, time_ms)?)
            }
            Request::Assess { record, lines, time_ms, depth, nodes } => {
                let limits = think::limits(lines, time_ms, depth, nodes);
                ok(&think::assess(self, &game_of(&record)?, &limits))
            }
            Request::Review { record, time_ms, depth } => {
                let limits = think::limits(1, time_ms, depth, None);
                ok(&think::review(self, &game_of(&record)?, &limits))
            }
            Request::Solve { record } => ok(&think::solve(self, &game_of(&record)?)?),
            Request::Perft { record, depth } => ok(&game_of(&record)?.perft(depth)),
            Request::Puzzle(request) => puzzles::respond(self, request),
            Request::Skills(request) => skills::respond(self, request),
            Request::Open { table, new, seed } => {
                let resources = self.resources(seed);
                ok(&self.tables.open(&table, &new, seed, &resources, now)?)
            }
            Request::Load { table, log, seen } => ok(&self.tables.load(&table, log, seen, now)?),
            Request::Command { table, command, next } => {
                ok(&self.tables.command(&table, &command, next.as_deref(), now)?)
            }
            Request::ProgramMoves { table, thought } => {
                ok(&self.tables.program_moves(&table, thought, now)?)
            }
            Request::Flag { table } => ok(&self.tables.flag(&table, now)?),
        }
    }

    /// The resources of a player: a seed and the host's clock.
    pub(crate) fn resources(&self, seed: u64) -> Resources {
        Resources::new(seed).with_clock(self.clock()).with_book(self.book).with_network(self.network)
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
