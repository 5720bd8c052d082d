//! The results of a tournament as Markdown, JSON, tab-separated values and game text. The HTML page is in
//! `html.rs`.

use std::{collections::HashMap, fmt::Write, ops::Deref};

use rules::{Outcome, Side};
use serde::Serialize;
use tournament::{
    Format, TieBreak,
    schedule::{self, BracketMatch},
};

use crate::{
    Condition, LiveGames, Record, Tournament,
    claims::{self, WrongClaim},
    conditions,
    elo::{Elo, Pairs},
    evidence,
    run::{self, End},
    sprt::{Model, Sprt, Verdict},
    standings::{self, Standing, Tally},
};

/// The name of a knockout's stage with this many matches.
pub(crate) fn stage_name(matches: usize) -> String {
    match matches {
        1 => "final".to_owned(),
        2 => "semi-finals".to_owned(),
        4 => "quarter-finals".to_owned(),
        _ => format!("last {}", 2 * matches),
    }
}

/// The results of a tournament, with statistics.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// What is shown of the tournament everywhere.
    #[serde(flatten)]
    pub shown: tournament::Report<Record>,
    /// The day of the report, if it is known. Not part of the data: the same games give the same data on any day.
    #[serde(skip)]
    pub date: Option<String>,
    /// Each two players with the Elo difference from their pairs of games.
    pub duels: Vec<Duel>,
    /// Number of games that repeat earlier ones move by move. They count for points, but not for Elo.
    pub repeated: usize,
    /// Number of adjudicated games.
    pub adjudicated: usize,
    /// Announced wins and losses that are wrong.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub wrong_claims: Vec<WrongClaim>,
    /// The stages of a knockout so far, with the players by their number in the settings. Neighbours meet in the next
    /// stage.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bracket: Vec<Vec<BracketMatch>>,
    /// Results of the side that moved first.
    pub first_side: Tally,
    /// The sequential test, if there was one.
    pub sprt: Option<SprtResult>,
}

impl Deref for Report {
    type Target = tournament::Report<Record>;

    fn deref(&self) -> &Self::Target {
        &self.shown
    }
}

/// Two players and the difference in strength between them.
#[derive(Clone, Debug, Serialize)]
pub struct Duel {
    /// Their names.
    pub players: [String; 2],
    /// Results of the first of the two.
    pub tally: Tally,
    /// Pairs of games by points.
    pub pairs: Pairs,
    /// Elo difference of the first over the second; none without pairs.
    pub elo: Option<Elo>,
}

/// The sequential test and its result.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SprtResult {
    /// The hypotheses.
    #[serde(flatten)]
    pub sprt: Sprt,
    /// The log-likelihood ratio.
    pub llr: f64,
    /// The bounds at which the test decides.
    pub bounds: [f64; 2],
    /// The decision.
    pub verdict: Verdict,
}

