//! The ratings of accounts against puzzles, and which puzzles they have tried.

use protocol::{PuzzleRating, RatingChange};
use sqlx::{AssertSqlSafe, Row, any::AnyRow};
use study::glicko::Rating;

use super::{Call, Result, Store, Transaction, count, missing, number, ratings::read_rating};

/// A puzzle that an account has tried.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TriedPuzzle {
    /// The game, such as `connect-four`.
    pub game: String,
    /// The number of the puzzle.
    pub number: u64,
    /// Whether it was solved at the first try, without help.
    pub solved: bool,
    /// When, in Unix time in milliseconds.
    pub at: u64,
}

/// An account's first decided attempt at a puzzle.
#[derive(Clone, Copy, Debug)]
pub struct Decided<'a> {
    /// The id of the account.
    pub account: &'a str,
    /// The game, such as `connect-four`.
    pub game: &'a str,
    /// The number of the puzzle.
    pub number: u64,
    /// Whether it was solved at the first try, without help.
    pub solved: bool,
}

impl Store {
    /// The rating of an account against the puzzles of a game; that of a new player if it has none.
    pub fn puzzle_rating<'a>(&'a self, account: &'a str, game: &'a str) -> Call<'a, Rating> {
        Box::pin(async move {
            let sql = "SELECT rating, deviation, volatility, at FROM puzzle_ratings WHERE account = $1 AND game = $2";
            let row = self.one(sql, |query| query.bind(account).bind(game)).await?;
            Ok(row.map(|row| read_rating(&row, self.clock().now_ms())).transpose()?.unwrap_or_default())
        })
    }

    /// All ratings of an account against puzzles.
    pub fn puzzle_ratings<'a>(&'a self, account: &'a str) -> Call<'a, Vec<PuzzleRating>> {
        Box::pin(async move {
            let sql = "SELECT rating, deviation, volatility, at, puzzles, game FROM puzzle_ratings
            WHERE account = $1 ORDER BY game";
            let rows = self.all(sql, |query| query.bind(account)).await?;
            let now = self.clock().now_ms();
            let read = |row: &AnyRow| {
                let Rating { rating, deviation, .. } = read_rating(row, now)?;
                Ok(PuzzleRating { game: row.try_get(5)?, rating, deviation, puzzles: count(row, 4)? })
            };
            rows.iter().map(read).collect()
        })
    }

    /// The puzzles that an account has tried, oldest first.
    pub fn puzzles_tried<'a>(&'a self, account: &'a str) -> Call<'a, Vec<TriedPuzzle>> {
        Box::pin(async move {
            let sql = "SELECT game, number, solved, at FROM puzzle_attempts WHERE account = $1
            ORDER BY at, game, number";
            let rows = self.all(sql, |query| query.bind(account)).await?;
            let read = |row: &AnyRow| {
                let (number, at) = (count(row, 1)?, count(row, 3)?);
                Ok(TriedPuzzle { game: row.try_get(0)?, number, solved: count(row, 2)? != 0, at })
            };
            rows.iter().map(read).collect()
        })
    }

    /// The numbers of the puzzles of a game that an account has tried.
    pub fn puzzle_numbers_tried<'a>(&'a self, account: &'a str, game: &'a str) -> Call<'a, Vec<u64>> {
        Box::pin(async move {
            let sql = "SELECT number FROM puzzle_attempts WHERE account = $1 AND game = $2";
            let rows = self.all(sql, |query| query.bind(account).bind(game)).await?;
            rows.iter().map(|row| Ok(count(row, 0)?)).collect()
        })
    }

    /// Rates an attempt by `rate`, unless the account has been rated for this puzzle already.
    pub async fn decide_puzzle(
        &self,
        decided: Decided<'_>,
        rate: impl FnOnce(Rating) -> Rating,
    ) -> Result<Option<RatingChange>> {
        let now = self.clock().now_ms();
        let mut transaction = self.begin().await?;
        let done = async {
            let before = self.lock_puzzle_rating(&mut transaction, decided, now).await?;
            let sql = "INSERT INTO puzzle_attempts (account, game, number, solved, at)
                VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING";
            let Decided { account, game, number: puzzle, solved } = decided;
            let is_first = transaction
                .change(sql, |query| {
                    let query = query.bind(account).bind(game).bind(number(puzzle));
                    query.bind(i64::from(solved)).bind(number(now))
                })
                .await?
                > 0;
            if !is_first {
                return Ok(None);
            }
            let after = rate(before);
            let sql = "UPDATE puzzle_ratings
                SET rating = $3, deviation = $4, volatility = $5, puzzles = puzzles + 1, at = $6
                WHERE account = $1 AND game = $2";
            transaction
                .change(sql, |query| {
                    let query = query.bind(account).bind(game).bind(after.rating);
                    query.bind(after.deviation).bind(after.volatility).bind(number(now))
                })
                .await?;
            let Rating { rating, deviation, .. } = after;
            Ok(Some(RatingChange { before: before.rating, after: rating, deviation }))
        }
        .await;
        transaction.finish(done).await
    }

    /// Reads a rating and locks it until the transaction ends.
    async fn lock_puzzle_rating(
        &self,
        transaction: &mut Transaction,
        Decided { account, game, .. }: Decided<'_>,
        now: u64,
    ) -> Result<Rating> {
        let new = Rating::default();
        let sql = "INSERT INTO puzzle_ratings (account, game, rating, deviation, volatility, puzzles, at)
            VALUES ($1, $2, $3, $4, $5, 0, $6) ON CONFLICT DO NOTHING";
        transaction
            .change(sql, |query| {
                let query = query.bind(account).bind(game).bind(new.rating);
                query.bind(new.deviation).bind(new.volatility).bind(number(now))
            })
            .await?;
        let sql =
            "SELECT rating, deviation, volatility, at FROM puzzle_ratings WHERE account = $1 AND game = $2";
        let sql = AssertSqlSafe(format!("{sql}{}", self.inner.backend.for_update()));
        let row = transaction.one(sql, |query| query.bind(account).bind(game)).await?;
        Ok(read_rating(&row.ok_or_else(|| missing("a rating"))?, now)?)
    }
}
