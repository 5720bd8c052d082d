//! Sequential probability ratio test (SPRT): stops a match as soon as it is decided whether a player is
//! stronger by `elo1` rather than by `elo0`, with bounded error rates.
//!
//! Generalised SPRT on pairs (GSPRT): for each hypothesis the maximum likelihood distribution of pair scores
//! with the hypothesised mean is fitted to the sample; the log-likelihood ratio of the two is compared with
//! Wald's bounds.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::elo::{self, Pairs};

/// The two hypotheses and the error rates.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sprt {
    /// Elo difference of the null hypothesis.
    pub elo0: f64,
    /// Elo difference of the alternative hypothesis.
    pub elo1: f64,
    /// The probability of accepting `elo1` when `elo0` is true.
    #[serde(default = "five_percent")]
    pub alpha: f64,
    /// The probability of accepting `elo0` when `elo1` is true.
    #[serde(default = "five_percent")]
    pub beta: f64,
}

fn five_percent() -> f64 {
    0.05
}

/// Why the settings of a test are invalid.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum SprtError {
    /// The hypotheses are out of order, equal or out of range.
    #[error("SPRT needs elo0 below elo1, both between -1000 and 1000, not {0} and {1}")]
    Hypotheses(f64, f64),
    /// Error rates out of range.
    #[error("the error rates of SPRT must be between 0 and 0.5, not {0} and {1}")]
    Rates(f64, f64),
}

/// The decision of the test.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Stronger by `elo1` rather than by `elo0`.
    Accepted,
    /// Stronger by `elo0` rather than by `elo1`.
    Rejected,
    /// Not decided yet.
    Open,
}

impl Sprt {
    /// Validates the settings.
    ///
    /// # Errors
    /// If they are out of range.
    pub fn check(&self) -> Result<(), SprtError> {
        let reach = -1000.0..=1000.0;
        // Written so that NaN fails too.
        let ordered = self.elo0 < self.elo1 && reach.contains(&self.elo0) && reach.contains(&self.elo1);
        if !ordered {
            return Err(SprtError::Hypotheses(self.elo0, self.elo1));
        }
        let possible = |rate: f64| rate > 0.0 && rate < 0.5;
        if possible(self.alpha) && possible(self.beta) {
            Ok(())
        } else {
            Err(SprtError::Rates(self.alpha, self.beta))
        }
    }

