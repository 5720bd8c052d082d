//! Draws by repetition of positions that occurred before the root.

use rules::Position;

/// The positions before the root whose repetition is a draw.
#[derive(Clone, Default)]
pub(crate) struct RepetitionHistory {
    /// The keys of positions that are a draw if they occur once more.
    spent: Vec<u64>,
}

impl RepetitionHistory {
    /// From the positions of a game before the one that is searched.
    pub(crate) fn new<P: Position>(positions: &[P]) -> Self {
        let counts = |p: &P| positions.iter().filter(|other| other.key() == p.key()).count();
        let is_spent = |p: &&P| p.draws_when_seen().is_some_and(|often| counts(p) + 1 >= often);
        let mut spent = Vec::new();
        for key in positions.iter().filter(is_spent).map(Position::key) {
            if !spent.contains(&key) {
                spent.push(key);
            }
        }
        Self { spent }
    }

    /// Whether reaching this position is a draw.
    #[inline]
    pub(super) fn draws(&self, key: u64) -> bool {
        self.spent.contains(&key)
    }

    /// Whether there are no such positions.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.spent.is_empty()
    }
}

#[cfg(test)]
impl RepetitionHistory {
    pub(super) fn of(spent: Vec<u64>) -> Self {
        Self { spent }
    }

    pub(super) fn spent(&self) -> &[u64] {
        &self.spent
    }
}
