//! Linux, macOS and other Unix systems.

use std::{
    fs::{File, OpenOptions, TryLockError},
    io,
    os::unix::fs::OpenOptionsExt,
    path::Path,
};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::signal::unix::{SignalKind, signal};

/// Maximum number of open files of a process on macOS.
const OPEN_MAX: u64 = 10_240;

/// What this system lacks, for people.
pub(crate) const MISSING: &[&str] = &[];

/// Whether a terminal can draw if the variable `TERM` is missing.
pub(crate) const HAS_SCREEN: bool = false;

/// Resolves on SIGINT or SIGTERM.
///
/// # Errors
/// If the handlers cannot be installed.
pub(crate) fn stop_signal() -> io::Result<impl Future<Output = ()>> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

/// Raises the number of files that this process may have open as far as possible, and returns it; `None` if there is no
/// limit.
pub(crate) fn raise_open_files() -> Option<usize> {
    let limit = getrlimit(Resource::Nofile);
    let raise = |current| setrlimit(Resource::Nofile, Rlimit { current, ..limit }).map(|()| current);
    // macOS may have no maximum, but refuses more than `OPEN_MAX`.
    let files = raise(limit.maximum).or_else(|_| raise(Some(OPEN_MAX))).unwrap_or(limit.current);
    files.map(|files| usize::try_from(files).unwrap_or(usize::MAX))
}

/// Prefers small pages of memory. Large ones suit the tables of a search, but would waste memory on the small allocations
/// of a server. An error means that the kernel has none.
pub(crate) fn prefer_small_pages() {
    #[cfg(target_os = "linux")]
    let _ = rustix::thread::disable_transparent_huge_pages(true);
}

/// Creates or truncates a file that only its owner may read.
///
/// # Errors
/// If it cannot be created.
pub(crate) fn create_private(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)
}

/// Locks a database file for as long as the result lives. The lock is on the file itself, so that a link to it finds the
/// same lock; SQLite uses another kind of lock.
///
/// # Errors
/// If the file cannot be opened or another process has the lock.
pub(crate) fn lock_database(data: &Path) -> Result<File, TryLockError> {
    let whole = File::options().read(true).write(true).create(true).truncate(false).open(data);
    let lock = whole.or_else(|_| File::open(data)).map_err(TryLockError::Error)?;
    lock.try_lock()?;
    Ok(lock)
}

/// The name of this machine in its network.
pub(crate) fn host_name() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

/// Prepares the console for colours and cursor movement: nothing to do.
pub(crate) fn prepare_console() {}
