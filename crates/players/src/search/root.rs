//! The position to search with its evaluator and accumulator, which are computed once: on the largest boards
//! that takes long.

use rules::{Game, Position};

use crate::eval::Evaluator;

pub(crate) struct Root<'a, P: Position, E: Evaluator<P>> {
    pub(crate) game: &'a Game<P>,
    pub(crate) evaluator: E,
    pub(crate) accumulator: E::Accumulator,
}

impl<'a, P: Position, E: Evaluator<P>> Root<'a, P, E> {
    pub(crate) fn new(game: &'a Game<P>) -> Self {
        let evaluator = E::new(game.position());
        let accumulator = evaluator.init(game.position());
        Self { game, evaluator, accumulator }
    }

    pub(crate) fn position(&self) -> &'a P {
        self.game.position()
    }

    /// A move that wins at once, if there is one.
    pub(crate) fn win(&self) -> Option<P::Move> {
        self.evaluator.win(self.position(), &self.accumulator)
    }

    /// The moves to search if none wins at once, highest score first.
    pub(crate) fn candidates(&self) -> Vec<P::Move> {
        self.evaluator.candidates(self.position(), &self.accumulator)
    }
}
