//! A line of text that a person types.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Rect;

use crate::{
    context::{Canvas, Context},
    text::width,
};

/// The subject of a prompt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Asks {
    Move,
    SaveAs,
    Open,
    Number,
    Chat,
    Code,
    Server,
    Name,
    Password,
}

/// The effect of a key on a prompt.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Typed {
    More,
    Done(String),
    Cancelled,
}

pub(crate) struct Prompt {
    pub(crate) asks: Asks,
    title: String,
    text: String,
}

impl Prompt {
    pub(crate) fn new(asks: Asks, title: impl Into<String>, text: impl Into<String>) -> Self {
        Self { asks, title: title.into(), text: text.into() }
    }

    pub(crate) fn key(&mut self, key: KeyEvent) -> Typed {
        match key.code {
            KeyCode::Esc => return Typed::Cancelled,
            // Spaces may belong to a password.
            KeyCode::Enter if self.asks == Asks::Password => return Typed::Done(self.text.clone()),
            KeyCode::Enter => return Typed::Done(self.text.trim().to_owned()),
            KeyCode::Backspace => {
                self.text.pop();
            }
            KeyCode::Char('u') if key.modifiers.contains(KeyModifiers::CONTROL) => self.text.clear(),
            KeyCode::Char(c) if !key.modifiers.contains(KeyModifiers::CONTROL) => self.text.push(c),
            _ => {}
        }
        Typed::More
    }

    /// Pasted text; only a file or game may have several lines.
    pub(crate) fn paste(&mut self, text: &str) -> Typed {
        if self.asks == Asks::Open && text.trim().contains('\n') {
            return Typed::Done(text.trim().to_owned());
        }
        self.text.push_str(&text.replace(['\n', '\r'], " "));
        Typed::More
    }

    /// Draws the prompt over the last lines of the screen.
    pub(crate) fn draw(&self, cx: &Context, area: Rect, canvas: &mut Canvas) {
        let palette = cx.palette();
        let rows = 2.min(area.height);
        let box_ = Rect::new(area.x, area.bottom() - rows, area.width, rows);
        canvas.fill(box_, palette.bar());
        if rows == 2 {
            canvas.put(box_.x + 1, box_.y, box_.right(), &self.title, palette.bar());
        }
        let y = box_.bottom() - 1;
        let x = canvas.put(box_.x, y, box_.right(), " > ", palette.key());
        // Of a long text, the end is shown, where the person types.
        let room = box_.right().saturating_sub(x + 1);
        let dots = "*".repeat(self.text.chars().count());
        let mut shown = if self.asks == Asks::Password { dots.as_str() } else { self.text.as_str() };
        while width(shown) > room {
            shown = &shown[shown.chars().next().map_or(0, char::len_utf8)..];
        }
        let x = canvas.put(x, y, box_.right(), shown, palette.bar());
        canvas.put(x, y, box_.right(), " ", palette.chosen());
    }
}