impl Report {
    /// Computes the report from the games so far; `end` is `None` while the tournament runs.
    #[must_use]
    pub fn new(tournament: &Tournament, records: &[Record], end: Option<End>) -> Self {
        let settings = &tournament.settings;
        // The order in which games finish depends on the machines, and the report must not.
        let mut games = records.to_vec();
        games.sort_by_key(|record| record.slot);
        let records = &games[..];
        let table = standings::standings(tournament, records);
        let cross = standings::cross_table(tournament, records);
        let order: Vec<usize> = table.iter().map(|standing| standing.player).collect();
        let cross_table = order.iter().map(|&a| order.iter().map(|&b| cross[a][b]).collect()).collect();
        // A match is about its first player, also when the second leads.
        let duellists = if let [_, _] = order[..] { vec![0, 1] } else { order };
        let mut duels = Vec::new();
        // In a large tournament many duels have the same result.
        let mut known = HashMap::new();
        for (i, &a) in duellists.iter().enumerate() {
            for &b in &duellists[i + 1..] {
                if cross[a][b].games() > 0 {
                    let players = [a, b].map(|player| settings.players[player].name.clone());
                    let pairs = evidence::pairs(records, &players[0], &players[1]);
                    let elo = *known.entry(pairs).or_insert_with(|| pairs.elo());
                    duels.push(Duel { players, tally: cross[a][b], pairs, elo });
                }
            }
        }
        let mut first_side = Tally::default();
        for record in records {
            match record.result {
                Outcome::Win(Side::First) => first_side.wins += 1,
                Outcome::Win(Side::Second) => first_side.losses += 1,
                Outcome::Draw => first_side.draws += 1,
            }
        }
        let sprt = settings.sprt.and_then(|sprt| {
            let [first, second] = &settings.players[..] else { return None };
            let pairs = evidence::pairs(records, &first.name, &second.name);
            let (llr, verdict) = (sprt.llr(&pairs), sprt.verdict(&pairs));
            Some(SprtResult { sprt, llr, bounds: sprt.bounds(), verdict })
        });
        let state = match end {
            None => tournament::report::RUNNING,
            Some(End::Complete) => "complete",
            Some(End::Decided(_)) => "decided by SPRT",
            Some(End::Stopped) => "stopped early",
            Some(End::NotStarted { .. }) => "ended because a player did not start",
            Some(End::Crashed { .. }) => "ended because a player crashed",
        };
        let repeated = records.len() - evidence::distinct(records).len();
        let adjudicated = records.iter().filter(|record| record.adjudicated.is_some()).count();
        let bracket = match settings.format {
            Format::Knockout => {
                schedule::knockout_bracket(settings.players.len(), &run::rounds(tournament, records))
            }
            _ => Vec::new(),
        };
        let shown = tournament::Report {
            name: settings.name.clone(),
            game: tournament.spec.to_string(),
            state: state.to_owned(),
            format: settings.format,
            rounds: settings.rounds,
            conditions: conditions::conditions(tournament),
            tie_breaks: if table.len() > 2 { settings.tie_breaks.clone() } else { Vec::new() },
            standings: table,
            cross_table,
            games,
            playing: tournament.live.as_ref().map(LiveGames::now).unwrap_or_default(),
        };
        let wrong_claims = shown.games.iter().flat_map(claims::wrong).collect();
        Self { shown, date: None, duels, repeated, adjudicated, wrong_claims, bracket, first_side, sprt }
    }

    /// One line of JSON.
    #[must_use]
    pub fn json(&self) -> String {
        serde_json::to_string(self).expect("a report has only text and numbers") + "\n"
    }

    /// The standings as tab-separated values, one line per player.
    #[must_use]
    pub fn tsv(&self) -> String {
        let mut text = String::from(
            "rank\tname\tpoints\tgames\twins\tdraws\tlosses\tscore\tscore_first\tscore_second\tforfeits\telo\terror\ttime_ms\tslowest_ms\tcpu_ms\tpeak_kb\n",
        );
        for s in &self.standings {
            let Tally { wins, draws, losses } = s.all;
            let (cpu, peak) = s
                .usage
                .map_or((String::new(), String::new()), |u| (u.cpu_ms.to_string(), u.peak_kb.to_string()));
            let [first, second] = s.sides.map(|side| side.score());
            let _ = writeln!(
                text,
                "{}\t{}\t{}\t{}\t{wins}\t{draws}\t{losses}\t{:.4}\t{first:.4}\t{second:.4}\t{}\t{:.1}\t{:.1}\t{}\t{}\t{cpu}\t{peak}",
                s.rank,
                s.name,
                s.points,
                s.all.games(),
                s.all.score(),
                s.forfeits,
                s.rating.elo,
                s.rating.error,
                s.time_ms,
                s.slowest_ms,
            );
        }
        text
    }

    /// The tables as Markdown.
    #[must_use]
    pub fn markdown(&self) -> String {
        format!("# {}\n\n{}", escape(&self.name), self.markdown_body())
    }

