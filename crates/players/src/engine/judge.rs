//! What the search asks about a game.

use rules::Position;

/// Knows one game well enough to play it.
pub(crate) trait Judge<P: Position>: Send + Sync {
    /// What a position without end is worth for the side to move; within ± [`LIMIT`].
    fn evaluate(&self, position: &P) -> i32;

    /// A move that wins at once, if there is one.
    fn winning_move(&self, position: &P) -> Option<P::Move>;

    /// Fills `moves` with those worth trying, the likely ones first: all legal moves but those that
    /// are proved to lose at once, unless all do. The side to move has no winning move.
    fn candidates(&self, position: &P, moves: &mut Vec<P::Move>) -> Urgency;

    /// A number below [`MOVE_NUMBERS`] that no other move has, for tables of moves.
    fn number(&self, m: P::Move) -> u16;
}

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
