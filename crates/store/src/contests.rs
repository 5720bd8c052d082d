//! Tournaments of programs on PostgreSQL: a coordinator queues games, and workers on any machine play them.
//! All times are those of the database, and writes are not synced: if a result is lost, its game is played
//! again. Settings, games and records are opaque to this module.

use sqlx::{AssertSqlSafe, Row};

use super::{Call, Hint, Store, count, jobs::NOW, json, number};

/// A worker without a heartbeat for this long is dead, and its games go to others. This is longer than for
/// jobs, because nobody waits for a game and a restart of the database must not cost long games.
const DEAD_AFTER_MS: u64 = 8_000;
/// A coordinator without a heartbeat for this long may be replaced by one with another name.
const ABSENT_AFTER_MS: u64 = 10_000;
/// No game is started for a coordinator that has been silent for this long.
const UNWANTED_AFTER_MS: u64 = 60_000;
/// A contest whose coordinator has been silent for this long (30 days) is deleted with its results.
const FORGOTTEN_AFTER_MS: u64 = 30 * 24 * 60 * 60 * 1000;

/// Workers play only contests of their own version: other versions may have different players of the same name.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A game that a worker has taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakenGame {
    /// The contest.
    pub contest: String,
    /// Its place in the schedule.
    pub game: String,
}

impl TakenGame {
    /// The unique name of the game among all contests.
    pub fn id(&self) -> String {
        format!("{} {}", self.contest, self.game)
    }
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedGame {
    /// Its place in the schedule.
    pub game: String,
    /// The result.
    pub record: String,
}

/// The status of a contest for its coordinator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContestState {
    /// The reason why a worker cannot play it.
    pub failure: Option<String>,
    /// Whether a game is in progress.
    pub is_playing: bool,
}

/// A row of a live worker.
fn alive(row: &str) -> String {
    format!("{row}worker IS NOT NULL AND {row}beat >= {NOW} - {DEAD_AFTER_MS}")
}

