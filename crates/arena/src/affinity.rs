//! CPU affinity: pins the thread that plays a game to a core. Engines started by that thread inherit the
//! affinity.

/// Returns the cores that this process may use; empty if the system does not report them.
#[must_use]
#[cfg(target_os = "linux")]
pub(crate) fn cores() -> Vec<usize> {
    use rustix::thread::{CpuSet, sched_getaffinity};
    let Ok(set) = sched_getaffinity(None) else { return Vec::new() };
    (0..CpuSet::MAX_CPU).filter(|&core| set.is_set(core)).collect()
}

/// Pins the calling thread, and the threads and processes that it starts from now on, to the cores of a game.
/// The first game gets the first cores.
#[cfg(target_os = "linux")]
pub(crate) fn pin(game: usize, cores_per_game: usize) {
    use rustix::thread::{CpuSet, sched_setaffinity};
    let mut set = CpuSet::new();
    cores().into_iter().skip(game * cores_per_game).take(cores_per_game).for_each(|core| set.set(core));
    // It fails only without a core, and those are counted before.
    let _ = sched_setaffinity(None, &set);
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn cores() -> Vec<usize> {
    Vec::new()
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn pin(_: usize, _: usize) {}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::{process::Command, thread};

    use super::*;

    #[test]
    fn a_thread_and_what_it_starts_keep_to_one_core() {
        let all = cores();
        let last = all.len() - 1;
        let allowed = thread::spawn(move || {
            pin(last, 1);
            let status = Command::new("cat").arg("/proc/self/status").output().unwrap().stdout;
            String::from_utf8(status).unwrap()
        });
        let allowed = allowed.join().unwrap();
        let line = allowed.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap();
        assert_eq!(line.trim(), all[last].to_string());
        assert_eq!(cores(), all, "other threads are not bound");
    }
}
