//! Who somebody is.

use serde::{Deserialize, Serialize};

use crate::RatingLine;

/// Who asks: `GET /api/me`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Me {
    /// `g:…` for a guest, `u:…` for an account.
    pub id: String,
    /// What the others see.
    pub name: String,
    /// Whether there is an account.
    pub account: bool,
}

/// To make an account or to sign in.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Credentials {
    /// Of the account.
    pub name: String,
    /// Its password.
    pub password: String,
}

/// A place where somebody is signed in.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SessionLine {
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
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Profile {
    /// The account.
    pub name: String,
    /// When it was made, in milliseconds since 1970.
    pub created_at: u64,
    /// Its ratings.
    pub ratings: Vec<RatingLine>,
    /// How many games were won.
    pub wins: u64,
    /// How many were drawn.
    pub draws: u64,
    /// How many were lost.
    pub losses: u64,
}
