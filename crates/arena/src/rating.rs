//! Ratings of many players from all their games: the Bradley–Terry model on the Elo scale.
//!
//! A draw is half a win for each. Each player also gets virtual draws against a player of average strength, so that a
//! perfect score gives a finite rating.

pub use tournament::report::Rating;

/// ± this many standard errors is the interval. A little more than the 1.96 of a normal distribution, because the score of
/// a few games is none: with 1.96, three equal players without draws miss the truth in up to 5.8 % of tournaments.
const ERRORS: f64 = 2.0;

/// Number of virtual draws of each player. With one, the information in a perfect score would fall so fast that the
/// interval of a worse score had the higher lower end.
pub const PRIOR_DRAWS: f64 = 2.0;

/// Elo points per unit of the logistic scale.
const UNIT: f64 = 400.0 / std::f64::consts::LN_10;

/// The games between two players.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Encounter {
    /// The players, by index.
    pub players: [usize; 2],
    /// Number of games.
    pub games: f64,
    /// Points of the first of the two, a draw being ½.
    pub score: f64,
}

/// Rates players from their encounters. `prior_draws` is the number of virtual draws of each.
///
/// The virtual draws pull ratings towards the mean: after few games between players of very different strength, the
/// truth is further out. The interval therefore also reaches as far out as without them, and the rating is its middle.
#[must_use]
pub fn ratings(players: usize, encounters: &[Encounter], prior_draws: f64) -> Vec<Rating> {
    let pulled = |(Rating { elo, error }, pull): (Rating, f64)| Rating {
        elo: elo + pull / 2.0,
        error: error + pull.abs() / 2.0,
    };
    fit(players, encounters, prior_draws).into_iter().map(pulled).collect()
}

/// Returns the most likely ratings with their 95 % errors, and by how much the virtual draws have pulled each, to first
/// order.
fn fit(players: usize, encounters: &[Encounter], prior_draws: f64) -> Vec<(Rating, f64)> {
    let mut strength = vec![0.0; players];
    let expected = |a: f64, b: f64| 1.0 / (1.0 + (b - a).exp());
    // Newton's method on the log-likelihood, which is concave; steps are clamped so that an early one does
    // not overshoot.
    let mut information = vec![vec![0.0; players]; players];
    for _ in 0..200 {
        let mut gradient: Vec<f64> =
            strength.iter().map(|&s| prior_draws * (0.5 - expected(s, 0.0))).collect();
        for (i, row) in information.iter_mut().enumerate() {
            row.fill(0.0);
            let p = expected(strength[i], 0.0);
            // Keeps the matrix invertible for players without games.
            row[i] = prior_draws * p * (1.0 - p) + 1e-9;
        }
        for &Encounter { players: [a, b], games, score } in encounters {
            let p = expected(strength[a], strength[b]);
            gradient[a] += score - games * p;
            gradient[b] -= score - games * p;
            let weight = games * p * (1.0 - p);
            information[a][a] += weight;
            information[b][b] += weight;
            information[a][b] -= weight;
            information[b][a] -= weight;
        }
        let inverse = inverse(&information);
        let mut largest: f64 = 0.0;
        for (i, row) in inverse.iter().enumerate() {
            let step: f64 = row.iter().zip(&gradient).map(|(a, b)| a * b).sum();
            strength[i] += step.clamp(-1.0, 1.0);
            largest = largest.max(step.abs());
        }
        if largest < 1e-10 {
            break;
        }
    }
    // All of these are of the distance from the mean, which is what a rating states.
    let mean = |values: &[f64]| values.iter().sum::<f64>() / players as f64;
    let covariance = inverse(&information);
    let row_means: Vec<f64> = covariance.iter().map(|row| mean(row)).collect();
    let force: Vec<f64> = strength.iter().map(|&s| prior_draws * (expected(s, 0.0) - 0.5)).collect();
    let pull: Vec<f64> =
        covariance.iter().map(|row| row.iter().zip(&force).map(|(a, b)| a * b).sum()).collect();
    (0..players)
        .map(|i| {
            let variance = (covariance[i][i] - 2.0 * row_means[i] + mean(&row_means)).max(0.0);
            let elo = UNIT * (strength[i] - mean(&strength));
            (Rating { elo, error: ERRORS * UNIT * variance.sqrt() }, UNIT * (pull[i] - mean(&pull)))
        })
        .collect()
}

