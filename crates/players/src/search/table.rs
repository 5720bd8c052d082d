//! The transposition table, shared by all threads without locks.

use std::sync::atomic::{AtomicU64, Ordering};

/// How a stored value bounds the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    Lower,
    Exact,
    Upper,
}

/// What is stored for a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TtEntry {
    pub(crate) value: i16,
    pub(crate) depth: i8,
    pub(crate) bound: Bound,
    /// The number of the best move.
    pub(crate) best: u16,
}

impl TtEntry {
    fn pack(self) -> u64 {
        // The lowest bit marks a used slot.
        1 | (self.bound as u64) << 1
            | u64::from(self.depth as u8) << 8
            | u64::from(self.value as u16) << 16
            | u64::from(self.best) << 32
    }

    fn unpack(data: u64) -> Option<Self> {
        let bound = [Bound::Lower, Bound::Exact, Bound::Upper].get((data >> 1 & 3) as usize)?;
        (data & 1 != 0).then_some(Self {
            value: (data >> 16) as u16 as i16,
            depth: (data >> 8) as u8 as i8,
            bound: *bound,
            best: (data >> 32) as u16,
        })
    }
}

/// A slot holds the data, and the key XOR the data. If two threads write at the same time, the two words do
/// not match any key, so a mixed entry is never read.
#[derive(Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

/// A transposition table of fixed size.
pub(crate) struct Table {
    slots: Box<[Slot]>,
}

impl Table {
    /// A table of at most this size; at least one slot.
    pub(crate) fn new(bytes: usize) -> Self {
        Self { slots: (0..slots_in(bytes)).map(|_| Slot::default()).collect() }
    }

    /// Replaces the table by an empty one of this size, unless it is already as large.
    pub(crate) fn grow(&mut self, bytes: usize) {
        if self.slots.len() < slots_in(bytes) {
            *self = Self::new(bytes);
        }
    }

    #[cfg(test)]
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.slots)
    }

    fn slot(&self, key: u64) -> &Slot {
        // Scales the key to the number of slots.
        &self.slots[((u128::from(key) * self.slots.len() as u128) >> 64) as usize]
    }

    pub(crate) fn get(&self, key: u64) -> Option<TtEntry> {
        let slot = self.slot(key);
        let data = slot.data.load(Ordering::Relaxed);
        (slot.check.load(Ordering::Relaxed) ^ data == key).then(|| TtEntry::unpack(data)).flatten()
    }

    /// Stores an entry, unless the same position is stored from a deeper search.
    pub(crate) fn put(&self, key: u64, entry: TtEntry) {
        let is_worse = |known: TtEntry| known.depth > entry.depth && entry.bound != Bound::Exact;
        if self.get(key).is_some_and(is_worse) {
            return;
        }
        let (slot, data) = (self.slot(key), entry.pack());
        slot.check.store(key ^ data, Ordering::Relaxed);
        slot.data.store(data, Ordering::Relaxed);
    }
}

fn slots_in(bytes: usize) -> usize {
    (bytes / size_of::<Slot>()).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_back() {
        let table = Table::new(1 << 10);
        for bound in [Bound::Lower, Bound::Exact, Bound::Upper] {
            for (value, depth) in [(-29_990, -3), (0, 0), (29_999, 100)] {
                let entry = TtEntry { value, depth, bound, best: 8191 };
                assert_eq!(TtEntry::unpack(entry.pack()), Some(entry));
            }
        }
        let entry = TtEntry { value: -7, depth: 3, bound: Bound::Exact, best: 5 };
        table.put(0, entry);
        assert_eq!(table.get(0), Some(entry));
        assert_eq!(table.get(1), None);
    }

    #[test]
    fn only_a_larger_table_replaces_one() {
        let entry = TtEntry { value: 1, depth: 1, bound: Bound::Exact, best: 1 };
        let mut table = Table::new(100);
        table.put(7, entry);
        [0, 1, 96, 100].into_iter().for_each(|bytes| table.grow(bytes));
        assert_eq!((table.slots.len(), table.get(7)), (6, Some(entry)));
        table.grow(112);
        assert_eq!((table.slots.len(), table.get(7)), (7, None));
    }

    /// While two threads write at the same time, a third thread reads only what one of them wrote.
    #[test]
    fn what_is_read_was_written() {
        let table = Table::new(8 * size_of::<Slot>());
        let entry_of = |key: u64, writer: u64| TtEntry {
            value: (key >> 7) as i16,
            depth: writer as i8,
            bound: Bound::Exact,
            best: (key >> 23) as u16,
        };
        let keys: Vec<u64> = (1..64_u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        let is_done = std::sync::atomic::AtomicBool::new(false);
        let read = std::thread::scope(|scope| {
            let (table, keys, is_done) = (&table, &keys, &is_done);
            let reader = scope.spawn(move || {
                let mut read = 0;
                while !is_done.load(Ordering::Relaxed) || read == 0 {
                    for &key in keys {
                        if let Some(entry) = table.get(key) {
                            assert!([1, 2].map(|writer| entry_of(key, writer)).contains(&entry), "{entry:?}");
                            read += 1;
                        }
                    }
                }
                read
            });
            let writers = [1, 2].map(|writer| {
                scope.spawn(move || {
                    for i in 0..200_000_u64 {
                        let key = keys[(i * (2 * writer + 1)) as usize % keys.len()];
                        table.put(key, entry_of(key, writer));
                    }
                })
            });
            writers.into_iter().for_each(|writer| writer.join().unwrap());
            is_done.store(true, Ordering::Relaxed);
            reader.join().unwrap()
        });
        assert!(read > 0);
    }
}
