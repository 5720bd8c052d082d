//! A stable sort for short lists. The standard library's is several kilobytes of code for each type of item, too much for
//! what browsers download.

/// Stable insertion sort by key.
pub fn sort_by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    for end in 1..items.len() {
        let mut i = end;
        while i > 0 && key(&items[i]) < key(&items[i - 1]) {
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
