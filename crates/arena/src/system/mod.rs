//! What depends on the operating system: processes, their pipes and limits, and the pinning of threads to cores. Each
//! system implements the same functions; no other module of this crate asks on which system it runs.
//!
//! | | Linux | macOS and other Unix systems | Windows |
//! | --- | --- | --- | --- |
//! | command | `sh -c` | `sh -c` | `cmd /C` |
//! | all processes of an engine | process group, and a marker in `/proc` | process group, and a marker | job object |
//! | if Alinea is killed | a guard process kills them | a guard process kills the group | the job object ends |
//! | memory limit | polled; control group if permitted | polled | polled |
//! | CPU time limit | `ulimit` | `ulimit` | polled |
//! | core affinity | yes | no | no |

pub(crate) use tournament::report::Usage;

pub(crate) mod affinity;
#[cfg(any(windows, test))]
mod thread_pipes;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub(crate) use unix::Child;
#[cfg(windows)]
pub(crate) use windows::Child;

/// Names what this system cannot do for matches with external engines, for people. Limits that need it are refused or
/// polled, as the text says.
#[must_use]
pub fn missing_from_system() -> Vec<&'static str> {
    let affinity = affinity::cores().is_empty().then_some("core affinity for matches");
    Child::missing().into_iter().chain(affinity).collect()
}

/// Resident memory, in kibibytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Memory {
    /// Sum over all current processes.
    pub(crate) now_kb: u64,
    /// The highest peak of any single process.
    pub(crate) peak_kb: u64,
}

/// A pipe to a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pipe {
    Input,
    Output,
}
