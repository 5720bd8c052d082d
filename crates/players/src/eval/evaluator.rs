//! The trait [`Evaluator`]: everything the search asks about one game; and what the engine asks besides.

use std::{borrow::Cow, cmp::Ordering};

use rules::{Board, Cell, Outcome, Position, Side};
use solver::{Solver, StopSignal};

use crate::{
    network::Network,
    sort::sort_by_key,
    thought::{Proven, Term},
};

/// Knows one game well enough to search it: evaluates positions, generates and orders moves, detects wins.
///
/// Five items are required; the defaults of the others follow from the rules of the game, and are slower than what an
/// evaluator can know. An evaluator is made for one board (its size does not change) and carries an incremental
/// [`Accumulator`](Evaluator::Accumulator) along the line being searched.
pub trait Evaluator<P: Position>: Send + Sync + Sized + 'static {
    /// Data about a position that is updated move by move instead of computed anew; `()` if there is none.
    type Accumulator: Clone + Send + Sync;

    /// Whether the answer to a threat costs no depth, so that an exchange of threats does not use up the
    /// depth of a search. Set it to false in games where threats can continue without end.
    const ANSWERS_ARE_FREE: bool = true;

    /// Whether a move can end the game with a win of the opponent, and proofs should count such ends exactly.
    const LOSER_MAY_END: bool = false;

    /// For how many plies beyond its depth a search tries [`Evaluator::attacks`].
    const ATTACKING_PLIES: i32 = 0;

    /// How many nodes a search of [`Evaluator::forcing`] moves takes at the horizon; 0 if there are no such moves.
    const FORCING_NODES: u32 = 0;

    /// By how many points one more ply of search may change an evaluation; 0 if that is not known. With a margin, the search
    /// believes evaluations so far from what matters that the plies left will not make up for it, and leaves out late moves
    /// near the horizon. Proofs leave nothing out.
    const MARGIN: i32 = 0;

    /// Makes the evaluator for the board of this position.
    fn new(position: &P) -> Self;

    /// Computes the accumulator of a position from scratch.
    fn init(&self, position: &P) -> Self::Accumulator;

    /// Returns the count of each evaluation term for the side to move, minus the same for its opponent.
    fn counts(&self, position: &P, accumulator: &Self::Accumulator) -> impl AsRef<[i32]>;

    /// Returns the name and the weight of each term, in the order of [`Evaluator::counts`].
    fn weights(&self, position: &P) -> &'static [Weight];

    /// Computes the accumulator after a legal move: equal to [`Evaluator::init`] of `next`, at less cost.
    fn update(
        &self,
        _accumulator: &Self::Accumulator,
        _position: &P,
        _m: P::Move,
        next: &P,
    ) -> Self::Accumulator {
        self.init(next)
    }

    /// Returns the accumulator with all that [`Evaluator::update`] has put off, before moves are searched from it: what is put
    /// off costs nothing in positions that are never evaluated, and is done once for all moves.
    fn settled<'a>(&self, accumulator: &'a Self::Accumulator) -> Cow<'a, Self::Accumulator> {
        Cow::Borrowed(accumulator)
    }

    /// Returns the value of an undecided position for the side to move, within ± [`LIMIT`]: the weighted counts, unless the
    /// evaluator knows better.
    #[inline]
    fn evaluate(&self, position: &P, accumulator: &Self::Accumulator) -> i32 {
        self.weigh(position, accumulator)
    }

    /// Whether the terms tell what a value is made of: not where [`Evaluator::evaluate`] may be more than their sum.
    fn has_terms(&self) -> bool {
        true
    }

    /// Returns a move that wins at once, if there is one.
    fn win(&self, position: &P, _accumulator: &Self::Accumulator) -> Option<P::Move> {
        winning_move(position)
    }

    /// Returns what the opponent threatens. [`Urgency::Quiet`] is always correct.
    fn urgency(&self, _position: &P, _accumulator: &Self::Accumulator) -> Urgency {
        Urgency::Quiet
    }

    /// Appends the moves to search, at least one: all legal moves except those proved to lose. If the opponent threatens
    /// nothing, [`Evaluator::others`] may be left out too. The side to move has no winning move.
    fn generate(&self, position: &P, _accumulator: &Self::Accumulator, moves: &mut Vec<ScoredMove<P::Move>>) {
        moves.extend(position.legal_moves().map(ScoredMove::plain));
    }

    /// Appends the legal moves that [`Evaluator::generate`] left out, given those it appended, except those proved to lose
    /// at once. Where the opponent threatens nothing, they are searched if all others lose, so that no proof leaves a move
    /// out.
    fn others(&self, _position: &P, _accumulator: &Self::Accumulator, _moves: &mut Vec<ScoredMove<P::Move>>) {
    }

    /// Appends moves that threaten to win at once, for a search of wins by such moves alone. The side to move has no
    /// winning move. Any moves will do: the search believes only what the replies leave no doubt of.
    fn forcing(
        &self,
        _position: &P,
        _accumulator: &Self::Accumulator,
        _moves: &mut Vec<ScoredMove<P::Move>>,
    ) {
    }

    /// Appends the moves that may create a threat, for the extension at the horizon. Neither side can
    /// win at once.
    fn attacks(&self, _position: &P, _moves: &mut Vec<ScoredMove<P::Move>>) {}

    /// Returns a number below [`MOVE_NUMBERS`] that is unique among the moves of the position, to index tables of
    /// moves. Moves of other positions with the same effect have the same number where possible.
    fn number(&self, position: &P, m: P::Move) -> u16 {
        position.legal_moves().position(|legal| legal == m).unwrap_or_default() as u16
    }

    /// Returns an upper bound of the number of plies until the game ends; `u32::MAX` if none is known.
    fn plies_left(&self, _position: &P) -> u32 {
        u32::MAX
    }

    /// Returns the key of a position in the transposition table. Positions that differ only in their history share
    /// a key; so may mirror images.
    fn tt_key(&self, position: &P) -> TtKey {
        TtKey::plain(position.key())
    }

    /// Returns the number of the mirrored move, for evaluators that use [`TtKey::shared`].
    fn mirrored(&self, number: u16) -> u16 {
        number
    }

    // The rest follows from the above and is not meant to be overridden.

    /// Returns the weighted counts, within ± [`LIMIT`].
    #[inline]
    fn weigh(&self, position: &P, accumulator: &Self::Accumulator) -> i32 {
        let counts = self.counts(position, accumulator);
        let weighted = counts.as_ref().iter().zip(self.weights(position));
        weighted.map(|(count, (_, weight))| count * weight).sum::<i32>().clamp(-LIMIT, LIMIT)
    }

    /// Returns the terms that add up to [`Evaluator::weigh`].
    fn terms(&self, position: &P, accumulator: &Self::Accumulator) -> Vec<Term> {
        let counts = self.counts(position, accumulator);
        let weighted = counts.as_ref().iter().zip(self.weights(position));
        weighted
            .map(|(&count, &(name, weight))| Term {
                name: name.into(),
                count: count.into(),
                weight: weight.into(),
            })
            .collect()
    }

    /// Returns the legal moves that are not proved to lose at once, highest score first.
    fn candidates(&self, position: &P, accumulator: &Self::Accumulator) -> Vec<P::Move> {
        let mut moves = Vec::new();
        self.generate(position, accumulator, &mut moves);
        self.others(position, accumulator, &mut moves);
        highest_first(moves)
    }

    /// Returns the position after a legal move, and its accumulator.
    fn step(&self, position: &P, accumulator: &Self::Accumulator, m: P::Move) -> (P, Self::Accumulator) {
        let next = position.after(m);
        let accumulator = self.update(accumulator, position, m, &next);
        (next, accumulator)
    }
}

