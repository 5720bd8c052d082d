//! The study of a position: assessments, hints, reasons, reviews, and moves tried out.

use std::time::Duration;

use players::Thought;
use protocol::{Assessment, Clock};
use rules::{AnyGame, Spec, View, game_text};
use sentences::{About, Sentence, line_text, sentences, thought_of};
use study::{assessment::Limits, review::Reviewed};

use super::{GameScreen, Hint, Mode};
use crate::{
    context::Context,
    engine::Slot,
    host::Host,
    local::{NewGame, at_ply},
    screens::Go,
};

/// Limits of a hint: good advice after a short wait on any board.
const HINT_LIMITS: Limits =
    Limits { lines: 2, threads: 1, time: Some(Duration::from_secs(2)), nodes: Some(300_000), depth: None };
/// A live analysis ends after this time, so that an unattended screen uses no CPU.
const LIVE_LIMITS: Limits =
    Limits { lines: 3, threads: 1, time: Some(Duration::from_secs(6)), nodes: None, depth: None };
const DEEP_LIMITS: Limits = Limits { time: Some(Duration::from_secs(60)), ..LIVE_LIMITS };
const REVIEW_LIMITS: Limits =
    Limits { lines: 1, threads: 1, time: Some(Duration::from_millis(700)), nodes: None, depth: None };

impl GameScreen {
    /// Opens a study of a game, at its last move.
    pub(crate) fn study(game: &AnyGame, cx: &mut Context) -> Result<Self, String> {
        let new = NewGame { start: game.clone(), seats: [None, None], clock: Clock::None };
        let mut screen = Self::of(Host::Local(Box::new(new.table(cx.unix_ms())?)), Mode::Study, cx);
        screen.assess(cx);
        Ok(screen)
    }

    /// Opens a study with a review of all moves.
    pub(crate) fn review(game: &AnyGame, cx: &mut Context) -> Result<Self, String> {
        let mut screen = Self::study(game, cx)?;
        screen.begin_review(cx);
        Ok(screen)
    }

    pub(super) fn begin_review(&mut self, cx: &mut Context) {
        self.review.clear();
        cx.engine.review(&self.game, REVIEW_LIMITS);
    }

    /// Studies another course of the game.
    pub(super) fn replace(&mut self, game: &AnyGame, cx: &mut Context) -> Go {
        let new = NewGame { start: game.clone(), seats: [None, None], clock: Clock::None };
        match new.table(cx.unix_ms()) {
            Ok(local) => {
                cx.engine.cancel(Slot::Review);
                self.review.clear();
                self.host = Host::Local(Box::new(local));
                self.texts.clear();
                self.refresh(cx);
                self.show(game.moves().len(), cx);
            }
            Err(why) => self.message = Some(why),
        }
        Go::Stay
    }

    /// Opens typed or pasted text: a game, moves, or a position.
    pub(super) fn open_text(&mut self, text: &str, cx: &mut Context) -> Go {
        let text = text.trim();
        let text = match std::fs::read_to_string(text) {
            Ok(file) if !text.is_empty() => file,
            _ => text.to_owned(),
        };
        match read_game(&text, self.game.spec()) {
            Some(game) => self.replace(&game, cx),
            None => {
                self.message = Some(cx.words.t("import.bad").to_owned());
                Go::Stay
            }
        }
    }

    /// Whether help is allowed: not in a game between people, nor in a rated game.
    pub(super) fn may_help(&self) -> bool {
        let is_free = self.snapshot.you.len() == 2 || self.has_programs();
        self.mode == Mode::Study || self.is_over() || is_free && !self.snapshot.settings.rated
    }

    /// Starts an assessment of the shown position, if the screen shows it.
    pub(super) fn assess(&mut self, cx: &mut Context) {
        if self.evaluates && self.may_help() && !self.is_drilling() && self.shown.outcome().is_none() {
            cx.engine.assess(&self.shown, LIVE_LIMITS);
        } else {
            cx.engine.cancel(Slot::Assess);
        }
    }

