//! Shared by all screens: settings, words, threads, and the canvas that they draw on.

use std::{
    sync::{Arc, mpsc::Sender},
    time::{Duration, Instant},
};

use crossterm::event::KeyCode;
use ratatui::{buffer::Buffer, layout::Rect, style::Style};
use rules::Kind;
use sentences::Words;

use crate::{
    board::Grid,
    engine::Engine,
    event::Event,
    keep::{Keep, Settings},
    online::Client,
    text::{cut, width},
    theme::{Depth, Palette},
};

/// The shared state of all screens.
pub(crate) struct Context {
    pub(crate) words: Words,
    pub(crate) settings: Settings,
    pub(crate) depth: Depth,
    pub(crate) engine: Engine,
    /// The one channel for everything that happens.
    pub(crate) events: Sender<Event>,
    pub(crate) keep: Keep,
    /// The time of the event being handled, or of the screen being drawn.
    pub(crate) now: Instant,
    /// When the program started: as a monotonic time, and as Unix time in milliseconds.
    pub(crate) started: (Instant, u64),
    /// Minimum time for a program's move, if it was given.
    pub(crate) pace: Option<Duration>,
    pub(crate) rng: fastrand::Rng,
    /// Text for the clipboard of the terminal.
    pub(crate) clipboard: Option<String>,
}

impl Context {
    pub(crate) fn palette(&self) -> Palette {
        Palette { theme: self.settings.theme, depth: self.depth }
    }

    /// Unix time in milliseconds. A step of the system's clock takes no time from players.
    pub(crate) fn unix_ms(&self) -> u64 {
        let (instant, unix_ms) = self.started;
        unix_ms + self.now.saturating_duration_since(instant).as_millis() as u64
    }

    /// Connects to a server, whose messages arrive as events.
    pub(crate) fn connect(&self, server: &str) -> Result<Arc<Client>, String> {
        let events = self.events.clone();
        // The application may be gone by now.
        Client::new(server, &self.keep, move |news| drop(events.send(Event::Online(news))))
    }
}

/// What is under the mouse.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Hit {
    /// A click has the effect of this key.
    Key(KeyCode),
    /// A row of a list.
    Row(usize),
    /// A move of the list.
    Ply(usize),
    /// A piece in the tray.
    Kind(Kind),
    /// The board.
    Board(Grid),
}

/// A picture: the cells, and the areas that can be clicked.
pub(crate) struct Canvas<'a> {
    pub(crate) buffer: &'a mut Buffer,
    pub(crate) hits: Vec<(Rect, Hit)>,
}

impl Canvas<'_> {
    /// Writes as much of a text as fits before `right`, and returns where the text ends.
    pub(crate) fn put(&mut self, x: u16, y: u16, right: u16, text: &str, style: Style) -> u16 {
        let area = self.buffer.area;
        if y >= area.bottom() || x >= right.min(area.right()) {
            return x;
        }
        let text = cut(text, right.min(area.right()) - x);
        self.buffer.set_string(x, y, &text, style);
        x + width(&text)
    }

    pub(crate) fn fill(&mut self, area: Rect, style: Style) {
        let area = area.intersection(self.buffer.area);
        for y in area.top()..area.bottom() {
            for x in area.left()..area.right() {
                self.buffer[(x, y)].set_char(' ').set_style(style);
            }
        }
    }

    pub(crate) fn hit(&mut self, area: Rect, hit: Hit) {
        self.hits.push((area.intersection(self.buffer.area), hit));
    }

    /// Draws the bar at the bottom: as many keys as fit, with what they do; each can be clicked.
    pub(crate) fn keys(&mut self, area: Rect, palette: Palette, keys: &[(&str, KeyCode, &str)]) {
        let y = area.bottom().saturating_sub(1);
        let bar = Rect::new(area.x, y, area.width, 1);
        self.fill(bar, palette.bar());
        let mut x = area.x;
        for (name, code, text) in keys {
            let size = width(name) + width(text) + 3;
            if x + size > area.right() + 1 {
                continue;
            }
            let start = x;
            x = self.put(x, y, area.right(), &format!(" {name}"), palette.key());
            x = self.put(x, y, area.right(), &format!(" {text} "), palette.bar());
            self.hit(Rect::new(start, y, x - start, 1), Hit::Key(*code));
        }
    }
}
