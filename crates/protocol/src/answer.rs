//! The answer to a request: done, or rejected with a stable error code.

use serde::{Deserialize, Serialize};

use crate::{Snapshot, TableUpdate};

/// The answer to a request.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(untagged)]
pub enum Answer {
    // First, because all fields of the other are optional.
    /// The request was rejected; nothing changed.
    Refused(ApiError),
    /// The request was carried out.
    Done(Box<Done>),
}

/// The result of a request that was carried out.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema), ts(optional_fields))]
pub struct Done {
    /// Always true.
    #[cfg_attr(feature = "schema", ts(type = "true"))]
    pub ok: bool,
    /// The version of the table after the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub v: Option<u64>,
    /// The number of the move that was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ply: Option<u32>,
    /// The table that was found or created.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// The state of the table, when joining.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snapshot: Option<Box<Snapshot>>,
    /// The updates since the version that the client has seen, when joining again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missed: Option<Vec<TableUpdate>>,
}

/// Why a request was rejected.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct ApiError {
    /// Always false.
    #[cfg_attr(feature = "schema", ts(type = "false"))]
    pub ok: bool,
    /// For programs.
    pub code: ErrorCode,
    /// One sentence in English, for people.
    pub message: String,
}

/// Why a request was rejected, for programs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ErrorCode {
    /// The message cannot be read.
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
    /// Another move with this number has already been made.
    StalePly,
    /// Earlier moves of the game are still missing.
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
    /// There is no offer to answer.
    NothingToAnswer,
    /// The opponent has not been disconnected for long enough.
    TooEarly,
    /// The request needs an account.
    SignInFirst,
    /// The name or the password is wrong.
    WrongPassword,
    /// The name is taken.
    NameTaken,
    /// No account may have such a name.
    BadName,
    /// The password is too short or too long.
    BadPassword,
    /// The password is easy to guess.
    CommonPassword,
    /// The request came from another site.
    ForeignOrigin,
    /// There is nothing at this address.
    NotFound,
    /// Too many programs are thinking already.
    Busy,
    /// The store is unavailable. The request may or may not have been carried out; repeating it is safe.
    Unavailable,
    /// Internal error.
    Broken,
}

impl ErrorCode {
    /// The code as text.
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
            Self::BadName => "bad-name",
            Self::BadPassword => "bad-password",
            Self::CommonPassword => "common-password",
            Self::ForeignOrigin => "foreign-origin",
            Self::NotFound => "not-found",
            Self::Busy => "busy",
            Self::Unavailable => "unavailable",
            Self::Broken => "broken",
        }
    }

    /// An error with this code.
    #[must_use]
    pub fn because(self, message: impl Into<String>) -> ApiError {
        ApiError { ok: false, code: self, message: message.into() }
    }
}

impl Done {
    /// Done, without further data.
    #[must_use]
    pub fn new() -> Self {
        Self { ok: true, ..Self::default() }
    }

    /// Done; the table now has this version.
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
