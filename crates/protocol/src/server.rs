//! Information about the server for clients.

use serde::{Deserialize, Serialize};

/// Settings of the server's host that clients see: `GET /api/server`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(optional_fields))]
pub struct ServerInfo {
    /// The version of the program.
    pub version: String,
    /// Whether players can chat.
    pub chat: bool,
    /// Whether people can create accounts.
    pub sign_up: bool,
    /// Who runs the server: plain text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imprint: Option<String>,
    /// What the host does with data: plain text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub privacy: Option<String>,
}
