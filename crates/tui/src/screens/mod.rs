//! The screens: each draws itself, and decides where a key or a click leads.

mod game;
mod home;
mod improve;
mod kept;
mod lobby;
mod rows;
mod settings;
mod setup;
mod tables;
mod tournament;
mod tournaments;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::{Position, Rect};

use self::improve::following;
pub(crate) use self::{
    game::GameScreen, home::Home, improve::Improve, kept::KeptGames, lobby::Lobby, settings::SettingsScreen,
    setup::Setup, tables::Tables, tournament::Tournament, tournaments::Tournaments,
};
use crate::context::{Canvas, Context, Hit};

/// A request of a screen.
pub(crate) enum Go {
    Stay,
    /// To the screen before.
    Back,
    Quit,
    /// To a further screen.
    Open(Box<Screen>),
    /// Replaces this screen with another one.
    Replace(Box<Screen>),
    /// To a table of the server of this screen, as soon as it has answered.
    Table(String),
}

impl Go {
    pub(crate) fn open(screen: Screen) -> Self {
        Self::Open(Box::new(screen))
    }
}

pub(crate) enum Screen {
    Home(Home),
    Setup(Box<Setup>),
    Game(Box<GameScreen>),
    Kept(KeptGames),
    Improve(Box<Improve>),
    Lobby(Box<Lobby>),
    Tables(Box<Tables>),
    Tournament(Box<Tournament>),
    Tournaments(Box<Tournaments>),
    Settings(SettingsScreen),
}

impl Screen {
    pub(crate) fn draw(&self, cx: &Context, area: Rect, canvas: &mut Canvas) {
        match self {
            Self::Home(screen) => screen.draw(cx, area, canvas),
            Self::Setup(screen) => screen.draw(cx, area, canvas),
            Self::Game(screen) => screen.draw(cx, area, canvas),
            Self::Kept(screen) => screen.draw(cx, area, canvas),
            Self::Improve(screen) => screen.draw(cx, area, canvas),
            Self::Lobby(screen) => screen.draw(cx, area, canvas),
            Self::Tables(screen) => screen.draw(cx, area, canvas),
            Self::Tournament(screen) => screen.draw(cx, area, canvas),
            Self::Tournaments(screen) => screen.draw(cx, area, canvas),
            Self::Settings(screen) => screen.draw(cx, area, canvas),
        }
    }

    pub(crate) fn key(&mut self, key: KeyEvent, cx: &mut Context) -> Go {
        match self {
            Self::Home(screen) => screen.key(key, cx),
            Self::Setup(screen) => screen.key(key, cx),
            Self::Game(screen) => screen.key(key, cx),
            Self::Kept(screen) => screen.key(key, cx),
            Self::Improve(screen) => screen.key(key, cx),
            Self::Lobby(screen) => screen.key(key, cx),
            Self::Tables(screen) => screen.key(key, cx),
            Self::Tournament(screen) => screen.key(key, cx),
            Self::Tournaments(screen) => screen.key(key),
            Self::Settings(screen) => screen.key(key, cx),
        }
    }

    pub(crate) fn click(&mut self, hit: Hit, at: Position, cx: &mut Context) -> Go {
        match (self, hit) {
            (Self::Game(screen), hit) => screen.click(hit, at, cx),
            (screen, Hit::Key(code)) => screen.key(KeyEvent::new(code, KeyModifiers::NONE), cx),
            (screen, Hit::Row(row)) => {
                match screen {
                    Self::Home(screen) => screen.select(row),
                    Self::Setup(screen) => screen.select(row),
                    Self::Kept(screen) => screen.select(row),
                    Self::Improve(screen) => screen.select(row),
                    Self::Lobby(screen) => screen.select(row),
                    Self::Tables(screen) => screen.select(row),
                    Self::Tournament(screen) => screen.select(row),
                    Self::Tournaments(screen) => screen.select(row),
                    Self::Settings(screen) => screen.select(row),
                    Self::Game(_) => {}
                }
                screen.key(KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE), cx)
            }
            _ => Go::Stay,
        }
    }
}

/// Draws the title bar of a screen; returns the area between it and the bar of keys.
pub(crate) fn frame(cx: &Context, area: Rect, title: &str, canvas: &mut Canvas) -> Rect {
    let palette = cx.palette();
    canvas.fill(Rect { height: 1.min(area.height), ..area }, palette.bar());
    let style = palette.key().add_modifier(ratatui::style::Modifier::BOLD);
    let x = canvas.put(area.x + 1, area.y, area.right(), "Alinea", style);
    canvas.put(x + 2, area.y, area.right(), title, palette.bar());
    Rect::new(area.x, area.y + 1, area.width, area.height.saturating_sub(2))
}

/// The next item of a list; after the last one, the first.
pub(crate) fn step(at: usize, by: isize, count: usize) -> usize {
    if count == 0 { 0 } else { (at as isize + by).rem_euclid(count as isize) as usize }
}

/// The first visible row of a list, such that the chosen row is visible.
pub(crate) fn scrolled(chosen: usize, rows: usize) -> usize {
    (chosen + 1).saturating_sub(rows.max(1))
}
