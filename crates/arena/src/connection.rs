//! A connection to an engine in a child process, whatever its protocol: starts it, sends commands, waits for answers
//! within deadlines, and turns any misbehaviour into a [`Fault`].

use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

use players::Stop;

use crate::{
    Failure, Fault, Limits, Usage,
    dialogue::Dialogue,
    go::millis,
    process::{IoFailure, Pipe, Process, Stderr},
};

/// Time for an engine to exit on request, and minimum time for an overdue answer.
const QUIT_TIMEOUT: Duration = Duration::from_millis(500);

/// A connection to an engine. The process is started on request, and killed after a fault.
pub(crate) struct Connection {
    command: String,
    /// The line that tells the engine to exit.
    quit: &'static str,
    pub(crate) limits: Limits,
    stderr: Stderr,
    /// The directory in which the engine runs; that of our process by default.
    pub(crate) directory: Option<PathBuf>,
    pub(crate) dialogue: Option<Dialogue>,
    process: Option<Process>,
    /// Resources used by processes that have exited.
    past: Usage,
}

/// A request for a move.
pub(crate) struct Request<'a> {
    /// The commands.
    pub(crate) commands: &'a str,
    /// The time for the move, without the margin.
    pub(crate) allowed: Option<Duration>,
    /// The expected answer, as faults name it.
    pub(crate) awaited: &'a str,
    /// The command that ends a search, if the protocol has one.
    pub(crate) stop: Option<&'a str>,
}

impl Connection {
    pub(crate) fn new(command: &str, quit: &'static str, limits: &Limits, stderr: Stderr) -> Self {
        let (command, limits) = (command.to_owned(), limits.clone());
        Self {
            command,
            quit,
            limits,
            stderr,
            directory: None,
            dialogue: None,
            process: None,
            past: Usage::default(),
        }
    }

    /// Whether the engine has been started and has committed no fault since.
    pub(crate) fn is_running(&self) -> bool {
        self.process.is_some()
    }

    /// Returns the deadline after which the engine counts as hung.
    pub(crate) fn deadline(&self) -> Instant {
        Instant::now() + self.limits.timeout()
    }

    /// The resources that all processes of the engine have used so far.
    pub(crate) fn usage(&mut self) -> Usage {
        let now = self.process.as_mut().map(Process::usage).unwrap_or_default();
        Usage { cpu_ms: self.past.cpu_ms + now.cpu_ms, peak_kb: self.past.peak_kb.max(now.peak_kb) }
    }

    /// Starts the process, sends the first commands, and waits until `read` accepts a line.
    pub(crate) fn start<T>(
        &mut self,
        commands: &str,
        awaited: &str,
        read: &mut dyn FnMut(&str) -> Option<T>,
        stop: &Stop,
    ) -> Result<T, Failure> {
        let failed_start = |reason: String| Failure::Fault(Fault::NoStart { reason });
        let (directory, dialogue) = (self.directory.as_deref(), self.dialogue.clone());
        let process = Process::start(&self.command, directory, &self.limits, self.stderr, dialogue)
            .map_err(|error| failed_start(error.to_string()))?;
        self.process = Some(process);
        self.ask(commands, awaited, read, stop).map_err(|failure| match failure {
            Failure::Fault(Fault::Crash { status }) => failed_start(status),
            Failure::Fault(Fault::Hang { waited_ms, .. }) => {
                failed_start(format!("no {awaited} within {waited_ms} ms"))
            }
            other => other,
        })
    }

    /// Sends commands and waits, up to the timeout, until `read` accepts a line.
    pub(crate) fn ask<T>(
        &mut self,
        commands: &str,
        awaited: &str,
        read: &mut dyn FnMut(&str) -> Option<T>,
        stop: &Stop,
    ) -> Result<T, Failure> {
        let deadline = self.deadline();
        self.send(commands, deadline, stop)?;
        let answer = self.read(read, deadline, stop);
        answer.map_err(|failure| self.fail(failure, awaited, self.limits.timeout_ms))
    }

