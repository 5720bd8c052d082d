//! A job object of Windows: a set of processes that a child never leaves, and which is ended as a whole.
//!
//! Written over the bindings of `windows-sys`: `process-wrap` ends a job with its parent only for asynchronous programs,
//! `win32job` cannot start a program suspended, and neither reports what a job has used.
#![allow(unsafe_code, reason = "calls functions of Windows")]

use std::{
    io, mem,
    os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle},
    process::Child,
    ptr,
};

use windows_sys::Win32::{
    Foundation::{HANDLE, INVALID_HANDLE_VALUE},
    System::{
        Diagnostics::ToolHelp::{
            CreateToolhelp32Snapshot, TH32CS_SNAPTHREAD, THREADENTRY32, Thread32First, Thread32Next,
        },
        JobObjects::{
            AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION,
            JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE, JOBOBJECT_BASIC_ACCOUNTING_INFORMATION,
            JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JOBOBJECTINFOCLASS, JobObjectBasicAccountingInformation,
            JobObjectBasicProcessIdList, JobObjectExtendedLimitInformation, QueryInformationJobObject,
            SetInformationJobObject, TerminateJobObject,
        },
        ProcessStatus::{K32GetProcessMemoryInfo, PROCESS_MEMORY_COUNTERS},
        Threading::{
            OpenProcess, OpenThread, PROCESS_QUERY_LIMITED_INFORMATION, PROCESS_VM_READ, ResumeThread,
            THREAD_SUSPEND_RESUME,
        },
    },
};

use crate::system::Memory;

/// Maximum number of processes whose memory is counted.
const MAX_PROCESSES: usize = 1024;

/// The handle of a job; closing it kills all its processes.
pub(super) struct Job(OwnedHandle);

/// What the processes of a job have used.
#[derive(Clone, Copy)]
pub(super) struct JobUsage {
    pub(super) cpu_ms: u64,
    pub(super) memory: Memory,
}

/// `JOBOBJECT_BASIC_PROCESS_ID_LIST`, with room for more than one.
#[repr(C)]
struct ProcessIds {
    assigned: u32,
    listed: u32,
    ids: [usize; MAX_PROCESSES],
}

impl Job {
    /// Creates a job without a process. A crash inside ends the process without a dialog.
    pub(super) fn new() -> io::Result<Self> {
        // SAFETY: neither attributes nor a name.
        let job = Self(unsafe { owned(CreateJobObjectW(ptr::null(), ptr::null()))? });
        let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
        limits.BasicLimitInformation.LimitFlags =
            JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION;
        let size = size_of_val(&limits) as u32;
        // SAFETY: the structure belongs to the class.
        done(unsafe {
            SetInformationJobObject(
                job.handle(),
                JobObjectExtendedLimitInformation,
                (&raw const limits).cast(),
                size,
            )
        })?;
        Ok(job)
    }

    fn handle(&self) -> HANDLE {
        self.0.as_raw_handle()
    }

    /// Adds a process that was started suspended, and lets it run.
    pub(super) fn add_and_resume(&self, child: &Child) -> io::Result<()> {
        // SAFETY: both handles are open.
        done(unsafe { AssignProcessToJobObject(self.handle(), child.as_raw_handle()) })?;
        resume(child.id())
    }

    /// Kills all processes.
    pub(super) fn terminate(&self) {
        // SAFETY: the handle is open. It fails only if there is nothing to kill.
        unsafe { TerminateJobObject(self.handle(), 1) };
    }

