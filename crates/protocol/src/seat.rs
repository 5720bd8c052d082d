//! The occupants of a table's seats.

use players::roster;
use rules::AnyGame;
use serde::{Deserialize, Serialize};

/// The occupant of a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(optional_fields))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Occupant {
    /// None: the seat is open.
    Open,
    /// A person, or a bot with an account.
    Person {
        /// `g:…` for a guest, `u:…` for an account.
        id: String,
        /// The name that others see.
        name: String,
        /// The rating when the seat was taken, if there is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rating: Option<i64>,
        /// Whether a program plays for the account.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(feature = "schema", ts(as = "Option<bool>"))]
        bot: bool,
    },
    /// A program of the roster.
    Program {
        /// The name of the program, such as `level:3` or `smart:5`.
        name: String,
        /// The rating of a level.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rating: Option<i64>,
    },
}

impl Occupant {
    /// A program of the roster, with the rating of a level.
    #[must_use]
    pub fn program(game: &AnyGame, name: &str) -> Self {
        let level = name.strip_prefix("level:").and_then(|level| level.parse::<u32>().ok());
        let strength = roster::levels(game).into_iter().find(|strength| Some(strength.level) == level);
        Self::Program { name: name.to_owned(), rating: strength.and_then(|strength| strength.rating) }
    }

    /// Whether it is a program.
    #[must_use]
    pub fn is_program(&self) -> bool {
        matches!(self, Self::Program { .. })
    }

    /// Whether it is a bot with an account.
    #[must_use]
    pub fn is_bot(&self) -> bool {
        matches!(self, Self::Person { bot: true, .. })
    }

    /// Whether it is the person with this id.
    #[must_use]
    pub fn is(&self, person: &str) -> bool {
        matches!(self, Self::Person { id, .. } if id == person)
    }

    /// The name that others see; empty for an open seat.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Open => "",
            Self::Person { name, .. } | Self::Program { name, .. } => name,
        }
    }
}
