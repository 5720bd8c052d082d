//! `match`: two players play each opening twice with sides exchanged, until the end or a verdict.
//! `serve_ugi`: a Python object as an engine for other tools.

use std::{
    path::Path,
    sync::mpsc::{self, RecvTimeoutError},
    thread,
};

use arena::{
    Contestant, EngineHost, Limits, Record, Settings, Tournament,
    elo::{Elo, Pairs},
    run::{self, End},
    sprt::{Model, Sprt, Verdict},
};
use parking_lot::Mutex;
use players::{Program, Stop};
use pyo3::prelude::*;
use rules::Spec;
use serde::Serialize;

use crate::{
    host::{self, Raised},
    interrupt::{POLL_INTERVAL, interruptible},
    json::{to_python, value_error},
};

/// The result of a match for its first player.
#[derive(Serialize)]
struct Score {
    players: Vec<String>,
    wins: usize,
    draws: usize,
    losses: usize,
    pairs: Pairs,
    elo: Option<Elo>,
    llr: Option<f64>,
    bounds: Option<[f64; 2]>,
    verdict: Option<Verdict>,
    games: Vec<Record>,
}

/// How a match is played.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Options {
    game: String,
    names: [String; 2],
    pairs: usize,
    openings: Option<String>,
    seed: u64,
    concurrency: usize,
    movetime_ms: Option<u64>,
    sprt: Option<(f64, f64)>,
    alpha: f64,
    beta: f64,
    sprt_model: String,
}

/// Plays a match; a player is a text or a Python object. Raises what a Python object raises.
#[pyfunction]
pub(crate) fn run_match<'py>(
    py: Python<'py>,
    players: [Py<PyAny>; 2],
    options: Options,
) -> PyResult<Bound<'py, PyAny>> {
    let (stop, raised) = (Stop::default(), Raised::default());
    let contestant = |player: &Py<PyAny>, name: &str| -> PyResult<Contestant> {
        if let Ok(text) = player.extract::<String>(py) {
            return text.parse().map_err(value_error);
        }
        let (player, raised, stop) = (player.clone_ref(py), raised.clone(), stop.clone());
        Contestant::hosted(name, move |_, _| host::program(&player, &raised, &stop)).map_err(value_error)
    };
    let [first, second] = &players;
    let contestants = [contestant(first, &options.names[0])?, contestant(second, &options.names[1])?];
    let mut settings = Settings::of_match(&options.game, contestants);
    settings.pairs = options.pairs;
    settings.openings = options.openings;
    settings.seed = options.seed;
    settings.concurrency = options.concurrency;
    settings.limits = Limits { movetime_ms: options.movetime_ms, ..Limits::default() };
    let (alpha, beta, model) =
        (options.alpha, options.beta, options.sprt_model.parse::<Model>().map_err(value_error)?);
    settings.sprt = options.sprt.map(|(elo0, elo1)| Sprt { elo0, elo1, alpha, beta, model });
    let tournament = Tournament::new(settings, Path::new("")).map_err(value_error)?;
    let played = interruptible(py, &stop, || run::run(&tournament, None, Vec::new(), &stop, &mut |_| {}));
    if let Some(error) = raised.take() {
        return Err(error);
    }
    let (progress, end) = played?.map_err(value_error)?;
    let verdict = match end {
        End::NotStarted { player, reason } => {
            return Err(value_error(format!("{player} does not start: {reason}")));
        }
        End::Decided(verdict) => Some(verdict),
        _ => tournament.settings.sprt.map(|_| Verdict::Open),
    };
    to_python(py, &score(&tournament, progress.records, verdict))
}

fn score(tournament: &Tournament, games: Vec<Record>, verdict: Option<Verdict>) -> Score {
    let players: Vec<_> = tournament.settings.players.iter().map(|player| player.name.clone()).collect();
    let pairs = arena::evidence::pairs(&games, &players[0], &players[1]);
    let sprt = tournament.settings.sprt.as_ref();
    let half_points = |record: &Record| {
        let side = usize::from(record.players[0] != players[0]);
        record.half_points(rules::Side::BOTH[side])
    };
    let scored = |points: usize| games.iter().filter(|record| half_points(record) == points).count();
    Score {
        wins: scored(2),
        draws: scored(1),
        losses: scored(0),
        elo: pairs.elo(),
        llr: sprt.map(|sprt| sprt.llr(&pairs)),
        bounds: sprt.map(Sprt::bounds),
        verdict,
        pairs,
        players,
        games,
    }
}

/// A Python object as an engine.
struct PythonHost {
    player: Py<PyAny>,
    name: String,
    raised: Raised,
    stop: Stop,
}

impl EngineHost for PythonHost {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn program(&mut self, _spec: Spec, _seed: u64) -> Result<Program, String> {
        Ok(host::program(&self.player, &self.raised, &self.stop))
    }
}

/// Runs a Python object as a UGI engine on standard input and output until it is told to quit.
#[pyfunction]
pub(crate) fn serve_ugi(py: Python, player: Py<PyAny>, game: &str, name: String) -> PyResult<()> {
    let spec: Spec = game.parse().map_err(value_error)?;
    let (raised, stop) = (Raised::default(), Stop::default());
    let mut host = PythonHost { player, name, raised: raised.clone(), stop };
    // Not a scoped thread: after Ctrl-C it may block on input forever.
    let (done, is_done) = mpsc::channel();
    let is_done = Mutex::new(is_done);
    thread::spawn(move || done.send(arena::serve(spec, 0, &mut host)));
    loop {
        match py.detach(|| is_done.lock().recv_timeout(POLL_INTERVAL)) {
            Ok(served) => return raised.take().map_or(Ok(served?), Err),
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
        }
    }
}
