//! One game in the terminal, from the first board to the result: a view of a local table.

use std::{
    io::{BufRead, Write},
    thread,
    time::{Duration, Instant},
};

use players::{NoMove, Program, Stop, Thought, system};
use protocol::{Clock, Command, EndReason, GameResult};
use rules::{AnyGame, Side};
use sentences::{
    About, details, headline, how, occupant_name, program_name, sentences, side_name, thought_of,
};
use study::assessment::{Limits, assess};
use table::LocalTable;

use super::{
    move_prompt, original, screen,
    terminal::{Leave, Terminal, words},
};
use crate::contestant;

/// How a game ended, unless the person left it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    /// Won, drawn or resigned.
    Over,
    /// Abandoned for a new game.
    NewGame,
}

/// The program of this name; `None` for a person.
pub(super) fn seat(game: &AnyGame, name: &str, seed: u64) -> anyhow::Result<Option<Program>> {
    if name == "human" { Ok(None) } else { contestant::program(game, name, seed).map(Some) }
}

/// Limits of a hint: good advice after a short wait on any board, and the same advice each time except on the
/// largest boards.
const HINT_LIMITS: Limits =
    Limits { lines: 2, threads: 1, time: Some(Duration::from_secs(2)), nodes: Some(300_000), depth: None };
/// Minimum time for a program's move on a terminal, so that a person can follow.
const MIN_THINKING_TIME: Duration = Duration::from_millis(500);
/// The table has no clock, so its time stands still.
const NOW: u64 = 0;

/// The result of a prompt.
enum Answer {
    /// A move, moves taken back, or input that was neither.
    Continue,
    Resigned,
    NewGame,
}

pub(super) struct Course<'a, R, W> {
    terminal: &'a mut Terminal<R, W>,
    table: LocalTable,
    /// The programs; `None` for a person.
    programs: [Option<Program>; 2],
    pace: Option<Duration>,
}

impl<'a, R: BufRead, W: Write> Course<'a, R, W> {
    /// Creates a game between players whose names are valid.
    pub(super) fn new(
        terminal: &'a mut Terminal<R, W>,
        game: &AnyGame,
        names: &[String; 2],
        pace: Option<Duration>,
        rng: &mut fastrand::Rng,
    ) -> Self {
        let programs = names.each_ref().map(|name| {
            let seed = rng.u64(..);
            seat(game, name, seed).expect("the names are validated before")
        });
        let seats = names.each_ref().map(|name| (name != "human").then(|| contestant::name(name)));
        let table =
            LocalTable::of_game(game, seats, Clock::None, NOW).expect("a game without moves can be set up");
        Self { terminal, table, programs, pace }
    }

    pub(super) fn play(&mut self) -> Result<Ending, Leave> {
        loop {
            self.draw()?;
            if let Some(result) = self.result() {
                self.say_result(&result)?;
                return Ok(Ending::Over);
            }
            self.say_turn()?;
            if self.table.state().program_to_move().is_some() {
                self.let_program_move()?;
                continue;
            }
            match self.ask_person()? {
                Answer::Continue => {}
                Answer::NewGame => return Ok(Ending::NewGame),
                Answer::Resigned => {
                    if let Some(result) = self.result() {
                        self.say_result(&result)?;
                    }
                    return Ok(Ending::Over);
                }
            }
        }
    }

    fn game(&self) -> &AnyGame {
        self.table.state().game()
    }

    /// The side of the person, addressed as "you", if exactly one person plays.
    fn you(&self) -> Option<Side> {
        match &self.programs {
            [None, Some(_)] => Some(Side::First),
            [Some(_), None] => Some(Side::Second),
            _ => None,
        }
    }

    /// The result, even if the game was over from the start.
    fn result(&self) -> Option<GameResult> {
        let over = |outcome: rules::Outcome| GameResult {
            winner: outcome.winner(),
            reason: EndReason::Rules,
            ratings: None,
        };
        self.table.state().result().copied().or_else(|| self.game().outcome().map(over))
    }

