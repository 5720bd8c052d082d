//! Finding and setting up tables.

use rules::Side;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Clock, ClockKind, Occupant, SideSchema, Status};

/// What to set up: `POST /api/tables`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewTable {
    /// Such as `connect-four` or `connect-four:8x9x5`.
    pub game: String,
    /// Where it begins, if not at the usual start.
    #[serde(default)]
    pub position: Option<String>,
    /// Against whom.
    pub opponent: Opponent,
    /// Which side the creator takes.
    #[serde(default)]
    pub side: SidePreference,
    /// The time control.
    #[serde(default)]
    pub clock: Clock,
    /// Whether the result counts.
    #[serde(default)]
    pub rated: bool,
    /// Whether moves can be taken back.
    #[serde(default)]
    pub take_back: bool,
    /// Whether others find the table in lists.
    #[serde(default)]
    pub listed: bool,
}

/// Who is to be the other side.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Opponent {
    /// Somebody at the same screen: the creator moves for both.
    Here,
    /// Whoever comes by the link or the code.
    Link,
    /// A program.
    Program {
        /// Of the roster.
        name: String,
    },
    /// Nobody: two programs play, the creator watches.
    Demo {
        /// Of the roster.
        first: String,
        /// Of the roster.
        second: String,
    },
    /// A person or bot with an account, who finds the table among the challenges.
    Challenge {
        /// Of the account.
        name: String,
    },
}

/// Which side somebody would like.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SidePreference {
    /// To begin.
    First,
    /// To answer.
    Second,
    /// Either, at random.
    #[default]
    #[serde(alias = "lot")]
    Random,
}

/// A table that was set up.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct TableCreated {
    /// Its id; nobody can guess it.
    pub table: String,
    /// A short code that leads to it while a seat is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
}

/// A wish to be paired: the `seek` request.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Seek {
    /// The game.
    pub game: String,
    /// The time control.
    #[serde(default)]
    pub clock: Clock,
    /// Whether the result counts.
    #[serde(default)]
    pub rated: bool,
    /// How far the other's rating may be away to begin with; it widens with time.
    #[serde(default = "usual_range")]
    pub range: u32,
}

fn usual_range() -> u32 {
    150
}

/// A line of a list of tables.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct TableSummary {
    /// Its id.
    pub table: String,
    /// Which game.
    pub game: String,
    /// Who plays.
    pub seats: [Occupant; 2],
    /// The time control.
    pub clock: Clock,
    /// Whether the result counts.
    pub rated: bool,
    /// How far it is.
    pub status: Status,
    /// Who won, if somebody has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<SideSchema>)]
    pub winner: Option<Side>,
    /// Why it ended, if it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<crate::EndReason>,
    /// How many moves were made when it was last written down.
    pub ply: u32,
    /// When it was set up, in milliseconds since 1970.
    pub created_at: u64,
    /// When it was last written down.
    pub updated_at: u64,
}

/// A page of a list of tables.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct TableList {
    /// The latest first.
    pub tables: Vec<TableSummary>,
    /// What to name as `before` to see the next page, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// A game that can be played: `GET /api/games`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct GameLine {
    /// Such as `connect-four`.
    pub name: String,
    /// As it is written in full at its usual size.
    pub usual: String,
    /// Whether other sizes can be played.
    pub sizes: bool,
    /// The programs that play it, from the weakest: `level:1`, `smart:5` …
    pub players: Vec<String>,
}

/// A line of a ranking: `GET /api/ranking/{game}`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct RankingEntry {
    /// From 1.
    pub place: u64,
    /// The account.
    pub name: String,
    /// Glicko-2.
    pub rating: f64,
    /// How uncertain that is.
    pub deviation: f64,
    /// How many rated games.
    pub games: u64,
}

/// A point of a rating graph.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct RatingPoint {
    /// After which game, if it is listed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// The rating after it.
    pub rating: f64,
    /// How uncertain that was.
    pub deviation: f64,
}

/// A rating of an account.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct RatingSummary {
    /// Such as `connect-four`.
    pub game: String,
    /// Of clock.
    pub kind: ClockKind,
    /// Glicko-2.
    pub rating: f64,
    /// How uncertain that is.
    pub deviation: f64,
    /// How many rated games.
    pub games: u64,
}