    /// CPU time of all processes, also of those that have exited, and memory of the running ones.
    pub(super) fn usage(&self) -> JobUsage {
        // Wine leaves the times at zero. Its times of a process are no substitute: they are those of the process that asks.
        let accounted: Option<JOBOBJECT_BASIC_ACCOUNTING_INFORMATION> =
            self.query(JobObjectBasicAccountingInformation);
        let time = accounted.map_or(0, |all| all.TotalUserTime + all.TotalKernelTime);
        let mut usage =
            JobUsage { cpu_ms: time.unsigned_abs() / 10_000, memory: Memory { now_kb: 0, peak_kb: 0 } };
        for handle in self.processes() {
            let (now, peak) = memory(&handle);
            usage.memory.now_kb += now / 1024;
            usage.memory.peak_kb = usage.memory.peak_kb.max(peak / 1024);
        }
        usage
    }

    fn processes(&self) -> Vec<OwnedHandle> {
        let Some(list) = self.query::<ProcessIds>(JobObjectBasicProcessIdList) else {
            return Vec::new();
        };
        let ids = &list.ids[..(list.listed as usize).min(MAX_PROCESSES)];
        let access = PROCESS_QUERY_LIMITED_INFORMATION | PROCESS_VM_READ;
        // SAFETY: a process that has exited meanwhile gives an error.
        ids.iter().filter_map(|&id| unsafe { owned(OpenProcess(access, 0, id as u32)).ok() }).collect()
    }

    /// Asks for information of a class that has this type.
    fn query<T>(&self, class: JOBOBJECTINFOCLASS) -> Option<T> {
        // SAFETY: the types are plain structures of numbers, for which zero is a value.
        let mut information: T = unsafe { mem::zeroed() };
        let size = size_of::<T>() as u32;
        // SAFETY: the structure has the given size.
        let result = unsafe {
            QueryInformationJobObject(
                self.handle(),
                class,
                (&raw mut information).cast(),
                size,
                ptr::null_mut(),
            )
        };
        (result != 0).then_some(information)
    }
}

/// Resident memory and its peak, in bytes.
fn memory(process: &OwnedHandle) -> (u64, u64) {
    let mut counters = PROCESS_MEMORY_COUNTERS::default();
    let size = size_of_val(&counters) as u32;
    // SAFETY: the handle is open, and the structure has the given size.
    let result = unsafe { K32GetProcessMemoryInfo(process.as_raw_handle(), &raw mut counters, size) };
    if result == 0 { (0, 0) } else { (counters.WorkingSetSize as u64, counters.PeakWorkingSetSize as u64) }
}

/// Resumes the only thread of a process that was started suspended. The standard library does not give its handle.
fn resume(process: u32) -> io::Result<()> {
    // SAFETY: no pointers.
    let threads = unsafe { owned(CreateToolhelp32Snapshot(TH32CS_SNAPTHREAD, 0))? };
    let mut entry = THREADENTRY32 { dwSize: size_of::<THREADENTRY32>() as u32, ..Default::default() };
    // SAFETY: the handle is open, and the entry has its size.
    let mut is_found = unsafe { Thread32First(threads.as_raw_handle(), &raw mut entry) } != 0;
    while is_found {
        if entry.th32OwnerProcessID == process {
            // SAFETY: the thread cannot have ended, it is suspended.
            let thread = unsafe { owned(OpenThread(THREAD_SUSPEND_RESUME, 0, entry.th32ThreadID))? };
            // SAFETY: the handle is open.
            let count = unsafe { ResumeThread(thread.as_raw_handle()) };
            return if count == u32::MAX { Err(io::Error::last_os_error()) } else { Ok(()) };
        }
        // SAFETY: as above.
        is_found = unsafe { Thread32Next(threads.as_raw_handle(), &raw mut entry) } != 0;
    }
    Err(io::Error::other("the process that was started has no thread"))
}

fn done(result: i32) -> io::Result<()> {
    if result == 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Takes a handle that a function has returned.
///
/// # Safety
/// It must belong to nothing else.
unsafe fn owned(handle: HANDLE) -> io::Result<OwnedHandle> {
    if handle.is_null() || handle == INVALID_HANDLE_VALUE {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: see above.
    Ok(unsafe { OwnedHandle::from_raw_handle(handle) })
}
