//! A game that is thought about, and what is seen in it at first sight: looking anew takes long on the
//! largest boards.

use rules::Game;

use super::{Judge, Judged};

/// What a judge sees in a position of a game.
pub(crate) type SightOf<P> = <<P as Judged>::Judge as Judge<P>>::Sight;

/// A game with its judge and what that sees where it stands.
pub(crate) struct Root<'a, P: Judged> {
    pub(crate) game: &'a Game<P>,
    pub(crate) judge: P::Judge,
    pub(crate) sight: SightOf<P>,
}

impl<'a, P: Judged> Root<'a, P> {
    pub(crate) fn new(game: &'a Game<P>) -> Self {
        let judge = game.position().judge();
        let sight = judge.see(game.position());
        Self { game, judge, sight }
    }

    pub(crate) fn position(&self) -> &'a P {
        self.game.position()
    }

    /// A move that wins at once, if there is one.
    pub(crate) fn win(&self) -> Option<P::Move> {
        self.judge.win(self.position(), &self.sight)
    }

    /// The moves worth trying where none wins at once, the likely ones first.
    pub(crate) fn candidates(&self) -> Vec<P::Move> {
        self.judge.candidates(self.position(), &self.sight)
    }
}
