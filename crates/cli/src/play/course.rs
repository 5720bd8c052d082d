//! One game in the terminal, from the first board to the result.

use std::{
    io::{BufRead, Write},
    thread,
    time::{Duration, Instant},
};

use players::{Event, Program, Seat, Stop, Thought};
use rules::{AnyGame, Outcome, Side};
use study::assessment::{Limits, assess};

use super::{
    screen,
    terminal::{Leave, Terminal},
    words,
};
use crate::contestant;

/// How a game that was not left ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    /// Won, drawn or resigned.
    Over,
    /// Abandoned for a new game.
    NewGame,
}

/// The player of a side: a person is prompted, a program is notified of events.
enum Occupant {
    Person,
    Program { name: String, seat: Seat, thinking_time: Duration },
}

/// The program of this name; `None` for a person.
pub(super) fn seat(game: &AnyGame, name: &str, seed: u64) -> anyhow::Result<Option<Program>> {
    if name == "human" { Ok(None) } else { contestant::program(game, name, seed).map(Some) }
}

/// Good advice within a short wait on any board; the same each time, except on the largest boards.
const HINT_LIMITS: Limits =
    Limits { lines: 2, threads: 1, time: Some(Duration::from_secs(2)), nodes: Some(300_000), depth: None };
/// Minimum time for a program's move on a terminal, so that a person can follow.
const MIN_THINKING_TIME: Duration = Duration::from_millis(500);

const HELP: &str = "  Type a move, or
    back     to take your last move back
    hint     to see what a strong player would do
    why      to see the reasons for the program's last move
    moves    to see what is possible
    resign   to give up
    new      to start another game
    quit     to leave
";

/// The result of a prompt.
enum Answer {
    /// A move, or moves taken back.
    Changed,
    /// The input was not a legal move.
    Refused,
    Resigned,
    NewGame,
}

pub(super) struct Course<'a, R, W> {
    terminal: &'a mut Terminal<R, W>,
    game: AnyGame,
    occupants: [Occupant; 2],
    pace: Option<Duration>,
    /// Events that the programs have not been notified of yet.
    pending: Vec<Event>,
    /// The thoughts of the programs, each with the number of moves played after it.
    thoughts: Vec<(usize, Thought<String>)>,
}

impl<'a, R: BufRead, W: Write> Course<'a, R, W> {
    /// A game between players whose names are valid.
    pub(super) fn new(
        terminal: &'a mut Terminal<R, W>,
        game: AnyGame,
        names: &[String; 2],
        pace: Option<Duration>,
        rng: &mut fastrand::Rng,
    ) -> Self {
        let occupants = Side::BOTH.map(|side| {
            let name = &names[side.index()];
            match seat(&game, name, rng.u64(..)).expect("the names are validated before") {
                None => Occupant::Person,
                Some(program) => Occupant::Program {
                    name: contestant::name(name),
                    thinking_time: program.thinking_time(),
                    seat: Seat::attach(side, program),
                },
            }
        });
        let pending = Event::now(&game);
        Self { terminal, game, occupants, pace, pending, thoughts: Vec::new() }
    }

    pub(super) fn play(&mut self) -> Result<Ending, Leave> {
        loop {
            self.draw()?;
            if let Some(outcome) = self.game.outcome() {
                self.notify().expect("no program is to move");
                self.say_line()?;
                self.say_outcome(outcome)?;
                return Ok(Ending::Over);
            }
            self.say_turn()?;
            if let Occupant::Program { name, .. } = self.occupant() {
                let name = name.clone();
                if let Err(reason) = self.let_program_move()? {
                    self.terminal.say_error(&format!("{name} gave no move: {reason}"))?;
                    self.say_outcome(Outcome::Win(self.game.turn().other()))?;
                    return Ok(Ending::Over);
                }
                continue;
            }
            self.notify().expect("no program is to move");
            match self.ask_person()? {
                Answer::Changed | Answer::Refused => {}
                Answer::NewGame => return Ok(Ending::NewGame),
                Answer::Resigned => {
                    let outcome = Outcome::Win(self.game.turn().other());
                    self.pending = vec![Event::Over(outcome)];
                    self.notify().expect("no program is to move");
                    self.say_outcome(outcome)?;
                    return Ok(Ending::Over);
                }
            }
        }
    }

