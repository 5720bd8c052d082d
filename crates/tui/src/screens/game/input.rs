//! Keys, clicks and typed words at a game. This file knows no rules: it chooses among the legal moves, and
//! refuses with a reason what matches none of them.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use protocol::{Claim, Command};
use ratatui::layout::Position;
use rules::{AnyGame, Cell, Choice, Coordinates, Kind, Outcome, Stage, Word};
use sentences::side_name;

use super::{GameScreen, Hint, Mode, typed};
use crate::{
    board::column_name,
    context::{Context, Hit},
    host::is_demo,
    keep,
    prompt::{Asks, Prompt, Typed},
    screens::{Go, Screen},
};

impl GameScreen {
    pub(crate) fn key(&mut self, key: KeyEvent, cx: &mut Context) -> Go {
        if let Some(prompt) = &mut self.prompt {
            let typed = prompt.key(key);
            return self.typed(typed, cx);
        }
        if self.helps {
            self.helps = false;
            return Go::Stay;
        }
        let shift = key.modifiers.contains(KeyModifiers::SHIFT);
        if let Some(go) = self.drill_key(key.code, cx) {
            return go;
        }
        let confirmed = self.confirm.take();
        if let Some(word) = self.word_of(key.code) {
            // A choice that no one sees on the board is marked first and then confirmed.
            self.confirm = Some(word.text().to_owned());
            let again = cx.words.fill("tui.again", &[("key", "Enter")]);
            self.message = Some(format!("{} {again}", cx.words.t(&format!("opening.{}", word.text()))));
            return Go::Stay;
        }
        match key.code {
            KeyCode::Left if shift => self.step(-1, cx),
            KeyCode::Right if shift => self.step(1, cx),
            KeyCode::Left => self.move_cursor(-1, 0),
            KeyCode::Right => self.move_cursor(1, 0),
            KeyCode::Up => self.move_cursor(0, 1),
            KeyCode::Down => self.move_cursor(0, -1),
            KeyCode::Char('[') | KeyCode::PageUp => self.step(-1, cx),
            KeyCode::Char(']') | KeyCode::PageDown => self.step(1, cx),
            KeyCode::Char('{') => self.show(0, cx),
            KeyCode::Char('}') => self.show(usize::MAX, cx),
            KeyCode::Home => self.cursor.column = if self.flipped { self.shown.view().cols - 1 } else { 0 },
            KeyCode::End => self.cursor.column = if self.flipped { 0 } else { self.shown.view().cols - 1 },
            KeyCode::Enter
                if self.words().iter().any(|(_, word)| confirmed.as_deref() == Some(word.text())) =>
            {
                return self.play(&confirmed.unwrap_or_default(), cx);
            }
            KeyCode::Enter if self.may_sit() => return self.command(&Command::Sit {}, cx),
            KeyCode::Enter | KeyCode::Char(' ') => {
                self.confirm = confirmed;
                return self.act(self.cursor, cx);
            }
            KeyCode::Tab => self.next_kind(),
            KeyCode::Char(digit @ '1'..='9') if self.names_columns() => {
                self.confirm = confirmed;
                return self.in_column(digit as u8 - b'1', cx);
            }
            KeyCode::Char('/' | ':') => {
                let examples = self.game.info().examples.join(", ");
                let title = cx.words.fill("tui.type-help", &[("examples", &examples)]);
                self.prompt = Some(Prompt::new(Asks::Move, title, ""));
            }
            KeyCode::Char('?') => self.helps = true,
            KeyCode::Esc if self.picked.is_some() => self.picked = None,
            KeyCode::Esc | KeyCode::Char('q') => return Go::Back,
            KeyCode::Char('h') => self.ask_hint(cx),
            KeyCode::Char('e') => self.toggle_evaluation(cx),
            KeyCode::Char('w') => self.explains = !self.explains,
            KeyCode::Char('f') => self.flipped = !self.flipped,
            KeyCode::Char('u') | KeyCode::Backspace => return self.take_back(cx),
            KeyCode::Char('v') => return self.study_of(cx, true),
            KeyCode::Char('a') => return self.study_of(cx, false),
            KeyCode::Char('m') => self.next_moment(cx),
            KeyCode::Char('y') => {
                cx.clipboard = Some(keep::written(&self.snapshot, &self.game, cx.unix_ms()));
                self.message = Some(cx.words.t("tui.copied").to_owned());
            }
            KeyCode::Char('s') => {
                let name = format!("{}.txt", self.game.info().id);
                self.prompt = Some(Prompt::new(Asks::SaveAs, cx.words.t("tui.save-as"), name));
            }
            KeyCode::Char('o') if self.mode == Mode::Study => {
                self.prompt = Some(Prompt::new(Asks::Open, cx.words.t("tui.open-what"), ""));
            }
            KeyCode::Char('c') if self.may_chat() => {
                self.prompt = Some(Prompt::new(Asks::Chat, cx.words.t("chat.say"), ""));
            }
            KeyCode::Char('-') if self.offer().is_some() => return self.decline(cx),
            KeyCode::Char('+') if self.may_claim(cx.now) => {
                return self.command(&Command::Claim { result: Claim::Win }, cx);
            }
            KeyCode::Char('=') if self.may_claim(cx.now) => {
                return self.command(&Command::Claim { result: Claim::Draw }, cx);
            }
            KeyCode::Char('n') if self.mode == Mode::Play => {
                if self.host.online().is_some() && !self.is_over() {
                    return Go::Stay;
                }
                if self.is_over() || self.game.moves().is_empty() || confirmed.as_deref() == Some("n") {
                    return self.again(cx);
                }
                self.ask_twice("n", "action.new", cx);
            }
            KeyCode::Char('x') if self.mode == Mode::Play && !self.is_over() => {
                if confirmed.as_deref() == Some("x") {
                    return self.command(&Command::Resign {}, cx);
                }
                self.ask_twice("x", "resign.title", cx);
            }
            KeyCode::Char('d') if self.mode == Mode::Play => return self.command(&Command::OfferDraw {}, cx),
            KeyCode::Char('p') if is_demo(&self.snapshot) => {
                let pace = self.snapshot.pace;
                return self.command(&Command::Pace { paused: !pace.paused, delay_ms: pace.delay_ms }, cx);
            }
            KeyCode::Char('.') if is_demo(&self.snapshot) => return self.command(&Command::Step {}, cx),
            KeyCode::Char(letter) if letter.is_uppercase() => {
                if let Some(kind) = typed::kind_of(&cx.words, self.game.info(), letter) {
                    self.kind = Some(kind);
                }
            }
            _ => {}
        }
        Go::Stay
    }