    /// The tables without the heading.
    #[must_use]
    pub fn markdown_body(&self) -> String {
        let mut text = format!("`{}`, {} games, {}.\n\n", self.game, self.games.len(), self.state);
        for Condition { name, text: set } in &self.conditions {
            let _ = writeln!(text, "- {name}: {}", escape(set));
        }
        if let Some(date) = &self.date {
            let _ = writeln!(text, "- Date: {date}");
        }
        text += "\n| # | player | points |";
        for (_, tie_break) in self.shown_tie_breaks() {
            let _ = write!(text, " {} |", tie_break.name());
        }
        text += " + | = | − | score | as first | as second | Elo | forfeits |\n| --: | --- |";
        text += &" --: |".repeat(9 + self.shown_tie_breaks().count());
        text.push('\n');
        for s in &self.standings {
            let Tally { wins, draws, losses } = s.all;
            let [all, first, second] = [s.all, s.sides[0], s.sides[1]].map(percent);
            let _ = write!(text, "| {} | {} | {} |", s.rank, escape(&s.name), s.points);
            for (place, _) in self.shown_tie_breaks() {
                let _ = write!(text, " {} |", s.tie_breaks[place]);
            }
            let _ = writeln!(
                text,
                " {wins} | {draws} | {losses} | {all} | {first} | {second} | {} | {} |",
                rating(s),
                s.forfeits
            );
        }
        let _ = writeln!(text, "\nThe first player scored {}.\n", percent(self.first_side));
        for sentence in self.sentences() {
            let _ = writeln!(text, "{sentence}\n");
        }
        self.markdown_bracket(&mut text);
        if self.standings.len() > 2 {
            text += "Won, drawn and lost against each other:\n\n|  |";
            for i in 0..self.standings.len() {
                let _ = write!(text, " {} |", i + 1);
            }
            text += "\n| --- |";
            text += &" --: |".repeat(self.standings.len());
            text.push('\n');
            for (s, row) in self.standings.iter().zip(&self.cross_table) {
                let _ = write!(text, "| {} |", escape(&s.name));
                for tally in row {
                    let _ = write!(text, " {} |", cell(*tally));
                }
                text.push('\n');
            }
            text.push('\n');
        }
        text += "| player | opponent | pairs of 0 ½ 1 1½ 2 points | Elo | 95 % | LOS |\n";
        text += "| --- | --- | --- | --: | --: | --: |\n";
        for duel in &self.duels {
            let [a, b] = duel.players.each_ref().map(|name| escape(name));
            let pairs = duel.pairs.0.map(|count| count.to_string()).join(" ");
            let (elo, interval, superiority) = elo_texts(duel.elo);
            let _ = writeln!(text, "| {a} | {b} | {pairs} | {elo} | {interval} | {superiority} |");
        }
        let forfeits: Vec<_> = self.forfeits().collect();
        if !forfeits.is_empty() {
            text += "\nForfeits:\n\n";
            for (record, loser, reason) in forfeits {
                let [first, second] = record.players.each_ref().map(|name| escape(name));
                let _ = writeln!(text, "- {first} – {second}: {} {}", escape(loser), escape(&reason));
            }
        }
        if !self.wrong_claims.is_empty() {
            text += "\nWrong announcements:\n\n";
            for (claim, sentence) in self.wrong_announcements() {
                let _ = writeln!(text, "- {}: {}", claim.slot, escape(&sentence));
            }
        }
        let used: Vec<_> = self.standings.iter().filter_map(|s| Some((s, s.usage?))).collect();
        if !used.is_empty() {
            text += "\n| engine | CPU time | peak memory | slowest move | latency of a move |\n";
            text += "| --- | --: | --: | --: | --: |\n";
            for (s, usage) in used {
                let cpu = usage.cpu_ms as f64 / 1e3;
                let peak = usage.peak_kb as f64 / 1024.0;
                let _ = writeln!(
                    text,
                    "| {} | {cpu:.2} s | {peak:.1} MiB | {} ms | {} |",
                    escape(&s.name),
                    s.slowest_ms,
                    latency(s)
                );
            }
        }
        text
    }

