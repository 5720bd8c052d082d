//! `random`: every legal move with the same probability, in all games.

use rules::{Game, Position};

use crate::{Player, Reason, Stop, Stopped, Thought};

/// Plays random legal moves.
pub(crate) struct Random {
    pub(crate) rng: fastrand::Rng,
}

impl<P: Position> Player<P> for Random {
    fn choose(&mut self, game: &Game<P>, _stop: &Stop) -> Result<Thought<P::Move>, Stopped> {
        Ok(Thought::at_random(game.legal_moves().collect(), &mut self.rng, vec![Reason::Random]))
    }
}