    fn ask_twice(&mut self, key: &str, question: &str, cx: &Context) {
        self.confirm = Some(key.to_owned());
        let again = cx.words.fill("tui.again", &[("key", key)]);
        self.message = Some(format!("{} {again}", cx.words.t(question)));
    }

    pub(crate) fn paste(&mut self, text: &str, cx: &mut Context) -> Go {
        match &mut self.prompt {
            Some(prompt) => {
                let typed = prompt.paste(text);
                self.typed(typed, cx)
            }
            None if self.mode == Mode::Study && self.drill.is_none() => self.open_text(text, cx),
            None => self.play_words(text, cx),
        }
    }

    fn typed(&mut self, typed: Typed, cx: &mut Context) -> Go {
        let Typed::Done(text) = typed else {
            if typed == Typed::Cancelled {
                self.prompt = None;
            }
            return Go::Stay;
        };
        let Some(prompt) = self.prompt.take() else { return Go::Stay };
        match prompt.asks {
            Asks::Open => self.open_text(&text, cx),
            Asks::Chat if text.is_empty() => Go::Stay,
            Asks::Chat => self.command(&Command::Chat { text }, cx),
            Asks::SaveAs => {
                let saved = std::fs::write(&text, keep::written(&self.snapshot, &self.game, cx.unix_ms()));
                self.message = Some(match saved {
                    Ok(()) => cx.words.fill("tui.saved", &[("path", &text)]),
                    Err(why) => cx.words.fill("tui.not-saved", &[("why", &why.to_string())]),
                });
                Go::Stay
            }
            _ => self.play_words(&text, cx),
        }
    }