/// Gauss–Jordan elimination; the matrix is positive definite, so no pivot is zero.
fn inverse(matrix: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let n = matrix.len();
    let mut left = matrix.to_vec();
    let mut right: Vec<Vec<f64>> =
        (0..n).map(|i| (0..n).map(|j| if i == j { 1.0 } else { 0.0 }).collect()).collect();
    for i in 0..n {
        let pivot = left[i][i];
        for j in 0..n {
            left[i][j] /= pivot;
            right[i][j] /= pivot;
        }
        for row in (0..n).filter(|&row| row != i) {
            let factor = left[row][i];
            for j in 0..n {
                left[row][j] -= factor * left[i][j];
                right[row][j] -= factor * right[i][j];
            }
        }
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elo;

    fn encounter(a: usize, b: usize, games: f64, score: f64) -> Encounter {
        Encounter { players: [a, b], games, score }
    }

    #[test]
    fn two_players_differ_by_the_elo_of_their_score() {
        let rated = ratings(2, &[encounter(0, 1, 100.0, 60.0)], 0.0);
        let difference = rated[0].elo - rated[1].elo;
        assert!((difference - elo::from_score(0.6)).abs() < 1e-6, "{difference}");
        // Half of the textbook error of the difference: z · 400/ln 10 / √(n p q).
        let error = ERRORS * UNIT / (100.0f64 * 0.6 * 0.4).sqrt() / 2.0;
        assert!((rated[0].error - error).abs() < 1e-3, "{:?} {error}", rated[0]);
    }

    #[test]
    fn strengths_are_recovered_from_expected_scores() {
        let strengths = [150.0, 20.0, -40.0, -130.0];
        let mut encounters = Vec::new();
        for a in 0..4 {
            for b in a + 1..4 {
                encounters.push(encounter(a, b, 50.0, 50.0 * elo::to_score(strengths[a] - strengths[b])));
            }
        }
        for (rating, strength) in ratings(4, &encounters, 0.0).iter().zip(strengths) {
            assert!((rating.elo - strength).abs() < 1e-6);
        }
    }

    /// The pull is what one step towards the ratings without virtual draws undoes.
    #[test]
    fn the_interval_reaches_where_the_rating_was_without_virtual_draws() {
        let played = [encounter(0, 1, 60.0, 48.0), encounter(1, 2, 60.0, 35.0), encounter(0, 2, 60.0, 52.0)];
        let (with, without) = (ratings(3, &played, PRIOR_DRAWS), ratings(3, &played, 0.0));
        for ((fitted, pull), (with, without)) in
            fit(3, &played, PRIOR_DRAWS).into_iter().zip(with.iter().zip(&without))
        {
            assert!((fitted.elo + pull - without.elo).abs() < 0.5, "{fitted:?} {pull} {without:?}");
            let [near, far] = [-1.0, 1.0].map(|sign: f64| with.elo + sign * pull.signum() * with.error);
            let [fitted_near, fitted_far] =
                [-1.0, 1.0].map(|sign: f64| fitted.elo + sign * pull.signum() * fitted.error);
            assert!((near - fitted_near).abs() < 1e-9 && (far - fitted_far - pull).abs() < 1e-9);
        }
    }

    #[test]
    fn a_perfect_score_gives_a_finite_rating() {
        let rated = ratings(3, &[encounter(0, 1, 40.0, 40.0), encounter(1, 2, 40.0, 40.0)], 1.0);
        assert!(rated.iter().all(|rating| rating.elo.is_finite() && rating.error.is_finite()));
        assert!(rated[0].elo > rated[1].elo && rated[1].elo > rated[2].elo);
    }

    /// Every result of two players, up to a hundred games.
    #[test]
    fn a_worse_score_has_no_higher_bound() {
        for games in 1..=100 {
            let bounds = |half_points: i32| {
                let played = encounter(0, 1, f64::from(games), f64::from(half_points) / 2.0);
                let Rating { elo, error } = ratings(2, &[played], PRIOR_DRAWS)[0];
                [elo - error, elo + error]
            };
            for half_points in 1..=2 * games {
                let (worse, better) = (bounds(half_points - 1), bounds(half_points));
                assert!(worse[0] < better[0] && worse[1] < better[1], "{half_points} of {}", 2 * games);
            }
        }
    }

    #[test]
    fn more_games_reduce_the_error() {
        let few = ratings(2, &[encounter(0, 1, 20.0, 12.0)], 1.0);
        let many = ratings(2, &[encounter(0, 1, 2000.0, 1200.0)], 1.0);
        assert!(many[0].error < few[0].error / 5.0);
    }

    #[test]
    fn a_player_without_games_does_no_harm() {
        assert!(ratings(3, &[encounter(0, 1, 10.0, 5.0)], 1.0).iter().all(|rating| rating.elo.abs() < 1e-6));
    }

    /// Computed by coordinate ascent in another program, without the pull of the virtual draws.
    #[test]
    fn known_results_give_known_ratings() {
        let ratings = |players, encounters: &[Encounter], prior_draws| {
            fit(players, encounters, prior_draws).into_iter().map(|(rating, _)| rating).collect::<Vec<_>>()
        };
        let perfect = ratings(2, &[encounter(0, 1, 10.0, 10.0)], 1.0);
        let three = [encounter(0, 1, 20.0, 13.0), encounter(1, 2, 12.0, 7.5), encounter(0, 2, 8.0, 5.0)];
        let three = ratings(3, &three, 2.0);
        let absent = ratings(3, &[encounter(0, 1, 20.0, 13.0)], 1.0);
        let expected = [
            (290.254_405, 270.312_166),
            (-290.254_405, 270.312_166),
            (71.897_599, 90.331_408),
            (-10.731_427, 81.332_794),
            (-61.166_172, 102.175_310),
            (52.345_266, 289.909_722),
            (-52.345_266, 289.909_722),
            (0.0, 558.117_907),
        ];
        let found = perfect.into_iter().chain(three).chain(absent);
        for (rating, (elo, error)) in found.zip(expected) {
            assert!(
                (rating.elo - elo).abs() < 1e-3 && (rating.error / ERRORS * 1.959_964 - error).abs() < 1e-3,
                "{rating:?} {elo} {error}"
            );
        }
    }

    #[test]
    fn without_games_and_prior_nothing_is_known() {
        let rated = ratings(3, &[encounter(0, 1, 20.0, 10.0)], 0.0);
        assert!(rated.iter().all(|rating| rating.elo.abs() < 1e-6));
        assert!(rated[2].error > 1e6, "{rated:?}");
    }
}
