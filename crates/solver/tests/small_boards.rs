//! Boards with published values, and boards small enough for plain minimax.

use std::{collections::HashMap, sync::atomic::AtomicBool};

use crate::common::board;
use alinea_solver::{Solver, Value, plies_left};
use rules::{Column, ConnectFour, Geometry, Outcome, Position, Small};

#[test]
fn solved_values() {
    use Value::{Draw, Loss};
    let mut solver = Solver::default();
    let stop = AtomicBool::new(false);
    for (cols, rows, value) in [
        (4, 4, Draw),
        (5, 4, Draw),
        (4, 5, Draw),
        (5, 5, Draw),
        (6, 4, Loss),
        (6, 5, Draw),
        (4, 6, Draw),
        (5, 6, Draw),
        (7, 4, Draw),
        (8, 4, Loss),
    ] {
        assert_eq!(solver.value(&board(cols, rows), &stop), Ok(value), "{cols} columns, {rows} rows");
    }
}

/// Boards without room for a four, or for only one kind of it, down to a single cell.
#[test]
fn boards_at_the_edge() {
    let mut solver = Solver::default();
    let stop = AtomicBool::new(false);
    for (cols, rows) in [(1, 1), (1, 63), (3, 3), (2, 6), (9, 1), (5, 2)] {
        let value = solver.value(&board(cols, rows), &stop);
        assert_eq!(value, Ok(Value::Draw), "{cols} columns, {rows} rows");
    }
}

/// Plain minimax by the definition of a score.
struct Reference(HashMap<ConnectFour<Small>, i32>);

impl Reference {
    fn score(&mut self, position: &ConnectFour<Small>) -> i32 {
        if let Some(&score) = self.0.get(position) {
            return score;
        }
        let cells = i32::from(position.geometry().cells());
        let score = match position.outcome() {
            Some(Outcome::Draw) => 0,
            // The stones that the winner would still have on a full board, and the last.
            Some(Outcome::Win(_)) => -((cells - i32::from(position.ply())) / 2 + 1),
            None => position.legal_moves().map(|column| -self.score(&position.after(column))).max().unwrap(),
        };
        self.0.insert(position.clone(), score);
        score
    }
}

fn agree(solver: &mut Solver, reference: &mut Reference, position: &ConnectFour<Small>) {
    let stop = AtomicBool::new(false);
    let score = reference.score(position);
    assert_eq!(solver.score(position, &stop), Ok(score), "{position:?}");
    let value = match score {
        ..0 => Value::Loss,
        0 => Value::Draw,
        1.. => Value::Win,
    };
    assert_eq!(solver.value(position, &stop), Ok(value), "{position:?}");
    let best = solver.best(position, &stop).unwrap();
    let is_best = |column: &Column| -reference.score(&position.after(*column)) == score;
    assert!(best.best().eq(position.legal_moves().filter(is_best)), "{position:?}");
}

#[test]
fn every_position_of_four_by_four() {
    let mut reference = Reference(HashMap::new());
    reference.score(&board(4, 4));
    let positions: Vec<_> = reference.0.keys().cloned().collect();
    assert!(positions.len() > 100_000, "{} positions", positions.len());
    let mut solver = Solver::new(1 << 20);
    for position in &positions {
        agree(&mut solver, &mut reference, position);
    }
}

#[test]
fn samples_of_larger_boards() {
    let mut rng = fastrand::Rng::with_seed(7);
    for (cols, rows) in [
        (5, 4),
        (4, 5),
        (2, 9),
        (3, 6),
        (7, 3),
        (9, 2),
        (6, 4),
        (5, 5),
        (7, 5),
        (8, 6),
        (8, 7),
        (9, 6),
        (12, 4),
        (18, 2),
        (32, 1),
    ] {
        let mut solver = Solver::new(1 << 20);
        let mut reference = Reference(HashMap::new());
        for _ in 0..60 {
            // Late enough for the reference to be fast.
            let mut position = board(cols, rows);
            let cells = position.geometry().cells();
            let rest = if cols > 12 { 8 } else { 11 };
            while position.outcome().is_none() && position.ply() + rest < cells {
                let moves: Vec<_> = position.legal_moves().collect();
                // The game ended before the ply of the sample: retry.
                let next = position.after(moves[rng.usize(..moves.len())]);
                position = if next.outcome().is_some() && rng.u8(..8) > 0 { board(cols, rows) } else { next };
            }
            agree(&mut solver, &mut reference, &position);
        }
    }
}

#[test]
fn moves_and_line_fit_the_score() {
    let mut rng = fastrand::Rng::with_seed(11);
    let stop = AtomicBool::new(false);
    let mut solver = Solver::new(1 << 20);
    let mut reference = Reference(HashMap::new());
    for _ in 0..200 {
        let mut position = board(5, 4);
        for _ in 0..rng.u32(4..16) {
            let moves: Vec<_> = position.legal_moves().collect();
            if let Some(&column) = moves.get(rng.usize(..moves.len().max(1))) {
                position.play_unchecked(column);
            }
        }
        let score = reference.score(&position);
        let analysis = solver.analyse(&position, &stop).unwrap();
        assert_eq!(analysis.bounds.exact(), Some(score));
        assert!(!analysis.stopped);
        let moves: Vec<_> = position.legal_moves().collect();
        assert_eq!(analysis.moves.iter().map(|&(column, _)| column).collect::<Vec<_>>(), moves);
        for &(column, bounds) in &analysis.moves {
            assert_eq!(bounds.exact(), Some(-reference.score(&position.after(column))), "{column}");
        }

        let line = solver.line(&position, &stop).unwrap();
        assert_eq!(line.len(), usize::from(plies_left(&position, score)));
        let mut sign = 1;
        for &column in &line {
            position.play(column).unwrap();
            sign = -sign;
            assert_eq!(reference.score(&position), sign * score);
        }
        assert!(position.outcome().is_some());
    }
}
