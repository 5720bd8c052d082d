//! Bans, mutes, announcements, tournaments, and the audit log.

use std::net::IpAddr;

use anyhow::{Result, anyhow, bail};
use protocol::{TournamentPhase, TournamentSummary};
use rules::game_text::date;
use serde_json::json;
use server::config::Network;
use store::{Account, Announcement, AuditEntry, Restriction, RestrictionKind, Store};

use super::{
    LISTED, account, note,
    output::{Output, line},
};

const DAY_MS: u64 = 24 * 60 * 60 * 1_000;
const HOUR_MS: u64 = 60 * 60 * 1_000;
/// Longest message to all players, in characters.
const MAX_MESSAGE: usize = 500;

/// How long a restriction lasts, and why.
#[derive(clap::Args)]
pub(super) struct Terms {
    /// For how long; by default until it is lifted
    #[arg(long, value_name = "DAYS")]
    days: Option<u32>,
    /// Why
    #[arg(long, value_name = "TEXT", default_value = "")]
    note: String,
}

/// Whom a restriction concerns.
enum Subject {
    Account(Account),
    /// A guest, by id.
    Guest(String),
    Network(String),
}

impl Subject {
    async fn find(store: &Store, who: &str) -> Result<Self> {
        if who.starts_with("g:") {
            return Ok(Self::Guest(who.to_owned()));
        }
        if !who.contains(['.', ':']) {
            return Ok(Self::Account(account(store, who).await?));
        }
        // A client has a whole /64 network of IPv6.
        let is_one = who.parse::<IpAddr>().is_ok_and(|address| address.is_ipv6());
        let network = if is_one { format!("{who}/64") } else { who.to_owned() };
        let network: Network = network.parse().map_err(|error: String| anyhow!(error))?;
        Ok(Self::Network(network.to_string()))
    }

    fn id(&self) -> &str {
        match self {
            Self::Account(account) => &account.id,
            Self::Guest(id) | Self::Network(id) => id,
        }
    }
}

const fn word(kind: RestrictionKind) -> &'static str {
    match kind {
        RestrictionKind::Ban => "banned",
        RestrictionKind::Mute => "muted",
    }
}

pub(super) async fn restrict(
    store: &Store,
    who: &str,
    terms: &Terms,
    kind: RestrictionKind,
) -> Result<Output> {
    let subject = Subject::find(store, who).await?;
    match &subject {
        Subject::Account(account) if kind == RestrictionKind::Ban => {
            if terms.days.is_some() {
                bail!("an account is banned until “unban {who}”; --days is for guests and networks");
            }
            store.ban(&account.id, true).await?;
        }
        _ => {
            let since = store.clock().now_ms();
            let ends = terms.days.map_or(0, |days| since + u64::from(days) * DAY_MS);
            let restriction =
                Restriction { subject: subject.id().to_owned(), kind, since, ends, note: terms.note.clone() };
            store.restrict(&restriction).await?;
        }
    }
    let details = terms.days.map_or_else(String::new, |days| format!("for {days} days"));
    note(store, word(kind), subject.id(), &details).await?;
    Ok(Output::done(format!("{who} is {}", word(kind))))
}

pub(super) async fn lift(store: &Store, who: &str, kind: RestrictionKind) -> Result<Output> {
    let subject = Subject::find(store, who).await?;
    match &subject {
        Subject::Account(account) if kind == RestrictionKind::Ban => store.ban(&account.id, false).await?,
        _ => {
            if !store.lift_restriction(subject.id(), kind).await? {
                bail!("{who} is not {}", word(kind));
            }
        }
    }
    note(store, &format!("un{}", word(kind)), subject.id(), "").await?;
    Ok(Output::done(format!("{who} is not {}", word(kind))))
}

pub(super) async fn restrictions(store: &Store) -> Result<Output> {
    let text = |one: &Restriction| {
        let ends = if one.ends == 0 { "-".to_owned() } else { date(one.ends) };
        line(&[one.subject.clone(), word(one.kind).to_owned(), date(one.since), ends, one.note.clone()])
    };
    let value = |one: &Restriction| {
        json!({
            "subject": one.subject, "kind": one.kind.name(), "since": one.since, "ends": one.ends,
            "note": one.note,
        })
    };
    Ok(Output::list(&store.restrictions(store.clock().now_ms()).await?, text, value))
}

pub(super) async fn announce(store: &Store, message: &str, hours: u32) -> Result<Output> {
    let message = message.trim();
    if message.chars().count() > MAX_MESSAGE || message.contains(char::is_control) {
        bail!("a message has at most {MAX_MESSAGE} characters, in one line");
    }
    if message.is_empty() {
        store.announce_to_all(None).await?;
        note(store, "announcement_withdrawn", "", "").await?;
        return Ok(Output::done("the message is withdrawn".to_owned()));
    }
    let at = store.clock().now_ms();
    let id = store::random_hex::<8>();
    let ends = at + u64::from(hours) * HOUR_MS;
    store.announce_to_all(Some(&Announcement { id, at, ends, message: message.to_owned() })).await?;
    note(store, "announced", "", message).await?;
    Ok(Output::done(format!("all players see the message for {hours} h")))
}

pub(super) async fn tournaments(store: &Store) -> Result<Output> {
    let text = |one: &TournamentSummary| {
        let phase = match one.phase {
            TournamentPhase::Entry => "entry",
            TournamentPhase::Running => "running",
            TournamentPhase::Over => "over",
        };
        let players = format!("{} players", one.players);
        let (game, name) = (one.game.clone(), one.name.clone());
        line(&[one.id.clone(), date(one.updated_at), phase.to_owned(), game, players, name])
    };
    Ok(Output::list(&store.all_tournaments(LISTED).await?, text, |one| json!(one)))
}

pub(super) async fn end_tournament(store: &Store, id: &str) -> Result<Output> {
    let games = play::end_tournament(store, id).await.map_err(|error| anyhow!(error.message))?;
    note(store, "tournament_ended", id, "").await?;
    Ok(Output::done(format!("{id} is over; {games} games ended without a result")))
}

pub(super) async fn unlist_tournament(store: &Store, id: &str) -> Result<Output> {
    if !store.unlist_tournament(id).await? {
        bail!("there is no tournament {id}");
    }
    note(store, "tournament_unlisted", id, "").await?;
    Ok(Output::done(format!("{id} is no longer on the public list")))
}

pub(super) async fn audit(store: &Store, days: Option<u32>) -> Result<Output> {
    let now = store.clock().now_ms();
    let since = days.map_or(0, |days| now.saturating_sub(u64::from(days) * DAY_MS));
    let text = |entry: &AuditEntry| {
        let AuditEntry { at, actor, action, subject, details } = entry;
        line(&[time(*at), actor.clone(), action.clone(), subject.clone(), details.clone()])
    };
    let value = |entry: &AuditEntry| {
        json!({
            "at": entry.at, "actor": entry.actor, "action": entry.action, "subject": entry.subject,
            "details": entry.details,
        })
    };
    Ok(Output::list(&store.audit_log(since, LISTED).await?, text, value))
}

/// A time in UTC, such as `2026-11-19 04:05:06`.
fn time(at: u64) -> String {
    let seconds = at / 1_000 % 86_400;
    let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60);
    format!("{} {hours:02}:{minutes:02}:{:02}", date(at), seconds % 60)
}
