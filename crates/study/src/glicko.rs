//! Glicko-2 ratings of people, updated after each game and after each puzzle.
//!
//! Every rated game is a rating period of its own, and so is every puzzle. The deviation of a player who does not play grows with the days, as if
//! rating periods had passed without a game.

use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2_rating_period};

/// Players with a greater deviation are left out of rankings.
pub const RANKED_DEVIATION: f64 = 110.0;

/// The deviation of a new player, which is never exceeded.
const MAX_DEVIATION: f64 = 350.0;

/// Idle rating periods per day: a deviation of 60 becomes 110 within a year.
const PERIODS_PER_DAY: f64 = 0.2144;

/// One point of Glicko-2's internal scale in points of the Elo scale.
const SCALE: f64 = 173.7178;

const DAY_MS: f64 = 86_400_000.0;

/// The rating of a player.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Rating {
    /// On the Elo scale; 1500 for a new player.
    pub rating: f64,
    /// The true strength lies within two deviations with a probability of 95 %.
    pub deviation: f64,
    /// How erratic the results are.
    pub volatility: f64,
}

impl Default for Rating {
    /// A new player.
    fn default() -> Rating {
        Rating { rating: 1500.0, deviation: MAX_DEVIATION, volatility: 0.06 }
    }
}

impl Rating {
    /// A program or a puzzle, with a fixed rating.
    #[must_use]
    pub fn fixed(rating: f64) -> Rating {
        Rating { rating, deviation: 50.0, ..Rating::default() }
    }

    /// The same player after some time without a game.
    #[must_use]
    pub fn after_idle(self, idle_ms: u64) -> Rating {
        let grown = self.deviation.powi(2) + self.volatility.powi(2) * growth_per_ms() * idle_ms as f64;
        Rating { deviation: grown.sqrt().min(MAX_DEVIATION), ..self }
    }

    /// The same player after one game: `score` is 1 for a win, ½ for a draw, 0 for a loss.
    #[must_use]
    pub fn after_game(self, opponent: Rating, score: f64) -> Rating {
        self.after_games(&[(opponent, score)])
    }

    /// The same player after a part of the way to another rating.
    #[must_use]
    pub(crate) fn towards(self, full: Rating, part: f64) -> Rating {
        let between = |from: f64, to: f64| if part >= 1.0 { to } else { from + part * (to - from) };
        Rating {
            rating: between(self.rating, full.rating),
            deviation: between(self.deviation, full.deviation),
            volatility: between(self.volatility, full.volatility),
        }
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
        // 0.5 is the paper's example, in the middle of its recommended range.
        let config = Glicko2Config { tau: 0.5, ..Glicko2Config::new() };
        let new = glicko2_rating_period(&self.into(), &results, &config);
        Rating { rating: new.rating, deviation: new.deviation.min(MAX_DEVIATION), volatility: new.volatility }
    }
}

/// How much the square of a deviation grows per idle millisecond and unit of squared volatility.
#[must_use]
pub fn growth_per_ms() -> f64 {
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
    fn ratings_of_equal_players_change_by_the_same_amount() {
        let (one, two) = (player(1500.0, 80.0), player(1500.0, 80.0));
        let (won, lost) = (one.after_game(two, 1.0), two.after_game(one, 0.0));
        assert!(won.rating > 1500.0);
        assert!((won.rating + lost.rating - 3000.0).abs() < 1e-9);
        assert!((one.after_game(two, 0.5).rating - 1500.0).abs() < 1e-9);
    }

    #[test]
    fn the_deviation_grows_with_idle_time_up_to_a_maximum() {
        let year = 365 * 86_400_000;
        let steady = player(1800.0, 60.0);
        let rusty = steady.after_idle(year);
        assert_eq!(rusty.rating, steady.rating);
        assert!((rusty.deviation - 110.0).abs() < 2.0, "{rusty:?}");
        assert_eq!(steady.after_idle(1000 * year).deviation, MAX_DEVIATION);
        assert_eq!(steady.after_idle(0), steady);
    }

    /// The paper's formula: the square of the deviation grows by the squared volatility, on the scale of 173.7178 points,
    /// with each of 0.2144 periods a day.
    #[test]
    fn the_deviation_grows_by_the_formula_of_the_paper() {
        let day = 86_400_000;
        for (days, deviation) in [(0, 60.0), (1, 60.193_791), (100, 77.001_617), (365, 110.007_995)] {
            let idle = player(1500.0, 60.0).after_idle(days * day).deviation;
            assert!((idle - deviation).abs() < 1e-5, "{days} days: {idle}");
        }
        assert!((growth_per_ms() * day as f64 - 6470.136).abs() < 0.001, "{}", growth_per_ms() * day as f64);
    }

    #[test]
    fn an_opponent_with_a_fixed_rating_is_nearly_certain() {
        assert_eq!(Rating::fixed(900.0), Rating { rating: 900.0, deviation: 50.0, volatility: 0.06 });
        let (person, puzzle) = (Rating::default(), Rating::fixed(1500.0));
        let [lost, drawn, won] = [0.0, 0.5, 1.0].map(|score| person.after_game(puzzle, score));
        for (after, rating) in [(lost, 1324.924), (drawn, 1500.0), (won, 1675.076)] {
            assert!((after.rating - rating).abs() < 1e-3, "{after:?}");
            assert!((after.deviation - 248.170).abs() < 1e-3, "{after:?}");
        }
    }
}
