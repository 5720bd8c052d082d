//! `alinea admin`: what operators do with the accounts and tables of a server, also while it runs.

use std::io::{self, Write};

use anyhow::{Result, anyhow, bail};
use clap::Subcommand;
use protocol::ReportReason;
use rules::game_text::date;
use server::auth::Accounts;
use store::{Account, Report, Store, TableFilter, TableRow};

use crate::database::{Database, runtime};

/// Manage the accounts and tables of a server, also while it runs
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    database: Database,
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
    /// Keep an account from signing in, end its sessions and revoke its tokens
    Ban { name: String },
    /// Lift a ban
    Unban { name: String },
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

/// Maximum number of accounts or tables in a list.
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
        io::stdout().write_all(done?.as_bytes())?;
        Ok(())
    })
}

/// Runs a command and returns its output.
async fn carry_out(command: &Command, store: &Store) -> Result<String> {
    let told = match command {
        Command::Stats => {
            let all = store.statistics().await?;
            format!(
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
            )
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
            found.iter().map(line).collect()
        }
        Command::CreateAccount { name } => {
            let password = store::random_hex::<8>();
            Accounts::open(store.clone()).await?.create(name, &password).await?;
            format!("the password of {name} is {password}\n")
        }
        Command::Ban { name } => {
            store.ban(&account(store, name).await?.id, true).await?;
            format!("{name} is banned\n")
        }
        Command::Unban { name } => {
            store.ban(&account(store, name).await?.id, false).await?;
            format!("{name} is not banned\n")
        }
        Command::ResetPassword { name } => {
            let account = account(store, name).await?;
            let password = store::random_hex::<8>();
            let accounts = Accounts::open(store.clone()).await?;
            accounts.reset_password(&account, &password).await?;
            format!("the new password of {name} is {password}\n")
        }
        Command::DeleteAccount { name, yes } => {
            let account = account(store, name).await?;
            if !yes {
                bail!("this deletes {name} and all data about its owner; add --yes if you are sure");
            }
            format!(
                "{name} is deleted; the name is removed from {} games\n",
                store.delete_account(&account).await?
            )
        }
        Command::Tables { of } => {
            let player = match of {
                Some(name) => Some(account(store, name).await?.id),
                None => None,
            };
            let filter = TableFilter { player, limit: LISTED, ..TableFilter::default() };
            let line = |row: &TableRow| {
                let [first, second] = row.seats.each_ref().map(|occupant| match occupant.name() {
                    "" => "(open)",
                    name => name,
                });
                let status = match row.status {
                    protocol::Status::Open => "open",
                    protocol::Status::Playing => "playing",
                    protocol::Status::Ended => "ended",
                };
                format!(
                    "{}\t{}\t{status}\t{}\t{first} – {second}\n",
                    row.key.id,
                    date(row.created),
                    row.settings.game
                )
            };
            store.tables(&filter).await?.iter().map(line).collect()
        }
        Command::Reports { all } => store.reports(*all, LISTED).await?.iter().map(report_line).collect(),
        Command::SettleReport { report, note } => {
            if !store.settle_report(report, note).await? {
                bail!("there is no report {report}");
            }
            format!("{report} is settled\n")
        }
        Command::EndTable { table } => {
            if store.table(table).await?.is_none() {
                bail!("there is no table {table}");
            }
            let ended = store.end_table(table).await?;
            if ended { format!("{table} is over\n") } else { format!("{table} was already over\n") }
        }
        Command::DeleteTable { table, yes } => {
            if !yes {
                bail!("this deletes {table} and its game; add --yes if you are sure");
            }
            if !store.delete_table(table).await? {
                bail!("there is no table {table}");
            }
            format!("{table} is deleted\n")
        }
    };
    Ok(told)
}

/// A report on one line, whatever its author wrote.
fn report_line(report: &Report) -> String {
    let Report { id, at, reason, subject, reporter, table, details, settled, note } = report;
    let reason = match reason {
        ReportReason::Abuse => "abuse",
        ReportReason::Cheating => "cheating",
        ReportReason::Name => "name",
        ReportReason::Other => "other",
    };
    let mut fields = vec![id.clone(), date(*at), reason.to_owned(), subject.1.clone(), reporter.1.clone()];
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
