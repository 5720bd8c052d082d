//! What a position is worth and which moves are best, deeper and deeper: for screens that show it as it
//! comes.

use std::time::{Duration, Instant};

use rules::{AnyGame, Game, Spec, TicTacToe, with_game};
use serde::Serialize;
use solver::{Book, Solver};

use crate::{
    Proof, Proven, Stop, Term,
    engine::{self, Engine, Found, Judge, Judged, MAX_DEPTH, MAX_THREADS, Question, Settings, value_of},
    perfect, within,
};

/// How much to tell and when to end; without limits an analysis goes on until it is stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// How many of the best moves to tell.
    pub lines: usize,
    /// With how many threads to search.
    pub threads: usize,
    /// For how long.
    pub time: Option<Duration>,
    /// How many positions to look at.
    pub nodes: Option<u64>,
    /// How many moves ahead.
    pub depth: Option<u32>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { lines: 1, threads: 1, time: None, nodes: None, depth: None }
    }
}

impl Limits {
    fn settings(&self) -> Settings {
        Settings {
            time: self.time,
            depth: self.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH),
            nodes: self.nodes,
            threads: self.threads.clamp(1, MAX_THREADS),
        }
    }
}

/// A move and what should follow.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Line {
    /// What it is worth for the side to move; proven results are beyond all others.
    pub score: i64,
    /// How likely the side to move wins, from −1 to 1.
    pub chance: f64,
    /// The result, if it is proved.
    pub proven: Option<Proven>,
    /// The expected course of the game, beginning with the move itself.
    pub moves: Vec<String>,
}

impl Line {
    fn new(game: Spec, value: i32, proven: Option<Proven>, moves: Vec<String>) -> Self {
        let chance = match proven.map(|proven| proven.result) {
            Some(Proof::Win) => 1.0,
            Some(Proof::Draw) => 0.0,
            Some(Proof::Loss) => -1.0,
            None => win_chance(game, value.into()),
        };
        Self { score: value.into(), chance, proven, moves }
    }
}

/// What is known about a position.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Info {
    /// How many moves ahead was looked.
    pub depth: u32,
    /// How many positions were looked at.
    pub nodes: u64,
    /// How long it took, in milliseconds.
    pub time_ms: u64,
    /// The best moves, the very best first; none if the game is over or there was no time at all.
    pub lines: Vec<Line>,
}

impl Info {
    /// How many positions were looked at in a second.
    #[must_use]
    pub fn nodes_per_second(&self) -> u64 {
        self.nodes * 1000 / self.time_ms.max(1)
    }
}

/// How likely the side to move wins, from −1 (it loses) to 1 (it wins), by what the engine's score of a
/// game has meant in its own games.
#[must_use]
pub fn win_chance(game: Spec, score: i64) -> f64 {
    let steepness = match game {
        Spec::TicTacToe => 0.01,
        Spec::ConnectFour(_) => 0.01,
        Spec::Simplexity { .. } => 0.01,
        Spec::ChessFive => 0.01,
    };
    2.0 / (1.0 + (-steepness * score as f64).exp()) - 1.0
}

/// Looks deeper and deeper, tells what each depth found, and answers with the last of it.
pub fn analyse(game: &AnyGame, limits: &Limits, stop: &Stop, on_info: &mut dyn FnMut(&Info)) -> Info {
    Analyst::new(game.spec()).analyse(game, limits, stop, on_info)
}

/// What the engine's evaluation of a position without end is made of, for the side to move. How much of
/// each thing there is does not depend on the weights, so these can be fitted to games.
#[must_use]
pub fn terms(game: &AnyGame) -> Vec<Term> {
    fn terms<P: Judged>(position: &P) -> Vec<Term> {
        position.judge().terms(position)
    }
    with_game!(&game, game => terms(game.position()))
}

/// Remembers from one position of a game to the next.
pub(crate) struct Analyst {
    spec: Spec,
    engine: Option<Engine>,
    solver: Option<Solver>,
}

/// How long a proof may take before the search begins.
const PROOF_TIME: Duration = Duration::from_millis(100);

impl Analyst {
    pub(crate) fn new(spec: Spec) -> Self {
        Self { spec, engine: None, solver: None }
    }

    pub(crate) fn analyse(
        &mut self,
        game: &AnyGame,
        limits: &Limits,
        stop: &Stop,
        on_info: &mut dyn FnMut(&Info),
    ) -> Info {
        let start = Instant::now();
        let mut last = Info::default();
        if game.outcome().is_some() || limits.lines == 0 {
            return last;
        }
        let mut tell = |depth: u32, nodes: u64, lines: Vec<Line>| {
            last = Info { depth, nodes, time_ms: start.elapsed().as_millis() as u64, lines };
            on_info(&last);
        };
        // Whoever counts depth or nodes wants a search.
        let wants_search = limits.depth.is_some() || limits.nodes.is_some();
        if !wants_search && let Some((nodes, lines)) = self.proof(game, limits, stop) {
            let plies = lines.iter().filter_map(|line| Some(line.proven?.plies)).max();
            tell(plies.unwrap_or(0), nodes, lines);
            return last;
        }
        let spent = start.elapsed();
        let settings =
            Settings { time: limits.time.map(|time| time.saturating_sub(spent)), ..limits.settings() };
        let engine = self.engine.get_or_insert_with(|| Engine::new(settings));
        let spec = self.spec;
        with_game!(&game, game => search(engine, &settings, game, limits.lines, stop, &mut |found| {
            let line = |line: &engine::Line<_>| Line::new(spec, line.value, line.proven(), texts(&line.moves));
            tell(found.depth, found.nodes, found.lines.iter().map(line).collect());
        }));
        last
    }

    /// All moves with their proven results, if that can be had soon.
    fn proof(&mut self, game: &AnyGame, limits: &Limits, stop: &Stop) -> Option<(u64, Vec<Line>)> {
        let mut moves: Vec<(Proven, Vec<String>)> = Vec::new();
        let mut nodes = 0;
        if let Some(game) = game.typed::<TicTacToe>() {
            for (proven, line) in perfect::tic_tac_toe_lines(game.position(), &mut nodes) {
                moves.push((proven, texts(&line)));
            }
        } else {
            let position = solver::solvable(game)?;
            let solver = self.solver.get_or_insert_with(|| Solver::default().with_book(Book::embedded()));
            let time = limits.time.map_or(PROOF_TIME, |time| (time / 4).min(PROOF_TIME));
            let lines = within(time, Duration::MAX, stop, |stop| {
                perfect::connect_four_lines(solver, &position, limits.lines, stop.hurried(), &mut nodes)
            })?;
            moves.extend(lines.iter().map(|(proven, line)| (*proven, texts(line))));
        }
        moves.sort_by_key(|&(proven, _)| std::cmp::Reverse(value_of(proven)));
        moves.truncate(limits.lines);
        let line = |(proven, moves)| Line::new(self.spec, value_of(proven), Some(proven), moves);
        Some((nodes, moves.into_iter().map(line).collect()))
    }
}

fn search<P: Judged>(
    engine: &Engine,
    settings: &Settings,
    game: &Game<P>,
    lines: usize,
    stop: &Stop,
    on_depth: &mut dyn FnMut(&Found<P::Move>),
) {
    let question = match lines {
        1 => Question::Best,
        _ => Question::BestOf(game.legal_moves().collect(), lines),
    };
    engine.deepen(settings, game, &question, stop, on_depth);
}

fn texts<M: ToString>(moves: &[M]) -> Vec<String> {
    moves.iter().map(ToString::to_string).collect()
}
