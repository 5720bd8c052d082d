//! Operations for administrators only. Servers can keep running: they close the connections of sessions that
//! end here, and players learn of an ended game with their next command.

use protocol::{EndReason, Event, Status};
use serde_json::Value;
use sqlx::{AssertSqlSafe, Row};

use super::{Account, Call, Result, Store, StoreError, TableChange, Transaction, count, missing, number};

/// The name that replaces a deleted account.
const DELETED: &str = "deleted";

/// An account in an operator's list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountSummary {
    /// The account.
    pub account: Account,
    /// Number of tables of the account.
    pub games: u64,
    /// When one of its sessions was last used, in Unix milliseconds.
    pub seen: Option<u64>,
}

/// Statistics of the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Statistics {
    /// Number of accounts, including bots.
    pub accounts: u64,
    /// Number of bot accounts.
    pub bots: u64,
    /// Number of banned accounts.
    pub banned: u64,
    /// Number of sessions.
    pub sessions: u64,
    /// Number of tables waiting for a second player.
    pub open: u64,
    /// Number of games in progress.
    pub playing: u64,
    /// Number of finished games.
    pub ended: u64,
    /// Number of entries of all logs.
    pub events: u64,
    /// Number of unsettled reports.
    pub reports: u64,
}

impl Store {
    /// Accounts whose name contains a text, by name.
    pub fn find_accounts<'a>(&'a self, text: &'a str, limit: u32) -> Call<'a, Vec<AccountSummary>> {
        Box::pin(async move {
            let sql = AssertSqlSafe(format!(
                "SELECT {columns},
                (SELECT COUNT(*) FROM tables t WHERE t.first_id = a.id OR t.second_id = a.id),
                (SELECT MAX(seen) FROM sessions s WHERE s.account = a.id)
            FROM accounts a WHERE a.folded LIKE $1 ESCAPE '\\' ORDER BY a.folded LIMIT {limit}",
                columns = Account::COLUMNS
            ));
            let escaped: String = text
                .to_lowercase()
                .chars()
                .flat_map(|letter| match letter {
                    '%' | '_' | '\\' => vec!['\\', letter],
                    _ => vec![letter],
                })
                .collect();
            let rows = self.all(sql, |query| query.bind(format!("%{escaped}%"))).await?;
            let read = |row| {
                let seen: Option<i64> = Row::try_get(row, 7)?;
                Ok(AccountSummary {
                    account: Account::read(row)?,
                    games: count(row, 6)?,
                    seen: seen.map(i64::unsigned_abs),
                })
            };
            rows.iter().map(read).collect()
        })
    }

    /// Bans an account, which ends its sessions and revokes its tokens; or lifts the ban.
    pub fn ban<'a>(&'a self, account: &'a str, banned: bool) -> Call<'a, ()> {
        Box::pin(async move {
            let at = if banned { number(self.clock().now_ms()) } else { 0 };
            let sql = "UPDATE accounts SET banned = $2 WHERE id = $1";
            let mut transaction = self.begin().await?;
            let done = async {
                transaction.change(sql, |query| query.bind(account).bind(at)).await?;
                if banned { self.end_everything(&mut transaction, account).await } else { Ok(Vec::new()) }
            }
            .await;
            self.notify_ended(&transaction.finish(done).await?);
            Ok(())
        })
    }

    /// Deletes an account and all data about its owner: sessions, tokens, chat messages. Its games and results remain,
    /// because those of the opponents depend on them, but without its name and id; unfinished games are ended. Returns
    /// the number of its games.
    pub fn delete_account<'a>(&'a self, account: &'a Account) -> Call<'a, usize> {
        Box::pin(async move {
            let tables = "SELECT id FROM tables WHERE first_id = $1 OR second_id = $1 OR invited = $1";
            let rows = self.all(tables, |query| query.bind(&account.id)).await?;
            let tables = rows.iter().map(|row| Ok(row.try_get(0)?)).collect::<Result<Vec<String>>>()?;
            for table in &tables {
                self.end_table(table).await?;
            }
            let mut transaction = self.begin().await?;
            let done = async {
                // First: locks of lists of ratings are taken before others, which prevents deadlocks.
                transaction.anonymise_results(self.inner.backend.for_update(), &account.id).await?;
                for table in &tables {
                    transaction.anonymise(table, account).await?;
                }
                transaction.anonymise_tournaments(account).await?;
                for sql in [
                    "DELETE FROM puzzle_ratings WHERE account = $1",
                    "DELETE FROM puzzle_attempts WHERE account = $1",
                    "DELETE FROM seeks WHERE player = $1",
                    "DELETE FROM reports WHERE reporter = $1 OR subject = $1",
                    "DELETE FROM audit WHERE actor = $1 OR subject = $1",
                    "DELETE FROM restrictions WHERE subject = $1",
                    "DELETE FROM accounts WHERE id = $1",
                    // Now that no device of the account can add to it.
                    "DELETE FROM learned WHERE account = $1",
                ] {
                    transaction.change(sql, |query| query.bind(&account.id)).await?;
                }
                self.end_everything(&mut transaction, &account.id).await
            }
            .await;
            self.notify_ended(&transaction.finish(done).await?);
            Ok(tables.len())
        })
    }

