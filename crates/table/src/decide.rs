//! Decides commands: each becomes events, or is refused.

use std::sync::Arc;

use protocol::{
    ApiError, Chat, Claim, Clock, Command, EndReason, ErrorCode, Event, Occupant, Pace, Status, Thought,
};
use rules::{Outcome, Side};

use crate::{Principal, State, clock::LAG_SLACK_MS};

/// Longer games are drawn, which bounds the size of the log.
const MAX_MOVES: usize = 2_000;
/// A table with more events, such as repeated takebacks, can only be ended.
pub(crate) const MAX_EVENTS: u64 = 20_000;
const MAX_DELAY_MS: u64 = 10_000;

/// The input of a decision besides the log.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// Unix time in milliseconds.
    pub now: u64,
    /// Periods (from, to) in which no server was reachable; clocks are not charged for them.
    pub downtimes: Arc<[(u64, u64)]>,
    /// How long each side has been disconnected, if it is.
    pub away_ms: [Option<u64>; 2],
    /// The sender's lag as the server measured it.
    pub measured_lag_ms: u64,
    /// How long a player may be disconnected before the opponent can claim the game.
    pub grace_ms: u64,
}

/// The outcome of a command.
#[derive(Clone, PartialEq, Debug)]
pub enum Decision {
    /// Append these events to the log.
    Append(Vec<Event>),
    /// The command had already been executed: the message was sent twice.
    AlreadyDone {
        /// The version with its effect.
        version: u64,
    },
    /// Create a table with sides exchanged, then append [`Event::Rematch`].
    CreateRematch,
}

fn append(event: Event) -> Result<Decision, ApiError> {
    Ok(Decision::Append(vec![event]))
}

/// Whether this is the id of an account rather than a guest.
fn is_account(id: &str) -> bool {
    id.starts_with("u:")
}

fn ended(winner: Option<Side>, reason: EndReason) -> Event {
    Event::Ended { winner, reason, ratings: None }
}

impl State {
    /// Decides a command. The state does not change until the resulting events are applied.
    ///
    /// # Errors
    /// If the command is refused.
    pub fn decide(
        &mut self,
        principal: &Principal,
        command: &Command,
        context: &Context,
    ) -> Result<Decision, ApiError> {
        let sides = self.sides(principal);
        let version = self.version;
        if version >= MAX_EVENTS && !matches!(command, Command::Resign {}) {
            return Err(ErrorCode::NotAllowed.because("this table has too many events; you can only resign"));
        }
        match command {
            Command::MakeMove { ply, text, lag_ms, seen } => {
                if seen.is_some_and(|seen| seen < self.taken_back_at) {
                    return Err(
                        ErrorCode::StalePly.because("moves have been taken back since you chose this one")
                    );
                }
                let believed = (*lag_ms).min(context.measured_lag_ms + LAG_SLACK_MS);
                let quota = self.lag_quota_ms[self.game.turn().index()];
                self.decide_move(&sides, *ply, text, believed.min(quota), context)
            }
            Command::Sit {} => self.decide_sit(principal, &sides),
            Command::Resign {} => self.decide_resign(principal, &sides),
            Command::OfferDraw {} => self.decide_draw(self.acting_side(&sides)?),
            Command::DeclineDraw {} => {
                let side = self.acting_side(&sides)?;
                match self.offers.draw {
                    Some(by) if by != side => append(Event::DrawDeclined { side }),
                    _ => Err(ErrorCode::NothingToAnswer.because("there is no draw offer to decline")),
                }
            }
            Command::TakeBack {} => self.decide_take_back(self.acting_side(&sides)?, context),
            Command::DeclineTakeBack {} => {
                let side = self.acting_side(&sides)?;
                match self.offers.take_back {
                    Some(by) if by != side => append(Event::TakeBackDeclined { side }),
                    _ => Err(ErrorCode::NothingToAnswer.because("there is no take-back request to decline")),
                }
            }
            Command::Claim { result } => self.decide_claim(self.acting_side(&sides)?, *result, context),
            Command::Rematch {} => self.decide_rematch(&sides),
            Command::Chat { text } => self.decide_chat(principal, &sides, text, context.now),
            Command::Pace { paused, delay_ms } => {
                self.check_demo(principal)?;
                let pace = Pace { paused: *paused, delay_ms: (*delay_ms).min(MAX_DELAY_MS) };
                if pace == self.pace {
                    return Ok(Decision::AlreadyDone { version });
                }
                append(Event::Paced { paused: pace.paused, delay_ms: pace.delay_ms })
            }
            Command::Step {} => {
                self.check_demo(principal)?;
                if !self.pace.paused {
                    return Err(ErrorCode::NotAllowed.because("the programs are not paused"));
                }
                append(Event::Stepped)
            }
        }
    }

