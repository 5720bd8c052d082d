//! `alinea admin`: what operators do with the accounts and tables of a server, also while it runs.

mod operations;
mod output;
mod results;

use std::io::{self, Write};

use anyhow::{Result, anyhow, bail};
use clap::Subcommand;
use protocol::{Occupant, ReportReason};
use rules::game_text::date;
use sentences::{english, person_name};
use serde_json::json;
use server::auth::Accounts;
use store::{Account, AuditEntry, OPERATOR, Report, RestrictionKind, Store, TableFilter, TableRow};

use self::output::Output;
use crate::database::{Database, runtime};

/// Manage the accounts and tables of a server, also while it runs
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    database: Database,
    /// Print JSON: an array for lists, else one object
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Show how much is stored
    Stats,
    /// List accounts: name, when it was created, when it was last signed in, number of games
    Accounts {
        /// Only names that contain this
        text: Option<String>,
    },
    /// Make an account with a new password, which is printed
    CreateAccount { name: String },
    /// Ban an account, which ends its sessions and revokes its tokens; or a guest, or an address or network
    Ban {
        /// A name, a guest such as g:1a2b, or an address or network such as 192.0.2.0/24
        who: String,
        #[command(flatten)]
        terms: operations::Terms,
    },
    /// Lift a ban
    Unban { who: String },
    /// Keep an account, a guest, or an address or network from chatting
    Mute {
        /// A name, a guest such as g:1a2b, or an address or network such as 192.0.2.0/24
        who: String,
        #[command(flatten)]
        terms: operations::Terms,
    },
    /// Lift a mute
    Unmute { who: String },
    /// List bans of guests and networks, and mutes: who, which, since when, until when, note
    Restrictions,
    /// Show a message to all players, also to those who come later
    Announce {
        /// The message; nothing withdraws it
        message: String,
        /// For how long
        #[arg(long, value_name = "HOURS", default_value_t = 24)]
        hours: u32,
    },
    /// List the latest tournaments: id, last change, phase, game, players, name
    Tournaments,
    /// End a tournament, and its games without a result
    EndTournament { tournament: String },
    /// Take a tournament off the public list, for example because of its name
    UnlistTournament { tournament: String },
    /// List the latest entries of the audit log: when, who, what, to whom, details
    Audit {
        /// Only those of the last days
        #[arg(long, value_name = "DAYS")]
        days: Option<u32>,
    },
    /// Give an account a new password, which is printed; its sessions end
    ResetPassword { name: String },
    /// Delete an account with all data about its owner; its games stay, without the name
    DeleteAccount {
        name: String,
        /// Yes, delete it
        #[arg(long)]
        yes: bool,
    },
    /// List the latest tables: id, when it was created, status, game, players
    Tables {
        /// Only those of this account
        #[arg(long, value_name = "NAME")]
        of: Option<String>,
    },
    /// List unsettled reports about players: id, when, reason, player, reporter, table, details
    Reports {
        /// Also list settled reports, with the operator's note
        #[arg(long)]
        all: bool,
    },
    /// Note how a report was settled
    SettleReport {
        report: String,
        /// Such as "warned"
        note: String,
    },
    /// List the latest rated results: table, date, list of ratings, players, score
    Results {
        #[command(flatten)]
        which: results::Which,
    },
    /// Void rated results, and compute all ratings again that follow from them
    VoidResults {
        #[command(flatten)]
        which: results::Which,
    },
    /// Count voided results again
    RestoreResults {
        #[command(flatten)]
        which: results::Which,
    },
    /// End a game without a result
    EndTable { table: String },
    /// Delete a table with its game
    DeleteTable {
        table: String,
        /// Yes, delete it
        #[arg(long)]
        yes: bool,
    },
}

/// Maximum number of rows in a list.
const LISTED: u32 = 1000;

pub(crate) fn run(args: &Args) -> Result<()> {
    let url = args.database.url()?;
    if !args.database.exists() {
        bail!("there is no database {}", args.database.name());
    }
    runtime()?.block_on(async {
        let store = Store::open(&url).await;
        let store =
            store.map_err(|error| anyhow!("cannot open {}: {}", args.database.name(), error.reason()))?;
        let done = carry_out(&args.command, &store).await;
        store.close().await;
        io::stdout().write_all(done?.print(args.json).as_bytes())?;
        Ok(())
    })
}

