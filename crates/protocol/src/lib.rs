//! The messages between the server and its clients: pages, bots and tests.
//!
//! Over Socket.IO a client sends [`Request`]s and [`Command`]s by their names (`join`, `make-move` …) and is answered with
//! an [`Answer`]; the server sends [`Push`]es. Over HTTP the same types travel as JSON. Every change of a table is an
//! [`Event`] with a version, and a client that reconnects names the last version it has seen.
//!
//! This crate has only what belongs to the wire. Boards and games are types of `rules`, thoughts of
//! `players`, assessments, reviews and puzzles of `study`: their JSON form is their own, and moves, cells and
//! pieces are text in it. `js/protocol.d.ts` is generated from all of them.

mod account;
mod analysis;
mod answer;
mod bot;
mod clock;
mod event;
mod game;
#[cfg(test)]
mod golden;
mod kept_game;
mod lobby;
mod named;
mod push;
mod puzzle;
mod rating;
mod report;
mod request;
mod seat;
mod server;
mod skills;
mod snapshot;
mod thought;
mod tournament;
#[cfg(test)]
mod typescript;

pub use account::{
    AccountData, Confirmation, Credentials, GuestName, GuestWords, Me, NewPassword, NewToken, Profile,
    Recovery, RecoveryCode, SessionSummary, TokenCreated, TokenSummary,
};
pub use analysis::{AnalysisRequest, Assessment, GameRecord, Replay, ReplayStep};
pub use answer::{Answer, ApiError, Done, ErrorCode};
pub use bot::BotEvent;
pub use clock::{Clock, ClockKind, Clocks};
pub use event::{Chat, EndReason, Event, RatingChange, Settings};
pub use game::GameEntry;
pub use kept_game::KeptGame;
pub use lobby::{NewTable, Opponent, Seek, SidePreference, TableCreated, TableList, TableSummary};
pub use push::{MoveMade, Paired, PresenceChanged, Push, TableEvent, TableStreamLine, TableUpdate};
pub use puzzle::{
    Puzzle, PuzzleAttempt, PuzzleProgress, PuzzleRating, PuzzleRecord, PuzzleResult, PuzzleStep, PuzzleTried,
};
pub use rating::{RankingEntry, RatingPoint, RatingSummary};
pub use report::{NewReport, ReportReason};
pub use request::{Claim, Command, Request};
pub use seat::Occupant;
pub use server::{Announcement, ServerInfo};
pub use skills::{AccountSkills, AllLearned, LearnedEverywhere, LearnedGame, LearnedHere, PuzzleRun};
pub use snapshot::{GameResult, Offers, Pace, PlayedMove, Presence, Snapshot, Status};
pub use thought::Thought;
pub use tournament::{
    DecidedBy, NewTournament, OrganiserAction, OrganiserChange, PeopleConditions, Ruling, TournamentCommand,
    TournamentCreated, TournamentEvent, TournamentFormat, TournamentGame, TournamentPairing, TournamentPhase,
    TournamentResult, TournamentStanding, TournamentSummary, TournamentView,
};