    /// Ends an abandoned table: one that had no opponent before `open_before`, or an untimed game between guests without
    /// activity since `idle_before`. `None` if the table may continue.
    #[must_use]
    pub fn expire(&self, open_before: u64, idle_before: u64) -> Option<Event> {
        let is_account =
            |occupant: &Occupant| matches!(occupant, Occupant::Person { id, .. } if is_account(id));
        match self.status {
            Status::Open => (self.since < open_before).then(|| ended(None, EndReason::Aborted)),
            Status::Playing => {
                let is_free = self.settings.clock == Clock::None && self.settings.tournament.is_none();
                let may_expire = is_free && !self.seats.iter().any(is_account);
                (may_expire && self.since < idle_before).then(|| ended(None, EndReason::Aborted))
            }
            Status::Ended => None,
        }
    }

    /// Ends a game that was decided elsewhere, such as a tournament game with an absent player: with a winner as
    /// abandoned, otherwise without a result. `None` if it is over.
    #[must_use]
    pub fn decided_elsewhere(&self, winner: Option<Side>) -> Option<Event> {
        let reason = if winner.is_some() { EndReason::Abandoned } else { EndReason::Aborted };
        (self.status != Status::Ended).then(|| ended(winner, reason))
    }

    /// Decides the move of the program whose turn it is. The program is not charged for waiting for a free
    /// thread.
    ///
    /// # Errors
    /// If the move is refused.
    pub fn decide_program(
        &mut self,
        text: &str,
        thought: Option<Thought>,
        waited_ms: u64,
        context: &Context,
    ) -> Result<Decision, ApiError> {
        let (ply, side) = (self.moves.len() as u32 + 1, self.game.turn());
        let mut decision = self.decide_move(&[side], ply, text, waited_ms, context)?;
        if let Decision::Append(events) = &mut decision
            && let Some(Event::Moved { thought: slot, .. }) = events.first_mut()
        {
            *slot = thought.map(Box::new);
        }
        Ok(decision)
    }

    /// Ends the game because the program whose turn it is has failed: the program resigns.
    #[must_use]
    pub fn program_resigns(&self) -> Event {
        ended(Some(self.game.turn().other()), EndReason::Resignation)
    }

    /// Returns the side for which a command acts in a game in progress.
    fn acting_side(&self, sides: &[Side]) -> Result<Side, ApiError> {
        self.check_playing()?;
        match sides {
            [] => Err(not_seated()),
            [side] => Ok(*side),
            // One person plays both sides.
            _ => Ok(self.game.turn()),
        }
    }

    fn check_playing(&self) -> Result<(), ApiError> {
        match self.status {
            Status::Open => Err(ErrorCode::NotStarted.because("the other seat is still open")),
            Status::Playing => Ok(()),
            Status::Ended => Err(ErrorCode::GameOver.because("the game is over")),
        }
    }

    fn check_demo(&self, principal: &Principal) -> Result<(), ApiError> {
        if !self.is_demo() {
            return Err(ErrorCode::NotAllowed.because("the pace can only be changed when two programs play"));
        }
        if !principal.is(&self.creator) {
            return Err(ErrorCode::NotSeated.because("only the player who created this table can do that"));
        }
        self.check_playing()
    }

    fn is_single_player(&self) -> bool {
        matches!(&self.seats, [Occupant::Person { id: first, .. }, Occupant::Person { id: second, .. }] if first == second)
    }

