//! A control group (cgroup v2) for each engine with a memory limit, if the host has delegated a group to us. The kernel
//! then enforces the limit, also between two polls. Elsewhere memory is only polled.

use std::{
    fs, io,
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

pub(super) struct Cgroup {
    path: PathBuf,
}

impl Cgroup {
    /// Creates a group with this limit; `None` if that is not permitted.
    pub(super) fn create(name: &str, memory_kb: u64) -> Option<Self> {
        let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
        let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
        // Tries the parent of our group first: a group that contains processes cannot limit the memory of child groups,
        // unless it is the root.
        let own = own_group(&mounts, &groups)?;
        let above = own.parent().filter(|parent| parent.join("cgroup.procs").exists());
        let parent = above.into_iter().chain([own.as_path()]).find(|group| shares_memory(group))?;
        Self::create_in(parent, name, memory_kb)
    }

    fn create_in(parent: &Path, name: &str, memory_kb: u64) -> Option<Self> {
        let path = parent.join(format!("alinea-{name}"));
        fs::create_dir(&path).ok()?;
        // From here on, dropping the value removes the group.
        let group = Self { path };
        group.write("memory.max", &memory_kb.saturating_mul(1024).to_string()).ok()?;
        // Not every kernel has these settings. Swap would only delay the end, and an engine with only some of its
        // processes is useless.
        let _ = group.write("memory.swap.max", "0");
        let _ = group.write("memory.oom.group", "1");
        Some(group)
    }

    fn write(&self, name: &str, text: &str) -> io::Result<()> {
        fs::write(self.path.join(name), text)
    }

    /// The group's folder.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The file to which a process writes its id to join the group.
    pub(super) fn cgroup_procs(&self) -> PathBuf {
        self.path.join("cgroup.procs")
    }

    /// Whether the kernel has killed processes because of the limit.
    pub(super) fn was_exceeded(&self) -> bool {
        let events = fs::read_to_string(self.path.join("memory.events")).unwrap_or_default();
        let kills = events.lines().find_map(|line| line.strip_prefix("oom_kill "));
        kills.is_some_and(|count| count.trim() != "0")
    }

    /// Kills all processes, on kernels that support it.
    pub(super) fn kill(&self) {
        let _ = self.write("cgroup.kill", "1");
    }
}

impl Drop for Cgroup {
    fn drop(&mut self) {
        // A group can be removed only after its last process has exited, which takes a moment.
        for _ in 0..50 {
            match fs::remove_dir(&self.path) {
                Err(error) if error.kind() == io::ErrorKind::ResourceBusy => {
                    thread::sleep(Duration::from_millis(2));
                }
                _ => return,
            }
        }
    }
}

/// The folder of the group that this process belongs to.
fn own_group(mounts: &str, groups: &str) -> Option<PathBuf> {
    // The fifth field of a mount is the mount point; the type follows a single dash.
    let is_unified = |line: &&str| line.split(" - ").nth(1).is_some_and(|rest| rest.starts_with("cgroup2 "));
    let mount = mounts.lines().find(is_unified)?.split(' ').nth(4)?;
    let group = groups.lines().find_map(|line| line.strip_prefix("0::/"))?;
    Some(Path::new(mount).join(group))
}

/// Whether child groups of this group can have memory limits.
fn shares_memory(group: &Path) -> bool {
    let controllers = fs::read_to_string(group.join("cgroup.subtree_control")).unwrap_or_default();
    controllers.split_whitespace().any(|controller| controller == "memory")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_group_is_found_on_new_and_old_systems() {
        let new = "29 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";
        let group = own_group(new, "0::/user.slice/app.scope\n").unwrap();
        assert_eq!(group, Path::new("/sys/fs/cgroup/user.slice/app.scope"));
        let old = "30 29 0:27 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n\
                   31 29 0:28 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";
        let group = own_group(old, "4:memory:/x\n0::/\n").unwrap();
        assert_eq!(group, Path::new("/sys/fs/cgroup/unified"));
        assert_eq!(own_group("", "0::/\n"), None);
        assert_eq!(own_group(new, "4:memory:/x\n"), None);
    }

    /// Uses a plain folder, whose files the test writes as the kernel would.
    #[test]
    fn the_limit_is_set_and_the_verdict_of_the_kernel_read() {
        let parent = std::env::temp_dir().join(format!("alinea-cgroup-{}", std::process::id()));
        let _ = fs::remove_dir_all(&parent);
        fs::create_dir_all(&parent).unwrap();
        fs::write(parent.join("cgroup.subtree_control"), "cpu memory pids\n").unwrap();
        assert!(shares_memory(&parent) && !shares_memory(&parent.join("other")));
        let group = Cgroup::create_in(&parent, "1", 2048).unwrap();
        assert_eq!(fs::read_to_string(parent.join("alinea-1/memory.max")).unwrap(), "2097152");
        assert_eq!(group.cgroup_procs(), parent.join("alinea-1/cgroup.procs"));
        assert!(!group.was_exceeded());
        for (count, is_exceeded) in [(0, false), (1, true)] {
            fs::write(parent.join("alinea-1/memory.events"), format!("low 0\noom 1\noom_kill {count}\n"))
                .unwrap();
            assert_eq!(group.was_exceeded(), is_exceeded);
        }
        // A second group of the same name is refused.
        assert!(Cgroup::create_in(&parent, "1", 2048).is_none());
        drop(group);
        fs::remove_dir_all(&parent).unwrap();
    }
}
