//! Accounts, their sessions and tokens, and the settings that all nodes share. Secrets arrive here as hashes.

use std::collections::HashSet;

use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, Row};

use super::{Bound, Call, Hint, Result, Store, Transaction, count, missing, number, places};

const OTHER_SESSIONS: &str = "DELETE FROM sessions WHERE account = $1 AND id <> $2 RETURNING id";
const OTHER_TOKENS: &str = "DELETE FROM api_tokens WHERE account = $1 AND id <> $2 RETURNING id";

/// A session expires when it was not used for this long.
pub const SESSION_LIFE_MS: u64 = 90 * 24 * 3_600_000;

/// An account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// Never changes.
    pub id: String,
    /// The name as its owner writes it.
    pub name: String,
    /// The hash of the password.
    pub password: String,
    /// Unix time in milliseconds.
    pub created: u64,
    /// Whether a program plays for the account, or has done so.
    pub bot: bool,
    /// When it was banned; zero if it is not.
    pub banned: u64,
}

/// A browser that is signed in to an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// For lists; not a secret.
    pub id: String,
    /// The id of the account.
    pub account: String,
    /// The user agent of the browser.
    pub agent: String,
    /// Unix time in milliseconds.
    pub created: u64,
    /// When it was last used.
    pub seen: u64,
}

/// A token with which a program acts for an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiToken {
    /// For lists; not a secret.
    pub id: String,
    /// The id of the account.
    pub account: String,
    /// The owner's name for it.
    pub label: String,
    /// Unix time in milliseconds.
    pub created: u64,
}

impl Account {
    /// The columns of the table `a` that [`Account::read`] reads, before any others.
    pub(super) const COLUMNS: &str = "a.id, a.name, a.password, a.created, a.bot, a.banned";

    pub(super) fn read(row: &AnyRow) -> std::result::Result<Account, sqlx::Error> {
        Ok(Account {
            id: row.try_get(0)?,
            name: row.try_get(1)?,
            password: row.try_get(2)?,
            created: count(row, 3)?,
            bot: count(row, 4)? != 0,
            banned: count(row, 5)?,
        })
    }
}

impl Session {
    /// Reads five columns from this one on: id, account, agent, created and seen.
    fn read(row: &AnyRow, first: usize) -> std::result::Result<Session, sqlx::Error> {
        Ok(Session {
            id: row.try_get(first)?,
            account: row.try_get(first + 1)?,
            agent: row.try_get(first + 2)?,
            created: count(row, first + 3)?,
            seen: count(row, first + 4)?,
        })
    }
}

impl Store {
    /// Creates an account; a conflict if the name is taken, in upper or lower case.
    pub fn create_account<'a>(&'a self, account: &'a Account) -> Call<'a, ()> {
        Box::pin(async move {
            let sql = "INSERT INTO accounts (id, name, folded, password, created, bot) VALUES ($1, $2, $3, $4, $5, $6)";
            self.change(sql, |query| {
                let query = query.bind(&account.id).bind(&account.name).bind(account.name.to_lowercase());
                query.bind(&account.password).bind(number(account.created)).bind(i64::from(account.bot))
            })
            .await
            .map(drop)
        })
    }

    /// The account with an id.
    pub fn account<'a>(&'a self, id: &'a str) -> Call<'a, Option<Account>> {
        Box::pin(async move {
            let sql = AssertSqlSafe(format!("SELECT {} FROM accounts a WHERE id = $1", Account::COLUMNS));
            let row = self.one(sql, |query| query.bind(id)).await?;
            Ok(row.as_ref().map(Account::read).transpose()?)
        })
    }

    /// The account with a name, in upper or lower case.
    pub fn account_by_name<'a>(&'a self, name: &'a str) -> Call<'a, Option<Account>> {
        Box::pin(async move {
            let sql = AssertSqlSafe(format!("SELECT {} FROM accounts a WHERE folded = $1", Account::COLUMNS));
            let row = self.one(sql, |query| query.bind(name.to_lowercase())).await?;
            Ok(row.as_ref().map(Account::read).transpose()?)
        })
    }

    /// Changes the password, ends all other sessions, revokes all tokens, and notifies all nodes.
    pub fn change_password<'a>(&'a self, account: &'a str, hash: &'a str, keep: &'a str) -> Call<'a, ()> {
        Box::pin(async move {
            let password = "UPDATE accounts SET password = $2 WHERE id = $1";
            let mut transaction = self.begin().await?;
            let done = async {
                transaction.change(password, |query| query.bind(account).bind(hash)).await?;
                let mut ended = self.end(&mut transaction, OTHER_SESSIONS, account, keep).await?;
                ended.extend(self.end(&mut transaction, OTHER_TOKENS, account, keep).await?);
                Ok(ended)
            }
            .await;
            self.notify_ended(&transaction.finish(done).await?);
            Ok(())
        })
    }

