//! An engine in any language as a player: it speaks UGI and runs as a child process. Any misbehaviour
//! becomes a [`Fault`] of its side.

use std::time::{Duration, Instant};

use players::{NoMove, Program, Proof, Proven, Reason, Stop, Thought};
use rules::{AnyGame, excerpt};

use crate::{
    Failure, Fault, Limits, Log,
    dialogue::Dialogue,
    process::{IoFailure, Pipe, Process, Stderr, Usage},
    ugi::{Command, Go, Info, Query, SideClock},
};

/// Time for an engine to exit after `quit`, and the minimum time to answer `stop`.
pub(crate) const QUIT_TIMEOUT: Duration = Duration::from_millis(500);

/// The answer of an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The move, checked to be legal.
    pub chosen: String,
    /// The last search information it sent.
    pub info: Info,
    /// The time used.
    pub time: Duration,
}

/// An external engine. It is started when first needed, and restarted after a fault.
pub struct External {
    command: String,
    limits: Limits,
    options: Vec<(String, String)>,
    stderr: Stderr,
    dialogue: Option<Dialogue>,
    /// Whether the engine may think on the opponent's time.
    ponders: bool,
    running: Option<Running>,
    /// Resources used by processes that have exited.
    past: Usage,
}

/// An engine that has completed the `ugi` handshake.
struct Running {
    process: Process,
    /// The name from `id name`.
    name: Option<String>,
    /// The options that the engine declared.
    options: Vec<String>,
    /// The `position` command on which the engine ponders.
    pondering: Option<String>,
}

impl External {
    /// An engine started by this shell command.
    #[must_use]
    pub fn new(command: &str, limits: &Limits, stderr: Stderr) -> Self {
        let (command, limits) = (command.to_owned(), limits.clone());
        let (options, past) = (Vec::new(), Usage::default());
        Self { command, limits, options, stderr, dialogue: None, ponders: false, running: None, past }
    }

    /// Options to set at each start of the engine.
    #[must_use]
    pub fn with_options(mut self, options: Vec<(String, String)>) -> Self {
        self.options = options;
        self
    }

    /// Logs the dialogue and the standard error of the engine under this name.
    #[must_use]
    pub fn with_log(mut self, log: &Log, name: &str) -> Self {
        self.dialogue = Some(log.of(name));
        self
    }

    /// Lets the engine think on the opponent's time, if it declares the option `Ponder`.
    #[must_use]
    pub fn with_ponder(mut self) -> Self {
        self.ponders = true;
        self
    }

