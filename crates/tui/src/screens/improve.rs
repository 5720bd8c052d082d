//! What the reader's finished games show: skills in words, and the exercises of today. Games against programs in the data
//! folder are reviewed in the background, each once.

use crossterm::event::{KeyCode, KeyEvent};
use protocol::LearnedGame;
use ratatui::{
    layout::Rect,
    style::{Modifier, Style},
};
use rules::{AnyGame, GAMES, GameInfo, Side, Spec};
use sentences::{line_text, title};
use study::{
    puzzles::day_of,
    skills::{Evidence, Exercise, LEAST_MOVES, Learned, Profile, Rated, profile, today},
};

use super::{GameScreen, Go, Screen, frame, step};
use crate::{
    context::{Canvas, Context, Hit},
    engine::Slot,
    event::Answer,
    keep::{Kept, LearnedHere},
    text::wrap,
};

/// With fewer games the screen says only what is missing.
const LEAST_GAMES: u32 = 5;
/// The latest games that are reviewed.
const MOST_GAMES: usize = 100;

pub(crate) struct Improve {
    learned: LearnedHere,
    /// The games that are still to be reviewed, the next one last.
    left: Vec<(Kept, Side)>,
    info: &'static GameInfo,
    profile: Profile,
    /// The row of a skill, or after them the training.
    chosen: usize,
    /// The next position that the chosen skill shows.
    position: usize,
    message: Option<String>,
}

impl Improve {
    pub(crate) fn new(cx: &mut Context) -> Self {
        let learned = cx.keep.learned();
        let left = unreviewed(&learned, cx);
        let latest = left.last().and_then(|(kept, _)| Some(kept.game.as_ref().ok()?.game.info()));
        let latest = latest.or_else(|| {
            let game = learned.games.iter().max_by_key(|game| game.observed.at)?;
            Some(game.observed.game.parse::<Spec>().ok()?.info())
        });
        let info = latest.unwrap_or_else(|| GAMES.get(1).unwrap_or(&GAMES[0]));
        let profile = profile_of(info, &learned, cx);
        let mut screen = Self { learned, left, info, profile, chosen: 0, position: 0, message: None };
        screen.review_next(cx);
        screen
    }

    /// The screen again, after exercises or games.
    pub(crate) fn refresh(&mut self, cx: &mut Context) {
        self.learned = cx.keep.learned();
        self.left = unreviewed(&self.learned, cx);
        self.profile = profile_of(self.info, &self.learned, cx);
        self.review_next(cx);
    }

    fn review_next(&mut self, cx: &mut Context) {
        let Some((kept, side)) = self.left.last() else { return };
        if let Ok(read) = &kept.game {
            cx.engine.learn(&read.game, *side, id_of(kept), kept.at);
        }
    }

    /// Handles an answer of a search thread.
    pub(crate) fn answer(&mut self, job: u64, answer: Answer, cx: &mut Context) {
        let Answer::Learned(learned) = answer else { return };
        if !cx.engine.is_current(Slot::Learn, job) {
            return;
        }
        cx.engine.finish(Slot::Learn);
        let Some((kept, you)) = self.left.pop() else { return };
        let Ok(read) = &kept.game else { return };
        let Learned { observed, exercises } = *learned;
        let moves = read.game.moves().join(" ");
        self.learned.games.push(LearnedGame { observed, you, moves, position: start_of(&read.game) });
        for exercise in exercises {
            if self.learned.exercises.iter().all(|known| known.id != exercise.id) {
                self.learned.exercises.push(exercise);
            }
        }
        if let Err(why) = cx.keep.set_learned(&self.learned) {
            self.message = Some(cx.words.fill("tui.not-saved", &[("why", &why.to_string())]));
        }
        self.profile = profile_of(self.info, &self.learned, cx);
        self.review_next(cx);
    }

    pub(crate) fn select(&mut self, row: usize) {
        self.chosen = row.min(self.skills().len());
    }

    fn skills(&self) -> &[Rated] {
        if self.profile.games < LEAST_GAMES { &[] } else { &self.profile.skills }
    }