/// What the engine asks about a game of the table besides the search: for its reasons, its book and its proofs.
pub(crate) trait BoardEvaluator<P: Board>: Evaluator<P> {
    /// The cells where a side would win at once if it were its turn, in the order of cells. May be empty for
    /// the side that is not to move if the evaluator cannot tell. The game must not be over.
    fn threats(&self, position: &P, side: Side) -> Vec<Cell>;

    /// The evaluator with learned weights, if it can use them on this board.
    #[must_use]
    fn learned(self, _network: &'static Network) -> Self {
        self
    }

    /// The move of the game's opening book and the depth it was searched to, if the book has the position.
    fn book_move(&self, _position: &P) -> Option<(P::Move, u32)> {
        None
    }

    /// Asks the solver what it can prove before the flag is set; `None` if the solver does not support the
    /// position.
    fn solve(&self, _position: &P, _solver: &mut Solver, _stop: &dyn StopSignal) -> Option<Solved<P::Move>> {
        None
    }
}

/// The moves, highest score first; of equal ones, in their order.
fn highest_first<M>(mut moves: Vec<ScoredMove<M>>) -> Vec<M> {
    sort_by_key(&mut moves, |scored| std::cmp::Reverse(scored.score));
    moves.into_iter().map(|scored| scored.m).collect()
}

