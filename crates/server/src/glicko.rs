//! How strong somebody is: Glicko-2, one game at a time.
//!
//! Every rated game is a rating period of its own. Who has not played for long is less certain: the deviation grows
//! with the days, as if so many periods had passed without a game.

use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2_rating_period};

/// Who is less certain than this is left out of rankings.
pub const RANKED_DEVIATION: f64 = 110.0;

/// Nobody is less certain than a newcomer.
const NEWCOMER_DEVIATION: f64 = 350.0;

/// With this many idle periods a day a deviation of 60 becomes 110 within a year.
const PERIODS_PER_DAY: f64 = 0.2144;

/// One point of Glicko-2's own scale in points of the familiar one.
const SCALE: f64 = 173.7178;

const DAY_MS: f64 = 86_400_000.0;

/// What is known of somebody's strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// Familiar points; a newcomer has 1500.
    pub rating: f64,
    /// The true strength lies within two deviations, nineteen times of twenty.
    pub deviation: f64,
    /// How steady the results are.
    pub volatility: f64,
}

impl Default for Rating {
    /// A newcomer.
    fn default() -> Rating {
        Rating { rating: 1500.0, deviation: NEWCOMER_DEVIATION, volatility: 0.06 }
    }
}

impl Rating {
    /// A program of known strength.
    pub fn fixed(rating: f64) -> Rating {
        Rating { rating, deviation: 50.0, ..Rating::default() }
    }

    /// The same player after some time without a game.
    #[must_use]
    pub fn after_idle(self, idle_ms: u64) -> Rating {
        let grown = self.deviation.powi(2) + self.volatility.powi(2) * growth_per_ms() * idle_ms as f64;
        Rating { deviation: grown.sqrt().min(NEWCOMER_DEVIATION), ..self }
    }

    /// The same player after one game: `score` is 1 for a win, ½ for a draw, 0 for a loss.
    #[must_use]
    pub fn after_game(self, opponent: Rating, score: f64) -> Rating {
        self.after_games(&[(opponent, score)])
    }

    /// The same player after the games of one period.
    fn after_games(self, games: &[(Rating, f64)]) -> Rating {
        let results: Vec<_> = games
            .iter()
            .map(|&(opponent, score)| {
                let outcome = match score {
                    score if score > 0.75 => Outcomes::WIN,
                    score if score < 0.25 => Outcomes::LOSS,
                    _ => Outcomes::DRAW,
                };
                (opponent.into(), outcome)
            })
            .collect();
        // 0.5 is the paper's example and in the middle of what it recommends.
        let config = Glicko2Config { tau: 0.5, ..Glicko2Config::new() };
        let new = glicko2_rating_period(&self.into(), &results, &config);
        Rating {
            rating: new.rating,
            deviation: new.deviation.min(NEWCOMER_DEVIATION),
            volatility: new.volatility,
        }
    }
}

/// How much the square of a deviation grows per idle millisecond and unit of squared volatility.
pub(crate) fn growth_per_ms() -> f64 {
    SCALE * SCALE * PERIODS_PER_DAY / DAY_MS
}

impl From<Rating> for Glicko2Rating {
    fn from(Rating { rating, deviation, volatility }: Rating) -> Glicko2Rating {
        Glicko2Rating { rating, deviation, volatility }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player(rating: f64, deviation: f64) -> Rating {
        Rating { rating, deviation, volatility: 0.06 }
    }

    #[test]
    fn the_worked_example_of_the_paper() {
        let games = [(player(1400.0, 30.0), 1.0), (player(1550.0, 100.0), 0.0), (player(1700.0, 300.0), 0.0)];
        let after = player(1500.0, 200.0).after_games(&games);
        assert!((after.rating - 1464.06).abs() < 0.01, "{after:?}");
        assert!((after.deviation - 151.52).abs() < 0.01, "{after:?}");
        assert!((after.volatility - 0.05999).abs() < 0.00001, "{after:?}");
    }

    #[test]
    fn winner_and_loser_of_equal_strength_move_alike() {
        let (one, two) = (player(1500.0, 80.0), player(1500.0, 80.0));
        let (won, lost) = (one.after_game(two, 1.0), two.after_game(one, 0.0));
        assert!(won.rating > 1500.0);
        assert!((won.rating + lost.rating - 3000.0).abs() < 1e-9);
        assert!((one.after_game(two, 0.5).rating - 1500.0).abs() < 1e-9);
    }

    #[test]
    fn idleness_makes_uncertain_but_never_more_than_a_newcomer() {
        let year = 365 * 86_400_000;
        let steady = player(1800.0, 60.0);
        let rusty = steady.after_idle(year);
        assert_eq!(rusty.rating, steady.rating);
        assert!((rusty.deviation - 110.0).abs() < 2.0, "{rusty:?}");
        assert_eq!(steady.after_idle(1000 * year).deviation, NEWCOMER_DEVIATION);
        assert_eq!(steady.after_idle(0), steady);
    }
}
