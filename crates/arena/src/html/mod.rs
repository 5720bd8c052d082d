//! The report as one self-contained HTML page: conditions, tables, a plot of the ratings, and every game for replay.

use std::fmt::Write;

use rules::{AnyGame, Coordinates, Piece, Side, excerpt};
use serde_json::{Value, json};

use crate::{
    Condition, Record,
    report::{self, Report},
};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// With more players than this, the cross-table is narrower.
const DENSE: usize = 12;

impl Report {
    /// Renders the page.
    #[must_use]
    pub fn html(&self) -> String {
        let mut page = String::from("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n");
        let name = escape(&self.name);
        let _ = write!(
            page,
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>{name}</title>\n<style>\n{STYLE}</style></head><body>\n<h1>{name}</h1>\n<p class=\"muted\">{} · {} players · {} games · {}</p>\n",
            escape(&self.game),
            self.standings.len(),
            self.games.len(),
            escape(&self.state),
        );
        for sentence in self.sentences() {
            let _ = writeln!(page, "<p>{}</p>", escape(&sentence));
        }
        self.standings_table(&mut page);
        self.bracket_html(&mut page);
        self.rating_plot(&mut page);
        if self.standings.len() > 2 {
            self.cross_table_html(&mut page);
        }
        self.duel_table(&mut page);
        self.forfeit_list(&mut page);
        self.claim_list(&mut page);
        self.replay(&mut page);
        self.condition_list(&mut page);
        page + "</body></html>\n"
    }

    fn condition_list(&self, page: &mut String) {
        *page += "<section><h2>How it was played</h2><dl>";
        for Condition { name, text } in &self.conditions {
            let _ = write!(page, "<dt>{name}</dt><dd>{}</dd>", escape(text));
        }
        if let Some(date) = &self.date {
            let _ = write!(page, "<dt>Date</dt><dd>{date}</dd>");
        }
        let _ = writeln!(
            page,
            "<dt>First to move</dt><dd>scored {}</dd></dl></section>",
            report::percent(self.first_side)
        );
    }

    fn standings_table(&self, page: &mut String) {
        let has_forfeits = self.forfeits().next().is_some();
        let has_usage = self.standings.iter().any(|s| s.usage.is_some());
        *page += "<section><h2>Standings</h2><table><tr><th>#<th class=\"name\">player<th>points";
        for (_, tie_break) in self.shown_tie_breaks() {
            let _ = write!(page, "<th>{}", tie_break.name());
        }
        *page += "<th>+ = −<th>score<th>as first<th>as second<th>Elo<th>slowest move";
        *page += if has_forfeits { "<th>forfeits" } else { "" };
        *page += if has_usage { "<th>CPU time<th>memory<th>latency" } else { "" };
        *page += "</tr>\n";
        for s in &self.standings {
            let [all, first, second] = [s.all, s.sides[0], s.sides[1]].map(report::percent);
            let _ = write!(
                page,
                "<tr><td>{}<td class=\"name\">{}<td><b>{}</b>",
                s.rank,
                escape(&s.name),
                s.points
            );
            for (place, _) in self.shown_tie_breaks() {
                let _ = write!(page, "<td>{}", s.tie_breaks[place]);
            }
            let (games, rating) = (report::cell(s.all), report::rating(s));
            let _ = write!(
                page,
                "<td>{games}<td>{all}<td>{first}<td>{second}<td>{rating}<td>{} ms",
                s.slowest_ms
            );
            if has_forfeits {
                let _ = write!(page, "<td>{}", s.forfeits);
            }
            if has_usage {
                let (cpu, memory) = s.usage.map_or((String::new(), String::new()), |usage| {
                    let cpu = format!("{:.2} s", usage.cpu_ms as f64 / 1e3);
                    (cpu, format!("{:.1} MiB", usage.peak_kb as f64 / 1024.0))
                });
                let _ = write!(page, "<td>{cpu}<td>{memory}<td>{}", report::latency(s));
            }
            *page += "</tr>\n";
        }
        *page += "</table></section>\n";
    }

