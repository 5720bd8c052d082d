//! The profile: rates with intervals, trends, weaknesses and evidence.

use players::sort::sort_by_key;
use rules::Spec;

use super::{
    Miss, Observed, Skill,
    reference::{self, Reference},
    statistics::{interval, is_lower},
};

/// The games that a profile is about, the latest ones.
pub const MOST_GAMES: usize = 50;
/// The fewest chances that make a rate.
pub const LEAST_CHANCES: u32 = 5;
/// The probability of a trend by chance, in either direction.
const LEVEL: f64 = 0.05;
/// Wrong moves that are shown of a skill.
const MOST_EVIDENCE: usize = 6;
const DAY_MS: u64 = 24 * 60 * 60 * 1000;
const MONTH_MS: u64 = 30 * DAY_MS;
const WEEK_MS: u64 = 7 * DAY_MS;
/// The weeks of a profile.
const WEEKS: u64 = 8;

/// What the games of a person say about their play of one kind of game.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(optional_fields))]
#[cfg_attr(feature = "schema", ts(rename = "SkillProfile"), schema(as = SkillProfile))]
pub struct Profile {
    /// How many games it is about, at most the last fifty.
    pub games: u32,
    /// The skills, weaknesses first, then the lowest rates, then those without enough chances.
    pub skills: Vec<Rated>,
    /// The rate of right moves over all skills in each of the last eight weeks with enough chances, the oldest first.
    pub weeks: Vec<Week>,
    /// The same over all games of the profile.
    pub tally: Tally,
}

/// Right moves of chances.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[cfg_attr(feature = "schema", ts(rename = "SkillTally"), schema(as = SkillTally))]
pub struct Tally {
    /// The number of right moves.
    pub right: u32,
    /// The number of chances.
    pub of: u32,
}

impl Tally {
    /// The share of right moves, if there are enough chances for one.
    #[must_use]
    pub fn rate(self) -> Option<f64> {
        (self.of >= LEAST_CHANCES).then(|| f64::from(self.right) / f64::from(self.of))
    }

    fn add(&mut self, is_right: bool) {
        self.right += u32::from(is_right);
        self.of += 1;
    }
}

/// A week with enough chances.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[cfg_attr(feature = "schema", ts(rename = "SkillWeek"), schema(as = SkillWeek))]
pub struct Week {
    /// How many weeks ago; zero is the last seven days.
    pub ago: u32,
    /// What was right.
    pub tally: Tally,
}

/// A skill of a person.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(optional_fields))]
#[cfg_attr(feature = "schema", ts(rename = "RatedSkill"), schema(as = RatedSkill))]
pub struct Rated {
    /// The skill.
    pub skill: Skill,
    /// Right moves of chances.
    pub tally: Tally,
    /// The share of right moves; `None` with fewer than five chances.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub rate: Option<f64>,
    /// The exact 95 % interval of the rate.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
    /// The rate of players of the same strength, where it was measured; the lowest where the strength is uncertain.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub usual: Option<f64>,
    /// Whether the whole interval is below the rate of players of the same strength.
    pub weak: bool,
    /// The rate of a month ago, if there were enough chances by then.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub before: Option<f64>,
    /// The change since then, where it is clear.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub trend: Option<Trend>,
    /// The weeks with enough chances among the last eight, the oldest first.
    pub weeks: Vec<Week>,
    /// The last wrong moves, the latest first.
    pub evidence: Vec<Evidence>,
}

/// A clear change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[cfg_attr(feature = "schema", ts(rename = "SkillTrend"), schema(as = SkillTrend))]
pub enum Trend {
    /// The rate rose.
    Better,
    /// The rate fell.
    Worse,
}

/// A wrong move in a game.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[cfg_attr(feature = "schema", ts(rename = "SkillEvidence"), schema(as = SkillEvidence))]
pub struct Evidence {
    /// The id of the game.
    pub game: String,
    /// When the game ended, in Unix milliseconds.
    pub at: u64,
    /// The number of moves before the wrong one.
    pub ply: u32,
    /// What went wrong.
    pub miss: Miss,
}

