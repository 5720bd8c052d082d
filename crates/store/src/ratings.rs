//! Ratings, changed only by the append that ends a rated game.

use protocol::{ClockKind, RankingEntry, RatingChange, RatingPoint, RatingSummary};
use rules::Side;
use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, Row};
use study::glicko::{RANKED_DEVIATION, Rating, growth_per_ms};

use super::{Backend, Call, Result, Store, Transaction, count, from_variant, missing, number};

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
}

/// One side of a rated game.
#[derive(Clone, Debug, PartialEq)]
pub enum RatedPlayer {
    /// The id of an account.
    Account(String),
    /// A program with a fixed rating.
    Fixed(f64),
}

impl Store {
    /// The rating of an account in a game and kind of clock; that of a new player if it has none.
    pub fn rating<'a>(&'a self, account: &'a str, game: &'a str, clock_kind: ClockKind) -> Call<'a, Rating> {
        Box::pin(async move {
            let sql = "SELECT rating, deviation, volatility, at FROM ratings
            WHERE account = $1 AND game = $2 AND clock_kind = $3";
            let row = self.one(sql, |query| query.bind(account).bind(game).bind(clock_kind.name())).await?;
            Ok(row.map(|row| read_rating(&row, self.clock().now_ms())).transpose()?.unwrap_or_default())
        })
    }

    /// All ratings of an account, most played first.
    pub fn ratings<'a>(&'a self, account: &'a str) -> Call<'a, Vec<RatingSummary>> {
        Box::pin(async move {
            let sql = "SELECT rating, deviation, volatility, at, games, game, clock_kind FROM ratings
            WHERE account = $1 ORDER BY games DESC, game, clock_kind";
            let rows = self.all(sql, |query| query.bind(account)).await?;
            let now = self.clock().now_ms();
            let read = |row: &AnyRow| {
                let Rating { rating, deviation, .. } = read_rating(row, now)?;
                let kind = from_variant(row, 6)?.ok_or_else(|| missing("the kind of clock of a rating"))?;
                Ok(RatingSummary { game: row.try_get(5)?, kind, rating, deviation, games: count(row, 4)? })
            };
            rows.iter().map(read).collect()
        })
    }

    /// The ranking, best first, without players whose rating is too uncertain.
    pub fn ranking<'a>(
        &'a self,
        game: &'a str,
        clock_kind: ClockKind,
        limit: u32,
        offset: u32,
    ) -> Call<'a, Vec<RankingEntry>> {
        Box::pin(async move {
            let sql = AssertSqlSafe(format!(
                "SELECT r.rating, r.deviation, r.volatility, r.at, r.games, a.name, a.bot
            FROM ratings r JOIN accounts a ON a.id = r.account
            WHERE r.game = $1 AND r.clock_kind = $2
                AND r.deviation * r.deviation + r.volatility * r.volatility * $3 * ($4 - r.at) <= $5
            ORDER BY r.rating DESC, r.account LIMIT {limit} OFFSET {offset}"
            ));
            let now = self.clock().now_ms();
            let uncertain = RANKED_DEVIATION * RANKED_DEVIATION;
            let rows = self
                .all(sql, |query| {
                    let query = query.bind(game).bind(clock_kind.name()).bind(growth_per_ms());
                    query.bind(now as f64).bind(uncertain)
                })
                .await?;
            let read = |(place, row): (u64, &AnyRow)| {
                let Rating { rating, deviation, .. } = read_rating(row, now)?;
                let (name, bot, games) = (row.try_get(5)?, count(row, 6)? != 0, count(row, 4)?);
                Ok(RankingEntry { place, name, bot, rating, deviation, games })
            };
            (u64::from(offset) + 1..).zip(&rows).map(read).collect()
        })
    }

    /// The history of a rating, oldest first.
    pub fn rating_history<'a>(
        &'a self,
        account: &'a str,
        game: &'a str,
        clock_kind: ClockKind,
    ) -> Call<'a, Vec<RatingPoint>> {
        Box::pin(async move {
            let sql = "SELECT h.at, CASE WHEN t.listed = 1 THEN t.id END, h.rating, h.deviation
            FROM rating_history h JOIN tables t ON t.id = h.table_id
            WHERE h.account = $1 AND h.game = $2 AND h.clock_kind = $3 ORDER BY h.at, h.table_id";
            let rows = self.all(sql, |query| query.bind(account).bind(game).bind(clock_kind.name())).await?;
            let point = |row: &AnyRow| {
                Ok(RatingPoint {
                    at: count(row, 0)?,
                    table: row.try_get(1)?,
                    rating: row.try_get(2)?,
                    deviation: row.try_get(3)?,
                })
            };
            rows.iter().map(point).collect()
        })
    }
}