    /// The player to move.
    fn occupant(&self) -> &Occupant {
        &self.occupants[self.game.turn().index()]
    }

    /// Whether exactly one person plays, who is then addressed as "you".
    fn has_one_person(&self) -> bool {
        self.occupants.iter().filter(|occupant| matches!(occupant, Occupant::Person)).count() == 1
    }

    /// Sends the pending events to the programs. The one to move answers with its thought or fails with a reason.
    fn notify(&mut self) -> Result<Option<Thought<String>>, String> {
        let mut answer = None;
        for event in self.pending.drain(..) {
            for occupant in &mut self.occupants {
                if let Occupant::Program { seat, .. } = occupant {
                    answer = answer.or(seat.handle(&event, &self.game)?);
                }
            }
        }
        Ok(answer)
    }

    /// The inner error says why the program returned no move.
    fn let_program_move(&mut self) -> Result<Result<(), String>, Leave> {
        self.terminal.say("  thinking... \n")?;
        let start = Instant::now();
        let thought = match self.notify() {
            Ok(thought) => thought.expect("a program answers when it is its turn"),
            Err(reason) => return Ok(Err(reason)),
        };
        if let Some(wait) = self.min_time_for_move().checked_sub(start.elapsed()) {
            thread::sleep(wait);
        }
        let label = words::move_label(self.game.info());
        self.terminal.say(&format!("\n  {label} -> {}\n", thought.chosen))?;
        self.game.play(&thought.chosen).expect("programs play legal moves");
        self.pending = Event::now(&self.game);
        self.thoughts.push((self.game.moves().len(), thought));
        Ok(Ok(()))
    }

    /// The minimum time for the program's move: as given, or so that a person can follow.
    fn min_time_for_move(&self) -> Duration {
        match (self.pace, self.occupant()) {
            (Some(pace), _) => pace,
            (None, _) if !self.terminal.is_interactive => Duration::ZERO,
            (None, Occupant::Program { thinking_time, .. }) if self.has_one_person() => {
                MIN_THINKING_TIME.max(*thinking_time)
            }
            (None, _) => MIN_THINKING_TIME,
        }
    }

    fn ask_person(&mut self) -> Result<Answer, Leave> {
        let has_hand = self.game.view().hands.iter().flatten().any(|&(_, count)| count > 0);
        let prompt = words::move_prompt(self.game.info(), has_hand);
        loop {
            let text = self.terminal.ask(&format!("  {prompt}: "))?;
            match text.to_lowercase().as_str() {
                "help" | "?" => self.terminal.say(HELP)?,
                "hint" => self.hint()?,
                "why" => self.why()?,
                "moves" => self.terminal.say(&format!("  Moves: {}\n", self.game.legal_moves().join(" ")))?,
                "back" if self.take_back() => return Ok(Answer::Changed),
                "back" => self.terminal.say_error("there is no move of yours to take back")?,
                "resign" => return Ok(Answer::Resigned),
                "new" => return Ok(Answer::NewGame),
                "quit" => return Err(Leave::Quit),
                _ => return self.play_typed(&text),
            }
        }
    }

    /// Plays a typed move, ignoring case where that is unambiguous.
    fn play_typed(&mut self, text: &str) -> Result<Answer, Leave> {
        let lower = text.to_lowercase();
        let capital: String =
            lower.chars().take(1).flat_map(char::to_uppercase).chain(lower.chars().skip(1)).collect();
        let result = self.game.play(text);
        if result.is_ok() || self.game.play(&lower).is_ok() || self.game.play(&capital).is_ok() {
            self.pending = Event::now(&self.game);
            return Ok(Answer::Changed);
        }
        if let Err(error) = result {
            self.terminal.say_error(&words::refusal(self.game.info(), text, &error))?;
        }
        Ok(Answer::Refused)
    }

