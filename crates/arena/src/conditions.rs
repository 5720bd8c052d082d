//! The conditions of a tournament in words: what a reader needs to judge its results.

use rules::Spec;
use tournament::{Format, report::Condition};

use crate::{
    Limits, Settings, Tournament,
    openings::{BALANCED, balanced},
};

/// Returns the conditions in the order in which reports show them.
pub(crate) fn conditions(tournament: &Tournament) -> Vec<Condition> {
    let settings = &tournament.settings;
    let format = match settings.format {
        Format::RoundRobin => "round robin".to_owned(),
        Format::Gauntlet => format!("gauntlet of {}", settings.players[0].name),
        Format::Knockout => "knockout".to_owned(),
        Format::Swiss => format!("Swiss, {}", count(settings.rounds, "round")),
    };
    let pairs = count(settings.pairs, "pair");
    let openings = openings(settings.openings.as_deref().unwrap_or_default(), tournament.spec);
    let points = settings.points;
    let names: Vec<_> = settings.tie_breaks.iter().map(|tie_break| tie_break.name()).collect();
    [
        ("Format", format!("{format}; {pairs} of games for each two players, with sides exchanged")),
        ("Openings", openings),
        ("Limits", all_limits(settings)),
        ("Engines", engines(settings)),
        ("Ended early", settings.adjudication.words().join("; ")),
        (
            "Points",
            format!("{} for a win, {} for a draw, {} for a loss", points.win, points.draw, points.loss),
        ),
        ("Ties", if names.is_empty() { "shared".to_owned() } else { names.join(", then ") }),
        ("Seed", settings.seed.to_string()),
    ]
    .into_iter()
    .filter(|(_, text)| !text.is_empty())
    .map(|(name, text)| Condition { name: name.to_owned(), text })
    .collect()
}

fn openings(source: &str, spec: Spec) -> String {
    match source.split_once(':').unwrap_or((source, "")) {
        ("random", plies) if balanced::text(spec).is_none() => {
            format!("{plies} random moves; there are no balanced openings for {spec}")
        }
        ("random", plies) => format!("{plies} random moves"),
        ("book", path) => format!("from {path}, by weight"),
        ("games", games) => match games.rsplit_once(':') {
            Some((path, plies)) => format!("the first {plies} moves of the games in {path}"),
            None => games.to_owned(),
        },
        ("file", path) => format!("from {path}, in order"),
        (BALANCED, _) => "balanced: undecided and near equality".to_owned(),
        _ => "the initial position".to_owned(),
    }
}

fn engines(settings: &Settings) -> String {
    let mut parts = Vec::new();
    if settings.restart {
        parts.push("started anew for every game");
    }
    if settings.ponder {
        parts.push("may think while the opponent does");
    }
    parts.join("; ")
}

fn all_limits(settings: &Settings) -> String {
    let own = settings.limits_of.keys();
    let own = own.map(|name| format!("{name}: {}", limits(&settings.limits_of(name))));
    [limits(&settings.limits)].into_iter().chain(own).collect::<Vec<_>>().join("; ")
}

fn limits(limits: &Limits) -> String {
    let mut parts = Vec::new();
    if let Some(ms) = limits.movetime_ms {
        parts.push(format!("{ms} ms per move"));
    }
    if let Some(ms) = limits.time_ms {
        let whole = limits.moves.map_or("game".to_owned(), |moves| count(moves as usize, "move"));
        parts.push(format!("{} s per {whole} and {} ms per move", ms as f64 / 1e3, limits.increment_ms));
    }
    if let Some(depth) = limits.depth {
        parts.push(format!("depth {depth}"));
    }
    if let Some(nodes) = limits.nodes {
        parts.push(format!("{nodes} nodes"));
    }
    if let Some(memory) = limits.memory_mb {
        parts.push(format!("{memory} MiB of memory"));
    }
    if let Some(seconds) = limits.cpu_s {
        parts.push(format!("{seconds} s of CPU time"));
    }
    if parts.is_empty() { "those of the players".to_owned() } else { parts.join(", ") }
}

fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn conditions_are_told_in_words() {
        let text = "game = 'connect-four'\nplayers = ['random', 'greedy', 'smart:1']\nformat = 'swiss'\nrounds = 3\n\
                    [limits]\nmovetime_ms = 100\nmemory_mb = 64\n";
        let tournament = Tournament::read(text, Path::new("")).unwrap();
        let texts: Vec<_> = conditions(&tournament).into_iter().map(|it| it.text).collect();
        assert_eq!(
            texts,
            [
                "Swiss, 3 rounds; 1 pair of games for each two players, with sides exchanged",
                "balanced: undecided and near equality",
                "100 ms per move, 64 MiB of memory",
                "3 for a win, 1 for a draw, 0 for a loss",
                "direct encounter, then Buchholz, then Sonneborn–Berger, then wins",
                "0"
            ]
        );
    }
}
