//! The application without a terminal: keys and clicks in, pictures out.

#![allow(dead_code, reason = "each test uses a part")]

use std::{
    sync::{
        atomic::{AtomicU32, Ordering},
        mpsc::{Receiver, channel},
    },
    time::{Duration, Instant},
};

use alinea_tui::{Answer, App, Depth, Event, Keep, Language, NewGame, Options, Settings, Start};
use crossterm::event::{
    Event as Input, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use players::{roster, system};
use ratatui::{buffer::Buffer, layout::Rect, style::Style};
use rules::{AnyGame, Spec};

/// Waits at most this long for an answer; only a fault takes so long.
const TIMEOUT: Duration = Duration::from_secs(60);

pub(crate) struct Session {
    pub(crate) app: App,
    events: Receiver<Event>,
    pub(crate) keep: Keep,
    size: Rect,
    now: Instant,
}

fn make(game: &AnyGame, name: &str, seed: u64) -> anyhow::Result<players::Program> {
    Ok(roster::program(game, name, &system::resources(seed))?)
}

fn folder() -> std::path::PathBuf {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let name = format!("alinea-tui-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    std::env::temp_dir().join(name)
}

pub(crate) fn game(spec: &str) -> AnyGame {
    spec.parse::<Spec>().unwrap().into()
}

impl Session {
    pub(crate) fn new(start: Start, width: u16, height: u16, change: impl FnOnce(&mut Options)) -> Self {
        let keep = Keep::at(folder());
        let mut options = Options {
            start,
            settings: Settings { animation: false, ..Settings::default() },
            language: Some(Language::En),
            depth: Depth::True,
            pace: Some(Duration::ZERO),
            seed: 1,
            keep: keep.clone(),
            make,
        };
        change(&mut options);
        let (sender, events) = channel();
        let size = Rect::new(0, 0, width, height);
        let app = App::new(options, sender, size).unwrap();
        let mut session = Self { app, events, keep, size, now: Instant::now() };
        session.draw();
        session
    }

    pub(crate) fn home(width: u16, height: u16) -> Self {
        Self::new(Start::Home, width, height, |_| {})
    }

    pub(crate) fn home_in(language: Language, width: u16, height: u16) -> Self {
        Self::new(Start::Home, width, height, |options| options.language = Some(language))
    }

    /// Two people at one screen.
    pub(crate) fn play(spec: &str, width: u16, height: u16) -> Self {
        Self::with(spec, width, height, |_| {})
    }

    pub(crate) fn with(spec: &str, width: u16, height: u16, change: impl FnOnce(&mut Options)) -> Self {
        Self::against(spec, [None, None], width, height, change)
    }

    pub(crate) fn against(
        spec: &str,
        seats: [Option<&str>; 2],
        width: u16,
        height: u16,
        change: impl FnOnce(&mut Options),
    ) -> Self {
        Self::timed(spec, seats, protocol::Clock::None, (width, height), change)
    }

    pub(crate) fn timed(
        spec: &str,
        seats: [Option<&str>; 2],
        clock: protocol::Clock,
        (width, height): (u16, u16),
        change: impl FnOnce(&mut Options),
    ) -> Self {
        let seats = seats.map(|seat| seat.map(str::to_owned));
        let new = NewGame { start: game(spec), seats, clock };
        Self::new(Start::Play(Box::new(new)), width, height, change)
    }

    /// Lets time pass, with a picture at each moment at which the screen changes without input.
    pub(crate) fn pass(&mut self, time: Duration) {
        self.pass_until(self.now + time);
    }

    pub(crate) fn pass_until(&mut self, until: Instant) {
        while let Some(at) = self.app.deadline().filter(|at| *at <= until) {
            self.now = at;
            self.update(Event::Wake);
        }
        self.now = until;
        self.update(Event::Wake);
    }

    pub(crate) fn update(&mut self, event: Event) {
        self.app.update(event, self.now);
        self.draw();
    }

    pub(crate) fn key(&mut self, code: KeyCode, modifiers: KeyModifiers) {
        self.update(Event::Input(Input::Key(KeyEvent::new(code, modifiers))));
    }

    /// A key by its name.
    pub(crate) fn press(&mut self, name: &str) {
        let code = match name {
            "Enter" => KeyCode::Enter,
            "Esc" => KeyCode::Esc,
            "Tab" => KeyCode::Tab,
            "Up" => KeyCode::Up,
            "Down" => KeyCode::Down,
            "Left" => KeyCode::Left,
            "Right" => KeyCode::Right,
            "Home" => KeyCode::Home,
            "End" => KeyCode::End,
            _ => KeyCode::Char(name.chars().next().unwrap()),
        };
        self.key(code, KeyModifiers::NONE);
    }

    /// Keys with spaces between.
    pub(crate) fn keys(&mut self, names: &str) {
        names.split(' ').for_each(|name| self.press(name));
    }

    /// A typed move or several.
    pub(crate) fn type_moves(&mut self, text: &str) {
        self.press("/");
        for c in text.chars() {
            self.key(KeyCode::Char(c), KeyModifiers::NONE);
        }
        self.press("Enter");
    }

    /// Pastes a text.
    pub(crate) fn paste(&mut self, text: &str) {
        self.update(Event::Input(Input::Paste(text.to_owned())));
    }

    pub(crate) fn click(&mut self, x: u16, y: u16) {
        let kind = MouseEventKind::Down(MouseButton::Left);
        let mouse = MouseEvent { kind, column: x, row: y, modifiers: KeyModifiers::NONE };
        self.update(Event::Input(Input::Mouse(mouse)));
    }

    pub(crate) fn resize(&mut self, width: u16, height: u16) {
        self.size = Rect::new(0, 0, width, height);
        self.update(Event::Input(Input::Resize(width, height)));
    }

    /// Types a legal move from the middle of the list, if the game is not over.
    pub(crate) fn any_move(&mut self) {
        let choices = self.app.choices();
        if let Some(choice) = choices.get(choices.len() / 2) {
            self.type_moves(&choice.text);
        }
    }

    pub(crate) fn draw(&mut self) -> Buffer {
        let mut buffer = Buffer::empty(self.size);
        self.app.draw(&mut buffer, self.now);
        buffer
    }

    pub(crate) fn text(&mut self) -> String {
        text(&self.draw())
    }

    /// Handles results of searches until one of them says something about a move, and returns it.
    pub(crate) fn wait_for_assessment(&mut self) -> study::assessment::Assessment {
        loop {
            let event = self.events.recv_timeout(TIMEOUT).expect("a search reports");
            let known = match &event {
                Event::Engine { answer: Answer::Assessed(assessed), .. } => Some(assessed.known.clone()),
                _ => None,
            };
            self.update(event);
            if let Some(known) = known.filter(|known| !known.moves.is_empty()) {
                return known;
            }
        }
    }

    /// Handles results of searches until one of them is the last of its search.
    pub(crate) fn wait_for_end(&mut self) {
        loop {
            let event = self.events.recv_timeout(TIMEOUT).expect("a search ends");
            let is_last = match &event {
                Event::Engine { answer: Answer::Assessed(known), .. } => known.done,
                Event::Engine { answer, .. } => matches!(answer, Answer::ReviewDone),
                _ => false,
            };
            self.update(event);
            if is_last {
                return;
            }
        }
    }

    /// Handles results of searches until the screen has the expected text.
    pub(crate) fn wait_for(&mut self, what: &str) {
        self.wait_until(what, |text| text.contains(what));
    }

    pub(crate) fn wait_until(&mut self, what: &str, is_there: impl Fn(&str) -> bool) {
        let until = Instant::now() + TIMEOUT;
        while !is_there(&self.text()) {
            let left = until.saturating_duration_since(Instant::now());
            match self.events.recv_timeout(left) {
                Ok(event) => self.update(event),
                Err(_) => panic!("waited in vain for {what}:\n{}", self.text()),
            }
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(self.keep.folder());
    }
}

pub(crate) fn text(buffer: &Buffer) -> String {
    let mut text = String::new();
    for y in 0..buffer.area.height {
        for x in 0..buffer.area.width {
            text += buffer[(x, y)].symbol();
        }
        text.push('\n');
    }
    text
}

/// The characters, and below them the spans of each style.
pub(crate) fn picture(session: &mut Session) -> String {
    let buffer = session.draw();
    let mut styles: Vec<Style> = Vec::new();
    let mut rows = String::new();
    for y in 0..buffer.area.height {
        for x in 0..buffer.area.width {
            let style = buffer[(x, y)].style();
            let index = styles.iter().position(|known| *known == style).unwrap_or_else(|| {
                styles.push(style);
                styles.len() - 1
            });
            rows.push(char::from_u32('a' as u32 + index as u32).unwrap());
        }
        rows.push('\n');
    }
    let legend: String = styles
        .iter()
        .enumerate()
        .map(|(index, style)| {
            let letter = char::from_u32('a' as u32 + index as u32).unwrap();
            let [fg, bg] =
                [style.fg, style.bg].map(|color| color.map_or_else(String::new, |color| color.to_string()));
            format!("{letter} {fg} on {bg} {:?}\n", style.add_modifier)
        })
        .collect();
    let trimmed: String = text(&buffer).lines().map(|line| format!("|{line}|\n")).collect();
    format!("{trimmed}\n{rows}\n{legend}")
}