    pub(crate) fn key(&mut self, key: KeyEvent, cx: &mut Context) -> Go {
        self.message = None;
        let rows = self.skills().len() + 1;
        match key.code {
            KeyCode::Down | KeyCode::Char('j') => {
                (self.chosen, self.position) = (step(self.chosen, 1, rows), 0);
            }
            KeyCode::Up | KeyCode::Char('k') => {
                (self.chosen, self.position) = (step(self.chosen, -1, rows), 0);
            }
            KeyCode::Right | KeyCode::Tab | KeyCode::Char('l') => self.turn(1, cx),
            KeyCode::Left | KeyCode::BackTab | KeyCode::Char('h') => self.turn(-1, cx),
            KeyCode::Char('t') => return self.train(cx),
            KeyCode::Enter | KeyCode::Char(' ') if self.chosen < rows - 1 => return self.show(cx),
            KeyCode::Enter | KeyCode::Char(' ') => return self.train(cx),
            KeyCode::Esc | KeyCode::Char('q') => {
                cx.engine.cancel(Slot::Learn);
                return Go::Back;
            }
            _ => {}
        }
        Go::Stay
    }

    /// Another game.
    fn turn(&mut self, by: isize, cx: &Context) {
        let at = GAMES.iter().position(|info| info.id == self.info.id).unwrap_or(0);
        self.info = GAMES[step(at, by, GAMES.len())];
        self.profile = profile_of(self.info, &self.learned, cx);
        (self.chosen, self.position) = (0, 0);
    }

    /// Opens the next exercise of today.
    fn train(&mut self, cx: &mut Context) -> Go {
        match next_exercise(&self.learned, self.info, cx) {
            Some(exercise) => open(exercise, cx).map_or_else(
                |why| {
                    self.message = Some(why);
                    Go::Stay
                },
                |screen| Go::open(Screen::Game(Box::new(screen))),
            ),
            None => Go::Stay,
        }
    }

    /// Opens a position that the chosen skill is about.
    fn show(&mut self, cx: &mut Context) -> Go {
        let evidence = self.skills().get(self.chosen).map(|rated| rated.evidence.clone()).unwrap_or_default();
        if evidence.is_empty() {
            return Go::Stay;
        }
        let Evidence { game, ply, miss, .. } = &evidence[self.position % evidence.len()];
        self.position += 1;
        let Some(played) = self.learned.games.iter().find(|it| it.observed.id == *game).and_then(game_of)
        else {
            return Go::Stay;
        };
        let before = crate::local::at_ply(&played, *ply as usize).view();
        let text = |m: &str| line_text(self.info, &[m.to_owned()], Some(&before));
        let played_text = cx.words.fill("improve.played", &[("move", &text(&miss.played))]);
        let message = format!("{played_text} {}: {}.", cx.words.t("puzzle.solution"), text(&miss.right));
        match GameScreen::moment(&played, *ply as usize, message, cx) {
            Ok(screen) => Go::open(Screen::Game(Box::new(screen))),
            Err(why) => {
                self.message = Some(why);
                Go::Stay
            }
        }
    }

