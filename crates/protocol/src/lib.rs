//! The messages between the server and its clients: what a page, a bot or a test sends and receives.
//!
//! Over Socket.IO a client sends [`Request`]s by their names (`make-move`, `join` …) and is answered with
//! an [`Answer`]; the server sends `move-made`, `table-event`, `presence`, `info`, `paired` and `closing`.
//! Over HTTP the same types travel as JSON. Every change of a table is an [`Event`] with a version, and a
//! client that comes back names the last version it saw.

mod account;
mod answer;
mod bot;
mod clock;
mod event;
mod lobby;
mod named;
mod push;
mod request;
mod schema;
mod seat;
mod snapshot;
mod study;

pub use account::{
    Credentials, Me, NewPassword, NewToken, Profile, SessionSummary, TokenCreated, TokenSummary,
};
pub use answer::{Answer, ApiError, Done, ErrorCode};
pub use bot::BotEvent;
pub use clock::{Clock, ClockKind, Clocks};
pub use event::{Chat, EndReason, Event, RatingChange, Settings};
pub use lobby::{
    GameLine, NewTable, Opponent, RankingEntry, RatingPoint, RatingSummary, Seek, SidePreference,
    TableCreated, TableList, TableSummary,
};
pub use push::{Info, InfoLine, MoveMade, Paired, PresenceChanged, Proven, TableEvent, TableUpdate};
pub use request::{Claim, Command, Request};
pub(crate) use schema::SideSchema;
pub use seat::Occupant;
pub use snapshot::{GameResult, Offers, Pace, PlayedMove, Presence, Snapshot, Status};
pub use study::{Analysis, AnalysisRequest, GameRecord, Replay, ReplayStep, Review};
