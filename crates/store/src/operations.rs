//! What operators need: the audit log, bans and mutes, and a message to all players.

use sqlx::Row;

use super::{Call, Store, count, number};

/// An entry of the audit log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditEntry {
    /// When, in Unix time in milliseconds.
    pub at: u64,
    /// Who: the id of an account or guest, or `operator`.
    pub actor: String,
    /// What, such as `sign_in_failed`.
    pub action: String,
    /// To whom or what: an id, or a network.
    pub subject: String,
    /// Details; never a password, a token, a message of a chat or an address.
    pub details: String,
}

/// The actor of what is done with `alinea admin`.
pub const OPERATOR: &str = "operator";

/// What a restriction forbids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RestrictionKind {
    /// Everything.
    Ban,
    /// Chat.
    Mute,
}

impl RestrictionKind {
    /// Its name in the database.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ban => "ban",
            Self::Mute => "mute",
        }
    }
}

/// A ban or mute of an account, a guest or a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restriction {
    /// An id such as `g:…`, or a network such as `192.0.2.0/24`.
    pub subject: String,
    /// What is forbidden.
    pub kind: RestrictionKind,
    /// When it began, in Unix time in milliseconds.
    pub since: u64,
    /// When it ends; zero if only an operator can lift it.
    pub ends: u64,
    /// Why, in the operator's words.
    pub note: String,
}

/// A message of the operator to all players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Announcement {
    /// A unique id.
    pub id: String,
    /// When it was made, in Unix time in milliseconds.
    pub at: u64,
    /// When it ends.
    pub ends: u64,
    /// Its text.
    pub message: String,
}

impl Store {
    /// Adds an entry to the audit log.
    pub fn audit<'a>(&'a self, entry: &'a AuditEntry) -> Call<'a, ()> {
        Box::pin(async move {
            let AuditEntry { at, actor, action, subject, details } = entry;
            let sql =
                "INSERT INTO audit (id, at, actor, action, subject, details) VALUES ($1, $2, $3, $4, $5, $6)";
            let bind = |query: super::Bound| {
                let query = query.bind(crate::random_hex::<8>()).bind(number(*at)).bind(actor.clone());
                query.bind(action.clone()).bind(subject.clone()).bind(details.clone())
            };
            self.change(sql, bind).await.map(drop)
        })
    }

    /// Returns the entries of the audit log since a time, latest first, at most a number of them.
    pub fn audit_log(&self, since: u64, most: u32) -> Call<'_, Vec<AuditEntry>> {
        Box::pin(async move {
            let sql = "SELECT at, actor, action, subject, details FROM audit WHERE at >= $1
                ORDER BY at DESC, id LIMIT $2";
            let rows = self.all(sql, |query| query.bind(number(since)).bind(i64::from(most))).await?;
            let read = |row| {
                Ok(AuditEntry {
                    at: count(row, 0)?,
                    actor: Row::try_get(row, 1)?,
                    action: Row::try_get(row, 2)?,
                    subject: Row::try_get(row, 3)?,
                    details: Row::try_get(row, 4)?,
                })
            };
            rows.iter().map(read).collect()
        })
    }

    /// Deletes what is no longer kept: entries of the audit log before a time, restrictions and announcements that have
    /// ended.
    pub fn forget_operations(&self, audit_before: u64, now: u64) -> Call<'_, ()> {
        Box::pin(async move {
            self.change("DELETE FROM audit WHERE at < $1", |query| query.bind(number(audit_before))).await?;
            let restrictions = "DELETE FROM restrictions WHERE ends <> 0 AND ends <= $1";
            self.change(restrictions, |query| query.bind(number(now))).await?;
            let announcements = "DELETE FROM announcements WHERE ends <= $1";
            self.change(announcements, |query| query.bind(number(now))).await.map(drop)
        })
    }

    /// Sets a restriction; it replaces one of the same kind.
    pub fn restrict<'a>(&'a self, restriction: &'a Restriction) -> Call<'a, ()> {
        Box::pin(async move {
            let Restriction { subject, kind, since, ends, note } = restriction;
            let sql =
                "INSERT INTO restrictions (subject, kind, since, ends, note) VALUES ($1, $2, $3, $4, $5)
                ON CONFLICT (subject, kind) DO UPDATE SET since = $3, ends = $4, note = $5";
            let bind = |query: super::Bound| {
                let query = query.bind(subject.clone()).bind(kind.name()).bind(number(*since));
                query.bind(number(*ends)).bind(note.clone())
            };
            self.change(sql, bind).await.map(drop)
        })
    }

    /// Lifts a restriction. False if there was none.
    pub fn lift_restriction<'a>(&'a self, subject: &'a str, kind: RestrictionKind) -> Call<'a, bool> {
        Box::pin(async move {
            let sql = "DELETE FROM restrictions WHERE subject = $1 AND kind = $2";
            Ok(self.change(sql, |query| query.bind(subject).bind(kind.name())).await? > 0)
        })
    }

    /// Returns the restrictions that have not ended, latest first.
    pub fn restrictions(&self, now: u64) -> Call<'_, Vec<Restriction>> {
        Box::pin(async move {
            let sql = "SELECT subject, kind, since, ends, note FROM restrictions WHERE ends = 0 OR ends > $1
                ORDER BY since DESC, subject";
            let rows = self.all(sql, |query| query.bind(number(now))).await?;
            let read = |row| {
                let kind: String = Row::try_get(row, 1)?;
                let kind = if kind == "mute" { RestrictionKind::Mute } else { RestrictionKind::Ban };
                let (since, ends) = (count(row, 2)?, count(row, 3)?);
                Ok(Restriction {
                    subject: Row::try_get(row, 0)?,
                    kind,
                    since,
                    ends,
                    note: Row::try_get(row, 4)?,
                })
            };
            rows.iter().map(read).collect()
        })
    }

    /// Replaces the message to all players; none withdraws it.
    pub fn announce_to_all<'a>(&'a self, announcement: Option<&'a Announcement>) -> Call<'a, ()> {
        Box::pin(async move {
            let mut transaction = self.begin().await?;
            let done = async {
                transaction.change("DELETE FROM announcements", |query| query).await?;
                if let Some(Announcement { id, at, ends, message }) = announcement {
                    let sql = "INSERT INTO announcements (id, at, ends, message) VALUES ($1, $2, $3, $4)";
                    let bind = |query: super::Bound| {
                        let query = query.bind(id.clone()).bind(number(*at));
                        query.bind(number(*ends)).bind(message.clone())
                    };
                    transaction.change(sql, bind).await?;
                }
                Ok(())
            }
            .await;
            transaction.finish(done).await
        })
    }

    /// Returns the message to all players, if there is one.
    pub fn announcement(&self, now: u64) -> Call<'_, Option<Announcement>> {
        Box::pin(async move {
            let sql =
                "SELECT id, at, ends, message FROM announcements WHERE ends > $1 ORDER BY at DESC LIMIT 1";
            let row = self.one(sql, |query| query.bind(number(now))).await?;
            let read = |row: sqlx::any::AnyRow| {
                let (at, ends) = (count(&row, 1)?, count(&row, 2)?);
                Ok(Announcement { id: row.try_get(0)?, at, ends, message: row.try_get(3)? })
            };
            row.map(read).transpose()
        })
    }
}