    /// Plays the move of the program whose turn it is. A program that fails loses.
    fn let_program_move(&mut self) -> Result<(), Leave> {
        self.terminal.say(&format!("  {} \n", words().t("line.thinking")))?;
        let start = Instant::now();
        let least = self.min_time_for_move();
        let game = self.table.state().game();
        let program = self.programs[game.turn().index()].as_mut().expect("a program is to move");
        let chosen = match program.choose(game, &Stop::default()) {
            Ok(thought) => Ok(thought),
            Err(NoMove::Failed(why)) => Err(why),
            Err(_) => Err(String::new()),
        };
        if let Some(wait) = least.checked_sub(start.elapsed()) {
            thread::sleep(wait);
        }
        let played = chosen.and_then(|thought| {
            let text = thought.chosen.clone();
            self.table.program_moves(thought, NOW).map(|()| text).map_err(|refused| refused.message)
        });
        match played {
            Ok(text) => {
                let label = match (self.game().info().coordinates, self.game().info().pieces) {
                    (rules::Coordinates::Columns, [_]) => "line.column",
                    _ => "line.move",
                };
                self.terminal.say(&format!("\n  {} -> {text}\n", words().t(label)))?;
            }
            Err(why) => {
                let name = self.table.state().program_to_move().unwrap_or_default();
                let text = words().fill("tui.program-failed", &[("name", name), ("why", &why)]);
                self.table.program_fails(NOW);
                self.terminal.say_error(&text)?;
            }
        }
        Ok(())
    }

    /// The minimum time for the program's move: as given, or so that a person can follow.
    fn min_time_for_move(&self) -> Duration {
        match (self.pace, &self.programs[self.game().turn().index()]) {
            (Some(pace), _) => pace,
            (None, _) if !self.terminal.is_interactive => Duration::ZERO,
            (None, Some(program)) if self.you().is_some() => MIN_THINKING_TIME.max(program.thinking_time()),
            (None, _) => MIN_THINKING_TIME,
        }
    }

    fn ask_person(&mut self) -> Result<Answer, Leave> {
        let prompt = format!("  {}: ", move_prompt(self.game()));
        loop {
            let text = self.terminal.ask(&prompt)?;
            match text.to_lowercase().as_str() {
                "help" | "?" => self.terminal.say(&format!("  {}\n", words().t("line.help")))?,
                "hint" => self.hint()?,
                "why" => self.why()?,
                "moves" => {
                    let moves = self.game().legal_moves().join(" ");
                    let text = words().fill("line.moves", &[("moves", &moves)]);
                    self.terminal.say(&format!("  {text}\n"))?;
                }
                "back" => match self.table.command(&Command::TakeBack {}, NOW) {
                    Ok(_) => return Ok(Answer::Continue),
                    Err(_) => self.terminal.say_error(words().t("line.nothing-to-take-back"))?,
                },
                "resign" => match self.table.command(&Command::Resign {}, NOW) {
                    Ok(_) => return Ok(Answer::Resigned),
                    Err(refused) => self.terminal.say_error(&refused.message)?,
                },
                "new" => return Ok(Answer::NewGame),
                "quit" => return Err(Leave::Quit),
                _ => {
                    self.play_typed(&text)?;
                    return Ok(Answer::Continue);
                }
            }
        }
    }

    /// Plays a typed move, ignoring case where that is unambiguous.
    fn play_typed(&mut self, text: &str) -> Result<(), Leave> {
        let is_legal = |text: &String| self.game().clone().play(text).is_ok();
        let Some(legal) = spellings(text).into_iter().find(is_legal) else {
            if let Err(error) = self.game().clone().play(text) {
                let refusal = super::refusal(self.game().info(), text, &error);
                self.terminal.say_error(&refusal)?;
            }
            return Ok(());
        };
        let ply = self.game().moves().len() as u32 + 1;
        let command = Command::MakeMove { ply, text: legal, lag_ms: 0, seen: None };
        if let Err(refused) = self.table.command(&command, NOW) {
            self.terminal.say_error(&refused.message)?;
        }
        Ok(())
    }

