//! A tournament to watch: its standings, its pairings, and its games. A board in play opens as for any spectator; the
//! games of programs, which have no tables, are shown here while they last and can be studied afterwards.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use crossterm::event::{KeyCode, KeyEvent};
use protocol::{TableSummary, TournamentGame, TournamentPhase, TournamentResult};
use ratatui::{layout::Rect, style::Style};
use rules::{Side, Spec};
use sentences::{clock_face, clock_text, format_text, occupant_name, points_text};

use super::{
    GameScreen, Go, Screen, frame,
    rows::{ListRow, draw_list, joined, pair, shortened},
    step,
    tournaments::{phase_text, players_text, title_of},
};
use crate::{
    board::Board,
    context::{Canvas, Context, Hit},
    online::{Client, Failure, Watched, Work},
    text::{width, wrap},
    theme::Glyphs,
};

/// From this width on, standings and games are side by side.
const TWO_PARTS: u16 = 76;
/// From this height of a list on, the chosen game's board is below it.
const WITH_BOARD: u16 = 22;
/// The columns that a name has at least, before further columns of the standings are shown.
const LEAST_NAME: u16 = 14;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    Standings,
    Games,
}

/// What a game opens.
enum Target {
    /// A table of the server.
    Table(String),
    /// A game of programs in progress.
    Board,
    /// A finished game of programs: its position and its moves.
    Record(Option<String>, String),
    /// The games before the first one of the list.
    Earlier,
}

struct Item {
    /// The number of the game; games of programs in progress have none.
    number: Option<usize>,
    /// The title of its group.
    group: String,
    names: [String; 2],
    players: Option<[usize; 2]>,
    result: Option<TournamentResult>,
    /// The board, if the game is in progress.
    board: Option<TableSummary>,
    target: Target,
}

impl Item {
    fn is_same(&self, other: &Self) -> bool {
        match (self.number, other.number) {
            (None, None) => self.names == other.names,
            (own, others) => own == others,
        }
    }
}

pub(crate) struct Tournament {
    client: Arc<Client>,
    id: String,
    work: Work,
    /// The request for earlier games.
    more: Option<Work>,
    watched: Option<Watched>,
    /// Games before those of the view.
    earlier: Vec<TournamentGame>,
    /// The list of games, made from the others.
    items: Vec<Item>,
    part: Part,
    player: usize,
    game: usize,
    /// Whether the chosen board fills the screen.
    is_large: bool,
    message: Option<String>,
}

impl Tournament {
    pub(crate) fn new(client: &Arc<Client>, id: &str) -> Self {
        Self {
            client: client.clone(),
            id: id.to_owned(),
            work: client.follow_tournament(id),
            more: None,
            watched: None,
            earlier: Vec::new(),
            items: Vec::new(),
            part: Part::Games,
            player: 0,
            game: 0,
            is_large: false,
            message: None,
        }
    }

    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    pub(crate) fn client(&self) -> &Arc<Client> {
        &self.client
    }

    /// Applies the state of the tournament.
    pub(crate) fn told(&mut self, told: Result<Box<Watched>, Failure>, cx: &Context) {
        match told {
            Ok(watched) => {
                self.message = None;
                if self.watched.is_none() && watched.view.games.is_empty() && watched.boards.is_empty() {
                    self.part = Part::Standings;
                }
                self.watched = Some(*watched);
                self.list(cx);
            }
            Err(failure) => self.failed(&failure, cx),
        }
    }

    /// Adds games before those that are known.
    pub(crate) fn told_earlier(&mut self, told: Result<Vec<TournamentGame>, Failure>, cx: &Context) {
        match told {
            Ok(mut games) => {
                games.append(&mut self.earlier);
                self.earlier = games;
                self.list(cx);
            }
            Err(failure) => self.failed(&failure, cx),
        }
    }

    pub(crate) fn failed(&mut self, failure: &Failure, cx: &Context) {
        self.message = Some(failure.text(&cx.words));
    }

