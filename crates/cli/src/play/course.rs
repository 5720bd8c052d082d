//! The course of one game in the terminal, from the first board to the result.

use std::{
    io::{BufRead, Write},
    thread,
    time::{Duration, Instant},
};

use players::{Event, Program, Seat, Stop, Thought, roster};
use rules::{AnyGame, Outcome, Side};

use super::{
    screen,
    terminal::{Leave, Terminal},
    words,
};
use crate::contestant;

/// How a game that was not left ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    /// Somebody has won, or nobody.
    Over,
    /// The person wants another game instead.
    NewGame,
}

/// A side's place: a person is asked, a program hears what happens.
enum Place {
    Person,
    Program { name: String, seat: Seat, thinking_time: Duration },
}

/// The program of this name, or none for a person.
pub(super) fn seat(game: &AnyGame, name: &str, seed: u64) -> anyhow::Result<Option<Program>> {
    if name == "human" { Ok(None) } else { contestant::program(game, name, seed).map(Some) }
}

/// A person who watches sees at least this long that a program thinks.
const WATCHED_PACE: Duration = Duration::from_millis(500);

const HELP: &str = "  Type a move, or
    back     to take your last move back
    hint     to see what a strong player would do
    why      to see the reasons for the program's last move
    moves    to see what is possible
    resign   to give up
    new      to start another game
    quit     to leave
";

/// What a person did when asked.
enum Answer {
    /// A move, or moves taken back.
    Changed,
    /// What was typed was no move.
    Refused,
    Resigned,
    NewGame,
}

pub(super) struct Course<'a, R, W> {
    terminal: &'a mut Terminal<R, W>,
    game: AnyGame,
    places: [Place; 2],
    pace: Option<Duration>,
    adviser_seed: u64,
    /// What has happened since the programs were last told.
    news: Vec<Event>,
    /// What the programs thought, each with the number of moves then played.
    thoughts: Vec<(usize, Thought<String>)>,
}

impl<'a, R: BufRead, W: Write> Course<'a, R, W> {
    /// A game between players whose names have been checked.
    pub(super) fn new(
        terminal: &'a mut Terminal<R, W>,
        game: AnyGame,
        names: &[String; 2],
        pace: Option<Duration>,
        rng: &mut fastrand::Rng,
    ) -> Self {
        let places = Side::BOTH.map(|side| {
            let name = &names[side.index()];
            match seat(&game, name, rng.u64(..)).expect("the names have been checked") {
                None => Place::Person,
                Some(program) => Place::Program {
                    name: contestant::name(name),
                    thinking_time: program.thinking_time(),
                    seat: Seat::attach(side, program),
                },
            }
        });
        let news = Event::now(&game);
        Self { terminal, game, places, pace, adviser_seed: rng.u64(..), news, thoughts: Vec::new() }
    }

    pub(super) fn play(&mut self) -> Result<Ending, Leave> {
        loop {
            self.draw()?;
            if let Some(outcome) = self.game.outcome() {
                self.announce().expect("no program is asked");
                self.say_line()?;
                self.say_outcome(outcome)?;
                return Ok(Ending::Over);
            }
            self.say_turn()?;
            if let Place::Program { name, .. } = self.place() {
                let name = name.clone();
                if let Err(reason) = self.let_program_move()? {
                    self.terminal.say_error(&format!("{name} gave no move: {reason}"))?;
                    self.say_outcome(Outcome::Win(self.game.turn().other()))?;
                    return Ok(Ending::Over);
                }
                continue;
            }
            self.announce().expect("no program is asked");
            match self.ask_person()? {
                Answer::Changed | Answer::Refused => {}
                Answer::NewGame => return Ok(Ending::NewGame),
                Answer::Resigned => {
                    let outcome = Outcome::Win(self.game.turn().other());
                    self.news = vec![Event::Over(outcome)];
                    self.announce().expect("no program is asked");
                    self.say_outcome(outcome)?;
                    return Ok(Ending::Over);
                }
            }
        }
    }

    /// The place of the side to move.
    fn place(&self) -> &Place {
        &self.places[self.game.turn().index()]
    }

    /// Whether there is one person, who is then called "you".
    fn has_one_person(&self) -> bool {
        self.places.iter().filter(|place| matches!(place, Place::Person)).count() == 1
    }

    /// Tells the programs once what has happened; one of them may answer, or fail with a reason.
    fn announce(&mut self) -> Result<Option<Thought<String>>, String> {
        let mut answer = None;
        for event in self.news.drain(..) {
            for place in &mut self.places {
                if let Place::Program { seat, .. } = place {
                    answer = answer.or(seat.hear(&event, &self.game)?);
                }
            }
        }
        Ok(answer)
    }

