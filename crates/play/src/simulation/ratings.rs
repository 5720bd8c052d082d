//! Ratings of the simulated database, and the same ratings in a real one.
//!
//! The map keeps what every result did, in the order of the simulated commits. After a run, a real store does the same
//! in the same order: it applies results one by one, and computes ratings again when an operator voids some. Both must end
//! with the ratings that follow from the remaining results.

use std::collections::BTreeMap;

use protocol::{ClockKind, EndReason, Event, RatingChange, Status};
use rules::Side;
use store::{Rated, RatedPlayer, ResultsOf, Store, StoreError, TableChange, TableRow};
use study::glicko::Rating;
use study::ratings::{SERIES_MS, Standing, rate, weight};

/// A game and a kind of clock.
type List = (String, &'static str);

struct StoredResult {
    table: String,
    rated: Rated,
    winner: Option<Side>,
    at: u64,
    is_voided: bool,
}

/// What was committed.
enum Commit {
    Rated { row: Box<TableRow>, rated: Rated, winner: Option<Side>, at: u64 },
    Revised { of: Selected, voided: bool },
}

/// The results that an operator selects.
#[derive(Clone, Debug)]
pub(super) enum Selected {
    Table(String),
    Account(String),
    Tournament(String),
}

impl Selected {
    fn contains(&self, result: &StoredResult) -> bool {
        let Rated { first, second, tournament, .. } = &result.rated;
        match self {
            Self::Table(table) => result.table == *table,
            Self::Account(account) => [first, second].iter().any(|player| player.account() == Some(account)),
            Self::Tournament(id) => tournament.as_ref() == Some(id),
        }
    }

    fn as_results(&self) -> ResultsOf<'_> {
        match self {
            Self::Table(id) => ResultsOf::Table(id),
            Self::Account(id) => ResultsOf::Account(id),
            Self::Tournament(id) => ResultsOf::Tournament(id),
        }
    }
}

/// Results and ratings.
#[derive(Default)]
pub(super) struct Ratings {
    results: Vec<StoredResult>,
    standings: BTreeMap<(List, String), Standing>,
    commits: Vec<Commit>,
}

impl Ratings {
    /// Rates a game; see `Store::append`.
    pub(super) fn rate(
        &mut self,
        row: &TableRow,
        rated: &Rated,
        winner: Option<Side>,
        at: u64,
    ) -> Option<[Option<RatingChange>; 2]> {
        let (row_copy, rated_copy) = (Box::new(row.clone()), rated.clone());
        self.commits.push(Commit::Rated { row: row_copy, rated: rated_copy, winner, at });
        let rated = rated.clone();
        self.results.push(StoredResult { table: row.key.id.clone(), rated, winner, at, is_voided: false });
        Some(self.apply(self.results.len() - 1))
    }

    /// Voids or restores results; returns how many.
    pub(super) fn revise(&mut self, of: Selected, voided: bool) -> usize {
        let mut revised = 0;
        for result in self.results.iter_mut().filter(|result| of.contains(result)) {
            revised += usize::from(result.is_voided != voided);
            result.is_voided = voided;
        }
        self.commits.push(Commit::Revised { of, voided });
        self.standings = self.fold();
        revised
    }

    /// The tables with a result.
    pub(super) fn tables(&self) -> impl Iterator<Item = &str> {
        self.results.iter().map(|result| result.table.as_str())
    }

    pub(super) fn rating(&self, account: &str, game: &str, clock_kind: ClockKind) -> Standing {
        let key = ((game.to_owned(), clock_kind.name()), account.to_owned());
        self.standings.get(&key).copied().unwrap_or(Standing::new(0))
    }