    /// Writes the bracket of a knockout: a column for each stage, each match beside the first of the two before it.
    fn markdown_bracket(&self, text: &mut String) {
        let Some(first) = self.bracket.first() else { return };
        let titles: Vec<_> = self.bracket.iter().map(|stage| stage_name(stage.len())).collect();
        let _ = writeln!(text, "| {} |\n|{}", titles.join(" | "), " --- |".repeat(titles.len()));
        for row in 0..first.len() {
            text.push('|');
            for (k, stage) in self.bracket.iter().enumerate() {
                let shown = if row.is_multiple_of(1 << k) {
                    let bold = |name: &str| format!("**{}**", escape(name));
                    self.bracket_match(&stage[row >> k], &bold, &escape)
                } else {
                    String::new()
                };
                let _ = write!(text, " {shown} |");
            }
            text.push('\n');
        }
        text.push('\n');
    }

    /// A match of a bracket in one line, with its points; the names of the player who advances and of the others as
    /// these functions write them.
    pub(crate) fn bracket_match(
        &self,
        shown: &BracketMatch,
        advances: &dyn Fn(&str) -> String,
        other: &dyn Fn(&str) -> String,
    ) -> String {
        let name = |player: usize| {
            let standing = self.standings.iter().find(|standing| standing.player == player);
            let name = standing.map_or("", |standing| standing.name.as_str());
            if shown.winner == Some(player) { advances(name) } else { other(name) }
        };
        match shown.players {
            [Some(one), Some(two)] => {
                let [first, second] = shown.half_points.map(|half_points| half_points as f64 / 2.0);
                format!("{} {first} – {second} {}", name(one), name(two))
            }
            [one, two] => one.or(two).map_or_else(String::new, |one| format!("{} (bye)", name(one))),
        }
    }

    /// The tie-breaks with their own columns, by index; wins are in the table anyway.
    pub(crate) fn shown_tie_breaks(&self) -> impl Iterator<Item = (usize, TieBreak)> {
        self.tie_breaks.iter().copied().enumerate().filter(|(_, tie_break)| *tie_break != TieBreak::Wins)
    }

    /// Returns the remarks below the tables.
    pub(crate) fn sentences(&self) -> impl Iterator<Item = String> {
        let test = self.sprt.iter().map(SprtResult::sentence);
        self.repetitions().into_iter().chain(self.adjudications()).chain(test)
    }

    /// Returns the first wrong claim of each player with a sentence, which counts the others.
    pub(crate) fn wrong_announcements(&self) -> Vec<(&WrongClaim, String)> {
        let mut first: Vec<(&WrongClaim, usize)> = Vec::new();
        for claim in &self.wrong_claims {
            match first.iter_mut().find(|(other, _)| other.player == claim.player) {
                Some((_, others)) => *others += 1,
                None => first.push((claim, 0)),
            }
        }
        let counted = first.into_iter().map(|(claim, others)| {
            let more = match others {
                0 => String::new(),
                1 => "; another of its announcements is wrong".to_owned(),
                _ => format!("; {others} more of its announcements are wrong"),
            };
            (claim, format!("{claim}{more}"))
        });
        counted.collect()
    }

    /// Returns the remark on repeated games.
    #[must_use]
    pub fn repetitions(&self) -> Option<String> {
        let all = self.games.len();
        (self.repeated > 0).then(|| {
            format!(
                "{} of the {all} games repeat earlier ones move by move; they count for points, not for Elo. More or longer random openings give more evidence.",
                self.repeated
            )
        })
    }

    /// Returns the remark on adjudicated games.
    #[must_use]
    pub fn adjudications(&self) -> Option<String> {
        if self.adjudicated == 0 {
            return None;
        }
        let rules = |record: &Record| record.adjudicated.map(|rule| rule.kind());
        let mut kinds: Vec<_> = self.games.iter().filter_map(rules).collect();
        kinds.sort_unstable();
        let counts: Vec<_> =
            kinds.chunk_by(|a, b| a == b).map(|same| format!("{} {}", same.len(), same[0])).collect();
        let (count, all) = (self.adjudicated, self.games.len());
        Some(format!("{count} of the {all} games were adjudicated: {}.", counts.join(", ")))
    }

