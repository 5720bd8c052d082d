//! The dialogue with an external engine that speaks UGI.

use std::time::Duration;

use players::Stop;
use rules::{AnyGame, excerpt};

use super::Command;
use crate::{
    Answer, Failure, Fault,
    answer::Info,
    connection::{Connection, Request},
    fault::bestmove,
    go::{Go, SideClock},
    session,
};

/// The state of the dialogue.
#[derive(Default)]
pub(crate) struct Session {
    /// The options to set at each start.
    options: Vec<(String, String)>,
    /// Whether the engine may think on the opponent's time.
    ponders: bool,
    declared: Declared,
    /// The `position` command on which the engine ponders.
    pondering: Option<String>,
}

/// What an engine declares before `ugiok`.
#[derive(Default)]
struct Declared {
    /// The name from `id name`.
    name: Option<String>,
    /// The names of its options.
    options: Vec<String>,
}

impl session::Session for Session {
    fn set_options(&mut self, options: Vec<(String, String)>) {
        self.options = options;
    }

    fn allow_ponder(&mut self) {
        self.ponders = true;
    }

    fn name(&self) -> Option<&str> {
        self.declared.name.as_deref()
    }

    fn new_game(
        &mut self,
        engine: &mut Connection,
        game: &AnyGame,
        seed: u64,
        stop: &Stop,
    ) -> Result<(), Failure> {
        let mut commands = String::new();
        if engine.is_running() {
            self.stop_pondering(engine, stop)?;
        } else {
            commands = self.start(engine, stop)?;
        }
        for (name, value) in [("Game", game.spec().to_string()), ("Seed", seed.to_string())] {
            // Only if declared: some engines reject unknown options.
            if self.declared.options.iter().any(|known| known == name) {
                commands += &format!("{}\n", Command::SetOption { name: name.to_owned(), value });
            }
        }
        commands += &format!("{}\n{}\n", Command::NewGame, Command::IsReady);
        let mut ready = |line: &str| (first_word(line) == Some("readyok")).then_some(());
        engine.ask(&commands, "readyok", &mut ready, stop)
    }

    fn choose(
        &mut self,
        engine: &mut Connection,
        game: &AnyGame,
        clock: Option<[SideClock; 2]>,
        stop: &Stop,
    ) -> Result<Answer, Failure> {
        let go = engine.limits.go(clock, game.turn());
        let position = Command::position(game).to_string();
        let commands = if self.pondering.as_ref() == Some(&position) {
            self.pondering = None;
            format!("{}\n", Command::PonderHit)
        } else {
            self.stop_pondering(engine, stop)?;
            format!("{position}\n{go}\n")
        };
        let mut info = Info::default();
        let request = Request {
            commands: &commands,
            allowed: go.allowed(game),
            awaited: "bestmove",
            stop: Some("stop\n"),
        };
        let (line, time) = engine.ask_move(&request, &mut |line| read_move(&mut info, line), stop)?;
        self.checked(engine, game, &line, info, time, &go, stop)
    }
}

/// Accepts the `bestmove` line and collects `info` lines. The protocol says to ignore unknown lines.
fn read_move(info: &mut Info, line: &str) -> Option<String> {
    match first_word(line) {
        Some("bestmove") => return Some(line.to_owned()),
        Some("info") => info.update(line),
        _ => {}
    }
    None
}

fn first_word(line: &str) -> Option<&str> {
    line.split_whitespace().next()
}

impl Session {
    /// Starts the engine. Returns the commands that set its options.
    fn start(&mut self, engine: &mut Connection, stop: &Stop) -> Result<String, Failure> {
        let mut declared = Declared::default();
        let mut read = |line: &str| {
            if let Some(name) = line.strip_prefix("id name ") {
                declared.name = Some(excerpt(name));
            }
            if let Some(option) = line.strip_prefix("option name ") {
                let name = option.split(" type ").next().unwrap_or(option);
                // Bounded, so that an engine cannot exhaust our memory.
                if declared.options.len() < 256 {
                    declared.options.push(excerpt(name));
                }
            }
            (line == "ugiok").then_some(())
        };
        engine.start("ugi\n", "ugiok", &mut read, stop)?;
        (self.declared, self.pondering) = (declared, None);
        let ponder = ("Ponder".to_owned(), "true".to_owned());
        let options = self.options.iter().chain(self.may_ponder().then_some(&ponder));
        let options =
            options.map(|(name, value)| Command::SetOption { name: name.clone(), value: value.clone() });
        Ok(options.map(|command| format!("{command}\n")).collect())
    }

    /// Checks the move of a `bestmove` line. If it is legal, the engine starts to ponder on the expected reply.
    #[expect(clippy::too_many_arguments, reason = "the circumstances of one answer")]
    fn checked(
        &mut self,
        engine: &mut Connection,
        game: &AnyGame,
        line: &str,
        info: Info,
        time: Duration,
        go: &Go,
        stop: &Stop,
    ) -> Result<Answer, Failure> {
        let words: Vec<_> = line.split_whitespace().skip(1).collect();
        let (chosen, reply) = match words[..] {
            [chosen] => (chosen, None),
            [chosen, "ponder", reply] => (chosen, Some(reply)),
            _ => return Err(engine.fault(Fault::Malformed { line: excerpt(line), expected: bestmove() })),
        };
        let mut after = game.clone();
        if let Err(error) = after.play(chosen) {
            let (played, reason) = (excerpt(chosen), error.to_string());
            return Err(engine.fault(Fault::IllegalMove { played, reason }));
        }
        if let Some(reply) = reply.filter(|_| self.may_ponder()) {
            self.ponder(engine, after, reply, time, go, stop)?;
        }
        Ok(Answer { chosen: chosen.to_owned(), info, time })
    }

    fn may_ponder(&self) -> bool {
        self.ponders && self.declared.options.iter().any(|option| option == "Ponder")
    }

    /// Starts pondering, if the expected reply is legal and does not end the game.
    fn ponder(
        &mut self,
        engine: &mut Connection,
        mut after: AnyGame,
        reply: &str,
        time: Duration,
        go: &Go,
        stop: &Stop,
    ) -> Result<(), Failure> {
        let side = after.turn().other();
        if after.play(reply).is_err() || after.outcome().is_some() {
            return Ok(());
        }
        let mut go = Go { ponder: true, ..*go };
        if let Some(clock) = &mut go.clock {
            let own = &mut clock[side.index()];
            engine.limits.charge(own, time);
            go.moves_to_go = own.moves_to_go;
        }
        let position = Command::position(&after).to_string();
        engine.send(&format!("{position}\n{go}\n"), engine.deadline(), stop)?;
        self.pondering = Some(position);
        Ok(())
    }

    /// Stops pondering on a move that was not played.
    fn stop_pondering(&mut self, engine: &mut Connection, stop: &Stop) -> Result<(), Failure> {
        if self.pondering.take().is_none() {
            return Ok(());
        }
        let mut read = |line: &str| read_move(&mut Info::default(), line);
        engine.ask(&format!("{}\n", Command::Stop), "bestmove", &mut read, stop).map(drop)
    }
}
