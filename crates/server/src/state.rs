//! A table as it follows from its log, and what may be done at it. Pure: the time and who is away are told,
//! nothing is stored or sent. `decide` turns a command into events, `apply` turns events into state, so that a
//! replay of the log gives what the players saw.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use protocol::{
    ApiError, Chat, Claim, Clock, Clocks, Command, EndReason, ErrorCode, Event, GameResult, Occupant, Offers,
    Pace, Settings, Status,
};
use rules::{AnyGame, Outcome, Side, Spec};
use serde_json::Value;

use crate::{auth::Principal, store::StoredEvent, table::damaged};

/// Longer games are drawn by us, so that no log grows without end.
const MOST_MOVES: usize = 2_000;
/// A table where more has happened, such as moves taken back over and over, can only be ended.
const MOST_EVENTS: u64 = 20_000;
const CHATS_KEPT: usize = 50;
const CHAT_LENGTH: usize = 300;
/// So many words in so many milliseconds.
const CHAT_BURST: (usize, u64) = (5, 10_000);
const MOST_CHATS: u32 = 500;
/// Programs among themselves take at least this long to begin with, so that people can follow.
const USUAL_DELAY_MS: u64 = 700;
const LONGEST_DELAY_MS: u64 = 10_000;

/// A table at some version.
#[derive(Clone, Debug)]
pub(crate) struct State {
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
    pub(crate) chat: VecDeque<Chat>,
    pub(crate) pace: Pace,
    /// How many moves programs that wait may make.
    steps: u32,
    left_ms: Option<[u64; 2]>,
    /// Since when the side to move thinks.
    since: u64,
    /// After how many moves each side last offered a draw.
    draw_offered_at: [Option<usize>; 2],
    chats: u32,
    /// When each side last spoke, the latest last.
    spoke_at: [VecDeque<u64>; 2],
    /// What a slow line may still be forgiven.
    quota_ms: [u64; 2],
    /// The version in which moves were taken back last.
    taken_back_at: u64,
}

/// A move that was made.
#[derive(Clone, Debug)]
pub(crate) struct PlayedMove {
    pub(crate) text: String,
    pub(crate) side: Side,
    pub(crate) version: u64,
    pub(crate) at: u64,
    pub(crate) left_ms: Option<[u64; 2]>,
    pub(crate) thought: Option<Value>,
}

/// What is known beside the log when something is decided.
#[derive(Clone, Debug, Default)]
pub(crate) struct Circumstances {
    /// Milliseconds since 1970.
    pub(crate) now: u64,
    /// When no server was there to be played on; clocks are not charged for it.
    pub(crate) downtimes: Arc<[(u64, u64)]>,
    /// For how long each side has been gone, if it is.
    pub(crate) away_ms: [Option<u64>; 2],
    /// The lag that the server itself measured for who asks.
    pub(crate) measured_lag_ms: u64,
    /// How long somebody may be gone.
    pub(crate) grace_ms: u64,
}

/// What comes of a command.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Decision {
    /// These things happen.
    Happens(Vec<Event>),
    /// It has already been done: a message that was sent twice.
    AlreadyDone {
        /// The version that has it.
        version: u64,
    },
    /// A new table is to be set up with sides exchanged.
    PlayAgain,
}

fn happens(event: Event) -> Result<Decision, ApiError> {
    Ok(Decision::Happens(vec![event]))
}

impl State {
    /// The table after its first event.
    ///
    /// # Errors
    /// If the event does not set up a table that we know.
    pub(crate) fn new(version: u64, at: u64, event: &Event) -> Result<Self, String> {
        let Event::Created { settings, seats, creator } = event else {
            return Err("the log of the table does not begin with its set-up".to_owned());
        };
        let game = begin(&settings.game, settings.position.as_deref()).map_err(|refusal| refusal.message)?;
        let state = Self {
            version,
            settings: settings.clone(),
            creator: creator.clone(),
            seats: seats.clone(),
            game,
            moves: Vec::new(),
            status: if seats.contains(&Occupant::Open) { Status::Open } else { Status::Playing },
            result: None,
            offers: Offers::default(),
            rematch: None,
            chat: VecDeque::new(),
            pace: Pace { paused: false, delay_ms: USUAL_DELAY_MS },
            steps: 0,
            left_ms: settings.clock.initial_ms().map(|initial| [initial; 2]),
            since: at,
            draw_offered_at: [None; 2],
            chats: 0,
            spoke_at: [VecDeque::new(), VecDeque::new()],
            quota_ms: [3 * quota_gain(settings.clock); 2],
            taken_back_at: 0,
        };
        Ok(state)
    }

