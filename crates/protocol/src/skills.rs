//! What an account learns from its games: a profile of skills, and what its devices keep together.

use rules::Side;
use serde::{Deserialize, Serialize};
use study::skills::{Exercise, Observed, Profile};

/// A finished game with what it says about one of its players.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(optional_fields))]
pub struct LearnedGame {
    /// What it says.
    #[serde(flatten)]
    pub observed: Observed,
    /// The side of the player.
    pub you: Side,
    /// The moves, separated by spaces.
    pub moves: String,
    /// The position that it started from, if not the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
}

/// A finished puzzle rush or streak.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct PuzzleRun {
    /// The game, such as `connect-four`.
    pub game: String,
    /// Whether it was a streak, without a clock.
    pub streak: bool,
    /// When it ended, in Unix milliseconds.
    pub at: u64,
    /// The number of solved puzzles.
    pub solved: u32,
}

/// What a device has learned since it last asked. The body of `POST /api/me/learned`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(optional_fields))]
#[serde(deny_unknown_fields)]
pub struct LearnedHere {
    /// The `version` of the last response; zero the first time.
    pub after: u64,
    /// Reviewed games.
    #[serde(default)]
    pub games: Vec<LearnedGame>,
    /// Exercises that are new or were answered.
    #[serde(default)]
    pub exercises: Vec<Exercise>,
    /// Finished rushes and streaks.
    #[serde(default)]
    pub runs: Vec<PuzzleRun>,
}

/// What the account has learned after a version, merged from all devices: no exercise is lost, and the later answer decides.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct LearnedEverywhere {
    /// To be sent next time.
    pub version: u64,
    /// Whether there is more after this version.
    pub more: bool,
    /// Reviewed games.
    pub games: Vec<LearnedGame>,
    /// Exercises.
    pub exercises: Vec<Exercise>,
    /// Finished rushes and streaks.
    pub runs: Vec<PuzzleRun>,
}

/// What an account's games of one kind say about their player: `GET /api/me/skills`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct AccountSkills {
    /// The game, on its standard board.
    pub game: String,
    /// The profile, of the reviewed games.
    pub profile: Profile,
    /// The number of games of this kind, among the account's latest, that are not reviewed yet.
    pub unreviewed: u32,
    /// Whether the server is reviewing games of this account.
    pub reviewing: bool,
}

/// All that an account has learned, as it is downloaded with its data.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct AllLearned {
    /// Reviewed games.
    pub games: Vec<LearnedGame>,
    /// Exercises.
    pub exercises: Vec<Exercise>,
    /// Finished rushes and streaks.
    pub runs: Vec<PuzzleRun>,
}