    pub(super) fn toggle_evaluation(&mut self, cx: &mut Context) {
        if !self.may_help() {
            self.message = Some(cx.words.t("refuse.no-help").to_owned());
            return;
        }
        let is_done =
            self.assessment.as_ref().is_some_and(|assessment| assessment.done && !assessment.known.is_final);
        if self.mode == Mode::Study && is_done && self.shown.outcome().is_none() {
            cx.engine.assess(&self.shown, DEEP_LIMITS);
            return;
        }
        self.evaluates = !self.evaluates;
        let key = if self.evaluates { "say.eval-on" } else { "say.eval-off" };
        self.message = Some(cx.words.t(key).to_owned());
        self.assess(cx);
    }

    /// Shows a hint: first where to look, then the move.
    pub(super) fn ask_hint(&mut self, cx: &mut Context) {
        if !self.may_help() {
            self.message = Some(cx.words.t("refuse.no-help").to_owned());
            return;
        }
        if self.shown.outcome().is_some() || self.is_over() && self.mode == Mode::Play {
            self.message = Some(cx.words.t("refuse.over").to_owned());
            return;
        }
        self.hint = if self.hint == Hint::No { Hint::Area } else { Hint::Move };
        if self.assessment.as_ref().is_none_or(|known| !known.done) && !cx.engine.is_busy(Slot::Assess) {
            cx.engine.assess(&self.shown, HINT_LIMITS);
            self.message = Some(cx.words.t("why.thinking").to_owned());
        }
        self.say_hint(cx);
    }

    pub(super) fn say_hint(&mut self, cx: &Context) {
        if self.hint == Hint::No {
            return;
        }
        if let Some(best) = self.best_choice() {
            self.message = Some(if self.hint == Hint::Area {
                cx.words.t("say.hint-area").to_owned()
            } else {
                let view = self.shown.view();
                let text = line_text(self.shown.info(), &[best.text], Some(&view));
                cx.words.fill("say.hint", &[("move", &text)])
            });
        } else if self.assessment.as_ref().is_some_and(|known| known.done) {
            self.message = Some(cx.words.t("tui.no-hint").to_owned());
        }
    }

    /// Explains the last move as the program that made it does; in a study, explains why the best move is best.
    pub(super) fn why(&self, cx: &Context) -> Vec<Sentence> {
        let about = |game: &AnyGame, thought: &Thought, view: &View| {
            let (mover, you) = (game.turn(), self.you());
            let name = &self.name(mover, cx);
            sentences(thought, &About { words: &cx.words, spec: game.spec(), view, mover, name, you })
        };
        let played = self.ply().checked_sub(1).and_then(|last| self.snapshot.moves[last].thought.as_deref());
        match (played, &self.assessment) {
            (Some(thought), _) if self.mode == Mode::Play => {
                let before = at_ply(&self.game, self.ply() - 1);
                about(&before, thought, &before.view())
            }
            (_, Some(Assessment { known, reasons: Some(reasons), .. })) => match thought_of(known, reasons) {
                Some(thought) => about(&self.shown, &thought, &self.shown.view()),
                None => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    /// The review of the move that is shown.
    pub(super) fn reviewed(&self) -> Option<&Reviewed> {
        self.review.iter().find(|reviewed| reviewed.number as usize == self.ply())
    }

    /// Goes to the next move that changed the result or is marked; after the last one, to the first.
    pub(super) fn next_moment(&mut self, cx: &mut Context) {
        let marked: Vec<_> = self
            .review
            .iter()
            .filter(|reviewed| reviewed.mark.is_some())
            .map(|r| r.number as usize)
            .collect();
        let next = marked.iter().find(|ply| **ply > self.ply()).or(marked.first());
        if let Some(ply) = next {
            self.show(*ply, cx);
        }
    }
}

/// Reads a game as text, moves separated by spaces, or a position. If the text does not name the game, it is
/// this one.
pub(crate) fn read_game(text: &str, spec: Spec) -> Option<AnyGame> {
    if let Ok(mut games) = game_text::read(text) {
        return (!games.is_empty()).then(|| games.remove(0).game);
    }
    let text = text.trim();
    let mut game = AnyGame::from(spec);
    if !text.is_empty() && game.play_all(text).is_ok() {
        return Some(game);
    }
    let mut game = AnyGame::from(spec);
    game.set_position(text).ok().map(|()| game)
}
