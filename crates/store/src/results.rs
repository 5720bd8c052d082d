//! Results of rated games, from which all ratings follow.
//!
//! Each list of ratings (a game and a kind of clock) begins with the ratings of version 0.2, and its results are applied
//! in order. The end of a rated game appends its result and applies it. When an operator voids or restores results,
//! everything after the first of them is computed again. Both lock the row of the list, so that all nodes apply the
//! results in the same order.

use std::collections::{HashMap, HashSet};

use protocol::{ClockKind, RatingChange};
use rules::Side;
use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, Row};
use study::glicko::Rating;
use study::ratings::{SERIES_MS, Standing, rate, weight};

use super::{Bound, Call, Result, Store, Transaction, count, from_variant, missing, number, variant};

/// A finished rated game.
#[derive(Clone, Debug, PartialEq)]
pub struct Rated {
    /// The player who moved first.
    pub first: RatedPlayer,
    /// The player who moved second.
    pub second: RatedPlayer,
    /// The game that it is rated as.
    pub game: String,
    /// The kind of clock that it is rated as.
    pub clock_kind: ClockKind,
    /// The tournament of the game.
    pub tournament: Option<String>,
}

/// One side of a rated game.
#[derive(Clone, Debug, PartialEq)]
pub enum RatedPlayer {
    /// The id of an account, or a random mark once the account is deleted.
    Account(String),
    /// A program with a fixed rating.
    Fixed(f64),
}

impl RatedPlayer {
    /// The id of the account.
    #[must_use]
    pub fn account(&self) -> Option<&str> {
        match self {
            RatedPlayer::Account(account) => Some(account),
            RatedPlayer::Fixed(_) => None,
        }
    }

    /// The rating of a program.
    fn fixed(&self) -> f64 {
        match self {
            RatedPlayer::Account(_) => 0.0,
            RatedPlayer::Fixed(rating) => *rating,
        }
    }

    fn read(row: &AnyRow, column: usize) -> Result<RatedPlayer> {
        Ok(match row.try_get::<Option<String>, _>(column)? {
            Some(account) => RatedPlayer::Account(account),
            None => RatedPlayer::Fixed(row.try_get(column + 1)?),
        })
    }
}

/// A stored result.
#[derive(Clone, Debug, PartialEq)]
pub struct RatedResult {
    /// The table of the game.
    pub table: String,
    /// The place of the result in its list, from 1.
    pub number: u64,
    /// The players, the list and the tournament.
    pub rated: Rated,
    /// The winner; none for a draw.
    pub winner: Option<Side>,
    /// When the game ended, in Unix milliseconds.
    pub at: u64,
    /// When an operator voided the result; zero if it counts.
    pub voided: u64,
}

/// Which results an operator selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultsOf<'a> {
    /// The result of a table.
    Table(&'a str),
    /// All results of an account.
    Account(&'a str),
    /// All results of a tournament.
    Tournament(&'a str),
}

impl<'a> ResultsOf<'a> {
    /// The condition, with the value in place of `$1`.
    fn condition(self) -> &'static str {
        match self {
            Self::Table(_) => "table_id = $1",
            Self::Account(_) => "(first_id = $1 OR second_id = $1)",
            Self::Tournament(_) => "tournament = $1",
        }
    }

    fn value(self) -> &'a str {
        let (Self::Table(value) | Self::Account(value) | Self::Tournament(value)) = self;
        value
    }
}

/// How much changed when results were voided or restored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Revision {
    /// Results that were voided or restored.
    pub results: u64,
    /// Results whose effect was computed again, including these.
    pub recomputed: u64,
}

/// A list of ratings.
#[derive(Clone, Copy)]
struct List<'a> {
    game: &'a str,
    clock_kind: &'a str,
}

const COLUMNS: &str = "table_id, number, at, voided, winner, first_id, first_fixed, second_id, second_fixed, \
    game, clock_kind, tournament";

/// Results that are read at once while ratings are computed again.
const PAGE: u32 = 500;

/// Rows of the history in one statement.
const MAX_ROWS: usize = 50;

