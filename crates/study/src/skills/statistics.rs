//! Exact statistics of a few counts.

/// The logarithms of 0! to n!.
fn log_factorials(n: u32) -> Vec<f64> {
    let mut logs = vec![0.0];
    for i in 1..=n {
        logs.push(logs[i as usize - 1] + f64::from(i).ln());
    }
    logs
}

/// The probability of at most `right` successes among `of` trials.
pub(super) fn at_most(right: u32, of: u32, probability: f64) -> f64 {
    if right >= of || probability <= 0.0 {
        return 1.0;
    }
    if probability >= 1.0 {
        return 0.0;
    }
    let logs = log_factorials(of);
    let (yes, no) = (probability.ln(), (1.0 - probability).ln());
    let term = |k: u32| {
        let ways = logs[of as usize] - logs[k as usize] - logs[(of - k) as usize];
        (ways + f64::from(k) * yes + f64::from(of - k) * no).exp()
    };
    (0..=right).map(term).sum::<f64>().min(1.0)
}

/// The exact 95 % interval of a rate, by Clopper and Pearson.
pub(super) fn interval(right: u32, of: u32) -> (f64, f64) {
    // The rate at which the condition, true for small rates, becomes false.
    let bound = |is_below: &dyn Fn(f64) -> bool| {
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..40 {
            let middle = (low + high) / 2.0;
            if is_below(middle) {
                low = middle;
            } else {
                high = middle;
            }
        }
        (low + high) / 2.0
    };
    let low = if right == 0 { 0.0 } else { bound(&|rate| 1.0 - at_most(right - 1, of, rate) < 0.025) };
    let high = if right == of { 1.0 } else { bound(&|rate| at_most(right, of, rate) > 0.025) };
    (low, high)
}

/// Fisher's exact test: the probability, if both rates are the same, that the first is at most as high as counted.
pub(super) fn is_lower((right, of): (u32, u32), (other_right, other_of): (u32, u32)) -> f64 {
    let (all, successes) = (of + other_of, right + other_right);
    let logs = log_factorials(all);
    let choose = |n: u32, k: u32| logs[n as usize] - logs[k as usize] - logs[(n - k) as usize];
    let least = successes.saturating_sub(other_of);
    let term = |k: u32| (choose(of, k) + choose(other_of, successes - k) - choose(all, successes)).exp();
    (least..=right).map(term).sum::<f64>().min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 5e-5, "{found} is not {expected}");
    }

    #[test]
    fn tails_are_exact() {
        close(at_most(0, 3, 0.5), 0.125);
        close(at_most(1, 3, 0.5), 0.5);
        close(at_most(3, 3, 0.1), 1.0);
        close(at_most(2, 10, 0.5), 56.0 / 1024.0);
    }

    /// Values of R's `binom.test`.
    #[test]
    fn intervals_are_those_of_clopper_and_pearson() {
        for (right, of, low, high) in
            [(9, 22, 0.2071, 0.6365), (0, 10, 0.0, 0.3085), (10, 10, 0.6915, 1.0), (44, 50, 0.7569, 0.9547)]
        {
            let (found_low, found_high) = interval(right, of);
            close(found_low, low);
            close(found_high, high);
        }
    }

    /// The lady tasting tea.
    #[test]
    fn two_rates_are_compared_by_fishers_test() {
        close(is_lower((1, 4), (3, 4)), 17.0 / 70.0);
        close(is_lower((0, 4), (4, 4)), 1.0 / 70.0);
        close(is_lower((4, 4), (0, 4)), 1.0);
    }
}
