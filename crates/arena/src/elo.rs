//! Elo difference from games played in pairs: the same opening twice with sides exchanged.
//!
//! The two games of a pair are not independent, so the pair is the unit of the sample: it scores 0, ½, 1,
//! 1½ or 2 points (the pentanomial model). Elo is the logistic scale: 400 points are odds of ten to one.

use std::cmp::Ordering;

use serde::Serialize;

/// The 97.5 % quantile of the normal distribution: ± this many standard errors is a 95 % interval.
pub(crate) const Z95: f64 = 1.959_963_984_540_054;

/// The number of pairs that scored 0, ½, 1, 1½ and 2 points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Pairs(pub [u64; 5]);

/// An estimated difference in strength.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Elo {
    /// The estimate.
    pub difference: f64,
    /// The 95 % confidence interval.
    pub interval: [f64; 2],
    /// Likelihood of superiority (LOS): the probability that the difference is positive.
    pub superiority: f64,
}

impl Pairs {
    /// Counts a pair by its half points, 0 to 4.
    pub fn add(&mut self, half_points: usize) {
        self.0[half_points.min(4)] += 1;
    }

    /// The number of pairs.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The mean score of a game, from 0 to 1, and its standard error.
    #[must_use]
    pub fn score(&self) -> Option<(f64, f64)> {
        let pairs = self.count() as f64;
        if pairs == 0.0 {
            return None;
        }
        let moment = |f: &dyn Fn(f64) -> f64| {
            self.0.iter().enumerate().map(|(i, &n)| n as f64 * f(i as f64 / 4.0)).sum::<f64>() / pairs
        };
        let mean = moment(&|score| score);
        let variance = moment(&|score| (score - mean).powi(2));
        Some((mean, (variance / pairs).sqrt()))
    }

    /// The difference in strength; `None` without pairs, infinite if one player won every game.
    #[must_use]
    pub fn elo(&self) -> Option<Elo> {
        let (mean, error) = self.score()?;
        let (bounds, superiority) = if error > 0.0 {
            let bounds = [-Z95, Z95].map(|z| (mean + z * error).clamp(0.0, 1.0));
            (bounds, normal((mean - 0.5) / error))
        } else {
            self.without_variance(mean)
        };
        Some(Elo { difference: from_score(mean), interval: bounds.map(from_score), superiority })
    }

    /// If all pairs scored the same, the sample variance is zero, which does not mean certainty: the bounds
    /// are then Wilson's for that many trials, and the superiority follows Laplace's rule of succession.
    fn without_variance(&self, mean: f64) -> ([f64; 2], f64) {
        let n = self.count() as f64;
        let weight = Z95 * Z95 / n;
        let centre = (mean + weight / 2.0) / (1.0 + weight);
        let width = Z95 / (1.0 + weight) * (mean * (1.0 - mean) / n + weight / (4.0 * n)).sqrt();
        let doubt = 0.5f64.powf(n + 1.0);
        let superiority = match mean.total_cmp(&0.5) {
            Ordering::Less => doubt,
            Ordering::Equal => 0.5,
            Ordering::Greater => 1.0 - doubt,
        };
        // In theory the bounds contain the mean; rounding must not exclude it where all or nothing was won.
        (
            [(centre - width).min(mean), (centre + width).max(mean)].map(|bound| bound.clamp(0.0, 1.0)),
            superiority,
        )
    }
}

