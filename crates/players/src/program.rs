//! A player of any game behind one type.

use std::time::Duration;

use rules::{AnyGame, Board};

use crate::{
    control::Stop,
    opening,
    player::{NoMove, Player},
    thought::Thought,
};

/// A player behind one type for all games. Each is made for one kind of game and asked only about that.
pub struct Program {
    choose: Box<Choose>,
    thinking_time: Duration,
    /// The seed of its choices in openings; `None` if it plays openings by itself.
    seed: Option<u64>,
}

type Choose = dyn FnMut(&AnyGame, &Stop) -> Result<Thought<String>, NoMove> + Send;

impl Program {
    /// Wraps a player, which is asked only about the kind of game that it plays. The player knows nothing of openings; the
    /// program chooses there by assessment.
    pub fn new<P: Board>(mut player: impl Player<P> + 'static) -> Self {
        let thinking_time = player.thinking_time();
        let choose = move |game: &AnyGame, stop: &Stop| {
            let typed = game.typed::<P>().expect("a program is asked about the kind of game it was made for");
            Ok(player.choose(typed, stop)?.to_text().seen_in(game))
        };
        Self { choose: Box::new(choose), thinking_time, seed: Some(0) }
    }

    /// The same with another seed of the stones that it places in openings.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Self {
        Self { seed: self.seed.map(|_| seed), ..self }
    }

    /// An external program: anything that answers with a legal move.
    pub fn from_fn(
        choose: impl FnMut(&AnyGame, &Stop) -> Result<Thought<String>, NoMove> + Send + 'static,
    ) -> Self {
        Self { choose: Box::new(choose), thinking_time: Duration::ZERO, seed: None }
    }

    /// Chooses a move and explains it. The game must not be over.
    ///
    /// # Errors
    /// If it was stopped before it had a move; an external program may also fail.
    pub fn choose(&mut self, game: &AnyGame, stop: &Stop) -> Result<Thought<String>, NoMove> {
        match self.seed {
            Some(seed) => opening::choose(game, seed, stop, &mut self.choose),
            None => (self.choose)(game, stop),
        }
    }

    /// Chooses a move on the board as if the opening were over.
    pub(crate) fn on_board(&mut self, game: &AnyGame, stop: &Stop) -> Result<Thought<String>, NoMove> {
        (self.choose)(game, stop)
    }

    /// Minimum time that the player seems to think when people watch.
    #[must_use]
    pub fn thinking_time(&self) -> Duration {
        self.thinking_time
    }
}
