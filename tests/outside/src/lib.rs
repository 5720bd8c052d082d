//! A player written outside of Alinea: it wins if it can and otherwise prefers the centre.

use alinea_players::{Player, Reason, Stop, Stopped, Thought};
use alinea_rules::{Column, ConnectFour, Game, Geometry, Outcome, Position};

/// Wins if it can and otherwise prefers the centre.
#[derive(Clone, Copy, Debug, Default)]
pub struct Central;

impl<G: Geometry> Player<ConnectFour<G>> for Central {
    fn choose(&mut self, game: &Game<ConnectFour<G>>, stop: &Stop) -> Result<Thought<Column>, Stopped> {
        stop.check()?;
        let position = game.position();
        let wins = |&m: &Column| position.after(m).outcome() == Some(Outcome::Win(position.turn()));
        if let Some(m) = position.legal_moves().find(wins) {
            return Ok(Thought::new(m, vec![m], vec![Reason::Win]));
        }
        let middle = position.geometry().cols() / 2;
        let m =
            position.legal_moves().min_by_key(|m| m.index().abs_diff(middle)).expect("the game is not over");
        let mut thought = Thought::new(m, vec![m], vec![Reason::Centre]);
        thought.nodes = 1;
        Ok(thought)
    }
}
