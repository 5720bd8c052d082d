//! `solve`, `assess` and `review`.

use std::{sync::Arc, time::Duration};

use players::{Stop, system};
use pyo3::prelude::*;
use rules::Column;
use serde::Serialize;
use solver::{Book, Solver, Unsolvable};
use study::{
    assessment::{self, Limits},
    review,
};

use crate::{
    game::Game,
    interrupt::interruptible,
    json::{to_python, value_error},
};

/// What `alinea.solve` returns.
#[derive(Serialize)]
struct Solved {
    score: i32,
    best: Vec<String>,
    scores: Vec<(String, Option<i32>)>,
    line: Vec<String>,
    reasons: Vec<solver::Reason>,
    nodes: u64,
}

/// The exact score of a position and of each move.
#[pyfunction]
pub(crate) fn solve<'py>(
    py: Python<'py>,
    game: &Game,
    threads: usize,
    memory_mb: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let position = solver::solvable(&game.0).ok_or_else(|| value_error(Unsolvable(game.0.spec())))?;
    let stop = Stop::default();
    let solved = interruptible(py, &stop, || -> Result<Solved, solver::SolveError> {
        let is_due = || stop.is_cancelled();
        let mut solver = Solver::new(memory_mb << 20)
            .with_book(Book::embedded())
            .with_threads(threads, Arc::new(system::SystemThreads));
        let analysis = solver.analyse(&position, &is_due)?;
        let mut nodes = solver.nodes();
        let line = solver.line_up_to(&position, usize::MAX, &is_due)?;
        nodes += solver.nodes();
        Ok(Solved {
            score: analysis.bounds.lower,
            best: analysis.best().map(|column| column.to_string()).collect(),
            scores: analysis
                .moves
                .iter()
                .map(|(column, bounds)| (column.to_string(), bounds.exact()))
                .collect(),
            reasons: solver::reasons(&position, &line),
            line: line.iter().map(Column::to_string).collect(),
            nodes,
        })
    })?;
    to_python(py, &solved.map_err(value_error)?)
}

fn limits(
    lines: usize,
    threads: usize,
    seconds: Option<f64>,
    nodes: Option<u64>,
    depth: Option<u32>,
) -> PyResult<Limits> {
    let time = seconds.map(Duration::try_from_secs_f64).transpose();
    let time = time.map_err(|_| value_error("a time is a number of seconds, not negative"))?;
    Ok(Limits { lines, threads, time, nodes, depth })
}

/// What is known about a position, and why its best move is best.
#[pyfunction]
pub(crate) fn assess<'py>(
    py: Python<'py>,
    game: &Game,
    lines: usize,
    threads: usize,
    seconds: Option<f64>,
    nodes: Option<u64>,
    depth: Option<u32>,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let limits = limits(lines, threads, seconds, nodes, depth)?;
    let (game, stop) = (game.0.clone(), Stop::default());
    let assessment = interruptible(py, &stop, || {
        assessment::assess(&game, &limits, &system::resources(0), &stop, &mut |_| {})
    })?;
    Ok((to_python(py, &assessment)?, to_python(py, &assessment.reasons(&game))?))
}

/// Every move of a game compared with the best one.
#[pyfunction]
#[pyo3(name = "review")]
pub(crate) fn review_game<'py>(
    py: Python<'py>,
    game: &Game,
    threads: usize,
    seconds: Option<f64>,
    nodes: Option<u64>,
    depth: Option<u32>,
) -> PyResult<Bound<'py, PyAny>> {
    let limits = limits(1, threads, seconds, nodes, depth)?;
    let (game, stop) = (game.0.clone(), Stop::default());
    let moves = interruptible(py, &stop, || {
        review::review(&game, &limits, &system::resources(0), &stop, &mut |_| {})
    })?;
    to_python(py, &moves)
}
