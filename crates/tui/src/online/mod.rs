//! Games on a server, over the HTTP interface that docs/reference/server-api.md describes.
//!
//! [`Client`] asks, [`Online`] follows a table, and both report to the one channel of the application. Every
//! request is retried after a network failure; a move names its number, so it is made once.

mod address;
mod client;
mod table;

pub use self::address::{Address, AddressTarget};
pub(crate) use self::{
    client::{Client, Failure, Watched, Work},
    table::Online,
};

use protocol::{Me, Snapshot, TableSummary, TournamentGame, TournamentSummary};

/// A message of a server.
#[derive(Debug)]
pub struct News(pub(crate) Told);

/// The same, for the screens.
#[derive(Debug)]
pub(crate) enum Told {
    /// The reader's identity on the server.
    Me(Result<Me, Failure>),
    /// A table to open: created, found by its code, or paired.
    Found(Result<String, Failure>),
    /// A list of tables.
    Listed(Result<Vec<TableSummary>, Failure>),
    /// The list of tournaments.
    Tournaments(Result<Vec<TournamentSummary>, Failure>),
    /// The tournament with this id as it is now.
    Tournament(String, Result<Box<Watched>, Failure>),
    /// Earlier games of the tournament with this id.
    EarlierGames(String, Result<Vec<TournamentGame>, Failure>),
    /// A table as it is now.
    Table(Box<Snapshot>),
    /// A command at this table failed.
    Failed(String, Failure),
    /// Whether the server of this table can be reached.
    Linked(String, bool),
}