    /// When the time that an arena has left shows the next second.
    pub(crate) fn deadline(&self, cx: &Context) -> Option<Instant> {
        let left = self.time_left(cx)?;
        (left > 0).then(|| cx.now + Duration::from_millis(left % 1_000 + 1))
    }

    /// The time in which an arena still pairs new games, in milliseconds.
    fn time_left(&self, cx: &Context) -> Option<u64> {
        let view = &self.watched.as_ref()?.view;
        let people = view.people.as_ref().filter(|_| view.phase == TournamentPhase::Running)?;
        Some(people.ends_at?.saturating_sub(cx.unix_ms()))
    }

    /// The name of a player by number.
    fn name(watched: &Watched, player: usize, cx: &Context) -> String {
        let standing = watched.view.standings.iter().find(|standing| standing.player == player);
        standing.map_or_else(String::new, |standing| occupant_name(&cx.words, &standing.occupant))
    }

    /// Makes the list of games: those in progress first, then finished ones, the latest first.
    fn list(&mut self, cx: &Context) {
        let Some(watched) = &self.watched else { return };
        let words = &cx.words;
        let view = &watched.view;
        let open = words.t("tournament.phase-running");
        let mut items = Vec::new();
        if view.people.is_none() {
            items.extend(watched.boards.iter().map(|board| Item {
                number: None,
                group: open.to_owned(),
                names: board.seats.each_ref().map(|seat| occupant_name(words, seat)),
                players: None,
                result: None,
                board: Some(board.clone()),
                target: Target::Board,
            }));
        }
        let first = view.games.first().map_or(0, |game| game.number);
        let earlier = self.earlier.iter().filter(|game| game.number < first);
        let games: Vec<_> = earlier.chain(&view.games).collect();
        let item = |game: &TournamentGame| {
            let board = |table: &String| watched.boards.iter().find(|board| board.table == *table).cloned();
            let is_open = game.result.is_none();
            Some(Item {
                number: Some(game.number),
                group: match is_open {
                    true => open.to_owned(),
                    false if view.round > 0 => {
                        words.fill("tournament.round", &[("n", &(game.round + 1).to_string())])
                    }
                    false => words.t("tournament.results").to_owned(),
                },
                names: game.players.map(|player| Self::name(watched, player, cx)),
                players: Some(game.players),
                result: game.result,
                board: game.table.as_ref().filter(|_| is_open).and_then(board),
                target: match (&game.table, &game.moves) {
                    (Some(table), _) => Target::Table(table.clone()),
                    (None, Some(moves)) => Target::Record(game.position.clone(), moves.clone()),
                    // A player who had withdrawn: there was no game.
                    (None, None) => Target::Record(None, String::new()),
                },
            })
        };
        items.extend(games.iter().filter(|game| game.result.is_none()).filter_map(|game| item(game)));
        items.extend(games.iter().rev().filter(|game| game.result.is_some()).filter_map(|game| item(game)));
        let oldest = games.first().map_or(0, |game| game.number);
        if view.people.is_none() && oldest > 0 {
            let group = items.last().map_or_else(String::new, |item| item.group.clone());
            items.push(Item {
                number: Some(oldest - 1),
                group,
                names: Default::default(),
                players: None,
                result: None,
                board: None,
                target: Target::Earlier,
            });
        }
        // What was chosen stays chosen.
        let chosen = self.items.get(self.game);
        let found = chosen.and_then(|chosen| items.iter().position(|item| item.is_same(chosen)));
        let has_ended = found.is_none_or(|at| items[at].board.is_none());
        self.is_large &= !has_ended;
        self.game = found.unwrap_or(self.game).min(items.len().saturating_sub(1));
        self.player = self.player.min(view.standings.len().saturating_sub(1));
        self.items = items;
    }

    /// Chooses a row: those of the standings come first, then the games.
    pub(crate) fn select(&mut self, row: usize) {
        let players = self.players();
        if let Some(game) = row.checked_sub(players) {
            (self.part, self.game) = (Part::Games, game.min(self.items.len().saturating_sub(1)));
        } else {
            (self.part, self.player) = (Part::Standings, row);
        }
    }