    /// Whether a side needs no consent of the opponent.
    fn needs_no_consent(&self, side: Side) -> bool {
        self.is_single_player() || self.seats[side.other().index()].is_program()
    }

    fn decide_move(
        &mut self,
        sides: &[Side],
        ply: u32,
        text: &str,
        lag_compensation_ms: u64,
        context: &Context,
    ) -> Result<Decision, ApiError> {
        if sides.is_empty() {
            return Err(ErrorCode::NotSeated.because("only the players of this table can move"));
        }
        let due = self.moves.len() as u32 + 1;
        if (1..due).contains(&ply) {
            let played = &self.moves[ply as usize - 1];
            if played.text == text && sides.contains(&played.side) {
                return Ok(Decision::AlreadyDone { version: played.version });
            }
            return Err(
                ErrorCode::StalePly.because(format!("move {ply} was already played: {}", played.text))
            );
        }
        self.check_playing()?;
        if ply != due {
            return Err(ErrorCode::FuturePly.because(format!("the next move is number {due}")));
        }
        let side = self.game.turn();
        if !sides.contains(&side) {
            return Err(ErrorCode::NotYourTurn.because("it is the other side's turn"));
        }
        // Plays the move and takes it back: cheaper than a copy, and returns the move in the game's notation.
        self.game.play(text).map_err(|error| ErrorCode::IllegalMove.because(error.to_string()))?;
        let outcome = self.game.outcome();
        let text = self.game.take_back().expect("the move was just played");

        let mut left_ms = self.left_ms;
        let mut compensated = 0;
        if let (Some(left), Some(_)) = (&mut left_ms, self.running()) {
            let thinking = self.thinking_ms(context.now, &context.downtimes);
            compensated = lag_compensation_ms.min(thinking);
            let used = thinking - compensated;
            let own = &mut left[side.index()];
            if used > *own {
                return append(self.out_of_time(side));
            }
            *own = self.settings.clock.after_move(*own, used);
        }
        let mut events =
            vec![Event::Moved { ply, side, text, left_ms, lag_compensation_ms: compensated, thought: None }];
        let too_long = self.moves.len() + 1 >= MAX_MOVES;
        if let Some(outcome) = outcome.or(too_long.then_some(Outcome::Draw)) {
            events.push(ended(outcome.winner(), EndReason::Rules));
        }
        Ok(Decision::Append(events))
    }

    fn decide_sit(&self, principal: &Principal, sides: &[Side]) -> Result<Decision, ApiError> {
        if !sides.is_empty() {
            return Ok(Decision::AlreadyDone { version: self.version });
        }
        let open = Side::BOTH.into_iter().find(|side| self.seats[side.index()] == Occupant::Open);
        let (Status::Open, Some(side)) = (self.status, open) else {
            return Err(ErrorCode::SeatTaken.because("both seats are taken"));
        };
        if self.settings.invited.as_ref().is_some_and(|invited| !principal.is(invited)) {
            return Err(ErrorCode::SeatTaken.because("the seat is reserved for another player"));
        }
        if self.settings.rated && principal.account.is_none() {
            return Err(ErrorCode::SignInFirst.because("a rated game needs an account"));
        }
        let differ = self.seats[side.other().index()].is_bot() != principal.bot;
        if self.settings.rated && differ && !self.settings.bots {
            return Err(ErrorCode::NotAllowed
                .because("people and bots cannot play this rated game against each other"));
        }
        append(Event::Seated { side, occupant: principal.occupant(None) })
    }

    fn decide_resign(&self, principal: &Principal, sides: &[Side]) -> Result<Decision, ApiError> {
        let aborted = ended(None, EndReason::Aborted);
        let may_abort = !sides.is_empty() || principal.is(&self.creator);
        match self.status {
            Status::Open if may_abort => append(aborted),
            Status::Open if self.settings.invited.as_ref().is_some_and(|invited| principal.is(invited)) => {
                append(ended(None, EndReason::Declined))
            }
            Status::Playing if self.is_demo() && principal.is(&self.creator) => append(aborted),
            _ => {
                let side = self.acting_side(sides)?;
                if !self.has_begun() && self.settings.tournament.is_none() {
                    return append(aborted);
                }
                append(ended(Some(side.other()), EndReason::Resignation))
            }
        }
    }

