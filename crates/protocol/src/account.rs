//! Accounts, sessions and tokens.

use serde::{Deserialize, Serialize};

use crate::{AllLearned, PuzzleProgress, RatingSummary, TableSummary};

/// The person behind a request: `GET /api/me`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct Me {
    /// `g:…` for a guest, `u:…` for an account.
    pub id: String,
    /// The name that others see.
    pub name: String,
    /// Whether this is an account.
    pub account: bool,
}

/// A new name for a guest: the body of `PUT /api/me`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct GuestName {
    /// The numbers of two words from `GET /api/guest-names`, counted from zero, such as `37.20`.
    pub name: String,
}

/// The words from which guests' names are made, in the order of their numbers: `GET /api/guest-names`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct GuestWords {
    /// The first word, such as `Teal`.
    pub first: Vec<String>,
    /// The second word, such as `Heron`.
    pub second: Vec<String>,
}

/// The body of `POST /api/account` and `POST /api/session`.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[cfg_attr(test, derive(Serialize))]
#[serde(deny_unknown_fields)]
pub struct Credentials {
    /// The name of the account.
    pub name: String,
    /// Its password.
    pub password: String,
}

/// A change of the password: the body of `PUT /api/account/password`.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[cfg_attr(test, derive(Serialize))]
#[serde(deny_unknown_fields)]
pub struct NewPassword {
    /// The current password.
    pub old: String,
    /// The new password.
    pub new: String,
}

/// The password, to confirm an action that cannot be undone: the body of `DELETE /api/account` and
/// `POST /api/account/recovery-code`.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[cfg_attr(test, derive(Serialize))]
#[serde(deny_unknown_fields)]
pub struct Confirmation {
    /// The password of the account.
    pub password: String,
}

/// A recovery code: `POST /api/account/recovery-code`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[cfg_attr(test, derive(Debug))]
pub struct RecoveryCode {
    /// The code, which is shown only once and replaces the password once.
    pub code: String,
}

/// A new password for a forgotten one: the body of `POST /api/session/recovery`.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[cfg_attr(test, derive(Serialize))]
#[serde(deny_unknown_fields)]
pub struct Recovery {
    /// The name of the account.
    pub name: String,
    /// Its recovery code.
    pub code: String,
    /// The new password.
    pub password: String,
}

/// All data about the owner of an account, except the games: `GET /api/account/data`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct AccountData {
    /// The public page.
    pub profile: Profile,
    /// The sessions.
    pub sessions: Vec<SessionSummary>,
    /// The tokens.
    pub tokens: Vec<TokenSummary>,
    /// The tables, latest first. `GET /api/players/{name}/games.txt` has the games.
    pub tables: Vec<TableSummary>,
    /// The puzzle ratings and the attempted puzzles.
    pub puzzles: PuzzleProgress,
    /// What was learned from the games, and the results of puzzle rushes and streaks.
    pub learned: AllLearned,
}

/// A new token for a program that plays with the account. From then on the account is marked as a bot's. The body of
/// `POST /api/tokens`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewToken {
    /// A label to recognise it by.
    pub label: String,
}

/// A token that was created.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[cfg_attr(test, derive(Debug))]
pub struct TokenCreated {
    /// The id by which it is revoked.
    pub id: String,
    /// The token for `Authorization: Bearer …`; it is shown only once.
    pub token: String,
}

/// A token in use.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct TokenSummary {
    /// The id by which it is revoked.
    pub id: String,
    /// A label to recognise it by.
    pub label: String,
    /// When it was created, in milliseconds since 1970.
    pub created_at: u64,
}

/// A session of an account.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct SessionSummary {
    /// The id by which it is ended.
    pub id: String,
    /// When it began, in milliseconds since 1970.
    pub created_at: u64,
    /// When it was last used.
    pub seen_at: u64,
    /// The user agent of the browser.
    pub agent: String,
    /// Whether it is the session of this request.
    pub current: bool,
}

/// The public page of an account: `GET /api/players/{name}`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct Profile {
    /// `u:…`, as in seats. The page draws the account's mark from it.
    pub id: String,
    /// The name of the account.
    pub name: String,
    /// Whether a program plays for it.
    pub bot: bool,
    /// When it was created, in milliseconds since 1970.
    pub created_at: u64,
    /// Its ratings.
    pub ratings: Vec<RatingSummary>,
    /// The number of games won.
    pub wins: u64,
    /// The number of games drawn.
    pub draws: u64,
    /// The number of games lost.
    pub losses: u64,
}
