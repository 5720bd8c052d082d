//! The parameters of a level, and the levels of a game that has none of its own.

/// The parameters of a level.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Skill {
    /// The maximum depth of its search.
    pub(crate) depth: u32,
    /// The number of nodes it searches.
    pub(crate) nodes: u64,
    /// The probability, in percent, of a random move among those that do not lose at once.
    pub(crate) slips: u32,
    /// The probability, in percent, of a random move among all legal moves, even if it could win.
    pub(crate) misses: u32,
    /// Its score against the level below in percent, and the number of games, as measured by `make levels`;
    /// `None` for the first level and for levels that were not measured.
    pub(crate) score: Option<(f64, u32)>,
}

impl Skill {
    /// The first level of a game, or a level that was not measured.
    pub(crate) const fn new(depth: u32, nodes: u64, slips: u32, misses: u32) -> Self {
        Self { depth, nodes, slips, misses, score: None }
    }

    /// The same level with its score against the level below in this many games.
    pub(crate) const fn scoring(self, percent: f64, games: u32) -> Self {
        Self { score: Some((percent, games)), ..self }
    }
}

/// The levels of a game that has none of its own.
pub(crate) const DEFAULT_LEVELS: &[Skill] = &[
    Skill::new(1, 2000, 100, 40),
    Skill::new(2, 3000, 60, 20),
    Skill::new(3, 5000, 30, 8),
    Skill::new(4, 10_000, 10, 2),
    Skill::new(100, 20_000, 0, 0),
];
