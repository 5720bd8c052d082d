//! A program in any language as a player: it speaks UGI and runs as a process of its own. Whatever it
//! does wrong becomes a [`Fault`] of its side.

use std::time::{Duration, Instant};

use players::{NoMove, Program, Stop, Thought};
use rules::{AnyGame, excerpt};

use crate::{
    Failure, Fault, Limits,
    process::{Complaints, Process, Trouble, Usage},
    ugi::{Command, Go, Info, Query, SideClock},
};

/// How long an engine may take to leave, and at least to answer to `stop`.
pub(crate) const GRACE: Duration = Duration::from_millis(500);

/// What an engine answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The move; it is legal.
    pub chosen: String,
    /// What it told on the way.
    pub info: Info,
    /// How long it took.
    pub time: Duration,
}

/// A program as a player. It is started when first needed, and again after a fault.
pub struct External {
    command: String,
    limits: Limits,
    options: Vec<(String, String)>,
    complaints: Complaints,
    running: Option<Running>,
    /// Used by processes that have ended.
    past: Usage,
}

/// An engine that has said `ugiok`.
struct Running {
    process: Process,
    /// What it calls itself.
    name: Option<String>,
    /// The options it has.
    options: Vec<String>,
}

impl External {
    /// A command as one would write it in a shell.
    #[must_use]
    pub fn new(command: &str, limits: &Limits, complaints: Complaints) -> Self {
        let (command, limits) = (command.to_owned(), limits.clone());
        Self { command, limits, options: Vec::new(), complaints, running: None, past: Usage::default() }
    }

    /// Sets options of the engine at each start.
    #[must_use]
    pub fn with_options(mut self, options: Vec<(String, String)>) -> Self {
        self.options = options;
        self
    }