    /// Applies a result to the ratings.
    fn apply(&mut self, index: usize) -> [Option<RatingChange>; 2] {
        let result = &self.results[index];
        let list = (result.rated.game.clone(), result.rated.clock_kind.name());
        let players = [&result.rated.first, &result.rated.second];
        let is_pair = |other: &StoredResult| {
            let others = [&other.rated.first, &other.rated.second];
            let is_same_list = other.rated.game == list.0 && other.rated.clock_kind.name() == list.1;
            is_same_list && (others == players || others == [players[1], players[0]])
        };
        let since = result.at.saturating_sub(SERIES_MS);
        let earlier = self.results[..index].iter();
        let earlier = earlier.filter(|other| !other.is_voided && other.at > since && is_pair(other)).count();
        let before = players.map(|player| match player {
            RatedPlayer::Fixed(rating) => (Rating::fixed(*rating), None),
            RatedPlayer::Account(account) => {
                let key = (list.clone(), account.clone());
                let standing = self.standings.get(&key).copied().unwrap_or(Standing::new(result.at));
                (standing.rating_at(result.at), Some((key, standing.games)))
            }
        });
        let weight = if players.iter().all(|player| player.account().is_some()) {
            weight(earlier as u64)
        } else {
            1.0
        };
        let score = [0.5, 1.0, 0.0][result.winner.map_or(0, |side| 1 + side.index())];
        let after = rate([before[0].0, before[1].0], score, weight);
        let at = result.at;
        let mut changes = [None; 2];
        for (index, (rating, of)) in before.into_iter().enumerate() {
            let Some((key, games)) = of else { continue };
            changes[index] = Some(RatingChange {
                before: rating.rating,
                after: after[index].rating,
                deviation: after[index].deviation,
            });
            self.standings.insert(key, Standing { rating: after[index], games: games + 1, at });
        }
        changes
    }

    /// The ratings that follow from the results that count.
    fn fold(&mut self) -> BTreeMap<(List, String), Standing> {
        self.standings.clear();
        for index in 0..self.results.len() {
            if !self.results[index].is_voided {
                self.apply(index);
            }
        }
        std::mem::take(&mut self.standings)
    }

    /// Returns where the ratings are not those that follow from the results.
    pub(super) fn check(&mut self) -> Vec<String> {
        let stored = self.standings.clone();
        let folded = self.fold();
        self.standings.clone_from(&stored);
        if stored == folded { Vec::new() } else { vec![format!("ratings {stored:?} instead of {folded:?}")] }
    }

    /// Commits the same to a real store, and returns where its ratings differ.
    pub(super) async fn repeat(&self, store: &Store) -> Result<Vec<String>, StoreError> {
        for commit in &self.commits {
            match commit {
                Commit::Revised { of, voided } => {
                    store.revise_results(of.as_results(), *voided).await?;
                }
                Commit::Rated { row, rated, winner, at } => {
                    let row =
                        TableRow { status: Status::Playing, winner: None, reason: None, ..*row.clone() };
                    let settings = row.settings.clone().into();
                    let created =
                        Event::Created { settings, seats: row.seats.clone(), creator: String::new() };
                    store.create_table(&row, vec![created]).await?;
                    let (winner, reason) = (*winner, EndReason::Rules);
                    let change = TableChange {
                        status: Some(Status::Ended),
                        winner,
                        reason: Some(reason),
                        rated: Some(rated.clone()),
                        ..TableChange::default()
                    };
                    let ended = Event::Ended { winner, reason, ratings: None };
                    store.append(&row.key, 1, *at, vec![ended], Some(change)).await?;
                }
            }
        }
        let mut found = Vec::new();
        for (((game, kind), account), standing) in &self.standings {
            let stored = store.ratings(account).await?;
            let stored = stored.iter().find(|line| line.game == *game && line.kind.name() == *kind);
            let stored = stored.map(|line| (line.rating, line.games));
            if stored != Some((standing.rating.rating, standing.games)) {
                found
                    .push(format!("{account} in {game}: {stored:?} in the database instead of {standing:?}"));
            }
        }
        Ok(found)
    }
}
