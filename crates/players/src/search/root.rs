//! The position to search with its evaluator and accumulator, which are computed once: on the largest boards
//! that takes long.
//!
//! Code that does not run at every node uses it as a [`SearchRoot`], whose type depends only on the type of
//! moves, so that this code is compiled once for all boards of a game.

use rules::{Board, Cell, Game, Move, Outcome, Position, Side};
use solver::{Solver, StopSignal};

use super::{
    Ended, RepetitionHistory, SearchControl, ThreadSearch,
    table::{Table, TtEntry},
};
use crate::{
    eval::{BoardEvaluator, Evaluator, Solved},
    network::Network,
    thought::Term,
};

pub(crate) struct Root<'a, P: Position, E: Evaluator<P>> {
    pub(crate) game: &'a Game<P>,
    pub(crate) evaluator: E,
    pub(crate) accumulator: E::Accumulator,
}

impl<'a, P: Position, E: Evaluator<P>> Root<'a, P, E> {
    pub(crate) fn new(game: &'a Game<P>) -> Self {
        Self::with(game, E::new(game.position()))
    }

    fn with(game: &'a Game<P>, evaluator: E) -> Self {
        let accumulator = evaluator.init(game.position());
        Self { game, evaluator, accumulator }
    }

    pub(crate) fn position(&self) -> &'a P {
        self.game.position()
    }
}

impl<'a, P: Board, E: BoardEvaluator<P>> Root<'a, P, E> {
    /// A root that is evaluated with learned weights, if there are any.
    pub(crate) fn learned(game: &'a Game<P>, network: Option<&'static Network>) -> Self {
        let evaluator = E::new(game.position());
        let evaluator = match network {
            Some(network) => evaluator.learned(network),
            None => evaluator,
        };
        Self::with(game, evaluator)
    }
}

/// A position to search, with the game that led to it.
pub(crate) trait SearchRoot<M: Move>: Sync {
    /// The position, to follow lines from it.
    fn walk(&self) -> Box<dyn Walk<M> + '_>;

    /// Creates a search of the position.
    fn search<'a>(&'a self, table: &'a Table, control: &'a SearchControl<'a>) -> Box<dyn RootSearch<M> + 'a>;

    /// The keys of all positions of the game that may draw by repetition.
    fn repeating_keys(&self) -> Vec<u64>;

    /// See [`Evaluator::plies_left`].
    fn plies_left(&self) -> u32;
}

/// A position of a game of the table, with all that the engine wants to know about it.
pub(crate) trait BoardRoot<M: Move>: SearchRoot<M> {
    /// An upper bound of the number of ways in which pieces can stand on the board: each cell is empty or holds a piece
    /// of either side.
    fn arrangements(&self) -> usize;

    /// The threats of a side after these moves; see [`BoardEvaluator::threats`].
    fn threats_after(&self, moves: &[M], side: Side) -> Vec<Cell>;

    /// The cell of the winning line that the last of these moves filled, and the line; `None` if no side has won.
    fn line_after(&self, moves: &[M]) -> Option<(Cell, Vec<Cell>)>;

    /// See [`BoardEvaluator::book_move`].
    fn book_move(&self) -> Option<(M, u32)>;

    /// See [`BoardEvaluator::solve`].
    fn solve(&self, solver: &mut Solver, stop: &dyn StopSignal) -> Option<Solved<M>>;
}

impl<P: Position, E: Evaluator<P>> SearchRoot<P::Move> for Root<'_, P, E> {
    fn walk(&self) -> Box<dyn Walk<P::Move> + '_> {
        let (position, accumulator) = (self.position().clone(), self.accumulator.clone());
        Box::new(Walked { evaluator: &self.evaluator, position, accumulator })
    }

    fn search<'a>(
        &'a self,
        table: &'a Table,
        control: &'a SearchControl<'a>,
    ) -> Box<dyn RootSearch<P::Move> + 'a> {
        let before = &self.game.positions()[..self.game.moves().len()];
        let repetitions = RepetitionHistory::new(before);
        let search =
            ThreadSearch::<P, E>::new(&self.evaluator, table, control, repetitions, self.accumulator.clone());
        Box::new((search, self.position()))
    }

    fn repeating_keys(&self) -> Vec<u64> {
        let repeats = |position: &&P| position.draws_when_seen().is_some();
        self.game.positions().iter().filter(repeats).map(Position::key).collect()
    }

    fn plies_left(&self) -> u32 {
        self.evaluator.plies_left(self.position())
    }
}

impl<P: Position, E: Evaluator<P>> Root<'_, P, E> {
    /// The position after these legal moves.
    fn after(&self, moves: &[P::Move]) -> P {
        let mut position = self.position().clone();
        moves.iter().for_each(|&m| position.play_unchecked(m));
        position
    }
}

