//! `alinea engine`: a built-in player as a UGI engine for other tools.

use std::{
    io::{self, BufRead, Read, Write},
    sync::mpsc::{self, RecvTimeoutError, Sender},
    thread,
    time::Instant,
};

use anyhow::Result;
use arena::ugi::{self, Command, Go};
use players::{NoMove, Program, Stop, Thought, roster};
use rules::{AnyGame, Spec};

use crate::contestant;

/// Run a player as a UGI engine on standard input and output
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The game, such as connect-four:6x7x4
    game: String,
    /// The player; by default the strongest for the game
    player: Option<String>,
    /// The seed of the player's random source
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
}

/// Longest accepted line; a longer one is cut and rejected.
const MAX_LINE: u64 = 1 << 20;

enum Event {
    Line(String),
    EndOfInput,
    Chosen(Result<Thought<String>, NoMove>),
}

/// A job for the search thread.
enum Job {
    UseProgram(Program),
    Choose(AnyGame, Stop),
}

struct Thinking {
    game: AnyGame,
    stop: Stop,
    start: Instant,
    deadline: Option<Instant>,
}

struct Engine {
    spec: Spec,
    player: Option<String>,
    seed: u64,
    game: AnyGame,
    jobs: Sender<Job>,
    thinking: Option<Thinking>,
    is_leaving: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let spec: Spec = args.game.parse()?;
    let game = AnyGame::from(spec);
    if let Some(player) = &args.player {
        contestant::check(&game, player)?;
    }
    let (events, inbox) = mpsc::channel();
    let (jobs, queue) = mpsc::channel();
    let lines = events.clone();
    thread::spawn(move || read_lines(&lines));
    thread::spawn(move || {
        let mut program: Option<Program> = None;
        while let Ok(job) = queue.recv() {
            match job {
                Job::UseProgram(other) => program = Some(other),
                Job::Choose(game, stop) => {
                    let program = program.as_mut().expect("a program is set before the first search");
                    if events.send(Event::Chosen(program.choose(&game, &stop))).is_err() {
                        return;
                    }
                }
            }
        }
    });
    let (player, seed) = (args.player.clone(), args.seed);
    let mut engine = Engine { spec, player, seed, game, jobs, thinking: None, is_leaving: false };
    engine.create_program()?;
    // A running search is still answered at the end of input, so that a script can pipe its commands.
    while !engine.is_leaving || engine.thinking.is_some() {
        let deadline = engine.thinking.as_ref().and_then(|thinking| thinking.deadline);
        let event = match deadline {
            None => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(deadline) => inbox.recv_timeout(deadline.saturating_duration_since(Instant::now())),
        };
        match event {
            Ok(Event::Line(line)) => {
                if engine.handle(&line)? == Next::Quit {
                    return Ok(());
                }
            }
            Ok(Event::Chosen(choice)) => engine.answer(choice)?,
            Err(RecvTimeoutError::Timeout) => engine.stop_thinking(),
            Ok(Event::EndOfInput) => engine.is_leaving = true,
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
    }
    Ok(())
}

fn read_lines(events: &Sender<Event>) {
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        match input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => break,
            Ok(_) => {
                let text = String::from_utf8_lossy(&line).trim().to_owned();
                if events.send(Event::Line(text)).is_err() {
                    return;
                }
            }
        }
    }
    // The receiver may have gone already.
    let _ = events.send(Event::EndOfInput);
}

#[derive(PartialEq, Eq)]
enum Next {
    Continue,
    Quit,
}

