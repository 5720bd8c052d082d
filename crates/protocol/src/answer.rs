//! How the server answers a request: done, or refused with a code that stays the same for ever.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Snapshot, TableUpdate};

/// The answer to a request.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum Answer {
    /// It was done.
    Done(Box<Done>),
    /// It was not done, and nothing changed.
    Refused(ApiError),
}

/// What a request brought.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct Done {
    /// Always true.
    pub ok: bool,
    /// The version of the table that includes what was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub v: Option<u64>,
    /// The number of the move that was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ply: Option<u32>,
    /// The table that was found or made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// The whole state, for those who join.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snapshot: Option<Box<Snapshot>>,
    /// What happened since the version that was named, for those who come back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missed: Option<Vec<TableUpdate>>,
}

/// Why something was not done.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ApiError {
    /// Always false.
    pub ok: bool,
    /// For programs.
    pub code: ErrorCode,
    /// For people, one sentence in English.
    pub message: String,
}

/// Why something was not done, for programs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorCode {
    /// The message makes no sense.
    BadMessage,
    /// The message is too long.
    TooLarge,
    /// Too many messages in too short a time.
    TooFast,
    /// There is no such table.
    UnknownTable,
    /// There is no such game, or no such size of it.
    UnknownGame,
    /// The game has no such player.
    UnknownPlayer,
    /// Only a player of this side may do that.
    NotSeated,
    /// The seat is taken.
    SeatTaken,
    /// The other side is to move.
    NotYourTurn,
    /// That move of the game has already been made, and it was another one.
    StalePly,
    /// The game has not come to that move yet.
    FuturePly,
    /// The rules forbid it.
    IllegalMove,
    /// The other seat is empty.
    NotStarted,
    /// The game is over.
    GameOver,
    /// The game is not over.
    NotOver,
    /// This table does not allow it.
    NotAllowed,
    /// Nobody has offered or asked.
    NothingToAnswer,
    /// The other side has not been away for long enough.
    TooEarly,
    /// One has to be signed in.
    SignInFirst,
    /// The name or the password is wrong.
    WrongPassword,
    /// The name is taken.
    NameTaken,
    /// The request came from another site.
    ForeignOrigin,
    /// There is no such thing.
    NotFound,
    /// Too many programs think already.
    Busy,
    /// The server cannot store anything just now. What was asked may or may not have been done; asking the same again
    /// does it once.
    Unavailable,
    /// The server made a mistake.
    Broken,
}

impl ErrorCode {
    /// As it is written.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::BadMessage => "bad-message",
            Self::TooLarge => "too-large",
            Self::TooFast => "too-fast",
            Self::UnknownTable => "unknown-table",
            Self::UnknownGame => "unknown-game",
            Self::UnknownPlayer => "unknown-player",
            Self::NotSeated => "not-seated",
            Self::SeatTaken => "seat-taken",
            Self::NotYourTurn => "not-your-turn",
            Self::StalePly => "stale-ply",
            Self::FuturePly => "future-ply",
            Self::IllegalMove => "illegal-move",
            Self::NotStarted => "not-started",
            Self::GameOver => "game-over",
            Self::NotOver => "not-over",
            Self::NotAllowed => "not-allowed",
            Self::NothingToAnswer => "nothing-to-answer",
            Self::TooEarly => "too-early",
            Self::SignInFirst => "sign-in-first",
            Self::WrongPassword => "wrong-password",
            Self::NameTaken => "name-taken",
            Self::ForeignOrigin => "foreign-origin",
            Self::NotFound => "not-found",
            Self::Busy => "busy",
            Self::Unavailable => "unavailable",
            Self::Broken => "broken",
        }
    }

    /// A refusal with this code.
    #[must_use]
    pub fn because(self, message: impl Into<String>) -> ApiError {
        ApiError { ok: false, code: self, message: message.into() }
    }
}

impl Done {
    /// It was done, and there is no more to say.
    #[must_use]
    pub fn new() -> Self {
        Self { ok: true, ..Self::default() }
    }

    /// It was done, and the table has this version now.
    #[must_use]
    pub fn at(v: u64) -> Self {
        Self { v: Some(v), ..Self::new() }
    }
}

impl From<Result<Done, ApiError>> for Answer {
    fn from(result: Result<Done, ApiError>) -> Self {
        match result {
            Ok(done) => Self::Done(Box::new(done)),
            Err(refusal) => Self::Refused(refusal),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_named_as_they_are_sent() {
        for code in [
            ErrorCode::BadMessage,
            ErrorCode::NotYourTurn,
            ErrorCode::NothingToAnswer,
            ErrorCode::SignInFirst,
            ErrorCode::Broken,
        ] {
            assert_eq!(serde_json::to_value(code).unwrap(), code.name());
        }
    }
}
