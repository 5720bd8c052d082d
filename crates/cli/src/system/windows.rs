//! Windows.

use std::{
    env,
    fs::{File, OpenOptions, TryLockError},
    io,
    path::Path,
};

use tokio::signal::windows;

/// What this system lacks, for people.
pub(crate) const MISSING: &[&str] =
    &["files for their owner only: a backup has the permissions of its folder"];

/// Whether a terminal can draw if the variable `TERM` is missing: Windows never sets it.
pub(crate) const HAS_SCREEN: bool = true;

/// Resolves on Ctrl-C, Ctrl-Break, when the console is closed, and when the system shuts down.
///
/// # Errors
/// If the handlers cannot be installed.
pub(crate) fn stop_signal() -> io::Result<impl Future<Output = ()>> {
    let mut interrupt = windows::ctrl_c()?;
    let mut stop = windows::ctrl_break()?;
    let mut close = windows::ctrl_close()?;
    let mut shutdown = windows::ctrl_shutdown()?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = stop.recv() => {}
            _ = close.recv() => {}
            _ = shutdown.recv() => {}
        }
    })
}

/// Returns the number of files that this process may have open: there is no limit.
pub(crate) fn raise_open_files() -> Option<usize> {
    None
}

/// Prefers small pages of memory: the system uses large ones only when told to.
pub(crate) fn prefer_small_pages() {}

/// Creates or truncates a file. It has the permissions of its folder; a folder in the user's profile is private.
///
/// # Errors
/// If it cannot be created.
pub(crate) fn create_private(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create(true).truncate(true).open(path)
}

/// Locks a database file for as long as the result lives. The lock is on a file beside it: a locked file could not be read
/// by SQLite.
///
/// # Errors
/// If the file cannot be opened or another process has the lock.
pub(crate) fn lock_database(data: &Path) -> Result<File, TryLockError> {
    let target = data.canonicalize().unwrap_or_else(|_| data.to_owned());
    let mut path = target.into_os_string();
    path.push(".lock");
    let lock =
        File::options().write(true).create(true).truncate(false).open(path).map_err(TryLockError::Error)?;
    lock.try_lock()?;
    Ok(lock)
}

/// The name of this machine in its network.
pub(crate) fn host_name() -> String {
    env::var("COMPUTERNAME").unwrap_or_default()
}

/// Prepares the console for colours and cursor movement, which older consoles offer only on request.
pub(crate) fn prepare_console() {
    anstyle_query::windows::enable_ansi_colors();
}
