//! A running program that we talk to line by line, whatever it does: nothing here waits without a
//! deadline, keeps more than a bounded part of its output, or leaves one of its processes behind.

use std::{
    fs, io,
    os::{
        fd::{AsFd, BorrowedFd},
        unix::process::{CommandExt, ExitStatusExt},
    },
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    time::{Duration, Instant},
};

use players::Stop;
use rustix::{
    event::{PollFd, PollFlags, Timespec},
    fs::OFlags,
    io::Errno,
    process::{Pid, Signal},
};
use serde::{Deserialize, Serialize};

use crate::Limits;

/// No line of the protocol is longer, so a longer one is a flood.
const MAX_LINE: usize = 64 * 1024;
/// The most that is read in answer to one command.
const MAX_OUTPUT: usize = 8 * 1024 * 1024;
/// How often a wait looks whether it is still wanted.
const GLANCE: Duration = Duration::from_millis(20);

/// What became of a wait for a line.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// The arena wants to stop.
    Stopped,
    /// The deadline has passed.
    Late,
    /// The program has closed its output or input: it is gone, or as good as gone.
    Gone,
    /// It writes too much.
    Flood(String),
}

/// What becomes of the program's complaints on standard error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Complaints {
    /// They are dropped.
    Hidden,
    /// They appear on ours.
    Shown,
}

/// What a program has used so far, where the system tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Usage {
    /// Processor time, its ended children included.
    pub cpu_ms: u64,
    /// The most memory it had at once, in kibibytes.
    pub peak_kb: u64,
}

pub(crate) struct Process {
    child: Child,
    stdin: ChildStdin,
    stdout: ChildStdout,
    /// Read and not yet handed out.
    buffer: Vec<u8>,
    /// How much was read since the last command.
    received: usize,
    usage: Usage,
}

impl Process {
    /// Starts a command as written for `sh`, in a process group of its own so that it can be ended with
    /// its children, and so that Ctrl-C in the terminal does not reach it.
    pub(crate) fn start(command: &str, limits: &Limits, complaints: Complaints) -> io::Result<Self> {
        // The shell sets the limits before the program starts, which from here would take unsafe code.
        let mut script = String::new();
        if let Some(mb) = limits.memory_mb {
            script += &format!("ulimit -v {}; ", mb.saturating_mul(1024));
        }
        if let Some(seconds) = limits.cpu_s {
            script += &format!("ulimit -t {seconds}; ");
        }
        script += &format!("exec {command}");
        let mut child = Command::new("sh")
            .arg("-c")
            .arg(script)
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(if complaints == Complaints::Shown { Stdio::inherit() } else { Stdio::null() })
            .spawn()?;
        let stdin = child.stdin.take().expect("standard input is piped");
        let stdout = child.stdout.take().expect("standard output is piped");
        // A program that does not read must not make us wait for ever when we write.
        let flags = rustix::fs::fcntl_getfl(&stdin)?;
        rustix::fs::fcntl_setfl(&stdin, flags | OFlags::NONBLOCK)?;
        Ok(Self { child, stdin, stdout, buffer: Vec::new(), received: 0, usage: Usage::default() })
    }

