//! The clocks of a table: remaining time, flags, lag compensation.

use protocol::{Clock, Clocks, EndReason, Event, Status};
use rules::Side;

use crate::State;

/// A client's reported lag counts up to the lag that the server measured plus this.
pub(crate) const LAG_SLACK_MS: u64 = 140;
/// Maximum delay of a flag, for a move that may still be in flight.
pub(crate) const MAX_LAG_MS: u64 = 1_000;

/// Average lag compensation per move: more in longer games, at most a second.
pub(crate) fn quota_gain(clock: Clock) -> u64 {
    let seconds = match clock {
        Clock::Game { initial_ms, increment_ms } => (initial_ms + 40 * increment_ms) / 1_000,
        Clock::Move { ms } => 40 * ms / 1_000,
        Clock::None | Clock::Correspondence { .. } => 0,
    };
    (4 * seconds + 150).min(1_000)
}

/// A period (from, to) in which no server was reachable; clocks are not charged for it.
pub(crate) type Downtimes<'a> = &'a [(u64, u64)];

/// Returns the time since a moment, without downtimes.
#[must_use]
pub fn elapsed(since: u64, now: u64, downtimes: Downtimes) -> u64 {
    let down = downtimes.iter().map(|&(from, to)| to.min(now).saturating_sub(from.max(since)));
    now.saturating_sub(since).saturating_sub(down.sum())
}

impl State {
    /// Returns the side whose clock runs. The first move of each side is free, so that a player who joins late loses no
    /// time. No clock runs before the first move is answered, unless an opening gives its player more than one move.
    pub(crate) fn running(&self) -> Option<Side> {
        let is_paused = self.is_demo() && self.pace.paused;
        let runs =
            self.status == Status::Playing && self.left_ms.is_some() && self.moves.len() >= 2 && !is_paused;
        Some(self.game.turn()).filter(|&side| runs && self.has_moved(side))
    }

    /// Returns how long the side to move has been thinking.
    pub(crate) fn thinking_ms(&self, now: u64, downtimes: Downtimes) -> u64 {
        elapsed(self.since, now, downtimes)
    }

    pub(crate) fn left_at(&self, mut left: [u64; 2], now: u64, downtimes: Downtimes) -> [u64; 2] {
        if let Some(side) = self.running() {
            let own = &mut left[side.index()];
            *own = own.saturating_sub(self.thinking_ms(now, downtimes));
        }
        left
    }

    /// Returns the time shown on the clocks.
    #[must_use]
    pub fn clocks(&self, now: u64, downtimes: Downtimes) -> Option<Clocks> {
        let left_ms = self.left_at(self.left_ms?, now, downtimes);
        Some(Clocks { left_ms, running: self.running() })
    }

    /// The time at which the clock of the side to move has certainly run out, if it runs; a move in flight may still get
    /// lag compensation. `None` for a program: it may have waited for a free thread, so only its answer shows whether it
    /// was in time.
    #[must_use]
    pub fn flag_at(&self, downtimes: Downtimes) -> Option<u64> {
        let side = self.running().filter(|side| !self.seats[side.index()].is_program())?;
        let down: u64 = downtimes.iter().map(|&(from, to)| to.saturating_sub(from.max(self.since))).sum();
        let quota = self.lag_quota_ms[side.index()].min(MAX_LAG_MS);
        Some(self.since + down + self.left_ms?[side.index()] + quota + 1)
    }

    /// The end of the game, if the clock of the side to move has certainly run out.
    #[must_use]
    pub fn flag(&self, now: u64, downtimes: Downtimes) -> Option<Event> {
        (now >= self.flag_at(downtimes)?).then(|| self.out_of_time(self.game.turn()))
    }

    pub(crate) fn out_of_time(&self, side: Side) -> Event {
        Event::Ended { winner: Some(side.other()), reason: EndReason::Time, ratings: None }
    }

    /// Charges the lag quota of a side for a move and replenishes it.
    pub(crate) fn charge_quota(&mut self, side: Side, lag_compensation_ms: u64) {
        if self.running().is_some() {
            let gain = quota_gain(self.settings.clock);
            let quota = &mut self.lag_quota_ms[side.index()];
            *quota = (quota.saturating_sub(lag_compensation_ms) + gain).min(7 * gain);
        }
    }
}