    fn read(&self, word: &str, cx: &Context) -> Option<Choice> {
        typed::find(&cx.words, self.game.info(), &self.choices(), self.chosen_kind(), word)
    }

    /// Plays typed moves, up to the first that the reader may not make.
    fn play_words(&mut self, text: &str, cx: &mut Context) -> Go {
        for word in text.split_whitespace() {
            if let Some((_, chosen)) = self.words().into_iter().find(|(_, known)| known.text() == word) {
                self.play(chosen.text(), cx);
                continue;
            }
            // A word may be several moves, unless the whole is one.
            let parts = match self.read(word, cx) {
                Some(_) => vec![word.to_owned()],
                None => typed::split(&self.shown, word),
            };
            for part in parts {
                let Some(choice) = self.read(&part, cx) else {
                    let key = if self.can_move() { "refuse.typed" } else { "refuse.not-now" };
                    let key = if self.is_over() { "refuse.over" } else { key };
                    self.message = Some(cx.words.fill(key, &[("text", &part)]));
                    return Go::Stay;
                };
                let ply = self.ply();
                self.play(&choice.text, cx);
                if self.ply() == ply {
                    return Go::Stay;
                }
            }
        }
        Go::Stay
    }

    pub(crate) fn click(&mut self, hit: Hit, at: Position, cx: &mut Context) -> Go {
        match hit {
            Hit::Key(code) => return self.key(KeyEvent::new(code, KeyModifiers::NONE), cx),
            Hit::Ply(ply) => self.show(ply, cx),
            Hit::Kind(kind) => self.kind = Some(kind),
            Hit::Board(grid) => {
                if let Some(cell) = grid.cell_at(at) {
                    self.cursor = cell;
                    return self.act(cell, cx);
                }
            }
            Hit::Row(_) => {}
        }
        Go::Stay
    }

    /// Moves the cursor to the mouse, if that is over the board. Returns whether the screen changes.
    pub(crate) fn hover(&mut self, hit: Hit, at: Position) -> bool {
        let Hit::Board(grid) = hit else { return false };
        let Some(cell) = grid.cell_at(at) else { return false };
        let changed = self.cursor != cell && self.can_move();
        if changed {
            self.cursor = cell;
        }
        changed
    }

    /// Steps through the moves with the wheel.
    pub(crate) fn scroll(&mut self, up: bool, cx: &mut Context) {
        self.step(if up { -1 } else { 1 }, cx);
    }

    fn step(&mut self, by: isize, cx: &mut Context) {
        let ply = self.ply().saturating_add_signed(by);
        if ply != self.ply() && ply <= self.game.moves().len() {
            self.show(ply, cx);
        }
    }

    fn move_cursor(&mut self, right: i8, up: i8) {
        let view = self.shown.view();
        let (right, up) = if self.flipped { (-right, -up) } else { (right, up) };
        self.cursor.column = self.cursor.column.saturating_add_signed(right).min(view.cols - 1);
        self.cursor.row = self.cursor.row.saturating_add_signed(up).min(view.rows - 1);
    }

    /// The words of an opening that the reader may choose, with their keys. Where digits choose columns, the only word has
    /// the key 0.
    pub(super) fn words(&self) -> Vec<(char, Word)> {
        if !self.can_move() {
            return Vec::new();
        }
        let stage = self.shown.stage();
        let first = if stage.may_move() { '0' } else { '1' };
        (first..).zip(stage.words().iter().copied()).collect()
    }