    /// Ends a table without a result. False if it was over.
    pub fn end_table<'a>(&'a self, table: &'a str) -> Call<'a, bool> {
        Box::pin(async move {
            loop {
                let row = self.table(table).await?.ok_or_else(|| missing("the table"))?;
                if row.status == Status::Ended {
                    return Ok(false);
                }
                let log = self.events(table, 0).await?;
                let after = log.last().map_or(0, |entry| entry.version);
                let reason = EndReason::Aborted;
                let ended = Event::Ended { winner: None, reason, ratings: None };
                let change = TableChange {
                    status: Some(Status::Ended),
                    free_code: true,
                    reason: Some(reason),
                    needs_owner: Some(false),
                    ..TableChange::default()
                };
                match self.append(&row.key, after, self.clock().now_ms(), vec![ended], Some(change)).await {
                    Ok(_) => return Ok(true),
                    // A move came first.
                    Err(StoreError::Conflict) => {}
                    Err(error) => return Err(error),
                }
            }
        })
    }

    /// Deletes a table with its log; ends an unfinished game first. The result of a rated game still counts, unless it is
    /// voided. False if the table does not exist.
    pub fn delete_table<'a>(&'a self, table: &'a str) -> Call<'a, bool> {
        Box::pin(async move {
            let Some(row) = self.table(table).await? else { return Ok(false) };
            self.end_table(table).await?;
            let mut transaction = self.begin().await?;
            let done = async {
                let events = "DELETE FROM events WHERE table_number = $1";
                transaction.change(events, |query| query.bind(number(row.key.number))).await?;
                for sql in ["DELETE FROM reports WHERE table_id = $1", "DELETE FROM tables WHERE id = $1"] {
                    transaction.change(sql, |query| query.bind(table)).await?;
                }
                Ok(true)
            }
            .await;
            transaction.finish(done).await
        })
    }

    /// Returns statistics of the database.
    pub fn statistics(&self) -> Call<'_, Statistics> {
        Box::pin(async move {
            let sql =
                "SELECT (SELECT COUNT(*) FROM accounts), (SELECT COUNT(*) FROM accounts WHERE bot <> 0),
            (SELECT COUNT(*) FROM accounts WHERE banned <> 0), (SELECT COUNT(*) FROM sessions),
            (SELECT COUNT(*) FROM tables WHERE status = 'open'),
            (SELECT COUNT(*) FROM tables WHERE status = 'playing'),
            (SELECT COUNT(*) FROM tables WHERE status = 'ended'), (SELECT COUNT(*) FROM events),
            (SELECT COUNT(*) FROM reports WHERE settled = 0)";
            let row = self.one(sql, |query| query).await?.ok_or_else(|| missing("a count"))?;
            Ok(Statistics {
                accounts: count(&row, 0)?,
                bots: count(&row, 1)?,
                banned: count(&row, 2)?,
                sessions: count(&row, 3)?,
                open: count(&row, 4)?,
                playing: count(&row, 5)?,
                ended: count(&row, 6)?,
                events: count(&row, 7)?,
                reports: count(&row, 8)?,
            })
        })
    }
}

