//! The native part of the Python package `alinea`: games, players, proofs and batches. Everything that needs
//! no speed is written in Python, in `package/alinea`.

mod batch;
mod contest;
mod game;
mod host;
mod interrupt;
mod json;
mod lanes;
mod observe;
mod playout;
mod study;

use batch::cores;
use game::whole;
use pyo3::prelude::*;
use rules::GAMES;

/// The seed of a part of some work, whichever thread does it.
fn seed(seed: u64, part: u64) -> u64 {
    fastrand::Rng::with_seed(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ part).u64(..)
}

/// The ids of all games.
#[pyfunction]
fn games() -> Vec<&'static str> {
    GAMES.iter().map(|info| info.id).collect()
}

/// Random games from a position: wins of the first side, draws, wins of the second.
#[pyfunction]
fn playouts(
    py: Python,
    game: &game::Game,
    n: i128,
    seed: i128,
    threads: Option<i128>,
) -> PyResult<(u64, u64, u64)> {
    let (n, seed) = (whole("n", n, u64::MAX)?, whole("seed", seed, u64::MAX)?);
    let threads = threads.map_or_else(|| Ok(cores()), |threads| whole("threads", threads, usize::MAX))?;
    let game = game.0.clone();
    let [first, draws, second] = py.detach(|| playout::count(&game, n, seed, threads));
    Ok((first, draws, second))
}

/// Games as text, as matches and tournaments write them: the game, the players, the result, the termination.
#[pyfunction]
fn read_games<'py>(py: Python<'py>, text: &str) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let read = rules::game_text::read(text).map_err(json::value_error)?;
    let one = |read: rules::game_text::Read| {
        let result = read.result.map(|result| result.to_string());
        let parts = (Py::new(py, game::Game(read.game))?, read.players, result, read.termination);
        Ok(parts.into_pyobject(py)?.into_any())
    };
    read.into_iter().map(one).collect()
}

#[pymodule]
fn _native(module: &Bound<PyModule>) -> PyResult<()> {
    module.add_class::<game::Game>()?;
    module.add_class::<batch::Batch>()?;
    module.add_class::<host::Roster>()?;
    module.add_function(wrap_pyfunction!(games, module)?)?;
    module.add_function(wrap_pyfunction!(playouts, module)?)?;
    module.add_function(wrap_pyfunction!(read_games, module)?)?;
    module.add_function(wrap_pyfunction!(host::players_of, module)?)?;
    module.add_function(wrap_pyfunction!(study::solve, module)?)?;
    module.add_function(wrap_pyfunction!(study::assess, module)?)?;
    module.add_function(wrap_pyfunction!(study::review_game, module)?)?;
    module.add_function(wrap_pyfunction!(study::skills_of, module)?)?;
    module.add_function(wrap_pyfunction!(contest::run_match, module)?)?;
    module.add_function(wrap_pyfunction!(contest::serve_ugi, module)?)
}