impl RatedResult {
    fn read(row: &AnyRow) -> Result<RatedResult> {
        let clock_kind = from_variant(row, 10)?.ok_or_else(|| missing("the kind of clock of a result"))?;
        Ok(RatedResult {
            table: row.try_get(0)?,
            number: count(row, 1)?,
            at: count(row, 2)?,
            voided: count(row, 3)?,
            winner: from_variant(row, 4)?,
            rated: Rated {
                first: RatedPlayer::read(row, 5)?,
                second: RatedPlayer::read(row, 7)?,
                game: row.try_get(9)?,
                clock_kind,
                tournament: row.try_get(11)?,
            },
        })
    }

    fn players(&self) -> [&RatedPlayer; 2] {
        [&self.rated.first, &self.rated.second]
    }

    /// The score of the first player.
    fn score(&self) -> f64 {
        match self.winner {
            Some(Side::First) => 1.0,
            Some(Side::Second) => 0.0,
            None => 0.5,
        }
    }
}

impl Store {
    /// Rated results, latest first.
    pub fn results<'a>(&'a self, of: Option<ResultsOf<'a>>, limit: u32) -> Call<'a, Vec<RatedResult>> {
        Box::pin(async move {
            let condition = of.map_or(String::new(), |of| format!(" WHERE {}", of.condition()));
            let sql = format!(
                "SELECT {COLUMNS} FROM results{condition} ORDER BY at DESC, number DESC LIMIT {limit}"
            );
            let bind = |query: Bound| of.iter().fold(query, |query, of| query.bind(of.value()));
            let rows = self.all(AssertSqlSafe(sql), bind).await?;
            rows.iter().map(RatedResult::read).collect()
        })
    }

    /// Voids or restores results, and computes all ratings again that follow from them. The games and their logs stay.
    /// If this fails in the middle, some lists are complete and the others unchanged; repeat it.
    pub fn revise_results<'a>(&'a self, of: ResultsOf<'a>, voided: bool) -> Call<'a, Revision> {
        Box::pin(async move {
            let sql = format!(
                "SELECT DISTINCT game, clock_kind FROM results WHERE {} ORDER BY game, clock_kind",
                of.condition()
            );
            let mut revision = Revision::default();
            for row in self.all(AssertSqlSafe(sql), |query| query.bind(of.value())).await? {
                let list = List { game: row.try_get(0)?, clock_kind: row.try_get(1)? };
                let at = if voided { self.clock().now_ms().max(1) } else { 0 };
                let mut transaction = self.begin().await?;
                let done = self.revise_list(&mut transaction, list, of, at).await;
                let Revision { results, recomputed } = transaction.finish(done).await?;
                revision.results += results;
                revision.recomputed += recomputed;
            }
            Ok(revision)
        })
    }

    async fn revise_list(
        &self,
        transaction: &mut Transaction,
        list: List<'_>,
        of: ResultsOf<'_>,
        voided: u64,
    ) -> Result<Revision> {
        transaction.lock_list(self.inner.backend.for_update(), list).await?;
        let sql = format!(
            "UPDATE results SET voided = $2 WHERE {} AND game = $3 AND clock_kind = $4 AND voided {} 0
            RETURNING number",
            of.condition(),
            if voided > 0 { "=" } else { "<>" }
        );
        let bind =
            |query: Bound| query.bind(of.value()).bind(number(voided)).bind(list.game).bind(list.clock_kind);
        let rows = transaction.all(AssertSqlSafe(sql), bind).await?;
        let revised = rows.iter().map(|row| count(row, 0)).collect::<std::result::Result<HashSet<_>, _>>()?;
        let recomputed = match revised.iter().min() {
            Some(&first) => transaction.recompute(list, first, &revised).await?,
            None => 0,
        };
        Ok(Revision { results: revised.len() as u64, recomputed })
    }
}

