//! What accounts learn from their games, merged from all their devices: reviewed games, exercises, and results of puzzle
//! rushes and streaks.

use std::collections::{HashMap, HashSet};

use protocol::{LearnedGame, PuzzleRun};
use sqlx::{AssertSqlSafe, Row, any::AnyRow};
use study::skills::{Exercise, Observed, merge};

use super::{Call, Result, Store, Transaction, count, json, number};

/// Reviewed games that are kept of an account; older ones are forgotten.
const MOST_GAMES: u64 = 1_000;
/// Exercises, and runs, that are kept of an account. As none is forgotten, there can be no more.
const MOST_OTHERS: u64 = 5_000;

/// Something that an account has learned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Learned {
    /// A reviewed game.
    Game(LearnedGame),
    /// An exercise.
    Exercise(Exercise),
    /// A finished puzzle rush or streak.
    Run(PuzzleRun),
}

impl Learned {
    const fn kind(&self) -> &'static str {
        match self {
            Self::Game(_) => GAME,
            Self::Exercise(_) => EXERCISE,
            Self::Run(_) => RUN,
        }
    }

    fn id(&self) -> String {
        match self {
            Self::Game(game) => game.observed.id.clone(),
            Self::Exercise(exercise) => exercise.id.clone(),
            Self::Run(PuzzleRun { game, streak, at, .. }) => format!("{game} {streak} {at}"),
        }
    }

    fn family(&self) -> &str {
        let game = match self {
            Self::Game(game) => &game.observed.game,
            Self::Exercise(exercise) => &exercise.game,
            Self::Run(run) => &run.game,
        };
        game.split(':').next().unwrap_or_default()
    }

    const fn at(&self) -> u64 {
        match self {
            Self::Game(game) => game.observed.at,
            Self::Exercise(exercise) => exercise.at,
            Self::Run(run) => run.at,
        }
    }

    fn payload(&self) -> String {
        match self {
            Self::Game(game) => json(game),
            Self::Exercise(exercise) => json(exercise),
            Self::Run(run) => json(run),
        }
    }

    /// Reads what [`Learned::payload`] wrote; none if a newer version wrote it.
    fn read(kind: &str, payload: &str) -> Option<Self> {
        match kind {
            GAME => serde_json::from_str(payload).map(Self::Game).ok(),
            EXERCISE => serde_json::from_str(payload).map(Self::Exercise).ok(),
            RUN => serde_json::from_str(payload).map(Self::Run).ok(),
            _ => None,
        }
    }

    /// Of two states of the same, the one that counts.
    fn merged(self, stored: Self) -> Self {
        match (self, stored) {
            (Self::Exercise(new), Self::Exercise(stored)) => {
                Self::Exercise(merge(vec![stored], vec![new]).remove(0))
            }
            // A game is reviewed once, and the result of a run does not change.
            (_, stored) => stored,
        }
    }
}

const GAME: &str = "game";
const EXERCISE: &str = "exercise";
const RUN: &str = "run";

/// Whether everything was stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stored {
    /// It was.
    All,
    /// The account has as much of this kind as one can have.
    Full,
    /// There is no such account.
    NoAccount,
}

impl Store {
    /// Merges what a device has learned with what the account has.
    pub fn learn<'a>(&'a self, account: &'a str, new: Vec<Learned>) -> Call<'a, Stored> {
        Box::pin(async move {
            let mut transaction = self.begin().await?;
            let lock = self.inner.backend.for_update();
            let done = transaction.learn(lock, account, new).await;
            transaction.finish(done).await
        })
    }

