//! A child process with line-based I/O that tolerates any behaviour: every wait has a deadline, buffered
//! output is bounded, and no process is left behind.

use std::{
    fs, io,
    os::{fd::AsFd, unix::process::CommandExt},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use players::Stop;
use rustix::{
    event::{PollFd, PollFlags, Timespec},
    fs::OFlags,
    io::Errno,
    process::{Pid, WaitId, WaitIdOptions},
};
use tournament::report::Usage;

use crate::{
    Limits,
    cgroup::Cgroup,
    dialogue::Dialogue,
    process_tree::{self, Memory, ProcessTree},
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

/// A pipe to the process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pipe {
    Input,
    Output,
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
    /// The process tree, until it is killed.
    tree: Option<ProcessTree>,
    /// The control group, if the kernel enforces the memory limit; we poll the memory in any case.
    group: Option<Cgroup>,
    stdin: ChildStdin,
    stdout: ChildStdout,
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
    /// Starts a shell command in its own process group, so that Ctrl-C in the terminal does not reach it. The command
    /// and all its children are killed when the handle is dropped and when our process ends.
    pub(crate) fn start(
        command: &str,
        directory: Option<&Path>,
        limits: &Limits,
        stderr: Stderr,
        dialogue: Option<Dialogue>,
    ) -> io::Result<Self> {
        if limits.memory_mb.is_some() && !Path::new("/proc/self/status").exists() {
            let reason = "memory cannot be limited on this system, which has no /proc";
            return Err(io::Error::new(io::ErrorKind::Unsupported, reason));
        }
        if let Some(directory) = directory.filter(|directory| !directory.is_dir()) {
            let reason = format!("there is no directory {}", directory.display());
            return Err(io::Error::new(io::ErrorKind::NotFound, reason));
        }
        let name = process_tree::unique_name();
        let memory_kb = limits.memory_mb.map(|mb| mb.saturating_mul(1024));
        let group = memory_kb.and_then(|kb| Cgroup::create(&name, kb));
        // The shell enters the group and sets the limit: doing it between fork and exec would need unsafe code.
        let mut script = String::new();
        if group.is_some() {
            script += "echo $$ > \"$1\"; shift; ";
        }
        if let Some(seconds) = limits.cpu_s {
            script += &format!("ulimit -t {seconds}; ");
        }
        script += &format!("exec {command}");
        let stderr = match stderr {
            _ if dialogue.is_some() => Stdio::piped(),
            Stderr::Inherit => Stdio::inherit(),
            Stderr::Discard => Stdio::null(),
        };
        let mut command = Command::new("sh");
        command.arg("-c").arg(script).process_group(0);
        if let Some(directory) = directory {
            command.current_dir(directory);
        }
        if let Some(group) = &group {
            command.arg("sh").arg(group.cgroup_procs());
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(stderr);
        let marker = process_tree::mark(&mut command, &name);
        let mut child = command.spawn()?;
        let tree = match ProcessTree::of(Pid::from_child(&child), marker, group.as_ref().map(Cgroup::path)) {
            Ok(tree) => tree,
            Err(error) => {
                // Nothing runs unguarded.
                let _ = child.kill();
                let _ = child.wait();
                return Err(error);
            }
        };
        let stdin = child.stdin.take().expect("standard input is piped");
        let stdout = child.stdout.take().expect("standard output is piped");
        // Non-blocking, so that a process that does not read cannot block our writes.
        let flags = rustix::fs::fcntl_getfl(&stdin)?;
        rustix::fs::fcntl_setfl(&stdin, flags | OFlags::NONBLOCK)?;
        if let Some((dialogue, stderr)) = dialogue.clone().zip(child.stderr.take()) {
            dialogue.follow(stderr);
        }
        let (buffer, usage) = (Vec::new(), Usage::default());
        let tree = Some(tree);
        Ok(Self { child, tree, group, stdin, stdout, buffer, received: 0, usage, memory_kb, dialogue })
    }

    /// Sends text, which must end with a newline.
    pub(crate) fn send(&mut self, text: &str, deadline: Instant, stop: &Stop) -> Result<(), IoFailure> {
        self.received = 0;
        if let Some(dialogue) = &self.dialogue {
            dialogue.sent(text);
        }
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            match rustix::io::write(&self.stdin, rest) {
                Ok(written) => rest = &rest[written..],
                Err(Errno::AGAIN) => self.wait(Pipe::Input, deadline, stop)?,
                Err(Errno::INTR) => {}
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
            match rustix::io::read(&self.stdout, &mut chunk) {
                Ok(0) => return Err(IoFailure::Closed(Pipe::Output)),
                Ok(read) => {
                    self.buffer.extend_from_slice(&chunk[..read]);
                    self.received += read;
                }
                Err(Errno::INTR | Errno::AGAIN) => {}
                Err(_) => return Err(IoFailure::Closed(Pipe::Output)),
            }
        }
    }

    /// The resources used so far.
    pub(crate) fn usage(&mut self) -> Usage {
        let id = self.child.id();
        if let Some(cpu_ms) =
            fs::read_to_string(format!("/proc/{id}/stat")).ok().and_then(|stat| cpu_ms(&stat))
        {
            self.usage.cpu_ms = cpu_ms;
        }
        // An exited process has no memory left to report; keep the last peak.
        if let Some(kb) =
            fs::read_to_string(format!("/proc/{id}/status")).ok().and_then(|text| peak_kb(&text))
        {
            self.usage.peak_kb = self.usage.peak_kb.max(kb);
        }
        self.usage
    }

    /// Fails if the memory of all processes exceeds the limit.
    pub(crate) fn check_memory(&mut self) -> Result<(), IoFailure> {
        let Some(limit) = self.memory_kb else { return Ok(()) };
        let told = self.tree.as_mut().and_then(ProcessTree::memory);
        let Some(Memory { now_kb, peak_kb }) = told else { return Ok(()) };
        let used = now_kb.max(peak_kb);
        self.usage.peak_kb = self.usage.peak_kb.max(used);
        if used > limit { Err(IoFailure::Memory(used)) } else { Ok(()) }
    }

    /// The memory in use when the kernel killed the process because of its limit, in kibibytes; `None` if it did not.
    pub(crate) fn exceeded_kb(&self) -> Option<u64> {
        self.memory_kb.filter(|_| self.group.as_ref().is_some_and(Cgroup::was_exceeded))
    }

    /// Waits until the pipe is readable or writable.
    fn wait(&mut self, pipe: Pipe, deadline: Instant, stop: &Stop) -> Result<(), IoFailure> {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if stop.is_cancelled() {
                return Err(IoFailure::Stopped);
            }
            let timeout = Timespec::try_from(left.min(POLL_INTERVAL)).expect("the poll interval is short");
            let (fd, flags) = match pipe {
                Pipe::Input => (self.stdin.as_fd(), PollFlags::OUT),
                Pipe::Output => (self.stdout.as_fd(), PollFlags::IN),
            };
            match rustix::event::poll(&mut [PollFd::from_borrowed_fd(fd, flags)], Some(&timeout)) {
                Ok(0) if left.is_zero() => return Err(IoFailure::TimedOut),
                Ok(0) => self.check_memory()?,
                Err(Errno::INTR) => {}
                Ok(_) => return Ok(()),
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
    pub(crate) fn end_after(&self, closed: Pipe) -> String {
        // The process is not waited for: its id must stay its own until `kill`.
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        let deadline = Instant::now() + END_TIMEOUT;
        loop {
            let ended = rustix::process::waitid(WaitId::Pid(Pid::from_child(&self.child)), options);
            if let Ok(Some(status)) = ended {
                return describe(status.exit_status(), status.terminating_signal());
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
        if let Some(mut tree) = self.tree.take() {
            self.group.iter().for_each(Cgroup::kill);
            tree.kill();
            // It fails only if there is nothing to wait for.
            let _ = self.child.wait();
            self.group = None;
        }
    }
}

/// No process outlives its handle.
impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Formats an exit code, or the number of a signal.
fn describe(code: Option<i32>, signal: Option<i32>) -> String {
    match (code, signal) {
        // The exit code of a shell.
        (Some(127), _) => "exit code 127: there is no such command".to_owned(),
        (Some(126), _) => "exit code 126: the file cannot be executed".to_owned(),
        (Some(code), _) => format!("exit code {code}"),
        (_, Some(9)) => "it was killed (signal 9)".to_owned(),
        (_, Some(24)) => "CPU time limit exceeded (signal 24)".to_owned(),
        (_, signal) => format!("signal {}", signal.unwrap_or_default()),
    }
}

/// User and system time, own and of exited children: fields 14 to 17 of `/proc/PID/stat`. They are counted after the
/// command name, which may contain any characters and ends with the last parenthesis.
fn cpu_ms(stat: &str) -> Option<u64> {
    let (_, fields) = stat.rsplit_once(')')?;
    let ticks: u64 =
        fields.split_whitespace().skip(11).take(4).map(|field| field.parse::<u64>().unwrap_or(0)).sum();
    Some(ticks.saturating_mul(1000) / rustix::param::clock_ticks_per_second())
}

fn peak_kb(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usage_is_parsed_from_proc() {
        let stat = "7 (a) b) S 1 7 7 0 -1 4 9 0 0 0 100 20 3 0 20 0 1 0 99";
        let ticks = rustix::param::clock_ticks_per_second();
        assert_eq!(cpu_ms(stat), Some(123 * 1000 / ticks));
        assert_eq!(peak_kb("VmPeak:\t  10 kB\nVmHWM:\t    2048 kB\n"), Some(2048));
        assert_eq!((cpu_ms(""), peak_kb("")), (None, None));
    }
}
