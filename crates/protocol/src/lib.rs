//! The messages between the server and its clients: pages, bots and tests.
//!
//! Over Socket.IO a client sends [`Request`]s and [`Command`]s by their names (`join`, `make-move` …) and is answered with
//! an [`Answer`]; the server sends [`Push`]es. Over HTTP the same types travel as JSON. Every change of a table is an
//! [`Event`] with a version, and a client that reconnects names the last version it has seen.
//!
//! Moves, cells and pieces travel as text. The types of `rules` convert into these; with the feature `players`, so do the
//! thoughts, analyses and reviews of `players`. `js/protocol.d.ts` is generated from these types.

mod account;
mod analysis;
mod answer;
mod bot;
mod clock;
mod event;
#[cfg(feature = "players")]
mod from_analysis;
#[cfg(feature = "players")]
mod from_players;
#[cfg(feature = "players")]
mod from_puzzles;
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
#[cfg(feature = "schema")]
mod schema;
mod seat;
mod server;
mod snapshot;
mod thought;
mod tournament;
#[cfg(test)]
mod typescript;
mod view;

pub use account::{
    AccountData, Confirmation, Credentials, GuestName, GuestWords, Me, NewPassword, NewToken, Profile,
    Recovery, RecoveryCode, SessionSummary, TokenCreated, TokenSummary,
};
pub use analysis::{
    Advantage, AnalysisRequest, AssessedMove, Assessment, GameRecord, Mark, Remark, Replay, ReplayStep,
    ReviewedMove, Verdict,
};
pub use answer::{Answer, ApiError, Done, ErrorCode};
pub use bot::BotEvent;
pub use clock::{Clock, ClockKind, Clocks};
pub use event::{Chat, EndReason, Event, RatingChange, Settings};
pub use game::{
    Bounds, CellStyle, Coordinates, GameEntry, GameInfo, LevelInfo, PhaseInfo, PieceInfo, SideInfo, SizeInfo,
};
pub use kept_game::KeptGame;
pub use lobby::{NewTable, Opponent, Seek, SidePreference, TableCreated, TableList, TableSummary};
pub use push::{MoveMade, Paired, PresenceChanged, Push, TableEvent, TableStreamLine, TableUpdate};
pub use puzzle::{
    Puzzle, PuzzleAttempt, PuzzleGoal, PuzzleHelp, PuzzleProgress, PuzzleRating, PuzzleRecord, PuzzleResult,
    PuzzleStep, PuzzleTried, Refutation, WhyWrong,
};
pub use rating::{RankingEntry, RatingPoint, RatingSummary};
pub use report::{NewReport, ReportReason};
pub use request::{Claim, Command, Request};
#[cfg(feature = "schema")]
pub(crate) use schema::SideSchema;
pub use seat::Occupant;
pub use server::ServerInfo;
pub use snapshot::{GameResult, Offers, Pace, PlayedMove, Presence, Snapshot, Status};
pub use thought::{
    CellIndex, Parity, Proven, ProvenResult, Reason, SolverDecision, SolverFact, SolverThreat, Term,
    TermChange, Thought,
};
pub use tournament::{
    DecidedBy, NewTournament, PeopleConditions, Ruling, TournamentCommand, TournamentCreated,
    TournamentEvent, TournamentFormat, TournamentGame, TournamentPairing, TournamentPhase, TournamentResult,
    TournamentStanding, TournamentSummary, TournamentView,
};
pub use view::{Choice, Outcome, Piece, PieceKind, View};
