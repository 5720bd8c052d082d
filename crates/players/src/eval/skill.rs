//! How a level plays, and the levels of a game without measured ones.

/// How a level plays.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Skill {
    /// The greatest depth of its search.
    pub(crate) depth: u32,
    /// How many nodes it searches.
    pub(crate) nodes: u64,
    /// How often it plays any move that does not lose at once, in percent.
    pub(crate) slips: u32,
    /// How often it plays any move at all, even if it could win, in percent.
    pub(crate) misses: u32,
    /// Its score against the level below, in percent of the points, and in how many games, as `make levels`
    /// measures it; none for the first level and where it was not measured.
    pub(crate) score: Option<(f64, u32)>,
}

impl Skill {
    /// The first level of a game, or one that was not measured.
    pub(crate) const fn new(depth: u32, nodes: u64, slips: u32, misses: u32) -> Self {
        Self { depth, nodes, slips, misses, score: None }
    }

    /// The same with its score against the level below, in this many games.
    pub(crate) const fn scoring(self, percent: f64, games: u32) -> Self {
        Self { score: Some((percent, games)), ..self }
    }
}

/// The levels of a game whose evaluator has no measured ones.
pub(crate) const DEFAULT_LEVELS: &[Skill] = &[
    Skill::new(1, 2000, 100, 40),
    Skill::new(2, 3000, 60, 20),
    Skill::new(3, 5000, 30, 8),
    Skill::new(4, 10_000, 10, 2),
    Skill::new(100, 20_000, 0, 0),
];