    fn hint(&mut self) -> Result<(), Leave> {
        let game = self.game().clone();
        let known = assess(&game, &HINT_LIMITS, &system::resources(0), &Stop::default(), &mut |_| {});
        if let Some(thought) = thought_of(&known, &known.reasons(&game)) {
            let text = words().fill("line.hint", &[("text", &thought.chosen)]);
            self.terminal.say(&format!("  {text}\n"))?;
            self.say_reasons(&game, &thought)?;
        }
        Ok(())
    }

    /// Explains the last move of a program.
    pub(super) fn why(&mut self) -> Result<(), Leave> {
        let moves = self.table.state().moves();
        let explained =
            moves.iter().rev().enumerate().find_map(|(i, played)| Some((i, played.thought.clone()?)));
        let Some((after, thought)) = explained else {
            return Ok(self.terminal.say_error(words().t("line.nothing-to-explain"))?);
        };
        let mut before = self.game().clone();
        for _ in 0..=after {
            before.take_back();
        }
        self.say_reasons(&before, &thought)
    }

    /// Asks for another game; `why` still explains the last move.
    pub(super) fn wants_more(&mut self) -> Result<bool, Leave> {
        loop {
            let answer = self.terminal.ask(&format!("\n  {}: ", words().t("line.again")))?;
            if answer.to_lowercase() != "why" {
                return Ok(super::is_yes(&answer));
            }
            self.why()?;
        }
    }

    fn say_reasons(&mut self, before: &AnyGame, thought: &Thought) -> Result<(), Leave> {
        let (words, mover) = (words(), before.turn());
        let name = &self.table.state().seats()[mover.index()];
        let about = About {
            words,
            spec: before.spec(),
            view: &before.view(),
            mover,
            name: &occupant_name(words, name),
            you: self.you(),
        };
        for sentence in sentences(thought, &about) {
            self.terminal.say(&format!("  {}\n", sentence.text))?;
        }
        let details = details(thought, words);
        if !details.is_empty() {
            let text = words.fill("tui.details", &[("details", &details)]);
            self.terminal.say(&format!("  {text}\n"))?;
        }
        Ok(())
    }

    fn draw(&mut self) -> Result<(), Leave> {
        let board = screen::draw(self.game().info(), &self.game().view(), self.terminal);
        Ok(self.terminal.say(&board)?)
    }

    fn say_turn(&mut self) -> Result<(), Leave> {
        let (words, turn) = (words(), self.game().turn());
        let side = side_name(words, self.game().info(), turn);
        let turn = match self.table.state().program_to_move() {
            None if self.you().is_some() => words.t("line.your-turn").to_owned(),
            Some(_) if self.you().is_some() => words.t("line.program-turn").to_owned(),
            None => words.fill("line.turn-of", &[("side", &side)]),
            Some(name) => {
                let name = program_name(words, name);
                words.fill("line.turn-of-program", &[("side", &side), ("name", &name)])
            }
        };
        Ok(self.terminal.say(&format!("  {turn}\n"))?)
    }

    fn say_result(&mut self, result: &GameResult) -> Result<(), Leave> {
        let (words, info, you) = (words(), self.game().info(), self.you());
        let is_decided = matches!(result.reason, EndReason::Rules | EndReason::Resignation);
        let text = match original::result(words, info, result.winner, you).filter(|_| is_decided) {
            Some(original) => original.to_owned(),
            None => {
                let view = self.game().view();
                let headline = headline(words, info, result, you.as_slice());
                // To someone who plays, the opponent has a name.
                let called = |side: Side| match you {
                    Some(_) => occupant_name(words, &self.table.state().seats()[side.index()]),
                    None => side_name(words, info, side),
                };
                let how = how(words, info, &view, result, you, called);
                format!("\n  {headline} {how}\n\n")
            }
        };
        Ok(self.terminal.say(&text)?)
    }
}

/// The spellings to try for a typed move: as typed, in lower case, and with a capital first letter.
pub(crate) fn spellings(text: &str) -> [String; 3] {
    let lower = text.to_lowercase();
    let capital = lower.chars().take(1).flat_map(char::to_uppercase).chain(lower.chars().skip(1)).collect();
    [text.to_owned(), lower, capital]
}
