//! `engine`: our own player for every game, at any size: alpha-beta search over an evaluator per game.

mod reasons;
mod settings;
#[cfg(test)]
mod tests;

use std::{marker::PhantomData, sync::Arc};

use rules::{AnyGame, Board, Game, Move, Position};
use solver::{Solver, Threads};

pub(crate) use self::reasons::threats;
pub use self::{
    reasons::explain,
    settings::{Settings, read_time},
};
pub use crate::search::{Found, Line, Question, value_of, win_chance};
use crate::{
    control::{Clock, EXPLAINING, NoClock, Resources, Stop, Stopped, Timer},
    eval::{BoardEvaluator, Evaluator, Kit, MAX_DEPTH, Solved, with_players},
    network::Network,
    player::Player,
    search::{BoardRoot, Deepening, Root, Table},
    thought::{Proof, Reason, Term, Thought},
};

const TABLE_BYTES: usize = 32 << 20;
/// Table size per node of a short search: more than it needs, so that entries of earlier moves survive.
const BYTES_PER_NODE: usize = 256;
/// Table size for depth 0; each further ply of depth multiplies it by four.
const BYTES_AT_ONCE: usize = 1 << 14;
/// Table size per arrangement of the pieces: four slots, so that hardly two positions of a small board share one.
const BYTES_PER_ARRANGEMENT: usize = 64;

/// Searches deeper and deeper until its limits are reached; keeps its transposition table from move to move.
pub struct Engine {
    settings: Settings,
    /// Made when needed, as large as the game can use: clearing the largest one takes milliseconds.
    table: Table,
    /// The size of the table that the settings allow.
    most_bytes: usize,
    /// For games that can be solved; made when needed.
    solver: Option<Solver>,
    clock: Option<Arc<dyn Clock>>,
    threads: Arc<dyn Threads>,
    network: Option<&'static Network>,
}

impl Engine {
    /// An engine with these settings.
    ///
    /// # Errors
    /// If the settings limit the time, and there is no clock.
    pub fn new(settings: Settings, resources: &Resources) -> Result<Self, NoClock> {
        settings.check_clock(resources.clock.is_some())?;
        Ok(Self::with(settings, resources))
    }

    /// An engine with settings that limit the time only if there is a clock.
    pub(crate) fn with(settings: Settings, resources: &Resources) -> Self {
        // Short searches need a small table, and many games may be played at the same time.
        let by_nodes =
            settings.nodes.map_or(TABLE_BYTES, |nodes| (nodes as usize).saturating_mul(BYTES_PER_NODE));
        let by_depth = BYTES_AT_ONCE << (2 * settings.depth.unwrap_or(MAX_DEPTH).min(8));
        let most_bytes = TABLE_BYTES.min(by_nodes).min(by_depth);
        let (clock, threads) = (resources.clock.clone(), resources.threads.clone());
        let (table, network) = (Table::new(0), resources.network);
        Self { settings, table, most_bytes, solver: None, clock, threads, network }
    }

