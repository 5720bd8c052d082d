//! What the search asks about a game.

use rules::Position;

use crate::Term;

/// Knows one game well enough to play it.
pub(crate) trait Judge<P: Position>: Send + Sync {
    /// Of each thing that is worth points: how much more the side to move has than its rival.
    fn counts(&self, position: &P) -> impl AsRef<[i32]>;

    /// What is counted, in the same order, and the points for one.
    fn weights(&self, position: &P) -> &'static [Weight];

    /// A move that wins at once, if there is one.
    fn winning_move(&self, position: &P) -> Option<P::Move>;

    /// Fills `moves` with those worth trying, the likely ones first: all legal moves but those that
    /// are proved to lose at once, unless all do. The side to move has no winning move.
    fn candidates(&self, position: &P, moves: &mut Vec<P::Move>) -> Urgency;

    /// A number below [`MOVE_NUMBERS`] that no other move has, for tables of moves.
    fn number(&self, m: P::Move) -> u16;

    // The rest follows from the above and is not meant to be overridden.

    /// What a position without end is worth for the side to move; within ± [`LIMIT`].
    #[inline]
    fn evaluate(&self, position: &P) -> i32 {
        let counts = self.counts(position);
        let points =
            counts.as_ref().iter().zip(self.weights(position)).map(|(count, (_, weight))| count * weight);
        points.sum::<i32>().clamp(-LIMIT, LIMIT)
    }

    /// The same, readable.
    #[cfg_attr(not(test), allow(dead_code, reason = "for explanations and for tuning"))]
    fn terms(&self, position: &P) -> Vec<Term> {
        let counts = self.counts(position);
        let weighed = counts.as_ref().iter().zip(self.weights(position));
        weighed
            .map(|(&count, &(name, weight))| Term { name, count: count.into(), weight: weight.into() })
            .collect()
    }
}

/// The name of what is counted, and the points for one.
pub(crate) type Weight = (&'static str, i32);

/// No evaluation is larger; proofs are.
pub(crate) const LIMIT: i32 = 20_000;

/// How many numbers moves may have.
pub(crate) const MOVE_NUMBERS: usize = 1 << 13;

/// Whether the side to move is free to choose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Urgency {
    /// The rival does not threaten to win with the next move.
    Quiet,
    /// The rival does, and the candidates are what may help.
    Forced,
}
