//! The limits of one search, and the clocks that they come from.

use std::time::Duration;

use rules::AnyGame;

/// The limits of one search. With none set the search is infinite.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Go {
    /// Think on the opponent's time, about the reply to its expected move; the limits count from `ponderhit`.
    pub ponder: bool,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// Search depth in plies.
    pub depth: Option<u32>,
    /// Nodes to search.
    pub nodes: Option<u64>,
    /// The clock of each side.
    pub clock: Option<[SideClock; 2]>,
}

impl Go {
    /// Returns how long the side to move should think: slightly less than the time per move, so that the answer
    /// arrives in time, or its share of the clock.
    #[must_use]
    pub fn thinking_time(&self, game: &AnyGame) -> Option<Duration> {
        let of_clock = self.clock.map(|clock| {
            let SideClock { left, increment } = clock[game.turn().index()];
            players::share_of_clock(game, left, increment)
        });
        let of_move = self.movetime.map(|time| time - (time / 10).min(Duration::from_millis(20)));
        of_clock.into_iter().chain(of_move).min()
    }

    /// The time after which the side to move has lost, without the margin: its clock or the time per move.
    pub(crate) fn allowed(&self, game: &AnyGame) -> Option<Duration> {
        let left = self.clock.map(|clock| clock[game.turn().index()].left);
        left.into_iter().chain(self.movetime).min()
    }
}

/// The clock of one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SideClock {
    /// Time left.
    pub left: Duration,
    /// Increment per move.
    pub increment: Duration,
}

/// A duration in milliseconds, capped at a week so that sums cannot overflow.
pub(crate) fn duration(ms: u64) -> Duration {
    Duration::from_millis(ms).min(Duration::from_secs(7 * 24 * 60 * 60))
}

/// A duration in whole milliseconds, as much as fits.
pub(crate) fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
