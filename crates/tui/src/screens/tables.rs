//! Tables of a server: the reader's own, or all games in progress.

use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent};
use protocol::{Status, TableSummary};
use ratatui::layout::Rect;
use rules::Spec;
use sentences::{clock_text, game_title, occupant_name};

use super::{Go, frame, scrolled, step};
use crate::{
    context::{Canvas, Context, Hit},
    online::{Client, Failure, Work},
};

pub(crate) struct Tables {
    client: Arc<Client>,
    work: Work,
    /// The query, and its title.
    query: (&'static str, &'static str),
    tables: Option<Vec<TableSummary>>,
    chosen: usize,
    message: Option<String>,
}

impl Tables {
    pub(crate) fn own(client: &Arc<Client>) -> Self {
        Self::new(client, ("player=me", "nav.games"))
    }

    pub(crate) fn live(client: &Arc<Client>) -> Self {
        Self::new(client, ("live=true", "home.live"))
    }

    fn new(client: &Arc<Client>, query: (&'static str, &'static str)) -> Self {
        let work = client.list(query.0);
        Self { client: client.clone(), work, query, tables: None, chosen: 0, message: None }
    }

    pub(crate) fn client(&self) -> &Arc<Client> {
        &self.client
    }

    pub(crate) fn told(&mut self, listed: Result<Vec<TableSummary>, Failure>, cx: &Context) {
        match listed {
            Ok(mut tables) => {
                // Unfinished games come first, otherwise in the same order.
                tables.sort_by_key(|table| table.status == Status::Ended);
                self.chosen = self.chosen.min(tables.len().saturating_sub(1));
                self.tables = Some(tables);
            }
            Err(failure) => self.failed(&failure, cx),
        }
    }

    pub(crate) fn failed(&mut self, failure: &Failure, cx: &Context) {
        self.message = Some(failure.text(&cx.words));
    }

    /// Loads the list again.
    pub(crate) fn ask(&mut self) {
        self.message = None;
        self.work = self.client.list(self.query.0);
    }

    fn count(&self) -> usize {
        self.tables.as_ref().map_or(0, Vec::len)
    }

    pub(crate) fn select(&mut self, row: usize) {
        self.chosen = row.min(self.count().saturating_sub(1));
    }

    pub(crate) fn key(&mut self, key: KeyEvent, _: &mut Context) -> Go {
        match key.code {
            KeyCode::Down | KeyCode::Char('j') => self.chosen = step(self.chosen, 1, self.count()),
            KeyCode::Up | KeyCode::Char('k') => self.chosen = step(self.chosen, -1, self.count()),
            KeyCode::Char('r') => self.ask(),
            KeyCode::Enter | KeyCode::Char(' ') => {
                if let Some(table) = self.tables.as_ref().and_then(|tables| tables.get(self.chosen)) {
                    return Go::Table(table.table.clone());
                }
            }
            KeyCode::Esc | KeyCode::Char('q') => return Go::Back,
            _ => {}
        }
        Go::Stay
    }

    fn line(table: &TableSummary, cx: &Context) -> String {
        let words = &cx.words;
        let game =
            table.game.parse::<Spec>().map_or_else(|_| table.game.clone(), |spec| game_title(words, spec));
        let [first, second] = [0, 1].map(|seat| occupant_name(words, &table.seats[seat]));
        let moves = words.count("result.moves", table.ply.into(), &[]);
        format!("{game}  {first} – {second}  {}  {moves}", clock_text(words, table.clock))
    }

    pub(crate) fn draw(&self, cx: &Context, area: Rect, canvas: &mut Canvas) {
        let palette = cx.palette();
        let inner = frame(cx, area, cx.words.t(self.query.1), canvas);
        let tables = self.tables.as_deref().unwrap_or_default();
        let text = match (&self.message, &self.tables) {
            (Some(message), _) => Some(message.as_str()),
            (None, None) => Some(cx.words.t("link.loading")),
            (None, Some(tables)) if tables.is_empty() => Some(cx.words.t("home.live-none")),
            _ => None,
        };
        if let Some(text) = text {
            canvas.put(inner.x + 1, inner.bottom().saturating_sub(1), inner.right(), text, palette.muted());
        }
        let rows = usize::from(inner.height).saturating_sub(1);
        let first = scrolled(self.chosen, rows);
        for (y, (row, table)) in (inner.y..inner.bottom() - 1).zip(tables.iter().enumerate().skip(first)) {
            let style = match () {
                () if row == self.chosen => palette.chosen(),
                () if table.status == Status::Ended => palette.muted(),
                () => palette.text(),
            };
            let line = Rect::new(inner.x, y, inner.width, 1);
            if row == self.chosen {
                canvas.fill(line, style);
            }
            canvas.put(inner.x + 1, y, inner.right(), &Self::line(table, cx), style);
            canvas.hit(line, Hit::Row(row));
        }
        let t = |key| cx.words.t(key);
        let keys = [
            ("Enter", KeyCode::Enter, t("tui.open")),
            ("r", KeyCode::Char('r'), t("error.reload")),
            ("q", KeyCode::Char('q'), t("tui.back")),
        ];
        canvas.keys(area, palette, &keys);
    }
}