    /// Renders a dot for each rating with the line of its 95 % interval, above an axis. Lengths are percentages, so that
    /// the plot is as wide as the window.
    fn rating_plot(&self, page: &mut String) {
        let bounds =
            self.standings.iter().map(|s| (s.rating.elo - s.rating.error, s.rating.elo + s.rating.error));
        let (low, high) =
            bounds.fold((0.0f64, 0.0f64), |(low, high), (from, to)| (low.min(from), high.max(to)));
        let step = tick_step(high - low);
        let (low, high) = ((low / step).floor() * step, (high / step).ceil() * step);
        // The labels of the first and the last tick need some room.
        let x = |elo: f64| 7.0 + 86.0 * (elo - low) / (high - low).max(1.0);
        let ticks: Vec<_> = (0..=((high - low) / step).round() as u32)
            .map(|tick| low + f64::from(tick) * step)
            .map(|elo| (elo, x(elo)))
            .collect();
        *page += "<section><h2>Ratings in Elo, with 95 % intervals</h2><table class=\"plot\">\n";
        for s in &self.standings {
            let (elo, error) = (s.rating.elo, s.rating.error);
            let _ = write!(
                page,
                "<tr><td class=\"name\">{}<td><svg role=\"img\" aria-label=\"{elo:+.0} ± {error:.0}\">",
                escape(&excerpt(&s.name)),
            );
            for (_, x) in &ticks {
                let _ = write!(page, "<line class=\"rule\" x1=\"{x:.1}%\" x2=\"{x:.1}%\" y2=\"26\"/>");
            }
            let _ = writeln!(
                page,
                "<line class=\"reach\" x1=\"{:.1}%\" x2=\"{:.1}%\" y1=\"13\" y2=\"13\"/><circle class=\"dot\" cx=\"{:.1}%\" cy=\"13\" r=\"6\"><title>{elo:+.0} ± {error:.0}</title></circle></svg></tr>",
                x(elo - error),
                x(elo + error),
                x(elo)
            );
        }
        *page += "<tr><td><td><svg aria-hidden=\"true\">";
        for (elo, x) in &ticks {
            let _ = write!(
                page,
                "<text class=\"tick\" x=\"{x:.1}%\" y=\"15\" text-anchor=\"middle\">{elo:+.0}</text>"
            );
        }
        *page += "</svg></tr></table></section>\n";
    }

    /// Renders the bracket of a knockout: a column for each stage, each match beside the two before it.
    fn bracket_html(&self, page: &mut String) {
        let Some(first) = self.bracket.first() else { return };
        *page += "<section><h2>Bracket</h2><table class=\"bracket\"><tr>";
        for stage in &self.bracket {
            let _ = write!(page, "<th class=\"name\">{}", report::stage_name(stage.len()));
        }
        *page += "</tr>\n";
        for row in 0..first.len() {
            *page += "<tr>";
            for (k, stage) in self.bracket.iter().enumerate().filter(|(k, _)| row.is_multiple_of(1 << k)) {
                let bold = |name: &str| format!("<b>{}</b>", escape(name));
                let shown = self.bracket_match(&stage[row >> k], &bold, &escape);
                let _ = write!(page, "<td rowspan=\"{}\">{shown}", 1 << k);
            }
            *page += "</tr>\n";
        }
        *page += "</table></section>\n";
    }

    fn cross_table_html(&self, page: &mut String) {
        let class = if self.standings.len() > DENSE { " class=\"dense\"" } else { "" };
        let _ = write!(
            page,
            "<section><h2>Won, drawn and lost against each other</h2><table{class}><tr><th>#<th class=\"name\">player"
        );
        for i in 1..=self.standings.len() {
            let _ = write!(page, "<th>{i}");
        }
        *page += "</tr>\n";
        for (i, (s, row)) in self.standings.iter().zip(&self.cross_table).enumerate() {
            let _ = write!(page, "<tr><td>{}<td class=\"name\">{}", i + 1, escape(&s.name));
            for tally in row {
                let _ = write!(page, "<td>{}", report::cell(*tally));
            }
            *page += "</tr>\n";
        }
        *page += "</table></section>\n";
    }

    fn duel_table(&self, page: &mut String) {
        *page += "<section><h2>Differences in strength</h2><table><tr><th class=\"name\">player<th class=\"name\">opponent<th>pairs of 0 ½ 1 1½ 2 points<th>Elo<th>95 %<th>LOS</tr>\n";
        for duel in &self.duels {
            let [a, b] = duel.players.each_ref().map(|name| escape(name));
            let pairs = duel.pairs.0.map(|count| count.to_string()).join(" ");
            let (elo, interval, superiority) = report::elo_texts(duel.elo);
            let _ = writeln!(
                page,
                "<tr><td class=\"name\">{a}<td class=\"name\">{b}<td>{pairs}<td>{elo}<td>{interval}<td>{superiority}</tr>"
            );
        }
        *page += "</table></section>\n";
    }

