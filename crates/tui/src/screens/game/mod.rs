//! A game on the screen: played here, online, or studied. It draws a snapshot of the table, and sends actions
//! to the table as commands.

mod draw;
mod drill;
mod input;
mod online;
mod panel;
mod study;
mod typed;

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use ::study::review::Reviewed;
use protocol::{Assessment, Command, Occupant, Snapshot, Status};
use rules::{AnyGame, Cell, Choice, Kind, Side};
use sentences::{error_text, occupant_name, side_name};
use table::{LocalDone, LocalTable};

use crate::{
    context::Context,
    engine::Slot,
    event::Answer,
    host::{Host, is_demo},
    keep,
    local::{NewGame, at_ply, only_side},
    prompt::Prompt,
    screens::{Go, Screen},
};

/// How long a piece falls by one row.
const ROW_TIME: Duration = Duration::from_millis(45);
/// A program's move takes at least this long, so that a person can follow.
const MIN_THINKING_TIME: Duration = Duration::from_millis(450);

/// The mode of the screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    Play,
    /// Moves are tried out, and the evaluation is on.
    Study,
}

/// How much a hint reveals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Hint {
    No,
    Area,
    Move,
}

/// A piece falling to its cell.
struct Falling {
    cell: Cell,
    from: u8,
    since: Instant,
}

pub(crate) struct GameScreen {
    host: Host,
    mode: Mode,
    snapshot: Snapshot,
    /// When the snapshot was taken: clocks run on from there.
    taken: Instant,
    /// The game as it stands.
    game: AnyGame,
    /// Its moves as they are listed.
    texts: Vec<String>,
    /// The game at the move that is shown.
    shown: AnyGame,
    cursor: Cell,
    kind: Option<Kind>,
    picked: Option<Cell>,
    flipped: bool,
    falling: Option<Falling>,
    evaluates: bool,
    explains: bool,
    hint: Hint,
    /// The assessment of the position that is shown.
    assessment: Option<Assessment>,
    review: Vec<Reviewed>,
    message: Option<String>,
    /// The move or key that needs confirmation.
    confirm: Option<String>,
    prompt: Option<Prompt>,
    helps: bool,
    /// Whether a move is on its way to a server.
    is_sending: bool,
    /// Whether the server can be reached.
    is_linked: bool,
    /// The exercise that is solved here.
    drill: Option<Box<drill::Drill>>,
}

impl GameScreen {
    /// Starts a new game.
    ///
    /// # Errors
    /// If it cannot be set up.
    pub(crate) fn start(new: &NewGame, cx: &mut Context) -> Result<Self, String> {
        for name in new.seats.iter().flatten() {
            cx.engine.check(&new.start, name).map_err(|error| error.to_string())?;
        }
        let mut screen = Self::of(Host::Local(Box::new(new.table(cx.unix_ms())?)), Mode::Play, cx);
        screen.go_on(cx);
        Ok(screen)
    }

    /// Resumes the unfinished game.
    pub(crate) fn resume(local: LocalTable, cx: &mut Context) -> Self {
        let mut screen = Self::of(Host::Local(Box::new(local)), Mode::Play, cx);
        screen.go_on(cx);
        screen
    }

    fn of(host: Host, mode: Mode, cx: &Context) -> Self {
        let snapshot = host.snapshot(cx.unix_ms());
        let game = host.game().clone();
        let view = game.view();
        // One who plays second sees the board from there only where cells have two ends to look from.
        let cursor = Cell::new(view.cols / 2, if game.info().falls { 0 } else { view.rows / 2 });
        Self {
            host,
            mode,
            snapshot,
            taken: cx.now,
            texts: panel::move_texts(&game, &[]),
            shown: game.clone(),
            game,
            cursor,
            kind: None,
            picked: None,
            flipped: false,
            falling: None,
            evaluates: mode == Mode::Study || cx.settings.evaluation,
            explains: false,
            hint: Hint::No,
            assessment: None,
            review: Vec::new(),
            message: None,
            confirm: None,
            prompt: None,
            helps: false,
            is_sending: false,
            is_linked: true,
            drill: None,
        }
    }

