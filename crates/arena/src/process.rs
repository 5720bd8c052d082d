//! A child process with line-based I/O that tolerates any behaviour: every wait has a deadline, buffered
//! output is bounded, and no process is left behind.

use std::{
    io::{self, ErrorKind},
    path::Path,
    process::Stdio,
    thread,
    time::{Duration, Instant},
};

use players::Stop;
use tournament::report::Usage;

pub(crate) use crate::system::Pipe;
use crate::{
    Limits,
    dialogue::Dialogue,
    system::{Child, Memory},
};

/// Maximum length of a line; lines of the protocol are far shorter.
const MAX_LINE: usize = 64 * 1024;
/// Maximum number of bytes read in answer to one command.
const MAX_OUTPUT: usize = 8 * 1024 * 1024;
/// Time for a process to exit after it has closed a pipe.
const END_TIMEOUT: Duration = Duration::from_millis(200);
/// Interval at which a wait checks for cancellation.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Why sending or reading a line failed.
#[derive(Debug)]
pub(crate) enum IoFailure {
    /// The run was cancelled.
    Stopped,
    /// The deadline has passed.
    TimedOut,
    /// The process closed its input or output, usually because it exited.
    Closed(Pipe),
    /// The process exceeded an output limit.
    Flood(String),
    /// The process exceeded its memory limit; memory in kibibytes.
    Memory(u64),
}

/// Where the standard error of the process goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stderr {
    /// Discarded.
    Discard,
    /// Passed on to our standard error.
    Inherit,
}

pub(crate) struct Process {
    child: Child,
    /// Bytes read but not yet returned as lines.
    buffer: Vec<u8>,
    /// Bytes read since the last command.
    received: usize,
    usage: Usage,
    /// Limit of resident memory, in kibibytes.
    memory_kb: Option<u64>,
    dialogue: Option<Dialogue>,
}

impl Process {
    /// Starts a shell command so that Ctrl-C in the terminal does not reach it. The command and all its children are
    /// killed when the handle is dropped and when our process ends.
    pub(crate) fn start(
        command: &str,
        directory: Option<&Path>,
        limits: &Limits,
        stderr: Stderr,
        dialogue: Option<Dialogue>,
    ) -> io::Result<Self> {
        if let Some(directory) = directory.filter(|directory| !directory.is_dir()) {
            let reason = format!("there is no directory {}", directory.display());
            return Err(io::Error::new(ErrorKind::NotFound, reason));
        }
        let stderr = match stderr {
            _ if dialogue.is_some() => Stdio::piped(),
            Stderr::Inherit => Stdio::inherit(),
            Stderr::Discard => Stdio::null(),
        };
        let memory_kb = limits.memory_mb.map(|mb| mb.saturating_mul(1024));
        let mut child = Child::start(command, directory, memory_kb, limits.cpu_s, stderr)?;
        if let Some((dialogue, stderr)) = dialogue.clone().zip(child.take_stderr()) {
            dialogue.follow(stderr);
        }
        Ok(Self { child, buffer: Vec::new(), received: 0, usage: Usage::default(), memory_kb, dialogue })
    }

