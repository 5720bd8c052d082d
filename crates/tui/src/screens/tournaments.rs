//! The tournaments of a server, of people and of programs.

use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent};
use protocol::{TournamentPhase, TournamentSummary};
use ratatui::layout::Rect;
use rules::Spec;
use sentences::{Words, format_text, game_title};

use super::{
    Go, Screen, Tournament, frame,
    rows::{ListRow, draw_list, joined},
    step,
};
use crate::{
    context::{Canvas, Context},
    online::{Client, Failure, Work},
};

pub(crate) struct Tournaments {
    client: Arc<Client>,
    work: Work,
    /// Those in progress first, then those that players can enter, then finished ones.
    all: Option<Vec<TournamentSummary>>,
    chosen: usize,
    message: Option<String>,
}

impl Tournaments {
    pub(crate) fn new(client: &Arc<Client>) -> Self {
        let work = client.tournaments();
        Self { client: client.clone(), work, all: None, chosen: 0, message: None }
    }

    pub(crate) fn told(&mut self, listed: Result<Vec<TournamentSummary>, Failure>, cx: &Context) {
        match listed {
            Ok(mut all) => {
                all.sort_by_key(|tournament| order(tournament.phase));
                self.chosen = self.chosen.min(all.len().saturating_sub(1));
                self.message = None;
                self.all = Some(all);
            }
            Err(failure) => self.message = Some(failure.text(&cx.words)),
        }
    }

    /// Loads the list again.
    pub(crate) fn ask(&mut self) {
        self.work = self.client.tournaments();
    }

    fn count(&self) -> usize {
        self.all.as_ref().map_or(0, Vec::len)
    }

    pub(crate) fn select(&mut self, row: usize) {
        self.chosen = row.min(self.count().saturating_sub(1));
    }

    pub(crate) fn key(&mut self, key: KeyEvent) -> Go {
        match key.code {
            KeyCode::Down | KeyCode::Char('j') => self.chosen = step(self.chosen, 1, self.count()),
            KeyCode::Up | KeyCode::Char('k') => self.chosen = step(self.chosen, -1, self.count()),
            KeyCode::Char('r') => self.ask(),
            KeyCode::Enter | KeyCode::Char(' ') => {
                if let Some(tournament) = self.all.as_ref().and_then(|all| all.get(self.chosen)) {
                    let screen = Tournament::new(&self.client, &tournament.id);
                    return Go::open(Screen::Tournament(Box::new(screen)));
                }
            }
            KeyCode::Esc | KeyCode::Char('q') => return Go::Back,
            _ => {}
        }
        Go::Stay
    }

    pub(crate) fn draw(&self, cx: &Context, area: Rect, canvas: &mut Canvas) {
        let words = &cx.words;
        let inner = frame(cx, area, words.t("nav.tournaments"), canvas);
        let all = self.all.as_deref().unwrap_or_default();
        let text = match (&self.message, &self.all) {
            (Some(message), _) => Some(message.as_str()),
            (None, None) => Some(words.t("link.loading")),
            (None, Some(all)) if all.is_empty() => Some(words.t("tournament.none")),
            _ => None,
        };
        if let Some(text) = text {
            let y = inner.bottom().saturating_sub(1);
            canvas.put(inner.x + 1, y, inner.right(), text, cx.palette().muted());
        }
        let rows: Vec<_> = all
            .iter()
            .enumerate()
            .map(|(at, tournament)| ListRow {
                heading: (at == 0 || all[at - 1].phase != tournament.phase)
                    .then(|| phase_text(words, tournament.phase).to_owned()),
                text: line(tournament, cx, inner.width.saturating_sub(2)),
                is_muted: tournament.phase == TournamentPhase::Over,
            })
            .collect();
        let list = Rect { height: inner.height.saturating_sub(1), ..inner };
        draw_list(cx, list, canvas, &rows, Some(self.chosen), 0);
        let keys = [
            ("Enter", KeyCode::Enter, words.t("tui.open")),
            ("r", KeyCode::Char('r'), words.t("error.reload")),
            ("q", KeyCode::Char('q'), words.t("tui.back")),
        ];
        canvas.keys(area, cx.palette(), &keys);
    }
}

fn order(phase: TournamentPhase) -> usize {
    match phase {
        TournamentPhase::Running => 0,
        TournamentPhase::Entry => 1,
        TournamentPhase::Over => 2,
    }
}

/// How far a tournament is.
pub(super) fn phase_text(words: &Words, phase: TournamentPhase) -> &str {
    words.t(match phase {
        TournamentPhase::Entry => "tournament.phase-entry",
        TournamentPhase::Running => "tournament.phase-running",
        TournamentPhase::Over => "tournament.phase-over",
    })
}

/// How many take part.
pub(super) fn players_text(words: &Words, players: usize, are_programs: bool) -> String {
    let key = if are_programs { "tournament.programs" } else { "tournament.players" };
    words.count(key, players as u64, &[])
}

/// The title of a game, as the server names it.
pub(super) fn title_of(words: &Words, game: &str) -> String {
    game.parse::<Spec>().map_or_else(|_| game.to_owned(), |spec| game_title(words, spec))
}

fn line(tournament: &TournamentSummary, cx: &Context, columns: u16) -> String {
    let words = &cx.words;
    let parts = [
        tournament.name.clone(),
        title_of(words, &tournament.game),
        format_text(words, tournament.format),
        players_text(words, tournament.players, tournament.programs),
    ];
    joined(cx, &parts, "  ", columns)
}
