//! The time manager: how long to think about a move, and how that time is split.

use std::{sync::Arc, time::Duration};

use rules::AnyGame;

use super::Clock;

/// Measures a time limit from the moment it was started. Without a limit, or without a clock, it never
/// looks at the clock and the time is never up.
#[derive(Clone, Debug)]
pub(crate) struct Timer {
    clock: Option<Arc<dyn Clock>>,
    start: Duration,
    limit: Option<Duration>,
}

impl Timer {
    pub(crate) fn start(clock: Option<&Arc<dyn Clock>>, limit: Option<Duration>) -> Self {
        let clock = clock.filter(|_| limit.is_some()).cloned();
        let start = clock.as_ref().map_or(Duration::ZERO, |clock| clock.now());
        Self { limit: limit.filter(|_| clock.is_some()), clock, start }
    }

    /// The limit, if time is measured.
    pub(crate) fn limit(&self) -> Option<Duration> {
        self.limit
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.clock.as_ref().map_or(Duration::ZERO, |clock| clock.now().saturating_sub(self.start))
    }

    pub(crate) fn is_up(&self) -> bool {
        self.limit.is_some_and(|limit| self.elapsed() >= limit)
    }

    /// A timer that starts now with another limit.
    pub(crate) fn again(&self, limit: Duration) -> Self {
        Self::start(self.clock.as_ref(), Some(limit))
    }

    /// A timer for proofs: half of the time.
    pub(crate) fn for_proving(&self) -> Self {
        self.again(self.limit.map_or(Duration::MAX, |limit| limit / 2))
    }

    /// The time left for the search, after a part is reserved for the explanation.
    pub(crate) fn left_for_search(&self) -> Option<Duration> {
        self.limit.map(|limit| (limit - limit / EXPLAINING).saturating_sub(self.elapsed()))
    }

    /// The time for comparing the best move with the second best: a part of what was used so far.
    pub(crate) fn for_comparing(&self) -> Option<Duration> {
        self.limit.map(|_| self.elapsed() / (2 * EXPLAINING))
    }
}

/// One part in this many of the time and the nodes is reserved for explaining a move.
pub(crate) const EXPLAINING: u32 = 50;

/// How long to think about the next move with this much left on the clock and this increment per move: an
/// even share for each move that the game may last, and most of the increment; never more than half of
/// what is left.
#[must_use]
pub fn share_of_clock(game: &AnyGame, left: Duration, increment: Duration) -> Duration {
    let moves = u32::from(game.plies_left()) / 2;
    (left / moves.clamp(SHORT_GAME, LONG_GAME) + increment * 3 / 4).min(left / 2)
}

/// Bounds of the estimated number of moves that a side still has to make.
const SHORT_GAME: u32 = 4;
const LONG_GAME: u32 = 18;

#[cfg(test)]
mod tests {
    use rules::Spec;

    use super::*;

    fn seconds(n: u64) -> Duration {
        Duration::from_secs(n)
    }

    #[test]
    fn a_clock_lasts_for_the_longest_game() {
        for spec in ["tic-tac-toe", "connect-four", "simplexity", "chess-five", "connect-four:64x64"] {
            let mut game = AnyGame::from(spec.parse::<Spec>().unwrap());
            let mut left = seconds(60);
            while game.outcome().is_none() {
                let share = share_of_clock(&game, left, Duration::ZERO);
                assert!(!share.is_zero() && share <= left / 2, "{spec}, ply {}: {share:?}", game.ply());
                if game.ply() % 2 == 0 {
                    left -= share;
                }
                let last = game.legal_moves().pop().unwrap();
                game.play(&last).unwrap();
            }
        }
    }

    #[test]
    fn the_fewer_moves_are_left_the_longer_each_may_take() {
        let mut game = AnyGame::from("connect-four".parse::<Spec>().unwrap());
        assert_eq!(share_of_clock(&game, seconds(36), Duration::ZERO), seconds(2));
        game.play_all("121212212121343434434343565").unwrap();
        assert_eq!(share_of_clock(&game, seconds(35), Duration::ZERO), seconds(5));
    }

    #[test]
    fn an_increment_is_spent_but_never_more_than_there_is() {
        let game = AnyGame::from("connect-four".parse::<Spec>().unwrap());
        let share = |left, increment| share_of_clock(&game, left, increment);
        assert!(share(seconds(60), seconds(4)) > share(seconds(60), Duration::ZERO) + seconds(2));
        assert_eq!(share(seconds(1), seconds(60)), seconds(1) / 2);
        assert_eq!(share(Duration::ZERO, seconds(60)), Duration::ZERO);
    }

    #[derive(Debug)]
    struct Steps(std::sync::atomic::AtomicU64);

    impl Clock for Steps {
        fn now(&self) -> Duration {
            seconds(self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
        }
    }

    #[test]
    fn the_clock_is_only_read_for_a_limit() {
        let steps = Arc::new(Steps(0.into()));
        let clock: Arc<dyn Clock> = steps.clone();
        let unlimited = Timer::start(Some(&clock), None);
        assert!(!unlimited.is_up() && unlimited.elapsed().is_zero());
        assert_eq!(steps.0.load(std::sync::atomic::Ordering::Relaxed), 0);
        let timer = Timer::start(Some(&clock), Some(seconds(2)));
        assert_eq!([timer.is_up(), timer.is_up()], [false, true]);
        assert!(!Timer::start(None, Some(Duration::ZERO)).is_up());
    }
}