impl Transaction {
    /// Replaces the name of an account in the rows and the log of a table, and removes its messages.
    async fn anonymise(&mut self, table: &str, account: &Account) -> Result<()> {
        let row = "SELECT number, seats FROM tables WHERE id = $1";
        let Some(row) = self.one(row, |query| query.bind(table)).await? else { return Ok(()) };
        let (key, seats): (i64, String) = (row.try_get(0)?, row.try_get(1)?);
        let update = "UPDATE tables SET seats = $2,
            first_id = CASE WHEN first_id = $3 THEN NULL ELSE first_id END,
            second_id = CASE WHEN second_id = $3 THEN NULL ELSE second_id END,
            invited = CASE WHEN invited = $3 THEN NULL ELSE invited END WHERE id = $1";
        let seats = without(&seats, account, DELETED);
        self.change(update, |query| query.bind(table).bind(seats).bind(&account.id)).await?;
        let log = "SELECT version, payload FROM events WHERE table_number = $1 AND payload LIKE $2";
        // Only entries that speak of people are rewritten: how a table began, who sat down, what was said.
        for kind in ["created", "seated", "chat"] {
            let pattern = format!("%\"kind\":\"{kind}\"%");
            for row in self.all(log, |query| query.bind(key).bind(pattern)).await? {
                let (version, payload): (i64, String) = (row.try_get(0)?, row.try_get(1)?);
                let payload = without(&payload, account, DELETED);
                let sql = "UPDATE events SET payload = $3 WHERE table_number = $1 AND version = $2";
                self.change(sql, |query| query.bind(key).bind(version).bind(payload)).await?;
            }
        }
        Ok(())
    }

    /// Replaces the name of an account in the logs of tournaments. Players remain distinguishable by their ids, even if
    /// several accounts are deleted.
    async fn anonymise_tournaments(&mut self, account: &Account) -> Result<()> {
        let mark = format!("{DELETED}-{}", crate::random_hex::<8>());
        let pattern = format!("%\"{}\"%", account.id);
        let log = "SELECT tournament, version, payload FROM tournament_events WHERE payload LIKE $1";
        for row in self.all(log, |query| query.bind(pattern)).await? {
            let (tournament, version): (String, i64) = (row.try_get(0)?, row.try_get(1)?);
            let payload = without(row.try_get(2)?, account, &mark);
            let sql = "UPDATE tournament_events SET payload = $3 WHERE tournament = $1 AND version = $2";
            self.change(sql, |query| query.bind(tournament).bind(version).bind(payload)).await?;
        }
        let sql = "UPDATE tournaments SET organiser = $2 WHERE organiser = $1";
        self.change(sql, |query| query.bind(&account.id).bind(format!("u:{mark}"))).await.map(drop)
    }
}

/// Removes the name, the id and the messages of an account from JSON; a mark replaces the id.
fn without(json: &str, account: &Account, mark: &str) -> String {
    fn visit(value: &mut Value, account: &Account, mark: &str) {
        match value {
            Value::Object(fields) => {
                if fields.get("id").and_then(Value::as_str) == Some(&account.id) {
                    fields.insert("id".to_owned(), format!("u:{mark}").into());
                    fields.insert("name".to_owned(), DELETED.into());
                }
                if fields.get("from").and_then(Value::as_str) == Some(&account.name) {
                    fields.insert("from".to_owned(), DELETED.into());
                    fields.insert("text".to_owned(), "…".into());
                }
                fields.values_mut().for_each(|value| visit(value, account, mark));
            }
            Value::Array(values) => values.iter_mut().for_each(|value| visit(value, account, mark)),
            Value::String(text) if *text == account.id => *text = format!("u:{mark}"),
            _ => {}
        }
    }
    let Ok(mut value) = serde_json::from_str(json) else { return json.to_owned() };
    visit(&mut value, account, mark);
    value.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_deleted_account_remains() {
        let account = Account {
            id: "u:1".into(),
            name: "Ann".into(),
            password: String::new(),
            created: 0,
            bot: false,
            banned: 0,
        };
        let json = r#"[{"kind":"person","id":"u:1","name":"Ann"},{"kind":"person","id":"u:2","name":"Bob"},
            {"kind":"chat","from":"Ann","text":"I live in …"},{"creator":"u:1"}]"#;
        let left = without(json, &account, DELETED);
        assert!(!left.contains("Ann") && !left.contains("u:1") && !left.contains("live"), "{left}");
        assert!(left.contains("Bob") && left.contains("u:2"), "{left}");
    }
}