    /// The table that a log leads to; none if the log is empty.
    ///
    /// # Errors
    /// If the log cannot be.
    pub(crate) fn replay(log: &[StoredEvent]) -> Result<Option<Self>, ApiError> {
        let mut state: Option<Self> = None;
        for StoredEvent { version, at, event } in log {
            match &mut state {
                None => state = Some(Self::new(*version, *at, event).map_err(damaged)?),
                Some(state) => state.apply(*version, *at, event).map_err(damaged)?,
            }
        }
        Ok(state)
    }

    /// What the event makes of the table.
    ///
    /// # Errors
    /// If the log cannot be: a move in it is illegal.
    pub(crate) fn apply(&mut self, version: u64, at: u64, event: &Event) -> Result<(), String> {
        self.version = version;
        match event {
            Event::Created { .. } => return Err("the table was set up twice".to_owned()),
            Event::Seated { side, occupant } => {
                self.seats[side.index()] = occupant.clone();
                if !self.seats.contains(&Occupant::Open) {
                    self.status = Status::Playing;
                    self.since = at;
                }
            }
            Event::Moved { side, text, left_ms, lag_compensation_ms, thought, .. } => {
                if self.running().is_some() {
                    let gain = quota_gain(self.settings.clock);
                    let quota = &mut self.quota_ms[side.index()];
                    *quota = (quota.saturating_sub(*lag_compensation_ms) + gain).min(7 * gain);
                }
                self.game.play(text).map_err(|error| error.to_string())?;
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
            Event::Chat(chat) => {
                self.chats += 1;
                if let Some(side) = chat.side {
                    let spoke_at = &mut self.spoke_at[side.index()];
                    spoke_at.push_back(at);
                    if spoke_at.len() > CHAT_BURST.0 {
                        spoke_at.pop_front();
                    }
                }
                self.chat.push_back(chat.clone());
                if self.chat.len() > CHATS_KEPT {
                    self.chat.pop_front();
                }
            }
            Event::Paced { paused, delay_ms } => {
                // While programs are made to wait, no clock runs.
                self.left_ms = self.left_ms.map(|left| self.left_at(left, at, &[]));
                self.since = at;
                self.pace = Pace { paused: *paused, delay_ms: *delay_ms };
                self.steps = 0;
            }
            Event::Stepped => self.steps += 1,
        }
        Ok(())
    }

    /// The sides that somebody plays.
    pub(crate) fn sides(&self, who: &Principal) -> Vec<Side> {
        Side::BOTH
            .into_iter()
            .filter(|side| who.ids.iter().any(|id| self.seats[side.index()].is(id)))
            .collect()
    }

    /// Whether two programs play.
    pub(crate) fn is_demo(&self) -> bool {
        self.seats.iter().all(Occupant::is_program)
    }

    /// Whether some node has to look after the table even if nobody is there, now or after a move to come.
    pub(crate) fn needs_care(&self) -> bool {
        self.status == Status::Playing && needs_care(&self.seats, self.settings.clock)
    }

    /// Whether what happens here depends on the time.
    pub(crate) fn is_timed(&self) -> bool {
        self.program_to_move().is_some() || self.running().is_some()
    }

    /// The program whose turn it is, if it is one's and it may move.
    pub(crate) fn program_to_move(&self) -> Option<&str> {
        let waits = self.is_demo() && self.pace.paused && self.steps == 0;
        match &self.seats[self.game.turn().index()] {
            Occupant::Program { name, .. } if self.status == Status::Playing && !waits => Some(name),
            _ => None,
        }
    }

    /// Whose clock runs. The first move of each side is free, so that nobody loses time by sitting down late.
    fn running(&self) -> Option<Side> {
        let waits = self.is_demo() && self.pace.paused;
        let runs =
            self.status == Status::Playing && self.left_ms.is_some() && self.moves.len() >= 2 && !waits;
        runs.then(|| self.game.turn())
    }

    /// How long the side to move has been thinking.
    fn thought_ms(&self, now: u64, downtimes: &[(u64, u64)]) -> u64 {
        let down = downtimes.iter().map(|&(from, to)| to.min(now).saturating_sub(from.max(self.since)));
        now.saturating_sub(self.since).saturating_sub(down.sum())
    }

    fn left_at(&self, mut left: [u64; 2], now: u64, downtimes: &[(u64, u64)]) -> [u64; 2] {
        if let Some(side) = self.running() {
            let own = &mut left[side.index()];
            *own = own.saturating_sub(self.thought_ms(now, downtimes));
        }
        left
    }

    /// What the clocks show.
    pub(crate) fn clocks(&self, now: u64, downtimes: &[(u64, u64)]) -> Option<Clocks> {
        let left_ms = self.left_at(self.left_ms?, now, downtimes);
        Some(Clocks { left_ms, running: self.running() })
    }

    /// How long a program should think about this move, if its clock runs.
    pub(crate) fn program_budget(&self, now: u64, downtimes: &[(u64, u64)]) -> Option<Duration> {
        let left = self.clocks(now, downtimes)?.left_ms[self.running()?.index()];
        let share = match self.settings.clock {
            Clock::Game { increment_ms, .. } => (left / 20 + increment_ms / 2).min(left / 2),
            _ => left / 2,
        };
        Some(Duration::from_millis(share))
    }

    /// When the clock of the side to move will have run out for good, if it runs: a move that is under way may
    /// still be forgiven its lag. A program may have waited for its turn to think, so that only its answer tells
    /// whether it was in time.
    pub(crate) fn flag_at(&self, downtimes: &[(u64, u64)]) -> Option<u64> {
        let side = self.running().filter(|side| !self.seats[side.index()].is_program())?;
        let down: u64 = downtimes.iter().map(|&(from, to)| to.saturating_sub(from.max(self.since))).sum();
        let quota = self.quota_ms[side.index()].min(LONGEST_LAG_MS);
        Some(self.since + down + self.left_ms?[side.index()] + quota + 1)
    }

    /// What happens when the clock of the side to move has run out for good.
    pub(crate) fn flag(&self, now: u64, downtimes: &[(u64, u64)]) -> Option<Event> {
        (now >= self.flag_at(downtimes)?).then(|| self.out_of_time(self.game.turn()))
    }

    fn out_of_time(&self, side: Side) -> Event {
        Event::Ended { winner: Some(side.other()), reason: EndReason::Time, ratings: None }
    }

    /// What comes of a command.
    ///
    /// # Errors
    /// If it may not be done; then nothing happens.
    pub(crate) fn decide(
        &mut self,
        who: &Principal,
        command: &Command,
        circumstances: &Circumstances,
    ) -> Result<Decision, ApiError> {
        let sides = self.sides(who);
        let version = self.version;
        if version >= MOST_EVENTS && !matches!(command, Command::Resign {}) {
            return Err(
                ErrorCode::NotAllowed.because("too much has happened at this table; only giving up is left")
            );
        }
        match command {
            Command::MakeMove { ply, text, lag_ms, seen } => {
                if seen.is_some_and(|seen| seen < self.taken_back_at) {
                    return Err(ErrorCode::StalePly.because("moves were taken back since"));
                }
                let believed = (*lag_ms).min(circumstances.measured_lag_ms + LAG_SLACK_MS);
                let quota = self.quota_ms[self.game.turn().index()];
                self.decide_move(&sides, *ply, text, believed.min(quota), circumstances)
            }
            Command::Sit {} => self.decide_sit(who, &sides),
            Command::Resign {} => self.decide_resign(who, &sides),
            Command::OfferDraw {} => self.decide_draw(self.my_side(&sides)?),
            Command::DeclineDraw {} => {
                let side = self.my_side(&sides)?;
                match self.offers.draw {
                    Some(by) if by != side => happens(Event::DrawDeclined { side }),
                    _ => Err(ErrorCode::NothingToAnswer.because("no draw was offered")),
                }
            }
            Command::TakeBack {} => self.decide_take_back(self.my_side(&sides)?, circumstances),
            Command::DeclineTakeBack {} => {
                let side = self.my_side(&sides)?;
                match self.offers.take_back {
                    Some(by) if by != side => happens(Event::TakeBackDeclined { side }),
                    _ => Err(ErrorCode::NothingToAnswer.because("nobody asked to take back")),
                }
            }
            Command::Claim { result } => self.decide_claim(self.my_side(&sides)?, *result, circumstances),
            Command::Rematch {} => self.decide_rematch(&sides),
            Command::Chat { text } => self.decide_chat(who, &sides, text, circumstances.now),
            Command::Pace { paused, delay_ms } => {
                self.check_demo(who)?;
                let pace = Pace { paused: *paused, delay_ms: (*delay_ms).min(LONGEST_DELAY_MS) };
                if pace == self.pace {
                    return Ok(Decision::AlreadyDone { version });
                }
                happens(Event::Paced { paused: pace.paused, delay_ms: pace.delay_ms })
            }
            Command::Step {} => {
                self.check_demo(who)?;
                if !self.pace.paused {
                    return Err(ErrorCode::NotAllowed.because("the programs do not wait"));
                }
                happens(Event::Stepped)
            }
        }
    }

    /// What comes of a program's answer to the position at `version`. What it waited for a place to think in is not
    /// its fault.
    pub(crate) fn decide_program(
        &mut self,
        text: &str,
        thought: Value,
        waited_ms: u64,
        circumstances: &Circumstances,
    ) -> Result<Decision, ApiError> {
        let (ply, side) = (self.moves.len() as u32 + 1, self.game.turn());
        let mut decision = self.decide_move(&[side], ply, text, waited_ms, circumstances)?;
        if let Decision::Happens(events) = &mut decision
            && let Some(Event::Moved { thought: slot, .. }) = events.first_mut()
        {
            *slot = Some(thought);
        }
        Ok(decision)
    }

    /// What happens when the program to move has failed: its side gives up.
    pub(crate) fn give_up(&self) -> Event {
        Event::Ended { winner: Some(self.game.turn().other()), reason: EndReason::Resignation, ratings: None }
    }

    /// The side that a command is about, in a game that goes on.
    fn my_side(&self, sides: &[Side]) -> Result<Side, ApiError> {
        self.check_playing()?;
        let turn = self.game.turn();
        match sides {
            [] => Err(ErrorCode::NotSeated.because("only the players of this table can do that")),
            [side] => Ok(*side),
            // One person plays both.
            _ => Ok(turn),
        }
    }

    fn check_playing(&self) -> Result<(), ApiError> {
        match self.status {
            Status::Open => Err(ErrorCode::NotStarted.because("the other seat is still empty")),
            Status::Playing => Ok(()),
            Status::Ended => Err(ErrorCode::GameOver.because("the game is over")),
        }
    }

    fn check_demo(&self, who: &Principal) -> Result<(), ApiError> {
        if !self.is_demo() {
            return Err(ErrorCode::NotAllowed.because("only programs among themselves can be slowed down"));
        }
        if !who.is(&self.creator) {
            return Err(ErrorCode::NotSeated.because("only who set up the table can do that"));
        }
        self.check_playing()
    }

    fn plays_alone(&self) -> bool {
        matches!(&self.seats, [Occupant::Person { id: first, .. }, Occupant::Person { id: second, .. }] if first == second)
    }

    /// Whether nobody else has to be asked.
    fn is_free(&self, side: Side) -> bool {
        self.plays_alone() || self.seats[side.other().index()].is_program()
    }

    fn decide_move(
        &mut self,
        sides: &[Side],
        ply: u32,
        text: &str,
        lag_compensation_ms: u64,
        circumstances: &Circumstances,
    ) -> Result<Decision, ApiError> {
        if sides.is_empty() {
            return Err(ErrorCode::NotSeated.because("only the players of this table can move"));
        }
        let due = self.moves.len() as u32 + 1;
        if (1..due).contains(&ply) {
            let made = &self.moves[ply as usize - 1];
            if made.text == text && sides.contains(&made.side) {
                return Ok(Decision::AlreadyDone { version: made.version });
            }
            return Err(ErrorCode::StalePly.because(format!("move {ply} has been made: {}", made.text)));
        }
        self.check_playing()?;
        if ply != due {
            return Err(ErrorCode::FuturePly.because(format!("the next move is number {due}")));
        }
        let side = self.game.turn();
        if !sides.contains(&side) {
            return Err(ErrorCode::NotYourTurn.because("it is the other side's turn"));
        }
        self.game.play(text).map_err(|error| ErrorCode::IllegalMove.because(error.to_string()))?;
        let outcome = self.game.outcome();
        let text = self.game.take_back().expect("the move was just played");

        let mut left_ms = self.left_ms;
        let mut forgiven = 0;
        if let (Some(left), Some(_)) = (&mut left_ms, self.running()) {
            let thought = self.thought_ms(circumstances.now, &circumstances.downtimes);
            forgiven = lag_compensation_ms.min(thought);
            let used = thought - forgiven;
            let own = &mut left[side.index()];
            if used > *own {
                return happens(self.out_of_time(side));
            }
            *own = self.settings.clock.after_move(*own, used);
        }
        let mut events =
            vec![Event::Moved { ply, side, text, left_ms, lag_compensation_ms: forgiven, thought: None }];
        let too_long = self.moves.len() + 1 >= MOST_MOVES;
        if let Some(outcome) = outcome.or(too_long.then_some(Outcome::Draw)) {
            events.push(Event::Ended { winner: outcome.winner(), reason: EndReason::Rules, ratings: None });
        }
        Ok(Decision::Happens(events))
    }

    fn decide_sit(&self, who: &Principal, sides: &[Side]) -> Result<Decision, ApiError> {
        if !sides.is_empty() {
            return Ok(Decision::AlreadyDone { version: self.version });
        }
        let open = Side::BOTH.into_iter().find(|side| self.seats[side.index()] == Occupant::Open);
        let (Status::Open, Some(side)) = (self.status, open) else {
            return Err(ErrorCode::SeatTaken.because("both seats are taken"));
        };
        if self.settings.invited.as_ref().is_some_and(|invited| !who.is(invited)) {
            return Err(ErrorCode::SeatTaken.because("the seat is kept for somebody else"));
        }
        if self.settings.rated && who.account.is_none() {
            return Err(ErrorCode::SignInFirst.because("a rated game needs an account"));
        }
        let occupant = Occupant::Person { id: who.id().to_owned(), name: who.name.clone(), rating: None };
        happens(Event::Seated { side, occupant })
    }

    fn decide_resign(&self, who: &Principal, sides: &[Side]) -> Result<Decision, ApiError> {
        let aborted = Event::Ended { winner: None, reason: EndReason::Aborted, ratings: None };
        let may_call_off = !sides.is_empty()
            || self.settings.invited.as_ref().is_some_and(|invited| who.is(invited))
            || who.is(&self.creator);
        match self.status {
            Status::Open if may_call_off => happens(aborted),
            Status::Playing if self.is_demo() && who.is(&self.creator) => happens(aborted),
            _ => {
                let side = self.my_side(sides)?;
                if self.moves.len() < 2 {
                    return happens(aborted);
                }
                let winner = Some(side.other());
                happens(Event::Ended { winner, reason: EndReason::Resignation, ratings: None })
            }
        }
    }

    fn decide_draw(&self, side: Side) -> Result<Decision, ApiError> {
        let agreed = Event::Ended { winner: None, reason: EndReason::Agreement, ratings: None };
        if self.plays_alone() || self.offers.draw == Some(side.other()) {
            return happens(agreed);
        }
        if self.offers.draw == Some(side) {
            return Ok(Decision::AlreadyDone { version: self.version });
        }
        if self.draw_offered_at[side.index()].is_some_and(|at| self.moves.len() < at + 2) {
            return Err(ErrorCode::TooEarly.because("make a move before you offer a draw again"));
        }
        let mut events = vec![Event::DrawOffered { side }];
        if self.seats[side.other().index()].is_program() {
            events.push(Event::DrawDeclined { side: side.other() });
        }
        Ok(Decision::Happens(events))
    }

    fn decide_take_back(&self, side: Side, circumstances: &Circumstances) -> Result<Decision, ApiError> {
        if !self.settings.take_back {
            return Err(ErrorCode::NotAllowed.because("this table does not allow taking back"));
        }
        let by = match self.offers.take_back {
            Some(by) if by != side && !self.is_free(side) => by,
            _ => side,
        };
        let keep = if self.plays_alone() {
            self.moves.len().checked_sub(1)
        } else {
            // The last move of who asks, and what was answered to it.
            self.moves.iter().rposition(|made| made.side == by)
        };
        let Some(keep) = keep else {
            return Err(ErrorCode::NothingToAnswer.because("there is no move to take back"));
        };
        if by == side && !self.is_free(side) {
            if self.offers.take_back == Some(side) {
                return Ok(Decision::AlreadyDone { version: self.version });
            }
            return happens(Event::TakeBackAsked { side });
        }
        let left_ms = match self.settings.clock {
            // Each move has its own time.
            Clock::Move { .. } | Clock::Correspondence { .. } => {
                self.settings.clock.initial_ms().map(|initial| [initial; 2])
            }
            _ => self.clocks(circumstances.now, &circumstances.downtimes).map(|clocks| clocks.left_ms),
        };
        happens(Event::TakenBack { ply: keep as u32, left_ms })
    }

    fn decide_claim(
        &self,
        side: Side,
        claim: Claim,
        circumstances: &Circumstances,
    ) -> Result<Decision, ApiError> {
        let away = circumstances.away_ms[side.other().index()];
        if self.is_free(side) || away.is_none_or(|away| away < circumstances.grace_ms) {
            return Err(ErrorCode::TooEarly.because("the other side has not been gone for long enough"));
        }
        let (winner, reason) = match claim {
            _ if self.moves.len() < 2 => (None, EndReason::Aborted),
            Claim::Win => (Some(side), EndReason::Abandoned),
            Claim::Draw => (None, EndReason::Abandoned),
        };
        happens(Event::Ended { winner, reason, ratings: None })
    }

    fn decide_rematch(&self, sides: &[Side]) -> Result<Decision, ApiError> {
        let side = match sides {
            [] => return Err(ErrorCode::NotSeated.because("only the players of this table can do that")),
            [side, ..] => *side,
        };
        if self.status != Status::Ended {
            return Err(ErrorCode::NotOver.because("this game is not over"));
        }
        if self.seats.contains(&Occupant::Open) {
            return Err(ErrorCode::NotAllowed.because("there was nobody to play with"));
        }
        if self.rematch.is_some() || self.offers.rematch == Some(side) && !self.is_free(side) {
            return Ok(Decision::AlreadyDone { version: self.version });
        }
        if self.is_free(side) || self.offers.rematch == Some(side.other()) {
            return Ok(Decision::PlayAgain);
        }
        happens(Event::RematchOffered { side })
    }

    fn decide_chat(
        &self,
        who: &Principal,
        sides: &[Side],
        text: &str,
        now: u64,
    ) -> Result<Decision, ApiError> {
        let [side] = sides else {
            return Err(ErrorCode::NotSeated.because("only the two players talk at a table"));
        };
        let text = plain(text);
        if text.is_empty() || text.chars().count() > CHAT_LENGTH {
            return Err(
                ErrorCode::BadMessage.because(format!("say something, in at most {CHAT_LENGTH} letters"))
            );
        }
        let (burst, within) = CHAT_BURST;
        let spoke_at = &self.spoke_at[side.index()];
        let too_fast = spoke_at.len() >= burst && spoke_at[0] + within > now;
        if too_fast || self.chats >= MOST_CHATS {
            return Err(ErrorCode::TooFast.because("that is enough talk for now"));
        }
        happens(Event::Chat(Chat { from: who.name.clone(), side: Some(*side), text }))
    }
}

/// Whether a game between these, once it goes on, has to be looked after even if nobody is there.
pub(crate) fn needs_care(seats: &[Occupant; 2], clock: Clock) -> bool {
    clock != Clock::None || seats.iter().any(Occupant::is_program)
}

/// The game of a table at its start.
///
/// # Errors
/// If there is no such game or position.
pub(crate) fn begin(game: &str, position: Option<&str>) -> Result<AnyGame, ApiError> {
    let spec = game.parse::<Spec>().map_err(|error| ErrorCode::UnknownGame.because(error.to_string()))?;
    let mut game = AnyGame::from(spec);
    if let Some(position) = position {
        game.set_position(position).map_err(|error| ErrorCode::BadMessage.because(error.to_string()))?;
    }
    Ok(game)
}

/// Text without what could disturb a screen: control characters, changes of direction, piled-up accents.
pub(crate) fn plain(text: &str) -> String {
    let is_harmful = |c: char| {
        c.is_control() && c != ' '
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    let is_combining = |c: char| matches!(c, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}');
    let mut plain = String::with_capacity(text.len().min(4 * CHAT_LENGTH));
    let mut accents = 0;
    for c in text.chars() {
        accents = if is_combining(c) { accents + 1 } else { 0 };
        if is_harmful(c) {
            plain.push(' ');
        } else if accents <= 2 {
            plain.push(c);
        }
    }
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// No lag that a client reports counts for more than what the server measured and this.
const LAG_SLACK_MS: u64 = 140;
/// A flag waits at most this long for a move that may be under way.
const LONGEST_LAG_MS: u64 = 1_000;

/// How much a slow line is forgiven with each move: more in longer games, at most a second.
fn quota_gain(clock: Clock) -> u64 {
    let seconds = match clock {
        Clock::Game { initial_ms, increment_ms } => (initial_ms + 40 * increment_ms) / 1_000,
        Clock::Move { ms } => 40 * ms / 1_000,
        Clock::None | Clock::Correspondence { .. } => 0,
    };
    (4 * seconds + 150).min(1_000)
}

#[cfg(test)]
mod tests;