impl Transaction {
    /// Rates a game unless it is rated already. Programs keep their ratings.
    pub(super) async fn rate(
        &mut self,
        for_update: &str,
        table: &str,
        rated: &Rated,
        winner: Option<Side>,
        at: u64,
    ) -> Result<Option<[Option<RatingChange>; 2]>> {
        if rated.first == rated.second {
            return Ok(None); // a game against oneself is not rated
        }
        let list = List { game: &rated.game, clock_kind: rated.clock_kind.name() };
        let last = self.lock_list(for_update, list).await?;
        let sql = "SELECT table_id FROM results WHERE table_id = $1
            UNION ALL SELECT table_id FROM rating_history WHERE table_id = $1";
        if self.one(sql, |query| query.bind(table)).await?.is_some() {
            return Ok(None);
        }
        let result = RatedResult {
            table: table.to_owned(),
            number: last + 1,
            rated: rated.clone(),
            winner,
            at,
            voided: 0,
        };
        self.insert_result(&result).await?;
        let sql = "UPDATE rating_lists SET results = $3 WHERE game = $1 AND clock_kind = $2";
        self.change(sql, |query| query.bind(list.game).bind(list.clock_kind).bind(number(result.number)))
            .await?;
        let mut known = HashMap::new();
        let before = self.standings(list, &result, &mut known).await?;
        let after = self.apply(list, &result, before).await?;
        let mut changes = [None; 2];
        let mut points = Vec::new();
        for (index, player) in result.players().into_iter().enumerate() {
            if let (Some(account), Some(before), Some(after)) =
                (player.account(), before[index], after[index])
            {
                points.push((account.to_owned(), result.table.clone(), result.number, after));
                self.write_rating(account, list, Some(after)).await?;
                changes[index] = Some(RatingChange {
                    before: before.rating_at(at).rating,
                    after: after.rating.rating,
                    deviation: after.rating.deviation,
                });
            }
        }
        self.write_history(list, &points).await?;
        Ok(Some(changes))
    }

    /// Locks a list until the transaction ends, and returns the number of its last result.
    async fn lock_list(&mut self, for_update: &str, list: List<'_>) -> Result<u64> {
        let sql =
            "INSERT INTO rating_lists (game, clock_kind, results) VALUES ($1, $2, 0) ON CONFLICT DO NOTHING";
        self.change(sql, |query| query.bind(list.game).bind(list.clock_kind)).await?;
        let sql = format!("SELECT results FROM rating_lists WHERE game = $1 AND clock_kind = $2{for_update}");
        let row = self.one(AssertSqlSafe(sql), |query| query.bind(list.game).bind(list.clock_kind)).await?;
        Ok(count(&row.ok_or_else(|| missing("a list of ratings"))?, 0)?)
    }

    async fn insert_result(&mut self, result: &RatedResult) -> Result<()> {
        let sql = AssertSqlSafe(format!(
            "INSERT INTO results ({COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)"
        ));
        let Rated { first, second, game, clock_kind, tournament } = &result.rated;
        self.change(sql, |query| {
            let query = query.bind(&result.table).bind(number(result.number)).bind(number(result.at));
            let query = query.bind(number(result.voided)).bind(result.winner.map(variant));
            let query = query.bind(first.account()).bind(first.fixed());
            let query = query.bind(second.account()).bind(second.fixed());
            query.bind(game).bind(clock_kind.name()).bind(tournament)
        })
        .await
        .map(drop)
    }

    /// Returns the standings of both players before a result; none for programs. Remembers those it reads.
    async fn standings(
        &mut self,
        list: List<'_>,
        result: &RatedResult,
        known: &mut HashMap<String, Standing>,
    ) -> Result<[Option<Standing>; 2]> {
        let mut standings = [None; 2];
        for (index, player) in result.players().into_iter().enumerate() {
            let Some(account) = player.account() else { continue };
            let standing = match known.get(account) {
                Some(standing) => *standing,
                None => {
                    let stored = self.standing_before(list, account, result.number).await?;
                    *known.entry(account.to_owned()).or_insert(stored.unwrap_or(Standing::new(result.at)))
                }
            };
            standings[index] = Some(standing);
        }
        Ok(standings)
    }

