//! `Batch`: thousands of games of one kind behind NumPy arrays. Results go into arrays that are allocated once.

use std::{num::NonZero, thread};

use numpy::{PyArray1, PyArray2, PyArray4, PyArrayMethods, PyReadonlyArray1, PyUntypedArrayMethods};
use parking_lot::Mutex;
use players::{Proof, Stop, perfect::Prover};
use pyo3::{
    exceptions::{PyIndexError, PyTypeError, PyValueError},
    prelude::*,
};
use rules::{AnyGame, Board, Opening, Spec, with_game};

use crate::{
    game::{Game, whole},
    interrupt::interruptible,
    json::value_error,
    lanes::{Arrays, Games, Sampled, side_by_side, typed},
};

/// Thousands of games of one kind, played together.
///
/// >>> import numpy as np
/// >>> batch = Batch("connect-four", 1000)
/// >>> while not batch.done.all():
/// ...     rewards, done = batch.step(batch.random_actions())
/// >>> batch.outcome.min(), batch.outcome.max()
/// (np.int8(-1), np.int8(1))
///
/// `game` is a spec or a `Game`, whose position and history every game then starts from. Arrays are written in
/// place: `step`, `legal` and `observe` return the same array each time, so copy what you keep. The work is shared
/// among `threads` (by default all cores), without the interpreter's lock; results do not depend on their number.
#[pyclass(module = "alinea", name = "Batch")]
pub(crate) struct Batch {
    games: Box<dyn Games>,
    start: AnyGame,
    threads: usize,
    rewards: Py<PyArray1<f32>>,
    done: Py<PyArray1<bool>>,
    turn: Py<PyArray1<i8>>,
    outcome: Py<PyArray1<i8>>,
    legal: Option<Py<PyArray2<bool>>>,
    observations: Option<Py<PyArray4<f32>>>,
}

/// The result of methods that fill two arrays.
type TwoArrays<'py, A, B> = PyResult<(Bound<'py, A>, Bound<'py, B>)>;

/// The most games of a batch.
const MOST: usize = 1 << 24;

impl Batch {
    fn len(&self, py: Python) -> usize {
        self.done.bind(py).len()
    }

    /// Runs work that writes the results of games into the arrays.
    fn write(&mut self, py: Python, work: impl FnOnce(&mut dyn Games, Arrays) + Send) -> PyResult<()> {
        let games = &mut *self.games;
        let mut rewards = self.rewards.bind(py).try_readwrite()?;
        let mut done = self.done.bind(py).try_readwrite()?;
        let mut turn = self.turn.bind(py).try_readwrite()?;
        let mut outcome = self.outcome.bind(py).try_readwrite()?;
        let arrays = Arrays {
            rewards: rewards.as_slice_mut()?,
            turn: turn.as_slice_mut()?,
            outcome: outcome.as_slice_mut()?,
            done: done.as_slice_mut()?,
        };
        py.detach(|| work(games, arrays));
        Ok(())
    }