    /// What it calls itself, once it has been started.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.running.as_ref()?.name.as_deref()
    }

    /// What all its processes have used so far.
    pub fn usage(&mut self) -> Usage {
        let now = self.running.as_mut().map(|running| running.process.usage()).unwrap_or_default();
        Usage { cpu_ms: self.past.cpu_ms + now.cpu_ms, peak_kb: self.past.peak_kb.max(now.peak_kb) }
    }

    /// Prepares for a game: starts the engine if it is not running, and tells it what is played.
    ///
    /// # Errors
    /// If it does not start or does not get ready.
    pub fn new_game(&mut self, game: &AnyGame, seed: u64, stop: &Stop) -> Result<(), Failure> {
        let deadline = Instant::now() + self.limits.patience();
        if self.running.is_none() {
            self.start(deadline, stop)?;
        }
        let running = self.running.as_ref().expect("it has just been started");
        let mut commands = String::new();
        for (name, value) in [("Game", game.spec().to_string()), ("Seed", seed.to_string())] {
            // Only for engines that know them: others might take offence.
            if running.options.iter().any(|known| known == name) {
                commands += &format!("{}\n", Command::SetOption { name: name.to_owned(), value });
            }
        }
        commands += &format!("{}\n{}\n", Command::NewGame, Command::IsReady);
        self.send(&commands, deadline, stop)?;
        self.await_word("readyok", deadline, stop)
    }

    fn start(&mut self, deadline: Instant, stop: &Stop) -> Result<(), Failure> {
        let no_start = |reason: String| Failure::Fault(Fault::NoStart { reason });
        let process = Process::start(&self.command, &self.limits, self.complaints)
            .map_err(|error| no_start(error.to_string()))?;
        let running = self.running.insert(Running { process, name: None, options: Vec::new() });
        let mut introduce = || {
            running.process.send("ugi\n", deadline, stop)?;
            loop {
                let line = running.process.line(deadline, stop)?;
                if line == "ugiok" {
                    return Ok(());
                }
                if let Some(name) = line.strip_prefix("id name ") {
                    running.name = Some(excerpt(name));
                }
                if let Some(option) = line.strip_prefix("option name ") {
                    let name = option.split(" type ").next().unwrap_or(option);
                    // An engine cannot fill our memory with options.
                    if running.options.len() < 256 {
                        running.options.push(excerpt(name));
                    }
                }
            }
        };
        let introduced = introduce();
        if let Err(trouble) = introduced {
            let waited = self.limits.patience_ms;
            return Err(match self.fail(trouble, "ugiok", waited) {
                Failure::Fault(Fault::Crash { status }) => no_start(format!("it ended with {status}")),
                Failure::Fault(Fault::Hang { .. }) => no_start(format!("no ugiok within {waited} ms")),
                other => other,
            });
        }
        let options = self.options.iter();
        let options =
            options.map(|(name, value)| Command::SetOption { name: name.clone(), value: value.clone() });
        let options: String = options.map(|command| format!("{command}\n")).collect();
        self.send(&options, deadline, stop)
    }

    /// Its move in a game that is not over, within the limits; the clocks stand so.
    ///
    /// # Errors
    /// If it commits a fault, after which it has been ended, or the arena wants to stop.
    pub fn choose(
        &mut self,
        game: &AnyGame,
        clock: Option<[SideClock; 2]>,
        stop: &Stop,
    ) -> Result<Answer, Failure> {
        let go = self.limits.go(clock);
        let allowed = allowed(&go, game);
        let start = Instant::now();
        let hung = start + self.limits.patience();
        self.send(&format!("{}\n{go}\n", Command::position(game)), hung, stop)?;
        let time_out = allowed.map_or(hung, |allowed| start + allowed + self.limits.margin());
        let mut info = Info::default();
        let outcome = self.await_move(&mut info, time_out, stop);
        let time = start.elapsed();
        let Some(allowed) = allowed else {
            let line = outcome.map_err(|trouble| self.fail(trouble, "bestmove", self.limits.patience_ms))?;
            return self.checked(game, &line, info, time);
        };
        let allowed_ms = millis(allowed);
        match outcome {
            Ok(line) if time <= allowed + self.limits.margin() => self.checked(game, &line, info, time),
            // It came with the last tick of the deadline.
            Ok(_) => Err(self.too_slow(time, allowed_ms)),
            Err(Trouble::Late) => {
                let grace = self.limits.margin().max(GRACE);
                let deadline = Instant::now() + grace;
                self.send("stop\n", deadline, stop)?;
                match self.await_move(&mut info, deadline, stop) {
                    Ok(_) => Err(self.too_slow(start.elapsed(), allowed_ms)),
                    Err(Trouble::Late) => {
                        self.end();
                        Err(Fault::IgnoresStop { allowed_ms, waited_ms: millis(grace) }.into())
                    }
                    Err(trouble) => Err(self.fail(trouble, "bestmove", millis(grace))),
                }
            }
            Err(trouble) => Err(self.fail(trouble, "bestmove", allowed_ms)),
        }
    }

    fn too_slow(&mut self, used: Duration, allowed_ms: u64) -> Failure {
        self.end();
        Fault::TooSlow { used_ms: millis(used), allowed_ms, margin_ms: self.limits.margin_ms }.into()
    }

    /// The line with the move, and what was told before it.
    fn await_move(&mut self, info: &mut Info, deadline: Instant, stop: &Stop) -> Result<String, Trouble> {
        let running = self.running.as_mut().ok_or(Trouble::Gone)?;
        loop {
            let line = running.process.line(deadline, stop)?;
            match line.split_whitespace().next() {
                Some("bestmove") => return Ok(line),
                Some("info") => info.update(&line),
                // Chatter is allowed; the protocol says to ignore what one does not know.
                _ => {}
            }
        }
    }

    fn checked(&mut self, game: &AnyGame, line: &str, info: Info, time: Duration) -> Result<Answer, Failure> {
        let mut words = line.split_whitespace().skip(1);
        let (Some(chosen), None) = (words.next(), words.next()) else {
            self.end();
            return Err(Fault::Malformed { line: excerpt(line) }.into());
        };
        match game.clone().play(chosen) {
            Ok(()) => Ok(Answer { chosen: chosen.to_owned(), info, time }),
            Err(error) => {
                self.end();
                Err(Fault::IllegalMove { played: excerpt(chosen), reason: error.to_string() }.into())
            }
        }
    }

    /// What it answers to a question about a position; `None` if it does not within a second.
    ///
    /// # Errors
    /// If it ends or floods.
    pub fn query(&mut self, game: &AnyGame, query: Query, stop: &Stop) -> Result<Option<String>, Failure> {
        let deadline = Instant::now() + Duration::from_secs(1);
        self.send(&format!("{}\n{}\n", Command::position(game), Command::Query(query)), deadline, stop)?;
        loop {
            let running = self.running.as_mut().ok_or(Failure::Stopped)?;
            match running.process.line(deadline, stop) {
                Ok(line) => {
                    if let Some(response) = line.strip_prefix("response ") {
                        return Ok(Some(excerpt(response.trim())));
                    }
                }
                Err(Trouble::Late) => return Ok(None),
                Err(trouble) => return Err(self.fail(trouble, "response", 1000)),
            }
        }
    }

    /// Says something and waits for a word, as `check` does.
    ///
    /// # Errors
    /// If the word does not come in time.
    pub fn say(&mut self, text: &str, awaited: &str, stop: &Stop) -> Result<(), Failure> {
        let deadline = Instant::now() + self.limits.patience();
        self.send(&format!("{text}\n"), deadline, stop)?;
        self.await_word(awaited, deadline, stop)
    }

    fn send(&mut self, text: &str, deadline: Instant, stop: &Stop) -> Result<(), Failure> {
        let running = self.running.as_mut().ok_or_else(not_running)?;
        running
            .process
            .send(text, deadline, stop)
            .map_err(|trouble| self.fail(trouble, "reading of its input", self.limits.patience_ms))
    }

    fn await_word(&mut self, awaited: &str, deadline: Instant, stop: &Stop) -> Result<(), Failure> {
        loop {
            let running = self.running.as_mut().ok_or_else(not_running)?;
            match running.process.line(deadline, stop) {
                Ok(line) if line.split_whitespace().next() == Some(awaited) => return Ok(()),
                Ok(_) => {}
                Err(trouble) => return Err(self.fail(trouble, awaited, self.limits.patience_ms)),
            }
        }
    }

    /// Ends the engine and says what it did wrong.
    fn fail(&mut self, trouble: Trouble, awaited: &str, waited_ms: u64) -> Failure {
        let status = self.end();
        match trouble {
            Trouble::Stopped => Failure::Stopped,
            Trouble::Late => Fault::Hang { awaited: awaited.to_owned(), waited_ms }.into(),
            Trouble::Gone => Fault::Crash { status }.into(),
            Trouble::Flood(reason) => Fault::Flood { reason }.into(),
        }
    }

    /// Ends the engine with its children at once; the next game starts it anew.
    fn end(&mut self) -> String {
        self.past = self.usage();
        match self.running.take() {
            Some(mut running) => running.process.kill(),
            None => "not running".to_owned(),
        }
    }

    /// Whether it left by itself when asked to.
    pub fn quit(&mut self) -> bool {
        self.past = self.usage();
        let Some(mut running) = self.running.take() else { return true };
        let (deadline, stop) = (Instant::now() + GRACE, Stop::default());
        if running.process.send("quit\n", deadline, &stop).is_err() {
            return true;
        }
        loop {
            match running.process.line(deadline, &stop) {
                Ok(_) => {}
                Err(trouble) => return matches!(trouble, Trouble::Gone),
            }
        }
    }

    /// As a program that can sit wherever a program of ours can.
    #[must_use]
    pub fn into_program(mut self, seed: u64) -> Program {
        let mut has_begun = false;
        Program::from_fn(move |game, stop| {
            let mut choose = || {
                if !has_begun || self.running.is_none() {
                    self.new_game(game, seed, stop)?;
                    has_begun = true;
                }
                self.choose(game, self.limits.clocks(), stop)
            };
            match choose() {
                Ok(answer) => Ok(thought(answer)),
                Err(Failure::Stopped) => Err(NoMove::Stopped),
                Err(Failure::Fault(fault)) => Err(NoMove::Failed(fault.to_string())),
            }
        })
    }
}

/// Engines that are told to leave may tidy up; those that do not leave are ended.
impl Drop for External {
    fn drop(&mut self) {
        if let Some(running) = self.running.take() {
            running.process.quit(GRACE);
        }
    }
}

fn not_running() -> Failure {
    Fault::Crash { status: "it is not running".to_owned() }.into()
}

fn thought(answer: Answer) -> Thought<String> {
    let Answer { chosen, info, .. } = answer;
    let line = if info.line.first() == Some(&chosen) { info.line } else { vec![chosen.clone()] };
    Thought {
        among: vec![chosen.clone()],
        chosen,
        score: info.score,
        line,
        reasons: Vec::new(),
        nodes: info.nodes.unwrap_or(0),
        depth: info.depth,
    }
}

/// The time for one move: what is left on the clock, or the time per move, if that is shorter.
fn allowed(go: &Go, game: &AnyGame) -> Option<Duration> {
    let left = go.clock.map(|clock| clock[game.turn().index()].left);
    match (go.movetime, left) {
        (Some(movetime), Some(left)) => Some(movetime.min(left)),
        (movetime, left) => movetime.or(left),
    }
}

pub(crate) fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
