//! Players: those of the roster by their names, and Python objects behind the same type.

use std::{collections::HashMap, sync::Arc};

use arena::{Contestant, Limits};
use parking_lot::Mutex;
use players::{NoMove, Program, Stop, Thought, roster};
use pyo3::{
    exceptions::{PyKeyboardInterrupt, PyTypeError},
    prelude::*,
    types::{PyBool, PyType},
};
use rules::{AnyGame, PlayError, Spec};

use crate::{
    game::{Game, move_text, whole},
    interrupt::interruptible,
    json::{to_python, value_error},
};

/// The time per move of an external engine, in milliseconds.
const MOVETIME: u64 = 1000;

/// A player of the roster or an external engine, by its name; it keeps what it has learnt from move to move.
#[pyclass(module = "alinea._native", frozen)]
pub(crate) struct Roster {
    contestant: Contestant,
    seed: u64,
    /// Programs, created on first use, one for each kind of game.
    programs: Arc<Mutex<HashMap<Spec, Program>>>,
}

#[pymethods]
impl Roster {
    #[new]
    fn new(name: &str, seed: i128) -> PyResult<Self> {
        let seed = whole("seed", seed, u64::MAX)?;
        let contestant = name.parse().map_err(value_error)?;
        Ok(Self { contestant, seed, programs: Arc::default() })
    }

    /// Raises if the game has no such player.
    fn check(&self, game: &Game) -> PyResult<()> {
        self.contestant.check(&game.0).map_err(value_error)
    }

    /// Chooses a move and explains it.
    fn choose<'py>(&self, py: Python<'py>, game: &Game) -> PyResult<Bound<'py, PyAny>> {
        let game = game.0.clone();
        if let Some(outcome) = game.outcome() {
            return Err(value_error(PlayError::GameOver(outcome)));
        }
        self.contestant.check(&game).map_err(value_error)?;
        let stop = Stop::default();
        let thought = interruptible(py, &stop, || {
            let mut programs = self.programs.lock();
            let program = match programs.entry(game.spec()) {
                std::collections::hash_map::Entry::Occupied(entry) => entry.into_mut(),
                std::collections::hash_map::Entry::Vacant(entry) => entry.insert(
                    self.contestant
                        .program(&game, &Limits::per_move(MOVETIME), self.seed)
                        .map_err(|error| error.to_string())?,
                ),
            };
            program.choose(&game, &stop).map_err(|error| error.to_string())
        })?;
        to_python(py, &thought.map_err(value_error)?)
    }
}

/// The players of a game as they may be written.
#[pyfunction]
pub(crate) fn players_of(game: &Game) -> Vec<String> {
    roster::players(&game.0).iter().map(ToString::to_string).collect()
}

/// The first exception of the Python players of a match.
#[derive(Clone, Default)]
pub(crate) struct Raised(Arc<Mutex<Option<PyErr>>>);

impl Raised {
    pub(crate) fn take(&self) -> Option<PyErr> {
        self.0.lock().take()
    }

    fn set(&self, error: PyErr) {
        self.0.lock().get_or_insert(error);
    }
}

/// A Python object as a program. A class is instantiated for the game. An exception cancels `stop`.
pub(crate) fn program(player: &Py<PyAny>, raised: &Raised, stop: &Stop) -> Program {
    let made = Python::attach(|py| {
        let player = player.bind(py);
        if player.is_instance_of::<PyType>() {
            player.call0().map(Bound::unbind)
        } else {
            Ok(player.clone().unbind())
        }
    });
    let (raised, stop) = (raised.clone(), stop.clone());
    Program::from_fn(move |game, _| {
        let answer = Python::attach(|py| match &made {
            Ok(player) => ask(py, player.bind(py), game),
            Err(error) => Err(error.clone_ref(py)),
        });
        answer.map_err(|error| {
            let interrupted = Python::attach(|py| error.is_instance_of::<PyKeyboardInterrupt>(py));
            let text = error.to_string();
            raised.set(error);
            stop.cancel();
            if interrupted { NoMove::Stopped } else { NoMove::Failed(text) }
        })
    })
}

/// Asks a Python object for a move: text, the number of an action, or anything with an attribute `move`.
fn ask(py: Python, player: &Bound<PyAny>, game: &AnyGame) -> PyResult<Thought<String>> {
    let answer = player.call1((Py::new(py, Game(game.clone()))?,))?;
    let text = move_of(&answer, game)?;
    let mut after = game.clone();
    after.play(&text).map_err(value_error)?;
    Ok(Thought {
        candidates: vec![text.clone()],
        line: vec![text.clone()],
        chosen: text,
        score: None,
        reasons: Vec::new(),
        nodes: 0,
        depth: None,
    })
}

fn move_of(answer: &Bound<PyAny>, game: &AnyGame) -> PyResult<String> {
    if let Ok(text) = answer.extract::<String>() {
        return Ok(text);
    }
    if !answer.is_instance_of::<PyBool>()
        && let Ok(action) = answer.extract::<i64>()
    {
        return move_text(game, action);
    }
    if let Ok(m) = answer.getattr("move")
        && let Ok(text) = m.extract::<String>()
    {
        return Ok(text);
    }
    Err(PyTypeError::new_err(format!(
        "a player answers with a move, an action or a Thought, not with {}",
        answer.get_type().name()?
    )))
}
