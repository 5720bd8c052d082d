//! Ratings, rankings and histories, as [`super::results`] computes them.

use protocol::{ClockKind, RankingEntry, RatingPoint, RatingSummary};
use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, Row};
use study::glicko::{RANKED_DEVIATION, Rating, growth_per_ms};

use super::{Call, Store, count, from_variant, missing};

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
            FROM rating_history h LEFT JOIN tables t ON t.id = h.table_id
            WHERE h.account = $1 AND h.game = $2 AND h.clock_kind = $3 ORDER BY h.number, h.at, h.table_id";
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

/// Reads a rating: rating, deviation, volatility, and the time of the last game, after which the deviation
/// grows.
pub(super) fn read_rating(row: &AnyRow, now: u64) -> std::result::Result<Rating, sqlx::Error> {
    let stored = Rating { rating: row.try_get(0)?, deviation: row.try_get(1)?, volatility: row.try_get(2)? };
    Ok(stored.after_idle(now.saturating_sub(count(row, 3)?)))
}
