//! `level`: opponents from beginner to strongest, for people to choose from.
//!
//! A level is the engine with a lower depth and a probability of random moves. It is limited by depth and
//! nodes, not by time, so that it has the same strength on every machine.

use std::{marker::PhantomData, time::Duration};

use rules::{Board, Game, Move};

use crate::{
    control::{Resources, Stop, Stopped},
    engine::{Engine, Settings, threats},
    entry::Entry,
    eval::{BoardEvaluator, Skill},
    player::{BoxedPlayer, Player},
    search::BoardRoot,
    thought::{Reason, Thought},
};

/// A level of a game, as people know it, measured on the standard board.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[cfg_attr(feature = "schema", ts(rename = "LevelInfo", optional_fields), schema(as = LevelInfo))]
pub struct Strength {
    /// Its number: it plays as `level:3`.
    pub level: u32,
    /// Its name in English; in lower case the last part of the message key.
    pub name: &'static str,
    /// What to expect of it, in English: `casual`.
    pub character: &'static str,
    /// Its rating on the scale of people's ratings, if all levels were measured.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub rating: Option<i64>,
    /// Its rating relative to the first level, in Elo, if all levels were measured.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub elo: Option<f64>,
    /// Its score against the level below, if it was measured.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub against_below: Option<Score>,
}

/// The rating of the weakest level on the scale of people's ratings.
const WEAKEST_RATING: f64 = 800.0;

/// The score of a match.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Score {
    /// The share of the points.
    pub share: f64,
    /// The number of games.
    pub games: u32,
}

impl Score {
    /// Half the width of the 95 % interval of the share. It assumes that no game was drawn, so it is an upper
    /// bound.
    #[must_use]
    pub fn margin(&self) -> f64 {
        1.96 * (self.share * (1.0 - self.share) / f64::from(self.games)).sqrt()
    }
}

/// The levels' names and characters, shared by every screen.
const CHARACTERS: [(&str, &str); 8] = [
    ("Dot", "first games"),
    ("Dash", "beginner"),
    ("Tally", "casual"),
    ("Zigzag", "tricky"),
    ("Arrow", "club player"),
    ("Compass", "strong"),
    ("Constellation", "expert"),
    ("Horizon", "hardest"),
];

/// The strength of each level; Elo adds up the differences that follow from the scores.
pub(crate) fn strengths(skills: &[Skill]) -> Vec<Strength> {
    let is_measured = skills.iter().skip(1).all(|skill| skill.score.is_some());
    let mut elo = is_measured.then_some(0.0);
    let strength = |(level, skill): (u32, &Skill)| {
        let against_below = skill.score.map(|(percent, games)| Score { share: percent / 100.0, games });
        if let (Some(elo), Some(Score { share, .. })) = (&mut elo, against_below) {
            *elo += 400.0 * (share / (1.0 - share)).log10();
        }
        // The last level is the hardest even if there are fewer than eight.
        let place = if level as usize == skills.len() { CHARACTERS.len() } else { level as usize };
        let (name, character) = CHARACTERS[place - 1];
        let rating = elo.map(|elo| (WEAKEST_RATING + elo).round() as i64);
        Strength { level, name, character, rating, elo, against_below }
    };
    (1..).zip(skills).map(strength).collect()
}

/// Safety limit for the largest boards, where it makes a level weaker; none without a clock. On all other boards depth
/// and nodes end the search first, so that the same seed gives the same moves on every machine.
const TIME: Duration = Duration::from_secs(5);

struct Level {
    skill: Skill,
    engine: Engine,
    rng: fastrand::Rng,
}

impl Level {
    fn new(skill: Skill, resources: &Resources) -> Self {
        let Skill { depth, nodes, .. } = skill;
        let settings = Settings {
            time: resources.clock.as_ref().map(|_| TIME),
            depth: Some(depth),
            nodes: Some(nodes),
            threads: 1,
            book: false,
            proofs: false,
        };
        Self { skill, engine: Engine::with(settings, resources), rng: resources.rng() }
    }

    /// A move at random. It is called careless only where one can see why: it misses a win, or a block.
    fn at_random<M: Move>(&mut self, root: &dyn BoardRoot<M>, moves: Vec<M>) -> Thought<M> {
        let mut thought = Thought::at_random(moves, &mut self.rng, Vec::new());
        let here = root.walk();
        let mut next = here.fork();
        next.step(thought.chosen);
        thought.reasons = threats(root, thought.chosen);
        let is_lost = thought.reasons.iter().any(|reason| matches!(reason, Reason::CannotAnswer { .. }));
        if next.outcome().is_none() && !is_lost && (here.win().is_some() || next.win().is_some()) {
            thought.reasons.insert(0, Reason::Careless);
        }
        thought
    }

