//! Provided by the caller: a signal that stops a search, and threads.

use std::{
    fmt,
    sync::atomic::{AtomicBool, Ordering},
};

/// Polled during a search to decide whether to stop: a flag, or a closure that may read a clock.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use alinea_solver::StopSignal;
///
/// let flag = AtomicBool::new(true);
/// let signals: [&dyn StopSignal; 2] = [&flag, &|| true];
/// assert!(signals.iter().all(|signal| signal.is_set()));
/// ```
pub trait StopSignal: Sync {
    /// Whether the search should stop.
    fn is_set(&self) -> bool;
}

impl StopSignal for AtomicBool {
    fn is_set(&self) -> bool {
        self.load(Ordering::Relaxed)
    }
}

impl<F: Fn() -> bool + Sync> StopSignal for F {
    fn is_set(&self) -> bool {
        self()
    }
}

/// Runs parts of a search in parallel.
pub trait Threads: Send + Sync + fmt::Debug {
    /// Runs `main` on the calling thread and `helper(1)` to `helper(count)` on other threads at the same
    /// time; returns when all have returned. It may run fewer helpers, or none: they only save time.
    fn run(&self, count: usize, helper: &(dyn Fn(usize) + Sync), main: &mut dyn FnMut());
}

/// No helpers: everything runs on the calling thread.
#[derive(Clone, Copy, Debug, Default)]
pub struct SingleThread;

impl Threads for SingleThread {
    fn run(&self, _count: usize, _helper: &(dyn Fn(usize) + Sync), main: &mut dyn FnMut()) {
        main();
    }
}

/// Threads of the operating system.
#[cfg(not(target_family = "wasm"))]
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemThreads;

#[cfg(not(target_family = "wasm"))]
impl Threads for SystemThreads {
    fn run(&self, count: usize, helper: &(dyn Fn(usize) + Sync), main: &mut dyn FnMut()) {
        std::thread::scope(|scope| {
            for number in 1..=count {
                scope.spawn(move || helper(number));
            }
            main();
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn helpers_run_beside_the_main_part() {
        let sum = std::sync::atomic::AtomicUsize::new(0);
        let mut is_done = false;
        let add = |number| {
            sum.fetch_add(number, Ordering::Relaxed);
        };
        SystemThreads.run(3, &add, &mut || is_done = true);
        assert!(is_done && sum.into_inner() == 6);
    }
}
