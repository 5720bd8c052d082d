//! The transposition table: proved bounds of positions, in bounded memory.
//!
//! An entry is one word, so threads share the table without locks or torn entries:
//!
//! ```text
//!    63                          17 16    12 11     6 5      0
//!    rest of the hash               work     lower    upper
//! ```
//!
//! The hash is a bijection of the key. Its leading bits choose a bucket, and all others are in the
//! entry: two positions never collide, so every entry that is found is correct.
//!
//! A table starts small and grows with the search, so that an easy position is solved within the
//! processor's cache, and clearing is cheap.
//!
//! There are two tables. Nearly all nodes are near the end of the game, where searching again costs about as
//! much as reading from memory. They have their own table, which is never larger than the cache, so that the
//! large table keeps the few positions that are worth it.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::Bounds;

/// Entries per bucket: the entry that took the most nodes, and the latest other entry.
const WAYS: usize = 2;
/// The low bits of an entry that are not hash.
const DATA_BITS: u32 = 17;
/// Added to scores to store them as six bits.
const BIAS: i32 = 32;
/// The first size of a table: 2^9 buckets are 8 KB.
const FIRST_BITS: u32 = 9;
/// Binary logarithm of the factor by which a step enlarges the table: 2^3 = 8.
const GROWTH_BITS: u32 = 3;
/// From 2^19 buckets (8 MB) on, a step only doubles the table, because the stop flag is not polled during a
/// step.
const SLOW_GROWTH_BITS: u32 = 19;
/// 2^64 divided by the golden ratio, made odd: the multiplier of Fibonacci hashing, a bijection.
const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

/// The largest size of a near table: half of a usual second-level cache.
const NEAR_BYTES: usize = 1 << 20;
/// Positions with at least this many empty cells are far from the end.
pub(crate) const FAR_REST: i32 = 18;
/// Nodes per entry before a near table grows; most nodes store no entry.
const NEAR_NODES: u64 = 8;
/// Nodes per entry before a far table grows; even fewer nodes store an entry there.
const FAR_NODES: u64 = 64;

/// The two tables of a solver.
#[derive(Debug)]
pub(crate) struct Tables {
    /// The table shared by all threads.
    pub far: Table,
    /// The table of the first thread; the others have their own.
    pub near: Table,
}

impl Tables {
    /// Tables for keys of this many bits, with at most this much memory for the far one.
    pub(crate) fn new(far_bytes: usize, key_bits: u32) -> Self {
        let near = Table::new(far_bytes.min(NEAR_BYTES), key_bits);
        Self { far: Table::new(far_bytes, key_bits), near }
    }

    /// The memory of both in bytes.
    pub(crate) fn memory(&self) -> usize {
        self.far.memory() + self.near.memory()
    }

    /// Removes all entries and returns to the initial sizes.
    pub(crate) fn clear(&mut self) {
        self.far.clear();
        self.near.clear();
    }

    /// Grows both to their largest sizes.
    pub(crate) fn reserve(&mut self) {
        self.far.reserve();
        self.near.reserve();
    }

    /// The number of nodes after which one of the tables should grow.
    pub(crate) fn budget(&self) -> u64 {
        self.near.budget(NEAR_NODES).min(self.far.budget(FAR_NODES))
    }

    /// Grows each table that is too small for a search of this many nodes by one step.
    pub(crate) fn grow(&mut self, nodes: u64) {
        for (table, nodes_per_entry) in [(&mut self.near, NEAR_NODES), (&mut self.far, FAR_NODES)] {
            if nodes >= table.budget(nodes_per_entry) {
                table.grow();
            }
        }
    }
}

/// A hash table of bounds.
#[derive(Debug)]
pub(crate) struct Table {
    slots: Vec<AtomicU64>,
    /// The number of buckets is 2^bits.
    bits: u32,
    most_bits: u32,
    multiplier: u64,
    key_bits: u32,
}

