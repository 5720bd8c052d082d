//! The first screen: the games as small boards, and everything else to choose.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::{layout::Rect, style::Modifier};
use rules::{AnyGame, GAMES, GameInfo, Spec};
use sentences::title;

use super::{
    GameScreen, Go, Improve, KeptGames, Lobby, Screen, SettingsScreen, Setup, frame, scrolled, step,
};
use crate::{
    board::Board,
    context::{Canvas, Context, Hit},
    online::Address,
    text::wrap,
};

/// The target of a row.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Item {
    Continue,
    Game(&'static GameInfo),
    Online,
    Watch,
    Analyse,
    Kept,
    Improve,
    Settings,
    Quit,
}

pub(crate) struct Home {
    items: Vec<Item>,
    chosen: usize,
    message: Option<String>,
}

impl Home {
    pub(crate) fn new(cx: &Context) -> Self {
        let mut items = Vec::new();
        if cx.keep.current().is_some() {
            items.push(Item::Continue);
        }
        items.extend(GAMES.iter().map(|info| Item::Game(info)));
        items.extend([
            Item::Online,
            Item::Watch,
            Item::Analyse,
            Item::Kept,
            Item::Improve,
            Item::Settings,
            Item::Quit,
        ]);
        Self { items, chosen: 0, message: None }
    }

    /// The screen again, updated with the game that can be continued.
    pub(crate) fn again(&self, cx: &Context) -> Self {
        let chosen = self.items[self.chosen];
        let mut home = Self::new(cx);
        home.chosen = home.items.iter().position(|item| *item == chosen).unwrap_or(0);
        home
    }

    pub(crate) fn select(&mut self, row: usize) {
        self.chosen = row.min(self.items.len() - 1);
    }

    pub(crate) fn key(&mut self, key: KeyEvent, cx: &mut Context) -> Go {
        self.message = None;
        match key.code {
            KeyCode::Down | KeyCode::Right | KeyCode::Tab | KeyCode::Char('j') => {
                self.chosen = step(self.chosen, 1, self.items.len());
            }
            KeyCode::Up | KeyCode::Left | KeyCode::BackTab | KeyCode::Char('k') => {
                self.chosen = step(self.chosen, -1, self.items.len());
            }
            KeyCode::Char(digit @ '1'..='9') => {
                let games = self.items.iter().enumerate().filter(|(_, item)| matches!(item, Item::Game(_)));
                if let Some((row, _)) = games.clone().nth(usize::from(digit as u8 - b'1')) {
                    self.chosen = row;
                    return self.open(cx);
                }
            }
            KeyCode::Enter | KeyCode::Char(' ') => return self.open(cx),
            KeyCode::Char('s') => return Go::open(Screen::Settings(SettingsScreen::new())),
            KeyCode::Char('i') => return Go::open(Screen::Improve(Box::new(Improve::new(cx)))),
            KeyCode::Char('g') => return Go::open(Screen::Kept(KeptGames::new(cx))),
            KeyCode::Esc | KeyCode::Char('q') => return Go::Quit,
            _ => {}
        }
        Go::Stay
    }