    /// The number of the move that is shown.
    fn ply(&self) -> usize {
        self.shown.moves().len()
    }

    fn is_live(&self) -> bool {
        self.ply() == self.game.moves().len()
    }

    fn is_over(&self) -> bool {
        self.snapshot.status == Status::Ended
    }

    /// The only side that the reader plays.
    fn you(&self) -> Option<Side> {
        if self.mode == Mode::Study { None } else { only_side(&self.snapshot.you) }
    }

    /// Whether the reader may move in the position that is shown.
    fn can_move(&self) -> bool {
        match self.mode {
            Mode::Study => self.shown.outcome().is_none(),
            Mode::Play => {
                self.is_live()
                    && !self.is_sending
                    && self.snapshot.status == Status::Playing
                    && self.snapshot.you.contains(&self.game.turn())
            }
        }
    }

    /// The moves that the reader may make.
    pub(crate) fn choices(&self) -> Vec<Choice> {
        if self.can_move() { self.shown.choices() } else { Vec::new() }
    }

    pub(crate) fn moves(&self) -> Vec<String> {
        self.game.moves()
    }

    pub(crate) fn cursor(&self) -> Cell {
        self.cursor
    }

    /// The name of the player of a side.
    fn name(&self, side: Side, cx: &Context) -> String {
        let words = &cx.words;
        let occupant = &self.snapshot.seats[side.index()];
        match occupant {
            Occupant::Person { .. } if self.you() == Some(side) => words.t("bar.you").to_owned(),
            Occupant::Person { .. } if self.host.online().is_none() => {
                side_name(words, self.game.info(), side)
            }
            _ => occupant_name(words, occupant),
        }
    }

    /// Sends a command to the table.
    fn command(&mut self, command: &Command, cx: &mut Context) -> Go {
        let local = match &mut self.host {
            Host::Local(local) => local,
            Host::Online(online) => {
                online.send(command.clone());
                return Go::Stay;
            }
        };
        match local.command(command, cx.unix_ms()) {
            Ok(LocalDone::Changed) => {
                self.refresh(cx);
                self.go_on(cx);
                Go::Stay
            }
            Ok(LocalDone::Rematch) => self.again(cx),
            Err(error) => {
                self.message = Some(error_text(&cx.words, &error));
                Go::Stay
            }
        }
    }

    /// Starts another game of the same players, with sides exchanged.
    fn again(&mut self, cx: &mut Context) -> Go {
        let Host::Local(local) = &self.host else { return self.command(&Command::Rematch {}, cx) };
        cx.engine.cancel_all();
        match Self::start(&NewGame::rematch(local), cx) {
            Ok(screen) => Go::Replace(Box::new(Screen::Game(Box::new(screen)))),
            Err(why) => {
                self.message = Some(why);
                Go::Stay
            }
        }
    }

    /// Applies what has changed at the table.
    fn refresh(&mut self, cx: &mut Context) {
        let was_over = self.is_over();
        let before = self.game.moves().len();
        let was_live = self.is_live();
        self.snapshot = self.host.snapshot(cx.unix_ms());
        self.taken = cx.now;
        self.is_sending = false;
        self.game = self.host.game().clone();
        self.texts = panel::move_texts(&self.game, &self.texts);
        self.message = None;
        self.confirm = None;
        self.picked = None;
        let made = self.game.moves().len();
        if was_live || made < before {
            self.show(made, cx);
        }
        if made == before + 1 && was_live && cx.settings.animation && self.game.info().falls {
            self.falling = self.fall(cx.now);
        }
        if self.mode == Mode::Play {
            if let Host::Local(local) = &self.host {
                // A game that cannot be kept can still be played.
                let _ = cx.keep.set_current(Some(local));
            }
            if self.is_over() && !was_over {
                cx.engine.cancel(Slot::Choose);
                let is_own = self.host.online().is_none() || !self.snapshot.you.is_empty();
                if is_own
                    && let Err(why) = cx.keep.add(&keep::written(&self.snapshot, &self.game, cx.unix_ms()))
                {
                    let text = cx.words.fill("tui.not-saved", &[("why", &why.to_string())]);
                    self.message = Some(text);
                }
            }
        }
    }