    /// Wald's bounds for the log-likelihood ratio.
    #[must_use]
    pub fn bounds(&self) -> [f64; 2] {
        [(self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln()]
    }

    /// The log-likelihood ratio.
    #[must_use]
    pub fn llr(&self, pairs: &Pairs) -> f64 {
        if pairs.count() == 0 {
            return 0.0;
        }
        // A score with count zero is rare, not impossible.
        let counts = pairs.0.map(|count| if count == 0 { 1e-3 } else { count as f64 });
        let total: f64 = counts.iter().sum();
        let seen = counts.map(|count| count / total);
        let [fit0, fit1] = [self.elo0, self.elo1].map(|elo| fit(&seen, elo::to_score(elo)));
        let ratio = |i: usize| seen[i] * (fit1[i] / fit0[i]).ln();
        total * (0..5).map(ratio).sum::<f64>()
    }

    /// The decision after these pairs.
    #[must_use]
    pub fn verdict(&self, pairs: &Pairs) -> Verdict {
        let [low, high] = self.bounds();
        match self.llr(pairs) {
            llr if llr >= high => Verdict::Accepted,
            llr if llr <= low => Verdict::Rejected,
            _ => Verdict::Open,
        }
    }
}

/// The maximum likelihood distribution with this mean: `seen / (1 + x (score − mean))` for the `x` that
/// yields the mean. The condition is monotonic in `x`, so bisection finds it.
fn fit(seen: &[f64; 5], mean: f64) -> [f64; 5] {
    let offset = |i: usize| i as f64 / 4.0 - mean;
    let excess = |x: f64| (0..5).map(|i| seen[i] * offset(i) / (1.0 + x * offset(i))).sum::<f64>();
    let slope = |x: f64| -(0..5).map(|i| seen[i] * (offset(i) / (1.0 + x * offset(i))).powi(2)).sum::<f64>();
    // Outside this interval some probability would be negative.
    let (mut low, mut high) = (-1.0 / offset(4), -1.0 / offset(0));
    let mut x = 0.0;
    for _ in 0..100 {
        let value = excess(x);
        if value > 0.0 {
            low = x;
        } else {
            high = x;
        }
        // Newton's step is faster where it stays inside.
        let newton = x - value / slope(x);
        let next = if newton > low && newton < high { newton } else { f64::midpoint(low, high) };
        if (next - x).abs() < 1e-12 {
            break;
        }
        x = next;
    }
    std::array::from_fn(|i| seen[i] / (1.0 + x * offset(i)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sprt(elo0: f64, elo1: f64) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05 }
    }

    /// Samples and results from the published tests of fastchess.
    #[test]
    fn known_samples_give_known_log_likelihood_ratios() {
        let first = sprt(0.5, 2.5).llr(&Pairs([223, 9863, 20279 + 1000, 10037, 246]));
        assert!((first + 3.07).abs() < 0.01, "{first}");
        let second = sprt(0.0, 2.0).llr(&Pairs([871, 26175, 55003 + 980, 26678, 821]));
        assert!((second + 4.98).abs() < 0.01, "{second}");
    }

    #[test]
    fn bounds_are_walds() {
        let [low, high] = sprt(0.0, 10.0).bounds();
        assert!((low + 19f64.ln()).abs() < 1e-12 && (high - 19f64.ln()).abs() < 1e-12);
    }

    #[test]
    fn fitted_distribution_has_the_given_mean() {
        let fitted = fit(&[0.1, 0.2, 0.3, 0.2, 0.2], 0.4);
        let mean: f64 = fitted.iter().enumerate().map(|(i, p)| p * i as f64 / 4.0).sum();
        assert!((mean - 0.4).abs() < 1e-9 && (fitted.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }

    #[test]
    fn all_wins_accept_and_all_losses_reject() {
        assert_eq!(sprt(0.0, 10.0).verdict(&Pairs([0, 0, 0, 0, 400])), Verdict::Accepted);
        assert_eq!(sprt(0.0, 10.0).verdict(&Pairs([400, 0, 0, 0, 0])), Verdict::Rejected);
        assert_eq!(sprt(0.0, 10.0).verdict(&Pairs::default()), Verdict::Open);
    }

    #[test]
    fn invalid_tests_are_rejected() {
        assert!(sprt(10.0, 0.0).check().is_err());
        assert!(sprt(f64::NAN, 0.0).check().is_err());
        assert!(Sprt { alpha: 0.0, ..sprt(0.0, 1.0) }.check().is_err());
        assert!(Sprt { beta: f64::NAN, ..sprt(0.0, 1.0) }.check().is_err());
    }

    /// Simulates matches and counts the verdicts.
    fn simulate(mean: f64, matches: u64, seed: u64) -> [u64; 2] {
        let test = sprt(0.0, 10.0);
        // Half of the pairs are even, as between players of similar strength.
        let chances = fit(&[0.05, 0.2, 0.5, 0.2, 0.05], mean);
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut verdicts = [0, 0];
        for _ in 0..matches {
            let mut pairs = Pairs::default();
            let verdict = loop {
                let mut lot = rng.f64();
                let drawn = chances.iter().position(|chance| {
                    lot -= chance;
                    lot < 0.0
                });
                pairs.add(drawn.unwrap_or(4));
                match test.verdict(&pairs) {
                    Verdict::Open => {}
                    verdict => break verdict,
                }
            };
            verdicts[usize::from(verdict == Verdict::Rejected)] += 1;
        }
        verdicts
    }

    /// With error rates of 5 %, 2,000 matches give at most 100 wrong verdicts on average; 120 is two standard
    /// deviations more.
    #[test]
    fn error_rates_hold_in_simulated_matches() {
        let [accepted, _] = simulate(0.5, 2000, 1);
        assert!(accepted <= 120, "identical players: {accepted} of 2000 accepted");
        let [_, rejected] = simulate(elo::to_score(10.0), 2000, 2);
        assert!(rejected <= 120, "stronger by 10: {rejected} of 2000 rejected");
    }

    /// Computed by bisection in another program.
    #[test]
    fn small_samples_give_known_log_likelihood_ratios() {
        for (pairs, elo0, elo1, llr) in [
            ([10, 20, 50, 30, 15], 0.0, 10.0, 0.784_601_268),
            ([10, 20, 50, 30, 15], -20.0, 30.0, 3.866_399_953),
            ([0, 0, 7, 0, 0], 0.0, 50.0, -1.072_578_595),
            ([0, 0, 0, 0, 12], 0.0, 100.0, 2.963_951_539),
            ([3, 0, 0, 0, 9], -100.0, 100.0, 3.454_615_535),
        ] {
            let found = sprt(elo0, elo1).llr(&Pairs(pairs));
            assert!((found - llr).abs() < 1e-6, "{pairs:?}: {found}");
        }
        assert_eq!(sprt(0.0, 10.0).llr(&Pairs::default()), 0.0);
    }

    #[test]
    fn error_rates_may_differ() {
        let [low, high] = Sprt { alpha: 0.1, beta: 0.02, ..sprt(0.0, 10.0) }.bounds();
        assert!((low - (0.02f64 / 0.9).ln()).abs() < 1e-12 && (high - 9.8f64.ln()).abs() < 1e-12);
    }

    #[test]
    fn hypotheses_and_rates_have_bounds() {
        for (elo0, elo1, is_valid) in [
            (0.0, 5.0, true),
            (-1000.0, 1000.0, true),
            (-1000.1, 0.0, false),
            (0.0, 1000.1, false),
            (5.0, 5.0, false),
            (f64::NAN, 5.0, false),
            (0.0, f64::NAN, false),
        ] {
            assert_eq!(sprt(elo0, elo1).check().is_ok(), is_valid, "{elo0} {elo1}");
        }
        for (rate, is_valid) in
            [(0.01, true), (0.499, true), (0.5, false), (0.0, false), (-0.1, false), (f64::NAN, false)]
        {
            assert_eq!(Sprt { alpha: rate, ..sprt(0.0, 5.0) }.check().is_ok(), is_valid, "{rate}");
            assert_eq!(Sprt { beta: rate, ..sprt(0.0, 5.0) }.check().is_ok(), is_valid, "{rate}");
        }
        let test: Sprt = toml::from_str("elo0 = 0\nelo1 = 5").unwrap();
        assert_eq!(test, sprt(0.0, 5.0));
    }

    /// Also where Newton's method would leave the interval.
    #[test]
    fn any_sample_can_be_fitted_to_any_mean() {
        let mut rng = fastrand::Rng::with_seed(3);
        for _ in 0..2_000 {
            let weights: [f64; 5] = std::array::from_fn(|_| rng.f64().powi(8) + 1e-6);
            let total: f64 = weights.iter().sum();
            let wanted = 0.01 + 0.98 * rng.f64();
            let fitted = fit(&weights.map(|weight| weight / total), wanted);
            let mean: f64 = fitted.iter().enumerate().map(|(i, p)| p * i as f64 / 4.0).sum();
            assert!(
                (mean - wanted).abs() < 1e-6 && (fitted.iter().sum::<f64>() - 1.0).abs() < 1e-6,
                "{weights:?}"
            );
            assert!(fitted.iter().all(|p| *p > 0.0));
        }
    }
}
