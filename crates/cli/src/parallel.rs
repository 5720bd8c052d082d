//! Work shared by threads, for commands whose output must not depend on how many there are.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use parking_lot::Mutex;

/// The results for all items, in their order.
pub(crate) fn in_parallel<T: Sync, U: Send>(
    items: &[T],
    threads: usize,
    f: impl Fn(&T) -> U + Sync,
) -> Vec<U> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..threads.min(items.len()) {
            scope.spawn(|| {
                while let Some((place, item)) = {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    items.get(place).map(|item| (place, item))
                } {
                    let result = f(item);
                    results.lock().push((place, result));
                }
            });
        }
    });
    let mut results = results.into_inner();
    results.sort_by_key(|(place, _)| *place);
    results.into_iter().map(|(_, result)| result).collect()
}
