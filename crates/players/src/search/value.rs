//! The scale of values: evaluations in the middle, proven results outside.

use crate::{
    eval::LIMIT,
    thought::{Proof, Proven},
};

/// The value of a won game.
pub(crate) const MATE: i32 = 30_000;
/// Values of at least this are proofs: a win or a loss in `MATE − |value|` plies.
pub(crate) const PROOF: i32 = LIMIT + 1;

/// The value of a proven result.
#[must_use]
pub fn value_of(proven: Proven) -> i32 {
    match proven.result {
        Proof::Win => MATE - proven.plies as i32,
        Proof::Draw => 0,
        Proof::Loss => proven.plies as i32 - MATE,
    }
}

/// The expected result of a value, from −1 (loss) to 1 (win). The weights of the evaluation are fitted so that 100
/// points are odds of e to 1 in games of the engine.
#[must_use]
pub fn win_chance(value: i32) -> f64 {
    let odds = odds(value.unsigned_abs());
    f64::from(value.signum()) * (odds - 1.0) / (odds + 1.0)
}

/// The odds of these points, by multiplications alone: the same on every machine, which `exp` is not.
fn odds(points: u32) -> f64 {
    let (mut odds, mut factor) = (1.0, 1.010_050_167_084_168);
    let mut left = points;
    while left > 0 {
        if left % 2 == 1 {
            odds *= factor;
        }
        factor *= factor;
        left /= 2;
    }
    odds
}

/// In the transposition table, distances of proven results count from the stored position, not from the root.
pub(super) fn value_to_table(value: i32, ply: usize) -> i16 {
    let ply = ply as i32;
    let value = match value {
        PROOF.. => value + ply,
        _ if value <= -PROOF => value - ply,
        _ => value,
    };
    value.clamp(-MATE, MATE) as i16
}

pub(super) fn value_from_table(value: i16, ply: usize) -> i32 {
    let (value, ply) = (i32::from(value), ply as i32);
    match value {
        PROOF.. => value - ply,
        _ if value <= -PROOF => value + ply,
        _ => value,
    }
}
