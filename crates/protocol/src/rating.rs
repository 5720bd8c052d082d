//! Ratings and rankings.

use serde::{Deserialize, Serialize};

use crate::ClockKind;

/// An entry of a ranking: `GET /api/ranking/{game}`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct RankingEntry {
    /// From 1.
    pub place: u64,
    /// The name of the account.
    pub name: String,
    /// Whether a program plays for it.
    pub bot: bool,
    /// The Glicko-2 rating.
    pub rating: f64,
    /// The rating deviation.
    pub deviation: f64,
    /// The number of rated games.
    pub games: u64,
}

/// A point of a rating graph.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(optional_fields))]
pub struct RatingPoint {
    /// The table of the game, if it is listed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// The rating after the game.
    pub rating: f64,
    /// The rating deviation after the game.
    pub deviation: f64,
}

/// A rating of an account.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct RatingSummary {
    /// The game, such as `connect-four`.
    pub game: String,
    /// The kind of time control.
    pub kind: ClockKind,
    /// The Glicko-2 rating.
    pub rating: f64,
    /// The rating deviation.
    pub deviation: f64,
    /// The number of rated games.
    pub games: u64,
}
