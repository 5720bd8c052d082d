//! Results of rated games: list, void and restore them.

use anyhow::{Result, anyhow, bail};
use rules::Side;
use rules::game_text::date;
use serde_json::{Value, json};
use store::{RatedPlayer, RatedResult, ResultsOf, Store};

use super::{
    LISTED, note,
    output::{Output, line},
};

/// Which results
#[derive(clap::Args)]
#[group(multiple = false)]
pub(super) struct Which {
    /// The result of this table
    #[arg(long, value_name = "ID")]
    table: Option<String>,
    /// All results of this account
    #[arg(long, value_name = "NAME")]
    account: Option<String>,
    /// All results of this tournament
    #[arg(long, value_name = "ID")]
    tournament: Option<String>,
}

impl Which {
    /// The selected results, with the id of the account in place of its name; none if all are selected.
    async fn select(&self, store: &Store) -> Result<Option<Selected>> {
        Ok(Some(match (&self.table, &self.account, &self.tournament) {
            (Some(table), ..) => Selected::Table(table.clone()),
            (_, Some(name), _) => {
                let id = match store.account_by_name(name).await? {
                    Some(account) => account.id,
                    // The results of a deleted account are listed with such a mark.
                    None if name.starts_with("d:") => name.clone(),
                    None => bail!("there is no account {name}"),
                };
                Selected::Account(id)
            }
            (.., Some(tournament)) => Selected::Tournament(tournament.clone()),
            _ => return Ok(None),
        }))
    }
}

/// Selected results.
enum Selected {
    Table(String),
    Account(String),
    Tournament(String),
}

impl Selected {
    fn as_results(&self) -> ResultsOf<'_> {
        match self {
            Self::Table(id) => ResultsOf::Table(id),
            Self::Account(id) => ResultsOf::Account(id),
            Self::Tournament(id) => ResultsOf::Tournament(id),
        }
    }
}

/// Lists results, latest first.
pub(super) async fn list(store: &Store, which: &Which) -> Result<Output> {
    let selected = which.select(store).await?;
    let mut rows = Vec::new();
    for result in store.results(selected.as_ref().map(Selected::as_results), LISTED).await? {
        let names = [name(store, &result.rated.first).await?, name(store, &result.rated.second).await?];
        rows.push((result, names));
    }
    Ok(Output::list(&rows, |(result, names)| text(result, names), |(result, names)| value(result, names)))
}

/// Voids or restores results.
pub(super) async fn revise(store: &Store, which: &Which, voided: bool) -> Result<Output> {
    let selected = which.select(store).await?;
    let selected = selected.ok_or_else(|| anyhow!("name the results: --table, --account or --tournament"))?;
    let of = selected.as_results();
    if store.results(Some(of), 1).await?.is_empty() {
        bail!("there is no rated result to change; games of version 0.2 and earlier cannot be voided");
    }
    let revision = store.revise_results(of, voided).await?;
    let (results, recomputed) = (revision.results, revision.recomputed);
    let done = if voided { "voided" } else { "restored" };
    let (ResultsOf::Table(subject) | ResultsOf::Account(subject) | ResultsOf::Tournament(subject)) = of;
    note(store, &format!("results_{done}"), subject, &format!("{results} results")).await?;
    let text = format!("{results} results {done}; {recomputed} results applied again\n");
    Ok(Output::new(text, json!({ "results": results, "recomputed": recomputed })))
}

/// The name of a player.
async fn name(store: &Store, player: &RatedPlayer) -> Result<String> {
    Ok(match player {
        RatedPlayer::Fixed(rating) => format!("program ({rating:.0})"),
        RatedPlayer::Account(id) => {
            store.account(id).await?.map_or_else(|| id.clone(), |account| account.name)
        }
    })
}

const fn score(result: &RatedResult) -> &'static str {
    match result.winner {
        Some(Side::First) => "1-0",
        Some(Side::Second) => "0-1",
        None => "1/2-1/2",
    }
}

fn text(result: &RatedResult, names: &[String; 2]) -> String {
    let list = format!("{} {}", result.rated.game, result.rated.clock_kind.name());
    let mut fields = vec![result.table.clone(), date(result.at), list, names.join(" – ")];
    fields.push(score(result).to_owned());
    if result.voided > 0 {
        fields.push(format!("voided {}", date(result.voided)));
    }
    line(&fields)
}

fn value(result: &RatedResult, names: &[String; 2]) -> Value {
    json!({
        "table": result.table, "at": result.at, "game": result.rated.game,
        "kind": result.rated.clock_kind.name(), "players": names, "score": score(result),
        "tournament": result.rated.tournament, "voided": result.voided,
    })
}
