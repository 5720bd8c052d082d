//! `solve`, `assess` and `review`.

use std::{sync::Arc, time::Duration};

use players::{Stop, system};
use pyo3::prelude::*;
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
    let solution = interruptible(py, &stop, || {
        Solver::new(memory_mb << 20)
            .with_book(Book::embedded())
            .with_threads(threads, Arc::new(system::SystemThreads))
            .solve(&position, Some(usize::MAX), &|| stop.is_cancelled())
    })?;
    to_python(py, &solution.map_err(value_error)?)
}

fn limits(
    lines: usize,
    threads: usize,
    seconds: Option<f64>,
    nodes: Option<u64>,
    depth: Option<u32>,
) -> PyResult<Limits> {
    let time = seconds.map(Duration::try_from_secs_f64).transpose();
    let time = time.map_err(|_| value_error("invalid time; expected a number of seconds, 0 or more"))?;
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
