//! Reports about players, which the operator reads.

use rules::Side;
use serde::{Deserialize, Serialize};

/// A report about a player: the body of `POST /api/reports`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewReport {
    /// The table where it happened.
    pub table: String,
    /// The seat of the reported player there.
    pub side: Side,
    /// What happened.
    pub reason: ReportReason,
    /// Details for the operator, at most 500 characters.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(feature = "schema", ts(optional, as = "Option<String>"))]
    pub text: String,
}

/// What a player is reported for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ReportReason {
    /// Insults or threats in the chat.
    Abuse,
    /// Help of a program in a rated game.
    Cheating,
    /// An offensive name.
    Name,
    /// Anything else.
    Other,
}