impl Transaction {
    /// Rates a game unless it is rated already. Programs keep their ratings.
    pub(super) async fn rate(
        &mut self,
        backend: Backend,
        table: &str,
        rated: &Rated,
        winner: Option<Side>,
        at: u64,
    ) -> Result<Option<[Option<RatingChange>; 2]>> {
        if rated.first == rated.second {
            return Ok(None); // a game against oneself is not rated
        }
        let players = [&rated.first, &rated.second];
        // Always in the same order, which prevents deadlocks between two games of the same players.
        let mut order = [0, 1];
        order.sort_by_key(|&index| players[index].account());
        let mut before = [Rating::default(); 2];
        for index in order {
            before[index] = match players[index] {
                RatedPlayer::Fixed(rating) => Rating::fixed(*rating),
                RatedPlayer::Account(account) => self.lock_rating(backend, account, rated, at).await?,
            };
        }
        let sql = "SELECT account FROM rating_history WHERE table_id = $1";
        if self.one(sql, |query| query.bind(table)).await?.is_some() {
            return Ok(None);
        }

        let score = match winner {
            Some(Side::First) => 1.0,
            Some(Side::Second) => 0.0,
            None => 0.5,
        };
        let after = [before[0].after_game(before[1], score), before[1].after_game(before[0], 1.0 - score)];
        let mut changes = [None; 2];
        for index in order {
            if let Some(account) = players[index].account() {
                self.write_rating(account, table, rated, after[index], at).await?;
                changes[index] = Some(RatingChange {
                    before: before[index].rating,
                    after: after[index].rating,
                    deviation: after[index].deviation,
                });
            }
        }
        Ok(Some(changes))
    }

    /// Reads a rating and locks it until the transaction ends.
    async fn lock_rating(
        &mut self,
        backend: Backend,
        account: &str,
        rated: &Rated,
        at: u64,
    ) -> Result<Rating> {
        let new = Rating::default();
        let sql = "INSERT INTO ratings (account, game, clock_kind, rating, deviation, volatility, games, at)
            VALUES ($1, $2, $3, $4, $5, $6, 0, $7) ON CONFLICT DO NOTHING";
        let kind = rated.clock_kind.name();
        self.change(sql, |query| {
            let query = query.bind(account).bind(&rated.game).bind(kind).bind(new.rating);
            query.bind(new.deviation).bind(new.volatility).bind(number(at))
        })
        .await?;
        let sql = "SELECT rating, deviation, volatility, at FROM ratings
            WHERE account = $1 AND game = $2 AND clock_kind = $3";
        let sql = AssertSqlSafe(format!("{sql}{}", backend.for_update()));
        let row = self.one(sql, |query| query.bind(account).bind(&rated.game).bind(kind)).await?;
        Ok(read_rating(&row.ok_or_else(|| missing("a rating"))?, at)?)
    }

    async fn write_rating(
        &mut self,
        account: &str,
        table: &str,
        rated: &Rated,
        after: Rating,
        at: u64,
    ) -> Result<()> {
        let kind = rated.clock_kind.name();
        let sql =
            "UPDATE ratings SET rating = $4, deviation = $5, volatility = $6, games = games + 1, at = $7
            WHERE account = $1 AND game = $2 AND clock_kind = $3";
        self.change(sql, |query| {
            let query = query.bind(account).bind(&rated.game).bind(kind).bind(after.rating);
            query.bind(after.deviation).bind(after.volatility).bind(number(at))
        })
        .await?;
        let sql = "INSERT INTO rating_history (table_id, account, game, clock_kind, rating, deviation, at)
            VALUES ($1, $2, $3, $4, $5, $6, $7)";
        self.change(sql, |query| {
            let query = query.bind(table).bind(account).bind(&rated.game).bind(kind);
            query.bind(after.rating).bind(after.deviation).bind(number(at))
        })
        .await
        .map(drop)
    }
}

impl RatedPlayer {
    fn account(&self) -> Option<&str> {
        match self {
            RatedPlayer::Account(account) => Some(account),
            RatedPlayer::Fixed(_) => None,
        }
    }
}

/// Reads a rating: rating, deviation, volatility, and the time of the last game, after which the deviation
/// grows.
pub(super) fn read_rating(row: &AnyRow, now: u64) -> std::result::Result<Rating, sqlx::Error> {
    let stored = Rating { rating: row.try_get(0)?, deviation: row.try_get(1)?, volatility: row.try_get(2)? };
    Ok(stored.after_idle(now.saturating_sub(count(row, 3)?)))
}
