//! What depends on the operating system: signals, limits, locks, permissions and the console. Each system implements the
//! same functions; no other module of this crate asks on which system it runs.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub(crate) use unix::*;
#[cfg(windows)]
pub(crate) use windows::*;
