//! Creating and finding tables and opponents.

use rules::{Side, View};
use serde::{Deserialize, Serialize};

use crate::{Clock, Clocks, EndReason, Occupant, Status};

/// A table to be created: the body of `POST /api/tables`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(optional_fields))]
#[serde(deny_unknown_fields)]
pub struct NewTable {
    /// The game, such as `connect-four` or `connect-four:8x9x5`.
    pub game: String,
    /// The initial position, if it is not the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// The opponent.
    pub opponent: Opponent,
    /// The side that the creator takes.
    #[serde(default)]
    pub side: SidePreference,
    /// The time control.
    #[serde(default)]
    pub clock: Clock,
    /// Whether the result counts for ratings.
    #[serde(default)]
    pub rated: bool,
    /// Whether moves can be taken back.
    #[serde(default)]
    pub take_back: bool,
    /// Whether the table appears in lists.
    #[serde(default)]
    pub listed: bool,
    /// Whether a rated game may be between a person and a bot.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "schema", ts(as = "Option<bool>"))]
    pub bots: bool,
}

/// The opponent at a new table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Opponent {
    /// A person at the same screen: the creator moves for both sides.
    Here,
    /// The first person who opens the link or enters the code.
    Link,
    /// A program.
    Program {
        /// Its name in the roster.
        name: String,
    },
    /// Two programs play, the creator watches.
    Demo {
        /// The name of the first program in the roster.
        first: String,
        /// The name of the second program in the roster.
        second: String,
    },
    /// A person or bot with an account, who finds the table among the challenges.
    Challenge {
        /// The name of the account.
        name: String,
    },
}

/// The side that the creator of a table takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SidePreference {
    /// To move first.
    First,
    /// To move second.
    Second,
    /// Either, at random.
    #[default]
    #[serde(alias = "lot")]
    Random,
}

/// A table that was created.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(optional_fields))]
pub struct TableCreated {
    /// Its id, which cannot be guessed.
    pub table: String,
    /// A short code that leads to it while a seat is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
}

/// A search for an opponent: the `seek` request and the body of `POST /api/bot/seek`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(optional_fields))]
#[serde(deny_unknown_fields)]
pub struct Seek {
    /// The game.
    pub game: String,
    /// The time control.
    #[serde(default)]
    pub clock: Clock,
    /// Whether the result counts for ratings.
    #[serde(default)]
    pub rated: bool,
    /// Maximum rating difference at the start of the search; it grows while you wait.
    #[serde(default = "usual_range")]
    #[cfg_attr(feature = "schema", ts(as = "Option<u32>"))]
    pub range: u32,
    /// Whether a rated game may be between a person and a bot.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "schema", ts(as = "Option<bool>"))]
    pub bots: bool,
}

fn usual_range() -> u32 {
    150
}

/// A table in a list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(optional_fields))]
pub struct TableSummary {
    /// Its id.
    pub table: String,
    /// The full name of the game, such as `connect-four:6x7x4`.
    pub game: String,
    /// The occupants of both seats: first, second.
    pub seats: [Occupant; 2],
    /// The time control.
    pub clock: Clock,
    /// Whether the result counts for ratings.
    pub rated: bool,
    /// Whether the game was played elsewhere and saved here: its result is the claim of its player.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "schema", ts(as = "Option<bool>"))]
    pub unverified: bool,
    /// Whether it is open, playing or ended.
    pub status: Status,
    /// The winner, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub winner: Option<Side>,
    /// Why the game ended, if it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<EndReason>,
    /// The number of moves: up to date if the board is included, otherwise as of when the summary was last
    /// stored.
    pub ply: u32,
    /// When the table was created, in milliseconds since 1970.
    pub created_at: u64,
    /// When the summary was last stored.
    pub updated_at: u64,
    /// The current board, in lists of live games; only boards of up to 225 cells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view: Option<Box<View>>,
    /// The current clocks, if the board is included and the game has clocks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clocks: Option<Clocks>,
    /// The current number of spectators known to this server, if the board is included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub watching: Option<usize>,
}

/// A page of a list of tables.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(optional_fields))]
pub struct TableList {
    /// The tables, latest first.
    pub tables: Vec<TableSummary>,
    /// The value of `before` for the next page, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}
