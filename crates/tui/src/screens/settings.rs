//! The settings for all games, stored in the data folder.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::layout::Rect;
use sentences::{Language, Words};

use super::{Go, frame, step};
use crate::{
    context::{Canvas, Context, Hit},
    text::width,
    theme::{Glyphs, Theme},
};

const ROWS: [&str; 5] = ["settings.theme", "nav.language", "tui.glyphs", "settings.motion", "tui.evaluation"];

pub(crate) struct SettingsScreen {
    row: usize,
    message: Option<String>,
}

impl SettingsScreen {
    pub(crate) const fn new() -> Self {
        Self { row: 0, message: None }
    }

    pub(crate) fn select(&mut self, row: usize) {
        self.row = row.min(ROWS.len() - 1);
    }

    pub(crate) fn key(&mut self, key: KeyEvent, cx: &mut Context) -> Go {
        match key.code {
            KeyCode::Down | KeyCode::Tab | KeyCode::Char('j') => self.row = step(self.row, 1, ROWS.len()),
            KeyCode::Up | KeyCode::BackTab | KeyCode::Char('k') => self.row = step(self.row, -1, ROWS.len()),
            KeyCode::Left => self.change(-1, cx),
            KeyCode::Right | KeyCode::Enter | KeyCode::Char(' ') => self.change(1, cx),
            KeyCode::Esc | KeyCode::Char('q') => return Go::Back,
            _ => {}
        }
        Go::Stay
    }

    fn change(&mut self, by: isize, cx: &mut Context) {
        let settings = &mut cx.settings;
        match self.row {
            0 => {
                let at = Theme::ALL.iter().position(|theme| *theme == settings.theme).unwrap_or(0);
                settings.theme = Theme::ALL[step(at, by, Theme::ALL.len())];
            }
            1 => {
                let at = Language::ALL.iter().position(|other| *other == cx.words.language()).unwrap_or(0);
                let language = Language::ALL[step(at, by, Language::ALL.len())];
                settings.language = Some(language.code().to_owned());
                cx.words = Words::new(language);
            }
            2 => {
                settings.glyphs = match settings.glyphs {
                    Glyphs::Unicode => Glyphs::Ascii,
                    Glyphs::Ascii => Glyphs::Unicode,
                };
            }
            3 => settings.animation = !settings.animation,
            _ => settings.evaluation = !settings.evaluation,
        }
        self.message = cx
            .keep
            .set_settings(&cx.settings)
            .err()
            .map(|why| cx.words.fill("tui.not-saved", &[("why", &why.to_string())]));
    }

    fn value(&self, row: usize, cx: &Context) -> String {
        let yes_no = |yes: bool| cx.words.t(if yes { "yes" } else { "no" }).to_owned();
        match row {
            0 => cx.words.t(cx.settings.theme.key()).to_owned(),
            1 => cx.words.language().name().to_owned(),
            2 => if cx.settings.glyphs == Glyphs::Ascii { "ASCII" } else { "Unicode" }.to_owned(),
            3 => yes_no(cx.settings.animation),
            _ => yes_no(cx.settings.evaluation),
        }
    }

    pub(crate) fn draw(&self, cx: &Context, area: Rect, canvas: &mut Canvas) {
        let palette = cx.palette();
        let inner = frame(cx, area, cx.words.t("nav.settings"), canvas);
        let gap = if inner.height > 11 { 2 } else { 1 };
        for (index, label) in ROWS.iter().enumerate() {
            let y = inner.y + 1 + index as u16 * gap;
            if y >= inner.bottom() {
                break;
            }
            let style = if index == self.row { palette.chosen() } else { palette.text() };
            let line = Rect::new(inner.x + 1, y, inner.width.saturating_sub(2).min(60), 1);
            if index == self.row {
                canvas.fill(line, style);
            }
            let x = canvas.put(line.x + 1, y, line.right(), cx.words.t(label), style);
            let value = self.value(index, cx);
            let at = (line.x + 31).min(line.right().saturating_sub(width(&value)));
            canvas.put(at.max(x + 1), y, line.right(), &value, style);
            canvas.hit(line, Hit::Row(index));
        }
        if let Some(message) = &self.message {
            canvas.put(inner.x + 1, inner.bottom().saturating_sub(1), inner.right(), message, palette.key());
        }
        let keys = [
            ("Enter", KeyCode::Enter, cx.words.t("tui.change")),
            ("q", KeyCode::Char('q'), cx.words.t("tui.back")),
        ];
        canvas.keys(area, palette, &keys);
    }
}
