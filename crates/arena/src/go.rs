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
    /// Moves that the side to move makes before it gets time again; none if its time is for the whole game.
    pub moves_to_go: Option<u32>,
}

impl Go {
    /// Returns how long the side to move should think: nearly the time per move, so that the answer arrives within it, or
    /// its share of the clock.
    #[must_use]
    pub fn thinking_time(&self, game: &AnyGame) -> Option<Duration> {
        let of_clock = self.clock.map(|clock| {
            let SideClock { left, increment, .. } = clock[game.turn().index()];
            let of_game = players::share_of_clock(game, left, increment);
            // Time comes again before the game ends, but not before the last of these moves.
            let even = |moves: u32| short_of(left).min(left / moves.max(1) + increment * 3 / 4);
            self.moves_to_go.map_or(of_game, |moves| of_game.max(even(moves)))
        });
        let of_move = self.movetime.map(|limit| limit - (limit / 10).min(ANSWERING));
        of_clock.into_iter().chain(of_move).min()
    }

    /// The time after which the side to move has lost, without the margin: its clock or the time per move.
    pub(crate) fn allowed(&self, game: &AnyGame) -> Option<Duration> {
        let left = self.clock.map(|clock| clock[game.turn().index()].left);
        left.into_iter().chain(self.movetime).min()
    }
}

/// How long it takes to end a search and to answer.
const ANSWERING: Duration = Duration::from_millis(5);

/// A limit less the time that an answer takes to arrive, where being late loses the game.
pub(crate) fn short_of(limit: Duration) -> Duration {
    limit - (limit / 10).min(Duration::from_millis(20))
}

/// The clock of one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SideClock {
    /// Time left.
    pub left: Duration,
    /// Increment per move.
    pub increment: Duration,
    /// Moves to make before the side gets time again; none if its time is for the whole game.
    pub moves_to_go: Option<u32>,
}

/// A duration in milliseconds, capped at a week so that sums cannot overflow.
pub(crate) fn duration(ms: u64) -> Duration {
    Duration::from_millis(ms).min(Duration::from_secs(7 * 24 * 60 * 60))
}

/// A duration in whole milliseconds, as much as fits.
pub(crate) fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use rules::Spec;

    use super::*;

    #[test]
    fn time_for_some_moves_is_spent_on_them() {
        let game = AnyGame::from("connect-four".parse::<Spec>().unwrap());
        let time = |left_ms: u64, moves_to_go| {
            let side = SideClock { left: duration(left_ms), increment: duration(100), moves_to_go };
            let go = Go { clock: Some([side; 2]), moves_to_go, ..Go::default() };
            go.thinking_time(&game).map(millis)
        };
        // For the whole game at most eighteen moves are expected.
        assert_eq!(time(18_000, None), Some(1075));
        assert_eq!(time(18_000, Some(40)), Some(1075));
        assert_eq!(time(18_000, Some(4)), Some(4575));
        assert_eq!(time(18_000, Some(1)), Some(17_980));
    }

    #[test]
    fn nearly_all_of_the_time_per_move_is_spent() {
        let game = AnyGame::from("connect-four".parse::<Spec>().unwrap());
        let time = |ms| Go { movetime: Some(duration(ms)), ..Go::default() }.thinking_time(&game);
        assert_eq!([200, 30, 0].map(|ms| time(ms).map(millis)), [Some(195), Some(27), Some(0)]);
    }
}
