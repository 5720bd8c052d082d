//! Processes on Linux, as `/proc` shows them.

use std::{fs, io, path::Path, time::Duration};

use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

use super::{Memory, Usage};

/// Minimum interval between two measurements of memory; `/proc` is cheap to read.
pub(super) const MEASURE_INTERVAL: Duration = Duration::ZERO;

/// What these functions cannot do.
pub(super) const MISSING: [&str; 0] = [];

/// Checks that memory can be measured.
pub(super) fn check() -> io::Result<()> {
    if Path::new("/proc/self/status").exists() {
        return Ok(());
    }
    let reason = "memory cannot be limited on this system, which has no /proc";
    Err(io::Error::new(io::ErrorKind::Unsupported, reason))
}

/// Returns a process and its descendants.
pub(super) fn tree(id: Pid) -> Vec<Pid> {
    let mut ids = vec![id];
    let mut next = 0;
    while let Some(id) = ids.get(next) {
        next += 1;
        let threads = fs::read_dir(format!("/proc/{id}/task")).into_iter().flatten().flatten();
        let children: Vec<Pid> = threads
            .filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok())
            .flat_map(|ids| ids.split_whitespace().filter_map(pid).collect::<Vec<_>>())
            .collect();
        ids.extend(children);
    }
    ids
}

fn pid(text: &str) -> Option<Pid> {
    Pid::from_raw(text.parse().ok()?)
}

/// Returns the running processes with this marker, `NAME=VALUE`, in their environment.
pub(super) fn marked(marker: &str) -> Vec<Pid> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries
        .filter_map(|entry| pid(entry.file_name().to_str()?))
        .filter(|id| {
            let environment = fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
            environment.split(|&byte| byte == 0).any(|variable| variable == marker.as_bytes())
        })
        .collect()
}

/// Kills a process through a handle, so that a reused id is never hit.
pub(super) fn kill(id: Pid) {
    if let Ok(handle) = pidfd_open(id, PidfdFlags::empty()) {
        let _ = pidfd_send_signal(handle, Signal::KILL);
    }
}

/// The memory of these processes together; `None` if none of them runs.
pub(super) fn memory(ids: &[Pid]) -> Option<Memory> {
    let told =
        ids.iter().filter_map(|id| read_memory(&fs::read_to_string(format!("/proc/{id}/status")).ok()?));
    told.reduce(|sum, one| Memory { now_kb: sum.now_kb + one.now_kb, peak_kb: sum.peak_kb.max(one.peak_kb) })
}

/// The resources used by a process so far. An exited process has no memory left to report.
pub(super) fn usage(id: Pid) -> Usage {
    let cpu_ms = fs::read_to_string(format!("/proc/{id}/stat")).ok().and_then(|stat| cpu_ms(&stat));
    let memory =
        fs::read_to_string(format!("/proc/{id}/status")).ok().and_then(|text| field(&text, "VmHWM:"));
    Usage { cpu_ms: cpu_ms.unwrap_or_default(), peak_kb: memory.unwrap_or_default() }
}

/// User and system time, own and of exited children: fields 14 to 17 of `/proc/PID/stat`. They are counted after the
/// command name, which may contain any characters and ends with the last parenthesis.
fn cpu_ms(stat: &str) -> Option<u64> {
    let (_, fields) = stat.rsplit_once(')')?;
    let ticks: u64 =
        fields.split_whitespace().skip(11).take(4).map(|field| field.parse::<u64>().unwrap_or(0)).sum();
    Some(ticks.saturating_mul(1000) / rustix::param::clock_ticks_per_second())
}

fn read_memory(status: &str) -> Option<Memory> {
    Some(Memory { now_kb: field(status, "VmRSS:")?, peak_kb: field(status, "VmHWM:")? })
}

fn field(status: &str, name: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cpu_time_is_parsed_from_proc() {
        let stat = "7 (a) b) S 1 7 7 0 -1 4 9 0 0 0 100 20 3 0 20 0 1 0 99";
        let ticks = rustix::param::clock_ticks_per_second();
        assert_eq!(cpu_ms(stat), Some(123 * 1000 / ticks));
        assert_eq!(cpu_ms(""), None);
    }

    #[test]
    fn memory_is_parsed_from_proc() {
        let told = read_memory("VmPeak:\t  10 kB\nVmHWM:\t    2048 kB\nVmRSS:\t 1024 kB\n").unwrap();
        assert_eq!((told.now_kb, told.peak_kb), (1024, 2048));
        assert!(read_memory("Name: gone\n").is_none());
    }
}
