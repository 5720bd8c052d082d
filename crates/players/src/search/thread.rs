//! One thread's search of one position.

use rules::Position;

use super::{
    Ended, MATE, RepetitionHistory, SearchControl, Table,
    control::CHECK_EVERY,
    node::Node,
    ordering::{MAX_PLY, Ordering},
};
use crate::eval::{Evaluator, ScoredMove, Urgency};

/// One thread's search of one position.
pub(crate) struct ThreadSearch<'a, P: Position, E: Evaluator<P>> {
    pub(super) evaluator: &'a E,
    pub(super) table: &'a Table,
    pub(super) control: &'a SearchControl<'a>,
    /// Keys of the line being searched, to detect repetitions.
    pub(super) keys: Vec<u64>,
    pub(super) repetitions: RepetitionHistory,
    pub(super) ordering: Ordering<P::Move>,
    /// The principal variation from each ply on.
    pub(super) lines: Vec<Vec<P::Move>>,
    /// Buffers of generated moves, by ply.
    pub(super) moves: Vec<Vec<ScoredMove<P::Move>>>,
    pub(crate) nodes: u64,
    /// The accumulator at the root.
    accumulator: E::Accumulator,
    pub(super) root_depth: usize,
    /// The move to search first at the root: the best of the depth before.
    pub(super) first: Option<P::Move>,
    /// The last move at the root that raised alpha at this depth: its value and its line.
    pub(super) improved: Option<(i32, Vec<P::Move>)>,
    /// Disables reductions and deeper table entries, so that tests can compare with plain minimax.
    pub(super) is_strict: bool,
}

impl<'a, P: Position, E: Evaluator<P>> ThreadSearch<'a, P, E> {
    pub(crate) fn new(
        evaluator: &'a E,
        table: &'a Table,
        control: &'a SearchControl<'a>,
        repetitions: RepetitionHistory,
        accumulator: E::Accumulator,
    ) -> Self {
        Self {
            evaluator,
            table,
            control,
            keys: Vec::new(),
            repetitions,
            ordering: Ordering::new(),
            lines: vec![Vec::new(); MAX_PLY + 2],
            moves: vec![Vec::new(); MAX_PLY + 1],
            nodes: 0,
            accumulator,
            root_depth: 0,
            first: None,
            improved: None,
            is_strict: false,
        }
    }

    /// The value of a position and the principal variation, searching `first` first.
    pub(crate) fn root(
        &mut self,
        position: &P,
        depth: u32,
        guess: i32,
        first: Option<P::Move>,
    ) -> Result<(i32, Vec<P::Move>), Ended> {
        let accumulator = self.accumulator.clone();
        self.first = first;
        self.begin(depth);
        let value = aspire(depth, guess, &mut |alpha, beta| {
            self.node(position, &accumulator, depth as i32, 0, alpha, beta)
        })?;
        Ok((value, self.lines[0].clone()))
    }

    /// Like [`ThreadSearch::root`], among these moves only and in this order.
    pub(crate) fn root_of(
        &mut self,
        position: &P,
        moves: &[P::Move],
        depth: u32,
        guess: i32,
    ) -> Result<(i32, Vec<P::Move>), Ended> {
        let accumulator = self.accumulator.clone();
        self.begin(depth);
        let value = aspire(depth, guess, &mut |alpha, beta| {
            self.lines[0].clear();
            self.keys.push(position.key());
            let mut scored: Vec<_> = moves.iter().copied().map(ScoredMove::plain).collect();
            let node = Node {
                position,
                accumulator: &accumulator,
                depth: depth as i32,
                ply: 0,
                urgency: Urgency::Quiet,
                is_complete: true,
                estimate: None,
            };
            let found = self.best(&node, &mut scored, alpha, beta);
            self.keys.pop();
            Ok(found?.0)
        })?;
        Ok((value, self.lines[0].clone()))
    }

    fn begin(&mut self, depth: u32) {
        self.root_depth = depth as usize;
        self.improved = None;
    }

    /// Counts a node, and checks the limits from time to time.
    #[inline]
    pub(super) fn count_node(&mut self) -> Result<(), Ended> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(CHECK_EVERY) { self.control.check() } else { Ok(()) }
    }

    /// After a limit has ended a search: the best line that its depth has found so far, with a lower bound of
    /// its value.
    pub(crate) fn unfinished(&self) -> Option<(i32, Vec<P::Move>)> {
        self.improved.clone()
    }
}

/// Aspiration windows: a narrow window around the value of the last depth, widened when the value is outside.
fn aspire(
    depth: u32,
    guess: i32,
    value_within: &mut dyn FnMut(i32, i32) -> Result<i32, Ended>,
) -> Result<i32, Ended> {
    let mut margin = if depth > 2 { 40 } else { MATE };
    loop {
        let (alpha, beta) = ((guess - margin).max(-MATE), (guess + margin).min(MATE));
        let value = value_within(alpha, beta)?;
        if (alpha < value || alpha == -MATE) && (value < beta || beta == MATE) {
            return Ok(value);
        }
        margin = if margin > 500 { 2 * MATE } else { margin * 4 };
    }
}
