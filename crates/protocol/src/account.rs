//! Who somebody is.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::RatingSummary;

/// Who asks: `GET /api/me`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Me {
    /// `g:…` for a guest, `u:…` for an account.
    pub id: String,
    /// What the others see.
    pub name: String,
    /// Whether there is an account.
    pub account: bool,
}

/// To make an account or to sign in.
#[derive(Clone, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Credentials {
    /// Of the account.
    pub name: String,
    /// Its password.
    pub password: String,
}

/// To change the password: `PUT /api/account/password`.
#[derive(Clone, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewPassword {
    /// As it is.
    pub old: String,
    /// As it shall be.
    pub new: String,
}

/// To let a program play in one's name: `POST /api/tokens`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewToken {
    /// To know it again.
    pub label: String,
}

/// A token that was made.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TokenCreated {
    /// To end it.
    pub id: String,
    /// To be sent as `Authorization: Bearer …`; it is shown this once.
    pub token: String,
}

/// A token that is in use.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct TokenSummary {
    /// To end it.
    pub id: String,
    /// To know it again.
    pub label: String,
    /// When it was made, in milliseconds since 1970.
    pub created_at: u64,
}

/// A place where somebody is signed in.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct SessionSummary {
    /// To end it.
    pub id: String,
    /// When it began, in milliseconds since 1970.
    pub created_at: u64,
    /// When it was last used.
    pub seen_at: u64,
    /// What the browser calls itself.
    pub agent: String,
    /// Whether it is the one that asks.
    pub current: bool,
}

/// What anybody can see of an account: `GET /api/players/{name}`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Profile {
    /// The account.
    pub name: String,
    /// When it was made, in milliseconds since 1970.
    pub created_at: u64,
    /// Its ratings.
    pub ratings: Vec<RatingSummary>,
    /// How many games were won.
    pub wins: u64,
    /// How many were drawn.
    pub draws: u64,
    /// How many were lost.
    pub losses: u64,
}