    /// Players and results as PGN without moves, which ordo and bayeselo read: White is the side that moves first.
    #[must_use]
    pub fn pgn(&self) -> String {
        self.games.iter().map(|record| record.pgn_result(&self.name)).collect()
    }

    /// All games as PGN with moves and comments, in the notation of the games.
    #[must_use]
    pub fn pgn_games(&self) -> String {
        self.games.iter().map(|record| record.pgn(&self.name, self.date.as_deref())).collect()
    }

    /// All games as text.
    #[must_use]
    pub fn game_text(&self) -> String {
        self.games.iter().map(|record| record.to_text(&self.name)).collect()
    }

    /// Forfeited games, with the loser and the reason.
    pub fn forfeits(&self) -> impl Iterator<Item = (&Record, &str, String)> {
        self.games.iter().filter_map(|record| forfeit(record).map(|(loser, reason)| (record, loser, reason)))
    }
}

/// The loser of a forfeited game and the reason.
pub(crate) fn forfeit(record: &Record) -> Option<(&str, String)> {
    let fault = record.forfeit.as_ref()?;
    Some((record.loser()?, fault.to_string()))
}

impl SprtResult {
    /// The result of the test as a sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        let Sprt { elo0, elo1, alpha, beta, model } = self.sprt;
        let [low, high] = self.bounds;
        let llr = self.llr;
        let verdict = match self.verdict {
            Verdict::Accepted => {
                format!("accepted with LLR {llr:.2} ≥ {high:.2}: stronger by {elo1} rather than by {elo0}")
            }
            Verdict::Rejected => {
                format!("rejected with LLR {llr:.2} ≤ {low:.2}: stronger by {elo0} rather than by {elo1}")
            }
            Verdict::Open => format!("not decided, LLR {llr:.2} is between {low:.2} and {high:.2}"),
        };
        let scale = if model == Model::Logistic { "" } else { " in normalised Elo" };
        format!("SPRT({elo0}, {elo1}){scale} with α = {alpha}, β = {beta}: {verdict}.")
    }
}

/// The score as a percentage.
pub(crate) fn percent(tally: Tally) -> String {
    if tally.games() == 0 { "–".to_owned() } else { format!("{:.1} %", 100.0 * tally.score()) }
}

/// The latency of an engine's moves: mean and maximum.
pub(crate) fn latency(standing: &Standing) -> String {
    standing.latency.map_or_else(
        || "–".to_owned(),
        |latency| format!("{:.1} ms, at most {} ms", latency.mean_ms(), latency.most_ms),
    )
}

pub(crate) fn rating(standing: &Standing) -> String {
    format!("{:+.0} ± {:.0}", standing.rating.elo, standing.rating.error)
}

pub(crate) fn cell(tally: Tally) -> String {
    let Tally { wins, draws, losses } = tally;
    if tally.games() == 0 { String::new() } else { format!("{wins}–{draws}–{losses}") }
}

/// The difference, its interval and the likelihood of superiority.
pub(crate) fn elo_texts(elo: Option<Elo>) -> (String, String, String) {
    let number = |elo: f64| {
        if elo.is_finite() {
            // Adding zero makes a negative zero positive.
            format!("{:+.0}", elo.round() + 0.0)
        } else {
            if elo > 0.0 { "+∞" } else { "−∞" }.to_owned()
        }
    };
    let Some(elo) = elo else { return Default::default() };
    let [low, high] = elo.interval.map(number);
    (number(elo.difference), format!("{low} … {high}"), format!("{:.1} %", 100.0 * elo.superiority))
}

/// Escapes text for a Markdown table.
fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        if matches!(c, '|' | '*' | '_' | '`' | '<' | '[' | '\\' | '#') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}
