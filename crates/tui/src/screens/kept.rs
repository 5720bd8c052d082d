//! The finished games of the user's data folder.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::layout::Rect;
use rules::game_text;
use sentences::{game_title, program_name};

use super::{GameScreen, Go, Screen, frame, scrolled, step};
use crate::{
    context::{Canvas, Context, Hit},
    keep::Kept,
};

pub(crate) struct KeptGames {
    games: Vec<Kept>,
    chosen: usize,
    message: Option<String>,
}

impl KeptGames {
    /// The latest first.
    pub(crate) fn new(cx: &Context) -> Self {
        let numbers = cx.keep.numbers();
        let message = numbers.as_ref().err().map(ToString::to_string);
        let mut games: Vec<_> =
            numbers.unwrap_or_default().into_iter().filter_map(|number| cx.keep.get(number).ok()).collect();
        games.reverse();
        Self { games, chosen: 0, message }
    }

    pub(crate) fn select(&mut self, row: usize) {
        self.chosen = row.min(self.games.len().saturating_sub(1));
    }

    pub(crate) fn key(&mut self, key: KeyEvent, cx: &mut Context) -> Go {
        match key.code {
            KeyCode::Down | KeyCode::Char('j') => self.chosen = step(self.chosen, 1, self.games.len()),
            KeyCode::Up | KeyCode::Char('k') => self.chosen = step(self.chosen, -1, self.games.len()),
            KeyCode::Enter | KeyCode::Char(' ' | 'v') => {
                let Some(Kept { game: Ok(read), .. }) = self.games.get(self.chosen) else { return Go::Stay };
                let opened = if key.code == KeyCode::Char('v') {
                    GameScreen::review(&read.game, cx)
                } else {
                    GameScreen::study(&read.game, cx)
                };
                match opened {
                    Ok(screen) => return Go::open(Screen::Game(Box::new(screen))),
                    Err(why) => self.message = Some(why),
                }
            }
            KeyCode::Char('y') => {
                cx.clipboard = self.games.get(self.chosen).map(|kept| kept.text.clone());
                self.message = Some(cx.words.t("tui.copied").to_owned());
            }
            KeyCode::Esc | KeyCode::Char('q') => return Go::Back,
            _ => {}
        }
        Go::Stay
    }

    pub(crate) fn draw(&self, cx: &Context, area: Rect, canvas: &mut Canvas) {
        let palette = cx.palette();
        let inner = frame(cx, area, cx.words.t("tui.kept"), canvas);
        if self.games.is_empty() {
            canvas.put(inner.x + 1, inner.y + 1, inner.right(), cx.words.t("tui.kept-none"), palette.muted());
        }
        let first = scrolled(self.chosen, usize::from(inner.height));
        for (y, (row, kept)) in (inner.y..inner.bottom()).zip(self.games.iter().enumerate().skip(first)) {
            let style = if row == self.chosen { palette.chosen() } else { palette.text() };
            let line = Rect::new(inner.x, y, inner.width, 1);
            if row == self.chosen {
                canvas.fill(line, style);
            }
            let text = match &kept.game {
                Err(why) => format!("{:>4}  {why}", kept.number),
                Ok(read) => {
                    let name = |side: usize| match read.players[side].as_deref() {
                        None | Some("human") => cx.words.t("bar.you").to_owned(),
                        Some(name) => program_name(&cx.words, name),
                    };
                    let result = game_text::result(read.result);
                    let title = game_title(&cx.words, read.game.spec());
                    let date = kept.date.as_deref().unwrap_or_default();
                    format!("{:>4}  {date}  {title}  {} – {}  {result}", kept.number, name(0), name(1))
                }
            };
            canvas.put(inner.x, y, inner.right(), &text, style);
            canvas.hit(line, Hit::Row(row));
        }
        if let Some(message) = &self.message {
            canvas.put(inner.x + 1, inner.bottom().saturating_sub(1), inner.right(), message, palette.key());
        }
        let t = |key| cx.words.t(key);
        let keys = [
            ("Enter", KeyCode::Enter, t("action.analyse")),
            ("v", KeyCode::Char('v'), t("tui.review")),
            ("y", KeyCode::Char('y'), t("import.copy-game")),
            ("q", KeyCode::Char('q'), t("tui.back")),
        ];
        canvas.keys(area, palette, &keys);
    }
}