    /// The stored standing of an account before a result: after its last game, or as it was at the start.
    async fn standing_before(
        &mut self,
        list: List<'_>,
        account: &str,
        before: u64,
    ) -> Result<Option<Standing>> {
        let history = "SELECT rating, deviation, volatility, games, at FROM rating_history
            WHERE account = $1 AND game = $2 AND clock_kind = $3 AND number > 0 AND number < $4
            ORDER BY number DESC LIMIT 1";
        let bind = |query: Bound| query.bind(account).bind(list.game).bind(list.clock_kind);
        let mut row = self.one(history, |query| bind(query).bind(number(before))).await?;
        if row.is_none() {
            let start = "SELECT rating, deviation, volatility, games, at FROM rating_starts
                WHERE account = $1 AND game = $2 AND clock_kind = $3";
            row = self.one(start, bind).await?;
        }
        let read = |row: AnyRow| {
            let rating =
                Rating { rating: row.try_get(0)?, deviation: row.try_get(1)?, volatility: row.try_get(2)? };
            Ok(Standing { rating, games: count(&row, 3)?, at: count(&row, 4)? })
        };
        row.map(read).transpose()
    }

    /// Returns the standings after a result.
    async fn apply(
        &mut self,
        list: List<'_>,
        result: &RatedResult,
        before: [Option<Standing>; 2],
    ) -> Result<[Option<Standing>; 2]> {
        let players = result.players();
        let weight = match players.map(RatedPlayer::account) {
            [Some(first), Some(second)] => {
                let sql = "SELECT COUNT(*) FROM results WHERE game = $1 AND clock_kind = $2 AND number < $3
                    AND at > $4 AND voided = 0
                    AND (first_id = $5 AND second_id = $6 OR first_id = $6 AND second_id = $5)";
                let since = result.at.saturating_sub(SERIES_MS);
                let row = self
                    .one(sql, |query| {
                        let query = query.bind(list.game).bind(list.clock_kind).bind(number(result.number));
                        query.bind(number(since)).bind(first).bind(second)
                    })
                    .await?;
                weight(count(&row.ok_or_else(|| missing("a count"))?, 0)?)
            }
            _ => 1.0,
        };
        let rating = |index: usize| {
            before[index].map_or(Rating::fixed(players[index].fixed()), |it| it.rating_at(result.at))
        };
        let after = rate([rating(0), rating(1)], result.score(), weight);
        let standing = |index: usize| {
            let games = before[index]?.games + 1;
            Some(Standing { rating: after[index], games, at: result.at })
        };
        Ok([standing(0), standing(1)])
    }

    /// Computes ratings again from a result on, and returns the number of results that were applied. Results between
    /// players whose ratings have not changed are left out.
    async fn recompute(&mut self, list: List<'_>, first: u64, revised: &HashSet<u64>) -> Result<u64> {
        let mut known: HashMap<String, Standing> = HashMap::new();
        let (mut next, mut recomputed) = (first, 0);
        loop {
            let sql = AssertSqlSafe(format!(
                "SELECT {COLUMNS} FROM results WHERE game = $1 AND clock_kind = $2 AND number >= $3
                ORDER BY number LIMIT {PAGE}"
            ));
            let bind = |query: Bound| query.bind(list.game).bind(list.clock_kind).bind(number(next));
            let page = self.all(sql, bind).await?;
            let mut points = Vec::new();
            for row in &page {
                let result = RatedResult::read(row)?;
                next = result.number + 1;
                let accounts = result.players().map(RatedPlayer::account);
                let is_affected = accounts.into_iter().flatten().any(|account| known.contains_key(account));
                if !is_affected && !revised.contains(&result.number) {
                    continue;
                }
                recomputed += 1;
                let before = self.standings(list, &result, &mut known).await?;
                if result.voided > 0 {
                    let sql = "DELETE FROM rating_history WHERE table_id = $1";
                    self.change(sql, |query| query.bind(&result.table)).await?;
                    continue;
                }
                let after = self.apply(list, &result, before).await?;
                for (account, after) in accounts.into_iter().zip(after) {
                    if let (Some(account), Some(after)) = (account, after) {
                        known.insert(account.to_owned(), after);
                        points.push((account.to_owned(), result.table.clone(), result.number, after));
                    }
                }
            }
            self.write_history(list, &points).await?;
            if page.len() < PAGE as usize {
                break;
            }
        }
        // In a fixed order, which prevents deadlocks.
        let mut known: Vec<_> = known.into_iter().collect();
        known.sort_unstable_by(|one, other| one.0.cmp(&other.0));
        for (account, standing) in known {
            self.write_rating(&account, list, Some(standing).filter(|it| it.games > 0)).await?;
        }
        Ok(recomputed)
    }