    /// The piece that has just been dropped, at the top of its column.
    fn fall(&self, now: Instant) -> Option<Falling> {
        let view = self.game.view();
        let &[cell] = view.last.as_slice() else { return None };
        view.piece(cell)?;
        Some(Falling { cell, from: view.rows - 1, since: now })
    }

    /// Starts the search of the program whose turn it is, if there is one.
    fn go_on(&mut self, cx: &mut Context) {
        if self.mode == Mode::Study {
            return;
        }
        if let Some(name) = self.host.program_to_move() {
            let least = if cx.settings.animation { MIN_THINKING_TIME } else { Duration::ZERO };
            let pace = if is_demo(&self.snapshot) {
                Duration::from_millis(self.snapshot.pace.delay_ms)
            } else {
                least
            };
            cx.engine.choose(&self.game, name, cx.pace.unwrap_or(pace));
        } else {
            cx.engine.cancel(Slot::Choose);
        }
    }

    /// Shows the game after this number of moves.
    fn show(&mut self, ply: usize, cx: &mut Context) {
        self.shown = at_ply(&self.game, ply.min(self.game.moves().len()));
        self.picked = None;
        self.confirm = None;
        self.falling = None;
        self.hint = Hint::No;
        self.assessment = None;
        self.assess(cx);
    }

    /// Makes a move, at the table or in the study.
    fn play(&mut self, text: &str, cx: &mut Context) -> Go {
        if self.is_drilling() {
            return self.attempt(text, cx);
        }
        if self.mode == Mode::Study {
            let mut game = self.shown.clone();
            return match game.play(text) {
                Ok(()) => self.replace(&game, cx),
                Err(error) => {
                    self.message = Some(error.to_string());
                    Go::Stay
                }
            };
        }
        let ply = self.game.moves().len() as u32 + 1;
        self.is_sending = self.host.online().is_some();
        self.command(&Command::MakeMove { ply, text: text.to_owned(), lag_ms: 0, seen: None }, cx)
    }

    /// Handles an answer of a search thread.
    pub(crate) fn answer(&mut self, job: u64, answer: Answer, cx: &mut Context) -> Go {
        match answer {
            Answer::Chosen(_) if !cx.engine.is_current(Slot::Choose, job) => Go::Stay,
            Answer::Chosen(Ok(thought)) => {
                cx.engine.finish(Slot::Choose);
                let Host::Local(local) = &mut self.host else { return Go::Stay };
                match local.program_moves(thought, cx.unix_ms()) {
                    Ok(_) => {
                        self.refresh(cx);
                        self.go_on(cx);
                    }
                    Err(error) => self.fail(&error.message, cx),
                }
                Go::Stay
            }
            Answer::Chosen(Err(why)) => {
                cx.engine.finish(Slot::Choose);
                self.fail(&why, cx);
                Go::Stay
            }
            Answer::Assessed(assessment) => {
                if cx.engine.is_current(Slot::Assess, job) {
                    if assessment.done {
                        cx.engine.finish(Slot::Assess);
                    }
                    self.assessment = Some(assessment);
                    self.say_hint(cx);
                }
                Go::Stay
            }
            Answer::Reviewed(reviewed) => {
                if cx.engine.is_current(Slot::Review, job) {
                    self.review.push(*reviewed);
                }
                Go::Stay
            }
            Answer::ReviewDone => {
                if cx.engine.is_current(Slot::Review, job) {
                    cx.engine.finish(Slot::Review);
                }
                Go::Stay
            }
            Answer::Learned(_) => Go::Stay,
        }
    }

