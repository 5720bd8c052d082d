//! Connect Four by the exact solver: the quickest win, the longest defence.

use std::{
    cmp::Reverse,
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

use fastrand::Rng;
use rules::{Column, ConnectFour, Game, Geometry, Position, Small};
use solver::{Book, Bounds, Solver};

use crate::{
    Player, Proof, Proven, Reason, Stop, Stopped, Thought,
    deadline::within,
    engine::{Engine, Settings, Solved},
};

pub(crate) struct PerfectConnectFour {
    solver: Solver,
    time: Duration,
    rng: Rng,
}

/// Whether the solver knows this size and run.
pub(crate) fn can_solve<G: Geometry>(position: &ConnectFour<G>) -> bool {
    position.geometry().run() == solver::RUN && position.on_64_bits().is_some()
}

impl PerfectConnectFour {
    pub(crate) fn new(time: Duration, rng: Rng) -> Self {
        Self { solver: Solver::default().with_book(Book::embedded()), time, rng }
    }
}

impl<G: Geometry> Player<ConnectFour<G>> for PerfectConnectFour {
    fn choose(&mut self, game: &Game<ConnectFour<G>>, stop: &Stop) -> Result<Thought<Column>, Stopped> {
        let position =
            game.position().on_64_bits().expect("the roster offers only boards that can be solved");
        let solver = &mut self.solver;
        let asked = Instant::now();
        let analysis = within(self.time, Duration::MAX, stop, |stop| solver.best(&position, stop.hurried()));
        let analysis = analysis.expect("the roster offers only runs of four");
        let mut nodes = solver.nodes();
        stop.check()?;

        let among: Vec<_> = analysis.best().collect();
        let bounds = analysis.bounds;
        let mut thought = match bounds.exact() {
            Some(score) => {
                let proven = proven(&position, score);
                let thought = Thought::by_lot(among, &mut self.rng, vec![Reason::Proven(proven)]);
                Thought { score: Some(score.into()), depth: Some(proven.plies), ..thought }
            }
            None => {
                // Not all is proved: the engine's opinion decides among what is proved best.
                let unproven = Reason::Unproven { lower: bounds.lower, upper: bounds.upper };
                let opinion = opinion(&position, stop)?;
                if among.contains(&opinion.chosen) {
                    let mut thought = Thought { among, score: None, ..opinion };
                    thought.reasons.insert(0, unproven);
                    thought
                } else {
                    Thought::by_lot(among, &mut self.rng, vec![unproven])
                }
            }
        };

        // The line begins with the move that the lot chose.
        let line_time = self.time.min(asked.elapsed().max(LINE_TIME));
        let after = position.after(thought.chosen);
        if bounds.exact().is_some()
            && let Ok(rest) =
                within(line_time, Duration::MAX, stop, |stop| solver.line(&after, stop.hurried()))
        {
            nodes += solver.nodes();
            thought.line = [&[thought.chosen], &rest[..]].concat();
            thought.reasons.extend(solver::reasons(&position, &thought.line).into_iter().map(Reason::Solved));
        }
        Ok(Thought { nodes: thought.nodes + nodes, ..thought })
    }
}

/// What a score proves of a move or of the position itself.
fn proven(position: &ConnectFour<Small>, score: i32) -> Proven {
    let result = match score {
        0 => Proof::Draw,
        1.. => Proof::Win,
        _ => Proof::Loss,
    };
    Proven { result, plies: solver::plies_left(position, score).into() }
}

/// The moves that may be best as far as is proved before the flag is raised, and what they lead to.
pub(crate) fn possibly_best(
    solver: &mut Solver,
    position: &ConnectFour<Small>,
    stop: &AtomicBool,
) -> Option<Solved<Column>> {
    let analysis = solver.analyse(position, stop).ok()?;
    let result = analysis.bounds.exact().map(|score| proven(position, score));
    let certain = analysis.moves.iter().map(|(_, bounds)| bounds.lower).max()?;
    let moves = if result.is_some() || certain > 0 {
        analysis.best().collect()
    } else {
        // All that might be better than what is certain.
        let may_be_best = |bounds: &Bounds| bounds.upper > certain || bounds.lower == certain;
        let hopeful = analysis.moves.iter().filter(|(_, bounds)| may_be_best(bounds));
        hopeful.map(|&(column, _)| column).collect()
    };
    Some(Solved { moves, result })
}

/// The best so many moves with their results and what should follow; `None` if the flag was raised first.
pub(crate) fn proven_lines(
    solver: &mut Solver,
    position: &ConnectFour<Small>,
    count: usize,
    stop: &AtomicBool,
    nodes: &mut u64,
) -> Option<Vec<(Proven, Vec<Column>)>> {
    let analysis = solver.analyse(position, stop).ok()?;
    *nodes += solver.nodes();
    let exact = |(column, bounds): &(Column, Bounds)| Some((bounds.exact()?, *column));
    let mut moves: Vec<_> = analysis.moves.iter().map(exact).collect::<Option<_>>()?;
    moves.sort_by_key(|&(score, _)| Reverse(score));
    let lines = moves.into_iter().take(count).map(|(score, column)| {
        let rest = solver.line(&position.after(column), stop).ok()?;
        *nodes += solver.nodes();
        Some((proven(position, score), [&[column], &rest[..]].concat()))
    });
    lines.collect()
}

/// What the engine would play, after a short look.
fn opinion(position: &ConnectFour<Small>, stop: &Stop) -> Result<Thought<Column>, Stopped> {
    let settings = Settings::read(Some("500ms,nodes=500000")).expect("these are settings");
    Engine::new(settings).choose(&Game::new(position.clone()), stop)
}

/// The move is chosen; the line is told if that takes no longer than this or than choosing.
const LINE_TIME: Duration = Duration::from_millis(40);