    /// Writes the standings after results: account, table, number of the result, standing.
    async fn write_history(
        &mut self,
        list: List<'_>,
        points: &[(String, String, u64, Standing)],
    ) -> Result<()> {
        const VALUES: usize = 10;
        for points in points.chunks(MAX_ROWS) {
            let rows: Vec<_> = (0..points.len())
                .map(|row| {
                    let values: Vec<_> =
                        (1..=VALUES).map(|value| format!("${}", row * VALUES + value)).collect();
                    format!("({})", values.join(", "))
                })
                .collect();
            let sql = format!(
                "INSERT INTO rating_history (table_id, account, game, clock_kind, rating, deviation, at, number,
                    volatility, games)
                VALUES {} ON CONFLICT (table_id, account) DO UPDATE SET rating = excluded.rating,
                    deviation = excluded.deviation, volatility = excluded.volatility, games = excluded.games",
                rows.join(", ")
            );
            let bind = |query| {
                points.iter().fold(query, |query: Bound, (account, table, result, standing)| {
                    let Standing { rating, games, at } = standing;
                    let query = query.bind(table).bind(account).bind(list.game);
                    let query = query.bind(list.clock_kind).bind(rating.rating).bind(rating.deviation);
                    let query = query.bind(number(*at)).bind(number(*result));
                    query.bind(rating.volatility).bind(number(*games))
                })
            };
            self.change(AssertSqlSafe(sql), bind).await?;
        }
        Ok(())
    }

    /// Writes the rating of an account; none if no result of the account counts.
    async fn write_rating(&mut self, account: &str, list: List<'_>, now: Option<Standing>) -> Result<()> {
        let bind = |query: Bound| query.bind(account).bind(list.game).bind(list.clock_kind);
        let Some(Standing { rating, games, at }) = now else {
            let sql = "DELETE FROM ratings WHERE account = $1 AND game = $2 AND clock_kind = $3";
            return self.change(sql, bind).await.map(drop);
        };
        let sql = "INSERT INTO ratings (account, game, clock_kind, rating, deviation, volatility, games, at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            ON CONFLICT (account, game, clock_kind) DO UPDATE
            SET rating = $4, deviation = $5, volatility = $6, games = $7, at = $8";
        let rating = |query: Bound| query.bind(rating.rating).bind(rating.deviation).bind(rating.volatility);
        self.change(sql, |query| rating(bind(query)).bind(number(games)).bind(number(at))).await.map(drop)
    }

    /// Replaces an account that is deleted by a random mark: the ratings of its opponents follow from its results.
    pub(super) async fn anonymise_results(&mut self, for_update: &str, account: &str) -> Result<()> {
        let mark = format!("d:{}", crate::random_hex::<8>());
        let sql = "SELECT game, clock_kind FROM results WHERE first_id = $1 OR second_id = $1
            UNION SELECT game, clock_kind FROM ratings WHERE account = $1 ORDER BY game, clock_kind";
        for row in self.all(sql, |query| query.bind(account)).await? {
            let list = List { game: row.try_get(0)?, clock_kind: row.try_get(1)? };
            self.lock_list(for_update, list).await?;
        }
        for sql in [
            "UPDATE results SET first_id = $2 WHERE first_id = $1",
            "UPDATE results SET second_id = $2 WHERE second_id = $1",
            "UPDATE rating_history SET account = $2 WHERE account = $1",
            "UPDATE rating_starts SET account = $2 WHERE account = $1",
            "UPDATE ratings SET account = $2 WHERE account = $1",
        ] {
            self.change(sql, |query| query.bind(account).bind(&mark)).await?;
        }
        Ok(())
    }
}
