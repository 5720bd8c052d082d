//! Time limits for players that think in this process, and how a clock is shared out.

use std::{
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

use rules::AnyGame;

use super::Stop;

/// How late a signal comes at most.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// Lets a player think with a signal of its own: hurried after `soft`, when it should answer, and raised
/// after `hard`, when nothing helps any more. What comes from `stop` is passed on.
pub fn within<T>(soft: Duration, hard: Duration, stop: &Stop, think: impl FnOnce(&Stop) -> T) -> T {
    let start = Instant::now();
    let deadline = start.checked_add(soft).into_iter().chain(stop.deadline()).min();
    let signal = deadline.map_or_else(Stop::default, Stop::until);
    let (done, is_done) = mpsc::channel::<()>();
    thread::scope(|scope| {
        let signal = &signal;
        scope.spawn(move || {
            while is_done.recv_timeout(POLL_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                if stop.is_cancelled() || start.elapsed() >= hard {
                    return signal.cancel();
                }
                if stop.must_move_now() || start.elapsed() >= soft {
                    signal.move_now();
                }
            }
        });
        let answer = think(signal);
        drop(done);
        answer
    })
}

/// How long to think about the next move with so much left for all, and so much more after each move: an
/// even share for each move that the game may last, and most of what comes back. The later it is, the
/// fewer moves are left; never more than half, so that there is always something for the next.
#[must_use]
pub fn share_of_clock(game: &AnyGame, left: Duration, increment: Duration) -> Duration {
    let moves = u32::from(game.plies_left()) / 2;
    (left / moves.clamp(SHORT_GAME, LONG_GAME) + increment * 3 / 4).min(left / 2)
}

/// Few games are decided in fewer moves of a side, or take more once the openings are over.
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

    #[test]
    fn the_time_that_is_known_first_counts() {
        let outer = Stop::until(Instant::now());
        within(seconds(60), seconds(60), &outer, |stop| assert_eq!(stop.deadline(), outer.deadline()));
        within(seconds(60), seconds(60), &Stop::default(), |stop| assert!(stop.deadline().is_some()));
    }
}
