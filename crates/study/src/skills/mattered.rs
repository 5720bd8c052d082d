//! The one thing of a game that mattered most, and whether it is one of the person's patterns.

use std::cmp::Reverse;

use rules::{AnyGame, Spec};

use super::{Chance, Course, Miss, Observed, Skill};

const WEEK_MS: u64 = 7 * 24 * 60 * 60 * 1000;
/// A narrow pattern is named if at least one in `SHARE` misses of its skill belongs to it.
const SHARE: u32 = 2;

/// The wrong move of a game that mattered most.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(optional_fields))]
pub struct Mattered {
    /// The number of moves before it.
    pub ply: u32,
    /// The skill that was needed.
    pub skill: Skill,
    /// What went wrong.
    pub miss: Miss,
    /// How often the same went wrong within a week, this time included.
    pub times: u32,
    /// Where the lines of all these misses run, if they run alike.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub course: Option<Course>,
    /// In which part of the board all of them are.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub place: Option<Place>,
}

/// A part of a board, as the first player sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[cfg_attr(feature = "schema", ts(rename = "BoardPlace"), schema(as = BoardPlace))]
pub enum Place {
    /// The left two fifths.
    Left,
    /// The right two fifths.
    Right,
}

/// The miss that mattered most in the game with this id. If the move after `decided` moves, which decided the game, was a
/// miss, it is that one. Otherwise urgent misses come first, then proved ones, then later ones.
#[must_use]
pub fn mattered(games: &[Observed], id: &str, decided: Option<u32>) -> Option<Mattered> {
    let game = games.iter().find(|game| game.id == id)?;
    let missed = |chance: &&Chance| chance.miss.is_some();
    let chance = game.chances.iter().filter(missed).min_by_key(|chance| {
        let is_proven = chance.miss.as_ref().is_some_and(|miss| miss.proven);
        (Some(chance.ply) != decided, chance.skill, !is_proven, Reverse(chance.ply))
    })?;
    let miss = chance.miss.clone()?;
    let cols = game.game.parse::<Spec>().map_or(0, |spec| AnyGame::from(spec).view().cols);
    let (course, place) = (miss.course(), place(&miss, cols));
    let times = |course: Option<Course>, at: Option<Place>| {
        let is_recent = |other: &&Observed| {
            other.game == game.game && other.at <= game.at && game.at - other.at < WEEK_MS
        };
        let of = |other: &Observed| {
            let is_alike = |it: &&Chance| {
                it.skill == chance.skill
                    && (other.id != id || it.ply <= chance.ply)
                    && it.miss.as_ref().is_some_and(|miss| {
                        (course.is_none() || miss.course() == course)
                            && (at.is_none() || self::place(miss, cols) == at)
                    })
            };
            other.chances.iter().filter(is_alike).count() as u32
        };
        games.iter().filter(is_recent).map(of).sum::<u32>()
    };
    let all = times(None, None);
    // The narrowest pattern that still says most of it.
    let patterns = [(course, place), (course, None), (None, place)];
    let mut narrow = patterns.into_iter().map(|(course, place)| (times(course, place), course, place));
    let says_most = |&(times, course, place): &(u32, Option<Course>, Option<Place>)| {
        (course.is_some() || place.is_some()) && times > 1 && times * SHARE >= all
    };
    let (times, course, place) = narrow.find(says_most).unwrap_or((all, None, None));
    Some(Mattered { ply: chance.ply, skill: chance.skill, miss, times, course, place })
}

/// Where the lines of a miss are, on a board with `cols` columns.
fn place(miss: &Miss, cols: u8) -> Option<Place> {
    let columns: Vec<_> = miss.lines.iter().flatten().map(|cell| u32::from(cell.column)).collect();
    // Five times the mean column, and the last column, both counted from zero, times the number of cells.
    let (sum, last) =
        (5 * columns.iter().sum::<u32>(), u32::from(cols).checked_sub(1)? * columns.len() as u32);
    if columns.is_empty() {
        None
    } else if sum < 2 * last {
        Some(Place::Left)
    } else {
        (sum > 3 * last).then_some(Place::Right)
    }
}
