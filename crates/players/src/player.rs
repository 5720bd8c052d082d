//! The trait [`Player`]: asked for a move, it answers with a [`Thought`] that explains itself.

use std::time::Duration;

use rules::{Game, Position};
use thiserror::Error;

use crate::{
    control::{Stop, Stopped},
    thought::Thought,
};

/// Chooses moves of one game.
pub trait Player<P: Position>: Send {
    /// Chooses a move and explains it. The game must not be over.
    ///
    /// # Errors
    /// If it was stopped before it had a move.
    fn choose(&mut self, game: &Game<P>, stop: &Stop) -> Result<Thought<P::Move>, Stopped>;

    /// Minimum time that the player seems to think when people watch.
    fn thinking_time(&self) -> Duration {
        Duration::ZERO
    }
}

/// Why a program gave no move.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum NoMove {
    /// It was cancelled.
    #[error("the program was stopped")]
    Stopped,
    /// It failed, for this reason.
    #[error("{0}")]
    Failed(String),
}

impl From<Stopped> for NoMove {
    fn from(Stopped: Stopped) -> Self {
        Self::Stopped
    }
}

/// A player of one kind of game, whichever it is.
pub(crate) type BoxedPlayer<P> = Box<dyn Player<P>>;

impl<P: Position, T: Player<P> + ?Sized> Player<P> for Box<T> {
    fn choose(&mut self, game: &Game<P>, stop: &Stop) -> Result<Thought<P::Move>, Stopped> {
        (**self).choose(game, stop)
    }

    fn thinking_time(&self) -> Duration {
        (**self).thinking_time()
    }
}
