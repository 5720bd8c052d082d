//! A child process on Unix: a shell in its own process group, pipes that are polled, and a guard against our death.

use std::{
    io,
    os::{fd::AsFd, unix::process::CommandExt},
    path::Path,
    process::{self, ChildStderr, ChildStdin, ChildStdout, Command, Stdio},
    time::Duration,
};

use rustix::{
    event::{PollFd, PollFlags, Timespec},
    fs::OFlags,
    io::Errno,
    process::{Pid, WaitId, WaitIdOptions},
};

use super::{Memory, Pipe, Usage};

mod cgroup;
mod process_tree;
#[cfg_attr(target_os = "linux", path = "proc.rs")]
#[cfg_attr(not(target_os = "linux"), path = "process_list.rs")]
mod processes;

use cgroup::Cgroup;
use process_tree::ProcessTree;

/// A child process with its descendants.
pub(crate) struct Child {
    child: process::Child,
    /// The process tree, until it is killed.
    tree: Option<ProcessTree>,
    /// The control group, if the kernel enforces the memory limit; the caller polls the memory in any case.
    group: Option<Cgroup>,
    stdin: ChildStdin,
    stdout: ChildStdout,
}

impl Child {
    /// What cannot be done for child processes on this system.
    pub(super) fn missing() -> Vec<&'static str> {
        let mut missing = Vec::from(processes::MISSING);
        if processes::check().is_err() {
            missing.push("memory limits of engines: the processes of this system cannot be read");
        } else if Cgroup::create(&process_tree::unique_name(), 1 << 20).is_none() {
            missing.push("a control group of its own, so that memory limits of engines are polled");
        }
        missing
    }

    /// Starts a shell command in its own process group, so that Ctrl-C in the terminal does not reach it. The command
    /// and all its children are killed when our process ends, however it ends.
    pub(crate) fn start(
        command: &str,
        directory: Option<&Path>,
        memory_kb: Option<u64>,
        cpu_s: Option<u64>,
        stderr: Stdio,
    ) -> io::Result<Self> {
        if memory_kb.is_some() {
            processes::check()?;
        }
        let name = process_tree::unique_name();
        let group = memory_kb.and_then(|kb| Cgroup::create(&name, kb));
        // The shell enters the group and sets the limit: doing it between fork and exec would need unsafe code.
        let mut script = String::new();
        if group.is_some() {
            script += "echo $$ > \"$1\"; shift; ";
        }
        if let Some(seconds) = cpu_s {
            script += &format!("ulimit -t {seconds}; ");
        }
        script += &format!("exec {command}");
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
        Ok(Self { child, tree: Some(tree), group, stdin, stdout })
    }

    /// The standard error, if it is piped.
    pub(crate) fn take_stderr(&mut self) -> Option<ChildStderr> {
        self.child.stderr.take()
    }

    /// Writes as much as the pipe takes; fails with `WouldBlock` if it takes nothing now.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(rustix::io::write(&self.stdin, bytes)?)
    }

    /// Reads what is there. To be called when the output is readable; 0 at its end.
    pub(crate) fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        Ok(rustix::io::read(&self.stdout, into)?)
    }

    /// Waits until the pipe is readable or writable, or closed. Returns false after the timeout.
    pub(crate) fn wait(&mut self, pipe: Pipe, timeout: Duration) -> io::Result<bool> {
        let timeout = Timespec::try_from(timeout).map_err(io::Error::other)?;
        let (fd, flags) = match pipe {
            Pipe::Input => (self.stdin.as_fd(), PollFlags::OUT),
            Pipe::Output => (self.stdout.as_fd(), PollFlags::IN),
        };
        match rustix::event::poll(&mut [PollFd::from_borrowed_fd(fd, flags)], Some(&timeout)) {
            Ok(ready) => Ok(ready > 0),
            Err(Errno::INTR) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// The resources used by the command so far, as far as they are known; 0 otherwise.
    pub(crate) fn usage(&mut self) -> Usage {
        processes::usage(Pid::from_child(&self.child))
    }

    /// The memory of all processes; `None` if the system does not report it.
    pub(crate) fn memory(&mut self) -> Option<Memory> {
        self.tree.as_mut().and_then(ProcessTree::memory)
    }

    /// Whether the kernel has killed processes because of the memory limit.
    pub(crate) fn exceeded_memory(&self) -> bool {
        self.group.as_ref().is_some_and(Cgroup::was_exceeded)
    }

    /// How the command ended; `None` if it runs.
    pub(crate) fn ended(&mut self) -> Option<String> {
        // The process is not waited for: its id must stay its own until `kill`.
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        let status = rustix::process::waitid(WaitId::Pid(Pid::from_child(&self.child)), options).ok()??;
        Some(describe(status.exit_status(), status.terminating_signal()))
    }

    /// Kills the command and everything that it has started.
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
