//! What a person's games say about their play: a profile of skills as a pure function of reviewed games.
//!
//! A position of a game is a *chance* for at most one [`Skill`]: the first that applies in the order of
//! [`Skill::ALL`]. Whether a chance is one for the skills about wins and threats follows from the rules alone. The
//! other skills compare the move with the best one of the review.

mod chances;
mod exercises;
mod learn;
mod mattered;
mod profile;
mod reference;
mod shallow;
mod statistics;

use std::fmt;

use rules::Cell;

pub use self::{
    chances::chances,
    exercises::{Exercise, INTERVALS, answer, exercises, merge, today},
    learn::{LEAST_MOVES, Learned, learn},
    mattered::{Mattered, Place, mattered},
    profile::{Evidence, LEAST_CHANCES, MOST_GAMES, Profile, Rated, Tally, Trend, Week, profile},
    reference::{Answered, Reference, rates},
};

/// Something that a player can be good at.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub enum Skill {
    /// A move wins at once: it was played.
    OwnWins,
    /// The opponent threatens to win at once: the threat was stopped.
    StopsThreats,
    /// A move makes an open four, or the opponent threatens to make one; in games won by continuous fours and threes.
    Threes,
    /// A move makes two threats at once, or the opponent threatens to make two.
    DoubleThreats,
    /// One of the first eight plies of the game.
    Opening,
    /// The board is more than half full, and the results of moves are proved.
    Endgame,
    /// The last phase of a game of phases.
    Moves,
}

impl Skill {
    /// All skills, in the order in which a position is a chance for one.
    pub const ALL: [Self; 7] = [
        Self::OwnWins,
        Self::StopsThreats,
        Self::Threes,
        Self::DoubleThreats,
        Self::Opening,
        Self::Endgame,
        Self::Moves,
    ];

    /// The name in data, and the last part of message keys.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::OwnWins => "own-wins",
            Self::StopsThreats => "stops-threats",
            Self::Threes => "threes",
            Self::DoubleThreats => "double-threats",
            Self::Opening => "opening",
            Self::Endgame => "endgame",
            Self::Moves => "moves",
        }
    }
}

impl fmt::Display for Skill {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A position in which a skill was needed.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(optional_fields))]
pub struct Chance {
    /// The number of moves before it.
    pub ply: u32,
    /// The skill.
    pub skill: Skill,
    /// What went wrong; `None` if the move was right.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub miss: Option<Miss>,
}

/// A wrong move.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct Miss {
    /// The move that was played.
    pub played: String,
    /// A right move.
    pub right: String,
    /// Whether both results are proved; otherwise they are estimates.
    pub proven: bool,
    /// The lines that decide: one's own that the right move completes or threatens, or those that the opponent
    /// completes after the wrong one.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    #[cfg_attr(feature = "schema", schema(value_type = Vec<Vec<String>>))]
    pub lines: Vec<Vec<Cell>>,
}

impl Miss {
    /// Where the lines run, if all run alike: along a row, up a column, or diagonally.
    #[must_use]
    pub fn course(&self) -> Option<Course> {
        let mut courses = self.lines.iter().filter_map(|line| Course::of(line));
        let first = courses.next()?;
        courses.all(|course| course == first).then_some(first)
    }
}

/// Where a line runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), schema(as = LineCourse))]
#[cfg_attr(feature = "schema", ts(rename = "LineCourse"))]
pub enum Course {
    /// Along a row.
    Row,
    /// Up a column.
    Column,
    /// Along a diagonal.
    Diagonal,
}

impl Course {
    fn of(line: &[Cell]) -> Option<Self> {
        let &[a, b, ..] = line else { return None };
        Some(match (a.column == b.column, a.row == b.row) {
            (true, _) => Self::Column,
            (_, true) => Self::Row,
            _ => Self::Diagonal,
        })
    }
}

/// A game of a person with its chances.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct Observed {
    /// The id of the game.
    pub id: String,
    /// The kind of game, as a spec.
    pub game: String,
    /// When it ended, in Unix milliseconds.
    pub at: u64,
    /// The chances of the person, in order.
    pub chances: Vec<Chance>,
}