    /// A game to search, evaluated as this engine does.
    pub(crate) fn root<'a, P: Board, E: BoardEvaluator<P>>(&self, game: &'a Game<P>) -> Root<'a, P, E> {
        Root::learned(game, self.network)
    }

    fn make_table(&mut self, arrangements: usize) {
        self.table.grow(self.most_bytes.min(arrangements.saturating_mul(BYTES_PER_ARRANGEMENT)));
    }

    /// Searches a game of any kind, with moves as text, and reports the result of each depth.
    ///
    /// The first depth is completed even beyond the limits, unless `stop` ends it. Illegal moves in the
    /// question are ignored.
    ///
    /// # Errors
    /// If the settings limit the time, and the engine has no clock.
    pub fn search(
        &mut self,
        game: &AnyGame,
        settings: &Settings,
        question: &Question<String>,
        stop: &Stop,
        on_depth: &mut dyn FnMut(&Found<String>),
    ) -> Result<(), NoClock> {
        settings.check_clock(self.clock.is_some())?;
        let network = self.network;
        with_players!(game, game, kit => {
            self.search_typed(&*root(&kit, game, network), settings, question, stop, on_depth);
        });
        Ok(())
    }

    fn search_typed<M: Move>(
        &mut self,
        root: &dyn BoardRoot<M>,
        settings: &Settings,
        question: &Question<String>,
        stop: &Stop,
        on_depth: &mut dyn FnMut(&Found<String>),
    ) {
        let legal = root.walk().legal_moves();
        let parse = |m: &String| m.parse().ok().filter(|m| legal.contains(m));
        let question = match question {
            Question::Best => Question::Best,
            Question::BestOf(moves, count) => {
                Question::BestOf(moves.iter().filter_map(parse).collect(), *count)
            }
        };
        self.make_table(root.arrangements());
        let mut on_depth = |found: &Found<M>| on_depth(&found.to_text());
        let deepening = self.deepening(settings, stop);
        let (found, _) = deepening.run(root, &question, &mut on_depth);
        if found.is_none() {
            deepening.first_depth().run(root, &question, &mut on_depth);
        }
    }

    /// A search with the table, threads and clock of this engine, within the limits of the settings.
    fn deepening<'a>(&'a self, settings: &Settings, stop: &'a Stop) -> Deepening<'a> {
        Deepening {
            table: &self.table,
            threads: &*self.threads,
            thread_count: settings.threads,
            depth: settings.depth,
            nodes: settings.nodes,
            timer: Timer::start(self.clock.as_ref(), settings.time),
            stop,
        }
    }

    /// Asks the solver for proofs in its share of the time, if it supports the game. With a limit of nodes or
    /// depth the answer must be reproducible, so the solver is asked only if the settings allow it and the
    /// proof takes no noticeable time.
    fn solve<M: Move>(&mut self, root: &dyn BoardRoot<M>, timer: &Timer, stop: &Stop) -> Option<Solved<M>> {
        let (most_empty, timer) = if !self.settings.repeats() {
            timer.limit()?;
            (MOST_EMPTY_CELLS, timer.for_proving())
        } else if self.settings.proofs {
            (AT_ONCE_EMPTY_CELLS, Timer::start(None, None))
        } else {
            return None;
        };
        if root.plies_left() > most_empty {
            return None;
        }
        let (count, threads) = (self.settings.threads, &self.threads);
        let solver =
            self.solver.get_or_insert_with(|| Solver::new(TABLE_BYTES).with_threads(count, threads.clone()));
        root.solve(solver, &|| stop.must_move_now() || timer.is_up())
    }
}

impl Engine {
    /// Returns the best move found within the limits, with its reasons.
    pub(crate) fn choose<M: Move>(
        &mut self,
        root: &dyn BoardRoot<M>,
        stop: &Stop,
    ) -> Result<Thought<M>, Stopped> {
        if self.settings.book
            && let Some((m, depth)) = root.book_move()
        {
            let book = Reason::Book { depth };
            return Ok(Thought { depth: Some(depth), ..Thought::new(m, vec![m], vec![book]) });
        }
        // The caller may allow less time than the settings.
        let time = self.settings.time.into_iter().chain(stop.time()).min();
        let timer = Timer::start(self.clock.as_ref(), time);
        self.make_table(root.arrangements());
        let solved = self.solve(root, &timer, stop);
        let (question, result) = match solved {
            Some(Solved { moves, result }) => (Question::BestOf(moves, 1), result),
            None => (Question::Best, None),
        };
        let mut left = timer.left_for_search();
        if result.is_some_and(|proven| proven.result != Proof::Draw) {
            // The result is proved; a short search finds a line.
            left = left.map(|time| time / 10);
        }
        let settings = Settings { time: left, ..self.settings };
        let (found, mut nodes) = self.deepening(&settings, stop).run(root, &question, &mut |_| {});
        let best = found.and_then(|found| Some((found.depth, found.lines.into_iter().next()?)));
        let (depth, mut line) = best.unwrap_or_else(|| (0, without_thinking(root, &question)));
        if let Some(result) = result {
            line.value = value_of(result);
        }
        let chosen = line.moves[0];
        let value = i64::from(line.value);

        // Cheap reasons are always given, the others only if there is time.
        let is_due = || stop.must_move_now() || timer.is_up();
        let mut reasons = reasons::facts(root, &line, result.or(line.proven()), depth, &is_due);
        if depth > 0 && reasons[0] != Reason::Win && !stop.must_move_now() {
            // With limits of nodes or depth the answer must not depend on the clock.
            let time = if self.settings.repeats() { None } else { timer.for_comparing() };
            let share = Some(nodes / u64::from(2 * EXPLAINING));
            let limits = Settings { time, nodes: share, depth: Some(depth), threads: 1, ..self.settings };
            let (compared, more) = self.second_best(&limits, root, chosen, stop);
            nodes += more;
            // A quick search may overrate the other move; then there is no second best.
            let compared = compared.filter(|[_, second]| second.value <= line.value);
            reasons.extend(compared.map(|[own, second]| reasons::compare(root, &own, &second)));
        }
        Ok(Thought {
            score: Some(value),
            line: line.moves,
            nodes,
            depth: Some(depth),
            ..Thought::new(chosen, vec![chosen], reasons)
        })
    }
}