    /// Sends commands that ask for a move, and waits until `read` accepts a line. Returns the time used as well.
    pub(crate) fn ask_move<T>(
        &mut self,
        request: &Request,
        read: &mut dyn FnMut(&str) -> Option<T>,
        stop: &Stop,
    ) -> Result<(T, Duration), Failure> {
        let &Request { commands, allowed, awaited, stop: stop_command } = request;
        let start = Instant::now();
        let hung = start + self.limits.timeout();
        self.send(commands, hung, stop)?;
        let margin = self.limits.margin();
        let time_out = allowed.map_or(hung, |allowed| start + allowed + margin);
        let outcome = self.read(read, time_out, stop);
        let time = start.elapsed();
        let Some(allowed) = allowed else {
            return match outcome {
                Ok(answer) => Ok((answer, time)),
                Err(failure) => Err(self.fail(failure, awaited, self.limits.timeout_ms)),
            };
        };
        let allowed_ms = millis(allowed);
        match outcome {
            Ok(answer) if time <= allowed + margin => Ok((answer, time)),
            // The line arrived in the last poll before the deadline.
            Ok(_) => Err(self.too_slow(time, allowed_ms)),
            Err(IoFailure::TimedOut) => {
                let timeout = margin.max(QUIT_TIMEOUT);
                let deadline = Instant::now() + timeout;
                if let Some(stop_command) = stop_command {
                    self.send(stop_command, deadline, stop)?;
                }
                match (self.read(read, deadline, stop), stop_command) {
                    (Ok(_), _) => Err(self.too_slow(start.elapsed(), allowed_ms)),
                    (Err(IoFailure::TimedOut), Some(_)) => {
                        self.end();
                        Err(Fault::IgnoresStop { allowed_ms, waited_ms: millis(timeout) }.into())
                    }
                    (Err(failure), _) => Err(self.fail(failure, awaited, millis(allowed + margin + timeout))),
                }
            }
            Err(failure) => Err(self.fail(failure, awaited, allowed_ms)),
        }
    }

    fn too_slow(&mut self, used: Duration, allowed_ms: u64) -> Failure {
        let margin_ms = self.limits.margin_ms;
        self.fault(Fault::TooSlow { used_ms: millis(used), allowed_ms, margin_ms })
    }

    /// Reads lines until one is accepted.
    pub(crate) fn read<T>(
        &mut self,
        read: &mut dyn FnMut(&str) -> Option<T>,
        deadline: Instant,
        stop: &Stop,
    ) -> Result<T, IoFailure> {
        let process = self.process.as_mut().ok_or(IoFailure::Closed(Pipe::Output))?;
        loop {
            if let Some(answer) = read(&process.line(deadline, stop)?) {
                // The engine may have exceeded the limit between two polls.
                process.check_memory()?;
                return Ok(answer);
            }
        }
    }

    /// Sends text, which must end with a newline.
    pub(crate) fn send(&mut self, text: &str, deadline: Instant, stop: &Stop) -> Result<(), Failure> {
        let sent = match &mut self.process {
            Some(process) => process.send(text, deadline, stop),
            None => Err(IoFailure::Closed(Pipe::Input)),
        };
        sent.map_err(|failure| self.fail(failure, "read of its input", self.limits.timeout_ms))
    }

    /// Kills the engine and converts the failure into its fault.
    pub(crate) fn fail(&mut self, failure: IoFailure, awaited: &str, waited_ms: u64) -> Failure {
        let fault = match failure {
            IoFailure::Stopped => {
                self.end();
                return Failure::Stopped;
            }
            IoFailure::TimedOut => Fault::Hang { awaited: awaited.to_owned(), waited_ms },
            IoFailure::Closed(pipe) => match &mut self.process {
                Some(process) if let Some(used_kb) = process.exceeded_kb() => self.memory(used_kb),
                Some(process) => Fault::Crash { status: process.end_after(pipe) },
                None => Fault::Crash { status: "the engine is not running".to_owned() },
            },
            IoFailure::Flood(reason) => Fault::Flood { reason },
            IoFailure::Memory(used_kb) => self.memory(used_kb),
        };
        self.fault(fault)
    }

    /// Kills the engine because of a fault.
    pub(crate) fn fault(&mut self, fault: Fault) -> Failure {
        self.end();
        fault.into()
    }

    fn memory(&self, used_kb: u64) -> Fault {
        let limit_mb = self.limits.memory_mb.unwrap_or_default();
        Fault::Memory { used_mb: used_kb.div_ceil(1024), limit_mb }
    }

    /// Kills the engine and its children; the next game restarts it.
    fn end(&mut self) {
        self.past = self.usage();
        if let Some(mut process) = self.process.take() {
            process.kill();
        }
    }

    /// Tells the engine to exit, and kills it if it does not do so soon.
    pub(crate) fn quit(&mut self) {
        self.quit_within(self.limits.margin().max(QUIT_TIMEOUT));
    }

    /// Tells the engine to exit, and kills it if it does not. Returns true if it exits by itself in time.
    pub(crate) fn quit_within(&mut self, timeout: Duration) -> bool {
        self.past = self.usage();
        self.process.take().is_none_or(|process| process.quit(self.quit, timeout))
    }
}

/// Gives the engine time to exit cleanly before it is killed.
impl Drop for Connection {
    fn drop(&mut self) {
        self.quit();
    }
}