impl Store {
    /// Makes `coordinator` the coordinator of a contest. An existing contest keeps its queued games and results. False if
    /// another coordinator is alive.
    /// `has_commands` excludes workers that may not run commands.
    pub fn open_contest<'a>(
        &'a self,
        id: &'a str,
        coordinator: &'a str,
        settings: &'a str,
        has_commands: bool,
    ) -> Call<'a, bool> {
        Box::pin(async move {
            let delete =
                AssertSqlSafe(format!("DELETE FROM contests WHERE beat < {NOW} - {FORGOTTEN_AFTER_MS}"));
            let insert = AssertSqlSafe(format!(
            "INSERT INTO contests (id, coordinator, version, settings, commands, beat) VALUES ($1, $2, $3, $4, $5, {NOW})
            ON CONFLICT (id) DO UPDATE SET coordinator = $2, version = $3, beat = {NOW}, failure = NULL
            WHERE contests.coordinator = $2 OR contests.beat < {NOW} - {ABSENT_AFTER_MS}"
        ));
            self.change(delete, |query| query).await?;
            let bind = |query: super::Bound| {
                query.bind(id).bind(coordinator).bind(VERSION).bind(settings).bind(i64::from(has_commands))
            };
            Ok(self.change(insert, bind).await? > 0)
        })
    }

    /// Sends the coordinator's heartbeat, about once a second. `None` if the contest no longer belongs to it.
    pub fn beat_contest<'a>(&'a self, id: &'a str, coordinator: &'a str) -> Call<'a, Option<ContestState>> {
        Box::pin(async move {
            let playing = alive("g.");
            let sql = AssertSqlSafe(format!(
            "UPDATE contests SET beat = {NOW} WHERE id = $1 AND coordinator = $2 RETURNING failure,
                (SELECT COUNT(*) FROM contest_games g WHERE g.contest = $1 AND g.record IS NULL AND {playing})"
        ));
            let mut transaction = self.begin_unsynced().await?;
            let done = transaction.one(sql, |query| query.bind(id).bind(coordinator)).await;
            let Some(row) = transaction.finish(done).await? else { return Ok(None) };
            Ok(Some(ContestState { failure: row.try_get(0)?, is_playing: row.try_get::<i64, _>(1)? > 0 }))
        })
    }

    /// Queues games in this order, starting with this number; games already queued or played stay unchanged.
    pub fn queue_games<'a>(&'a self, contest: &'a str, first: u64, games: &'a [String]) -> Call<'a, ()> {
        Box::pin(async move {
            let sql = "INSERT INTO contest_games (contest, game, number)
            SELECT $1, value, $2 + ordinality FROM json_array_elements_text(CAST($3 AS JSON)) WITH ORDINALITY
            ON CONFLICT DO NOTHING";
            let mut transaction = self.begin_unsynced().await?;
            let done = async {
                let bind = |query: super::Bound| query.bind(contest).bind(number(first)).bind(json(&games));
                transaction.change(sql, bind).await?;
                self.notify_others(&mut transaction, "job").await
            }
            .await;
            transaction.finish(done).await?;
            self.notify_local(Hint::Job);
            Ok(())
        })
    }

    /// Returns new results, in parts if there are many.
    pub fn played_games<'a>(&'a self, contest: &'a str) -> Call<'a, Vec<PlayedGame>> {
        Box::pin(async move {
            let sql = "SELECT game, record FROM contest_games WHERE contest = $1 AND record IS NOT NULL
            ORDER BY number LIMIT 200";
            let rows = self.all(sql, |query| query.bind(contest)).await?;
            rows.iter().map(|row| Ok(PlayedGame { game: row.try_get(0)?, record: row.try_get(1)? })).collect()
        })
    }

    /// Deletes games whose results have been read.
    pub fn delete_games<'a>(&'a self, contest: &'a str, games: &'a [String]) -> Call<'a, ()> {
        Box::pin(async move {
            let sql = "DELETE FROM contest_games WHERE contest = $1
            AND game IN (SELECT value FROM json_array_elements_text(CAST($2 AS JSON)))";
            let mut transaction = self.begin_unsynced().await?;
            let done = transaction.change(sql, |query| query.bind(contest).bind(json(&games))).await;
            transaction.finish(done).await.map(drop)
        })
    }

    /// Deletes unplayed games; workers abandon those in progress.
    pub fn withdraw_games<'a>(&'a self, contest: &'a str) -> Call<'a, ()> {
        Box::pin(async move {
            let sql = "DELETE FROM contest_games WHERE contest = $1 AND record IS NULL";
            self.change(sql, |query| query.bind(contest)).await.map(drop)
        })
    }

    /// Deletes a finished contest.
    pub fn close_contest<'a>(&'a self, id: &'a str, coordinator: &'a str) -> Call<'a, ()> {
        Box::pin(async move {
            let sql = "DELETE FROM contests WHERE id = $1 AND coordinator = $2";
            self.change(sql, |query| query.bind(id).bind(coordinator)).await.map(drop)
        })
    }

    /// Stores the report of a contest.
    pub fn put_contest_report<'a>(&'a self, id: &'a str, report: &'a str) -> Call<'a, ()> {
        Box::pin(async move {
            let sql = AssertSqlSafe(format!(
                "INSERT INTO contest_reports (id, updated, report) VALUES ($1, {NOW}, $2)
            ON CONFLICT (id) DO UPDATE SET updated = {NOW}, report = $2"
            ));
            let mut transaction = self.begin_unsynced().await?;
            let done = transaction.change(sql, |query| query.bind(id).bind(report)).await;
            transaction.finish(done).await.map(drop)
        })
    }

    /// Lists the contests with a report, latest first, with the time of the report.
    pub fn contest_reports(&self) -> Call<'_, Vec<(String, u64)>> {
        Box::pin(async move {
            let sql = "SELECT id, updated FROM contest_reports ORDER BY updated DESC, id LIMIT 100";
            let rows = self.all(sql, |query| query).await?;
            rows.iter().map(|row| Ok((row.try_get(0)?, count(row, 1)?))).collect()
        })
    }

    /// The time of a contest's last report; `None` if it has none.
    pub fn contest_reported<'a>(&'a self, id: &'a str) -> Call<'a, Option<u64>> {
        Box::pin(async move {
            let sql = "SELECT updated FROM contest_reports WHERE id = $1";
            let row = self.one(sql, |query| query.bind(id)).await?;
            Ok(row.map(|row| count(&row, 0)).transpose()?)
        })
    }

    /// Returns the report of a contest.
    pub fn contest_report<'a>(&'a self, id: &'a str) -> Call<'a, Option<String>> {
        Box::pin(async move {
            let row =
                self.one("SELECT report FROM contest_reports WHERE id = $1", |query| query.bind(id)).await?;
            Ok(row.map(|row| row.try_get(0)).transpose()?)
        })
    }

    /// Returns the settings needed to play the games of a contest; `None` if it is gone.
    pub fn contest_settings<'a>(&'a self, id: &'a str) -> Call<'a, Option<String>> {
        Box::pin(async move {
            let row = self.one("SELECT settings FROM contests WHERE id = $1", |query| query.bind(id)).await?;
            Ok(row.map(|row| row.try_get(0)).transpose()?)
        })
    }

    /// Takes the next game that no live worker plays; games with commands as players only if commands may be run.
    pub fn take_game<'a>(&'a self, worker: &'a str, runs_commands: bool) -> Call<'a, Option<TakenGame>> {
        Box::pin(async move {
            let alive = alive("g.");
            let sql = AssertSqlSafe(format!(
            "UPDATE contest_games SET worker = $1, beat = {NOW} WHERE (contest, game) = (
                SELECT g.contest, g.game FROM contest_games g JOIN contests c ON c.id = g.contest
                WHERE g.record IS NULL AND NOT ({alive})
                    AND c.version = $2 AND c.commands <= $3 AND c.failure IS NULL AND c.beat >= {NOW} - {UNWANTED_AFTER_MS}
                ORDER BY g.number, g.contest, g.game LIMIT 1 FOR UPDATE OF g SKIP LOCKED)
            RETURNING contest, game"
        ));
            let mut transaction = self.begin_unsynced().await?;
            let done = transaction
                .one(sql, |query| query.bind(worker).bind(VERSION).bind(i64::from(runs_commands)))
                .await;
            let Some(row) = transaction.finish(done).await? else { return Ok(None) };
            Ok(Some(TakenGame { contest: row.try_get(0)?, game: row.try_get(1)? }))
        })
    }

    /// Sends a worker's heartbeat for its games. Returns those that still belong to it. A game without a
    /// heartbeat for too long is lost even if no other worker has started it: its players may have been
    /// paused, and must not lose on time because of it.
    pub fn beat_games<'a>(&'a self, worker: &'a str, playing: &'a [String]) -> Call<'a, Vec<String>> {
        Box::pin(async move {
            if playing.is_empty() {
                return Ok(Vec::new());
            }
            let alive = alive("");
            let sql = AssertSqlSafe(format!(
                "UPDATE contest_games SET beat = {NOW} WHERE worker = $1 AND record IS NULL AND {alive}
                AND contest || ' ' || game IN (SELECT value FROM json_array_elements_text(CAST($2 AS JSON)))
            RETURNING contest || ' ' || game"
            ));
            let mut transaction = self.begin_unsynced().await?;
            let done = transaction.all(sql, |query| query.bind(worker).bind(json(&playing))).await;
            let rows = transaction.finish(done).await?;
            rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
        })
    }

    /// Returns the games of a stopping worker to the queue.
    pub fn release_games<'a>(&'a self, worker: &'a str) -> Call<'a, ()> {
        Box::pin(async move {
            let sql = "UPDATE contest_games SET worker = NULL WHERE worker = $1 AND record IS NULL";
            let mut transaction = self.begin_unsynced().await?;
            let done = async {
                if transaction.change(sql, |query| query.bind(worker)).await? > 0 {
                    self.notify_others(&mut transaction, "job").await?;
                }
                Ok(())
            }
            .await;
            transaction.finish(done).await
        })
    }

    /// Stores the result of a game. It counts only if the game still belongs to this worker.
    pub fn add_record<'a>(&'a self, worker: &'a str, taken: &'a TakenGame, record: &'a str) -> Call<'a, ()> {
        Box::pin(async move {
            let alive = alive("");
            let sql = AssertSqlSafe(format!(
                "UPDATE contest_games SET record = $4
            WHERE contest = $1 AND game = $2 AND worker = $3 AND record IS NULL AND {alive}"
            ));
            let mut transaction = self.begin_unsynced().await?;
            let bind = |query: super::Bound| {
                query.bind(&*taken.contest).bind(&*taken.game).bind(worker).bind(record)
            };
            let done = transaction.change(sql, bind).await;
            transaction.finish(done).await.map(drop)
        })
    }

    /// Records that a contest cannot be played, and why.
    pub fn fail_contest<'a>(&'a self, id: &'a str, reason: &'a str) -> Call<'a, ()> {
        Box::pin(async move {
            let sql = "UPDATE contests SET failure = $2 WHERE id = $1";
            self.change(sql, |query| query.bind(id).bind(reason)).await.map(drop)
        })
    }
}