    fn fail(&mut self, why: &str, cx: &mut Context) {
        let name = self.name(self.game.turn(), cx);
        if let Host::Local(local) = &mut self.host {
            local.program_fails(cx.unix_ms());
        }
        self.refresh(cx);
        self.message = Some(cx.words.fill("tui.program-failed", &[("name", &name), ("why", why)]));
    }

    /// The next time at which the screen changes by itself, because a piece falls or a clock runs.
    pub(crate) fn deadline(&self, cx: &Context) -> Option<Instant> {
        let falls = self.falling.as_ref().map(|falling| {
            let rows = falling.rows_at(cx.now) + 1;
            falling.since + ROW_TIME * u32::from(rows)
        });
        let ticks = self.snapshot.clocks.and_then(|clocks| {
            let left = self.left_ms(clocks.running?, cx.now)?;
            let step = if left < 10_000 { 100 } else { 1_000 };
            Some(cx.now + Duration::from_millis(left % step + 1))
        });
        [falls, ticks, self.next_second(cx.now)].into_iter().flatten().min()
    }

    /// Handles a due picture.
    pub(crate) fn wake(&mut self, cx: &mut Context) {
        if self.falling.as_ref().is_some_and(|falling| falling.row(cx.now) == falling.cell.row) {
            self.falling = None;
        }
        if let Host::Local(local) = &mut self.host
            && self.mode == Mode::Play
            && local.flag(cx.unix_ms())
        {
            self.refresh(cx);
        }
    }

    /// The time left on a side's clock.
    fn left_ms(&self, side: Side, now: Instant) -> Option<u64> {
        let clocks = self.snapshot.clocks?;
        let used = if clocks.running == Some(side) {
            now.saturating_duration_since(self.taken)
        } else {
            Duration::ZERO
        };
        Some(clocks.left_ms[side.index()].saturating_sub(used.as_millis() as u64))
    }

    /// The cells highlighted by a hint or the reasons.
    fn lit(&self, cx: &Context) -> Vec<Cell> {
        let mut cells: BTreeSet<Cell> = BTreeSet::new();
        if self.explains {
            let said = self.why(cx);
            cells.extend(said.iter().flat_map(|sentence| &sentence.cells));
        }
        if self.hint != Hint::No
            && let Some(best) = self.best_choice()
        {
            cells.insert(best.to);
            if self.hint == Hint::Area {
                let view = self.shown.view();
                let near = |at: u8, most: u8| at.saturating_sub(1)..=(at + 1).min(most - 1);
                for row in near(best.to.row, view.rows) {
                    cells.extend(near(best.to.column, view.cols).map(|column| Cell::new(column, row)));
                }
            } else {
                cells.extend(best.from);
            }
        }
        cells.into_iter().collect()
    }

    fn best_choice(&self) -> Option<Choice> {
        let best = self.assessment.as_ref()?.known.best()?;
        self.shown.choices().into_iter().find(|choice| choice.text == best.text)
    }

    /// Whether another game of the same players may follow.
    fn has_programs(&self) -> bool {
        self.snapshot.seats.iter().any(Occupant::is_program)
    }

    pub(crate) fn leave(&mut self, cx: &mut Context) {
        cx.engine.cancel_all();
    }
}

impl Falling {
    fn rows_at(&self, now: Instant) -> u8 {
        let rows = now.saturating_duration_since(self.since).as_millis() / ROW_TIME.as_millis();
        rows.min(u128::from(self.from - self.cell.row)) as u8
    }

    /// The row where the piece is now.
    fn row(&self, now: Instant) -> u8 {
        self.from - self.rows_at(now)
    }
}