    fn decide_draw(&self, side: Side) -> Result<Decision, ApiError> {
        if self.is_single_player() || self.offers.draw == Some(side.other()) {
            return append(ended(None, EndReason::Agreement));
        }
        if self.offers.draw == Some(side) {
            return Ok(Decision::AlreadyDone { version: self.version });
        }
        if self.draw_offered_at[side.index()].is_some_and(|at| self.moves.len() < at + 2) {
            return Err(ErrorCode::TooEarly.because("play a move before you offer a draw again"));
        }
        let mut events = vec![Event::DrawOffered { side }];
        if self.seats[side.other().index()].is_program() {
            events.push(Event::DrawDeclined { side: side.other() });
        }
        Ok(Decision::Append(events))
    }

    fn decide_take_back(&self, side: Side, context: &Context) -> Result<Decision, ApiError> {
        if !self.settings.take_back {
            return Err(ErrorCode::NotAllowed.because("moves cannot be taken back at this table"));
        }
        let by = self.offers.take_back.unwrap_or(side);
        let keep = if self.is_single_player() {
            self.moves.len().checked_sub(1)
        } else {
            // The last move of the side that asks, and the answer to it.
            self.moves.iter().rposition(|played| played.side == by)
        };
        let Some(keep) = keep else {
            return Err(ErrorCode::NothingToAnswer.because("there is no move to take back"));
        };
        if by == side && !self.needs_no_consent(side) {
            if self.offers.take_back == Some(side) {
                return Ok(Decision::AlreadyDone { version: self.version });
            }
            return append(Event::TakeBackAsked { side });
        }
        let left_ms = if self.has_move_clock() {
            self.initial_clocks()
        } else {
            self.clocks(context.now, &context.downtimes).map(|clocks| clocks.left_ms)
        };
        append(Event::TakenBack { ply: keep as u32, left_ms })
    }

    fn decide_claim(&self, side: Side, claim: Claim, context: &Context) -> Result<Decision, ApiError> {
        let away = context.away_ms[side.other().index()];
        if self.needs_no_consent(side) || away.is_none_or(|away| away < context.grace_ms) {
            return Err(ErrorCode::TooEarly.because("your opponent has not been away for long enough"));
        }
        append(match claim {
            _ if !self.has_begun() && self.settings.tournament.is_none() => ended(None, EndReason::Aborted),
            Claim::Win => ended(Some(side), EndReason::Abandoned),
            Claim::Draw => ended(None, EndReason::Abandoned),
        })
    }

    fn decide_rematch(&self, sides: &[Side]) -> Result<Decision, ApiError> {
        let side = *sides.first().ok_or_else(not_seated)?;
        if self.status != Status::Ended {
            return Err(ErrorCode::NotOver.because("this game is not over"));
        }
        if self.seats.contains(&Occupant::Open) {
            return Err(ErrorCode::NotAllowed.because("a rematch needs an opponent"));
        }
        if self.settings.tournament.is_some() {
            return Err(ErrorCode::NotAllowed.because("the tournament pairs the next game"));
        }
        if self.rematch.is_some() || self.offers.rematch == Some(side) {
            return Ok(Decision::AlreadyDone { version: self.version });
        }
        if self.needs_no_consent(side) || self.offers.rematch == Some(side.other()) {
            return Ok(Decision::CreateRematch);
        }
        append(Event::RematchOffered { side })
    }

    fn decide_chat(
        &self,
        principal: &Principal,
        sides: &[Side],
        text: &str,
        now: u64,
    ) -> Result<Decision, ApiError> {
        let [side] = *sides else {
            return Err(ErrorCode::NotSeated.because("only the two players can chat at a table"));
        };
        let text = self.chat.check(side, text, now)?;
        append(Event::Chat(Chat { from: principal.name.clone(), side: Some(side), text }))
    }
}

fn not_seated() -> ApiError {
    ErrorCode::NotSeated.because("only the players of this table can do that")
}
