//! What a program hears that plays over HTTP: the lines of `GET /api/bot/events`.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::TableSummary;

/// Something that concerns the account.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum BotEvent {
    /// Somebody wants to play: `sit` at the table accepts.
    Challenge {
        /// Where.
        table: TableSummary,
    },
    /// A game of the account goes on: a seek was answered, a challenge accepted, or the program came back.
    GameStart {
        /// Where.
        table: TableSummary,
    },
    /// A game of the account is over.
    GameEnd {
        /// Where.
        table: TableSummary,
    },
}
