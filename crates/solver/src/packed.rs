//! Small values for a fixed set of keys, without the keys: each key has three cells, and the exclusive or of
//! their contents is its value. That takes 1.23 times the bits of the values, and no work at start-up. A key
//! outside the set gets any value, so the caller must know that its key is in the set.
//!
//! Building solves the equations backwards: as long as some cell belongs to only one remaining key, that key
//! is set aside, because its cell can be chosen last. With this many cells it nearly always succeeds.

/// The bits of a value.
const BITS: usize = 6;

/// The number of cells in each of the three parts for this many keys.
fn part(count: u32) -> u64 {
    u64::from(count) * 41 / 100 + 11
}

/// The size of the cells for this many keys, in bytes.
pub(crate) fn size(count: u32) -> u64 {
    // A cell is read as two bytes, so there is one more at the end.
    (3 * part(count) * BITS as u64).div_ceil(8) + 1
}

/// The three cells of a key.
fn places(key: u64, seed: u32, part: u64) -> [usize; 3] {
    let mut hash = key ^ u64::from(seed) << 49;
    for multiplier in [0xff51_afd7_ed55_8ccd, 0xc4ce_b9fe_1a85_ec53_u64] {
        hash = (hash ^ hash >> 32).wrapping_mul(multiplier);
    }
    hash ^= hash >> 32;
    std::array::from_fn(|i| {
        let word = hash.rotate_left(21 * i as u32) & 0xffff_ffff;
        (i as u64 * part + ((word * part) >> 32)) as usize
    })
}

fn read(cells: &[u8], place: usize) -> u8 {
    let (byte, shift) = (place * BITS / 8, place * BITS % 8);
    (u16::from_le_bytes([cells[byte], cells[byte + 1]]) >> shift) as u8 & ((1 << BITS) - 1)
}

/// The value of a key that is in the set; `count` is the number of keys.
pub(crate) fn get(cells: &[u8], count: u32, seed: u32, key: u64) -> u8 {
    places(key, seed, part(count)).into_iter().fold(0, |value, place| value ^ read(cells, place))
}

/// Builds the cells for these keys and values; also returns the seed of their places.
pub(crate) fn build(entries: &[(u64, u8)]) -> (u32, Vec<u8>) {
    let count = entries.len() as u32;
    let part = part(count);
    let (seed, places, order) = (0..)
        .find_map(|seed| {
            let places: Vec<_> = entries.iter().map(|&(key, _)| places(key, seed, part)).collect();
            peel(&places, 3 * part as usize).map(|order| (seed, places, order))
        })
        .expect("nearly every seed succeeds");
    let mut cells = vec![0; size(count) as usize];
    for (entry, last) in order.into_iter().rev() {
        let others = places[entry].into_iter().filter(|&place| place != last);
        let value = others.fold(entries[entry].1, |value, place| value ^ read(&cells, place));
        let (byte, shift) = (last * BITS / 8, last * BITS % 8);
        let bits = (u16::from(value) << shift).to_le_bytes();
        cells[byte] |= bits[0];
        cells[byte + 1] |= bits[1];
    }
    (seed, cells)
}

/// The entries in the order in which they can be removed, each with a cell that no later one uses.
fn peel(places: &[[usize; 3]], cells: usize) -> Option<Vec<(usize, usize)>> {
    // Per cell: how many remaining entries use it, and the exclusive or of their numbers.
    let mut users = vec![(0_u32, 0_usize); cells];
    for (entry, places) in places.iter().enumerate() {
        for &place in places {
            users[place].0 += 1;
            users[place].1 ^= entry;
        }
    }
    let mut single: Vec<usize> = (0..cells).filter(|&place| users[place].0 == 1).collect();
    let mut order = Vec::with_capacity(places.len());
    while let Some(place) = single.pop() {
        let (1, entry) = users[place] else { continue };
        order.push((entry, place));
        for &place in &places[entry] {
            users[place].0 -= 1;
            users[place].1 ^= entry;
            if users[place].0 == 1 {
                single.push(place);
            }
        }
    }
    (order.len() == places.len()).then_some(order)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_key_gets_its_value() {
        let mut rng = fastrand::Rng::with_seed(1);
        for count in [0, 1, 2, 10, 1000, 50_000] {
            let keys: BTreeSet<u64> = (0..count).map(|_| rng.u64(..1 << 49)).collect();
            let entries: Vec<_> = keys.into_iter().map(|key| (key, rng.u8(..64))).collect();
            let (seed, cells) = build(&entries);
            assert_eq!(cells.len() as u64, size(entries.len() as u32));
            for &(key, value) in &entries {
                assert_eq!(get(&cells, entries.len() as u32, seed, key), value);
            }
        }
    }
}
