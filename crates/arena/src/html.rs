//! The report as one self-contained HTML page: tables, a plot of the ratings, and every game for replay. The
//! page has no rules: the data lists the cells that each move changed.

use std::fmt::Write;

use rules::AnyGame;

use crate::{
    Record,
    report::{self, Report, SprtResult},
};

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;\
color:#1b1b1b;background:#fff}table{border-collapse:collapse;margin:1rem 0}th,td{padding:.25rem .7rem;\
border-bottom:1px solid #ccc;text-align:right;white-space:nowrap}th:nth-child(2),td:nth-child(2),td.name,th.name{text-align:left}\
.wide{overflow-x:auto}#board{border-collapse:collapse;display:inline-table}#board td{width:2rem;height:2rem;\
border:1px solid #999;text-align:center;font:1.2rem monospace;padding:0}#board td.new{background:#ffe680}\
button,select{font:inherit;padding:.2rem .6rem}@media(prefers-color-scheme:dark){body{color:#eee;background:#181818}\
#board td.new{background:#665500}svg text{fill:#eee}}";

/// Draws a board from its initial cells and the changes of each move.
const SCRIPT: &str = r#"
const games=JSON.parse(document.getElementById('games').textContent);
const $=id=>document.getElementById(id);let game=0,ply=0;
function draw(){const g=games[game];ply=Math.max(0,Math.min(ply,g.moves.length));
 const cells=[...g.start],changed=new Set;
 g.moves.slice(0,ply).forEach(([,...changes],i)=>{for(const[at,now]of changes){cells[at]=now;
  if(i==ply-1)changed.add(at)}});
 const rows=[];for(let r=0;r<cells.length;r+=g.columns){const tr=document.createElement('tr');
  for(let i=r;i<r+g.columns;i++){const td=document.createElement('td');
   td.textContent=cells[i]=='.'?'':cells[i];if(changed.has(i))td.className='new';tr.append(td)}rows.push(tr)}
 $('board').replaceChildren(...rows);
 $('where').textContent=`${ply} / ${g.moves.length}`+(ply?` — ${g.moves[ply-1][0]}`:'');
 $('title').textContent=`${g.first} – ${g.second}: ${g.result}`+(g.forfeit?` (${g.forfeit})`:'');
 $('text').textContent=g.moves.slice(0,ply).map(m=>m[0]).join(' ')}
function show(n){game=+n;ply=0;$('pick').value=n;draw()}
function step(n){ply+=n;draw()}
$('pick').onchange=e=>show(e.target.value);
document.onkeydown=e=>{const n={ArrowLeft:-1,ArrowRight:1,Home:-1e9,End:1e9}[e.key];
 if(n&&e.target.tagName!='SELECT'){step(n);e.preventDefault()}};
if(games.length)show(0);
"#;

impl Report {
    /// The page.
    #[must_use]
    pub fn html(&self) -> String {
        let mut page = String::from("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n");
        let name = escape(&self.name);
        let _ = write!(
            page,
            "<meta name=\"viewport\" content=\"width=device-width\"><title>{name}</title>\n<style>{STYLE}</style></head><body>\n<h1>{name}</h1>\n<p>{}, {} games, {}. The first player scored {}.</p>\n",
            escape(&self.game),
            self.games.len(),
            escape(&self.state),
            report::percent(self.first_side)
        );
        for sentence in self.sprt.iter().map(SprtResult::sentence).chain(self.repetitions()) {
            let _ = writeln!(page, "<p>{}</p>", escape(&sentence));
        }
        self.standings_table(&mut page);
        self.rating_plot(&mut page);
        self.cross_table_html(&mut page);
        self.duel_table(&mut page);
        self.forfeit_list(&mut page);
        self.replay(&mut page);
        page + "</body></html>\n"
    }

    fn standings_table(&self, page: &mut String) {
        *page += "<h2>Standings</h2><div class=\"wide\"><table><tr><th>#<th>player<th>points<th>+<th>=<th>−<th>score<th>as first<th>as second<th>Elo<th>forfeits<th>slowest move<th>CPU time<th>memory</tr>\n";
        for s in &self.standings {
            let [all, first, second] = [s.all, s.sides[0], s.sides[1]].map(report::percent);
            let (cpu, memory) = s.usage.map_or((String::new(), String::new()), |usage| {
                let cpu = format!("{:.2} s", usage.cpu_ms as f64 / 1e3);
                (cpu, format!("{:.1} MiB", usage.peak_kb as f64 / 1024.0))
            });
            let _ = writeln!(
                page,
                "<tr><td>{}<td>{}<td>{}<td>{}<td>{}<td>{}<td>{all}<td>{first}<td>{second}<td>{}<td>{}<td>{} ms<td>{cpu}<td>{memory}</tr>",
                s.rank,
                escape(&s.name),
                s.points,
                s.all.wins,
                s.all.draws,
                s.all.losses,
                report::rating(s),
                s.forfeits,
                s.slowest_ms
            );
        }
        *page += "</table></div>\n";
    }

    /// A dot for each rating with the line of its 95 % interval.
    fn rating_plot(&self, page: &mut String) {
        let bounds =
            self.standings.iter().map(|s| (s.rating.elo - s.rating.error, s.rating.elo + s.rating.error));
        let (low, high) =
            bounds.fold((0.0f64, 0.0f64), |(low, high), (from, to)| (low.min(from), high.max(to)));
        let width = (high - low).max(1.0);
        let x = |elo: f64| 200.0 + 560.0 * (elo - low) / width;
        let height = 24 * self.standings.len() + 30;
        let _ = writeln!(
            page,
            "<h2>Ratings</h2><svg viewBox=\"0 0 800 {height}\" role=\"img\" aria-label=\"Ratings with 95 % intervals\" font-family=\"sans-serif\" font-size=\"13\">"
        );
        let _ = writeln!(
            page,
            "<line x1=\"{0:.1}\" x2=\"{0:.1}\" y1=\"4\" y2=\"{1}\" stroke=\"#888\" stroke-dasharray=\"3\"/><text x=\"{0:.1}\" y=\"{2}\" text-anchor=\"middle\">0</text>",
            x(0.0),
            height - 24,
            height - 8
        );
        for (i, s) in self.standings.iter().enumerate() {
            let y = 24 * i + 16;
            let (elo, error) = (s.rating.elo, s.rating.error);
            let _ = writeln!(
                page,
                "<text x=\"190\" y=\"{}\" text-anchor=\"end\">{}</text><line x1=\"{:.1}\" x2=\"{:.1}\" y1=\"{y}\" y2=\"{y}\" stroke=\"#0072b2\" stroke-width=\"2\"/><circle cx=\"{:.1}\" cy=\"{y}\" r=\"5\" fill=\"#0072b2\"><title>{elo:+.0} ± {error:.0}</title></circle>",
                y + 4,
                escape(&s.name),
                x(elo - error),
                x(elo + error),
                x(elo)
            );
        }
        *page += "</svg>\n";
    }

    fn cross_table_html(&self, page: &mut String) {
        *page += "<h2>Cross-table</h2><p>Won, drawn, lost.</p><div class=\"wide\"><table><tr><th>#<th>player";
        for i in 1..=self.standings.len() {
            let _ = write!(page, "<th>{i}");
        }
        *page += "</tr>\n";
        for (i, (s, row)) in self.standings.iter().zip(&self.cross_table).enumerate() {
            let _ = write!(page, "<tr><td>{}<td>{}", i + 1, escape(&s.name));
            for tally in row {
                let _ = write!(page, "<td>{}", report::cell(*tally));
            }
            *page += "</tr>\n";
        }
        *page += "</table></div>\n";
    }

    fn duel_table(&self, page: &mut String) {
        *page += "<h2>Differences in strength</h2><div class=\"wide\"><table><tr><th class=\"name\">player<th>opponent<th>pairs of 0 ½ 1 1½ 2 points<th>Elo<th>95 %<th>LOS</tr>\n";
        for duel in &self.duels {
            let [a, b] = duel.players.each_ref().map(|name| escape(name));
            let pairs = duel.pairs.0.map(|count| count.to_string()).join(" ");
            let (elo, interval, superiority) = report::elo_texts(duel.elo);
            let _ = writeln!(
                page,
                "<tr><td class=\"name\">{a}<td>{b}<td>{pairs}<td>{elo}<td>{interval}<td>{superiority}</tr>"
            );
        }
        *page += "</table></div>\n";
    }

    fn forfeit_list(&self, page: &mut String) {
        if self.forfeits().next().is_none() {
            return;
        }
        *page += "<h2>Forfeits</h2><ul>\n";
        for (record, loser, reason) in self.forfeits() {
            let [first, second] = record.players.each_ref().map(|name| escape(name));
            let _ = writeln!(page, "<li>{first} – {second}: {} {}</li>", escape(loser), escape(&reason));
        }
        *page += "</ul>\n";
    }

    fn replay(&self, page: &mut String) {
        *page += "<h2>Games</h2>\n<p><select id=\"pick\" aria-label=\"Game\">";
        for (i, record) in self.games.iter().enumerate() {
            let [first, second] = record.players.each_ref().map(|name| escape(name));
            let _ = write!(page, "<option value=\"{i}\">{}. {first} – {second} {}", i + 1, record.result);
        }
        *page += "</select> <button onclick=\"step(-1e9)\">first</button> <button onclick=\"step(-1)\">back</button> <button onclick=\"step(1)\">forward</button> <button onclick=\"step(1e9)\">last</button> <span id=\"where\"></span></p>\n<p id=\"title\"></p><table id=\"board\" aria-hidden=\"true\"></table><p><code id=\"text\"></code></p>\n<script type=\"application/json\" id=\"games\">";
        let games: Vec<_> = self.games.iter().map(replayed).collect();
        // A player's name containing a tag must not close the script element.
        let games = serde_json::to_string(&games).expect("games are text").replace('<', "\\u003c");
        let _ = write!(page, "{games}</script>\n<script>{SCRIPT}</script>\n");
    }
}

/// A game as its initial cells and, for each move, the cells that it changed.
fn replayed(record: &Record) -> serde_json::Value {
    let mut game = AnyGame::from(record.spec);
    // An edited journal may contain illegal moves; the replay ends before them.
    let started = record.position.as_ref().is_none_or(|position| game.set_position(position).is_ok());
    let start = cells(&game);
    let mut before = start.clone();
    let mut moves = Vec::new();
    for m in record.moves.split_whitespace().take_while(|_| started) {
        if game.play(m).is_err() {
            break;
        }
        let now = cells(&game);
        let mut step = vec![serde_json::json!(m)];
        let changed = now.iter().enumerate().filter(|&(i, c)| before[i] != *c);
        step.extend(changed.map(|(i, c)| serde_json::json!([i, c])));
        moves.push(step);
        before = now;
    }
    serde_json::json!({
        "first": record.players[0],
        "second": record.players[1],
        "result": record.result,
        "forfeit": record.forfeit.as_ref().map(ToString::to_string),
        "columns": game.view().cols,
        "start": start.iter().collect::<String>(),
        "moves": moves,
    })
}

/// The cells of a position in reading order, a dot for an empty one.
fn cells(game: &AnyGame) -> Vec<char> {
    let position = game.position();
    let board = position.split([' ', '[']).next().unwrap_or_default();
    let (mut cells, mut empty) = (Vec::new(), 0);
    for c in board.chars().chain(['/']) {
        if let Some(digit) = c.to_digit(10) {
            empty = 10 * empty + digit as usize;
            continue;
        }
        cells.extend(std::iter::repeat_n('.', std::mem::take(&mut empty)));
        cells.extend((c != '/').then_some(c));
    }
    cells
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
