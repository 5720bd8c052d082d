//! The process tree of an engine: the engine, its descendants, and processes that left its group or lost their parent.
//! A marker in their environment identifies them. A guard process kills them if Alinea itself is killed; on systems
//! without the `/proc` of Linux it knows only the process group.

use std::{
    io,
    os::unix::process::CommandExt,
    path::Path,
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant, SystemTime},
};

use rustix::process::{Pid, Signal};

use super::{Memory, processes};

/// The environment variable with the marker.
const VARIABLE: &str = "ALINEA_ENGINE";

/// Reads until the end of its input, which comes when our process ends for any reason. Then it kills the process group
/// `$1` and all processes with the marker `$2`, and removes the control group `$3`, if there is one.
const GUARD: &str = r#"
while read -r _; do :; done
kill -s KILL -- "-$1"
for file in /proc/[0-9]*/environ; do
    if grep -qsF "$2" "$file"; then id=${file#/proc/}; kill -s KILL "${id%/environ}"; fi
done
if [ -n "$3" ]; then
    n=0
    until rmdir "$3" || [ $n = 20 ]; do n=$((n + 1)); sleep 0.1; done
fi
"#;

/// Interval between scans for processes that left the tree; a scan reads every process of the system.
const SEARCH_INTERVAL: Duration = Duration::from_secs(1);
/// Maximum number of rounds to kill processes that fork faster than they are killed.
const ROUNDS: usize = 20;

pub(super) struct ProcessTree {
    leader: Pid,
    /// `NAME=VALUE` in the environment of each process.
    marker: String,
    guard: Child,
    /// The processes outside the tree found by the last scan.
    detached: Vec<Pid>,
    searched: Option<Instant>,
    /// The last measurement of the memory.
    measured: Option<(Instant, Option<Memory>)>,
}

/// Returns a unique name for an engine.
pub(super) fn unique_name() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_nanos();
    format!("{}-{time}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

/// Marks the processes of a command with this name.
pub(super) fn mark(command: &mut Command, name: &str) -> String {
    command.env(VARIABLE, name);
    format!("{VARIABLE}={name}")
}

impl ProcessTree {
    /// Tracks a marked process that leads a process group, and may have its own control group.
    pub(super) fn of(leader: Pid, marker: String, group: Option<&Path>) -> io::Result<Self> {
        let guard = Command::new("sh")
            .args(["-c", GUARD, "guard", &leader.to_string(), &marker])
            .arg(group.unwrap_or(Path::new("")))
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        Ok(Self { leader, marker, guard, detached: Vec::new(), searched: None, measured: None })
    }

    /// The memory of all processes; `None` if the system does not report it.
    pub(super) fn memory(&mut self) -> Option<Memory> {
        if let Some((then, memory)) = self.measured
            && then.elapsed() < processes::MEASURE_INTERVAL
        {
            return memory;
        }
        if self.searched.is_none_or(|then| then.elapsed() >= SEARCH_INTERVAL) {
            self.detached = processes::marked(&self.marker);
            self.searched = Some(Instant::now());
        }
        let mut all = processes::tree(self.leader);
        all.extend(self.detached.iter().flat_map(|&id| processes::tree(id)));
        all.sort_unstable_by_key(|id| id.as_raw_nonzero());
        all.dedup();
        let memory = processes::memory(&all);
        self.measured = Some((Instant::now(), memory));
        memory
    }

    /// Kills all processes. The leader must not have been waited for, so that its id cannot have been reused.
    pub(super) fn kill(&mut self) {
        let mut found = processes::tree(self.leader);
        // The calls fail only for processes that have ended.
        let _ = rustix::process::kill_process_group(self.leader, Signal::KILL);
        for _ in 0..ROUNDS {
            found.into_iter().filter(|&id| id != self.leader).for_each(processes::kill);
            found = processes::marked(&self.marker);
            if found.is_empty() {
                break;
            }
        }
        // Its work is done.
        let _ = self.guard.kill();
        let _ = self.guard.wait();
    }
}
