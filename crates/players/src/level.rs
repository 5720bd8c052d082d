//! `level`: eight steps from a beginner to the strongest, for people to choose from.
//!
//! A level looks less far than the engine, and now and then lets chance decide. It is limited by depth
//! and nodes, not by time, so that it is as strong on every machine.

use std::time::Duration;

use rules::Game;

use crate::{
    Player, Reason, Stop, Stopped, Thought,
    engine::{Engine, Judged, Root, Settings, threats},
    roster::{Score, Strength},
};

/// How a level plays.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Skill {
    /// How many moves it looks ahead at most.
    depth: u32,
    /// How many positions it looks at.
    nodes: u64,
    /// How often it plays any move that does not lose at once, in percent.
    slips: u32,
    /// How often it sees nothing at all, not even a win, in percent.
    misses: u32,
    /// What it scored against the level below, in percent of the points; `make levels` measures it.
    score: f64,
}

const fn skill(depth: u32, nodes: u64, slips: u32, misses: u32, score: f64) -> Skill {
    Skill { depth, nodes, slips, misses, score }
}

pub(crate) const TIC_TAC_TOE: &[Skill] =
    &[skill(1, 2000, 100, 40, 0.0), skill(4, 5000, 40, 12, 68.0), skill(9, 30_000, 0, 0, 79.0)];

pub(crate) const CONNECT_FOUR: &[Skill] = &[
    skill(1, 2000, 100, 40, 0.0),
    skill(3, 4000, 70, 24, 77.0),
    skill(5, 10_000, 46, 14, 69.2),
    skill(6, 10_000, 24, 7, 78.0),
    skill(7, 10_000, 11, 4, 67.8),
    skill(7, 10_000, 3, 1, 68.3),
    skill(100, 18_000, 0, 0, 72.7),
    skill(100, 150_000, 0, 0, 71.0),
];

pub(crate) const SIMPLEXITY: &[Skill] = &[
    skill(1, 2000, 100, 45, 0.0),
    skill(2, 2000, 70, 24, 71.7),
    skill(3, 4000, 48, 14, 66.3),
    skill(4, 8000, 28, 8, 67.7),
    skill(5, 10_000, 14, 3, 71.3),
    skill(6, 10_000, 4, 1, 72.0),
    skill(100, 15_000, 0, 0, 67.5),
    skill(100, 130_000, 0, 0, 69.8),
];

pub(crate) const CHESS_FIVE: &[Skill] = &[
    skill(1, 2000, 100, 40, 0.0),
    skill(2, 1000, 81, 33, 78.3),
    skill(3, 2000, 63, 26, 81.2),
    skill(3, 4000, 46, 18, 71.0),
    skill(4, 7500, 30, 12, 79.7),
    skill(5, 10_000, 18, 7, 78.2),
    skill(5, 15_000, 8, 2, 81.0),
    skill(100, 12_000, 0, 0, 81.3),
];

/// How many games `make levels` plays for each.
const GAMES: u32 = 300;

const NAMES: [&str; 8] =
    ["beginner", "novice", "casual", "skilled", "strong", "expert", "master", "strongest"];

/// The ladder: each level stands above the one below by what its score says.
pub(crate) fn strengths(skills: &[Skill]) -> Vec<Strength> {
    let mut elo = 0.0;
    let strength = |(level, skill): (u32, &Skill)| {
        let share = skill.score / 100.0;
        let against_below = (level > 1).then_some(Score { share, games: GAMES });
        elo += against_below.map_or(0.0, |_| 400.0 * (share / (1.0 - share)).log10());
        // Where there are fewer levels, the best is still the strongest.
        let place = if level as usize == skills.len() { NAMES.len() } else { level as usize };
        Strength { level, name: NAMES[place - 1], against_below, elo }
    };
    (1..).zip(skills).map(strength).collect()
}

/// On the largest boards a level thinks no longer than this, even if it is weaker for it. On all others
/// it is far out of reach, so that the same seed plays the same on every machine.
const TIME: Duration = Duration::from_secs(5);

pub(crate) struct Level {
    skill: Skill,
    engine: Engine,
    rng: fastrand::Rng,
}

impl Level {
    pub(crate) fn new(skill: Skill, rng: fastrand::Rng) -> Self {
        let Skill { depth, nodes, .. } = skill;
        let settings = Settings {
            time: Some(TIME),
            depth: Some(depth),
            nodes: Some(nodes),
            threads: 1,
            book: false,
            proofs: false,
        };
        Self { skill, engine: Engine::new(settings), rng }
    }

    fn by_lot<P: Judged>(&mut self, root: &Root<P>, moves: Vec<P::Move>) -> Thought<P::Move> {
        let mut thought = Thought::by_lot(moves, &mut self.rng, vec![Reason::Careless]);
        thought.reasons.extend(threats(root, thought.chosen));
        thought
    }

    fn happens(&mut self, percent: u32) -> bool {
        self.rng.u32(..100) < percent
    }
}

impl<P: Judged> Player<P> for Level {
    fn choose(&mut self, game: &Game<P>, stop: &Stop) -> Result<Thought<P::Move>, Stopped> {
        let root = Root::new(game);
        if self.happens(self.skill.misses) {
            return Ok(self.by_lot(&root, game.legal_moves().collect()));
        }
        if self.happens(self.skill.slips) && root.win().is_none() {
            return Ok(self.by_lot(&root, root.candidates()));
        }
        self.engine.choose(game, stop)
    }
}
