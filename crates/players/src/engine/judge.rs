//! What the search asks about a game.

use std::cmp::Ordering;

use rules::Position;

use crate::Term;

/// Knows one game well enough to play it.
pub(crate) trait Judge<P: Position>: Send + Sync {
    /// What the judge sees in a position and keeps, so that after a move it need not look at all anew.
    type Sight: Clone + Send + Sync;

    /// Whether the answer to a threat costs no depth, so that the moves of an exchange are not what a
    /// search sees instead of the rest. It does where threats can go on without end.
    const ANSWERS_ARE_FREE: bool = true;

    /// For how many moves beyond its depth a search tries [`Judge::attacks`].
    const ATTACKING_PLIES: i32 = 0;

    /// Looks at a position.
    fn see(&self, position: &P) -> Self::Sight;

    /// What is seen after a legal move: the same as [`Judge::see`] there, at less cost.
    fn see_after(&self, sight: &Self::Sight, position: &P, m: P::Move, next: &P) -> Self::Sight;

    /// Of each thing that is worth points: how much more the side to move has than its rival.
    fn counts(&self, position: &P, sight: &Self::Sight) -> impl AsRef<[i32]>;

    /// What is counted, in the same order, and the points for one.
    fn weights(&self, position: &P) -> &'static [Weight];

    /// A move that wins at once, if there is one.
    fn win(&self, position: &P, sight: &Self::Sight) -> Option<P::Move>;

    /// Whether the rival threatens to win with the next move.
    fn urgency(&self, position: &P, sight: &Self::Sight) -> Urgency;

    /// Fills `moves` with those worth trying: all legal moves but those that are proved to lose at once,
    /// unless all do. The side to move has no winning move.
    fn worth_trying(&self, position: &P, sight: &Self::Sight, moves: &mut Vec<Choice<P::Move>>);

    /// Fills `moves` with those that may threaten to win: what is tried where a position would otherwise
    /// be evaluated. Neither side can win at once.
    fn attacks(&self, _position: &P, _moves: &mut Vec<Choice<P::Move>>) {}

    /// A number below [`MOVE_NUMBERS`] that no other move of the position has, for tables of moves. Moves
    /// of other positions that do the same have the same number.
    fn number(&self, position: &P, m: P::Move) -> u16;

    /// How many moves the game may last at most.
    fn plies_left(&self, position: &P) -> u32;

    /// Where the search remembers a position: what is the same but for its history has the same place,
    /// and so has its mirror image where it pays to look.
    fn place(&self, position: &P) -> Place;

    /// The number of a move in the mirror.
    fn mirrored(&self, number: u16) -> u16;

    // The rest follows from the above and is not meant to be overridden.

    /// What a position without end is worth for the side to move; within ± [`LIMIT`].
    #[inline]
    fn evaluate(&self, position: &P, sight: &Self::Sight) -> i32 {
        let counts = self.counts(position, sight);
        let weighed = counts.as_ref().iter().zip(self.weights(position));
        weighed.map(|(count, (_, weight))| count * weight).sum::<i32>().clamp(-LIMIT, LIMIT)
    }

    /// The same, readable.
    fn terms(&self, position: &P, sight: &Self::Sight) -> Vec<Term> {
        let counts = self.counts(position, sight);
        let weighed = counts.as_ref().iter().zip(self.weights(position));
        weighed
            .map(|(&count, &(name, weight))| Term { name, count: count.into(), weight: weight.into() })
            .collect()
    }

    /// The moves of [`Judge::worth_trying`], the likely ones first.
    fn candidates(&self, position: &P, sight: &Self::Sight) -> Vec<P::Move> {
        let mut choices = Vec::new();
        self.worth_trying(position, sight, &mut choices);
        choices.sort_by_key(|choice| std::cmp::Reverse(choice.promise));
        choices.into_iter().map(|choice| choice.m).collect()
    }

    /// The position after a legal move, and what is seen there.
    fn step(&self, position: &P, sight: &Self::Sight, m: P::Move) -> (P, Self::Sight) {
        let next = position.after(m);
        let sight = self.see_after(sight, position, m, &next);
        (next, sight)
    }
}

/// A move that may be tried.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice<M> {
    pub(crate) m: M,
    /// How good it looks at first sight, compared with other moves of the position; a few points.
    pub(crate) promise: i32,
}

impl<M> Choice<M> {
    pub(crate) fn plain(m: M) -> Self {
        Self { m, promise: 0 }
    }
}

/// Where the search remembers a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    pub(crate) key: u64,
    pub(crate) view: View,
}

/// How a position is seen where it is remembered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum View {
    /// As it is.
    Plain,
    /// In the mirror.
    Mirrored,
    /// There is no difference.
    Symmetric,
}

impl Place {
    pub(crate) fn plain(key: u64) -> Self {
        Self { key, view: View::Plain }
    }

    /// One place for a position and its mirror image, by the keys of both.
    pub(crate) fn of_both(key: u64, image: u64) -> Self {
        let view = match key.cmp(&image) {
            Ordering::Less => View::Plain,
            Ordering::Equal => View::Symmetric,
            Ordering::Greater => View::Mirrored,
        };
        Self { key: key.min(image), view }
    }

    /// From the number of a move to the one that is remembered, or back.
    #[inline]
    pub(crate) fn number<P: Position>(self, judge: &impl Judge<P>, number: u16) -> u16 {
        if self.view == View::Mirrored { judge.mirrored(number) } else { number }
    }
}

/// Turns small numbers into large ones with bits everywhere.
pub(crate) const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// Later in a game of falling pieces a position and its image hardly ever both come up.
pub(crate) const IMAGE_PLIES: u16 = 12;

/// The name of what is counted, and the points for one.
pub(crate) type Weight = (&'static str, i32);

/// No evaluation is larger; proofs are.
pub(crate) const LIMIT: i32 = 20_000;

/// How many numbers moves may have.
pub(crate) const MOVE_NUMBERS: usize = 1 << 14;

/// Whether the side to move is free to choose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Urgency {
    /// The rival does not threaten to win with the next move.
    Quiet,
    /// The rival does, and the candidates are what may help.
    Forced,
}
