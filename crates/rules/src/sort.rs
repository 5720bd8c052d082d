//! A sort for short lists. The standard library's is several kilobytes of code for each type of move, too much for what
//! browsers download.

/// Sorts by a key; of equal items, in their order.
pub fn sort_by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(items, |a, b| key(a) < key(b));
}

/// Sorts by what comes before what; of equal items, in their order.
pub fn sort_by<T>(items: &mut [T], is_before: impl Fn(&T, &T) -> bool) {
    for end in 1..items.len() {
        let mut i = end;
        while i > 0 && is_before(&items[i], &items[i - 1]) {
            items.swap(i, i - 1);
            i -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_sorts_as_the_standard_library_does() {
        let mut rng = fastrand::Rng::with_seed(1);
        for length in 0..50 {
            let mut items: Vec<_> = (0..length).map(|i| (rng.u8(..8), i)).collect();
            let mut expected = items.clone();
            expected.sort_by_key(|&(key, _)| key);
            sort_by_key(&mut items, |&(key, _)| key);
            assert_eq!(items, expected);
        }
    }
}
