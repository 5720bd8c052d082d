//! How often the levels answer their chances right: the rates of players of a known strength.
//!
//! `cargo run -p alinea-study --example skill_rates -- GAME [GAMES]` measures the lines of a game in `reference.txt`.

use rules::{GAMES, Spec};

use super::{Skill, Tally};

const MEASURED: &str = include_str!("reference.txt");
/// Steps between two levels.
const STEPS: u32 = 8;
/// Half of the 95 % quantile of the chi-squared distribution with one degree of freedom.
const PLAUSIBLE: f64 = 1.92;
/// A rate of fewer chances says too little.
const LEAST: u32 = 30;

/// What one level answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Answered {
    /// The level, from 1.
    pub level: u32,
    /// The skill.
    pub skill: Skill,
    /// Its right moves of its chances.
    pub tally: Tally,
}

/// The measured rates of a game.
#[derive(Clone, Debug)]
pub struct Reference(Vec<Answered>);

/// The measured rates of a game on its standard board.
#[must_use]
pub fn rates(spec: Spec) -> Option<Reference> {
    let info = GAMES.iter().find(|info| info.standard.parse() == Ok(spec))?;
    let mut answered = Vec::new();
    for line in MEASURED.lines() {
        let mut words = line.split(' ');
        if words.next() != Some(info.id) {
            continue;
        }
        let mut number = || words.next().and_then(|word| word.parse::<u32>().ok()).unwrap_or_default();
        let level = number();
        for skill in Skill::ALL {
            let tally = Tally { right: number(), of: number() };
            answered.push(Answered { level, skill, tally });
        }
    }
    (!answered.is_empty()).then_some(Reference(answered))
}

impl Reference {
    /// Whether the rate of a skill was measured for more than half of the levels.
    pub(super) fn has(&self, skill: Skill) -> bool {
        self.of(skill).count() as u32 * 2 > self.levels()
    }

    /// The levels with enough chances.
    fn of(&self, skill: Skill) -> impl Iterator<Item = &Answered> {
        self.0.iter().filter(move |it| it.skill == skill && it.tally.of >= LEAST)
    }

    fn levels(&self) -> u32 {
        self.0.iter().map(|it| it.level).max().unwrap_or(1)
    }

    /// The rate of a skill at a strength, in steps above the first level.
    pub(super) fn rate(&self, skill: Skill, strength: u32) -> f64 {
        let at = |level: u32| {
            // Where a level had too few chances, the nearest one that had enough.
            let nearest = self.of(skill).min_by_key(|it| it.level.abs_diff(level));
            let Tally { right, of } = nearest.map(|it| it.tally).unwrap_or_default();
            // Never certain.
            (f64::from(right) + 0.5) / (f64::from(of) + 1.0)
        };
        let (level, part) = (strength / STEPS + 1, f64::from(strength % STEPS) / f64::from(STEPS));
        if part == 0.0 { at(level) } else { at(level) * (1.0 - part) + at(level + 1) * part }
    }

    /// The lowest rate of a skill among players who plausibly are as strong as one who answered these other chances: at all
    /// strengths that a likelihood ratio test does not exclude at 5 %.
    pub(super) fn usual(&self, skill: Skill, others: &[(Skill, Tally)]) -> f64 {
        let likelihood = |strength: u32| {
            let log = |&(skill, Tally { right, of }): &(Skill, Tally)| {
                let rate = self.rate(skill, strength);
                f64::from(right) * rate.ln() + f64::from(of - right) * (1.0 - rate).ln()
            };
            others.iter().map(log).sum::<f64>()
        };
        let strengths = 0..=(self.levels() - 1) * STEPS;
        let best = strengths.clone().map(likelihood).fold(f64::NEG_INFINITY, f64::max);
        let plausible = strengths.filter(|&strength| likelihood(strength) >= best - PLAUSIBLE);
        plausible.map(|strength| self.rate(skill, strength)).fold(1.0, f64::min)
    }
}
