//! `solve`, `assess`, `review` and `skills`.

use std::{sync::Arc, time::Duration};

use players::{Stop, system};
use pyo3::prelude::*;
use rules::{AnyGame, Side};
use solver::{Book, Solver, Unsolvable};
use study::{
    assessment::{self, Limits},
    review,
    skills::{self, Observed},
};

use crate::{
    game::{Game, read_side},
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

/// What the games of one player say: the chances of each game, and the profile.
#[pyfunction]
#[pyo3(name = "skills")]
pub(crate) fn skills_of<'py>(
    py: Python<'py>,
    games: Vec<(PyRef<'py, Game>, String, u64)>,
    now: u64,
    threads: usize,
    seconds: Option<f64>,
    nodes: Option<u64>,
    depth: Option<u32>,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let limits = limits(1, threads, seconds, nodes, depth)?;
    let read = |(game, side, at): (PyRef<Game>, String, u64)| Ok((game.0.clone(), read_side(&side)?, at));
    let games = games.into_iter().map(read).collect::<PyResult<Vec<_>>>()?;
    let Some(spec) = games.first().map(|(game, ..)| game.spec()) else {
        return Err(value_error("there are no games"));
    };
    if let Some((other, ..)) = games.iter().find(|(game, ..)| game.spec() != spec) {
        return Err(value_error(format!("all games must be of one kind, not {spec} and {}", other.spec())));
    }
    let stop = Stop::default();
    let observed = interruptible(py, &stop, || {
        let observe = |(number, (game, side, at)): (u32, (AnyGame, Side, u64))| {
            let review = review::review_side(&game, side, &limits, &system::resources(0), &stop);
            let chances = skills::chances(&game, side, &review);
            Observed { id: number.to_string(), game: spec.to_string(), at, chances }
        };
        (1..).zip(games).take_while(|_| !stop.is_cancelled()).map(observe).collect::<Vec<_>>()
    })?;
    Ok((to_python(py, &observed)?, to_python(py, &skills::profile(spec, &observed, now))?))
}
