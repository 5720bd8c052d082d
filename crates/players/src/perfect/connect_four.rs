//! `perfect` for Connect Four: the solver's quickest win or longest defence.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use fastrand::Rng;
use rules::{Column, ConnectFour, Game, Geometry, Position, Small};
use solver::{Book, Solver};

use crate::{
    control::{Clock, Resources, Stop, Stopped, Timer},
    engine::{Engine, Settings},
    eval::{ConnectFourEvaluator, proofs::proven},
    player::Player,
    thought::{Reason, Thought},
};

pub(crate) struct PerfectConnectFour {
    solver: Solver,
    time: Duration,
    rng: Rng,
    resources: Resources,
}

impl PerfectConnectFour {
    pub(crate) fn new(time: Duration, resources: &Resources) -> Self {
        let solver = Solver::default().with_book(Book::embedded());
        Self { solver, time, rng: resources.rng(), resources: resources.clone() }
    }
}

impl<G: Geometry> Player<ConnectFour<G>> for PerfectConnectFour {
    fn choose(&mut self, game: &Game<ConnectFour<G>>, stop: &Stop) -> Result<Thought<Column>, Stopped> {
        let position =
            game.position().on_64_bits().expect("the roster offers only boards that can be solved");
        let solver = &mut self.solver;
        let clock = self.resources.clock.as_ref();
        let timer = Timer::start(clock, Some(self.time));
        let analysis = solver.best(&position, &limit(clock, &timer, stop));
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
                // Not everything is proved: the engine decides among the moves that are best by the bounds.
                let unproven = Reason::Unproven { lower: bounds.lower, upper: bounds.upper };
                let opinion = opinion(&position, &self.resources, stop)?;
                if candidates.contains(&opinion.chosen) {
                    let mut thought = Thought { candidates, score: None, ..opinion };
                    thought.reasons.insert(0, unproven);
                    thought
                } else {
                    Thought::at_random(candidates, &mut self.rng, vec![unproven])
                }
            }
        };

        // The line begins with the chosen move.
        let timer = timer.again(self.time.min(timer.elapsed().max(LINE_TIME)));
        let after = position.after(thought.chosen);
        if bounds.exact().is_some()
            && let Ok(rest) = solver.line(&after, &limit(clock, &timer, stop))
        {
            nodes += solver.nodes();
            thought.line = [&[thought.chosen], &rest[..]].concat();
            thought.reasons.extend(solver::reasons(&position, &thought.line).into_iter().map(Reason::Solved));
        }
        Ok(Thought { nodes: thought.nodes + nodes, ..thought })
    }
}

/// Ends the solver when the time is up; without a clock, after a fixed number of checks.
fn limit(clock: Option<&Arc<dyn Clock>>, timer: &Timer, stop: &Stop) -> impl Fn() -> bool + Sync {
    let (has_clock, checks) = (clock.is_some(), AtomicU64::new(0));
    let (timer, stop) = (timer.clone(), stop.clone());
    move || {
        let is_used_up = || !has_clock && checks.fetch_add(1, Ordering::Relaxed) >= CHECKS_WITHOUT_CLOCK;
        stop.must_move_now() || timer.is_up() || is_used_up()
    }
}

/// About four million nodes.
const CHECKS_WITHOUT_CLOCK: u64 = 2000;

/// What the engine would play, after a short search.
fn opinion(
    position: &ConnectFour<Small>,
    resources: &Resources,
    stop: &Stop,
) -> Result<Thought<Column>, Stopped> {
    let settings = Settings::read(Some("500ms,nodes=500000")).expect("these are settings");
    Engine::new(settings, resources)
        .choose::<_, ConnectFourEvaluator<Small>>(&Game::new(position.clone()), stop)
}

/// The time for finding the line, if choosing the move took less.
const LINE_TIME: Duration = Duration::from_millis(40);