/// Runs a command and returns its output.
async fn carry_out(command: &Command, store: &Store) -> Result<Output> {
    let told = match command {
        Command::Stats => {
            let all = store.statistics().await?;
            let value = json!({
                "accounts": all.accounts, "bots": all.bots, "banned": all.banned, "sessions": all.sessions,
                "open": all.open, "playing": all.playing, "ended": all.ended, "events": all.events,
                "reports": all.reports,
            });
            let text = format!(
                "{} accounts, {} of bots, {} banned\n{} sessions\n{} open tables, {} games being played, {} over\n{} events\n{} reports to be settled\n",
                all.accounts,
                all.bots,
                all.banned,
                all.sessions,
                all.open,
                all.playing,
                all.ended,
                all.events,
                all.reports
            );
            Output::new(text, value)
        }
        Command::Accounts { text } => {
            let found = store.find_accounts(text.as_deref().unwrap_or_default(), LISTED).await?;
            let line = |summary: &store::AccountSummary| {
                let Account { name, created, bot, banned, .. } = &summary.account;
                let seen = summary.seen.map_or_else(|| "-".to_owned(), date);
                let marks = [(*bot, " bot"), (*banned > 0, " banned")];
                let marks: String = marks.into_iter().filter_map(|(is, mark)| is.then_some(mark)).collect();
                format!("{name}\t{}\t{seen}\t{} games{marks}\n", date(*created), summary.games)
            };
            let value = |summary: &store::AccountSummary| {
                let Account { id, name, created, bot, banned, .. } = &summary.account;
                json!({
                    "id": id, "name": name, "created": created, "seen": summary.seen, "games": summary.games,
                    "bot": bot, "banned": *banned > 0,
                })
            };
            Output::list(&found, line, value)
        }
        Command::CreateAccount { name } => {
            let password = store::random_hex::<8>();
            let account = Accounts::open(store.clone()).await?.create(name, &password).await?;
            note(store, "account_created", &account.id, "").await?;
            let text = format!("the password of {name} is {password}\n");
            Output::new(text, json!({ "id": account.id, "name": name, "password": password }))
        }
        Command::Ban { who, terms } => operations::restrict(store, who, terms, RestrictionKind::Ban).await?,
        Command::Unban { who } => operations::lift(store, who, RestrictionKind::Ban).await?,
        Command::Mute { who, terms } => {
            operations::restrict(store, who, terms, RestrictionKind::Mute).await?
        }
        Command::Unmute { who } => operations::lift(store, who, RestrictionKind::Mute).await?,
        Command::Restrictions => operations::restrictions(store).await?,
        Command::Announce { message, hours } => operations::announce(store, message, *hours).await?,
        Command::Tournaments => operations::tournaments(store).await?,
        Command::EndTournament { tournament } => operations::end_tournament(store, tournament).await?,
        Command::UnlistTournament { tournament } => operations::unlist_tournament(store, tournament).await?,
        Command::Audit { days } => operations::audit(store, *days).await?,
        Command::ResetPassword { name } => {
            let account = account(store, name).await?;
            let password = store::random_hex::<8>();
            let accounts = Accounts::open(store.clone()).await?;
            accounts.reset_password(&account, &password).await?;
            note(store, "password_reset", &account.id, "").await?;
            let text = format!("the new password of {name} is {password}\n");
            Output::new(text, json!({ "name": name, "password": password }))
        }
        Command::DeleteAccount { name, yes } => {
            let account = account(store, name).await?;
            if !yes {
                bail!("this deletes {name} and all data about its owner; add --yes if you are sure");
            }
            let games = store.delete_account(&account).await?;
            note(store, "account_deleted", "", "").await?;
            let text = format!("{name} is deleted; the name is removed from {games} games\n");
            Output::new(text, json!({ "name": name, "games": games }))
        }
        Command::Tables { of } => {
            let player = match of {
                Some(name) => Some(account(store, name).await?.id),
                None => None,
            };
            let filter = TableFilter { player, limit: LISTED, ..TableFilter::default() };
            let line = |row: &TableRow| {
                let [first, second] = row.seats.each_ref().map(seat);
                let status = status(row);
                format!(
                    "{}\t{}\t{status}\t{}\t{first} – {second}\n",
                    row.key.id,
                    date(row.created),
                    row.settings.game
                )
            };
            let value = |row: &TableRow| {
                json!({
                    "id": row.key.id, "created": row.created, "status": status(row),
                    "game": row.settings.game, "seats": row.seats,
                })
            };
            Output::list(&store.tables(&filter).await?, line, value)
        }
        Command::Reports { all } => {
            let value = |report: &Report| {
                json!({
                    "id": report.id, "at": report.at, "table": report.table, "reason": reason(report),
                    "subject": report.subject, "reporter": report.reporter, "details": report.details,
                    "settled": report.settled, "note": report.note,
                })
            };
            Output::list(&store.reports(*all, LISTED).await?, report_line, value)
        }
        Command::SettleReport { report, note: words } => {
            if !store.settle_report(report, words).await? {
                bail!("there is no report {report}");
            }
            note(store, "report_settled", report, "").await?;
            Output::done(format!("{report} is settled"))
        }
        Command::Results { which } => results::list(store, which).await?,
        Command::VoidResults { which } => results::revise(store, which, true).await?,
        Command::RestoreResults { which } => results::revise(store, which, false).await?,
        Command::EndTable { table } => {
            if store.table(table).await?.is_none() {
                bail!("there is no table {table}");
            }
            let ended = store.end_table(table).await?;
            if ended {
                note(store, "table_ended", table, "").await?;
            }
            Output::done(if ended { format!("{table} is over") } else { format!("{table} was already over") })
        }
        Command::DeleteTable { table, yes } => {
            if !yes {
                bail!("this deletes {table} and its game; add --yes if you are sure");
            }
            if !store.delete_table(table).await? {
                bail!("there is no table {table}");
            }
            note(store, "table_deleted", table, "").await?;
            Output::done(format!("{table} is deleted"))
        }
    };
    Ok(told)
}