impl Engine {
    /// Searches the chosen move and the best other move to the same depth. Returns their lines and the number
    /// of nodes; no lines if there is no other move or no time.
    fn second_best<M: Move>(
        &self,
        limits: &Settings,
        root: &dyn BoardRoot<M>,
        chosen: M,
        stop: &Stop,
    ) -> (Option<[Line<M>; 2]>, u64) {
        let mut others = root.walk().legal_moves();
        others.retain(|&m| m != chosen);
        let look = |moves, depth| {
            let question = Question::BestOf(moves, 1);
            let settings = Settings { depth, ..*limits };
            self.deepening(&settings, stop).run(root, &question, &mut |_| {})
        };
        if others.is_empty() {
            return (None, 0);
        }
        let (second, nodes) = look(others, limits.depth);
        let Some(second) = second else { return (None, nodes) };
        let (own, more) = look(vec![chosen], Some(second.depth));
        let line = |found: Found<M>| found.lines.into_iter().next();
        let both =
            own.filter(|own| own.depth == second.depth).and_then(|own| Some([line(own)?, line(second)?]));
        (both.filter(|[own, second]| second.value <= own.value), nodes + more)
    }
}

/// The engine as a player of the game that `E` evaluates.
pub(crate) struct EnginePlayer<E> {
    engine: Engine,
    evaluator: PhantomData<fn() -> E>,
}

impl<E> EnginePlayer<E> {
    pub(crate) fn new(settings: Settings, resources: &Resources) -> Result<Self, NoClock> {
        Ok(Self { engine: Engine::new(settings, resources)?, evaluator: PhantomData })
    }
}

impl<P: Board, E: BoardEvaluator<P>> Player<P> for EnginePlayer<E> {
    fn choose(&mut self, game: &Game<P>, stop: &Stop) -> Result<Thought<P::Move>, Stopped> {
        self.engine.choose(&self.engine.root::<P, E>(game), stop)
    }
}

/// The root of a search for the evaluator of a kit.
fn root<'a, P: Board, E: BoardEvaluator<P>>(
    _: &Kit<P, E>,
    game: &'a Game<P>,
    network: Option<&'static Network>,
) -> Box<dyn BoardRoot<P::Move> + 'a> {
    Box::new(Root::<P, E>::learned(game, network))
}

/// The terms of the engine's evaluation of an undecided position, for the side to move. The counts do not
/// depend on the weights, so that weights can be fitted to games.
#[must_use]
pub fn terms(game: &AnyGame) -> Vec<Term> {
    fn terms<P: Position, E: Evaluator<P>>(_: &Kit<P, E>, position: &P) -> Vec<Term> {
        let evaluator = E::new(position);
        evaluator.terms(position, &evaluator.init(position))
    }
    with_players!(game, game, kit => terms(&kit, game.position()))
}

/// With more empty cells than this, a proof takes too long.
const MOST_EMPTY_CELLS: u32 = 36;
/// With at most this many empty cells, a proof takes no noticeable time.
pub(crate) const AT_ONCE_EMPTY_CELLS: u32 = 24;

/// The answer if there was no time to search: a move that wins, or one that does not lose at once.
fn without_thinking<M: Move>(root: &dyn BoardRoot<M>, question: &Question<M>) -> Line<M> {
    let m = match question {
        Question::BestOf(moves, _) => moves[0],
        Question::Best => {
            let here = root.walk();
            here.win().unwrap_or_else(|| here.candidates()[0])
        }
    };
    Line { value: 0, moves: vec![m], to_the_end: None }
}