/// The profile of a person's games of one kind, at a time in Unix milliseconds. Games of other kinds and on other
/// boards are ignored: their rates cannot be compared.
#[must_use]
pub fn profile(spec: Spec, games: &[Observed], now: u64) -> Profile {
    let name = spec.to_string();
    let mut games: Vec<_> =
        games.iter().filter(|game| game.game == name || game.game.parse() == Ok(spec)).collect();
    sort_by_key(&mut games, |game| std::cmp::Reverse(game.at));
    let old: Vec<_> =
        games.iter().copied().filter(|game| game.at + MONTH_MS <= now).take(MOST_GAMES).collect();
    games.truncate(MOST_GAMES);
    let mut skills: Vec<_> = Skill::ALL.iter().map(|&skill| rated(skill, &games, &old, now)).collect();
    if let Some(reference) = reference::rates(spec) {
        compare(&mut skills, &reference);
    }
    skills.retain(|it| it.tally.of > 0 || is_of_every_game(it.skill));
    // Weaknesses, then rates from the lowest, then skills that were hardly needed.
    sort_by_key(&mut skills, |it| {
        let rate = it.rate.map_or(u32::MAX, |rate| (rate * 1e6) as u32);
        (!it.weak, rate)
    });
    let all = |_: Skill| true;
    Profile { games: games.len() as u32, skills, weeks: weeks(&games, now, &all), tally: tally(&games, &all) }
}

/// The five themes that every game has; the others are shown where there are chances.
fn is_of_every_game(skill: Skill) -> bool {
    !matches!(skill, Skill::Threes | Skill::Moves)
}

fn rated(skill: Skill, games: &[&Observed], old: &[&Observed], now: u64) -> Rated {
    let is_it = |other| other == skill;
    let (tally, before) = (tally(games, &is_it), tally(old, &is_it));
    let (low, high) = interval(tally.right, tally.of);
    let (counts, counts_before) = ((tally.right, tally.of), (before.right, before.of));
    let trend = match (tally.rate(), before.rate()) {
        (Some(_), Some(_)) if is_lower(counts_before, counts) < LEVEL / 2.0 => Some(Trend::Better),
        (Some(_), Some(_)) if is_lower(counts, counts_before) < LEVEL / 2.0 => Some(Trend::Worse),
        _ => None,
    };
    let misses = games.iter().flat_map(|game| {
        let missed = |chance: &super::Chance| {
            let miss = chance.miss.clone().filter(|_| chance.skill == skill)?;
            Some(Evidence { game: game.id.clone(), at: game.at, ply: chance.ply, miss })
        };
        game.chances.iter().filter_map(missed).collect::<Vec<_>>()
    });
    Rated {
        skill,
        tally,
        rate: tally.rate(),
        low,
        high,
        usual: None,
        weak: false,
        before: before.rate(),
        trend,
        weeks: weeks(games, now, &is_it),
        evidence: misses.take(MOST_EVIDENCE).collect(),
    }
}

fn tally(games: &[&Observed], is_wanted: &dyn Fn(Skill) -> bool) -> Tally {
    let mut tally = Tally::default();
    for chance in games.iter().flat_map(|game| &game.chances).filter(|chance| is_wanted(chance.skill)) {
        tally.add(chance.miss.is_none());
    }
    tally
}

fn weeks(games: &[&Observed], now: u64, is_wanted: &dyn Fn(Skill) -> bool) -> Vec<Week> {
    let week = |ago: u64| {
        let is_then = |game: &&&Observed| now.saturating_sub(game.at) / WEEK_MS == ago;
        let games: Vec<_> = games.iter().filter(is_then).copied().collect();
        let tally = tally(&games, is_wanted);
        tally.rate().map(|_| Week { ago: ago as u32, tally })
    };
    (0..WEEKS).rev().filter_map(week).collect()
}

/// Compares each skill with players who answer as many of the other chances right.
fn compare(skills: &mut [Rated], reference: &Reference) {
    let counted: Vec<_> = skills
        .iter()
        .filter(|it| it.rate.is_some() && reference.has(it.skill))
        .map(|it| (it.skill, it.tally))
        .collect();
    for rated in skills.iter_mut().filter(|it| counted.iter().any(|&(skill, _)| skill == it.skill)) {
        let others: Vec<_> = counted.iter().copied().filter(|&(skill, _)| skill != rated.skill).collect();
        if others.is_empty() {
            continue;
        }
        let usual = reference.usual(rated.skill, &others);
        rated.usual = Some(usual);
        rated.weak = rated.high < usual;
    }
}