    /// Sets the hash of the code that replaces the password once.
    pub fn set_recovery<'a>(&'a self, account: &'a str, hash: &'a str) -> Call<'a, ()> {
        Box::pin(async move {
            let sql = "UPDATE accounts SET recovery = $2 WHERE id = $1";
            self.change(sql, |query| query.bind(account).bind(hash)).await.map(drop)
        })
    }

    /// Uses up the recovery code with this hash and changes the password; all sessions and tokens end. False if the
    /// account has no such code.
    pub fn recover<'a>(&'a self, account: &'a str, code: &'a str, password: &'a str) -> Call<'a, bool> {
        Box::pin(async move {
            let sql = "UPDATE accounts SET recovery = NULL, password = $3 WHERE id = $1 AND recovery = $2";
            let mut transaction = self.begin().await?;
            let done = async {
                if transaction.change(sql, |query| query.bind(account).bind(code).bind(password)).await? == 0
                {
                    return Ok(None);
                }
                self.end_everything(&mut transaction, account).await.map(Some)
            }
            .await;
            let ended = transaction.finish(done).await?;
            self.notify_ended(ended.as_deref().unwrap_or_default());
            Ok(ended.is_some())
        })
    }

    /// Creates a session for the token with this hash.
    pub fn create_session<'a>(&'a self, session: &'a Session, token_hash: &'a str) -> Call<'a, ()> {
        Box::pin(async move {
            let sql = "INSERT INTO sessions (id, account, agent, created, seen, token)
            VALUES ($1, $2, $3, $4, $5, $6)";
            self.change(sql, |query| {
                let query = query.bind(&session.id).bind(&session.account).bind(&session.agent);
                query.bind(number(session.created)).bind(number(session.seen)).bind(token_hash)
            })
            .await
            .map(drop)
        })
    }

    /// The session of a token and its account.
    pub fn session<'a>(&'a self, token_hash: &'a str) -> Call<'a, Option<(Session, Account)>> {
        Box::pin(async move {
            let sql = AssertSqlSafe(format!(
                "SELECT {}, s.id, s.account, s.agent, s.created, s.seen
            FROM sessions s JOIN accounts a ON a.id = s.account WHERE s.token = $1",
                Account::COLUMNS
            ));
            let Some(row) = self.one(sql, |query| query.bind(token_hash)).await? else { return Ok(None) };
            Ok(Some((Session::read(&row, 6)?, Account::read(&row)?)))
        })
    }

    /// Records that a session is in use.
    pub fn touch_session<'a>(&'a self, id: &'a str, now: u64) -> Call<'a, ()> {
        Box::pin(async move {
            let sql = "UPDATE sessions SET seen = $2 WHERE id = $1";
            self.change(sql, |query| query.bind(id).bind(number(now))).await.map(drop)
        })
    }

    /// The sessions of an account, last used first.
    pub fn sessions<'a>(&'a self, account: &'a str) -> Call<'a, Vec<Session>> {
        Box::pin(async move {
            let sql = "SELECT id, account, agent, created, seen FROM sessions
            WHERE account = $1 ORDER BY seen DESC, id";
            let rows = self.all(sql, |query| query.bind(account)).await?;
            rows.iter().map(|row| Ok(Session::read(row, 0)?)).collect()
        })
    }

    /// Ends one session of an account and notifies all nodes. False if there is none.
    pub fn end_session<'a>(&'a self, account: &'a str, id: &'a str) -> Call<'a, bool> {
        Box::pin(async move {
            let ended = self
                .end_all("DELETE FROM sessions WHERE account = $1 AND id = $2 RETURNING id", account, id)
                .await?;
            Ok(!ended.is_empty())
        })
    }

    /// Ends all sessions of an account but one, and notifies all nodes.
    pub fn end_other_sessions<'a>(&'a self, account: &'a str, keep: &'a str) -> Call<'a, Vec<String>> {
        Box::pin(async move { self.end_all(OTHER_SESSIONS, account, keep).await })
    }

    async fn end_all(&self, which: &'static str, account: &str, id: &str) -> Result<Vec<String>> {
        let mut transaction = self.begin().await?;
        let done = self.end(&mut transaction, which, account, id).await;
        let ended = transaction.finish(done).await?;
        self.notify_ended(&ended);
        Ok(ended)
    }

    /// Deletes sessions or tokens and, with the commit, notifies the other nodes. Returns their ids.
    async fn end(
        &self,
        transaction: &mut Transaction,
        which: &'static str,
        account: &str,
        id: &str,
    ) -> Result<Vec<String>> {
        let rows = transaction.all(which, |query| query.bind(account).bind(id)).await?;
        let mut ended = Vec::new();
        for row in &rows {
            let id: String = row.try_get(0)?;
            self.notify_others(transaction, &format!("session {id}")).await?;
            ended.push(id);
        }
        Ok(ended)
    }

    /// Ends all sessions and revokes all tokens of an account.
    pub(super) async fn end_everything(
        &self,
        transaction: &mut Transaction,
        account: &str,
    ) -> Result<Vec<String>> {
        let mut ended = self.end(transaction, OTHER_SESSIONS, account, "").await?;
        ended.extend(self.end(transaction, OTHER_TOKENS, account, "").await?);
        Ok(ended)
    }

    pub(super) fn notify_ended(&self, ended: &[String]) {
        for id in ended {
            self.notify_local(Hint::SessionEnded(id.clone()));
        }
    }

    /// Returns those of these sessions and tokens that have not ended.
    pub fn live_sessions<'a>(&'a self, ids: &'a [String]) -> Call<'a, HashSet<String>> {
        Box::pin(async move {
            let mut live = HashSet::new();
            // The number of values in a statement is limited.
            for ids in ids.chunks(100) {
                let places = places(ids.len());
                let sql = format!(
                    "SELECT id FROM sessions WHERE id IN ({places}) UNION SELECT id FROM api_tokens WHERE id IN ({places})"
                );
                let bind = |query| ids.iter().fold(query, |query: Bound, id| query.bind(id));
                for row in self.all(AssertSqlSafe(sql), bind).await? {
                    live.insert(row.try_get(0)?);
                }
            }
            Ok(live)
        })
    }

    /// Deletes sessions that were not used since a time.
    pub fn delete_sessions(&self, unused_since: u64) -> Call<'_, u64> {
        Box::pin(async move {
            self.change("DELETE FROM sessions WHERE seen < $1", |query| query.bind(number(unused_since)))
                .await
        })
    }

    /// Creates the token with this hash, with which a program acts for an account. From then on the account
    /// is a bot's.
    pub fn create_api_token<'a>(&'a self, token: &'a ApiToken, token_hash: &'a str) -> Call<'a, ()> {
        Box::pin(async move {
            let mark = "UPDATE accounts SET bot = 1 WHERE id = $1";
            let sql =
                "INSERT INTO api_tokens (id, account, label, created, token) VALUES ($1, $2, $3, $4, $5)";
            let mut transaction = self.begin().await?;
            let done = async {
                transaction.change(mark, |query| query.bind(&token.account)).await?;
                let bind = |query: Bound| {
                    let query = query.bind(&token.id).bind(&token.account).bind(&token.label);
                    query.bind(number(token.created)).bind(token_hash)
                };
                transaction.change(sql, bind).await.map(drop)
            }
            .await;
            transaction.finish(done).await
        })
    }

    /// The id of a token, and the account for which it acts.
    pub fn api_token<'a>(&'a self, token_hash: &'a str) -> Call<'a, Option<(String, Account)>> {
        Box::pin(async move {
            let sql = AssertSqlSafe(format!(
                "SELECT {}, t.id FROM api_tokens t JOIN accounts a ON a.id = t.account WHERE t.token = $1",
                Account::COLUMNS
            ));
            let Some(row) = self.one(sql, |query| query.bind(token_hash)).await? else { return Ok(None) };
            Ok(Some((row.try_get(6)?, Account::read(&row)?)))
        })
    }

    /// The tokens of an account, newest first.
    pub fn api_tokens<'a>(&'a self, account: &'a str) -> Call<'a, Vec<ApiToken>> {
        Box::pin(async move {
            let sql = "SELECT id, account, label, created FROM api_tokens
            WHERE account = $1 ORDER BY created DESC, id";
            let rows = self.all(sql, |query| query.bind(account)).await?;
            let read = |row: &AnyRow| {
                Ok(ApiToken {
                    id: row.try_get(0)?,
                    account: row.try_get(1)?,
                    label: row.try_get(2)?,
                    created: count(row, 3)?,
                })
            };
            rows.iter().map(read).collect()
        })
    }

    /// Revokes a token and notifies all nodes, as for sessions. False if there is none.
    pub fn end_api_token<'a>(&'a self, account: &'a str, id: &'a str) -> Call<'a, bool> {
        Box::pin(async move {
            let which = "DELETE FROM api_tokens WHERE account = $1 AND id = $2 RETURNING id";
            Ok(!self.end_all(which, account, id).await?.is_empty())
        })
    }

    /// A setting that all nodes share; the first node to ask sets it.
    pub fn setting<'a>(&'a self, name: &'a str, default: &'a str) -> Call<'a, String> {
        Box::pin(async move {
            let sql = "INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING";
            self.change(sql, |query| query.bind(name).bind(default)).await?;
            let row =
                self.one("SELECT value FROM settings WHERE name = $1", |query| query.bind(name)).await?;
            let row = row.ok_or_else(|| missing("a setting"))?;
            Ok(row.try_get(0)?)
        })
    }
}
