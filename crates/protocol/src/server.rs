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
    /// The host's message to all players, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub announcement: Option<Announcement>,
    /// What the host does with data: plain text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub privacy: Option<String>,
}

/// A message of the host to all players: in `GET /api/server`, and over Socket.IO as `announcement` when it is made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct Announcement {
    /// Its id; another message has another one.
    pub id: String,
    /// When it was made, in milliseconds since 1970.
    pub at: u64,
    /// Plain text.
    pub text: String,
}
