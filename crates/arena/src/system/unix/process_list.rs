//! Processes on systems without the `/proc` of Linux, from the process list of the crate `sysinfo`.

use std::{io, time::Duration};

use rustix::process::{Pid, Signal, kill_process};
use sysinfo::{Process, ProcessRefreshKind, ProcessesToUpdate, System, UpdateKind};

use super::{Memory, Usage};

/// Minimum interval between two measurements of memory: each lists all processes of the system.
pub(super) const MEASURE_INTERVAL: Duration = Duration::from_millis(100);

/// What these functions cannot do.
pub(super) const MISSING: [&str; 1] =
    ["the end of processes that left the group of an engine, should Alinea be killed"];

/// Checks that memory can be measured.
pub(super) fn check() -> io::Result<()> {
    list(ProcessRefreshKind::nothing()).map(drop).ok_or_else(|| {
        let reason = "memory cannot be limited on this system: its processes cannot be listed";
        io::Error::new(io::ErrorKind::Unsupported, reason)
    })
}

/// Returns a process and its descendants.
pub(super) fn tree(id: Pid) -> Vec<Pid> {
    let Some(all) = list(ProcessRefreshKind::nothing()) else { return vec![id] };
    let mut ids = vec![id];
    let mut next = 0;
    while let Some(&id) = ids.get(next) {
        next += 1;
        let children = all.processes().values().filter(|process| parent(process) == Some(id));
        ids.extend(children.filter_map(own_id));
    }
    ids
}

/// Returns the running processes with this marker, `NAME=VALUE`, in their environment.
pub(super) fn marked(marker: &str) -> Vec<Pid> {
    let Some(all) = list(ProcessRefreshKind::nothing().with_environ(UpdateKind::Always)) else {
        return Vec::new();
    };
    let marked = all.processes().values().filter(|process| process.environ().iter().any(|set| set == marker));
    marked.filter_map(own_id).collect()
}

/// Kills a process that was just found.
pub(super) fn kill(id: Pid) {
    let _ = kill_process(id, Signal::KILL);
}

/// The memory of these processes together, where no peak is known; `None` if none of them runs.
pub(super) fn memory(ids: &[Pid]) -> Option<Memory> {
    let all = read(ids, ProcessRefreshKind::nothing().with_memory())?;
    let memory_kb = |process: &Process| process.memory() / 1024;
    let now_kb = all.processes().values().map(memory_kb).reduce(|sum, one| sum + one)?;
    Some(Memory { now_kb, peak_kb: all.processes().values().map(memory_kb).max()? })
}

/// The resources used by a process so far, without its children; instead of its peak, its memory now.
pub(super) fn usage(id: Pid) -> Usage {
    let all = read(&[id], ProcessRefreshKind::nothing().with_memory().with_cpu());
    let process = all.as_ref().and_then(|all| all.process(to_sysinfo(id)));
    process.map_or_else(Usage::default, |process| Usage {
        cpu_ms: process.accumulated_cpu_time(),
        peak_kb: process.memory() / 1024,
    })
}

/// Lists all processes; `None` if the system does not permit it.
fn list(what: ProcessRefreshKind) -> Option<System> {
    let mut all = System::new().ok()?;
    (all.refresh_processes_specifics(ProcessesToUpdate::All, true, what) > 0).then_some(all)
}

/// Looks at some processes.
fn read(ids: &[Pid], what: ProcessRefreshKind) -> Option<System> {
    let mut all = System::new().ok()?;
    let ids: Vec<_> = ids.iter().map(|&id| to_sysinfo(id)).collect();
    all.refresh_processes_specifics(ProcessesToUpdate::Some(&ids), true, what);
    Some(all)
}

fn to_sysinfo(id: Pid) -> sysinfo::Pid {
    sysinfo::Pid::from_u32(id.as_raw_nonzero().get().unsigned_abs())
}

fn from_sysinfo(id: sysinfo::Pid) -> Option<Pid> {
    Pid::from_raw(i32::try_from(id.as_u32()).ok()?)
}

fn own_id(process: &Process) -> Option<Pid> {
    from_sysinfo(process.pid())
}

fn parent(process: &Process) -> Option<Pid> {
    process.parent().and_then(from_sysinfo)
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn a_marked_child_is_found_measured_and_killed() {
        let marker = format!("ALINEA_TEST_{}=1", std::process::id());
        let (name, value) = marker.split_once('=').unwrap();
        let mut command = Command::new("sleep");
        command.arg("600").env(name, value).stdin(Stdio::null());
        let mut child = command.spawn().unwrap();
        let id = Pid::from_child(&child);
        check().unwrap();
        assert!(tree(Pid::from_raw(std::process::id().cast_signed()).unwrap()).contains(&id));
        assert_eq!(marked(&marker), [id]);
        assert!(memory(&[id]).unwrap().now_kb > 0);
        assert!(usage(id).peak_kb > 0);
        kill(id);
        assert!(!child.wait().unwrap().success());
        assert!(memory(&[id]).is_none());
    }
}
