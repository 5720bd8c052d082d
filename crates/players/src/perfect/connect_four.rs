//! `perfect` for Connect Four: the solver's quickest win or longest defence.
//!
//! If the time is up before the proof, the proven bounds decide, and among moves with equal bounds the engine.

use std::{
    cmp::Reverse,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use fastrand::Rng;
use rules::{Column, ConnectFour, Game, Geometry, Position, Small};
use solver::{Bounds, Solver};

use super::ranking::{Ranking, rank};
use crate::{
    control::{Clock, Resources, Stop, Stopped, Timer},
    engine::threats,
    eval::{ConnectFourEvaluator, proofs::proven},
    player::Player,
    search::{MATE, PROOF, Root},
    thought::{Proof, Proven, Reason, Thought},
};

pub(crate) struct PerfectConnectFour {
    solver: Solver,
    time: Duration,
    rng: Rng,
    resources: Resources,
}

/// What is known about a position when the time is up.
struct Known {
    /// The moves proved to be best, if any is, and the score.
    best: Option<(Vec<Column>, i32)>,
    /// The bounds of each move's score, for the side that plays it.
    moves: Vec<(Column, Bounds)>,
    /// The engine's result, if the solver did not answer at once.
    ranking: Option<Ranking<Column>>,
    nodes: u64,
}

impl PerfectConnectFour {
    pub(crate) fn new(time: Duration, resources: &Resources) -> Self {
        let solver = Solver::default().with_book(resources.book);
        Self { solver, time, rng: resources.rng(), resources: resources.clone() }
    }

    /// Proves as much as the limits allow.
    fn prove(&mut self, position: &ConnectFour<Small>, timer: &Timer, stop: &Stop) -> Known {
        let polls = AtomicU64::new(0);
        let at_once = || stop.must_move_now() || polls.fetch_add(1, Ordering::Relaxed) >= AT_ONCE_POLLS;
        let first = self.solver.best(position, &at_once).expect("the roster offers only runs of four");
        let mut known = Known { best: None, moves: first.moves, ranking: None, nodes: self.solver.nodes() };
        let mut bounds = first.bounds;
        if first.stopped {
            // The engine first, so that there is an answer whenever the solver is stopped.
            let game = Game::new(position.clone());
            let ranking = rank::<_, ConnectFourEvaluator<Small>>(&game, stop);
            let clock = self.resources.clock.as_ref();
            let second = self.solver.best(position, &limit(clock, timer, stop));
            let second = second.expect("the roster offers only runs of four");
            known.nodes += ranking.nodes + self.solver.nodes();
            bounds = bounds.and(second.bounds);
            for ((_, bounds), (_, narrower)) in known.moves.iter_mut().zip(second.moves) {
                *bounds = bounds.and(narrower);
            }
            known.ranking = Some(ranking);
        }
        if let Some(score) = bounds.exact() {
            let best: Vec<_> = known.moves.iter().filter(|(_, bounds)| bounds.lower == score).collect();
            // The score may be proved before any move that reaches it is.
            known.best = (!best.is_empty()).then(|| (best.into_iter().map(|&(m, _)| m).collect(), score));
        }
        known
    }

    /// The move to play without a full proof.
    fn unproven(position: &ConnectFour<Small>, known: &Known) -> Thought<Column> {
        let game = Game::new(position.clone());
        let ranking = known.ranking.as_ref().expect("the moves are ranked where the solver was stopped");
        let moves: Vec<_> = known
            .moves
            .iter()
            .map(|&(column, bounds)| {
                let (value, _) = ranking.lines[ranking.place(column)];
                (column, with_proof(position, bounds, value))
            })
            .collect();
        let (chosen, Bounds { lower, upper }) = decide(&moves, ranking);
        let (value, line) = &ranking.lines[ranking.place(chosen)];
        let root = Root::<_, ConnectFourEvaluator<Small>>::new(&game);
        let mut reasons = vec![Reason::Unproven { lower, upper }];
        reasons.extend(threats(&root, chosen));
        reasons.push(match proof(*value) {
            Some(proven) => Reason::Proven(proven),
            None => Reason::Minimax { depth: ranking.depth, value: (*value).into() },
        });
        let depth = Some(ranking.depth);
        Thought { line: line.clone(), depth, ..Thought::new(chosen, vec![chosen], reasons) }
    }
}

impl<G: Geometry> Player<ConnectFour<G>> for PerfectConnectFour {
    fn choose(&mut self, game: &Game<ConnectFour<G>>, stop: &Stop) -> Result<Thought<Column>, Stopped> {
        let position =
            game.position().on_64_bits().expect("the roster offers only boards that can be solved");
        // The caller may allow less time than the settings.
        let time = stop.time().map_or(self.time, |time| time.min(self.time));
        let timer = Timer::start(self.resources.clock.as_ref(), Some(time));
        let known = self.prove(&position, &timer, stop);
        stop.check()?;

        let mut nodes = known.nodes;
        let mut thought = match &known.best {
            Some((best, score)) => {
                let proven = proven(&position, *score);
                let thought = Thought::at_random(best.clone(), &mut self.rng, vec![Reason::Proven(proven)]);
                Thought { score: Some((*score).into()), depth: Some(proven.plies), ..thought }
            }
            None => Self::unproven(&position, &known),
        };
        if known.best.is_some() {
            // The line begins with the chosen move.
            let timer = timer.again(LINE_TIME.min(time.saturating_sub(timer.elapsed())));
            let after = position.after(thought.chosen);
            let clock = self.resources.clock.as_ref();
            let limit = limit(clock, &timer, stop);
            if let Ok(rest) = self.solver.line_up_to(&after, usize::MAX, &limit) {
                thought.line = [&[thought.chosen], &rest[..]].concat();
                let facts = solver::reasons(&position, &thought.line);
                thought.reasons.extend(facts.into_iter().map(Reason::Solved));
            }
            nodes += self.solver.nodes();
        }
        Ok(Thought { nodes, ..thought })
    }
}

/// Chooses among the moves that the bounds do not exclude: first by the best certain result (of wins, the
/// quickest), then by the best possible result, then by the engine's ranking.
fn decide(moves: &[(Column, Bounds)], ranking: &Ranking<Column>) -> (Column, Bounds) {
    let certain = moves.iter().map(|(_, bounds)| bounds.lower).max().expect("the game is not over");
    let key = |&&(column, Bounds { lower, upper }): &&(Column, Bounds)| {
        (lower.signum(), lower.max(0), upper.signum(), Reverse(ranking.place(column)))
    };
    let possible = moves.iter().filter(|(_, bounds)| bounds.upper >= certain);
    *possible.max_by_key(key).expect("the move with the highest lower bound is possible")
}

/// The result that a value of the engine proves.
fn proof(value: i32) -> Option<Proven> {
    let result = if value > 0 { Proof::Win } else { Proof::Loss };
    (value.abs() >= PROOF).then(|| Proven { result, plies: (MATE - value.abs()) as u32 })
}

/// The bounds narrowed by what the engine proved: a win or a loss in at most this number of plies.
fn with_proof(position: &ConnectFour<Small>, bounds: Bounds, value: i32) -> Bounds {
    let rest = i32::from(position.geometry().cells()) - i32::from(position.ply());
    let proved = match proof(value) {
        Some(Proven { result: Proof::Win, plies }) => {
            Bounds { lower: (rest + 1) / 2 - (plies as i32 - 1) / 2, ..bounds }
        }
        Some(Proven { plies, .. }) => Bounds { upper: (plies as i32 - 2) / 2 - rest / 2, ..bounds },
        None => bounds,
    };
    bounds.and(proved)
}

/// Ends the solver when the time is up; without a clock, after a fixed number of polls.
fn limit(clock: Option<&Arc<dyn Clock>>, timer: &Timer, stop: &Stop) -> impl Fn() -> bool + Sync {
    let (has_clock, polls) = (clock.is_some(), AtomicU64::new(0));
    let (timer, stop) = (timer.clone(), stop.clone());
    move || {
        let is_used_up = || !has_clock && polls.fetch_add(1, Ordering::Relaxed) >= POLLS_WITHOUT_CLOCK;
        stop.must_move_now() || timer.is_up() || is_used_up()
    }
}

/// About four million nodes, for `perfect` without a time.
const POLLS_WITHOUT_CLOCK: u64 = 2000;
/// A few milliseconds: the book, the table, and the last third of a game.
const AT_ONCE_POLLS: u64 = 10;

/// The time for searching the line beyond what the book and the table know of it.
const LINE_TIME: Duration = Duration::from_millis(10);

#[cfg(test)]
mod tests {
    use rules::{Custom, Size};

    use super::*;
    use crate::samples::games;

    fn start(rows: u32, cols: u32) -> ConnectFour<Small> {
        ConnectFour::new(Custom::<u64>::new(Size::new(rows, cols, 4).unwrap()).unwrap())
    }

    /// At whatever moment the search stops, the bounds hold, they do not exclude the move, and every fact about it is
    /// true.
    #[test]
    fn a_stop_at_any_moment_gives_a_move_that_the_bounds_allow() {
        let (mut proved, mut open) = (0, 0);
        for (size, seed) in [((4, 5), 1), ((5, 5), 2), ((6, 7), 3)] {
            for game in games(&start(size.0, size.1), seed, 25) {
                let position = game.position();
                if size == (6, 7) && position.ply() < 16 {
                    continue;
                }
                let exact = Solver::new(1 << 20).analyse(position, &|| false).unwrap();
                let score_of = |column| exact.moves.iter().find(|(m, _)| *m == column).unwrap().1.lower;
                for polls in [0, 1, 2, 5, 9, 12, 30, 200] {
                    let mut player = PerfectConnectFour::new(Duration::from_secs(1), &Resources::new(1));
                    // A book would answer before the first poll.
                    player.solver = Solver::new(1 << 20);
                    let stop = Stop::after_polls(polls);
                    let known = player.prove(position, &Timer::start(None, None), &stop);
                    for &(column, bounds) in &known.moves {
                        let score = score_of(column);
                        assert!(bounds.lower <= score && score <= bounds.upper, "{column} of {position:?}");
                    }
                    if let Some((best, score)) = &known.best {
                        assert!(best.iter().all(|&column| score_of(column) == *score), "{position:?}");
                        assert_eq!(exact.bounds.exact(), Some(*score));
                        proved += 1;
                        continue;
                    }
                    open += 1;
                    let thought = PerfectConnectFour::unproven(position, &known);
                    let Reason::Unproven { lower, upper } = thought.reasons[0] else { panic!("{thought:?}") };
                    let score = score_of(thought.chosen);
                    assert!(lower <= score && score <= upper, "{thought:?} of {position:?}");
                    let chosen = known.moves.iter().find(|(m, _)| *m == thought.chosen).unwrap().1;
                    let is_excluded = known.moves.iter().any(|(_, other)| other.lower > chosen.upper);
                    assert!(!is_excluded, "{thought:?} of {:?}", known.moves);
                }
            }
        }
        assert!(proved > 50 && open > 50, "{proved} proved, {open} open");
    }

    fn ranking(order: &[u8]) -> Ranking<Column> {
        let lines = order.iter().map(|&column| (0, vec![Column::new(column)])).collect();
        Ranking { depth: 1, lines, nodes: 0 }
    }

    #[test]
    fn bounds_decide_before_the_engine() {
        let between = |lower, upper| Bounds { lower, upper };
        let chosen = |bounds: &[Bounds]| {
            let moves: Vec<_> = (0..).map(Column::new).zip(bounds.iter().copied()).collect();
            decide(&moves, &ranking(&[2, 1, 0])).0.index()
        };
        // Nothing is known: the engine's first.
        assert_eq!(chosen(&[between(-9, 9), between(-9, 9), between(-9, 9)]), 2);
        // It is proved to lose: the next.
        assert_eq!(chosen(&[between(-9, 9), between(-9, 9), between(-9, -1)]), 1);
        // One is proved to win, one to win more quickly.
        assert_eq!(chosen(&[between(1, 9), between(-9, 9), between(-9, 9)]), 0);
        assert_eq!(chosen(&[between(1, 9), between(3, 9), between(-9, 9)]), 1);
        // A certain draw is better than a guess, and what cannot reach it is excluded.
        assert_eq!(chosen(&[between(0, 9), between(-9, 9), between(-9, 0)]), 0);
        // All lose: the engine decides among those that may last longest.
        assert_eq!(chosen(&[between(-2, -1), between(-5, -3), between(-9, -1)]), 2);
    }
}
