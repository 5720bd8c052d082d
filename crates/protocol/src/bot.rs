//! Events of an account, for programs that play over HTTP: the lines of `GET /api/bot/events`.

use serde::{Deserialize, Serialize};

use crate::TableSummary;

/// An event of an account.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum BotEvent {
    /// The account is challenged; `sit` at the table accepts, `resign` declines.
    Challenge {
        /// The table.
        table: TableSummary,
    },
    /// A game of the account is being played: a seek was answered, a challenge accepted, or the program reconnected.
    GameStart {
        /// The table.
        table: TableSummary,
    },
    /// A game of the account is over.
    GameEnd {
        /// The table.
        table: TableSummary,
    },
}