    /// Sends text, which must end with a newline.
    pub(crate) fn send(&mut self, text: &str, deadline: Instant, stop: &Stop) -> Result<(), IoFailure> {
        self.received = 0;
        if let Some(dialogue) = &self.dialogue {
            dialogue.sent(text);
        }
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            match self.child.write(rest) {
                Ok(written) => rest = &rest[written..],
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    self.wait(Pipe::Input, deadline, stop)?;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return Err(IoFailure::Closed(Pipe::Input)),
            }
        }
        Ok(())
    }

    /// Reads the next line that is not empty, trimmed. Lines end with LF, CR LF or CR.
    pub(crate) fn line(&mut self, deadline: Instant, stop: &Stop) -> Result<String, IoFailure> {
        let mut searched = 0;
        loop {
            if let Some(end) = self.buffer[searched..].iter().position(|byte| b"\r\n".contains(byte)) {
                let line = String::from_utf8_lossy(&self.buffer[..searched + end]).trim().to_owned();
                self.buffer.drain(..=searched + end);
                if line.is_empty() {
                    searched = 0;
                    continue;
                }
                if let Some(dialogue) = &self.dialogue {
                    dialogue.received(&line);
                }
                return Ok(line);
            }
            searched = self.buffer.len();
            if searched > MAX_LINE {
                return Err(IoFailure::Flood(format!("a line of more than {MAX_LINE} bytes")));
            }
            if self.received > MAX_OUTPUT {
                return Err(IoFailure::Flood(format!(
                    "more than {MAX_OUTPUT} bytes in answer to one command"
                )));
            }
            self.wait(Pipe::Output, deadline, stop)?;
            let mut chunk = [0; 4096];
            match self.child.read(&mut chunk) {
                Ok(0) => return Err(IoFailure::Closed(Pipe::Output)),
                Ok(read) => {
                    self.buffer.extend_from_slice(&chunk[..read]);
                    self.received += read;
                }
                Err(error) if matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock) => {}
                Err(_) => return Err(IoFailure::Closed(Pipe::Output)),
            }
        }
    }

    /// The resources used so far.
    pub(crate) fn usage(&mut self) -> Usage {
        // An exited process may have nothing left to report; keep the last.
        let now = self.child.usage();
        self.usage.cpu_ms = self.usage.cpu_ms.max(now.cpu_ms);
        self.usage.peak_kb = self.usage.peak_kb.max(now.peak_kb);
        self.usage
    }

    /// Fails if the memory of all processes exceeds the limit.
    pub(crate) fn check_memory(&mut self) -> Result<(), IoFailure> {
        let Some(limit) = self.memory_kb else { return Ok(()) };
        let Some(Memory { now_kb, peak_kb }) = self.child.memory() else { return Ok(()) };
        let used = now_kb.max(peak_kb);
        self.usage.peak_kb = self.usage.peak_kb.max(used);
        if used > limit { Err(IoFailure::Memory(used)) } else { Ok(()) }
    }

    /// The memory in use when the kernel killed the process because of its limit, in kibibytes; `None` if it did not.
    pub(crate) fn exceeded_kb(&self) -> Option<u64> {
        self.memory_kb.filter(|_| self.child.exceeded_memory())
    }

    /// Waits until the pipe is readable or writable.
    fn wait(&mut self, pipe: Pipe, deadline: Instant, stop: &Stop) -> Result<(), IoFailure> {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if stop.is_cancelled() {
                return Err(IoFailure::Stopped);
            }
            match self.child.wait(pipe, left.min(POLL_INTERVAL)) {
                Ok(false) if left.is_zero() => return Err(IoFailure::TimedOut),
                Ok(false) => self.check_memory()?,
                Ok(true) => return Ok(()),
                Err(_) => return Err(IoFailure::Closed(pipe)),
            }
        }
    }

    /// Sends the command to exit, waits, then kills the process. Returns true if it exits by itself in time.
    pub(crate) fn quit(mut self, command: &str, timeout: Duration) -> bool {
        let (deadline, stop) = (Instant::now() + timeout, Stop::default());
        if self.send(command, deadline, &stop).is_err() {
            return true;
        }
        loop {
            if let Err(failure) = self.line(deadline, &stop) {
                return matches!(failure, IoFailure::Closed(_));
            }
        }
    }

    /// Returns how a process that closed a pipe ended. Most processes exit within a moment; others keep running.
    pub(crate) fn end_after(&mut self, closed: Pipe) -> String {
        let deadline = Instant::now() + END_TIMEOUT;
        loop {
            if let Some(ending) = self.child.ended() {
                return ending;
            }
            if Instant::now() >= deadline {
                return match closed {
                    Pipe::Input => "it closed its standard input, but keeps running".to_owned(),
                    Pipe::Output => "it closed its standard output, but keeps running".to_owned(),
                };
            }
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Kills the process and everything that it has started.
    pub(crate) fn kill(&mut self) {
        self.child.kill();
    }
}

/// No process outlives its handle.
impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}