    fn word_of(&self, code: KeyCode) -> Option<Word> {
        let words = self.words();
        words.into_iter().find_map(|(key, word)| (code == KeyCode::Char(key)).then_some(word))
    }

    fn names_columns(&self) -> bool {
        self.game.info().coordinates == Coordinates::Columns
    }

    /// The kinds that can be placed.
    pub(super) fn kinds(&self) -> Vec<Kind> {
        let mut kinds = Vec::new();
        for choice in self.choices().into_iter().filter(|choice| choice.from.is_none()) {
            if !kinds.contains(&choice.kind) {
                kinds.push(choice.kind);
            }
        }
        kinds
    }

    /// The chosen kind, or the next one that is left.
    pub(crate) fn chosen_kind(&self) -> Option<Kind> {
        let kinds = self.kinds();
        self.kind.filter(|kind| kinds.contains(kind)).or_else(|| kinds.first().copied())
    }

    fn next_kind(&mut self) {
        let kinds = self.kinds();
        if let Some(at) = self.chosen_kind().and_then(|kind| kinds.iter().position(|other| *other == kind)) {
            self.kind = Some(kinds[(at + 1) % kinds.len()]);
        }
    }

    /// The placement of the chosen kind on a cell, or in its column where pieces fall.
    pub(super) fn placement(&self, cell: Cell) -> Option<Choice> {
        let falls = self.game.info().falls;
        let kind = self.chosen_kind();
        self.choices().into_iter().find(|choice| {
            choice.from.is_none()
                && Some(choice.kind) == kind
                && choice.to.column == cell.column
                && (falls || choice.to.row == cell.row)
        })
    }

    /// Where the picked piece can go, or where pieces can be placed one by one.
    pub(super) fn targets(&self) -> Vec<Cell> {
        let choices = self.choices();
        match self.picked {
            Some(from) => {
                choices.iter().filter(|choice| choice.from == Some(from)).map(|choice| choice.to).collect()
            }
            None if choices.iter().all(|choice| choice.from.is_some()) => {
                choices.iter().filter_map(|choice| choice.from).collect()
            }
            None if self.game.info().falls => choices
                .iter()
                .filter(|choice| Some(choice.kind) == self.chosen_kind())
                .map(|choice| choice.to)
                .collect(),
            // Every empty cell is one: dots would be noise.
            None => Vec::new(),
        }
    }

    fn in_column(&mut self, column: u8, cx: &mut Context) -> Go {
        if column >= self.shown.view().cols {
            let text = (column + 1).to_string();
            self.message = Some(cx.words.fill("refuse.typed", &[("text", &text)]));
            return Go::Stay;
        }
        self.cursor.column = column;
        // At the bottom there may be a piece to take out.
        self.act(Cell::new(column, self.shown.view().rows - 1), cx)
    }

