//! A child process on Windows: `cmd` in a job object, whose processes all end when its handle is closed, also by our
//! death; and pipes that threads read and write.

use std::{
    env, io,
    os::windows::process::CommandExt,
    path::Path,
    process::{self, ChildStderr, Command, Stdio},
    time::{Duration, Instant},
};

use windows_sys::Win32::{
    Foundation::{
        STATUS_ACCESS_VIOLATION, STATUS_CONTROL_C_EXIT, STATUS_DLL_NOT_FOUND, STATUS_STACK_BUFFER_OVERRUN,
        STATUS_STACK_OVERFLOW,
    },
    System::Threading::{CREATE_NEW_PROCESS_GROUP, CREATE_SUSPENDED},
};

use super::{Memory, Pipe, Usage, thread_pipes::ThreadPipes};

mod job;

use job::Job;

/// Time to read the last output of a command that has exited.
const DRAIN_TIMEOUT: Duration = Duration::from_millis(200);

/// A child process with its descendants.
pub(crate) struct Child {
    child: process::Child,
    /// The job, until it is ended.
    job: Option<Job>,
    pipes: ThreadPipes,
    /// Limit of the CPU time of all processes.
    cpu_ms: Option<u64>,
    exceeded_cpu: bool,
    /// When the command was first seen to have exited.
    exited: Option<Instant>,
}

impl Child {
    /// What cannot be done for child processes on this system.
    pub(in crate::system) fn missing() -> Vec<&'static str> {
        vec!["memory limits enforced by the kernel, so that those of engines are polled"]
    }

    /// Starts a command of the command processor in its own process group, so that Ctrl-C in the console does not reach
    /// it. The command and all its children are killed when our process ends, however it ends.
    pub(crate) fn start(
        command: &str,
        directory: Option<&Path>,
        _memory_kb: Option<u64>,
        cpu_s: Option<u64>,
        stderr: Stdio,
    ) -> io::Result<Self> {
        let job = Job::new()?;
        // With /S, `cmd` removes exactly the outer quotes.
        let mut shell = Command::new(env::var_os("ComSpec").unwrap_or_else(|| "cmd.exe".into()));
        if let Some(directory) = directory {
            shell.current_dir(directory);
        }
        let mut child = shell
            .raw_arg(format!("/D /S /C \"{command}\""))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(stderr)
            .creation_flags(CREATE_NEW_PROCESS_GROUP | CREATE_SUSPENDED)
            .spawn()?;
        let stdin = child.stdin.take().expect("standard input is piped");
        let stdout = child.stdout.take().expect("standard output is piped");
        // It runs only once it is in the job: nothing can escape.
        let pipes = job.add_and_resume(&child).and_then(|()| ThreadPipes::new(stdin, stdout));
        match pipes {
            Ok(pipes) => {
                let cpu_ms = cpu_s.map(|seconds| seconds.saturating_mul(1000));
                Ok(Self { child, job: Some(job), pipes, cpu_ms, exceeded_cpu: false, exited: None })
            }
            Err(error) => {
                let _ = child.kill();
                let _ = child.wait();
                Err(error)
            }
        }
    }

    /// The standard error, if it is piped.
    pub(crate) fn take_stderr(&mut self) -> Option<ChildStderr> {
        self.child.stderr.take()
    }

    /// Writes as much as the pipe takes; fails with `WouldBlock` if it takes nothing now.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.pipes.write(bytes)
    }

    /// Reads what is there; 0 at the end.
    pub(crate) fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.pipes.read(into)
    }

    /// Waits until the pipe is readable or writable, or closed. Returns false after the timeout.
    ///
    /// # Errors
    /// If the command has exited, but a child that inherited the pipe holds it open.
    pub(crate) fn wait(&mut self, pipe: Pipe, timeout: Duration) -> io::Result<bool> {
        let is_ready = self.pipes.wait(pipe, timeout);
        if !is_ready
            && let (Some(job), Some(limit)) = (&self.job, self.cpu_ms)
            && job.usage().cpu_ms > limit
        {
            // The pipes close, and `ended` gives the reason.
            self.exceeded_cpu = true;
            job.terminate();
        }
        if !is_ready && matches!(self.child.try_wait(), Ok(Some(_))) {
            let exited = self.exited.get_or_insert_with(Instant::now);
            if exited.elapsed() >= DRAIN_TIMEOUT {
                return Err(io::ErrorKind::BrokenPipe.into());
            }
        }
        Ok(is_ready)
    }

    /// The resources used by all processes so far.
    pub(crate) fn usage(&mut self) -> Usage {
        let Some(job) = &self.job else { return Usage::default() };
        let usage = job.usage();
        Usage { cpu_ms: usage.cpu_ms, peak_kb: usage.memory.peak_kb }
    }

    /// The memory of all processes; `None` if there are none.
    pub(crate) fn memory(&mut self) -> Option<Memory> {
        self.job.as_ref().map(|job| job.usage().memory)
    }

    /// Whether the kernel has killed processes because of the memory limit: it enforces none, the memory is polled.
    pub(crate) fn exceeded_memory(&self) -> bool {
        false
    }

    /// How the command ended; `None` if it runs.
    pub(crate) fn ended(&mut self) -> Option<String> {
        let status = self.child.try_wait().ok()??;
        if self.exceeded_cpu {
            return Some("CPU time limit exceeded".to_owned());
        }
        Some(describe(status.code().unwrap_or_default()))
    }

    /// Kills the command and everything that it has started.
    pub(crate) fn kill(&mut self) {
        if let Some(job) = self.job.take() {
            job.terminate();
            // It fails only if there is nothing to wait for.
            let _ = self.child.wait();
        }
    }
}

/// Formats an exit code. Programs that the system ended have a negative one.
fn describe(code: i32) -> String {
    let reason = match code {
        // Of the command processor.
        9009 => "there is no such command",
        STATUS_ACCESS_VIOLATION => "access violation",
        STATUS_STACK_OVERFLOW => "stack overflow",
        STATUS_STACK_BUFFER_OVERRUN => "it aborted",
        STATUS_CONTROL_C_EXIT => "it was interrupted",
        STATUS_DLL_NOT_FOUND => "it needs a DLL that is missing",
        0.. => return format!("exit code {code}"),
        _ => return format!("exit code {code:#010x}"),
    };
    if code < 0 { format!("exit code {code:#010x}: {reason}") } else { format!("exit code {code}: {reason}") }
}