/// A legal move that wins at once, by the rules alone.
pub(super) fn winning_move<P: Position>(position: &P) -> Option<P::Move> {
    position.legal_moves().find(|&m| position.after(m).outcome() == Some(Outcome::Win(position.turn())))
}

/// A generated move with its ordering score.
#[derive(Clone, Copy, Debug)]
pub struct ScoredMove<M> {
    /// The move.
    pub m: M,
    /// Moves with a higher score are searched earlier.
    pub score: i32,
}

impl<M> ScoredMove<M> {
    /// A move with a neutral score.
    pub fn plain(m: M) -> Self {
        Self { m, score: 0 }
    }
}

/// What the solver proved about a position.
pub(crate) struct Solved<M> {
    /// The moves that may be best, as far as the proof goes.
    pub(crate) moves: Vec<M>,
    /// The result of the position, if it is proved.
    pub(crate) result: Option<Proven>,
}

/// The key of a position in the transposition table. The upper bits choose the slot, so they must be well mixed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TtKey {
    pub(crate) key: u64,
    pub(crate) orientation: Orientation,
}

/// Whether a position is stored as it is or as its mirror image.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Orientation {
    /// As it is.
    Plain,
    /// As its mirror image.
    Mirrored,
    /// It is its own mirror image.
    Symmetric,
}

impl TtKey {
    /// The key of a position that shares it with no other.
    #[must_use]
    pub fn plain(key: u64) -> Self {
        Self { key, orientation: Orientation::Plain }
    }

    /// One key for a position and its mirror image, from the keys of both.
    #[must_use]
    pub fn shared(key: u64, image: u64) -> Self {
        let orientation = match key.cmp(&image) {
            Ordering::Less => Orientation::Plain,
            Ordering::Equal => Orientation::Symmetric,
            Ordering::Greater => Orientation::Mirrored,
        };
        Self { key: key.min(image), orientation }
    }

    /// Converts the number of a move to the one stored in the table, or back.
    #[inline]
    pub(crate) fn number<P: Position>(self, evaluator: &impl Evaluator<P>, number: u16) -> u16 {
        if self.orientation == Orientation::Mirrored { evaluator.mirrored(number) } else { number }
    }
}

/// Fibonacci hashing multiplier.
pub(crate) const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// Beyond this ply, games with falling pieces hardly ever reach both a position and its mirror image.
pub(crate) const IMAGE_PLIES: u16 = 12;

/// The name of an evaluation term, and its points per unit.
pub type Weight = (&'static str, i32);

/// The greatest evaluation; the values of proven results are greater.
pub const LIMIT: i32 = 20_000;

/// Upper bound of the numbers of moves; see [`Evaluator::number`].
pub const MOVE_NUMBERS: usize = 1 << 14;

/// The greatest depth of a search: entries of the transposition table store it in a byte.
pub const MAX_DEPTH: u32 = 100;
/// How far a search may go beyond its depth while every reply is forced.
pub(crate) const MAX_EXTENSION: usize = 40;

/// Whether the side to move is free to choose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Urgency {
    /// The opponent is not known to threaten anything.
    Quiet,
    /// The opponent threatens to win with its next moves, whatever is replied; the generated moves are those that may
    /// prevent it.
    Threatened,
    /// The opponent threatens to win with its next move; the generated moves are those that may prevent it.
    Forced,
}