    /// Acts on a cell: places, picks or moves a piece.
    fn act(&mut self, cell: Cell, cx: &mut Context) -> Go {
        let choices = self.choices();
        if choices.is_empty() {
            let key = match () {
                () if self.is_over() || self.shown.outcome().is_some() => "refuse.over",
                () if !self.is_live() => "moves.behind",
                () if matches!(self.shown.stage(), Stage::Choose { .. }) => "opening.choose",
                () => "refuse.not-now",
            };
            let (ply, all) = (self.ply().to_string(), self.game.moves().len().to_string());
            self.message = Some(cx.words.fill(key, &[("ply", &ply), ("n", &all)]));
            return Go::Stay;
        }
        let name = cell.to_string();
        let step = choices
            .iter()
            .find(|choice| self.picked.is_some() && choice.from == self.picked && choice.to == cell);
        if let Some(choice) = step {
            return self.make(&choice.text.clone(), cx);
        }
        if choices.iter().any(|choice| choice.from == Some(cell)) {
            self.picked = if self.picked == Some(cell) { None } else { Some(cell) };
            let takes_out = |choice: &Choice| choice.from == self.picked && choice.to == cell;
            self.message = choices.iter().any(takes_out).then(|| {
                let piece = side_name(&cx.words, self.game.info(), self.shown.turn());
                cx.words.fill("say.picked-out", &[("piece", &piece)])
            });
            return Go::Stay;
        }
        if choices.iter().all(|choice| choice.from.is_some()) {
            let is_own = self.shown.view().piece(cell).is_some_and(|piece| piece.side == self.shown.turn());
            let from = self.picked.map(|from| from.to_string()).unwrap_or_default();
            let key = match self.picked {
                Some(_) => "refuse.cannot-go",
                None if is_own => "refuse.no-way",
                None => "refuse.pick-own",
            };
            self.message = Some(cx.words.fill(key, &[("from", &from), ("to", &name), ("cell", &name)]));
            return Go::Stay;
        }
        if let Some(choice) = self.placement(cell) {
            return self.make(&choice.text, cx);
        }
        let view = self.shown.view();
        let is_full = view.piece(Cell::new(cell.column, view.rows - 1)).is_some();
        let column = column_name(self.game.info(), cell.column);
        let key = match self.game.info().falls {
            true if is_full => "refuse.column-full",
            true => "refuse.no-piece",
            false => "refuse.cell-taken",
        };
        let foul = view.foul(cell).map(|foul| cx.words.t(&format!("foul.{}", foul.id())).to_owned());
        if let Some(foul) = foul {
            self.message = Some(cx.words.fill("foul.refuse", &[("cell", &name), ("foul", &foul)]));
            return Go::Stay;
        }
        self.message = Some(cx.words.fill(key, &[("column", &column), ("cell", &name)]));
        Go::Stay
    }

    /// Makes a move; one that gives the game away must be confirmed.
    fn make(&mut self, text: &str, cx: &mut Context) -> Go {
        if self.mode == Mode::Play && self.game.info().mover_may_lose && self.confirm.as_deref() != Some(text)
        {
            let mut after: AnyGame = self.game.clone();
            let gives_away = after.play(text).is_ok()
                && matches!(after.outcome(), Some(Outcome::Win(winner)) if winner != self.game.turn());
            if gives_away {
                self.confirm = Some(text.to_owned());
                let sure = cx.words.fill("guard.sure", &[("move", text)]);
                let again = cx.words.fill("tui.again", &[("key", "Enter")]);
                self.message = Some(format!("{sure} {again}"));
                return Go::Stay;
            }
        }
        self.play(text, cx)
    }

    fn take_back(&mut self, cx: &mut Context) -> Go {
        match self.mode {
            Mode::Play => self.command(&Command::TakeBack {}, cx),
            Mode::Study => {
                self.step(-1, cx);
                Go::Stay
            }
        }
    }

    /// Opens a study of what is shown, or a review of the whole game.
    fn study_of(&mut self, cx: &mut Context, reviews: bool) -> Go {
        if !self.may_help() {
            self.message = Some(cx.words.t("refuse.no-help").to_owned());
            return Go::Stay;
        }
        self.hint = Hint::No;
        if self.mode == Mode::Study {
            if reviews {
                self.begin_review(cx);
            }
            return Go::Stay;
        }
        cx.engine.cancel_all();
        let opened = if reviews { Self::review(&self.game, cx) } else { Self::study(&self.shown, cx) };
        match opened {
            Ok(screen) => Go::open(Screen::Game(Box::new(screen))),
            Err(why) => {
                self.message = Some(why);
                Go::Stay
            }
        }
    }

    /// Handles the return to this screen from another one.
    pub(crate) fn return_to(&mut self, cx: &mut Context) {
        self.assess(cx);
        if !cx.engine.is_busy(crate::engine::Slot::Choose) {
            self.go_on(cx);
        }
    }
}