    /// The name from `id name`; known once the engine has been started.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.running.as_ref()?.name.as_deref()
    }

    /// The resources that all processes of the engine have used so far.
    pub fn usage(&mut self) -> Usage {
        let now = self.running.as_mut().map(|running| running.process.usage()).unwrap_or_default();
        Usage { cpu_ms: self.past.cpu_ms + now.cpu_ms, peak_kb: self.past.peak_kb.max(now.peak_kb) }
    }

    /// Prepares for a game: starts the engine if it is not running, and sends the game and seed.
    ///
    /// # Errors
    /// If it does not start or does not answer `isready`.
    pub fn new_game(&mut self, game: &AnyGame, seed: u64, stop: &Stop) -> Result<(), Failure> {
        let deadline = Instant::now() + self.limits.timeout();
        self.stop_pondering(stop)?;
        if self.running.is_none() {
            self.start(deadline, stop)?;
        }
        let running = self.running.as_ref().expect("it has just been started");
        let mut commands = String::new();
        for (name, value) in [("Game", game.spec().to_string()), ("Seed", seed.to_string())] {
            // Only if declared: some engines reject unknown options.
            if running.options.iter().any(|known| known == name) {
                commands += &format!("{}\n", Command::SetOption { name: name.to_owned(), value });
            }
        }
        commands += &format!("{}\n{}\n", Command::NewGame, Command::IsReady);
        self.send(&commands, deadline, stop)?;
        self.await_line("readyok", deadline, stop)
    }

    fn start(&mut self, deadline: Instant, stop: &Stop) -> Result<(), Failure> {
        let failed_start = |reason: String| Failure::Fault(Fault::NoStart { reason });
        let process = Process::start(&self.command, &self.limits, self.stderr, self.dialogue.clone())
            .map_err(|error| failed_start(error.to_string()))?;
        let running =
            self.running.insert(Running { process, name: None, options: Vec::new(), pondering: None });
        let mut handshake = || {
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
                    // Bounded, so that an engine cannot exhaust our memory.
                    if running.options.len() < 256 {
                        running.options.push(excerpt(name));
                    }
                }
            }
        };
        let result = handshake();
        if let Err(failure) = result {
            let waited = self.limits.timeout_ms;
            return Err(match self.fail(failure, "ugiok", waited) {
                Failure::Fault(Fault::Crash { status }) => failed_start(status),
                Failure::Fault(Fault::Hang { .. }) => failed_start(format!("no ugiok within {waited} ms")),
                other => other,
            });
        }
        let ponder = ("Ponder".to_owned(), "true".to_owned());
        let options = self.options.iter().chain(self.may_ponder().then_some(&ponder));
        let options =
            options.map(|(name, value)| Command::SetOption { name: name.clone(), value: value.clone() });
        let options: String = options.map(|command| format!("{command}\n")).collect();
        self.send(&options, deadline, stop)
    }

    /// Asks for a move in an unfinished game, within the limits and these clocks.
    ///
    /// # Errors
    /// If the engine commits a fault, after which its process is killed, or if the run is cancelled.
    pub fn choose(
        &mut self,
        game: &AnyGame,
        clock: Option<[SideClock; 2]>,
        stop: &Stop,
    ) -> Result<Answer, Failure> {
        let go = self.limits.go(clock);
        let allowed = allowed(&go, game);
        let position = Command::position(game).to_string();
        let expected = self.running.as_ref().and_then(|running| running.pondering.as_ref());
        let commands = if expected == Some(&position) {
            self.running.iter_mut().for_each(|running| running.pondering = None);
            format!("{}\n", Command::PonderHit)
        } else {
            self.stop_pondering(stop)?;
            format!("{position}\n{go}\n")
        };
        let start = Instant::now();
        let hung = start + self.limits.timeout();
        self.send(&commands, hung, stop)?;
        let time_out = allowed.map_or(hung, |allowed| start + allowed + self.limits.margin());
        let mut info = Info::default();
        let outcome = self.await_move(&mut info, time_out, stop);
        let time = start.elapsed();
        let Some(allowed) = allowed else {
            let line = outcome.map_err(|failure| self.fail(failure, "bestmove", self.limits.timeout_ms))?;
            return self.checked(game, &line, info, time, &go, stop);
        };
        let allowed_ms = millis(allowed);
        match outcome {
            Ok(line) if time <= allowed + self.limits.margin() => {
                self.checked(game, &line, info, time, &go, stop)
            }
            // The line arrived in the last poll before the deadline.
            Ok(_) => Err(self.too_slow(time, allowed_ms)),
            Err(IoFailure::TimedOut) => {
                let timeout = self.limits.margin().max(QUIT_TIMEOUT);
                let deadline = Instant::now() + timeout;
                self.send("stop\n", deadline, stop)?;
                match self.await_move(&mut info, deadline, stop) {
                    Ok(_) => Err(self.too_slow(start.elapsed(), allowed_ms)),
                    Err(IoFailure::TimedOut) => {
                        self.end();
                        Err(Fault::IgnoresStop { allowed_ms, waited_ms: millis(timeout) }.into())
                    }
                    Err(failure) => Err(self.fail(failure, "bestmove", millis(timeout))),
                }
            }
            Err(failure) => Err(self.fail(failure, "bestmove", allowed_ms)),
        }
    }

    fn too_slow(&mut self, used: Duration, allowed_ms: u64) -> Failure {
        self.end();
        Fault::TooSlow { used_ms: millis(used), allowed_ms, margin_ms: self.limits.margin_ms }.into()
    }

    /// Reads up to the `bestmove` line and collects `info` lines.
    fn await_move(&mut self, info: &mut Info, deadline: Instant, stop: &Stop) -> Result<String, IoFailure> {
        let running = self.running.as_mut().ok_or(IoFailure::Closed(Pipe::Output))?;
        loop {
            let line = running.process.line(deadline, stop)?;
            match line.split_whitespace().next() {
                Some("bestmove") => {
                    // It may have used it in less time than between two looks.
                    running.process.check_memory()?;
                    return Ok(line);
                }
                Some("info") => info.update(&line),
                // The protocol says to ignore unknown lines.
                _ => {}
            }
        }
    }

    /// Checks the move of a `bestmove` line. If it is legal, the engine starts to ponder on the expected reply.
    fn checked(
        &mut self,
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
            _ => {
                self.end();
                return Err(Fault::Malformed { line: excerpt(line) }.into());
            }
        };
        let mut after = game.clone();
        match after.play(chosen) {
            Ok(()) => {
                if let Some(reply) = reply.filter(|_| self.may_ponder()) {
                    self.ponder(after, reply, time, go, stop)?;
                }
                Ok(Answer { chosen: chosen.to_owned(), info, time })
            }
            Err(error) => {
                self.end();
                Err(Fault::IllegalMove { played: excerpt(chosen), reason: error.to_string() }.into())
            }
        }
    }

    fn may_ponder(&self) -> bool {
        let declares = |running: &Running| running.options.iter().any(|option| option == "Ponder");
        self.ponders && self.running.as_ref().is_some_and(declares)
    }

    /// Starts pondering, if the expected reply is legal and does not end the game.
    fn ponder(
        &mut self,
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
            own.left = own.left.saturating_sub(time) + own.increment;
        }
        let position = Command::position(&after).to_string();
        self.send(&format!("{position}\n{go}\n"), Instant::now() + self.limits.timeout(), stop)?;
        self.running.iter_mut().for_each(|running| running.pondering = Some(position.clone()));
        Ok(())
    }

    /// Stops pondering on a move that was not played.
    fn stop_pondering(&mut self, stop: &Stop) -> Result<(), Failure> {
        if self.running.as_mut().and_then(|running| running.pondering.take()).is_none() {
            return Ok(());
        }
        let deadline = Instant::now() + self.limits.timeout();
        self.send(&format!("{}\n", Command::Stop), deadline, stop)?;
        let waited = self.limits.timeout_ms;
        match self.await_move(&mut Info::default(), deadline, stop) {
            Ok(_) => Ok(()),
            Err(failure) => Err(self.fail(failure, "bestmove", waited)),
        }
    }

    /// Sends a `query` about a position. Returns `None` without an answer within a second.
    ///
    /// # Errors
    /// If the engine exits or floods its output.
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
                Err(IoFailure::TimedOut) => return Ok(None),
                Err(failure) => return Err(self.fail(failure, "response", 1000)),
            }
        }
    }

    /// Sends text and waits for a line that starts with `awaited`; used by `alinea check`.
    ///
    /// # Errors
    /// If no such line arrives in time.
    pub fn say(&mut self, text: &str, awaited: &str, stop: &Stop) -> Result<(), Failure> {
        let deadline = Instant::now() + self.limits.timeout();
        self.send(&format!("{text}\n"), deadline, stop)?;
        self.await_line(awaited, deadline, stop)
    }

    fn send(&mut self, text: &str, deadline: Instant, stop: &Stop) -> Result<(), Failure> {
        let running = self.running.as_mut().ok_or_else(not_running)?;
        running
            .process
            .send(text, deadline, stop)
            .map_err(|failure| self.fail(failure, "read of its input", self.limits.timeout_ms))
    }

    fn await_line(&mut self, awaited: &str, deadline: Instant, stop: &Stop) -> Result<(), Failure> {
        loop {
            let running = self.running.as_mut().ok_or_else(not_running)?;
            match running.process.line(deadline, stop) {
                Ok(line) if line.split_whitespace().next() == Some(awaited) => return Ok(()),
                Ok(_) => {}
                Err(failure) => return Err(self.fail(failure, awaited, self.limits.timeout_ms)),
            }
        }
    }

    /// Kills the engine and converts the failure into its fault.
    fn fail(&mut self, failure: IoFailure, awaited: &str, waited_ms: u64) -> Failure {
        let failure = match failure {
            IoFailure::Stopped => Failure::Stopped,
            IoFailure::TimedOut => Fault::Hang { awaited: awaited.to_owned(), waited_ms }.into(),
            IoFailure::Closed(pipe) => match &self.running {
                Some(running) if let Some(used_kb) = running.process.exceeded_kb() => self.memory(used_kb),
                Some(running) => Fault::Crash { status: running.process.end_after(pipe) }.into(),
                None => not_running(),
            },
            IoFailure::Flood(reason) => Fault::Flood { reason }.into(),
            IoFailure::Memory(used_kb) => self.memory(used_kb),
        };
        self.end();
        failure
    }

    fn memory(&self, used_kb: u64) -> Failure {
        let limit_mb = self.limits.memory_mb.unwrap_or_default();
        Fault::Memory { used_mb: used_kb.div_ceil(1024), limit_mb }.into()
    }

    /// Kills the engine and its children; the next game restarts it.
    fn end(&mut self) {
        self.past = self.usage();
        if let Some(mut running) = self.running.take() {
            running.process.kill();
        }
    }

    /// Sends `quit`. Returns true if the engine exits by itself in time.
    pub fn quit(&mut self) -> bool {
        self.past = self.usage();
        let Some(mut running) = self.running.take() else { return true };
        let (deadline, stop) = (Instant::now() + QUIT_TIMEOUT, Stop::default());
        if running.process.send("quit\n", deadline, &stop).is_err() {
            return true;
        }
        loop {
            match running.process.line(deadline, &stop) {
                Ok(_) => {}
                Err(failure) => return matches!(failure, IoFailure::Closed(_)),
            }
        }
    }

    /// Wraps the engine as a [`Program`], for use where a built-in player is expected.
    #[must_use]
    pub fn into_program(mut self, seed: u64) -> Program {
        let mut has_begun = false;
        Program::from_fn(move |game, stop| {
            let mut choose = || {
                if !has_begun || self.running.is_none() {
                    self.new_game(game, seed, stop)?;
                    has_begun = true;
                }
                self.choose(game, self.limits.clock().map(|clock| [clock; 2]), stop)
            };
            match choose() {
                Ok(answer) => Ok(thought(answer)),
                Err(Failure::Stopped) => Err(NoMove::Stopped),
                Err(Failure::Fault(fault)) => Err(NoMove::Failed(fault.to_string())),
            }
        })
    }
}

/// Gives the engine time to exit cleanly before it is killed.
impl Drop for External {
    fn drop(&mut self) {
        if let Some(running) = self.running.take() {
            running.process.quit(QUIT_TIMEOUT);
        }
    }
}

fn not_running() -> Failure {
    Fault::Crash { status: "the engine is not running".to_owned() }.into()
}

fn thought(answer: Answer) -> Thought<String> {
    let Answer { chosen, info, .. } = answer;
    let line = if info.line.first() == Some(&chosen) { info.line } else { vec![chosen.clone()] };
    let proven = info.mate.filter(|mate| *mate != 0).map(|mate| {
        let moves = u32::try_from(mate.unsigned_abs()).unwrap_or(u32::MAX / 2).min(u32::MAX / 2);
        let (result, plies) = if mate > 0 { (Proof::Win, 2 * moves - 1) } else { (Proof::Loss, 2 * moves) };
        Reason::Proven(Proven { result, plies })
    });
    Thought {
        candidates: vec![chosen.clone()],
        chosen,
        score: info.score,
        line,
        reasons: proven.into_iter().collect(),
        nodes: info.nodes.unwrap_or(0),
        depth: info.depth,
    }
}

/// The time for one move: the smaller of the clock and the time per move.
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