    /// The inner result tells why the program gave no move.
    fn let_program_move(&mut self) -> Result<Result<(), String>, Leave> {
        self.terminal.say("  thinking... \n")?;
        let start = Instant::now();
        let thought = match self.announce() {
            Ok(thought) => thought.expect("a program answers when it is its turn"),
            Err(reason) => return Ok(Err(reason)),
        };
        if let Some(wait) = self.pace_of_place().checked_sub(start.elapsed()) {
            thread::sleep(wait);
        }
        let label = words::move_label(self.game.info());
        self.terminal.say(&format!("\n  {label} -> {}\n", thought.chosen))?;
        self.game.play(&thought.chosen).expect("programs play legal moves");
        self.news = Event::now(&self.game);
        self.thoughts.push((self.game.moves().len(), thought));
        Ok(Ok(()))
    }

    /// The least time for the program's move: as asked for, or so that a person can follow. Programs
    /// among themselves need not seem to think.
    fn pace_of_place(&self) -> Duration {
        match (self.pace, self.place()) {
            (Some(pace), _) => pace,
            (None, _) if !self.terminal.is_watched => Duration::ZERO,
            (None, Place::Program { thinking_time, .. }) if self.has_one_person() => {
                WATCHED_PACE.max(*thinking_time)
            }
            (None, _) => WATCHED_PACE,
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

    /// Plays what a person typed; capitals do not matter where they cannot be meant otherwise.
    fn play_typed(&mut self, text: &str) -> Result<Answer, Leave> {
        let lower = text.to_lowercase();
        let capital: String =
            lower.chars().take(1).flat_map(char::to_uppercase).chain(lower.chars().skip(1)).collect();
        let result = self.game.play(text);
        if result.is_ok() || self.game.play(&lower).is_ok() || self.game.play(&capital).is_ok() {
            self.news = Event::now(&self.game);
            return Ok(Answer::Changed);
        }
        if let Err(error) = result {
            self.terminal.say_error(&words::refusal(self.game.info(), text, &error))?;
        }
        Ok(Answer::Refused)
    }

    /// Takes back to where a person last moved, if one has.
    fn take_back(&mut self) -> bool {
        let is_person = |side: Side| matches!(self.places[side.index()], Place::Person);
        let count = self.game.moves().len();
        // The sides alternate, so the last two moves tell whether a person has moved at all.
        let by_person = (1..=2.min(count)).find(|&back| {
            let mover = if back == 1 { self.game.turn().other() } else { self.game.turn() };
            is_person(mover)
        });
        for _ in 0..by_person.unwrap_or(0) {
            self.game.take_back();
        }
        let left = self.game.moves().len();
        self.thoughts.retain(|&(ply, _)| ply <= left);
        self.news = vec![Event::NextPlayer(self.game.turn())];
        by_person.is_some()
    }

    fn hint(&mut self) -> Result<(), Leave> {
        let mut adviser = roster::adviser(&self.game, self.adviser_seed);
        let thought = adviser.choose(&self.game, &Stop::default());
        let thought = thought.expect("nobody stops the adviser");
        self.terminal.say(&format!("  Hint: {}\n", thought.chosen))?;
        self.say_reasons(&thought)
    }

    pub(super) fn why(&mut self) -> Result<(), Leave> {
        match self.thoughts.last().cloned() {
            Some((_, thought)) => self.say_reasons(&thought),
            None => Ok(self.terminal.say_error("there is no move of a program to explain")?),
        }
    }

    /// Asks whether there is to be another game; the last move can still be explained.
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
        let turn = match self.place() {
            Place::Person if self.has_one_person() => "Your turn".to_owned(),
            Place::Program { .. } if self.has_one_person() => "AI turn".to_owned(),
            Place::Person => format!("Turn of {side}"),
            Place::Program { name, .. } => format!("Turn of {side} ({name})"),
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
        let text = match &self.places[winner.index()] {
            Place::Person if self.has_one_person() => "Winner!!! Good Job ".to_owned(),
            Place::Program { .. } if self.has_one_person() => "Game OVER! - You've lost! ".to_owned(),
            Place::Person => format!("Winner!!! {}", self.game.info().side_name(winner)),
            Place::Program { name, .. } => {
                format!("Winner!!! {} ({name})", self.game.info().side_name(winner))
            }
        };
        Ok(self.terminal.say(&format!("\n  {text}\n\n"))?)
    }
}
