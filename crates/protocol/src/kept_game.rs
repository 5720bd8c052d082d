//! A game that was played without a server and is saved to an account.

use serde::{Deserialize, Serialize};

use crate::{GameResult, NewTable};

/// A finished game that a browser has kept: the body of `POST /api/account/games`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct KeptGame {
    /// The id of the game in its browser, letters and digits. A game that is sent twice is saved once.
    pub id: String,
    /// The setup: an unrated game against a program or on one screen, and the side that the person played.
    pub table: NewTable,
    /// The moves.
    pub moves: String,
    /// How it ended.
    pub result: GameResult,
    /// When, in Unix milliseconds.
    pub ended_at: u64,
}