    fn players(&self) -> usize {
        self.watched.as_ref().map_or(0, |watched| watched.view.standings.len())
    }

    pub(crate) fn key(&mut self, key: KeyEvent, cx: &mut Context) -> Go {
        match key.code {
            KeyCode::Esc | KeyCode::Char('q') if self.is_large => self.is_large = false,
            KeyCode::Esc | KeyCode::Char('q') => return Go::Back,
            KeyCode::Down | KeyCode::Char('j') => self.step(1),
            KeyCode::Up | KeyCode::Char('k') => self.step(-1),
            KeyCode::Tab | KeyCode::BackTab | KeyCode::Left | KeyCode::Right if !self.is_large => {
                self.part = if self.part == Part::Games { Part::Standings } else { Part::Games };
            }
            KeyCode::Enter | KeyCode::Char(' ') if !self.is_large => return self.open(cx),
            KeyCode::Char('r') => self.work = self.client.follow_tournament(&self.id),
            _ => {}
        }
        Go::Stay
    }

    fn step(&mut self, by: isize) {
        match self.part {
            Part::Standings => self.player = step(self.player, by, self.players()),
            Part::Games => {
                self.game = step(self.game, by, self.items.len());
                self.is_large &= self.items.get(self.game).is_some_and(|item| item.board.is_some());
            }
        }
    }

    /// Opens the chosen game; of a player, the one in progress or else the last one.
    fn open(&mut self, cx: &mut Context) -> Go {
        if self.part == Part::Standings {
            let standing = self.watched.as_ref().and_then(|watched| watched.view.standings.get(self.player));
            let Some(standing) = standing else { return Go::Stay };
            let name = occupant_name(&cx.words, &standing.occupant);
            let is_theirs = |item: &Item| match item.players {
                Some(players) => players.contains(&standing.player),
                None => item.names.contains(&name),
            };
            let Some(game) = self.items.iter().position(is_theirs) else { return Go::Stay };
            (self.part, self.game) = (Part::Games, game);
        }
        let (Some(item), Some(watched)) = (self.items.get(self.game), &self.watched) else { return Go::Stay };
        match &item.target {
            Target::Table(table) => return Go::Table(table.clone()),
            Target::Board => self.is_large = true,
            Target::Earlier => {
                let before = item.number.map_or(0, |number| number + 1);
                self.more = Some(self.client.earlier_games(&self.id, before));
            }
            Target::Record(_, moves) if moves.is_empty() => {}
            Target::Record(position, moves) => {
                let game = table::recorded_game(&watched.view.game, position.as_deref(), moves);
                let game = game.map_err(|error| error.message);
                match game.and_then(|game| GameScreen::study(&game, cx)) {
                    Ok(screen) => return Go::open(Screen::Game(Box::new(screen))),
                    Err(why) => self.message = Some(why),
                }
            }
        }
        Go::Stay
    }

    pub(crate) fn draw(&self, cx: &Context, area: Rect, canvas: &mut Canvas) {
        let words = &cx.words;
        let palette = cx.palette();
        let title = self.watched.as_ref().map_or(words.t("nav.tournaments"), |watched| &watched.view.name);
        let title = shortened(cx, title, area.width.saturating_sub(10));
        let inner = frame(cx, area, &title, canvas);
        let mut keys = vec![("q", KeyCode::Char('q'), words.t("tui.back"))];
        if let Some(watched) = &self.watched {
            match self.items.get(self.game).and_then(|item| item.board.as_ref()) {
                Some(board) if self.is_large => self.draw_large(cx, inner, board, canvas),
                _ => {
                    self.draw_parts(cx, inner, watched, canvas);
                    keys.insert(0, ("Enter", KeyCode::Enter, words.t("tui.open")));
                    keys.insert(1, ("Tab", KeyCode::Tab, words.t(self.other_part())));
                }
            }
        }
        let loading = self.watched.is_none().then(|| words.t("link.loading"));
        if let Some(text) = self.message.as_deref().or(loading) {
            let line = Rect { y: inner.bottom().saturating_sub(1), height: 1, ..inner };
            canvas.fill(line, palette.text());
            canvas.put(line.x + 1, line.y, line.right(), text, palette.key());
        }
        canvas.keys(area, palette, &keys);
    }