    fn any_game(&self, index: usize) -> AnyGame {
        let mut game = self.start.clone();
        with_game!(&mut game, game => {
            for &number in self.games.history(index) {
                let m = game.position().numbered_move(number.into());
                game.play(m).expect("it was played in the batch");
            }
        });
        game
    }
}

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(signature = (game, n, seed=0, threads=None))]
    fn new(py: Python, game: &Bound<PyAny>, n: i128, seed: i128, threads: Option<i128>) -> PyResult<Self> {
        let n = usize::try_from(n).ok().filter(|n| (1..=MOST).contains(n)).ok_or_else(|| {
            PyValueError::new_err(format!("a batch cannot have {n} games; expected 1 to {MOST}"))
        })?;
        let seed = whole("seed", seed, u64::MAX)?;
        let threads = threads.map(|threads| whole("threads", threads, usize::MAX)).transpose()?;
        let start = match game.cast::<Game>() {
            Ok(game) => game.borrow().0.clone(),
            Err(_) => game.extract::<String>()?.parse::<Spec>().map_err(value_error)?.into(),
        };
        if start.spec().opening() != Opening::Free {
            let plain = start.spec().with_opening(Opening::Free).map_err(value_error)?;
            let given = start.spec();
            return Err(PyValueError::new_err(format!(
                "a batch plays without openings; expected {plain}, not {given}"
            )));
        }
        let usual = AnyGame::from(start.spec());
        let games = with_game!(&start, game => typed(game, &usual, n, seed));
        let mut batch = Self {
            games,
            start,
            threads: threads.unwrap_or_else(crate::cores).max(1),
            rewards: PyArray1::zeros(py, n, false).unbind(),
            done: PyArray1::zeros(py, n, false).unbind(),
            turn: PyArray1::zeros(py, n, false).unbind(),
            outcome: PyArray1::zeros(py, n, false).unbind(),
            legal: None,
            observations: None,
        };
        batch.write(py, |games, mut out| games.stepped(&mut out))?;
        Ok(batch)
    }

    fn __len__(&self, py: Python) -> usize {
        self.len(py)
    }

    /// The game with all its options.
    #[getter]
    fn spec(&self) -> String {
        self.start.spec().to_string()
    }

    /// The number of actions.
    #[getter]
    fn action_count(&self) -> usize {
        self.games.actions()
    }

    /// The shape of one observation: planes, rows, columns.
    #[getter]
    fn observation_shape(&self) -> (usize, usize, usize) {
        let [planes, rows, cols] = self.games.layout().shape();
        (planes, rows, cols)
    }

    /// Plays one action in every game that is not over; actions for finished games are ignored. Returns the
    /// rewards of the sides that moved (1, 0, −1) and which games are over. If an action is not legal, no game
    /// changes.
    ///
    /// >>> import numpy as np
    /// >>> batch = Batch("connect-four", 2)
    /// >>> rewards, done = batch.step(np.array([3, 3]))
    /// >>> batch.step(np.array([3, 7]))
    /// Traceback (most recent call last):
    /// ValueError: game 1: 7 is not an action; expected 0 to 6
    #[pyo3(signature = (actions, /))]
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        actions: &Bound<'py, PyAny>,
    ) -> TwoArrays<'py, PyArray1<f32>, PyArray1<bool>> {
        let actions = whole_numbers(actions)?;
        let actions = actions.as_slice()?;
        let n = self.len(py);
        if actions.len() != n {
            return Err(PyValueError::new_err(format!("there are {} actions for {n} games", actions.len())));
        }
        let (games, threads) = (&*self.games, self.threads);
        py.detach(|| games.check(actions))
            .map_err(|(game, error)| PyValueError::new_err(format!("game {game}: {error}")))?;
        self.write(py, |games, out| games.step(actions, out, threads))?;
        Ok((self.rewards.bind(py).clone(), self.done.bind(py).clone()))
    }

    /// Which actions are legal in each game: an array of truth values, games × actions.
    fn legal<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<bool>>> {
        let shape = [self.len(py), self.games.actions()];
        let array =
            self.legal.get_or_insert_with(|| PyArray2::zeros(py, shape, false).unbind()).bind(py).clone();
        {
            let mut write = array.try_readwrite()?;
            let (games, threads, out) = (&*self.games, self.threads, write.as_slice_mut()?);
            py.detach(|| games.legal(out, threads));
        }
        Ok(array)
    }

    /// The observation of each game by the side to move: games × planes × rows × columns.
    fn observe<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray4<f32>>> {
        let [planes, rows, cols] = self.games.layout().shape();
        let shape = [self.len(py), planes, rows, cols];
        let new = || PyArray4::zeros(py, shape, false).unbind();
        let array = self.observations.get_or_insert_with(new).bind(py).clone();
        {
            let mut write = array.try_readwrite()?;
            let (games, threads, out) = (&*self.games, self.threads, write.as_slice_mut()?);
            py.detach(|| games.observe(out, threads));
        }
        Ok(array)
    }

    /// A uniformly random legal action of each game; 0 where it is over.
    fn random_actions<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let array = PyArray1::zeros(py, self.len(py), false);
        {
            let mut write = array.try_readwrite()?;
            let (games, threads, out) = (&mut *self.games, self.threads, write.as_slice_mut()?);
            py.detach(|| games.random_actions(out, threads));
        }
        Ok(array)
    }

    /// Plays random moves in every game until it is over, and returns `outcome`.
    fn playout<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let threads = self.threads;
        self.write(py, |games, out| games.playout(out, threads))?;
        Ok(self.outcome.bind(py).clone())
    }

    /// Continues every game with random moves to a random moment, after `least` to `most` plies and before its
    /// end. Returns the action that followed, and how the game ended for the side to move at that moment.
    ///
    /// >>> batch = Batch("connect-four", 100)
    /// >>> actions, values = batch.sample(8, 12)
    /// >>> all(8 <= game.ply <= 12 for game in batch)
    /// True
    #[pyo3(signature = (least=0, most=i128::from(u16::MAX)), text_signature = "($self, least=0, most=65535)")]
    fn sample<'py>(
        &mut self,
        py: Python<'py>,
        least: i128,
        most: i128,
    ) -> TwoArrays<'py, PyArray1<i64>, PyArray1<i8>> {
        let (least, most) = (whole("least", least, u16::MAX)?, whole("most", most, u16::MAX)?);
        let mut sampled = vec![Sampled::default(); self.len(py)];
        let (to, threads) = (&mut sampled, self.threads);
        self.write(py, move |games, mut out| {
            games.sample([least, most], to, threads);
            to.iter().enumerate().for_each(|(game, sampled)| out.set(game, sampled.stepped));
        })?;
        let actions = sampled.iter().map(|sampled| sampled.action.map(i64::from)).collect::<Option<Vec<_>>>();
        let actions = actions.ok_or_else(|| {
            PyValueError::new_err(format!("no random game of {} lasted {least} to {most} plies", self.spec()))
        })?;
        let values = sampled.iter().map(|sampled| sampled.value).collect();
        Ok((PyArray1::from_vec(py, actions), PyArray1::from_vec(py, values)))
    }

    /// The number of moves from the start of each game.
    #[getter]
    fn ply<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i16>> {
        let before = self.start.ply();
        let plies =
            (0..self.len(py)).map(|game| (usize::from(before) + self.games.history(game).len()) as i16);
        PyArray1::from_vec(py, plies.collect())
    }

    /// Restarts the games that are over; returns how many.
    ///
    /// >>> batch = Batch("tic-tac-toe", 10)
    /// >>> _ = batch.playout()
    /// >>> batch.reset_done()
    /// 10
    fn reset_done(&mut self, py: Python) -> PyResult<usize> {
        let over = self.done.bind(py).try_readonly()?.as_slice()?.to_vec();
        self.restart(py, &|game| over[game])
    }

    /// Restarts all games.
    fn reset(&mut self, py: Python) -> PyResult<()> {
        self.restart(py, &|_| true).map(drop)
    }

    /// Who is to move in each game: 0 for the first side, 1 for the second.
    #[getter]
    fn turn<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        self.turn.bind(py).clone()
    }

    /// Which games are over.
    #[getter]
    fn done<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        self.done.bind(py).clone()
    }

    /// The results: 1 if the first side has won, −1 if the second side has won, 0 for draws and unfinished
    /// games.
    #[getter]
    fn outcome<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        self.outcome.bind(py).clone()
    }

    /// One of the games, with its history.
    ///
    /// >>> batch = Batch("connect-four", 3)
    /// >>> _ = batch.step([3, 4, 5])
    /// >>> batch[1].moves
    /// ['5']
    fn __getitem__(&self, py: Python, index: isize) -> PyResult<Game> {
        let n = self.len(py);
        let index = if index < 0 { index + n as isize } else { index };
        let index = usize::try_from(index).ok().filter(|&index| index < n);
        let index = index.ok_or_else(|| PyIndexError::new_err(format!("there are only {n} games")))?;
        Ok(Game(self.any_game(index)))
    }

    /// The exact results of all moves, where they can be proved: −1, 0 or 1 for the side that plays the move, −2
    /// where a move is not legal; and the number of plies until the end with best play. Games × actions each.
    ///
    /// >>> batch = Batch(Game("tic-tac-toe", "a1 b2 a2"), 1)
    /// >>> results, plies = batch.prove()
    /// >>> results.reshape(3, 3).tolist()      # only a3 does not lose
    /// [[0, -1, -1], [-2, -2, -1], [-2, -1, -1]]
    fn prove<'py>(&self, py: Python<'py>) -> TwoArrays<'py, PyArray2<i8>, PyArray2<i16>> {
        let (n, count) = (self.len(py), self.games.actions());
        let jobs: Vec<AnyGame> = (0..n).map(|i| self.any_game(i)).collect();
        let (results, plies) =
            (PyArray2::zeros(py, [n, count], false), PyArray2::zeros(py, [n, count], false));
        let (mut to_results, mut to_plies) = (results.try_readwrite()?, plies.try_readwrite()?);
        let (to_results, to_plies) = (to_results.as_slice_mut()?, to_plies.as_slice_mut()?);
        let queue = Mutex::new(jobs.iter().zip(to_results.chunks_mut(count)).zip(to_plies.chunks_mut(count)));
        let (stop, failed, threads) = (Stop::default(), Mutex::new(false), self.threads.min(n));
        interruptible(py, &stop, || {
            let (queue, stop, failed) = (&queue, &stop, &failed);
            side_by_side((0..threads).map(|_| {
                move || {
                    let mut prover = Prover::default();
                    loop {
                        let job = queue.lock().next();
                        let Some(((game, results), plies)) = job else { return };
                        if stop.is_cancelled() || *failed.lock() {
                            return;
                        }
                        if !prove(&mut prover, game, results, plies, stop) {
                            *failed.lock() = true;
                        }
                    }
                }
            }));
        })?;
        if failed.into_inner() {
            let message = format!("the results of {} cannot be proved", self.start.spec());
            return Err(PyValueError::new_err(message));
        }
        Ok((results, plies))
    }
}