    fn forfeit_list(&self, page: &mut String) {
        if self.forfeits().next().is_none() {
            return;
        }
        *page += "<section><h2>Forfeits</h2><ul>\n";
        for (number, record) in (1..).zip(&self.games) {
            let Some((loser, reason)) = report::forfeit(record) else { continue };
            let [first, second] = record.players.each_ref().map(|name| escape(name));
            let _ = writeln!(
                page,
                "<li><a href=\"#game-{number}\">{first} – {second}</a>: {} {}</li>",
                escape(loser),
                escape(&reason)
            );
        }
        *page += "</ul></section>\n";
    }

    fn claim_list(&self, page: &mut String) {
        if self.wrong_claims.is_empty() {
            return;
        }
        *page += "<section><h2>Wrong announcements</h2><ul>\n";
        for (claim, sentence) in self.wrong_announcements() {
            let number =
                1 + self.games.iter().position(|record| record.slot == claim.slot).unwrap_or_default();
            let text = escape(&sentence);
            let _ = writeln!(page, "<li><a href=\"#game-{number}\">{}</a>: {text}</li>", claim.slot);
        }
        *page += "</ul></section>\n";
    }

    fn replay(&self, page: &mut String) {
        *page += "<section><h2>Games</h2><div id=\"replay\"><svg id=\"board\" role=\"img\" aria-label=\"The position; the moves are listed beside it\"></svg><div><p><select id=\"pick\" aria-label=\"Game\">";
        let rounds = self.games.iter().any(|record| record.slot.round > 0);
        for (i, record) in self.games.iter().enumerate() {
            let [first, second] = record.players.each_ref().map(|name| escape(name));
            let round = if rounds { format!("round {}: ", record.slot.round + 1) } else { String::new() };
            let _ =
                write!(page, "<option value=\"{i}\">{}. {round}{first} – {second} {}", i + 1, record.result);
        }
        *page += "</select></p><p id=\"title\"></p><p class=\"row\"><button id=\"start\">Start</button><button id=\"back\">Back</button><button id=\"forward\">Forward</button><button id=\"end\">End</button> <span id=\"where\" class=\"muted\"></span></p><p><code id=\"text\"></code></p></div></div></section>\n<script type=\"application/json\" id=\"games\">";
        let games: Vec<_> = self.games.iter().map(replayed).collect();
        // A player's name containing a tag must not close the script element.
        let games = serde_json::to_string(&games).expect("games are text").replace('<', "\\u003c");
        let _ = write!(page, "{games}</script>\n<script>\n{SCRIPT}</script>\n");
    }
}

/// A round distance between ticks that gives an axis about six of them.
fn tick_step(span: f64) -> f64 {
    let rough = (span / 6.0).max(1.0);
    let power = 10f64.powf(rough.log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|times| times * power).find(|&step| step >= rough).unwrap_or(rough)
}

/// Encodes a game as the pieces of its start and, for each move, the cells that it changed, in reading order.
fn replayed(record: &Record) -> Value {
    let mut game = AnyGame::from(record.spec);
    // An edited journal may contain illegal moves; the replay ends before them.
    let started = record.position.as_ref().is_none_or(|position| game.set_position(position).is_ok());
    let mut before = game.view().cells;
    let start: Vec<_> =
        before.iter().enumerate().filter_map(|(i, piece)| Some(json!([i, drawn((*piece)?)]))).collect();
    let mut moves = Vec::new();
    for m in record.moves.split_whitespace().take_while(|_| started) {
        if game.play(m).is_err() {
            break;
        }
        let now = game.view().cells;
        let mut step = vec![json!(m)];
        let changed = now.iter().enumerate().filter(|&(i, piece)| before[i] != *piece);
        step.extend(changed.map(|(i, piece)| json!([i, piece.map(drawn)])));
        moves.push(step);
        before = now;
    }
    let view = game.view();
    let number = |cell: &rules::Cell| {
        usize::from(view.rows - 1 - cell.row) * usize::from(view.cols) + usize::from(cell.column)
    };
    json!({
        "first": record.players[0],
        "second": record.players[1],
        "result": record.result,
        "forfeit": record.forfeit.as_ref().map(ToString::to_string),
        "adjudicated": record.adjudicated.map(|rule| rule.to_string()),
        "rows": view.rows,
        "cols": view.cols,
        "style": game.info().cells,
        "numbered": game.info().coordinates == Coordinates::Columns,
        "start": start,
        "moves": moves,
        "said": record.evaluations.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "line": view.line.iter().flatten().map(number).collect::<Vec<_>>(),
    })
}

/// Encodes a piece for the script: `1rook` is a rook of the first side.
fn drawn(piece: Piece) -> String {
    format!("{}{}", if piece.side == Side::First { 1 } else { 2 }, piece.kind.id())
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