impl Table {
    /// A table for keys of this many bits, in at most this much memory (but no less than 16 KB, or
    /// 2 MB for keys of 64 bits).
    pub(crate) fn new(memory_bytes: usize, key_bits: u32) -> Self {
        let buckets = memory_bytes / (WAYS * size_of::<AtomicU64>());
        // The bits of the hash that do not fit the entry must be in the bucket's number.
        let least = key_bits.saturating_sub(u64::BITS - DATA_BITS).max(FIRST_BITS);
        let most_bits = buckets.checked_ilog2().unwrap_or(0).max(least);
        let mut table = Self {
            slots: Vec::new(),
            bits: least,
            most_bits,
            // The product's leading bits are then the hash, as a number of `key_bits` bits.
            multiplier: MULTIPLIER << (u64::BITS - key_bits),
            key_bits,
        };
        table.fill();
        table
    }

    fn fill(&mut self) {
        self.slots.reserve_exact((WAYS << self.bits) - self.slots.len());
        self.slots.resize_with(WAYS << self.bits, || AtomicU64::new(0));
    }

    /// An empty table with the largest size of this one.
    pub(crate) fn another(&self) -> Self {
        let mut table = Self { slots: Vec::new(), bits: self.most_bits, ..*self };
        table.fill();
        table
    }

    /// The memory of the entries in bytes.
    fn memory(&self) -> usize {
        self.slots.capacity() * size_of::<AtomicU64>()
    }

    /// The number of nodes after which the table should grow.
    fn budget(&self, nodes_per_entry: u64) -> u64 {
        if self.bits == self.most_bits { u64::MAX } else { nodes_per_entry * (WAYS << self.bits) as u64 }
    }

    /// Grows to the largest size.
    fn reserve(&mut self) {
        while self.bits < self.most_bits {
            self.grow();
        }
    }

    /// Removes all entries and returns to the initial size.
    fn clear(&mut self) {
        self.bits = self.key_bits.saturating_sub(u64::BITS - DATA_BITS).max(FIRST_BITS);
        self.slots.truncate(WAYS << self.bits);
        for slot in &mut self.slots {
            *slot.get_mut() = 0;
        }
    }

    /// Grows by one step, if allowed, and keeps its entries.
    fn grow(&mut self) {
        let step = if self.bits < SLOW_GROWTH_BITS { GROWTH_BITS } else { 1 }.min(self.most_bits - self.bits);
        if step == 0 {
            return;
        }
        let old = 1_usize << self.bits;
        self.bits += step;
        self.fill();
        // From the last bucket down: bucket i moves to the buckets from i << step, which were read before.
        for bucket in (0..old).rev() {
            let entries: [u64; WAYS] =
                std::array::from_fn(|way| std::mem::take(self.slots[bucket * WAYS + way].get_mut()));
            for entry in entries.into_iter().filter(|&entry| entry != 0) {
                let to = bucket << step | (entry >> (u64::BITS - step)) as usize;
                let hash = entry >> DATA_BITS << DATA_BITS << step;
                let moved = hash | entry & ((1 << DATA_BITS) - 1);
                let slots = &mut self.slots[to * WAYS..(to + 1) * WAYS];
                let free = slots.iter_mut().find(|slot| slot.load(Relaxed) == 0);
                *free.expect("one bucket's entries fit one bucket").get_mut() = moved;
            }
        }
    }

    #[inline(always)]
    pub(crate) fn hash(&self, key: u64) -> u64 {
        key.wrapping_mul(self.multiplier)
    }

    #[inline(always)]
    fn bucket(&self, hash: u64) -> usize {
        (hash >> (u64::BITS - self.bits)) as usize * WAYS
    }

    /// The part of the hash that an entry holds, in its place.
    #[inline(always)]
    fn tag(&self, hash: u64) -> u64 {
        hash << self.bits >> DATA_BITS << DATA_BITS
    }

