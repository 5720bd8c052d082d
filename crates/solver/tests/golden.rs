//! The scores of positions that two other solvers agree on.

use std::sync::atomic::AtomicBool;

use crate::common::{golden, position};
use alinea_solver::Solver;

/// Solves at most `most` positions of a set.
fn check(set: &str, most: usize) {
    let mut solver = Solver::default();
    let stop = AtomicBool::new(false);
    let mut count = 0;
    for (moves, score) in golden(set).take(most) {
        assert_eq!(solver.score(&position(moves), &stop), Ok(score), "{moves}");
        count += 1;
    }
    assert!(count >= most.min(24), "{count} positions of {set}");
}

#[test]
fn end_easy() {
    check("end-easy", 100);
}

#[test]
fn middle_easy() {
    check("middle-easy", 100);
}

#[test]
fn middle_medium() {
    check("middle-medium", 100);
}

#[test]
fn begin_easy() {
    check("begin-easy", 100);
}

#[test]
fn begin_medium() {
    check("begin-medium", 100);
}

#[test]
fn begin_hard() {
    // The others take seconds each; the benchmark solves them all.
    check("begin-hard", 6);
}

/// The search is the same for any size: the standard one as a run-time size must agree.
#[test]
fn the_standard_board_as_a_run_time_size() {
    let mut solver = Solver::default();
    let stop = AtomicBool::new(false);
    for (moves, score) in golden("middle-medium") {
        let position = crate::common::play(crate::common::board(7, 6), moves);
        assert_eq!(solver.score(&position, &stop), Ok(score), "{moves}");
    }
}
