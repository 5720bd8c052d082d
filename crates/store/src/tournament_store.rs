//! The operations of a store that tournaments of people need. Tests run the tournaments over a simulated store that fails
//! on purpose.

use protocol::{TournamentEvent, TournamentSummary};

use super::{Call, Store, TableKey, TableResult, TournamentChange};

/// A store of tournaments that nodes may share. [`Store`] documents the calls.
#[expect(missing_docs, reason = "documented at `Store`")]
pub trait TournamentStore: Send + Sync {
    /// Returns the keys of a new table.
    fn new_key(&self, now: u64) -> TableKey {
        TableKey::new(now)
    }

    fn append_tournament<'a>(&'a self, change: TournamentChange<'a>) -> Call<'a, ()>;
    fn tournament_events<'a>(&'a self, id: &'a str, after: u64) -> Call<'a, Vec<(u64, TournamentEvent)>>;
    fn due_tournaments(&self, now: u64) -> Call<'_, Vec<String>>;
    fn close_tournament<'a>(&'a self, id: &'a str) -> Call<'a, ()>;
    fn tournaments<'a>(&'a self, organiser: &'a str, most: u32) -> Call<'a, Vec<TournamentSummary>>;
    fn open_tournaments<'a>(&'a self, organiser: &'a str) -> Call<'a, u64>;
    fn table_results<'a>(&'a self, tables: &'a [String]) -> Call<'a, Vec<TableResult>>;
    fn setting<'a>(&'a self, name: &'a str, default: &'a str) -> Call<'a, String>;
}

impl TournamentStore for Store {
    fn append_tournament<'a>(&'a self, change: TournamentChange<'a>) -> Call<'a, ()> {
        self.append_tournament(change)
    }

    fn tournament_events<'a>(&'a self, id: &'a str, after: u64) -> Call<'a, Vec<(u64, TournamentEvent)>> {
        self.tournament_events(id, after)
    }

    fn due_tournaments(&self, now: u64) -> Call<'_, Vec<String>> {
        self.due_tournaments(now)
    }

    fn close_tournament<'a>(&'a self, id: &'a str) -> Call<'a, ()> {
        self.close_tournament(id)
    }

    fn tournaments<'a>(&'a self, organiser: &'a str, most: u32) -> Call<'a, Vec<TournamentSummary>> {
        self.tournaments(organiser, most)
    }

    fn open_tournaments<'a>(&'a self, organiser: &'a str) -> Call<'a, u64> {
        self.open_tournaments(organiser)
    }

    fn table_results<'a>(&'a self, tables: &'a [String]) -> Call<'a, Vec<TableResult>> {
        self.table_results(tables)
    }

    fn setting<'a>(&'a self, name: &'a str, default: &'a str) -> Call<'a, String> {
        self.setting(name, default)
    }
}