/// The Elo difference at which this score is expected.
#[must_use]
pub fn from_score(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// The expected score at this Elo difference.
#[must_use]
pub fn to_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The cumulative distribution function of the standard normal distribution: a series near zero, a
/// continued fraction in the tails; accurate to at least nine digits.
fn normal(x: f64) -> f64 {
    let density = (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    if x.abs() < 3.0 {
        let (mut term, mut sum) = (x, x);
        for n in 1..100 {
            term *= x * x / f64::from(2 * n + 1);
            sum += term;
        }
        0.5 + sum * density
    } else {
        let mut fraction = x.abs();
        for n in (1..60).rev() {
            fraction = x.abs() + f64::from(n) / fraction;
        }
        let tail = density / fraction;
        if x > 0.0 { 1.0 - tail } else { tail }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64, within: f64) -> bool {
        (a - b).abs() <= within
    }

    #[test]
    fn normal_distribution_matches_textbook_values() {
        for (x, value) in
            [(0.0, 0.5), (1.0, 0.841_344_746), (-1.644_853_627, 0.05), (Z95, 0.975), (4.0, 0.999_968_329)]
        {
            assert!(close(normal(x), value, 1e-9), "{x}: {}", normal(x));
        }
    }

    #[test]
    fn logistic_scale_matches_published_values() {
        // 400 points are odds of ten to one; 64 % is about 100 points in published Elo tables.
        assert!(close(from_score(10.0 / 11.0), 400.0, 1e-9));
        assert!(close(from_score(0.64), 99.95, 0.01));
        assert!(close(to_score(from_score(0.3)), 0.3, 1e-12));
        assert_eq!(from_score(1.0), f64::INFINITY);
    }

    /// Samples and results from the published tests of fastchess.
    #[test]
    fn known_samples_give_known_elo() {
        for (pairs, difference, error, superiority) in [
            ([34, 54, 31 + 32, 64, 75], 55.58, 27.65, 1.0),
            ([332, 433, 457 + 41, 333, 334], -8.64, 10.33, 0.0505),
        ] {
            let elo = Pairs(pairs).elo().unwrap();
            let [low, high] = elo.interval;
            assert!(close(elo.difference, difference, 0.01), "{elo:?}");
            assert!(close((high - low) / 2.0, error, 0.01), "{elo:?}");
            assert!(close(elo.superiority, superiority, 1e-4), "{elo:?}");
        }
    }

    #[test]
    fn a_match_without_games_has_no_elo() {
        assert_eq!(Pairs::default().elo(), None);
        let even = Pairs([0, 0, 7, 0, 0]).elo().unwrap();
        assert_eq!((even.difference, even.superiority), (0.0, 0.5));
    }

    /// Every result of up to twelve pairs.
    #[test]
    fn intervals_contain_their_estimate() {
        let mut samples = 0;
        for code in 0..13u64.pow(5) {
            let pairs = Pairs(std::array::from_fn(|i| code / 13u64.pow(i as u32) % 13));
            if !(1..=12).contains(&pairs.count()) {
                continue;
            }
            let Elo { difference, interval: [low, high], superiority } = pairs.elo().unwrap();
            assert!(
                low <= difference && difference <= high,
                "{pairs:?}: {difference} outside {low} … {high}"
            );
            assert!(low < high && (0.0..=1.0).contains(&superiority), "{pairs:?}");
            let mut mirrored = pairs.0;
            mirrored.reverse();
            let other = Pairs(mirrored).elo().unwrap();
            assert!(close(superiority + other.superiority, 1.0, 1e-9), "{pairs:?}");
            samples += 1;
        }
        // As many as there are ways to distribute n pairs over five scores, for n from 1 to 12.
        assert_eq!(samples, 6187);
    }

    #[test]
    fn few_identical_pairs_give_a_wide_interval() {
        let won = Pairs([0, 0, 0, 0, 7]).elo().unwrap();
        assert_eq!((won.difference, won.superiority), (f64::INFINITY, 1.0 - 1.0 / 256.0));
        // Wilson's lower bound for seven of seven is n / (n + z²).
        assert!(close(won.interval[0], from_score(7.0 / (7.0 + Z95 * Z95)), 1e-9), "{won:?}");
        let many = Pairs([0, 0, 0, 0, 700]).elo().unwrap();
        assert!(many.interval[0] > won.interval[0] + 500.0);
    }

    #[test]
    fn the_tails_of_the_normal_distribution_are_exact_too() {
        for (x, value) in [
            (-8.0, 6.220_960_574_271_819e-16),
            (-5.0, 2.866_515_718_791_946e-7),
            (-3.0, 0.001_349_898_031_630),
            (-2.999_9, 0.001_350_341_282_955),
            (3.0, 0.998_650_101_968_370),
            (6.0, 0.999_999_999_013_412),
        ] {
            assert!(close(normal(x) / value, 1.0, 1e-9), "{x}: {}", normal(x));
        }
    }

    #[test]
    fn pairs_are_counted_by_their_half_points() {
        let mut pairs = Pairs::default();
        for half_points in [0, 1, 2, 2, 3, 4, 4, 4, 7] {
            pairs.add(half_points);
        }
        assert_eq!((pairs, pairs.count()), (Pairs([1, 1, 2, 1, 4]), 9));
    }

    #[test]
    fn a_score_is_a_mean_with_its_standard_error() {
        assert_eq!(Pairs::default().score(), None);
        // Two pairs, one lost twice and one won twice: a variance of 1/4 by two.
        assert_eq!(Pairs([1, 0, 0, 0, 1]).score(), Some((0.5, 0.125f64.sqrt())));
        let (mean, error) = Pairs([0, 3, 0, 1, 0]).score().unwrap();
        assert!(close(mean, 0.375, 1e-12) && close(error, (0.046_875f64 / 4.0).sqrt(), 1e-12));
    }

    /// Wilson's bounds for nine pairs of 1½ points, seven even ones, four of half a point.
    #[test]
    fn pairs_with_equal_scores_have_the_bounds_of_wilson() {
        for (pairs, low, high, superiority) in [
            ([0, 0, 0, 9, 0], 0.426_853_754_044, 0.923_573_721_746, 1.0 - 1.0 / 1024.0),
            ([0, 0, 7, 0, 0], 0.202_371_693_606, 0.797_628_306_394, 0.5),
            ([0, 4, 0, 0, 0], 0.045_587_260_810, 0.699_358_157_418, 1.0 / 32.0),
        ] {
            let elo = Pairs(pairs).elo().unwrap();
            assert!(close(to_score(elo.interval[0]), low, 1e-9), "{elo:?}");
            assert!(close(to_score(elo.interval[1]), high, 1e-9), "{elo:?}");
            assert_eq!(elo.superiority, superiority);
        }
    }
}
