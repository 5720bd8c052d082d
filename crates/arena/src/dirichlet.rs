//! The distribution of the mean score of a pair whose chances follow a Dirichlet distribution.

use std::f64::consts::PI;

/// Scores of a pair as parts of its two points.
const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Step of the integration, and its largest number of nodes.
const STEP: f64 = 0.05;
const NODES: u32 = 800;

/// The parameters of a Dirichlet distribution over the five scores of a pair; 0 excludes a score.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dirichlet(pub(crate) [f64; 5]);

/// One term of a sum: a gamma variable of this shape times a factor.
#[derive(Clone, Copy)]
struct Term {
    shape: f64,
    factor: f64,
}

impl Dirichlet {
    /// Returns the probability that the mean score is at most this value.
    pub(crate) fn at_most(&self, score: f64) -> f64 {
        // Chances are independent gamma variables divided by their sum, which does not change the sign.
        let terms = |sign: f64| {
            let term = move |(&shape, own): (&f64, f64)| Term { shape, factor: sign * (own - score) };
            self.0.iter().zip(SCORES).map(term).filter(|term| term.shape > 0.0 && term.factor != 0.0)
        };
        let expected: f64 = terms(1.0).map(|term| term.shape * term.factor).sum();
        // The smaller of the two probabilities is computed, to full relative precision.
        if expected > 0.0 {
            is_positive(&terms(-1.0).collect::<Vec<_>>())
        } else {
            1.0 - is_positive(&terms(1.0).collect::<Vec<_>>())
        }
    }

    /// Returns the score below which the mean lies with this probability.
    pub(crate) fn quantile(&self, probability: f64) -> f64 {
        let mut possible =
            SCORES.into_iter().zip(self.0).filter(|(_, shape)| *shape > 0.0).map(|(score, _)| score);
        let Some(mut low) = possible.next() else { return f64::NAN };
        let mut high = possible.next_back().unwrap_or(low);
        // Regula falsi; an end that stays twice counts half (the Illinois method).
        let (mut below, mut above, mut moved_low) = (-probability, 1.0 - probability, None);
        while high - low > 1e-12 {
            let middle = high - above * (high - low) / (above - below);
            let excess = self.at_most(middle) - probability;
            if excess.abs() < 1e-10 {
                return middle;
            }
            let is_low = excess < 0.0;
            let weight = if moved_low == Some(is_low) { 0.5 } else { 1.0 };
            if is_low {
                (low, below, above) = (middle, excess, above * weight);
            } else {
                (high, above, below) = (middle, excess, below * weight);
            }
            moved_low = Some(is_low);
        }
        f64::midpoint(low, high)
    }
}