    /// Sends text that ends with a line end.
    pub(crate) fn send(&mut self, text: &str, deadline: Instant, stop: &Stop) -> Result<(), Trouble> {
        self.received = 0;
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            match rustix::io::write(&self.stdin, rest) {
                Ok(written) => rest = &rest[written..],
                Err(Errno::AGAIN) => wait(self.stdin.as_fd(), PollFlags::OUT, deadline, stop)?,
                Err(Errno::INTR) => {}
                Err(_) => return Err(Trouble::Gone),
            }
        }
        Ok(())
    }

    /// The next line, without its end.
    pub(crate) fn line(&mut self, deadline: Instant, stop: &Stop) -> Result<String, Trouble> {
        let mut searched = 0;
        loop {
            if let Some(end) = self.buffer[searched..].iter().position(|&byte| byte == b'\n') {
                let line = String::from_utf8_lossy(&self.buffer[..searched + end]).trim().to_owned();
                self.buffer.drain(..=searched + end);
                return Ok(line);
            }
            searched = self.buffer.len();
            if searched > MAX_LINE {
                return Err(Trouble::Flood(format!("a line of more than {MAX_LINE} bytes")));
            }
            if self.received > MAX_OUTPUT {
                return Err(Trouble::Flood(format!("more than {MAX_OUTPUT} bytes in answer to one command")));
            }
            wait(self.stdout.as_fd(), PollFlags::IN, deadline, stop)?;
            let mut chunk = [0; 4096];
            match rustix::io::read(&self.stdout, &mut chunk) {
                Ok(0) => return Err(Trouble::Gone),
                Ok(read) => {
                    self.buffer.extend_from_slice(&chunk[..read]);
                    self.received += read;
                }
                Err(Errno::INTR | Errno::AGAIN) => {}
                Err(_) => return Err(Trouble::Gone),
            }
        }
    }

    /// What the program has used so far.
    pub(crate) fn usage(&mut self) -> Usage {
        let id = self.child.id();
        if let Some(cpu_ms) =
            fs::read_to_string(format!("/proc/{id}/stat")).ok().and_then(|stat| cpu_ms(&stat))
        {
            self.usage.cpu_ms = cpu_ms;
        }
        // A program that has ended has no memory any more; what was seen before stays.
        if let Some(kb) =
            fs::read_to_string(format!("/proc/{id}/status")).ok().and_then(|text| peak_kb(&text))
        {
            self.usage.peak_kb = self.usage.peak_kb.max(kb);
        }
        self.usage
    }

    /// Asks the program to leave, and sees to it.
    pub(crate) fn quit(mut self, grace: Duration) {
        let (deadline, stop) = (Instant::now() + grace, Stop::default());
        if self.send("quit\n", deadline, &stop).is_ok() {
            while self.line(deadline, &stop).is_ok() {}
        }
        self.kill();
    }

    /// Ends the program and its children, and tells how it ended.
    pub(crate) fn kill(&mut self) -> String {
        let id = Pid::from_child(&self.child);
        // The group lives as long as its leader is not waited for, so this cannot hit anybody else. It
        // fails only if nothing is left to end.
        let _ = rustix::process::kill_process_group(id, Signal::KILL);
        match self.child.wait() {
            Ok(status) => match (status.code(), status.signal()) {
                (Some(code), _) => format!("exit code {code}"),
                // It had closed its output and was then ended by us.
                (_, Some(9)) => "it closed its output, or was killed (signal 9)".to_owned(),
                (_, Some(24)) => "its processor time was used up (signal 24)".to_owned(),
                (_, signal) => format!("signal {}", signal.unwrap_or_default()),
            },
            Err(error) => error.to_string(),
        }
    }
}

/// No program outlives its handle.
impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Waits until something can be read or written.
fn wait(fd: BorrowedFd, flags: PollFlags, deadline: Instant, stop: &Stop) -> Result<(), Trouble> {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        if stop.is_raised() {
            return Err(Trouble::Stopped);
        }
        let timeout = Timespec::try_from(left.min(GLANCE)).expect("a glance is short");
        match rustix::event::poll(&mut [PollFd::from_borrowed_fd(fd, flags)], Some(&timeout)) {
            Ok(0) if left.is_zero() => return Err(Trouble::Late),
            Ok(0) | Err(Errno::INTR) => {}
            Ok(_) => return Ok(()),
            Err(_) => return Err(Trouble::Gone),
        }
    }
}

/// User and system time, own and of ended children: fields 14 to 17, counted after the name, which may
/// hold anything and ends with the last parenthesis.
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
    fn usage_is_read_from_what_the_system_writes() {
        let stat = "7 (a) b) S 1 7 7 0 -1 4 9 0 0 0 100 20 3 0 20 0 1 0 99";
        let ticks = rustix::param::clock_ticks_per_second();
        assert_eq!(cpu_ms(stat), Some(123 * 1000 / ticks));
        assert_eq!(peak_kb("VmPeak:\t  10 kB\nVmHWM:\t    2048 kB\n"), Some(2048));
        assert_eq!((cpu_ms(""), peak_kb("")), (None, None));
    }
}