    pub(crate) fn draw(&self, cx: &Context, area: Rect, canvas: &mut Canvas) {
        let palette = cx.palette();
        let words = &cx.words;
        let t = |key| words.t(key);
        let inner = frame(cx, area, &format!("{} · {}", t("nav.improve"), title(words, self.info)), canvas);
        let wide = inner.width.saturating_sub(2);
        let bold = palette.text().add_modifier(Modifier::BOLD);
        // Lines with the row that they belong to.
        let mut lines: Vec<(Option<usize>, String, Style)> = Vec::new();
        let mut say = |row: Option<usize>, text: &str, style: Style| {
            lines.extend(wrap(text, wide).into_iter().map(|line| (row, line, style)));
        };
        let n = self.profile.games.to_string();
        if self.profile.games < LEAST_GAMES {
            say(None, t("improve.none"), palette.text());
        } else {
            say(
                None,
                &words.fill("improve.about", &[("n", &n), ("game", &title(words, self.info))]),
                palette.muted(),
            );
        }
        if !self.left.is_empty() {
            say(None, &words.count("improve.reviewing", self.left.len() as u64, &[]), palette.muted());
        }
        for (row, rated) in self.skills().iter().enumerate() {
            say(None, "", palette.text());
            say(Some(row), words.t(&format!("skill.{}", rated.skill)), bold);
            say(Some(row), &figures(rated, cx), palette.text());
            let about = match rated.usual.filter(|_| rated.weak) {
                Some(usual) => words.fill("improve.weak", &[("rate", &percent(usual, cx))]),
                None => words.t(&format!("skill-is.{}", rated.skill)).to_owned(),
            };
            say(Some(row), &about, palette.muted());
        }
        say(None, "", palette.text());
        let training = self.skills().len();
        let (answered, all) = self.counts(cx);
        let count = words.fill("puzzle.of", &[("n", &answered.to_string()), ("all", &all.to_string())]);
        let head =
            t("improve.training").to_owned() + &if all > 0 { format!("  {count}") } else { String::new() };
        say(Some(training), &head, bold);
        let due = match (answered, all) {
            (_, 0) => "improve.nothing",
            (0, _) => "improve.start",
            (answered, all) if answered < all => "improve.go-on",
            _ => "improve.done",
        };
        say(Some(training), t(due), palette.text());
        if let Some(message) = &self.message {
            say(None, message, palette.key());
        }
        self.draw_lines(cx, inner, &lines, canvas);
        let mut keys = vec![
            ("Enter", KeyCode::Enter, t("tui.choose")),
            ("← →", KeyCode::Right, t("tui.game")),
            ("t", KeyCode::Char('t'), t("improve.training")),
            ("q", KeyCode::Char('q'), t("tui.back")),
        ];
        if cx.settings.glyphs == crate::theme::Glyphs::Ascii {
            keys[1].0 = "Tab";
        }
        canvas.keys(area, palette, &keys);
    }

    fn draw_lines(
        &self,
        cx: &Context,
        inner: Rect,
        lines: &[(Option<usize>, String, Style)],
        canvas: &mut Canvas,
    ) {
        let room = usize::from(inner.height);
        let is_chosen = |row: &Option<usize>| *row == Some(self.chosen);
        // The chosen row is visible, and the beginning if that leaves it visible.
        let last = lines.iter().rposition(|(row, ..)| is_chosen(row)).unwrap_or(0);
        let first = (last + 1).saturating_sub(room).min(lines.len().saturating_sub(room));
        for (y, (row, text, style)) in (inner.y..inner.bottom()).zip(&lines[first..]) {
            let line = Rect::new(inner.x, y, inner.width, 1);
            let style = if is_chosen(row) { cx.palette().chosen() } else { *style };
            if is_chosen(row) {
                canvas.fill(line, style);
            }
            canvas.put(inner.x + 1, y, inner.right(), text, style);
            if let Some(row) = row {
                canvas.hit(line, Hit::Row(*row));
            }
        }
    }

    /// How many of today's exercises are answered, and how many there are.
    fn counts(&self, cx: &Context) -> (usize, usize) {
        let today = todays(&self.learned, self.info, cx);
        (today.iter().filter(|it| is_answered(it, cx)).count(), today.len())
    }
}

/// The figures of a skill in words.
fn figures(rated: &Rated, cx: &Context) -> String {
    let words = &cx.words;
    let Some(rate) = rated.rate else { return words.t("improve.few").to_owned() };
    let (right, of) = (rated.tally.right.to_string(), rated.tally.of.to_string());
    let mut said = vec![percent(rate, cx), words.fill("puzzle.of", &[("n", &right), ("all", &of)])];
    if let Some(before) = rated.before {
        said.push(words.fill("improve.was", &[("rate", &percent(before, cx))]));
    }
    let ends = [("low", &*percent(rated.low, cx)), ("high", &percent(rated.high, cx))];
    said.push(words.fill("improve.between", &ends));
    said.join(", ")
}