/// Returns the probability that a sum of gamma variables with factors is positive.
///
/// The sum has the moment generating function M(z) = Π (1 − factor · z)^−shape. The probability is the integral of
/// M(z) / (2πi z) along a vertical line right of zero. Near the saddle point of M the integrand neither oscillates nor
/// cancels, and the trapezoidal rule after y = sinh x converges exponentially.
fn is_positive(terms: &[Term]) -> f64 {
    let largest = terms.iter().map(|term| term.factor).fold(0.0, f64::max);
    if largest <= 0.0 {
        return 0.0;
    }
    if terms.iter().all(|term| term.factor > 0.0) {
        return 1.0;
    }
    let variance =
        |z: f64| terms.iter().map(|t| t.shape * (t.factor / (1.0 - t.factor * z)).powi(2)).sum::<f64>();
    let slope = |z: f64| terms.iter().map(|t| t.shape * t.factor / (1.0 - t.factor * z)).sum::<f64>();
    let (mut left, mut right) = (0.0, 1.0 / largest);
    for _ in 0..40 {
        let middle = f64::midpoint(left, right);
        if slope(middle) < 0.0 { left = middle } else { right = middle }
    }
    // Away from the pole at zero.
    let line = left.max((1.0 / variance(0.0).sqrt()).min(0.5 / largest));
    let unit = 1.0 / variance(line).sqrt();
    let mut sum = 0.0;
    for i in 0..NODES {
        let x = f64::from(i) * STEP;
        let (y, width) = (unit * x.sinh(), unit * x.cosh());
        let (mut log, mut angle) = (0.0, 0.0);
        for &Term { shape, factor } in terms {
            let (real, imaginary) = (1.0 - factor * line, factor * y);
            log -= shape * 0.5 * (real * real + imaginary * imaginary).ln();
            angle += shape * imaginary.atan2(real);
        }
        let (sin, cos) = angle.sin_cos();
        let size = log.exp() * width / (line * line + y * y);
        sum += size * (line * cos + y * sin) * if i == 0 { 0.5 } else { 1.0 };
        if size * (line + y) < 1e-18 * sum.abs() {
            break;
        }
    }
    (sum * STEP / PI).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With two scores the distribution is a beta distribution, here one whose powers are known.
    #[test]
    fn two_scores_give_a_beta_distribution() {
        for n in [1.0, 2.0, 3.0, 10.0, 100.0] {
            for score in [0.01, 0.1, 0.5, 0.9, 0.99f64] {
                let found = Dirichlet([1.0, 0.0, 0.0, 0.0, n]).at_most(score);
                assert!((found / score.powf(n) - 1.0).abs() < 1e-9, "{n} {score}: {found}");
                let mirrored = 1.0 - Dirichlet([n, 0.0, 0.0, 0.0, 1.0]).at_most(1.0 - score);
                assert!((mirrored - found).abs() < 1e-9, "{n} {score}: {mirrored}");
                let found = Dirichlet([1.0, 0.0, n, 0.0, 0.0]).at_most(score / 2.0);
                assert!((found - score.powf(n)).abs() < 1e-9, "{n} {score}: {found}");
            }
        }
    }

    #[test]
    fn scores_outside_the_possible_ones_are_certain() {
        let middle = Dirichlet([0.0, 2.0, 3.0, 1.0, 0.0]);
        assert_eq!([0.2, 0.25, 0.75, 0.8].map(|score| middle.at_most(score)), [0.0, 0.0, 1.0, 1.0]);
        let even = Dirichlet([0.0, 2.0, 3.0, 2.0, 0.0]);
        assert!((even.at_most(0.5) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn quantiles_invert_the_distribution() {
        for parameters in
            [[1.0, 0.0, 0.0, 0.0, 3.0], [1.0, 4.0, 2.0, 0.0, 3.0], [21.0, 30.0, 90.0, 40.0, 25.0]]
        {
            let distribution = Dirichlet(parameters);
            for probability in [0.001, 0.025, 0.5, 0.975] {
                let score = distribution.quantile(probability);
                assert!(
                    (distribution.at_most(score) - probability).abs() < 1e-9,
                    "{parameters:?} {probability}"
                );
            }
        }
        let certain = Dirichlet([0.0, 0.0, 0.0, 0.0, 5.0]);
        assert_eq!((certain.quantile(0.025), certain.quantile(0.975)), (1.0, 1.0));
    }

    /// The mean of a simulation with as many draws has an error of a quarter of the tolerance.
    #[test]
    fn simulated_chances_agree() {
        let mut rng = fastrand::Rng::with_seed(1);
        for parameters in [[1, 2, 0, 1, 3], [1, 0, 0, 1, 2], [2, 3, 4, 5, 6]] {
            const DRAWS: u32 = 40_000;
            let mut at_most = [0; 3];
            for _ in 0..DRAWS {
                let gamma = parameters.map(|shape| (0..shape).map(|_| -(1.0 - rng.f64()).ln()).sum::<f64>());
                let mean = gamma.iter().zip(SCORES).map(|(part, score)| part * score).sum::<f64>()
                    / gamma.iter().sum::<f64>();
                for (count, limit) in at_most.iter_mut().zip([0.3, 0.5, 0.7]) {
                    *count += u32::from(mean <= limit);
                }
            }
            for (count, limit) in at_most.into_iter().zip([0.3, 0.5, 0.7]) {
                let found = Dirichlet(parameters.map(f64::from)).at_most(limit);
                let drawn = f64::from(count) / f64::from(DRAWS);
                assert!((found - drawn).abs() < 0.01, "{parameters:?} {limit}: {found} {drawn}");
            }
        }
    }
}