    /// Takes back to the last move of a person, if there is one.
    fn take_back(&mut self) -> bool {
        let is_person = |side: Side| matches!(self.occupants[side.index()], Occupant::Person);
        let count = self.game.moves().len();
        // The sides alternate, so the last two moves show whether a person has moved.
        let by_person = (1..=2.min(count)).find(|&back| {
            let mover = if back == 1 { self.game.turn().other() } else { self.game.turn() };
            is_person(mover)
        });
        for _ in 0..by_person.unwrap_or(0) {
            self.game.take_back();
        }
        let left = self.game.moves().len();
        self.thoughts.retain(|&(ply, _)| ply <= left);
        self.pending = vec![Event::NextPlayer(self.game.turn())];
        by_person.is_some()
    }

    fn hint(&mut self) -> Result<(), Leave> {
        let assessment =
            assess(&self.game, &HINT_LIMITS, &native::resources(0), &Stop::default(), &mut |_| {});
        let best = assessment.best().expect("the first depth is always finished");
        let thought = Thought {
            chosen: best.text.clone(),
            candidates: vec![best.text.clone()],
            score: Some(best.verdict.score().into()),
            line: best.line.clone(),
            reasons: assessment.reasons(&self.game),
            nodes: assessment.nodes,
            depth: Some(assessment.depth),
        };
        self.terminal.say(&format!("  Hint: {}\n", thought.chosen))?;
        self.say_reasons(&thought)
    }

    pub(super) fn why(&mut self) -> Result<(), Leave> {
        match self.thoughts.last().cloned() {
            Some((_, thought)) => self.say_reasons(&thought),
            None => Ok(self.terminal.say_error("there is no move of a program to explain")?),
        }
    }

    /// Asks for another game; `why` still explains the last move.
    pub(super) fn wants_more(&mut self) -> Result<bool, Leave> {
        loop {
            let answer = self.terminal.ask("\n  New game (y/n): ")?.to_lowercase();
            if answer != "why" {
                return Ok(answer.starts_with('y'));
            }
            self.why()?;
        }
    }

    fn say_reasons(&mut self, thought: &Thought<String>) -> Result<(), Leave> {
        for sentence in words::sentences(self.game.info(), thought) {
            self.terminal.say(&format!("  {sentence}\n"))?;
        }
        Ok(())
    }

    fn draw(&mut self) -> Result<(), Leave> {
        let board = screen::draw(self.game.info(), &self.game.view(), self.terminal);
        Ok(self.terminal.say(&board)?)
    }

    fn say_turn(&mut self) -> Result<(), Leave> {
        let side = self.game.info().side_name(self.game.turn());
        let turn = match self.occupant() {
            Occupant::Person if self.has_one_person() => "Your turn".to_owned(),
            Occupant::Program { .. } if self.has_one_person() => "AI turn".to_owned(),
            Occupant::Person => format!("Turn of {side}"),
            Occupant::Program { name, .. } => format!("Turn of {side} ({name})"),
        };
        Ok(self.terminal.say(&format!("  {turn}\n"))?)
    }

    fn say_line(&mut self) -> Result<(), Leave> {
        if let Some(line) = self.game.line().filter(|_| words::names_line(self.game.info())) {
            let cells: Vec<_> = line.iter().map(ToString::to_string).collect();
            self.terminal.say(&format!("  Line: {}\n", cells.join(" ")))?;
        }
        Ok(())
    }

    fn say_outcome(&mut self, outcome: Outcome) -> Result<(), Leave> {
        let Outcome::Win(winner) = outcome else {
            return Ok(self.terminal.say("  It's a TIE\n")?);
        };
        let text = match &self.occupants[winner.index()] {
            Occupant::Person if self.has_one_person() => "Winner!!! Good Job ".to_owned(),
            Occupant::Program { .. } if self.has_one_person() => "Game OVER! - You've lost! ".to_owned(),
            Occupant::Person => format!("Winner!!! {}", self.game.info().side_name(winner)),
            Occupant::Program { name, .. } => {
                format!("Winner!!! {} ({name})", self.game.info().side_name(winner))
            }
        };
        Ok(self.terminal.say(&format!("\n  {text}\n\n"))?)
    }
}
