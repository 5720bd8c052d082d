//! What happens at a table: the log from which everything else follows.

use rules::Side;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::{Clock, Occupant, SideSchema};

/// What is fixed when a table is set up.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Settings {
    /// Such as `connect-four:6x7x4`.
    pub game: String,
    /// Where it begins, if not at the usual start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// The time control.
    pub clock: Clock,
    /// Whether the result counts.
    pub rated: bool,
    /// Whether moves can be taken back.
    pub take_back: bool,
    /// Whether others find the table in lists.
    pub listed: bool,
    /// The only one who may take the open seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invited: Option<String>,
}

/// One entry of a table's log.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Event {
    /// The table was set up.
    Created {
        /// What is fixed.
        settings: Settings,
        /// Who sits there to begin with.
        seats: [Occupant; 2],
        /// The person who created the table.
        #[serde(alias = "maker")]
        creator: String,
    },
    /// Somebody sat down; with both seats taken the game begins.
    Seated {
        /// Where.
        #[schema(value_type = SideSchema)]
        side: Side,
        /// Who.
        #[serde(alias = "sitter")]
        occupant: Occupant,
    },
    /// A move was made.
    Moved {
        /// The number of the move, from 1.
        ply: u32,
        /// Who moved.
        #[schema(value_type = SideSchema)]
        side: Side,
        /// As it is written.
        #[serde(rename = "move")]
        text: String,
        /// What both have left after it, if there are clocks.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        left_ms: Option<[u64; 2]>,
        /// How much of the used time was not counted, to compensate for network lag.
        #[serde(default, alias = "forgiven_ms", skip_serializing_if = "is_zero")]
        lag_compensation_ms: u64,
        /// Why a program moved so.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        thought: Option<Value>,
    },
    /// A draw was offered.
    DrawOffered {
        /// By whom.
        #[schema(value_type = SideSchema)]
        side: Side,
    },
    /// The offer was declined.
    DrawDeclined {
        /// By whom.
        #[schema(value_type = SideSchema)]
        side: Side,
    },
    /// Somebody asks to take the last move back.
    TakeBackAsked {
        /// Who.
        #[schema(value_type = SideSchema)]
        side: Side,
    },
    /// The wish was declined.
    TakeBackDeclined {
        /// By whom.
        #[schema(value_type = SideSchema)]
        side: Side,
    },
    /// Moves were taken back.
    TakenBack {
        /// The number of moves that remain.
        ply: u32,
        /// What both have left, if there are clocks.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        left_ms: Option<[u64; 2]>,
    },
    /// The game is over.
    Ended {
        /// Nobody: a draw, or no result if aborted.
        #[schema(value_type = Option<SideSchema>)]
        winner: Option<Side>,
        /// Why.
        reason: EndReason,
        /// How the ratings of first and second changed, if it was rated.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ratings: Option<[Option<RatingChange>; 2]>,
    },
    /// Somebody would like to play again.
    RematchOffered {
        /// Who.
        #[schema(value_type = SideSchema)]
        side: Side,
    },
    /// The next game, with sides exchanged, is at another table.
    Rematch {
        /// Where.
        table: String,
    },
    /// Something was said.
    Chat(Chat),
    /// Programs play among themselves at another speed.
    Paced {
        /// Whether they wait.
        paused: bool,
        /// The least time for a move.
        delay_ms: u64,
    },
    /// Programs that wait may make one more move.
    Stepped,
}

/// Something said at a table. Plain text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Chat {
    /// The name of the speaker.
    pub from: String,
    /// The side that the speaker plays, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<SideSchema>)]
    pub side: Option<Side>,
    /// What was said.
    pub text: String,
}

/// Why a game is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EndReason {
    /// By the rules: a line, a full board, a repetition.
    Rules,
    /// Somebody gave up.
    Resignation,
    /// A clock ran out.
    Time,
    /// Both agreed to a draw.
    Agreement,
    /// Somebody left and did not come back.
    Abandoned,
    /// It ended before it had begun in earnest; without result.
    Aborted,
}

/// How a rating changed.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct RatingChange {
    /// Before the game.
    pub before: f64,
    /// After it.
    pub after: f64,
    /// How uncertain it still is.
    pub deviation: f64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}
