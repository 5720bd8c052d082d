//! The event log of a table: all state of a table follows from it.

use rules::Side;
use serde::{Deserialize, Serialize};

use crate::{Clock, Occupant, Thought, thought};

/// Settings of a table, fixed when it is created.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(optional_fields))]
pub struct Settings {
    /// The game with its size, such as `connect-four:6x7x4`.
    pub game: String,
    /// The initial position, if it is not the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// The time control.
    pub clock: Clock,
    /// Whether the result counts for ratings.
    pub rated: bool,
    /// Whether moves can be taken back.
    pub take_back: bool,
    /// Whether the table appears in lists.
    pub listed: bool,
    /// The only person who may take the open seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invited: Option<String>,
    /// The tournament of the game. A tournament game counts from its first move on and has no rematch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tournament: Option<String>,
    /// Whether a rated game may be between a person and a bot.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "schema", ts(as = "Option<bool>"))]
    pub bots: bool,
    /// Whether the game was played elsewhere and saved here: its result is the claim of its player.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "schema", ts(as = "Option<bool>"))]
    pub unverified: bool,
}

/// One entry of a table's log. Aliases of fields read the log entries of version 0.1.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(optional_fields))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Event {
    /// The table was created.
    Created {
        /// What is fixed.
        settings: Box<Settings>,
        /// The occupants of both seats: first, second.
        seats: [Occupant; 2],
        /// The person who created the table.
        #[serde(alias = "maker")]
        creator: String,
    },
    /// A seat was taken; with both seats taken the game begins.
    Seated {
        /// The side of the seat.
        side: Side,
        /// The new occupant.
        #[serde(alias = "sitter")]
        occupant: Occupant,
    },
    /// A move was made.
    Moved {
        /// The number of the move, from 1.
        ply: u32,
        /// The side that moved.
        side: Side,
        /// The move as text.
        #[serde(rename = "move")]
        text: String,
        /// The remaining time of first and second after the move, if there are clocks.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        left_ms: Option<[u64; 2]>,
        /// How much of the used time was not counted, to compensate for network lag.
        #[serde(default, skip_serializing_if = "is_zero")]
        #[serde(alias = "forgiven_ms")]
        #[cfg_attr(feature = "schema", ts(as = "Option<u64>"))]
        lag_compensation_ms: u64,
        /// Why a program made this move.
        #[serde(default, deserialize_with = "thought::if_readable", skip_serializing_if = "Option::is_none")]
        thought: Option<Box<Thought>>,
    },
    /// A draw was offered.
    DrawOffered {
        /// The side that offers.
        side: Side,
    },
    /// The offer of a draw was declined.
    DrawDeclined {
        /// The side that declines.
        side: Side,
    },
    /// A side asks to take its last move back.
    TakeBackAsked {
        /// The side that asks.
        side: Side,
    },
    /// The request to take back was declined.
    TakeBackDeclined {
        /// The side that declines.
        side: Side,
    },
    /// Moves were taken back.
    TakenBack {
        /// The number of moves that remain.
        ply: u32,
        /// The remaining time of first and second, if there are clocks.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        left_ms: Option<[u64; 2]>,
    },
    /// The game is over.
    Ended {
        /// The winner; null for a draw or an aborted game.
        #[cfg_attr(feature = "schema", schema(required), ts(optional = false))]
        winner: Option<Side>,
        /// Why the game ended.
        reason: EndReason,
        /// How the ratings of first and second changed, if the game was rated.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ratings: Option<[Option<RatingChange>; 2]>,
    },
    /// A rematch was offered.
    RematchOffered {
        /// The side that offers.
        side: Side,
    },
    /// The rematch, with sides exchanged, is at another table.
    Rematch {
        /// Its id.
        table: String,
    },
    /// A chat message.
    Chat(Chat),
    /// The pace of a game between two programs was changed.
    Paced {
        /// Whether they are paused.
        paused: bool,
        /// Minimum time for a move.
        delay_ms: u64,
    },
    /// Paused programs may make one move.
    Stepped,
}

/// A chat message, plain text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(optional_fields))]
pub struct Chat {
    /// The name of the author.
    pub from: String,
    /// The side that the author plays, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<Side>,
    /// The message.
    pub text: String,
}

/// Why a game is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum EndReason {
    /// By the rules: a line, a full board, a repetition.
    Rules,
    /// A player resigned.
    Resignation,
    /// A clock ran out.
    Time,
    /// Both players agreed to a draw.
    Agreement,
    /// A player left and did not return.
    Abandoned,
    /// Ended before both sides had moved, or because all had left; without result.
    Aborted,
    /// The challenged player declined.
    Declined,
}

/// How a rating changed.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct RatingChange {
    /// The rating before the game.
    pub before: f64,
    /// The rating after the game.
    pub after: f64,
    /// The rating deviation after the game.
    pub deviation: f64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}