    /// Prefetches the bucket into the processor's cache.
    #[inline(always)]
    pub(crate) fn prefetch(&self, hash: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let slot: *const AtomicU64 = &raw const self.slots[self.bucket(hash)];
            // A hint without effect on memory; a node spends most of its waiting time on reads of the table.
            #[allow(unsafe_code)]
            unsafe {
                _mm_prefetch::<_MM_HINT_T0>(slot.cast());
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = hash;
    }

    /// The bounds stored for the position with this hash.
    #[inline(always)]
    pub(crate) fn probe(&self, hash: u64) -> Option<Bounds> {
        let (first, tag) = (self.bucket(hash), self.tag(hash));
        let slots = &self.slots[first..first + WAYS];
        let entry =
            slots.iter().map(|slot| slot.load(Relaxed)).find(|entry| (entry ^ tag) >> DATA_BITS == 0)?;
        let bounds = bounds_of(entry);
        // An empty slot looks like an entry of the hash zero, with bounds that no score has.
        (entry & 63 != 0).then_some(bounds)
    }

    /// Stores bounds that took `nodes` nodes to prove, intersected with those already stored.
    ///
    /// The first entry of a bucket is the one that took the most nodes; the second is the latest of the
    /// others.
    #[inline(always)]
    pub(crate) fn store(&self, hash: u64, bounds: Bounds, nodes: u64) {
        let (first, tag) = (self.bucket(hash), self.tag(hash));
        let slots = &self.slots[first..first + WAYS];
        let entry = |bounds: Bounds| {
            let work = u64::from(u64::BITS - nodes.leading_zeros()).min(31);
            tag | work << 12 | ((bounds.lower + BIAS) as u64) << 6 | (bounds.upper + BIAS) as u64
        };
        for slot in slots {
            let old = slot.load(Relaxed);
            if (old ^ tag) >> DATA_BITS == 0 && old & 63 != 0 {
                slot.store(entry(bounds.and(bounds_of(old))), Relaxed);
                return;
            }
        }
        let (new, costliest) = (entry(bounds), slots[0].load(Relaxed));
        if work_of(new) >= work_of(costliest) {
            slots[1].store(costliest, Relaxed);
            slots[0].store(new, Relaxed);
        } else {
            slots[1].store(new, Relaxed);
        }
    }
}

#[inline(always)]
fn work_of(entry: u64) -> u64 {
    entry >> 12 & 31
}

#[inline(always)]
fn bounds_of(entry: u64) -> Bounds {
    Bounds { lower: (entry >> 6 & 63) as i32 - BIAS, upper: (entry & 63) as i32 - BIAS }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_survive_growth() {
        for key_bits in [49, 64] {
            let mut table = Table::new(4 << 20, key_bits);
            let key = |i: u64| i.wrapping_mul(0x0001_2345_6789_abcd) & (u64::MAX >> (64 - key_bits));
            let bounds = |i: u64| Bounds { lower: -(i as i32 % 21), upper: i as i32 % 21 };
            for i in 0..500 {
                table.store(table.hash(key(i)), bounds(i), i);
            }
            let found =
                |table: &Table| (0..500).filter(|&i| table.probe(table.hash(key(i))).is_some()).count();
            let before = found(&table);
            assert!(before > 450, "{before}");
            while table.bits < table.most_bits {
                table.grow();
                assert_eq!(found(&table), before);
            }
            for i in 0..500 {
                assert!(table.probe(table.hash(key(i))).is_none_or(|known| known == bounds(i)));
            }
            assert!(table.memory() <= 4 << 20);
            table.clear();
            assert_eq!(found(&table), 0);
        }
    }

    #[test]
    fn bounds_of_one_position_are_intersected() {
        let table = Table::new(0, 49);
        let hash = table.hash(1234);
        table.store(hash, Bounds { lower: -3, upper: 20 }, 1);
        table.store(hash, Bounds { lower: -21, upper: 5 }, 1);
        assert_eq!(table.probe(hash), Some(Bounds { lower: -3, upper: 5 }));
    }
}
