//! The step from the ratings before a game to those after it. All ratings of a list follow from applying this step to
//! its results in order.

use crate::glicko::Rating;

/// The time in which earlier games of the same two players reduce the weight of the next one.
pub const SERIES_MS: u64 = 24 * 60 * 60 * 1000;

/// Number of games in a series that count in full.
const FULL_GAMES: u32 = 3;

/// Returns the weight of a game between two accounts that have played `earlier` rated games within [`SERIES_MS`]: the
/// first three count in full, and each further one half as much as the one before.
///
/// However long a series is, it changes ratings by no more than four games would, so that two accounts of one person
/// gain little. Opponents who meet a few times a day notice nothing.
#[must_use]
pub fn weight(earlier: u64) -> f64 {
    let reduced = (earlier + 1).saturating_sub(u64::from(FULL_GAMES));
    0.5_f64.powi(i32::try_from(reduced).unwrap_or(i32::MAX))
}

/// The state of an account in a list of ratings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// The rating after the last game.
    pub rating: Rating,
    /// The number of games that count.
    pub games: u64,
    /// When the last game ended, in Unix milliseconds.
    pub at: u64,
}

impl Standing {
    /// A player without a game at a time.
    #[must_use]
    pub fn new(at: u64) -> Self {
        Self { rating: Rating::default(), games: 0, at }
    }

    /// The rating at a time: without games it becomes less certain.
    #[must_use]
    pub fn rating_at(&self, now: u64) -> Rating {
        self.rating.after_idle(now.saturating_sub(self.at))
    }
}

/// Returns the ratings of first and second after a game; `score` is that of the first.
#[must_use]
pub fn rate([first, second]: [Rating; 2], score: f64, weight: f64) -> [Rating; 2] {
    let full = [first.after_game(second, score), second.after_game(first, 1.0 - score)];
    [first.towards(full[0], weight), second.towards(full[1], weight)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_series_counts_as_four_games_at_most() {
        assert_eq!([0, 1, 2, 3, 4, 5].map(weight), [1.0, 1.0, 1.0, 0.5, 0.25, 0.125]);
        let total: f64 = (0..10_000).map(weight).sum();
        assert!((3.99..=4.0).contains(&total), "{total}");
        assert_eq!(weight(u64::MAX - 1), 0.0);
    }

    #[test]
    fn a_weight_takes_a_part_of_the_step() {
        let before = [Rating::default(), Rating::fixed(1700.0)];
        let [none, half, full] = [0.0, 0.5, 1.0].map(|weight| rate(before, 1.0, weight));
        assert_eq!(none, before);
        assert_eq!(full, [before[0].after_game(before[1], 1.0), before[1].after_game(before[0], 0.0)]);
        for (none, half, full) in [(none[0], half[0], full[0]), (none[1], half[1], full[1])] {
            assert!((half.rating - f64::midpoint(none.rating, full.rating)).abs() < 1e-9);
            assert!((half.deviation - f64::midpoint(none.deviation, full.deviation)).abs() < 1e-9);
        }
    }

    /// One person with two accounts: 15 wins in 12 seconds gave 370 points.
    #[test]
    fn fifteen_wins_in_a_row_gain_little_more_than_four() {
        let gain = |weights: &[f64]| {
            let start = [Rating::default(); 2];
            let after = weights.iter().fold(start, |ratings, &weight| rate(ratings, 1.0, weight));
            after[0].rating - 1500.0
        };
        let series: Vec<_> = (0..15).map(weight).collect();
        let (three, all) = (gain(&[1.0; 3]), gain(&series));
        assert!(all < gain(&[1.0; 4]) && all > three, "{three} {all}");
        assert!(gain(&[1.0; 15]) > all + 60.0, "{all}");
    }
}