    /// What an account has learned after a version, in the order of versions, at most this much.
    pub fn learned<'a>(
        &'a self,
        account: &'a str,
        after: u64,
        limit: u32,
    ) -> Call<'a, Vec<(u64, Option<Learned>)>> {
        Box::pin(async move {
            let sql = AssertSqlSafe(format!(
                "SELECT kind, payload, version FROM learned WHERE account = $1 AND version > $2
            ORDER BY version LIMIT {limit}"
            ));
            let rows = self.all(sql, |query| query.bind(account).bind(number(after))).await?;
            rows.iter().map(|row| Ok((count(row, 2)?, read(row)?))).collect()
        })
    }

    /// The version of the last change of what an account has learned.
    pub fn learned_version<'a>(&'a self, account: &'a str) -> Call<'a, u64> {
        Box::pin(async move {
            let sql = "SELECT learned FROM accounts WHERE id = $1";
            let row = self.one(sql, |query| query.bind(account)).await?;
            Ok(row.map(|row| count(&row, 0)).transpose()?.unwrap_or_default())
        })
    }

    /// The reviewed games of one kind, such as `connect-four`, the latest first.
    pub fn observed<'a>(&'a self, account: &'a str, family: &'a str) -> Call<'a, Vec<Observed>> {
        Box::pin(async move {
            let sql = "SELECT kind, payload FROM learned WHERE account = $1 AND kind = 'game' AND family = $2
            ORDER BY at DESC, id";
            let rows = self.all(sql, |query| query.bind(account).bind(family)).await?;
            let rows = rows.iter().map(read).collect::<Result<Vec<_>>>()?;
            let game =
                |learned| if let Some(Learned::Game(game)) = learned { Some(game.observed) } else { None };
            Ok(rows.into_iter().filter_map(game).collect())
        })
    }

    /// The ids of the games of an account that were reviewed.
    pub fn reviewed_games<'a>(&'a self, account: &'a str) -> Call<'a, HashSet<String>> {
        Box::pin(async move {
            let sql = "SELECT id FROM learned WHERE account = $1 AND kind = 'game'";
            let rows = self.all(sql, |query| query.bind(account)).await?;
            rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
        })
    }
}

fn read(row: &AnyRow) -> Result<Option<Learned>> {
    Ok(Learned::read(row.try_get(0)?, row.try_get(1)?))
}

impl Transaction {
    async fn learn(&mut self, lock: &str, account: &str, new: Vec<Learned>) -> Result<Stored> {
        let sql = AssertSqlSafe(format!("SELECT learned FROM accounts WHERE id = $1{lock}"));
        let Some(row) = self.one(sql, |query| query.bind(account)).await? else {
            return Ok(Stored::NoAccount);
        };
        let mut version = count(&row, 0)?;
        let mut counts = HashMap::new();
        let sql = "SELECT kind, COUNT(*) FROM learned WHERE account = $1 GROUP BY kind";
        for row in self.all(sql, |query| query.bind(account)).await? {
            counts.insert(row.try_get::<String, _>(0)?, count(&row, 1)?);
        }
        let mut stored = Stored::All;
        for new in new {
            let (kind, id) = (new.kind(), new.id());
            let sql = "SELECT kind, payload FROM learned WHERE account = $1 AND kind = $2 AND id = $3";
            let row = self.one(sql, |query| query.bind(account).bind(kind).bind(&id)).await?;
            let before = row.as_ref().map(read).transpose()?;
            if before.as_ref().is_some_and(|before| before.as_ref() == Some(&new)) {
                continue;
            }
            let counted = counts.entry(kind.to_owned()).or_default();
            if before.is_none() {
                if kind != GAME && *counted >= MOST_OTHERS {
                    stored = Stored::Full;
                    continue;
                }
                *counted += 1;
            }
            // Also where the stored state counts: the device does not know it.
            version += 1;
            let learned = match before.flatten() {
                Some(stored) => new.merged(stored),
                None => new,
            };
            let sql = "INSERT INTO learned (account, kind, id, family, at, version, payload)
                VALUES ($1, $2, $3, $4, $5, $6, $7)
                ON CONFLICT (account, kind, id) DO UPDATE
                SET at = excluded.at, version = excluded.version, payload = excluded.payload";
            self.change(sql, |query| {
                let query = query.bind(account).bind(kind).bind(id).bind(learned.family().to_owned());
                query.bind(number(learned.at())).bind(number(version)).bind(learned.payload())
            })
            .await?;
        }
        if counts.get(GAME).is_some_and(|&games| games > MOST_GAMES) {
            let sql = AssertSqlSafe(format!(
                "DELETE FROM learned WHERE account = $1 AND kind = 'game' AND id NOT IN (SELECT id FROM learned
                    WHERE account = $1 AND kind = 'game' ORDER BY at DESC, id LIMIT {MOST_GAMES})"
            ));
            self.change(sql, |query| query.bind(account)).await?;
        }
        let sql = "UPDATE accounts SET learned = $2 WHERE id = $1";
        self.change(sql, |query| query.bind(account).bind(number(version))).await?;
        Ok(stored)
    }
}