impl Batch {
    fn restart(&mut self, py: Python, which: &(dyn Fn(usize) -> bool + Sync)) -> PyResult<usize> {
        let mut count = 0;
        let counted = &mut count;
        self.write(py, move |games, mut out| {
            games.stepped(&mut out);
            *counted = games.reset(&which, &mut out);
        })?;
        Ok(count)
    }
}

/// Writes the results of all moves of a game; false if they cannot be proved.
fn prove(prover: &mut Prover, game: &AnyGame, results: &mut [i8], plies: &mut [i16], stop: &Stop) -> bool {
    results.fill(-2);
    if game.outcome().is_some() {
        return true;
    }
    let Some(proofs) = prover.prove(game, &|| stop.is_cancelled()) else { return false };
    for proved in &proofs.moves {
        let Some(exact) = proved.exact() else { continue };
        let number = with_game!(&game, game => {
            game.position().move_number(proved.text.parse().expect("a move of the game"))
        });
        results[number] = match exact.result {
            Proof::Win => 1,
            Proof::Draw => 0,
            Proof::Loss => -1,
        };
        plies[number] = exact.plies as i16;
    }
    true
}

/// An array of whole numbers for the steps: the array itself if it has 64 bits and is contiguous, otherwise a
/// copy.
fn whole_numbers<'py>(actions: &Bound<'py, PyAny>) -> PyResult<PyReadonlyArray1<'py, i64>> {
    if let Ok(array) = actions.cast::<PyArray1<i64>>()
        && array.is_contiguous()
    {
        return Ok(array.try_readonly()?);
    }
    let numpy = actions.py().import("numpy")?;
    let array = numpy.call_method1("asarray", (actions,))?;
    let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
    if !matches!(kind.as_str(), "i" | "u") {
        return Err(PyTypeError::new_err("actions must be whole numbers"));
    }
    let array = numpy.call_method1("ascontiguousarray", (array, "int64"))?;
    let array = array
        .cast_into::<PyArray1<i64>>()
        .map_err(|_| PyValueError::new_err("there must be one action per game"))?;
    Ok(array.try_readonly()?)
}

/// The number of cores.
pub(crate) fn cores() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}
