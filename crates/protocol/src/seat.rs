//! Who sits where.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Who has a side of a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Occupant {
    /// Nobody yet.
    Open,
    /// A person (or a bot with an account).
    Person {
        /// `g:…` for a guest, `u:…` for an account.
        id: String,
        /// What the others see.
        name: String,
        /// The rating when sitting down, if there is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rating: Option<i64>,
    },
    /// A program of the roster.
    Program {
        /// Such as `level:3` or `smart:5`.
        name: String,
        /// The rating of a level of ours.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rating: Option<i64>,
    },
}

impl Occupant {
    /// Whether a program sits there.
    #[must_use]
    pub fn is_program(&self) -> bool {
        matches!(self, Self::Program { .. })
    }

    /// Whether this person sits there.
    #[must_use]
    pub fn is(&self, person: &str) -> bool {
        matches!(self, Self::Person { id, .. } if id == person)
    }

    /// What the others see.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Open => "",
            Self::Person { name, .. } | Self::Program { name, .. } => name,
        }
    }
}
