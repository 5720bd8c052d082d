//! CPU affinity: pins the thread that plays a game to cores. Engines started by that thread inherit the affinity. Only
//! Linux supports it.

pub(crate) use imp::{cores, pin};

#[cfg(target_os = "linux")]
mod imp {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    /// Returns the cores that this process may use; empty if the system cannot pin threads.
    #[must_use]
    pub(crate) fn cores() -> Vec<usize> {
        let Ok(set) = sched_getaffinity(None) else { return Vec::new() };
        (0..CpuSet::MAX_CPU).filter(|&core| set.is_set(core)).collect()
    }

    /// Pins the calling thread, and the threads and processes that it starts from now on, to the cores of a game.
    /// The first game gets the first cores.
    pub(crate) fn pin(cores: &[usize], game: usize, cores_per_game: usize) {
        let mut set = CpuSet::new();
        cores.iter().skip(game * cores_per_game).take(cores_per_game).for_each(|&core| set.set(core));
        // It fails only without a core, and those are counted before.
        let _ = sched_setaffinity(None, &set);
    }

    #[cfg(test)]
    mod tests {
        use std::{process::Command, thread};

        use super::*;

        #[test]
        fn a_thread_and_what_it_starts_keep_to_one_core() {
            let all = cores();
            let last = all.len() - 1;
            let list = all.clone();
            let allowed = thread::spawn(move || {
                pin(&list, last, 1);
                let status = Command::new("cat").arg("/proc/self/status").output().unwrap().stdout;
                String::from_utf8(status).unwrap()
            });
            let allowed = allowed.join().unwrap();
            let line = allowed.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap();
            assert_eq!(line.trim(), all[last].to_string());
            assert_eq!(cores(), all, "other threads are not bound");
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod imp {
    pub(crate) fn cores() -> Vec<usize> {
        Vec::new()
    }

    pub(crate) fn pin(_cores: &[usize], _game: usize, _cores_per_game: usize) {}
}
