//! The application: a stack of screens. `update` handles an event and `draw` draws the screen; neither waits.

use std::{
    sync::{Arc, mpsc::Sender},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use crossterm::event::{
    Event as Input, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use protocol::{ErrorCode, Snapshot};
use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
};
use rules::AnyGame;
use sentences::{Language, Words};

use crate::{
    context::{Canvas, Context, Hit},
    engine::{Engine, MakeProgram},
    event::Event,
    keep::{Keep, Settings},
    local::NewGame,
    online::{Address, Client, Failure, News, Told, Work},
    screens::{GameScreen, Go, Home, Improve, Lobby, Screen, Setup, Tournament},
    text::wrap,
    theme::{Depth, Glyphs, to_ascii},
};

/// The smallest window in which the screen is drawn.
const LEAST: (u16, u16) = (16, 6);

/// Where the application begins.
#[derive(Debug)]
pub enum Start {
    /// The first screen.
    Home,
    /// The set-up of a game.
    Setup(&'static rules::GameInfo),
    /// A game.
    Play(Box<NewGame>),
    /// A position to study.
    Analyse(Box<AnyGame>),
    /// A game to review.
    Review(Box<AnyGame>),
    /// What the reader's games show, and exercises from them.
    Improve,
    /// A server, or a table or tournament of it.
    Online(Address),
}

/// Options of the command line.
pub struct Options {
    /// Where to begin.
    pub start: Start,
    /// The settings, with those of the command line.
    pub settings: Settings,
    /// The language, if it was given.
    pub language: Option<Language>,
    /// The colours of the terminal.
    pub depth: Depth,
    /// Minimum time for a program's move.
    pub pace: Option<Duration>,
    /// The seed of all randomness.
    pub seed: u64,
    /// The folder of games and settings.
    pub keep: Keep,
    /// Makes programs.
    pub make: MakeProgram,
}

/// The application.
pub struct App {
    cx: Context,
    screens: Vec<Screen>,
    /// The table that was requested from a server.
    opening: Option<(String, Arc<Client>, Work)>,
    hits: Vec<(Rect, Hit)>,
    size: Rect,
    is_over: bool,
}

impl App {
    /// Creates the application with its first screen.
    ///
    /// # Errors
    /// If the game to begin with cannot be set up.
    pub fn new(options: Options, events: Sender<Event>, size: Rect) -> Result<Self, String> {
        let stored = options.settings.language.as_deref().and_then(Language::of);
        let language = options.language.or(stored).unwrap_or_else(Language::of_system);
        let started = Instant::now();
        let unix_ms =
            SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64);
        let mut cx = Context {
            words: Words::new(language),
            settings: options.settings,
            depth: options.depth,
            engine: Engine::new(events.clone(), options.make, options.seed),
            events,
            keep: options.keep,
            now: started,
            started: (started, unix_ms),
            pace: options.pace,
            rng: fastrand::Rng::with_seed(options.seed),
            clipboard: None,
        };
        let mut go = Go::Stay;
        let screen = match options.start {
            Start::Home => None,
            Start::Online(address) => {
                let lobby = Lobby::new(&address, &mut cx);
                go = lobby.arrive(&address);
                Some(Screen::Lobby(Box::new(lobby)))
            }
            Start::Improve => Some(Screen::Improve(Box::new(Improve::new(&mut cx)))),
            Start::Setup(info) => Some(Screen::Setup(Box::new(Setup::new(info, false)))),
            Start::Play(new) => Some(Screen::Game(Box::new(GameScreen::start(&new, &mut cx)?))),
            Start::Analyse(game) => Some(Screen::Game(Box::new(GameScreen::study(&game, &mut cx)?))),
            Start::Review(game) => Some(Screen::Game(Box::new(GameScreen::review(&game, &mut cx)?))),
        };
        let mut screens = vec![Screen::Home(Home::new(&cx))];
        screens.extend(screen);
        let mut app = Self { cx, screens, opening: None, hits: Vec::new(), size, is_over: false };
        app.go(go);
        Ok(app)
    }

    /// Whether the person has quit.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Takes the text for the terminal's clipboard, if there is any.
    pub fn take_clipboard(&mut self) -> Option<String> {
        self.cx.clipboard.take()
    }

    /// The next time at which the screen changes without an event.
    #[must_use]
    pub fn deadline(&self) -> Option<Instant> {
        match self.screens.last()? {
            Screen::Game(screen) => screen.deadline(&self.cx),
            Screen::Tournament(screen) => screen.deadline(&self.cx),
            _ => None,
        }
    }

    /// Handles an event; returns whether the screen may have changed.
    pub fn update(&mut self, event: Event, now: Instant) -> bool {
        self.cx.now = now;
        let go = match event {
            Event::Input(Input::Key(key)) => self.key(key),
            Event::Input(Input::Mouse(mouse)) => match self.mouse(mouse) {
                Some(go) => go,
                None => return false,
            },
            Event::Input(Input::Paste(text)) => match self.screens.last_mut() {
                Some(Screen::Game(screen)) => screen.paste(&text, &mut self.cx),
                Some(Screen::Lobby(screen)) => {
                    screen.paste(&text);
                    Go::Stay
                }
                _ => Go::Stay,
            },
            Event::Input(Input::Resize(width, height)) => {
                self.size = Rect::new(0, 0, width, height);
                Go::Stay
            }
            Event::Input(_) => return false,
            Event::Engine { job, answer } => {
                // The game may be under another screen, which does not receive the message.
                match self.screens.last_mut() {
                    Some(Screen::Game(screen)) => screen.answer(job, answer, &mut self.cx),
                    Some(Screen::Improve(screen)) => {
                        screen.answer(job, answer, &mut self.cx);
                        Go::Stay
                    }
                    _ => Go::Stay,
                }
            }
            Event::Online(News(told)) => self.told(told),
            Event::Wake => {
                if let Some(Screen::Game(screen)) = self.screens.last_mut() {
                    screen.wake(&mut self.cx);
                }
                Go::Stay
            }
            Event::Terminate => Go::Quit,
        };
        self.go(go);
        true
    }

    fn key(&mut self, key: KeyEvent) -> Go {
        if key.kind == KeyEventKind::Release {
            return Go::Stay;
        }
        if key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL) {
            return Go::Quit;
        }
        if self.is_too_small() {
            return if matches!(key.code, KeyCode::Char('q') | KeyCode::Esc) { Go::Quit } else { Go::Stay };
        }
        self.screens.last_mut().map_or(Go::Quit, |screen| screen.key(key, &mut self.cx))
    }

    fn mouse(&mut self, mouse: MouseEvent) -> Option<Go> {
        let at = Position::new(mouse.column, mouse.row);
        // The area drawn last is on top.
        let hit = self.hits.iter().rev().find(|(area, _)| area.contains(at)).map(|(_, hit)| *hit);
        let screen = self.screens.last_mut()?;
        match (mouse.kind, hit, screen) {
            (MouseEventKind::Down(MouseButton::Left), Some(hit), screen) => {
                Some(screen.click(hit, at, &mut self.cx))
            }
            (MouseEventKind::Moved, Some(hit), Screen::Game(screen)) => {
                screen.hover(hit, at).then_some(Go::Stay)
            }
            (MouseEventKind::ScrollUp, _, Screen::Game(screen)) => {
                screen.scroll(true, &mut self.cx);
                Some(Go::Stay)
            }
            (MouseEventKind::ScrollDown, _, Screen::Game(screen)) => {
                screen.scroll(false, &mut self.cx);
                Some(Go::Stay)
            }
            _ => None,
        }
    }

    /// Passes a server's message to the screen it concerns, even if another screen is on top.
    fn told(&mut self, told: Told) -> Go {
        let cx = &mut self.cx;
        let count = self.screens.len();
        let mut games = self.screens.iter_mut().enumerate().filter_map(|(at, screen)| match screen {
            Screen::Game(screen) => Some((at, screen)),
            _ => None,
        });
        match told {
            Told::Table(snapshot) => {
                let followed = games.find(|(_, screen)| screen.table_id() == Some(snapshot.table.as_str()));
                if let Some((at, screen)) = followed {
                    let go = screen.told(*snapshot, cx);
                    return if at + 1 == count { go } else { Go::Stay };
                }
                return self.opened(*snapshot);
            }
            Told::Failed(table, failure) => {
                if let Some((_, screen)) = games.find(|(_, screen)| screen.table_id() == Some(table.as_str()))
                {
                    screen.failed(&failure, cx);
                } else {
                    self.opening = None;
                    match self.screens.last_mut() {
                        Some(Screen::Lobby(screen)) => screen.failed(&failure, cx),
                        Some(Screen::Tables(screen)) => screen.failed(&failure, cx),
                        Some(Screen::Tournament(screen)) => screen.failed(&failure, cx),
                        Some(Screen::Game(screen)) => screen.failed(&failure, cx),
                        _ => {}
                    }
                }
            }
            Told::Linked(table, is_linked) => {
                if let Some((_, screen)) = games.find(|(_, screen)| screen.table_id() == Some(table.as_str()))
                {
                    screen.linked(is_linked);
                }
            }
            Told::Listed(listed) => {
                if let Some(Screen::Tables(screen)) = self.screens.last_mut() {
                    screen.told(listed, cx);
                }
            }
            Told::Tournaments(listed) => {
                let screen = self.screens.iter_mut().find_map(|screen| match screen {
                    Screen::Tournaments(screen) => Some(screen),
                    _ => None,
                });
                if let Some(screen) = screen {
                    screen.told(listed, cx);
                }
            }
            Told::Tournament(id, watched) => {
                if let Some(screen) = tournament(&mut self.screens, &id) {
                    screen.told(watched, cx);
                }
            }
            Told::EarlierGames(id, games) => {
                if let Some(screen) = tournament(&mut self.screens, &id) {
                    screen.told_earlier(games, cx);
                }
            }
            told @ (Told::Me(_) | Told::Found(_)) => {
                let lobby = self.screens.iter_mut().find_map(|screen| match screen {
                    Screen::Lobby(screen) => Some(screen),
                    _ => None,
                });
                return lobby.map_or(Go::Stay, |screen| screen.told(told, cx));
            }
        }
        Go::Stay
    }

    /// Opens a requested table; a rematch replaces its game.
    fn opened(&mut self, snapshot: Snapshot) -> Go {
        let Some((_, client, _)) = self.opening.take_if(|(table, ..)| *table == snapshot.table) else {
            return Go::Stay;
        };
        let is_rematch = matches!(self.screens.last(), Some(Screen::Game(_)));
        match GameScreen::online(&client, snapshot, &mut self.cx) {
            Ok(screen) if is_rematch => Go::Replace(Box::new(Screen::Game(Box::new(screen)))),
            Ok(screen) => Go::open(Screen::Game(Box::new(screen))),
            Err(why) => {
                let failure = Failure::Refused(ErrorCode::UnknownGame.because(why));
                match self.screens.last_mut() {
                    Some(Screen::Lobby(screen)) => screen.failed(&failure, &self.cx),
                    Some(Screen::Tables(screen)) => screen.failed(&failure, &self.cx),
                    Some(Screen::Tournament(screen)) => screen.failed(&failure, &self.cx),
                    _ => {}
                }
                Go::Stay
            }
        }
    }

    fn go(&mut self, go: Go) {
        match go {
            Go::Stay => return,
            Go::Table(table) => {
                let client = match self.screens.last() {
                    Some(Screen::Lobby(screen)) => screen.client(),
                    Some(Screen::Tables(screen)) => Some(screen.client()),
                    Some(Screen::Tournament(screen)) => Some(screen.client()),
                    Some(Screen::Game(screen)) => screen.client(),
                    _ => None,
                };
                self.opening = client.map(|client| (table.clone(), client.clone(), client.open(&table)));
                return;
            }
            Go::Quit => self.is_over = true,
            Go::Open(screen) => return self.screens.push(*screen),
            Go::Replace(screen) => {
                self.screens.pop();
                return self.screens.push(*screen);
            }
            Go::Back => {
                if let Some(Screen::Game(mut screen)) = self.screens.pop() {
                    screen.leave(&mut self.cx);
                }
            }
        }
        match self.screens.last_mut() {
            None => self.is_over = true,
            Some(Screen::Home(home)) => *home = home.again(&self.cx),
            Some(Screen::Game(screen)) => screen.return_to(&mut self.cx),
            Some(Screen::Improve(screen)) => screen.refresh(&mut self.cx),
            Some(Screen::Tables(screen)) => screen.ask(),
            Some(Screen::Tournaments(screen)) => screen.ask(),
            Some(_) => {}
        }
    }

    /// The game on the screen, for tests.
    fn game(&self) -> Option<&GameScreen> {
        match self.screens.last()? {
            Screen::Game(screen) => Some(screen),
            _ => None,
        }
    }

    /// The moves that may be made on the screen.
    #[must_use]
    pub fn choices(&self) -> Vec<rules::Choice> {
        self.game().map_or_else(Vec::new, GameScreen::choices)
    }

    /// The moves of the game on the screen.
    #[must_use]
    pub fn moves(&self) -> Vec<String> {
        self.game().map_or_else(Vec::new, GameScreen::moves)
    }

    /// Where the cursor is on the board.
    #[must_use]
    pub fn cursor(&self) -> Option<rules::Cell> {
        self.game().map(GameScreen::cursor)
    }

    /// The piece that is chosen to be placed.
    #[must_use]
    pub fn kind(&self) -> Option<rules::Kind> {
        self.game().and_then(GameScreen::chosen_kind)
    }

    /// Where a cell of the board is on the screen.
    #[must_use]
    pub fn position_of(&self, cell: rules::Cell) -> Option<Position> {
        self.hits.iter().find_map(|(_, hit)| match hit {
            Hit::Board(grid) => grid.position_of(cell),
            _ => None,
        })
    }

    fn is_too_small(&self) -> bool {
        self.size.width < LEAST.0 || self.size.height < LEAST.1
    }

    /// Draws the picture.
    pub fn draw(&mut self, buffer: &mut Buffer, now: Instant) {
        self.cx.now = now;
        self.size = buffer.area;
        let palette = self.cx.palette();
        buffer.set_style(buffer.area, palette.text());
        let area = buffer.area;
        let mut canvas = Canvas { buffer, hits: Vec::new() };
        if self.is_too_small() {
            let text = self.cx.words.t("tui.too-small");
            for (y, line) in (area.y..area.bottom()).zip(wrap(text, area.width)) {
                canvas.put(area.x, y, area.right(), &line, palette.text());
            }
        } else if let Some(screen) = self.screens.last() {
            screen.draw(&self.cx, area, &mut canvas);
        }
        self.hits = canvas.hits;
        if self.cx.settings.glyphs == Glyphs::Ascii {
            for cell in &mut buffer.content {
                if let Some(c) = cell.symbol().chars().next().filter(|c| !c.is_ascii()) {
                    cell.set_char(to_ascii(c));
                }
            }
        }
    }
}

/// The screen of a tournament, even if another screen is on top.
fn tournament<'a>(screens: &'a mut [Screen], id: &str) -> Option<&'a mut Tournament> {
    screens.iter_mut().find_map(|screen| match screen {
        Screen::Tournament(screen) if screen.id() == id => Some(&mut **screen),
        _ => None,
    })
}
