//! Connect Four by the exact solver: the quickest win, the longest defence.

use std::time::Duration;

use fastrand::Rng;
use rules::{Column, ConnectFour, Game, Geometry, Position, Small};
use solver::{Book, Solver};

use crate::{
    Player, Proof, Reason, Stop, Stopped, Thought,
    deadline::within,
    engine::{ConnectFourJudge, Engine, Settings},
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
        let analysis =
            within(self.time, Duration::MAX, stop, |stop| solver.analyse(&position, stop.hurried()));
        let analysis = analysis.expect("the roster offers only runs of four");
        let mut nodes = solver.nodes();
        stop.check()?;

        let among: Vec<_> = analysis.best().collect();
        let bounds = analysis.bounds;
        let mut thought = match bounds.exact() {
            Some(score) => {
                let result = match score {
                    0 => Proof::Draw,
                    1.. => Proof::Win,
                    _ => Proof::Loss,
                };
                let plies = solver::plies_left(&position, score).into();
                let reasons = vec![Reason::Proven { result, plies }];
                let thought = Thought::by_lot(among, &mut self.rng, reasons);
                Thought { score: Some(score.into()), depth: Some(plies), ..thought }
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
        let after = position.after(thought.chosen);
        if bounds.exact().is_some()
            && let Ok(rest) = within(self.time.min(LINE_TIME), Duration::MAX, stop, |stop| {
                solver.line(&after, stop.hurried())
            })
        {
            nodes += solver.nodes();
            thought.line = [&[thought.chosen], &rest[..]].concat();
            thought.reasons.extend(solver::reasons(&position, &thought.line).into_iter().map(Reason::Solved));
        }
        Ok(Thought { nodes: thought.nodes + nodes, ..thought })
    }
}

/// What the engine would play, after a short look.
fn opinion(position: &ConnectFour<Small>, stop: &Stop) -> Result<Thought<Column>, Stopped> {
    let settings = Settings::read(Some("500ms,nodes=500000")).expect("these are settings");
    let judge = |position: &ConnectFour<Small>| ConnectFourJudge::new(position.geometry());
    Engine::new(settings, judge).choose(&Game::new(position.clone()), stop)
}

/// The move is chosen; the line is told if that does not take long.
const LINE_TIME: Duration = Duration::from_secs(1);