impl Engine {
    fn handle(&mut self, line: &str) -> Result<Next> {
        let command = match Command::parse(line) {
            Ok(command) => command,
            Err(_) if line.is_empty() => return Ok(Next::Continue),
            Err(error) => {
                say(&format!("info string {error}"))?;
                return Ok(Next::Continue);
            }
        };
        match command {
            Command::Quit => return Ok(Next::Quit),
            Command::IsReady => say("readyok")?,
            Command::Stop => self.stop_thinking(),
            Command::Ugi => {
                let player = self.player.as_deref().unwrap_or("alinea");
                say(&format!("id name {player}\nid author Alinea"))?;
                say(&format!("option name Game type string default {}", self.spec))?;
                say(&format!("option name Player type string default {player}"))?;
                say(&format!("option name Seed type spin default {} min 0 max {}", self.seed, u64::MAX))?;
                say("ugiok")?;
            }
            Command::Query(query) => say(&format!("response {}", query.answer(&self.game)))?,
            _ if self.thinking.is_some() => {
                say("info string ignored while thinking; expected stop, isready or quit")?;
            }
            Command::NewGame => {
                self.game = self.spec.into();
                self.create_program()?;
            }
            Command::SetOption { name, value } => {
                if let Err(error) = self.set(&name, &value) {
                    say(&format!("info string {error}"))?;
                }
            }
            Command::Position { fen, moves } => match ugi::game(self.spec, fen.as_deref(), &moves) {
                Ok(game) => self.game = game,
                Err(reason) => say(&format!("info string {reason}"))?,
            },
            Command::Go(go) => self.go(go)?,
        }
        Ok(Next::Continue)
    }

    /// Creates the program anew, for a new game, another player or another seed.
    fn create_program(&mut self) -> Result<()> {
        let game = AnyGame::from(self.spec);
        let program = match &self.player {
            Some(player) => contestant::program(&game, player, self.seed)?,
            None => roster::adviser(&game, &native::resources(self.seed)),
        };
        // The search thread lives as long as this one.
        let _ = self.jobs.send(Job::UseProgram(program));
        Ok(())
    }

    fn set(&mut self, name: &str, value: &str) -> Result<()> {
        match name {
            "Seed" => self.seed = value.parse()?,
            "Player" => {
                contestant::check(&self.spec.into(), value)?;
                self.player = Some(value.to_owned());
            }
            "Game" => {
                let spec = value.parse()?;
                if let Some(player) = &self.player {
                    contestant::check(&AnyGame::from(spec), player)?;
                }
                self.spec = spec;
                self.game = spec.into();
            }
            _ => return Ok(()),
        }
        self.create_program()
    }

    fn go(&mut self, go: Go) -> Result<()> {
        if let Some(outcome) = self.game.outcome() {
            return say(&format!("info string the game is over ({outcome}); there is no move to search"));
        }
        let start = Instant::now();
        let time = go.thinking_time(&self.game);
        let deadline = time.map(|time| start + time);
        let stop = time.map_or_else(Stop::default, Stop::within);
        let _ = self.jobs.send(Job::Choose(self.game.clone(), stop.clone()));
        self.thinking = Some(Thinking { game: self.game.clone(), stop, start, deadline });
        Ok(())
    }

    /// The player answers with the best it knows.
    fn stop_thinking(&mut self) {
        if let Some(thinking) = &mut self.thinking {
            thinking.stop.move_now();
            thinking.deadline = None;
        }
    }

    fn answer(&mut self, choice: Result<Thought<String>, NoMove>) -> Result<()> {
        let Some(Thinking { game, start, .. }) = self.thinking.take() else { return Ok(()) };
        let chosen = match choice {
            Ok(thought) => {
                let mut info = String::from("info");
                if let Some(depth) = thought.depth {
                    info += &format!(" depth {depth}");
                }
                if let Some(score) = thought.score {
                    info += &format!(" score cp {score}");
                }
                let time = start.elapsed().as_millis();
                info += &format!(" nodes {} time {time} pv {}", thought.nodes, thought.line.join(" "));
                say(&info)?;
                thought.chosen
            }
            Err(reason) => {
                say(&format!("info string {reason}; this is the first legal move"))?;
                let legal = game.legal_moves().into_iter().next();
                legal.expect("a game that is not over has a legal move")
            }
        };
        say(&format!("bestmove {chosen}"))
    }
}

fn say(text: &str) -> Result<()> {
    let mut output = io::stdout().lock();
    writeln!(output, "{text}")?;
    Ok(output.flush()?)
}