    fn other_part(&self) -> &'static str {
        match self.part {
            Part::Games => "tournament.standings",
            Part::Standings => "profile.games",
        }
    }

    fn draw_parts(&self, cx: &Context, area: Rect, watched: &Watched, canvas: &mut Canvas) {
        let palette = cx.palette();
        let room = area.width.saturating_sub(2);
        let [about, state] = self.about(cx, watched);
        canvas.put(area.x + 1, area.y, area.right(), &joined(cx, &about, " · ", room), palette.muted());
        canvas.put(area.x + 1, area.y + 1, area.right(), &joined(cx, &state, " · ", room), palette.text());
        let top = area.y + 3;
        let parts = Rect { y: top, height: area.bottom().saturating_sub(top), ..area };
        if area.width >= TWO_PARTS {
            let left = Rect { width: area.width / 2, ..parts };
            let right = Rect { x: area.x + left.width, width: area.width - left.width, ..parts };
            self.draw_part(cx, left, Part::Standings, watched, canvas);
            self.draw_part(cx, right, Part::Games, watched, canvas);
        } else {
            // In a low window the lists begin a line earlier.
            let parts =
                if area.height < 14 { Rect { y: top - 1, height: parts.height + 1, ..parts } } else { parts };
            self.draw_part(cx, parts, self.part, watched, canvas);
        }
    }

    /// What kind of tournament it is, and how far it is.
    fn about(&self, cx: &Context, watched: &Watched) -> [Vec<String>; 2] {
        let words = &cx.words;
        let view = &watched.view;
        let mut about = vec![title_of(words, &view.game), format_text(words, view.format)];
        about.extend(view.people.as_ref().map(|people| clock_text(words, people.clock)));
        about.push(players_text(words, view.standings.len(), view.people.is_none()));
        let mut state = vec![phase_text(words, view.phase).to_owned()];
        if view.round > 0 {
            let n = match view.rounds {
                Some(rounds) => format!("{}/{rounds}", view.round),
                None => view.round.to_string(),
            };
            state.push(words.fill("tournament.round", &[("n", &n)]));
        }
        if let Some(left) = self.time_left(cx) {
            // Whole seconds: the screen is not drawn more often.
            let time = clock_face(words, left.max(10_000)).to_owned();
            let time = if left < 10_000 { format!("0:{:02}", left.div_ceil(1_000)) } else { time };
            state.push(words.fill("tournament.time-left", &[("time", &time)]));
        }
        [about, state]
    }

    fn draw_part(&self, cx: &Context, area: Rect, part: Part, watched: &Watched, canvas: &mut Canvas) {
        if area.height < 2 {
            return;
        }
        let palette = cx.palette();
        let is_chosen = part == self.part;
        let style = if is_chosen { palette.key() } else { palette.muted() };
        let key = if part == Part::Standings { "tournament.standings" } else { "profile.games" };
        let x = canvas.put(area.x + 1, area.y, area.right(), cx.words.t(key), style);
        if !is_chosen {
            canvas.hit(Rect::new(area.x + 1, area.y, x - area.x - 1, 1), Hit::Key(KeyCode::Tab));
        }
        let list = Rect { y: area.y + 1, height: area.height - 1, ..area };
        match part {
            Part::Standings => self.draw_standings(cx, list, watched, canvas),
            Part::Games => self.draw_games(cx, list, canvas),
        }
    }

    fn draw_games(&self, cx: &Context, area: Rect, canvas: &mut Canvas) {
        if self.items.is_empty() {
            return;
        }
        let columns = area.width.saturating_sub(2);
        let rows: Vec<_> = self
            .items
            .iter()
            .enumerate()
            .map(|(at, item)| ListRow {
                heading: (at == 0 || self.items[at - 1].group != item.group).then(|| item.group.clone()),
                text: game_line(item, cx, columns),
                is_muted: item.result.is_some(),
            })
            .collect();
        let chosen = (self.part == Part::Games).then_some(self.game);
        let board = self.items.get(self.game).and_then(|item| item.board.as_ref());
        let board = board.filter(|board| board.view.is_some() && area.height >= WITH_BOARD);
        let below = if board.is_some() { area.height / 2 } else { 0 };
        let list = Rect { height: area.height - below, ..area };
        draw_list(cx, list, canvas, &rows, chosen, self.players());
        if let Some(board) = board {
            let place = Rect::new(area.x + 1, list.bottom() + 1, columns, below.saturating_sub(1));
            draw_board(cx, place, board, false, canvas);
        }
    }

    fn draw_standings(&self, cx: &Context, area: Rect, watched: &Watched, canvas: &mut Canvas) {
        let words = &cx.words;
        let palette = cx.palette();
        let view = &watched.view;
        if view.standings.is_empty() {
            let text = words.count("tournament.entered", 0, &[]);
            for (y, line) in (area.y..area.bottom()).zip(wrap(&text, area.width.saturating_sub(2))) {
                canvas.put(area.x + 1, y, area.right(), &line, palette.muted());
            }
            return;
        }
        let points = |points: f64| points_text(points, cx.settings.glyphs == Glyphs::Ascii);
        // The columns in the order of their importance, each with the place where it is drawn.
        let mut columns = vec![(
            0,
            words.t("tournament.points").to_owned(),
            view.standings.iter().map(|standing| points(standing.points)).collect::<Vec<_>>(),
        )];
        if view.people.is_none() {
            let elo = |elo: Option<[f64; 2]>| {
                elo.map_or_else(String::new, |[elo, error]| format!("{elo:.0} ± {error:.0}"))
            };
            let cells = view.standings.iter().map(|standing| elo(standing.elo)).collect();
            columns.push((8, words.t("tournament.elo").to_owned(), cells));
        }
        for (at, name) in view.tie_breaks.iter().enumerate().filter(|(_, name)| *name != "wins") {
            let key = format!("tournament.tie-{name}");
            let heading = if words.has(&key) { words.t(&key).to_owned() } else { name.clone() };
            let value = |standing: &protocol::TournamentStanding| standing.tie_breaks.get(at).copied();
            let cells = view.standings.iter().map(|it| value(it).map_or_else(String::new, points)).collect();
            columns.push((1 + at, heading, cells));
        }
        let tally = |[won, drawn, lost]: [u32; 3]| format!("{won} – {drawn} – {lost}");
        let cells = view.standings.iter().map(|standing| tally(standing.tally)).collect();
        columns.push((9, words.t("tournament.tally").to_owned(), cells));

        let rank = 2 + view.standings.iter().map(|it| it.rank.to_string().len() as u16).max().unwrap_or(1);
        let mut room = area.width.saturating_sub(rank + 1);
        let mut shown = Vec::new();
        for (place, heading, cells) in columns {
            let wide = 2 + cells.iter().map(|cell| width(cell)).max().unwrap_or(0).max(width(&heading));
            if !shown.is_empty() && room < wide + LEAST_NAME {
                break;
            }
            room = room.saturating_sub(wide);
            shown.push((place, wide, heading, cells));
        }
        shown.sort_by_key(|(place, ..)| *place);

        let line = |canvas: &mut Canvas, y: u16, name: &str, cell: &dyn Fn(usize) -> String, style: Style| {
            canvas.put(area.x + rank, y, area.right(), &shortened(cx, name, room), style);
            let mut right = area.x + rank + room;
            for (at, (_, wide, ..)) in shown.iter().enumerate() {
                right += wide;
                let text = cell(at);
                canvas.put(right.saturating_sub(width(&text)), y, area.right(), &text, style);
            }
        };
        let heading = |at: usize| shown[at].2.clone();
        line(canvas, area.y, words.t("tournament.player"), &heading, palette.muted());
        let list = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
        let first = super::scrolled(self.player, usize::from(list.height));
        let rows = view.standings.iter().enumerate().skip(first);
        for (y, (row, standing)) in (list.y..list.bottom()).zip(rows) {
            let is_chosen = self.part == Part::Standings && row == self.player;
            let style = match () {
                () if is_chosen => palette.chosen(),
                () if standing.withdrawn => palette.muted(),
                () => palette.text(),
            };
            let whole = Rect::new(list.x, y, list.width, 1);
            if is_chosen {
                canvas.fill(whole, style);
            }
            let number = standing.rank.to_string();
            let x = (area.x + rank).saturating_sub(1 + width(&number));
            canvas.put(x, y, area.right(), &number, style);
            let mut name = occupant_name(words, &standing.occupant);
            if standing.withdrawn {
                name = format!("{name} ({})", words.t("tournament.is-withdrawn"));
            }
            line(canvas, y, &name, &|at| shown[at].3[row].clone(), style);
            canvas.hit(whole, Hit::Row(row));
        }
    }

    fn draw_large(&self, cx: &Context, area: Rect, board: &TableSummary, canvas: &mut Canvas) {
        let names = board.seats.each_ref().map(|seat| occupant_name(&cx.words, seat));
        let columns = area.width.saturating_sub(2);
        let moves = cx.words.count("result.moves", board.ply.into(), &[]);
        let text = pair(cx, &names, columns);
        canvas.put(area.x + 1, area.y, area.right(), &text, cx.palette().text());
        // In a low window the board takes the lines of less importance.
        let above = if area.height < 12 { 1 } else { 3 };
        if above == 3 {
            canvas.put(area.x + 1, area.y + 1, area.right(), &moves, cx.palette().muted());
        }
        let place = Rect::new(area.x + 1, area.y + above, columns, area.height.saturating_sub(above));
        draw_board(cx, place, board, true, canvas);
    }
}

