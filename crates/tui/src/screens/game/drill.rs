//! An exercise on the board: the right move of a position that went wrong.

use crossterm::event::KeyCode;
use rules::GameInfo;
use sentences::line_text;
use study::{
    puzzles::{Attempt, Puzzle, day_of},
    skills::{Exercise, answer},
};

use super::{GameScreen, Host, Mode};
use crate::{
    context::Context,
    local::NewGame,
    screens::{Go, Screen, following},
};

/// The exercise of a screen.
pub(super) struct Drill {
    exercise: Exercise,
    puzzle: Puzzle,
    /// Whether the first try is decided.
    is_decided: bool,
    /// Whether the solution is on the board.
    pub(super) is_over: bool,
}

impl GameScreen {
    /// Opens an exercise.
    ///
    /// # Errors
    /// If its position cannot be set up.
    pub(crate) fn drill(exercise: Exercise, puzzle: Puzzle, cx: &mut Context) -> Result<Self, String> {
        let start = puzzle.game();
        let new = NewGame { start, seats: [None, None], clock: protocol::Clock::None };
        let mut screen = Self::of(Host::Local(Box::new(new.table(cx.unix_ms())?)), Mode::Study, cx);
        screen.evaluates = false;
        let played = cx.words.fill("improve.played", &[("move", &screen.move_text(&exercise.played))]);
        let truth = cx.words.t(if exercise.estimate { "improve.estimate" } else { "improve.proved" });
        screen.message = Some(format!("{} {played} {truth}", cx.words.t("improve.ask")));
        screen.drill = Some(Box::new(Drill { exercise, puzzle, is_decided: false, is_over: false }));
        Ok(screen)
    }

    /// Opens a study of a game at the position after this number of moves, with a message about it.
    ///
    /// # Errors
    /// If the game cannot be set up.
    pub(crate) fn moment(
        game: &rules::AnyGame,
        ply: usize,
        message: String,
        cx: &mut Context,
    ) -> Result<Self, String> {
        let mut screen = Self::study(game, cx)?;
        screen.show(ply, cx);
        screen.message = Some(message);
        Ok(screen)
    }

    /// Whether the reader is to find a move.
    pub(super) fn is_drilling(&self) -> bool {
        self.drill.as_ref().is_some_and(|drill| !drill.is_over)
    }

    /// Handles a key that means something else in an exercise.
    pub(super) fn drill_key(&mut self, code: KeyCode, cx: &mut Context) -> Option<Go> {
        let info = self.drill.as_ref()?.puzzle.spec.info();
        match code {
            KeyCode::Char('h') if self.is_drilling() => self.reveal(cx),
            KeyCode::Char('n') | KeyCode::Enter if !self.is_drilling() => return Some(next(info, cx)),
            KeyCode::Char('a' | 'e' | 'm' | 'o' | 'u' | 'v' | 'w') | KeyCode::Backspace
                if self.is_drilling() => {}
            _ => return None,
        }
        Some(Go::Stay)
    }

    fn move_text(&self, m: &str) -> String {
        line_text(self.game.info(), &[m.to_owned()], Some(&self.game.view()))
    }

    /// Judges a move.
    pub(super) fn attempt(&mut self, text: &str, cx: &mut Context) -> Go {
        if !self.is_live() {
            self.show(usize::MAX, cx);
        }
        let Some(mut drill) = self.drill.take() else { return Go::Stay };
        let moves = self.game.moves();
        let mut own: Vec<_> = moves[drill.puzzle.moves.len()..].iter().step_by(2).cloned().collect();
        own.push(text.to_owned());
        let said = match Attempt::replay(&drill.puzzle, &own) {
            Err(why) => why,
            Ok((_, Some(_))) => {
                let not = cx.words.fill("puzzle.not", &[("move", &self.move_text(text))]);
                let kept = drill.decide(false, cx);
                [&not, cx.words.t("puzzle.again-said"), &kept].join(" ")
            }
            Ok((attempt, None)) => {
                let reply = attempt.course().last().filter(|_| !attempt.is_solved()).cloned();
                let before = self.game.view();
                self.replace(attempt.game(), cx);
                drill.is_over = attempt.is_solved();
                match reply {
                    Some(reply) => {
                        let reply = line_text(self.game.info(), &[reply], Some(&before));
                        cx.words.fill("puzzle.reply", &[("move", &reply)])
                    }
                    None => format!("{} {}", cx.words.t("puzzle.solved"), drill.decide(true, cx)),
                }
            }
        };
        self.message = Some(said.trim().to_owned());
        self.drill = Some(drill);
        Go::Stay
    }

    /// Shows the solution; the exercise comes again tomorrow.
    fn reveal(&mut self, cx: &mut Context) {
        let Some(mut drill) = self.drill.take() else { return };
        let mut game = drill.puzzle.game();
        let solution = line_text(game.info(), &drill.puzzle.solution, Some(&game.view()));
        for m in &drill.puzzle.solution {
            // Those of a puzzle are legal.
            let _ = game.play(m);
        }
        self.replace(&game, cx);
        drill.is_over = true;
        let kept = drill.decide(false, cx);
        self.message =
            Some(format!("{}: {solution}. {kept}", cx.words.t("puzzle.solution")).trim().to_owned());
        self.drill = Some(drill);
    }
}

/// The next exercise of today, or the screen before.
fn next(info: &GameInfo, cx: &mut Context) -> Go {
    match following(info, cx) {
        Some(screen) => Go::Replace(Box::new(Screen::Game(Box::new(screen)))),
        None => Go::Back,
    }
}

impl Drill {
    /// Keeps the answer of the first try, and says when the exercise comes again.
    fn decide(&mut self, is_solved: bool, cx: &Context) -> String {
        if self.is_decided {
            return String::new();
        }
        self.is_decided = true;
        let now = cx.unix_ms();
        let mut learned = cx.keep.learned();
        let Some(exercise) = learned.exercises.iter_mut().find(|it| it.id == self.exercise.id) else {
            return String::new();
        };
        answer(exercise, is_solved, now);
        let (is_known, days) = (exercise.is_known(), exercise.due.saturating_sub(day_of(now)));
        if let Err(why) = cx.keep.set_learned(&learned) {
            return cx.words.fill("tui.not-saved", &[("why", &why.to_string())]);
        }
        if is_known {
            cx.words.t("improve.known").to_owned()
        } else {
            cx.words.count("improve.due", days, &[])
        }
    }
}
