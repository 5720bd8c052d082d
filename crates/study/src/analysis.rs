//! Analysis of a position by iterative deepening: scores and best lines, reported after each depth.

use std::{sync::Arc, time::Duration};

pub use players::engine::{read_time, terms};
use players::{
    Clock, Proof, Proven, Resources, Stop,
    engine::{self, Engine, Found, Question, Settings, value_of},
    perfect::Prover,
};
use rules::AnyGame;

/// Limits of an analysis; without any it continues until it is stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The number of best moves to report.
    pub lines: usize,
    /// The number of threads.
    pub threads: usize,
    /// The time limit.
    pub time: Option<Duration>,
    /// The node limit.
    pub nodes: Option<u64>,
    /// The depth limit in plies.
    pub depth: Option<u32>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { lines: 1, threads: 1, time: None, nodes: None, depth: None }
    }
}

impl Limits {
    /// The settings of a search after `elapsed` of the time is used.
    fn settings(&self, elapsed: Duration) -> Settings {
        Settings {
            time: self.time.map(|time| time.saturating_sub(elapsed)),
            depth: self.depth.map(|depth| depth.clamp(1, Settings::MAX_DEPTH)),
            nodes: self.nodes,
            threads: self.threads.clamp(1, Settings::MAX_THREADS),
            book: false,
            proofs: false,
        }
    }
}

/// A move and its expected line.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Line {
    /// The score for the side to move; proven results are beyond all others.
    pub score: i64,
    /// How likely the side to move wins, from −1 to 1.
    pub chance: f64,
    /// The result, if it is proved.
    pub proven: Option<Proven>,
    /// The expected course of the game, beginning with the move itself.
    pub moves: Vec<String>,
}

impl Line {
    fn new(value: i32, proven: Option<Proven>, moves: Vec<String>) -> Self {
        let chance = match proven.map(|proven| proven.result) {
            Some(Proof::Win) => 1.0,
            Some(Proof::Draw) => 0.0,
            Some(Proof::Loss) => -1.0,
            None => win_chance(value.into()),
        };
        Self { score: value.into(), chance, proven, moves }
    }
}

/// The result of an analysis.
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Info {
    /// The depth reached, in plies.
    pub depth: u32,
    /// The number of nodes searched.
    pub nodes: u64,
    /// The elapsed time in milliseconds.
    pub time_ms: u64,
    /// The best moves, the best first; empty if the game is over or the first depth was not finished.
    pub lines: Vec<Line>,
}

impl Info {
    /// Nodes per second.
    #[must_use]
    pub fn nodes_per_second(&self) -> u64 {
        self.nodes * 1000 / self.time_ms.max(1)
    }
}

/// How likely the side to move wins, from −1 (it loses) to 1 (it wins). The weights of the evaluation
/// are fitted so that 100 points are odds of e to 1 in games of the engine.
#[must_use]
pub fn win_chance(score: i64) -> f64 {
    2.0 / (1.0 + (score as f64 / -100.0).exp()) - 1.0
}

/// Analyses a position by iterative deepening. Calls `on_info` after each depth and returns the last result.
///
/// ```
/// use alinea_study::{
///     analysis::{Limits, analyse},
///     players::{Proof, Resources, Stop},
///     rules::{AnyGame, Spec},
/// };
///
/// let mut game = AnyGame::from("tic-tac-toe".parse::<Spec>().unwrap());
/// game.play_all("a1 c3 a3 a2 c1").unwrap();
/// let limits = Limits { depth: Some(6), ..Limits::default() };
/// let mut depths = 0;
/// let info = analyse(&game, &limits, &Resources::new(1), &Stop::default(), &mut |_| depths += 1);
/// // The first player threatens b1 and b2; the second player cannot block both.
/// assert_eq!(info.lines[0].proven.unwrap().result, Proof::Loss);
/// assert!(depths > 0);
/// ```
pub fn analyse(
    game: &AnyGame,
    limits: &Limits,
    resources: &Resources,
    stop: &Stop,
    on_info: &mut dyn FnMut(&Info),
) -> Info {
    let watch = Stopwatch::start(resources);
    let mut last = Info::default();
    if game.outcome().is_some() || limits.lines == 0 {
        return last;
    }
    let mut report = |depth: u32, nodes: u64, lines: Vec<Line>| {
        last = Info { depth, nodes, time_ms: watch.elapsed().as_millis() as u64, lines };
        on_info(&last);
    };
    let mut analyst = Analyst::new(resources);
    if let Some((nodes, lines)) = analyst.proof(game, limits, stop) {
        let plies = lines.iter().filter_map(|line| Some(line.proven?.plies)).max();
        report(plies.unwrap_or(0), nodes, lines);
    } else {
        let settings = limits.settings(watch.elapsed());
        let question = match limits.lines {
            1 => Question::Best,
            lines => Question::BestOf(game.legal_moves(), lines),
        };
        analyst.search(game, &settings, &question, stop, &mut report);
    }
    last
}