    fn game(&self) -> &'static GameInfo {
        match self.items[self.chosen] {
            Item::Game(info) => info,
            // The game that most people know, or the only one.
            _ => GAMES.get(1).unwrap_or(&GAMES[0]),
        }
    }

    fn open(&mut self, cx: &mut Context) -> Go {
        match self.items[self.chosen] {
            Item::Continue => match cx.keep.current() {
                Some(local) => Go::open(Screen::Game(Box::new(GameScreen::resume(local, cx)))),
                None => Go::Stay,
            },
            Item::Game(info) => Go::open(Screen::Setup(Box::new(Setup::new(info, false)))),
            Item::Online => {
                let stored = cx.settings.server.as_deref().and_then(|server| server.parse().ok());
                let address: Address = stored.unwrap_or_default();
                Go::open(Screen::Lobby(Box::new(Lobby::new(&address, cx))))
            }
            Item::Watch => Go::open(Screen::Setup(Box::new(Setup::new(self.game(), true)))),
            Item::Analyse => Go::open(Screen::Setup(Box::new(Setup::analysis(self.game())))),
            Item::Kept => Go::open(Screen::Kept(KeptGames::new(cx))),
            Item::Improve => Go::open(Screen::Improve(Box::new(Improve::new(cx)))),
            Item::Settings => Go::open(Screen::Settings(SettingsScreen::new())),
            Item::Quit => Go::Quit,
        }
    }

    fn text(&self, item: Item, cx: &Context) -> String {
        let words = &cx.words;
        match item {
            Item::Continue => words.t("home.continue").to_owned(),
            Item::Game(info) => title(words, info),
            Item::Online => words.t("tui.online").to_owned(),
            Item::Watch => words.t("opponent.demo").to_owned(),
            Item::Analyse => words.t("nav.analysis").to_owned(),
            Item::Kept => words.t("tui.kept").to_owned(),
            Item::Improve => words.t("nav.improve").to_owned(),
            Item::Settings => words.t("nav.settings").to_owned(),
            Item::Quit => words.t("tui.quit").to_owned(),
        }
    }

    pub(crate) fn draw(&self, cx: &Context, area: Rect, canvas: &mut Canvas) {
        let palette = cx.palette();
        let inner = frame(cx, area, cx.words.t("home.title"), canvas);
        let list_width = if inner.width >= 60 { 30 } else { inner.width };
        let rows = usize::from(inner.height);
        // An empty line before the first, after the games, where there is room.
        let gaps = rows > self.items.len() + 2;
        let first = scrolled(self.chosen, rows);
        let mut y = inner.y + u16::from(gaps);
        for (row, item) in self.items.iter().enumerate().skip(first) {
            if gaps
                && row > 0
                && matches!(self.items[row - 1], Item::Game(_)) != matches!(item, Item::Game(_))
            {
                y += 1;
            }
            if y >= inner.bottom() {
                break;
            }
            let style = if row == self.chosen { palette.chosen() } else { palette.text() };
            let line = Rect::new(inner.x + 1, y, list_width.saturating_sub(2), 1);
            if row == self.chosen {
                canvas.fill(line, style);
            }
            let number = match item {
                Item::Game(info) => {
                    GAMES.iter().position(|game| game.id == info.id).map_or(0, |at| at + 1).to_string()
                }
                _ => " ".to_owned(),
            };
            canvas.put(line.x + 1, y, line.right(), &format!("{number} {}", self.text(*item, cx)), style);
            canvas.hit(line, Hit::Row(row));
            y += 1;
        }
        if inner.width >= 60 {
            let side = Rect::new(
                inner.x + list_width,
                inner.y + 1,
                inner.width - list_width - 1,
                inner.height.saturating_sub(2),
            );
            self.draw_card(cx, side, canvas);
        }
        if let Some(message) = &self.message {
            canvas.put(inner.x + 1, inner.bottom().saturating_sub(1), inner.right(), message, palette.text());
        }
        let t = |key| cx.words.t(key);
        let keys = [
            ("Enter", KeyCode::Enter, t("tui.choose")),
            ("g", KeyCode::Char('g'), t("tui.kept")),
            ("s", KeyCode::Char('s'), t("nav.settings")),
            ("q", KeyCode::Char('q'), t("tui.quit")),
        ];
        canvas.keys(area, palette, &keys);
    }

    /// Draws the chosen game as a small board and a description; for other rows, draws all boards.
    fn draw_card(&self, cx: &Context, area: Rect, canvas: &mut Canvas) {
        let palette = cx.palette();
        let Item::Game(info) = self.items[self.chosen] else {
            self.draw_wall(cx, area, canvas);
            return;
        };
        let y = canvas_title(canvas, cx, area, &title(&cx.words, info));
        let mut y = y;
        let key = format!("about.{}", info.id);
        if cx.words.has(&key) {
            for line in wrap(cx.words.t(&key), area.width) {
                canvas.put(area.x, y, area.right(), &line, palette.muted());
                y += 1;
            }
        }
        y += 1;
        let rest = Rect { y, height: area.bottom().saturating_sub(y), ..area };
        picture(cx, info, rest, canvas);
    }

    fn draw_wall(&self, cx: &Context, area: Rect, canvas: &mut Canvas) {
        let columns = (area.width / 18).max(1);
        let rows = (GAMES.len() as u16).div_ceil(columns);
        let height = area.height / rows.max(1);
        for (index, info) in GAMES.iter().enumerate() {
            let (column, row) = (index as u16 % columns, index as u16 / columns);
            let place = Rect::new(area.x + column * 18, area.y + row * height, 17, height.saturating_sub(1));
            if place.height >= 4 {
                let y = canvas_title(canvas, cx, place, &title(&cx.words, info));
                picture(cx, info, Rect { y, height: place.bottom() - y, ..place }, canvas);
            }
        }
    }
}

fn canvas_title(canvas: &mut Canvas, cx: &Context, area: Rect, text: &str) -> u16 {
    canvas.put(area.x, area.y, area.right(), text, cx.palette().text().add_modifier(Modifier::BOLD));
    area.y + 1
}

/// A small board with some moves of the game.
fn picture(cx: &Context, info: &'static GameInfo, area: Rect, canvas: &mut Canvas) {
    if area.height < 3 {
        return;
    }
    let game = sample(info);
    let board = Board {
        info,
        view: game.view(),
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
        has_names: false,
    };
    board.draw(area, canvas.buffer);
}

/// A fixed sample game: each move is near the middle of the list of legal moves.
fn sample(info: &GameInfo) -> AnyGame {
    let spec: Spec = info.standard.parse().expect("a standard spec is a spec");
    let mut game = AnyGame::from(spec);
    for turn in 0..10 {
        let moves = game.legal_moves();
        let at = moves.len() / 2 + [0, 1, 2, 0, 3, 1, 4, 2, 5, 3][turn] % moves.len().max(1);
        let Some(m) = moves.get(at.min(moves.len().saturating_sub(1))) else { break };
        let mut next = game.clone();
        if next.play(m).is_err() || next.outcome().is_some() {
            break;
        }
        game = next;
    }
    game
}