impl<P: Board, E: BoardEvaluator<P>> BoardRoot<P::Move> for Root<'_, P, E> {
    fn arrangements(&self) -> usize {
        let (rows, cols) = (self.position().rows(), self.position().cols());
        (1 + 2 * P::info().pieces.len()).saturating_pow(u32::from(rows) * u32::from(cols))
    }

    fn threats_after(&self, moves: &[P::Move], side: Side) -> Vec<Cell> {
        self.evaluator.threats(&self.after(moves), side)
    }

    fn line_after(&self, moves: &[P::Move]) -> Option<(Cell, Vec<Cell>)> {
        let position = self.after(moves);
        let (touched, line) = (position.touched(*moves.last()?).pop()?, position.line()?);
        // Where a column falls, the line forms above the cell that was touched.
        let fallen = line.iter().find(|cell| cell.column == touched.column);
        let cell = if line.contains(&touched) { touched } else { fallen.copied().unwrap_or(touched) };
        Some((cell, line))
    }

    fn book_move(&self) -> Option<(P::Move, u32)> {
        self.evaluator.book_move(self.position())
    }

    fn solve(&self, solver: &mut Solver, stop: &dyn StopSignal) -> Option<Solved<P::Move>> {
        self.evaluator.solve(self.position(), solver, stop)
    }
}

/// A search of a root.
pub(crate) trait RootSearch<M> {
    /// See [`ThreadSearch::root`].
    fn root(&mut self, depth: u32, guess: i32, first: Option<M>) -> Result<(i32, Vec<M>), Ended>;
    /// See [`ThreadSearch::root_of`].
    fn root_of(&mut self, moves: &[M], depth: u32, guess: i32) -> Result<(i32, Vec<M>), Ended>;
    /// See [`ThreadSearch::unfinished`].
    fn unfinished(&self) -> Option<(i32, Vec<M>)>;
    /// The number of nodes searched.
    fn nodes(&self) -> u64;
}

impl<P: Position, E: Evaluator<P>> RootSearch<P::Move> for (ThreadSearch<'_, P, E>, &P) {
    fn root(&mut self, depth: u32, guess: i32, first: Option<P::Move>) -> Result<(i32, Vec<P::Move>), Ended> {
        self.0.root(self.1, depth, guess, first)
    }

    fn root_of(&mut self, moves: &[P::Move], depth: u32, guess: i32) -> Result<(i32, Vec<P::Move>), Ended> {
        self.0.root_of(self.1, moves, depth, guess)
    }

    fn unfinished(&self) -> Option<(i32, Vec<P::Move>)> {
        self.0.unfinished()
    }

    fn nodes(&self) -> u64 {
        self.0.nodes
    }
}

/// A position on a line from a root.
pub(crate) trait Walk<M> {
    /// A copy, to follow another line.
    fn fork(&self) -> Box<dyn Walk<M> + '_>;
    /// Plays a legal move.
    fn step(&mut self, m: M);
    fn turn(&self) -> Side;
    fn outcome(&self) -> Option<Outcome>;
    fn key(&self) -> u64;
    /// See [`Position::draws_when_seen`].
    fn draws_when_seen(&self) -> Option<usize>;
    fn legal_moves(&self) -> Vec<M>;
    /// See [`Evaluator::win`].
    fn win(&self) -> Option<M>;
    /// See [`Evaluator::candidates`].
    fn candidates(&self) -> Vec<M>;
    /// See [`Evaluator::terms`]; empty unless the evaluator [has terms](Evaluator::has_terms).
    fn terms(&self) -> Vec<Term>;
    /// The best move of an entry in the table that satisfies a condition.
    fn stored(&self, table: &Table, is_sure: &dyn Fn(TtEntry) -> bool) -> Option<M>;
}

struct Walked<'a, P: Position, E: Evaluator<P>> {
    evaluator: &'a E,
    position: P,
    accumulator: E::Accumulator,
}

impl<P: Position, E: Evaluator<P>> Walk<P::Move> for Walked<'_, P, E> {
    fn fork(&self) -> Box<dyn Walk<P::Move> + '_> {
        let (position, accumulator) = (self.position.clone(), self.accumulator.clone());
        Box::new(Walked { evaluator: self.evaluator, position, accumulator })
    }

    fn step(&mut self, m: P::Move) {
        (self.position, self.accumulator) = self.evaluator.step(&self.position, &self.accumulator, m);
    }

    fn turn(&self) -> Side {
        self.position.turn()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.position.outcome()
    }

    fn key(&self) -> u64 {
        self.position.key()
    }

    fn draws_when_seen(&self) -> Option<usize> {
        self.position.draws_when_seen()
    }

    fn legal_moves(&self) -> Vec<P::Move> {
        self.position.legal_moves().collect()
    }

    fn win(&self) -> Option<P::Move> {
        self.evaluator.win(&self.position, &self.accumulator)
    }

    fn candidates(&self) -> Vec<P::Move> {
        self.evaluator.candidates(&self.position, &self.accumulator)
    }

    fn terms(&self) -> Vec<Term> {
        if !self.evaluator.has_terms() {
            return Vec::new();
        }
        self.evaluator.terms(&self.position, &self.accumulator)
    }

    fn stored(&self, table: &Table, is_sure: &dyn Fn(TtEntry) -> bool) -> Option<P::Move> {
        let tt_key = self.evaluator.tt_key(&self.position);
        let entry = table.get(tt_key.key).filter(|&entry| is_sure(entry))?;
        let best = tt_key.number(self.evaluator, entry.best);
        self.legal_moves().into_iter().find(|&m| self.evaluator.number(&self.position, m) == best)
    }
}