/// Keeps its transposition table from one position of a game to the next.
pub(crate) struct Analyst {
    resources: Resources,
    engine: Option<Engine>,
    prover: Prover,
}

impl Analyst {
    pub(crate) fn new(resources: &Resources) -> Self {
        Self { resources: resources.clone(), engine: None, prover: Prover::default() }
    }

    /// The best line, and that of a move. The game is not over and the move is legal; `None` if the first depth
    /// was not finished.
    pub(crate) fn assess(
        &mut self,
        game: &AnyGame,
        m: &str,
        limits: &Limits,
        stop: &Stop,
    ) -> Option<[Line; 2]> {
        let watch = Stopwatch::start(&self.resources);
        let is_of = |line: &Line| line.moves[0] == m;
        if let Some((_, lines)) = self.proof(game, &Limits { lines: usize::MAX, ..*limits }, stop) {
            return Some([lines.first()?.clone(), lines.into_iter().find(is_of)?]);
        }
        let settings = limits.settings(watch.elapsed());
        // The results of each depth.
        let mut best = Vec::new();
        self.search(game, &settings, &Question::Best, stop, &mut |_, _, lines| best.extend(lines));
        if best.last().is_some_and(is_of) {
            return best.pop().map(|best| [best.clone(), best]);
        }
        let mut own = Vec::new();
        let settings = Settings { depth: Some(best.len() as u32), ..settings };
        let only = Question::BestOf(vec![m.to_owned()], 1);
        self.search(game, &settings, &only, stop, &mut |_, _, lines| own.extend(lines));
        // Only lines searched to the same depth can be compared; a proof of the move stands at any depth.
        if own.last().is_some_and(|line| line.proven.is_none()) {
            best.truncate(own.len());
        }
        let (best, own) = (best.pop()?, own.pop()?);
        Some(if is_of(&best) { [best.clone(), best] } else { [best, own] })
    }

    /// Searches by iterative deepening and reports depth, nodes and lines after each depth; the first depth is
    /// finished regardless of the limits unless it is stopped.
    fn search(
        &mut self,
        game: &AnyGame,
        settings: &Settings,
        question: &Question<String>,
        stop: &Stop,
        report: &mut dyn FnMut(u32, u64, Vec<Line>),
    ) {
        let engine = self.engine.get_or_insert_with(|| Engine::new(*settings, &self.resources));
        engine.search(game, settings, question, stop, &mut |found: &Found<String>| {
            let line = |line: &engine::Line<String>| Line::new(line.value, line.proven(), line.moves.clone());
            report(found.depth, found.nodes, found.lines.iter().map(line).collect());
        });
    }

    /// The number of nodes and the best moves with their proven results, if a proof takes little time.
    fn proof(&mut self, game: &AnyGame, limits: &Limits, stop: &Stop) -> Option<(u64, Vec<Line>)> {
        // Limits of depth or nodes require a search.
        if limits.depth.is_some() || limits.nodes.is_some() {
            return None;
        }
        let watch = Stopwatch::start(&self.resources);
        let is_due = || stop.must_move_now() || limits.time.is_some_and(|time| watch.elapsed() >= time / 4);
        let proofs = self.prover.best_moves(game, limits.lines, &is_due)?;
        let line = |(proven, moves)| Line::new(value_of(proven), Some(proven), moves);
        Some((proofs.nodes, proofs.lines.into_iter().map(line).collect()))
    }
}

/// Measures time, if there is a clock.
struct Stopwatch {
    clock: Option<Arc<dyn Clock>>,
    start: Duration,
}

impl Stopwatch {
    fn start(resources: &Resources) -> Self {
        let clock = resources.clock.clone();
        Self { start: clock.as_ref().map_or(Duration::ZERO, |clock| clock.now()), clock }
    }

    /// Zero without a clock.
    fn elapsed(&self) -> Duration {
        self.clock.as_ref().map_or(Duration::ZERO, |clock| clock.now().saturating_sub(self.start))
    }
}