/// The name of a seat's occupant; that of a guest with the id, by which the guest can be banned.
fn seat(occupant: &Occupant) -> String {
    match occupant {
        Occupant::Person { id, name, .. } if id.starts_with("g:") => {
            format!("{} ({id})", person_name(english(), name))
        }
        occupant if occupant.name().is_empty() => "(open)".to_owned(),
        occupant => occupant.name().to_owned(),
    }
}

fn status(row: &TableRow) -> &'static str {
    match row.status {
        protocol::Status::Open => "open",
        protocol::Status::Playing => "playing",
        protocol::Status::Ended => "ended",
    }
}

fn reason(report: &Report) -> &'static str {
    match report.reason {
        ReportReason::Abuse => "abuse",
        ReportReason::Cheating => "cheating",
        ReportReason::Name => "name",
        ReportReason::Other => "other",
    }
}

/// Records what the operator did in the audit log.
async fn note(store: &Store, action: &str, subject: &str, details: &str) -> Result<()> {
    let [actor, action, subject, details] = [OPERATOR, action, subject, details].map(str::to_owned);
    let entry = AuditEntry { at: store.clock().now_ms(), actor, action, subject, details };
    Ok(store.audit(&entry).await?)
}

/// A report on one line, whatever its author wrote.
fn report_line(report: &Report) -> String {
    let Report { id, at, subject, reporter, table, details, settled, note, .. } = report;
    let mut fields =
        vec![id.clone(), date(*at), reason(report).to_owned(), subject.1.clone(), reporter.1.clone()];
    fields.extend([table.clone(), details.clone()]);
    if *settled > 0 {
        fields.push(format!("settled {}: {note}", date(*settled)));
    }
    let line = fields.iter().map(|field| field.replace(char::is_control, " ")).collect::<Vec<_>>();
    format!("{}\n", line.join("\t"))
}

async fn account(store: &Store, name: &str) -> Result<Account> {
    let found = store.account_by_name(name).await?;
    found.ok_or_else(|| anyhow!("there is no account {name}"))
}