    fn choose<M: Move>(&mut self, root: &dyn BoardRoot<M>, stop: &Stop) -> Result<Thought<M>, Stopped> {
        let here = root.walk();
        if self.happens(self.skill.misses) {
            return Ok(self.at_random(root, here.legal_moves()));
        }
        if self.happens(self.skill.slips) && here.win().is_none() {
            return Ok(self.at_random(root, here.candidates()));
        }
        self.engine.choose(root, stop)
    }

    fn happens(&mut self, percent: u32) -> bool {
        self.rng.u32(..100) < percent
    }
}

/// Steps of strength between two levels.
pub const STEPS: u32 = 8;

/// A strength between two levels: with a probability in eighths, a move is one of the upper level, otherwise one of the
/// lower level. Below the first level, the lower moves are random.
struct Between {
    lower: Option<Level>,
    upper: Level,
    part: u32,
    rng: fastrand::Rng,
}

impl Between {
    /// The player of a strength, in steps above random moves.
    fn new(levels: &[Skill], strength: u32, resources: &Resources) -> Self {
        let (below, part) = ((strength - 1) / STEPS, (strength - 1) % STEPS + 1);
        let mut rng = resources.rng();
        // Independent of each other, or the one would decide whose slips happen.
        let mut level = |at: u32| Level { rng: rng.fork(), ..Level::new(levels[at as usize], resources) };
        let lower = below.checked_sub(1).map(&mut level);
        let upper = level(below);
        Self { lower, upper, part, rng }
    }

    fn choose<M: Move>(&mut self, root: &dyn BoardRoot<M>, stop: &Stop) -> Result<Thought<M>, Stopped> {
        if self.rng.u32(..STEPS) < self.part {
            return self.upper.choose(root, stop);
        }
        match &mut self.lower {
            Some(lower) => lower.choose(root, stop),
            None => Ok(self.upper.at_random(root, root.walk().legal_moves())),
        }
    }
}

/// A strength between levels as a player of the game that `E` evaluates.
pub(crate) struct EvenPlayer<E> {
    between: Between,
    evaluator: PhantomData<fn() -> E>,
}

impl<E> EvenPlayer<E> {
    /// The roster's entry for all strengths.
    pub(crate) fn entry<P: Board>(levels: &'static [Skill]) -> Entry<P>
    where
        E: BoardEvaluator<P>,
    {
        let most = levels.len() as u32 * STEPS;
        let make = |strength: u32, resources: &Resources| -> BoxedPlayer<P> {
            Box::new(Self { between: Between::new(levels, strength, resources), evaluator: PhantomData })
        };
        Entry::with_strength("even", most, most.div_ceil(2), make)
    }
}

impl<P: Board, E: BoardEvaluator<P>> Player<P> for EvenPlayer<E> {
    fn choose(&mut self, game: &Game<P>, stop: &Stop) -> Result<Thought<P::Move>, Stopped> {
        self.between.choose(&self.between.upper.engine.root::<P, E>(game), stop)
    }
}

/// A level as a player of the game that `E` evaluates.
pub(crate) struct LevelPlayer<E> {
    level: Level,
    evaluator: PhantomData<fn() -> E>,
}

impl<E> LevelPlayer<E> {
    /// The roster's entry for all levels.
    pub(crate) fn entry<P: Board>(levels: &'static [Skill]) -> Entry<P>
    where
        E: BoardEvaluator<P>,
    {
        let most = levels.len() as u32;
        let make = |level: u32, resources: &Resources| -> BoxedPlayer<P> {
            let level = Level::new(levels[level as usize - 1], resources);
            Box::new(Self { level, evaluator: PhantomData })
        };
        Entry::with_number("level", most, most.div_ceil(2), make)
    }
}

impl<P: Board, E: BoardEvaluator<P>> Player<P> for LevelPlayer<E> {
    fn choose(&mut self, game: &Game<P>, stop: &Stop) -> Result<Thought<P::Move>, Stopped> {
        self.level.choose(&self.level.engine.root::<P, E>(game), stop)
    }
}
