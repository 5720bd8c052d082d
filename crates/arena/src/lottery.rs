//! Boards drawn by lottery, by the rule of the ColorShapeLinks competition.

use rules::{Spec, SpecError};
use thiserror::Error;

/// A board drawn at random, by the rule of the ColorShapeLinks competition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lottery {
    /// The game.
    pub spec: Spec,
    /// The time for one move in milliseconds.
    pub movetime_ms: u64,
}

/// Why lottery numbers give no board.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum LotteryError {
    /// Not five valid numbers.
    #[error(
        "a lottery draws five different numbers from 1 to 50, at least two of them above 6, such as 3,8,15,27,44"
    )]
    Balls,
    /// The resulting board is not supported.
    #[error("these lottery numbers give no playable board: {0}")]
    Spec(#[from] SpecError),
}

/// The board for five lottery numbers: rows are the lowest number above 6, columns the next, the run is half
/// of the rows, each side has a quarter of the cells in each shape, and a move may take 25 ms times the
/// larger of rows and columns.
///
/// # Errors
/// If they are not five different numbers from 1 to 50, or give no supported board.
pub fn lottery(balls: &[u64]) -> Result<Lottery, LotteryError> {
    let mut sorted = balls.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    if balls.len() != 5 || sorted.len() != 5 || sorted.iter().any(|ball| !(1..=50).contains(ball)) {
        return Err(LotteryError::Balls);
    }
    let mut above = sorted.into_iter().filter(|&ball| ball > 6);
    let (Some(rows), Some(cols)) = (above.next(), above.next()) else { return Err(LotteryError::Balls) };
    let (run, round, square) = (rows.div_ceil(2), rows * cols / 4, (rows * cols).div_ceil(4));
    let spec = format!("simplexity:{rows}x{cols}x{run}:{round}+{square}").parse()?;
    Ok(Lottery { spec, movetime_ms: 25 * rows.max(cols) })
}

/// Draws five numbers that give a board.
#[must_use]
pub fn draw(seed: u64) -> [u64; 5] {
    let mut rng = fastrand::Rng::with_seed(seed);
    loop {
        let balls = std::array::from_fn(|_| rng.u64(1..=50));
        if lottery(&balls).is_ok() {
            return balls;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lottery_decides_board_and_time() {
        let drawn = lottery(&[44, 3, 9, 14, 27]).unwrap();
        assert_eq!(drawn.spec.to_string(), "simplexity:9x14x5:31+32");
        assert_eq!(drawn.movetime_ms, 350);
        for balls in [&[1, 2, 3, 4, 5][..], &[7, 8], &[7, 7, 8, 9, 10], &[7, 8, 9, 10, 51], &[0, 7, 8, 9, 10]]
        {
            assert!(lottery(balls).is_err(), "{balls:?}");
        }
        // Half of 41 rows exceeds the longest supported run.
        assert!(matches!(lottery(&[1, 2, 3, 41, 50]), Err(LotteryError::Spec(_))));
        assert_eq!(draw(5), draw(5));
    }
}
