//! What is known about a move, and the one order of better and worse.

use std::cmp::Ordering;

use players::{
    Proof, Proven,
    engine::{value_of, win_chance},
};

/// What is known about a move, for the side that plays it.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(tag = "kind", rename_all = "kebab-case")
)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub enum Verdict {
    /// The result is proven.
    Proven(Proven),
    /// The result is proven to lie between two others, and estimated.
    Between {
        /// Not worse than this.
        least: Proven,
        /// Not better than this.
        most: Proven,
        /// The estimate in points, within the bounds.
        score: i32,
        /// The same as an expected result, from −1 (loss) to 1 (win).
        chance: f64,
        /// The same in a word; absent in assessments of older versions.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
        #[cfg_attr(feature = "schema", ts(optional))]
        advantage: Option<Advantage>,
    },
    /// The result is estimated by a search.
    Estimate {
        /// In points.
        score: i32,
        /// The same as an expected result, from −1 (loss) to 1 (win).
        chance: f64,
        /// The same in a word; absent in assessments of older versions.
        #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
        #[cfg_attr(feature = "schema", ts(optional))]
        advantage: Option<Advantage>,
    },
}

/// The size of an estimated advantage, in the steps used to annotate games. The sign of the chance tells
/// which side has it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub enum Advantage {
    /// Neither side is better.
    Even,
    /// One side is a little better.
    Slight,
    /// One side is better.
    Clear,
    /// One side is close to winning.
    Decisive,
}

impl Advantage {
    fn of(chance: f64) -> Self {
        match chance.abs() {
            ..0.12 => Self::Even,
            ..0.4 => Self::Slight,
            ..0.75 => Self::Clear,
            _ => Self::Decisive,
        }
    }
}

impl Verdict {
    pub(crate) fn estimate(score: i32) -> Self {
        let chance = win_chance(score);
        Self::Estimate { score, chance, advantage: Some(Advantage::of(chance)) }
    }

    /// An estimate that respects what is proved.
    pub(crate) fn between(least: Proven, most: Proven, score: i32) -> Self {
        if least == most {
            return Self::Proven(least);
        }
        let (low, high) = (value_of(least), value_of(most));
        let score = score.clamp(low.min(high), high);
        let chance = win_chance(score).clamp(chance_of(least.result), chance_of(most.result));
        Self::Between { least, most, score, chance, advantage: Some(Advantage::of(chance)) }
    }

    /// The result, if it is proved.
    #[must_use]
    pub fn proven(&self) -> Option<Proven> {
        match *self {
            Self::Proven(proven) => Some(proven),
            _ => None,
        }
    }

    /// How large the advantage is, if it is estimated.
    #[must_use]
    pub fn advantage(&self) -> Option<Advantage> {
        match *self {
            Self::Proven(_) => None,
            Self::Between { advantage, .. } | Self::Estimate { advantage, .. } => advantage,
        }
    }

    /// The expected result for the side that plays the move, from −1 (loss) to 1 (win).
    #[must_use]
    pub fn chance(&self) -> f64 {
        match *self {
            Self::Proven(proven) => chance_of(proven.result),
            Self::Between { chance, .. } | Self::Estimate { chance, .. } => chance,
        }
    }

    /// The verdict in points: the points of an estimate; for a proven win or loss, more than any estimate.
    #[must_use]
    pub fn score(&self) -> i32 {
        match *self {
            Self::Proven(proven) => value_of(proven),
            Self::Between { score, .. } | Self::Estimate { score, .. } => score,
        }
    }

    /// Compares two verdicts on moves of one position. A quicker win is greater than a slower one, and a
    /// later loss greater than an earlier one. A proven draw has the score of an even estimate; at equal
    /// scores, a proven result is greater.
    #[must_use]
    pub fn order(&self, other: &Self) -> Ordering {
        let certainty = |verdict: &Self| verdict.proven().is_some();
        self.score().cmp(&other.score()).then(certainty(self).cmp(&certainty(other)))
    }
}

fn chance_of(result: Proof) -> f64 {
    match result {
        Proof::Win => 1.0,
        Proof::Draw => 0.0,
        Proof::Loss => -1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn proven(result: Proof, plies: u32) -> Verdict {
        Verdict::Proven(Proven { result, plies })
    }

    #[test]
    fn verdicts_have_one_order() {
        let (least, most) =
            (Proven { result: Proof::Draw, plies: 30 }, Proven { result: Proof::Win, plies: 9 });
        let ascending = [
            proven(Proof::Loss, 2),
            proven(Proof::Loss, 8),
            Verdict::estimate(-40),
            Verdict::estimate(0),
            proven(Proof::Draw, 30),
            Verdict::between(least, most, 7),
            Verdict::estimate(90),
            proven(Proof::Win, 9),
            proven(Proof::Win, 3),
        ];
        for (i, worse) in ascending.iter().enumerate() {
            assert_eq!(worse.order(worse), Ordering::Equal);
            for better in &ascending[i + 1..] {
                assert_eq!(worse.order(better), Ordering::Less, "{worse:?} {better:?}");
            }
        }
    }

    #[test]
    fn an_estimate_stays_within_what_is_proved() {
        let (draw, win) =
            (Proven { result: Proof::Draw, plies: 30 }, Proven { result: Proof::Win, plies: 9 });
        let loss = Proven { result: Proof::Loss, plies: 10 };
        assert_eq!(Verdict::between(draw, win, -50).chance(), 0.0);
        assert_eq!(Verdict::between(loss, draw, 50).chance(), 0.0);
        assert!(Verdict::between(loss, draw, -50).chance() < 0.0);
        let later = Proven { result: Proof::Win, plies: 21 };
        assert_eq!(Verdict::between(later, win, 12).chance(), 1.0);
        assert_eq!(Verdict::between(win, win, -3), Verdict::Proven(win));
    }

    #[test]
    fn an_advantage_is_as_large_for_either_side_and_begins_at_its_bound() {
        use Advantage::{Clear, Decisive, Even, Slight};
        let steps =
            [(Even, 0.0..0.12), (Slight, 0.12..0.4), (Clear, 0.4..0.75), (Decisive, 0.75..1.0_f64.next_up())];
        for (advantage, chances) in steps {
            for chance in [chances.start, chances.end.next_down()] {
                assert_eq!([chance, -chance].map(Advantage::of), [advantage; 2], "{chance}");
            }
        }
    }

    #[test]
    fn an_estimate_tells_the_advantage_that_remains_within_what_is_proved() {
        let (draw, win) =
            (Proven { result: Proof::Draw, plies: 30 }, Proven { result: Proof::Win, plies: 9 });
        let estimated = [-300, 300].map(|score| Verdict::estimate(score).advantage());
        assert_eq!(estimated, [Some(Advantage::Decisive); 2]);
        assert_eq!(Verdict::between(draw, win, -300).advantage(), Some(Advantage::Even));
        assert_eq!(Verdict::between(draw, win, 300).advantage(), Some(Advantage::Decisive));
    }
}