/// A game in a list: the result or the number of moves, and the names.
fn game_line(item: &Item, cx: &Context, columns: u16) -> String {
    let words = &cx.words;
    if matches!(item.target, Target::Earlier) {
        return shortened(cx, words.t("tournament.earlier"), columns);
    }
    let half = if cx.settings.glyphs == Glyphs::Ascii { "1/2" } else { "½–½" };
    let (start, end) = match item.result {
        None => {
            let moves = item.board.as_ref().map(|board| words.count("result.moves", board.ply.into(), &[]));
            (String::new(), moves)
        }
        Some(TournamentResult { winner, by }) => {
            let result = match winner {
                Some(Side::First) => "1–0",
                Some(Side::Second) => "0–1",
                None => half,
            };
            let by = serde_json::to_value(by).ok().and_then(|by| by.as_str().map(str::to_owned));
            let by =
                by.filter(|by| by != "play").map(|by| words.t(&format!("tournament.by-{by}")).to_owned());
            (format!("{result}  "), by)
        }
    };
    let room = columns.saturating_sub(width(&start));
    // What follows the names is left out rather than shortening them.
    let names = format!("{} – {}", item.names[0], item.names[1]);
    match end {
        Some(end) if width(&names) + 2 + width(&end) <= room => format!("{start}{names}  {end}"),
        _ => format!("{start}{}", pair(cx, &item.names, room)),
    }
}

fn draw_board(cx: &Context, area: Rect, table: &TableSummary, has_names: bool, canvas: &mut Canvas) {
    let (Some(view), Ok(spec)) = (&table.view, table.game.parse::<Spec>()) else { return };
    let board = Board {
        info: spec.info(),
        view: (**view).clone(),
        palette: cx.palette(),
        glyphs: cx.settings.glyphs,
        flipped: false,
        cursor: None,
        picked: None,
        legal: Vec::new(),
        ghost: None,
        lit: Vec::new(),
        falling: None,
        columns: Vec::new(),
        has_names,
    };
    board.draw(area, canvas.buffer);
}
