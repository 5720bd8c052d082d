//! The process tree of an engine: the engine, its descendants, and processes that left its group or lost their parent.
//! A marker in their environment identifies them in `/proc`. A guard process kills them if Alinea itself is killed.
//! On systems without `/proc`, only the process group is known.

use std::{
    fs, io,
    os::unix::process::CommandExt,
    path::Path,
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant, SystemTime},
};

use rustix::process::{Pid, Signal};

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

pub(crate) struct ProcessTree {
    leader: Pid,
    /// `NAME=VALUE` in the environment of each process.
    marker: String,
    guard: Child,
    /// The processes outside the tree found by the last scan.
    detached: Vec<i32>,
    searched: Option<Instant>,
}

/// Resident memory, in kibibytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Memory {
    /// Sum over all current processes.
    pub(crate) now_kb: u64,
    /// The highest peak of any single process.
    pub(crate) peak_kb: u64,
}

/// Returns a unique name for an engine.
pub(crate) fn unique_name() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_nanos();
    format!("{}-{time}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

/// Marks the processes of a command with this name.
pub(crate) fn mark(command: &mut Command, name: &str) -> String {
    command.env(VARIABLE, name);
    format!("{VARIABLE}={name}")
}

impl ProcessTree {
    /// Tracks a marked process that leads a process group, and may have its own control group.
    pub(crate) fn of(leader: Pid, marker: String, group: Option<&Path>) -> io::Result<Self> {
        let guard = Command::new("sh")
            .args(["-c", GUARD, "guard", &leader.to_string(), &marker])
            .arg(group.unwrap_or(Path::new("")))
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        Ok(Self { leader, marker, guard, detached: Vec::new(), searched: None })
    }

    /// The memory of all processes; `None` if the system does not report it.
    pub(crate) fn memory(&mut self) -> Option<Memory> {
        if self.searched.is_none_or(|then| then.elapsed() >= SEARCH_INTERVAL) {
            self.detached = marked(&self.marker);
            self.searched = Some(Instant::now());
        }
        let mut all = tree(self.leader.as_raw_nonzero().get());
        all.extend(self.detached.iter().flat_map(|&id| tree(id)));
        all.sort_unstable();
        all.dedup();
        let told =
            all.iter().filter_map(|id| memory(&fs::read_to_string(format!("/proc/{id}/status")).ok()?));
        told.reduce(|sum, one| Memory {
            now_kb: sum.now_kb + one.now_kb,
            peak_kb: sum.peak_kb.max(one.peak_kb),
        })
    }

    /// Kills all processes. The leader must not have been waited for, so that its id cannot have been reused.
    pub(crate) fn kill(&mut self) {
        let mut found = tree(self.leader.as_raw_nonzero().get());
        // The calls fail only for processes that have ended.
        let _ = rustix::process::kill_process_group(self.leader, Signal::KILL);
        for _ in 0..ROUNDS {
            found.iter().filter_map(|&id| Pid::from_raw(id)).for_each(|id| kill(id, self.leader));
            found = marked(&self.marker);
            if found.is_empty() {
                break;
            }
        }
        // Its work is done.
        let _ = self.guard.kill();
        let _ = self.guard.wait();
    }
}

/// Kills a process through a handle, so that a reused id is never hit.
#[cfg(target_os = "linux")]
fn kill(id: Pid, leader: Pid) {
    use rustix::process::{PidfdFlags, pidfd_open, pidfd_send_signal};
    if id != leader
        && let Ok(handle) = pidfd_open(id, PidfdFlags::empty())
    {
        let _ = pidfd_send_signal(handle, Signal::KILL);
    }
}

#[cfg(not(target_os = "linux"))]
fn kill(_: Pid, _: Pid) {}

/// Returns a process and its descendants.
fn tree(id: i32) -> Vec<i32> {
    let mut ids = vec![id];
    let mut next = 0;
    while let Some(id) = ids.get(next) {
        next += 1;
        let threads = fs::read_dir(format!("/proc/{id}/task")).into_iter().flatten().flatten();
        let children: Vec<i32> = threads
            .filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok())
            .flat_map(|ids| ids.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<_>>())
            .collect();
        ids.extend(children);
    }
    ids
}

/// Returns the running processes with this marker in their environment.
fn marked(marker: &str) -> Vec<i32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|id: &i32| {
            let environment = fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
            environment.split(|&byte| byte == 0).any(|variable| variable == marker.as_bytes())
        })
        .collect()
}

fn memory(status: &str) -> Option<Memory> {
    let field = |name: &str| -> Option<u64> {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse().ok()
    };
    Some(Memory { now_kb: field("VmRSS:")?, peak_kb: field("VmHWM:")? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_parsed_from_proc() {
        let told = memory("VmPeak:\t  10 kB\nVmHWM:\t    2048 kB\nVmRSS:\t 1024 kB\n").unwrap();
        assert_eq!((told.now_kb, told.peak_kb), (1024, 2048));
        assert!(memory("Name: gone\n").is_none());
    }
}
