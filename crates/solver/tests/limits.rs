//! Bounds after a stop, and limits of memory.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    thread,
};

use crate::common::{board, golden, position};
use alinea_solver::{Book, SolveError, Solver, SystemThreads, Value};

#[test]
fn a_stop_before_the_search_leaves_correct_bounds() {
    let stop = AtomicBool::new(true);
    let mut solver = Solver::default();
    for (moves, score) in golden("begin-hard") {
        let position = position(moves);
        let Err(SolveError::Stopped(bounds)) = solver.score(&position, &stop) else {
            panic!("{moves} needs a search");
        };
        assert!(bounds.lower <= score && score <= bounds.upper, "{moves}");
        let analysis = solver.analyse(&position, &stop).unwrap();
        assert!(analysis.stopped);
        assert_eq!(
            analysis.moves.len(),
            7 - (1..=7).filter(|c| moves.matches(&c.to_string()).count() == 6).count()
        );
        assert!(solver.nodes() < 100);
    }
}

/// Whenever the stop flag is set, the search ends, and its bounds are correct.
#[test]
fn a_stop_during_the_search_leaves_correct_bounds() {
    let go = AtomicBool::new(false);
    for (round, (moves, score)) in golden("begin-medium").take(12).enumerate() {
        let position = position(moves);
        let whole = Solver::default().analyse(&position, &go).unwrap();
        assert_eq!(whole.bounds.exact(), Some(score));
        let stop = AtomicBool::new(false);
        let analysis = thread::scope(|scope| {
            scope.spawn(|| {
                (0..1 << round).for_each(|_| thread::yield_now());
                stop.store(true, Relaxed);
            });
            Solver::default()
                .with_threads(1 + round % 2, Arc::new(SystemThreads))
                .analyse(&position, &stop)
                .unwrap()
        });
        assert!(analysis.bounds.lower <= score && score <= analysis.bounds.upper, "{moves}");
        for ((column, bounds), (_, exact)) in analysis.moves.iter().zip(&whole.moves) {
            assert!(bounds.lower <= exact.lower && exact.upper <= bounds.upper, "{moves}, column {column}");
        }
    }
}

#[test]
fn memory_stays_within_its_limit() {
    let stop = AtomicBool::new(false);
    let mut solver = Solver::new(1 << 20);
    assert!(solver.memory_in_use() < 1 << 15, "no memory is allocated before it is needed");
    for (moves, score) in golden("begin-medium").take(10) {
        assert_eq!(solver.score(&position(moves), &stop), Ok(score));
        // Both tables.
        assert!(solver.memory_in_use() <= 2 << 20);
    }
    // The least that a board of 64 bits needs.
    let mut solver = Solver::new(0);
    assert_eq!(solver.value(&board(4, 4), &stop), Ok(Value::Draw));
    assert!(solver.memory_in_use() <= 2 << 14);
    solver.score(&board(8, 7), &AtomicBool::new(true)).unwrap_err();
    assert!(solver.memory_in_use() <= 4 << 20);
}

#[test]
fn threads_agree() {
    let stop = AtomicBool::new(false);
    let mut solver = Solver::new(1 << 22).with_threads(2, Arc::new(SystemThreads));
    for (moves, score) in golden("begin-medium").skip(20).take(20) {
        assert_eq!(solver.score(&position(moves), &stop), Ok(score), "{moves}");
    }
    assert_eq!(solver.value(&board(6, 5), &stop), Ok(Value::Draw));
}

#[test]
fn other_runs_are_rejected() {
    let size = rules::Size::new(6, 7, 5).unwrap();
    let position = rules::ConnectFour::new(rules::Small::new(size).unwrap());
    assert_eq!(Solver::default().score(&position, &AtomicBool::new(false)), Err(SolveError::Run(5)));
}

/// A line has as many moves as were asked for; moves that the book knows need no search.
#[test]
fn a_line_is_as_long_as_asked() {
    let (go, stop) = (AtomicBool::new(false), AtomicBool::new(true));
    let mut solver = Solver::default().with_book(Book::embedded());
    let plies = usize::from(Book::embedded().plies());
    let known = solver.line_up_to(&position(""), usize::MAX, &stop).unwrap();
    assert!(known.len() >= plies, "{known:?}");
    assert_eq!(solver.nodes(), 0);
    assert_eq!(solver.line_up_to(&position(""), 2, &go).unwrap(), known[..2]);
    assert_eq!(solver.nodes(), 0);

    for (moves, score) in golden("middle-easy").take(20) {
        let position = position(moves);
        let line = solver.line(&position, &go).unwrap();
        assert_eq!(line.len(), usize::from(alinea_solver::plies_left(&position, score)), "{moves}");
        assert_eq!(solver.line_up_to(&position, usize::MAX, &go).unwrap(), line, "{moves}");
        assert_eq!(solver.line_up_to(&position, 1, &go).unwrap(), line[..1], "{moves}");
    }
}
