//! The state of a table at a version, and the effect of events.

use protocol::{Clock, EndReason, Event, GameResult, Occupant, Offers, Pace, Settings, Status, Thought};
use rules::{AnyGame, MoveError, Side};
use serde::{Deserialize, Serialize};

use crate::{Principal, chat::ChatLog, clock::quota_gain, needs_owner, start_game};

/// Initial minimum time per move when two programs play, so that people can follow.
const DEFAULT_DELAY_MS: u64 = 700;

/// A table at some version.
#[derive(Clone, Debug)]
pub struct State {
    pub(crate) version: u64,
    pub(crate) settings: Settings,
    pub(crate) creator: String,
    pub(crate) seats: [Occupant; 2],
    pub(crate) game: AnyGame,
    pub(crate) moves: Vec<PlayedMove>,
    pub(crate) status: Status,
    pub(crate) result: Option<GameResult>,
    pub(crate) offers: Offers,
    pub(crate) rematch: Option<String>,
    pub(crate) chat: ChatLog,
    pub(crate) pace: Pace,
    /// Number of moves that paused programs may still make.
    pub(crate) steps: u32,
    pub(crate) left_ms: Option<[u64; 2]>,
    /// When the side to move started thinking.
    pub(crate) since: u64,
    /// The number of moves at which each side last offered a draw.
    pub(crate) draw_offered_at: [Option<usize>; 2],
    /// Lag that may still be compensated, per side.
    pub(crate) lag_quota_ms: [u64; 2],
    /// The version of the last takeback.
    pub(crate) taken_back_at: u64,
}

/// A move of the game.
#[derive(Clone, Debug)]
pub struct PlayedMove {
    /// The move in the game's notation.
    pub text: String,
    /// The side that played it.
    pub side: Side,
    /// The version of the table with this move.
    pub version: u64,
    /// Unix time in milliseconds.
    pub at: u64,
    /// Time left for both sides after the move, if there are clocks.
    pub left_ms: Option<[u64; 2]>,
    /// The thought of the program that played it.
    pub thought: Option<Box<Thought>>,
}

/// An entry of a table's log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LogEntry {
    /// 1 for the first event of a table, then without gaps.
    pub version: u64,
    /// Unix time in milliseconds.
    pub at: u64,
    /// What happened.
    pub event: Event,
}

/// Why a log does not describe a table.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LogError {
    /// The first event is not the creation of the table.
    #[error("the log does not begin with the creation of the table")]
    NotCreated,
    /// The table is created more than once.
    #[error("the table is created more than once")]
    CreatedTwice,
    /// The game or its starting position is unknown.
    #[error("the game cannot be set up: {0}")]
    Setup(String),
    /// A move is illegal.
    #[error("illegal move in the log")]
    IllegalMove(#[from] MoveError),
}

impl State {
    /// Creates the table from its first event.
    ///
    /// # Errors
    /// If the event does not create a known table.
    pub fn new(version: u64, at: u64, event: &Event) -> Result<Self, LogError> {
        let Event::Created { settings, seats, creator } = event else {
            return Err(LogError::NotCreated);
        };
        let game = start_game(&settings.game, settings.position.as_deref())
            .map_err(|refusal| LogError::Setup(refusal.message))?;
        Ok(Self {
            version,
            settings: Settings::clone(settings),
            creator: creator.clone(),
            seats: seats.clone(),
            game,
            moves: Vec::new(),
            status: if seats.contains(&Occupant::Open) { Status::Open } else { Status::Playing },
            result: None,
            offers: Offers::default(),
            rematch: None,
            chat: ChatLog::default(),
            pace: Pace { paused: false, delay_ms: DEFAULT_DELAY_MS },
            steps: 0,
            left_ms: settings.clock.initial_ms().map(|initial| [initial; 2]),
            since: at,
            draw_offered_at: [None; 2],
            lag_quota_ms: [3 * quota_gain(settings.clock); 2],
            taken_back_at: 0,
        })
    }

    /// Replays a log; `None` if it is empty.
    ///
    /// # Errors
    /// If the log is corrupt.
    pub fn replay(log: &[LogEntry]) -> Result<Option<Self>, LogError> {
        let mut state: Option<Self> = None;
        for LogEntry { version, at, event } in log {
            match &mut state {
                None => state = Some(Self::new(*version, *at, event)?),
                Some(state) => state.apply(*version, *at, event)?,
            }
        }
        Ok(state)
    }

