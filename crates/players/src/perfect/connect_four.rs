//! Connect Four by the exact solver: the quickest win, the longest defence.

use std::time::{Duration, Instant};

use fastrand::Rng;
use rules::{Column, ConnectFour, Game, Geometry, Position, Small};
use solver::{Book, Solver};

use crate::{
    control::{Stop, Stopped, within},
    engine::{Engine, Settings},
    eval::{ConnectFourEvaluator, proofs::proven},
    player::Player,
    thought::{Reason, Thought},
};

pub(crate) struct PerfectConnectFour {
    solver: Solver,
    time: Duration,
    rng: Rng,
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
        let analysis =
            within(self.time, Duration::MAX, stop, |stop| solver.best(&position, stop.move_now_flag()));
        let analysis = analysis.expect("the roster offers only runs of four");
        let mut nodes = solver.nodes();
        stop.check()?;

        let candidates: Vec<_> = analysis.best().collect();
        let bounds = analysis.bounds;
        let mut thought = match bounds.exact() {
            Some(score) => {
                let proven = proven(&position, score);
                let thought = Thought::at_random(candidates, &mut self.rng, vec![Reason::Proven(proven)]);
                Thought { score: Some(score.into()), depth: Some(proven.plies), ..thought }
            }
            None => {
                // Not all is proved: the engine's opinion decides candidates what is proved best.
                let unproven = Reason::Unproven { lower: bounds.lower, upper: bounds.upper };
                let opinion = opinion(&position, stop)?;
                if candidates.contains(&opinion.chosen) {
                    let mut thought = Thought { candidates, score: None, ..opinion };
                    thought.reasons.insert(0, unproven);
                    thought
                } else {
                    Thought::at_random(candidates, &mut self.rng, vec![unproven])
                }
            }
        };

        // The line begins with the move that the lot chose.
        let line_time = self.time.min(asked.elapsed().max(LINE_TIME));
        let after = position.after(thought.chosen);
        if bounds.exact().is_some()
            && let Ok(rest) =
                within(line_time, Duration::MAX, stop, |stop| solver.line(&after, stop.move_now_flag()))
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
    Engine::new(settings).choose::<_, ConnectFourEvaluator<Small>>(&Game::new(position.clone()), stop)
}

/// The move is chosen; the line is told if that takes no longer than this or than choosing.
const LINE_TIME: Duration = Duration::from_millis(40);