fn percent(rate: f64, cx: &Context) -> String {
    cx.words.fill("tui.percent", &[("n", &(rate * 100.0).round().to_string())])
}

fn profile_of(info: &GameInfo, learned: &LearnedHere, cx: &Context) -> Profile {
    let spec: Spec = info.standard.parse().expect("a standard spec is a spec");
    let games: Vec<_> = learned.games.iter().map(|game| game.observed.clone()).collect();
    profile(spec, &games, cx.unix_ms())
}

fn id_of(kept: &Kept) -> String {
    format!("kept-{}", kept.number)
}

/// The games against programs that were not reviewed yet, the latest last.
fn unreviewed(learned: &LearnedHere, cx: &Context) -> Vec<(Kept, Side)> {
    let mut numbers = cx.keep.numbers().unwrap_or_default();
    let numbers = numbers.split_off(numbers.len().saturating_sub(MOST_GAMES));
    let is_new = |number: &u32| {
        let id = format!("kept-{number}");
        learned.games.iter().all(|game| game.observed.id != id)
    };
    let kept = numbers.into_iter().filter(is_new).filter_map(|number| cx.keep.get(number).ok());
    kept.filter_map(|kept| side_of(&kept).map(|side| (kept, side))).collect()
}

/// The side of the reader in a game that says something about one: against a program, with a few moves.
fn side_of(kept: &Kept) -> Option<Side> {
    let read = kept.game.as_ref().ok()?;
    let is_reader = |side: &Side| matches!(read.players[side.index()].as_deref(), None | Some("human"));
    let is_program = |side: Side| {
        let name = read.players[side.index()].as_deref();
        name.is_some_and(|name| {
            players::roster::program(&read.game, name, &players::system::resources(0)).is_ok()
        })
    };
    let side = Side::BOTH.into_iter().find(is_reader)?;
    let is_long = read.game.moves().len() >= LEAST_MOVES as usize;
    (is_long && read.result.is_some() && is_program(side.other())).then_some(side)
}

/// The position that a game starts from, if it is not the usual one.
fn start_of(game: &AnyGame) -> Option<String> {
    let start = crate::local::at_ply(game, 0).position();
    (start != AnyGame::from(game.spec()).position()).then_some(start)
}

/// A game as it was played.
fn game_of(learned: &LearnedGame) -> Option<AnyGame> {
    let mut game = AnyGame::from(learned.observed.game.parse::<Spec>().ok()?);
    if let Some(position) = &learned.position {
        game.set_position(position).ok()?;
    }
    game.play_all(&learned.moves).ok()?;
    Some(game)
}

fn todays(learned: &LearnedHere, info: &GameInfo, cx: &Context) -> Vec<Exercise> {
    let is_it = |exercise: &&Exercise| exercise.game.split(':').next() == Some(info.id);
    let all: Vec<_> = learned.exercises.iter().filter(is_it).cloned().collect();
    today(&all, cx.unix_ms()).into_iter().cloned().collect()
}

fn is_answered(exercise: &Exercise, cx: &Context) -> bool {
    exercise.answered.is_some_and(|at| day_of(at) == day_of(cx.unix_ms()))
}

/// The next exercise of a game that is due today.
fn next_exercise(learned: &LearnedHere, info: &GameInfo, cx: &Context) -> Option<Exercise> {
    todays(learned, info, cx).into_iter().find(|exercise| !is_answered(exercise, cx))
}

/// Opens an exercise on the board.
fn open(exercise: Exercise, cx: &mut Context) -> Result<GameScreen, String> {
    let puzzle = exercise.puzzle()?;
    GameScreen::drill(exercise, puzzle, cx)
}

/// The exercise that follows another one of the same game today.
pub(super) fn following(info: &GameInfo, cx: &mut Context) -> Option<GameScreen> {
    let next = next_exercise(&cx.keep.learned(), info, cx)?;
    open(next, cx).ok()
}