    /// Applies an event of the log.
    ///
    /// # Errors
    /// If the log is corrupt.
    pub fn apply(&mut self, version: u64, at: u64, event: &Event) -> Result<(), LogError> {
        self.version = version;
        match event {
            Event::Created { .. } => return Err(LogError::CreatedTwice),
            Event::Seated { side, occupant } => {
                self.seats[side.index()] = occupant.clone();
                if !self.seats.contains(&Occupant::Open) {
                    self.status = Status::Playing;
                    self.since = at;
                }
            }
            Event::Moved { side, text, left_ms, lag_compensation_ms, thought, .. } => {
                self.charge_quota(*side, *lag_compensation_ms);
                self.game.play(text)?;
                self.left_ms = *left_ms;
                self.since = at;
                self.steps = self.steps.saturating_sub(1);
                if self.offers.draw == Some(side.other()) {
                    self.offers.draw = None;
                }
                self.offers.take_back = None;
                let (text, thought) = (text.clone(), thought.clone());
                self.moves.push(PlayedMove { text, side: *side, version, at, left_ms: *left_ms, thought });
            }
            Event::DrawOffered { side } => {
                self.offers.draw = Some(*side);
                self.draw_offered_at[side.index()] = Some(self.moves.len());
            }
            Event::DrawDeclined { .. } => self.offers.draw = None,
            Event::TakeBackAsked { side } => self.offers.take_back = Some(*side),
            Event::TakeBackDeclined { .. } => self.offers.take_back = None,
            Event::TakenBack { ply, left_ms } => {
                while self.moves.len() > *ply as usize {
                    self.moves.pop();
                    self.game.take_back();
                }
                self.left_ms = *left_ms;
                self.since = at;
                self.offers = Offers::default();
                self.draw_offered_at = [None; 2];
                self.taken_back_at = version;
            }
            Event::Ended { winner, reason, ratings } => {
                self.left_ms = self.left_ms.map(|left| self.left_at(left, at, &[]));
                self.status = Status::Ended;
                self.offers = Offers::default();
                self.result = Some(GameResult { winner: *winner, reason: *reason, ratings: *ratings });
            }
            Event::RematchOffered { side } => self.offers.rematch = Some(*side),
            Event::Rematch { table } => {
                self.offers.rematch = None;
                self.rematch = Some(table.clone());
            }
            Event::Chat(chat) => self.chat.push(at, chat),
            Event::Paced { paused, delay_ms } => {
                // No clock runs while programs are paused.
                self.left_ms = self.left_ms.map(|left| self.left_at(left, at, &[]));
                self.since = at;
                self.pace = Pace { paused: *paused, delay_ms: *delay_ms };
                self.steps = 0;
            }
            Event::Stepped => self.steps += 1,
        }
        Ok(())
    }

    /// The version of the last event.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.version
    }

    /// The settings, fixed when the table was created.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// When the side to move started thinking, in milliseconds since 1970.
    #[must_use]
    pub fn since(&self) -> u64 {
        self.since
    }

    /// The id of the player who created the table.
    #[must_use]
    pub fn creator(&self) -> &str {
        &self.creator
    }

    /// The occupants: first and second.
    #[must_use]
    pub fn seats(&self) -> &[Occupant; 2] {
        &self.seats
    }

    /// The current game.
    #[must_use]
    pub fn game(&self) -> &AnyGame {
        &self.game
    }

    /// All moves so far.
    #[must_use]
    pub fn moves(&self) -> &[PlayedMove] {
        &self.moves
    }

    /// The status of the table.
    #[must_use]
    pub fn status(&self) -> Status {
        self.status
    }

    /// The result, if the game is over.
    #[must_use]
    pub fn result(&self) -> Option<&GameResult> {
        self.result.as_ref()
    }

    /// The table of the next game of the same players.
    #[must_use]
    pub fn rematch(&self) -> Option<&str> {
        self.rematch.as_deref()
    }

    /// The pace of a game between programs.
    #[must_use]
    pub fn pace(&self) -> Pace {
        self.pace
    }

    /// The sides that a principal plays.
    #[must_use]
    pub fn sides(&self, principal: &Principal) -> Vec<Side> {
        Side::BOTH
            .into_iter()
            .filter(|side| principal.ids.iter().any(|id| self.seats[side.index()].is(id)))
            .collect()
    }

    /// Whether the result counts for ratings: both sides have made two moves, and the players, the rules or a clock ended
    /// the game. `is_claimed` tells whether a player ended it; what is decided elsewhere, such as by an organiser, is no
    /// play.
    #[must_use]
    pub fn counts_for_ratings(&self, is_claimed: bool) -> bool {
        const MOVES: usize = 2;
        let is_play = match self.result().map(|result| result.reason) {
            Some(EndReason::Rules | EndReason::Resignation | EndReason::Time | EndReason::Agreement) => true,
            Some(EndReason::Abandoned) => is_claimed,
            Some(EndReason::Aborted | EndReason::Declined) | None => false,
        };
        let moves = |side: Side| self.moves.iter().filter(|played| played.side == side).count();
        self.settings.rated && is_play && Side::BOTH.into_iter().all(|side| moves(side) >= MOVES)
    }

    /// Whether two programs play.
    #[must_use]
    pub fn is_demo(&self) -> bool {
        self.seats.iter().all(Occupant::is_program)
    }

    /// Whether the table needs a node that owns it even if no client is connected, now or after a later move.
    #[must_use]
    pub fn needs_owner(&self) -> bool {
        self.status == Status::Playing && needs_owner(&self.seats, self.settings.clock)
    }

    /// Whether a side has made a move.
    #[must_use]
    pub fn has_moved(&self, side: Side) -> bool {
        self.moves.iter().any(|played| played.side == side)
    }

    /// Whether both sides have made a move, so that the game counts.
    #[must_use]
    pub fn has_begun(&self) -> bool {
        Side::BOTH.into_iter().all(|side| self.has_moved(side))
    }

    /// Whether time can change the table without a command.
    #[must_use]
    pub fn is_timed(&self) -> bool {
        self.program_to_move().is_some() || self.running().is_some()
    }

    /// The name of the program to move, if it is a program's turn and it is not paused.
    #[must_use]
    pub fn program_to_move(&self) -> Option<&str> {
        let is_paused = self.is_demo() && self.pace.paused && self.steps == 0;
        match &self.seats[self.game.turn().index()] {
            Occupant::Program { name, .. } if self.status == Status::Playing && !is_paused => Some(name),
            _ => None,
        }
    }

    pub(crate) fn initial_clocks(&self) -> Option<[u64; 2]> {
        self.settings.clock.initial_ms().map(|initial| [initial; 2])
    }

    /// Whether each move has its own time.
    pub(crate) fn has_move_clock(&self) -> bool {
        matches!(self.settings.clock, Clock::Move { .. } | Clock::Correspondence { .. })
    }
}
