//! The three levels: easy plays at random but blocks, medium searches three plies, hard five and uses the
//! opening book.

use std::time::Duration;

use rules::{ChessFive, ChessFiveMove, Game, Outcome, Position, Side};

use super::{
    book,
    evaluation::{Evaluation, long_lines},
    look_ahead::look_ahead,
    threats::threatens,
};
use crate::{Player, Reason, Stop, Stopped, Thought};

/// The level of play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Level {
    Easy,
    Medium,
    Hard,
}

pub(crate) struct ChessFiveLevel {
    pub(crate) level: Level,
    pub(crate) rng: fastrand::Rng,
}

/// The levels' search with any depth, for measurements.
pub(crate) struct ChessFiveSearch {
    pub(crate) depth: u32,
}

impl Player<ChessFive> for ChessFiveSearch {
    fn choose(&mut self, game: &Game<ChessFive>, stop: &Stop) -> Result<Thought<ChessFiveMove>, Stopped> {
        look_ahead(game.position(), self.depth, stop)
    }
}

impl Player<ChessFive> for ChessFiveLevel {
    fn choose(&mut self, game: &Game<ChessFive>, stop: &Stop) -> Result<Thought<ChessFiveMove>, Stopped> {
        let position = game.position();
        match self.level {
            Level::Easy => Ok(self.choose_easily(position)),
            Level::Medium => look_ahead(position, 3, stop),
            Level::Hard => {
                let mut thought = match book::find(position) {
                    Some(m) => {
                        let terms = Evaluation::of(&position.after(m), position.turn()).terms();
                        let reasons = vec![Reason::Book { depth: book::DEPTH }, Reason::Evaluation { terms }];
                        Thought::new(m, vec![m], reasons)
                    }
                    None => look_ahead(position, 5, stop)?,
                };
                thought.reasons.extend(lines_after(&position.after(thought.chosen)));
                Ok(thought)
            }
        }
    }

    fn thinking_time(&self) -> Duration {
        Duration::from_millis(match self.level {
            Level::Easy => 500,
            Level::Medium => 1000,
            Level::Hard => 2000,
        })
    }
}

impl ChessFiveLevel {
    fn choose_easily(&mut self, position: &ChessFive) -> Thought<ChessFiveMove> {
        let moves: Vec<_> = position.legal_moves().collect();
        let opponent = position.turn().other();
        if position.is_chess_phase() && threatens(position, opponent) {
            let blocks = |&m: &ChessFiveMove| {
                let after = position.after(m);
                // Winning also counts as blocking.
                after.outcome() == Some(Outcome::Win(opponent.other())) || !threatens(&after, opponent)
            };
            let blocking: Vec<_> = moves.iter().copied().filter(blocks).collect();
            if !blocking.is_empty() {
                return Thought::at_random(blocking, &mut self.rng, vec![Reason::Block]);
            }
        }
        Thought::at_random(moves, &mut self.rng, vec![Reason::Random])
    }
}

/// The lines of three and more of both sides.
fn lines_after(position: &ChessFive) -> Vec<Reason> {
    let of =
        |side| long_lines(position.pieces(side)).into_iter().map(move |cells| Reason::Line { side, cells });
    Side::BOTH.into_iter().flat_map(of).collect()
}
