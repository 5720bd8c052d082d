//! A game in progress: all positions from the start, so that it knows repetitions and can take back moves.

use crate::{Outcome, PlayError, Position, Side};

/// A game with its history.
#[derive(PartialEq, Eq, Debug)]
pub struct Game<P: Position> {
    /// The start and the position after each move: one more than there are moves.
    positions: Vec<P>,
    moves: Vec<P::Move>,
}

/// Spare capacity of a copy, because most copies are played on.
const ROOM: usize = 15;

impl<P: Position> Clone for Game<P> {
    fn clone(&self) -> Self {
        let mut positions = Vec::with_capacity(self.positions.len() + ROOM);
        positions.extend_from_slice(&self.positions);
        let mut moves = Vec::with_capacity(self.moves.len() + ROOM);
        moves.extend_from_slice(&self.moves);
        Self { positions, moves }
    }
}

impl<P: Position> Game<P> {
    /// A game that begins at this position.
    #[must_use]
    pub fn new(start: P) -> Self {
        Self { positions: vec![start], moves: Vec::new() }
    }

    /// The position at the start.
    #[must_use]
    pub fn start(&self) -> &P {
        &self.positions[0]
    }

    /// The current position.
    #[must_use]
    pub fn position(&self) -> &P {
        self.positions.last().expect("a game has a start")
    }

    /// The start and the position after each move.
    #[must_use]
    pub fn positions(&self) -> &[P] {
        &self.positions
    }

    /// The moves since the start.
    #[must_use]
    pub fn moves(&self) -> &[P::Move] {
        &self.moves
    }

    /// The side to move, or that would be if the game were not over.
    #[must_use]
    pub fn turn(&self) -> Side {
        self.position().turn()
    }

    /// How the game ended, if it has: by its position or by repetition.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        let position = self.position();
        position.outcome().or_else(|| {
            let key = position.key();
            let seen = || self.positions.iter().filter(|earlier| earlier.key() == key).count();
            position.draws_when_seen().filter(|&often| seen() >= often).map(|_| Outcome::Draw)
        })
    }

    /// The legal moves.
    pub fn legal_moves(&self) -> impl Iterator<Item = P::Move> {
        let moves: Vec<_> =
            if self.outcome().is_none() { self.position().legal_moves().collect() } else { Vec::new() };
        moves.into_iter()
    }

    /// Plays a move.
    ///
    /// # Errors
    /// If it is not legal; the game is then unchanged.
    pub fn play(&mut self, m: P::Move) -> Result<(), PlayError> {
        if let Some(outcome) = self.outcome() {
            return Err(PlayError::GameOver(outcome));
        }
        let mut next = self.position().clone();
        next.play(m)?;
        self.positions.push(next);
        self.moves.push(m);
        Ok(())
    }

    /// Takes the last move back and returns it.
    pub fn take_back(&mut self) -> Option<P::Move> {
        let m = self.moves.pop()?;
        self.positions.pop();
        Some(m)
    }
}
