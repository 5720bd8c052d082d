//! Before a game: the opponent, the level, the size, who plays first, the clock. What can be chosen comes from the
//! table of games and the roster.

use crossterm::event::{KeyCode, KeyEvent};
use players::roster::{self, Parameter};
use protocol::Clock;
use ratatui::layout::Rect;
use rules::{AnyGame, GameInfo, Opening, Spec, SpecError};
use sentences::{clock_text, program_name, rules_name, size_of, title};

use super::{GameScreen, Go, Screen, frame, scrolled, step};
use crate::{
    context::{Canvas, Context, Hit},
    local::NewGame,
    prompt::{Asks, Prompt, Typed},
};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Row {
    Opponent,
    Level,
    Second,
    Size,
    Rules,
    Opening,
    Side,
    Clock,
    Start,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Opponent {
    Program,
    Here,
    Demo,
}

const OPPONENTS: [(Opponent, &str); 3] = [
    (Opponent::Program, "tui.opponent-program"),
    (Opponent::Here, "opponent.here"),
    (Opponent::Demo, "opponent.demo"),
];
const SIDES: [&str; 3] = ["side-preference.first", "side-preference.second", "side-preference.random"];
pub(super) const CLOCKS: [Clock; 5] = [
    Clock::None,
    Clock::Game { initial_ms: 60_000, increment_ms: 1_000 },
    Clock::Game { initial_ms: 180_000, increment_ms: 2_000 },
    Clock::Game { initial_ms: 300_000, increment_ms: 3_000 },
    Clock::Game { initial_ms: 600_000, increment_ms: 5_000 },
];

pub(crate) struct Setup {
    info: &'static GameInfo,
    analyses: bool,
    row: usize,
    opponent: usize,
    /// Names of the roster: levels first, then the others.
    programs: Vec<String>,
    program: usize,
    second: usize,
    sizes: Vec<String>,
    size: usize,
    /// The place of the rule set among those of the game.
    rules: usize,
    /// The place of the opening among those of the game.
    opening: usize,
    side: usize,
    clock: usize,
    prompt: Option<Prompt>,
    message: Option<String>,
}

impl Setup {
    pub(crate) fn new(info: &'static GameInfo, is_demo: bool) -> Self {
        let mut sizes: Vec<String> = info.suggested.iter().map(|&spec| spec.to_owned()).collect();
        if sizes.is_empty() {
            sizes.push(info.standard.to_owned());
        }
        let mut setup = Self {
            info,
            analyses: false,
            row: 0,
            opponent: if is_demo { 2 } else { 0 },
            programs: Vec::new(),
            program: 0,
            second: 0,
            sizes,
            size: 0,
            rules: 0,
            opening: 0,
            side: 0,
            clock: 0,
            prompt: None,
            message: None,
        };
        setup.list_programs();
        setup.row = setup.rows().len() - 1;
        setup
    }

    /// Prepares the choice of an empty board to study.
    pub(crate) fn analysis(info: &'static GameInfo) -> Self {
        let mut setup = Self { analyses: true, ..Self::new(info, false) };
        setup.row = setup.rows().len() - 1;
        setup
    }

    fn game(&self) -> AnyGame {
        self.spec().unwrap_or_else(|_| self.sizes[self.size].parse().expect("sizes are specs")).into()
    }

    /// The chosen size with the chosen rules and opening, which may not go together.
    fn spec(&self) -> Result<Spec, SpecError> {
        let mut spec = self.sizes[self.size].clone();
        for (chosen, ids) in [(self.rules, self.info.rule_sets), (self.opening, self.info.openings)] {
            if chosen > 0 {
                spec = format!("{spec}:{}", ids[chosen]);
            }
        }
        spec.parse()
    }

    /// Lists the programs for the chosen size; keeps the chosen level.
    fn list_programs(&mut self) {
        let game = self.game();
        let was_empty = self.programs.is_empty();
        let levels = roster::levels(&game);
        self.programs = levels.iter().map(|level| format!("level:{}", level.level)).collect();
        for listing in roster::players(&game) {
            match listing.parameter {
                _ if listing.name == "level" => {}
                Parameter::Number(range) => {
                    self.programs.extend((1..=range.offered).map(|n| format!("{}:{n}", listing.name)));
                }
                Parameter::Strength(_) => {}
                Parameter::Level(names) => {
                    self.programs.extend(names.iter().map(|name| format!("{}:{name}", listing.name)));
                }
                _ => self.programs.push(listing.name.to_owned()),
            }
        }
        if was_empty {
            self.program = levels.len().div_ceil(2).saturating_sub(1);
            self.second = levels.len().saturating_sub(1);
        }
        self.program = self.program.min(self.programs.len() - 1);
        self.second = self.second.min(self.programs.len() - 1);
    }

    fn opponent(&self) -> Opponent {
        OPPONENTS[self.opponent].0
    }

    fn rows(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        if !self.analyses {
            rows.push(Row::Opponent);
            if self.opponent() != Opponent::Here {
                rows.push(Row::Level);
            }
            if self.opponent() == Opponent::Demo {
                rows.push(Row::Second);
            }
        }
        if self.info.size.has_choice() {
            rows.push(Row::Size);
        }
        if !self.info.rule_sets.is_empty() {
            rows.push(Row::Rules);
        }
        if !self.info.openings.is_empty() && !self.analyses {
            rows.push(Row::Opening);
        }
        if !self.analyses {
            if self.opponent() == Opponent::Program {
                rows.push(Row::Side);
            }
            rows.push(Row::Clock);
        }
        rows.push(Row::Start);
        rows
    }

    pub(crate) fn select(&mut self, row: usize) {
        self.row = row.min(self.rows().len() - 1);
    }

    pub(crate) fn key(&mut self, key: KeyEvent, cx: &mut Context) -> Go {
        if let Some(prompt) = &mut self.prompt {
            match prompt.key(key) {
                Typed::More => {}
                Typed::Cancelled => self.prompt = None,
                Typed::Done(text) => {
                    self.prompt = None;
                    self.add_size(&text);
                }
            }
            return Go::Stay;
        }
        self.message = None;
        let rows = self.rows();
        match key.code {
            KeyCode::Down | KeyCode::Tab | KeyCode::Char('j') => self.row = step(self.row, 1, rows.len()),
            KeyCode::Up | KeyCode::BackTab | KeyCode::Char('k') => self.row = step(self.row, -1, rows.len()),
            KeyCode::Left => self.change(rows[self.row], -1),
            KeyCode::Right => self.change(rows[self.row], 1),
            KeyCode::Enter | KeyCode::Char(' ') if rows[self.row] == Row::Start => return self.start(cx),
            KeyCode::Enter | KeyCode::Char(' ') => self.change(rows[self.row], 1),
            KeyCode::Char('g' | 'p') => return self.start(cx),
            KeyCode::Char('t') if self.info.size.has_choice() => {
                self.prompt = Some(Prompt::new(Asks::Number, self.info.form, self.sizes[self.size].as_str()));
            }
            KeyCode::Esc | KeyCode::Char('q') => return Go::Back,
            _ => {}
        }
        Go::Stay
    }

    /// Adds a size that was typed.
    fn add_size(&mut self, text: &str) {
        let written = if text.contains(':') || text == self.info.id {
            text.to_owned()
        } else {
            format!("{}:{text}", self.info.id)
        };
        match written.parse::<Spec>() {
            Ok(spec) if spec.info().id == self.info.id => {
                let rules =
                    spec.rule_set().and_then(|id| self.info.rule_sets.iter().position(|other| *other == id));
                self.rules = rules.unwrap_or(0);
                let opening = self.info.openings.iter().position(|id| *id == spec.opening().id());
                self.opening = opening.filter(|_| !self.analyses).unwrap_or(0);
                let board = spec.with_usual_rules();
                let board = board.with_opening(Opening::Free).unwrap_or(board).to_string();
                self.size = self.sizes.iter().position(|size| *size == board).unwrap_or_else(|| {
                    self.sizes.push(board);
                    self.sizes.len() - 1
                });
                self.list_programs();
            }
            Ok(_) => self.message = Some(self.info.form.to_owned()),
            Err(error) => self.message = Some(error.to_string()),
        }
    }

    fn change(&mut self, row: Row, by: isize) {
        match row {
            Row::Opponent => {
                self.opponent = step(self.opponent, by, OPPONENTS.len());
                let rows = self.rows();
                self.row = rows.iter().position(|other| *other == Row::Opponent).unwrap_or(0);
            }
            Row::Level => self.program = step(self.program, by, self.programs.len()),
            Row::Second => self.second = step(self.second, by, self.programs.len()),
            Row::Size => {
                self.size = step(self.size, by, self.sizes.len());
                self.list_programs();
            }
            Row::Rules => {
                self.rules = step(self.rules, by, self.info.rule_sets.len());
                self.message = self.spec().err().map(|error| error.to_string());
            }
            Row::Opening => {
                self.opening = step(self.opening, by, self.info.openings.len());
                self.message = self.spec().err().map(|error| error.to_string());
            }
            Row::Side => self.side = step(self.side, by, SIDES.len()),
            Row::Clock => self.clock = step(self.clock, by, CLOCKS.len()),
            Row::Start => {}
        }
    }

    fn start(&mut self, cx: &mut Context) -> Go {
        if let Err(error) = self.spec() {
            self.message = Some(error.to_string());
            return Go::Stay;
        }
        let game = self.game();
        let opened = if self.analyses {
            GameScreen::study(&game, cx)
        } else {
            let program = Some(self.programs[self.program].clone());
            let seats = match self.opponent() {
                Opponent::Here => [None, None],
                Opponent::Demo => [program, Some(self.programs[self.second].clone())],
                Opponent::Program => {
                    let is_second = match self.side {
                        0 => false,
                        1 => true,
                        _ => cx.rng.bool(),
                    };
                    if is_second { [program, None] } else { [None, program] }
                }
            };
            GameScreen::start(&NewGame { start: game, seats, clock: CLOCKS[self.clock] }, cx)
        };
        match opened {
            Ok(screen) => Go::open(Screen::Game(Box::new(screen))),
            Err(why) => {
                self.message = Some(why);
                Go::Stay
            }
        }
    }

    fn label(&self, row: Row) -> &'static str {
        match row {
            Row::Opponent => "setup.opponent",
            Row::Level if self.opponent() == Opponent::Demo => "tui.first-program",
            Row::Level => "setup.program",
            Row::Second => "tui.second-program",
            Row::Size => "setup.size",
            Row::Rules => "setup.rules",
            Row::Opening => "setup.opening",
            Row::Side => "setup.side",
            Row::Clock => "setup.clock",
            Row::Start if self.analyses => "action.analyse",
            Row::Start if self.opponent() == Opponent::Demo => "setup.watch",
            Row::Start => "setup.start",
        }
    }

    /// A program as it is offered: “Tally (Level 3, casual)”.
    fn program(&self, name: &str, cx: &Context) -> String {
        let words = &cx.words;
        let shown = program_name(words, name);
        let level = name.strip_prefix("level:").and_then(|level| level.parse::<u32>().ok());
        let strength = level.and_then(|level| {
            roster::levels(&self.game()).into_iter().find(|strength| strength.level == level)
        });
        let named = |kind: &str, strength: &roster::Strength| {
            let key = format!("{kind}.{}", strength.name.to_lowercase());
            words.has(&key).then(|| words.t(&key).to_owned())
        };
        match strength {
            Some(strength) => {
                let name = named("level", &strength).unwrap_or_else(|| strength.name.to_owned());
                let character = named("level-is", &strength).unwrap_or_else(|| strength.character.to_owned());
                format!("{name} ({shown}, {character})")
            }
            None => shown,
        }
    }

    fn value(&self, row: Row, cx: &Context) -> String {
        let words = &cx.words;
        match row {
            Row::Opponent => words.t(OPPONENTS[self.opponent].1).to_owned(),
            Row::Level => self.program(&self.programs[self.program], cx),
            Row::Second => self.program(&self.programs[self.second], cx),
            Row::Size => size_of(&self.sizes[self.size]).map_or_else(String::new, |[rows, cols, run]| {
                format!("{rows}×{cols}, {run} ({})", words.t("setup.run"))
            }),
            Row::Rules => rules_name(words, self.info.rule_sets[self.rules]),
            Row::Opening => rules_name(words, self.info.openings[self.opening]),
            Row::Side => words.t(SIDES[self.side]).to_owned(),
            Row::Clock => clock_text(words, CLOCKS[self.clock]),
            Row::Start => String::new(),
        }
    }

    pub(crate) fn draw(&self, cx: &Context, area: Rect, canvas: &mut Canvas) {
        let palette = cx.palette();
        let name = title(&cx.words, self.info);
        let inner = frame(cx, area, &name, canvas);
        let rows = self.rows();
        let gap = if usize::from(inner.height) > 2 * rows.len() + 2 { 2 } else { 1 };
        let first = scrolled(self.row, usize::from(inner.height) / gap);
        let mut y = inner.y + u16::from(usize::from(inner.height) > rows.len() + 1);
        for (index, row) in rows.iter().enumerate().skip(first) {
            if y >= inner.bottom() {
                break;
            }
            let is_chosen = index == self.row;
            let style = if is_chosen { palette.chosen() } else { palette.text() };
            let line = Rect::new(inner.x + 1, y, inner.width.saturating_sub(2).min(72), 1);
            if is_chosen {
                canvas.fill(line, style);
            }
            let label = cx.words.t(self.label(*row));
            let x = canvas.put(line.x + 1, y, line.right(), label, style);
            let value = self.value(*row, cx);
            if !value.is_empty() {
                let x = if inner.width >= 50 { x.max(line.x + 24) } else { x + 1 };
                canvas.put(
                    x,
                    y,
                    line.right(),
                    &format!("‹ {value} ›").replace(
                        ['‹', '›'],
                        if cx.settings.glyphs == crate::theme::Glyphs::Ascii { "|" } else { "·" },
                    ),
                    style,
                );
            }
            canvas.hit(line, Hit::Row(index));
            y += gap as u16;
        }
        if let Some(message) = &self.message {
            canvas.put(inner.x + 1, inner.bottom().saturating_sub(1), inner.right(), message, palette.key());
        }
        let t = |key| cx.words.t(key);
        let mut keys = vec![
            ("p", KeyCode::Char('p'), t(self.label(Row::Start))),
            ("Enter", KeyCode::Enter, t("tui.change")),
        ];
        if self.info.size.has_choice() {
            keys.push(("t", KeyCode::Char('t'), t("setup.own-size")));
        }
        keys.push(("q", KeyCode::Char('q'), t("tui.back")));
        canvas.keys(area, palette, &keys);
        if let Some(prompt) = &self.prompt {
            prompt.draw(cx, area, canvas);
        }
    }
}
