//! Sets of cells: one machine word for boards of up to 64 bits, wider words for larger boards.

use std::{
    fmt::Debug,
    hash::Hash,
    ops::{BitAnd, BitOr, Not, Shl, Shr},
};

/// A set of small numbers with the operations of run detection and gravity.
///
/// Shifts must be by less than [`Bits::WIDTH`].
pub trait Bits:
    Copy
    + Eq
    + Hash
    + Debug
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// How many bits there are.
    const WIDTH: u32;
    /// The empty set.
    const ZERO: Self;

    /// The set of `index` alone.
    #[must_use]
    fn bit(index: u32) -> Self;
    /// Adds `index` to the set, which is cheaper on large boards than the union of two sets.
    fn insert(&mut self, index: u32);
    /// Whether `index` is in the set.
    #[must_use]
    fn has(&self, index: u32) -> bool;
    /// The number of members.
    #[must_use]
    fn count(self) -> u32;
    /// The smallest member, if there is one.
    #[must_use]
    fn lowest(self) -> Option<u32>;
    /// The bits from `start` on, as many as fit: one column of a board.
    #[must_use]
    fn window(self, start: u32) -> u64;
    /// Mixes the first `words` words of 64 bits into a running 64-bit hash.
    #[must_use]
    fn mix_into(self, hash: u64, words: u32) -> u64;

    /// Whether there are no members.
    #[must_use]
    fn is_empty(self) -> bool {
        self == Self::ZERO
    }
}

/// One step of a 64-bit hash with good spread: a multiplication whose high half is folded back.
#[must_use]
#[inline]
pub(crate) const fn mix(hash: u64, word: u64) -> u64 {
    let (low, high) = widening_mul(hash ^ word ^ 0x9e37_79b9_7f4a_7c15, 0xd6e8_feb8_6659_fd93);
    low ^ high.rotate_left(29) ^ word.wrapping_mul(0xa076_1d64_78bd_642f)
}

/// The low and the high half of a product.
#[inline]
const fn widening_mul(a: u64, b: u64) -> (u64, u64) {
    if cfg!(target_arch = "wasm32") {
        return widening_mul_of_halves(a, b);
    }
    let product = a as u128 * b as u128;
    (product as u64, (product >> 64) as u64)
}

/// The same for WebAssembly, which has no such instruction: the compiler would call a function.
#[inline]
const fn widening_mul_of_halves(a: u64, b: u64) -> (u64, u64) {
    const LOW: u64 = u32::MAX as u64;
    let ((a_high, a_low), (b_high, b_low)) = ((a >> 32, a & LOW), (b >> 32, b & LOW));
    let first = a_high * b_low + ((a_low * b_low) >> 32);
    let second = a_low * b_high + (first & LOW);
    (a.wrapping_mul(b), a_high * b_high + (first >> 32) + (second >> 32))
}

macro_rules! bits_for_integer {
    ($int:ty, $mix:expr) => {
        impl Bits for $int {
            const WIDTH: u32 = <$int>::BITS;
            const ZERO: Self = 0;

            #[inline]
            fn bit(index: u32) -> Self {
                1 << index
            }

            #[inline]
            fn insert(&mut self, index: u32) {
                *self |= 1 << index;
            }

            #[inline]
            fn has(&self, index: u32) -> bool {
                self >> index & 1 != 0
            }

            #[inline]
            fn count(self) -> u32 {
                self.count_ones()
            }

            #[inline]
            fn lowest(self) -> Option<u32> {
                (self != 0).then(|| self.trailing_zeros())
            }

            #[inline]
            fn window(self, start: u32) -> u64 {
                (self >> start) as u64
            }

            #[inline]
            fn mix_into(self, hash: u64, words: u32) -> u64 {
                debug_assert_eq!(words, Self::WIDTH / 64);
                let mix: fn($int, u64) -> u64 = $mix;
                mix(self, hash)
            }
        }
    };
}

bits_for_integer!(u64, |bits, hash| mix(hash, bits));
bits_for_integer!(u128, |bits, hash| mix(mix(hash, bits as u64), (bits >> 64) as u64));

/// `N` words of 64 bits, the least significant first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Wide<const N: usize>([u64; N]);

impl<const N: usize> BitAnd for Wide<N> {
    type Output = Self;

    #[inline]
    fn bitand(mut self, other: Self) -> Self {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word &= other;
        }
        self
    }
}

impl<const N: usize> BitOr for Wide<N> {
    type Output = Self;

    #[inline]
    fn bitor(mut self, other: Self) -> Self {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word |= other;
        }
        self
    }
}

impl<const N: usize> Not for Wide<N> {
    type Output = Self;

    #[inline]
    fn not(mut self) -> Self {
        for word in &mut self.0 {
            *word = !*word;
        }
        self
    }
}

impl<const N: usize> Shl<u32> for Wide<N> {
    type Output = Self;

    // Browsers download every copy.
    #[cfg_attr(not(target_arch = "wasm32"), inline)]
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    fn shl(self, by: u32) -> Self {
        let (words, bits) = ((by / 64) as usize, by % 64);
        let mut shifted = [0; N];
        let mut carry = 0;
        for (to, word) in shifted[words..].iter_mut().zip(self.0) {
            *to = word << bits | carry;
            // In two steps, because no shift may be by 64.
            carry = word >> 1 >> (63 - bits);
        }
        Self(shifted)
    }
}

impl<const N: usize> Shr<u32> for Wide<N> {
    type Output = Self;

    #[cfg_attr(not(target_arch = "wasm32"), inline)]
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    fn shr(self, by: u32) -> Self {
        let (words, bits) = ((by / 64) as usize, by % 64);
        let mut shifted = [0; N];
        let mut carry = 0;
        for (to, word) in shifted[..N - words].iter_mut().rev().zip(self.0.into_iter().rev()) {
            *to = word >> bits | carry;
            carry = word << 1 << (63 - bits);
        }
        Self(shifted)
    }
}

impl<const N: usize> Bits for Wide<N> {
    const WIDTH: u32 = 64 * N as u32;
    const ZERO: Self = Self([0; N]);

    #[inline]
    fn bit(index: u32) -> Self {
        let mut words = [0; N];
        words[(index / 64) as usize] = 1 << (index % 64);
        Self(words)
    }

    #[inline]
    fn insert(&mut self, index: u32) {
        self.0[(index / 64) as usize] |= 1 << (index % 64);
    }

    #[inline]
    fn has(&self, index: u32) -> bool {
        self.0[(index / 64) as usize] >> (index % 64) & 1 != 0
    }

    #[inline]
    fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    #[inline]
    fn lowest(self) -> Option<u32> {
        let word = self.0.iter().position(|&word| word != 0)?;
        Some(64 * word as u32 + self.0[word].trailing_zeros())
    }

    #[inline]
    fn window(self, start: u32) -> u64 {
        let (word, bits) = ((start / 64) as usize, start % 64);
        let low = self.0[word] >> bits;
        match self.0.get(word + 1) {
            Some(high) if bits > 0 => low | high << (64 - bits),
            _ => low,
        }
    }

    #[inline]
    fn mix_into(self, hash: u64, words: u32) -> u64 {
        self.0.iter().take(words as usize).fold(hash, |hash, &word| mix(hash, word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_agree() {
        let mut rng = fastrand::Rng::with_seed(1);
        assert_eq!(widening_mul_of_halves(u64::MAX, u64::MAX), (1, u64::MAX - 1));
        for _ in 0..10_000 {
            let (a, b) = (rng.u64(..), rng.u64(..));
            assert_eq!(widening_mul_of_halves(a, b), widening_mul(a, b), "{a} * {b}");
        }
    }

    /// The same random operations on `u128` and on two words give the same sets.
    #[test]
    fn wide_words_agree_with_integers() {
        fn wide(bits: u128) -> Wide<2> {
            Wide([bits as u64, (bits >> 64) as u64])
        }
        let mut rng = fastrand::Rng::with_seed(1);
        for _ in 0..10_000 {
            let (a, b, by) = (rng.u128(..), rng.u128(..) & rng.u128(..), rng.u32(..128));
            assert_eq!(wide(a) & wide(b), wide(a & b));
            assert_eq!(wide(a) | wide(b), wide(a | b));
            assert_eq!(!wide(a), wide(!a));
            assert_eq!(wide(a) << by, wide(a << by), "{a:x} << {by}");
            assert_eq!(wide(a) >> by, wide(a >> by), "{a:x} >> {by}");
            assert_eq!(Wide::<2>::bit(by), wide(1 << by));
            let mut with = wide(a);
            with.insert(by);
            assert_eq!(with, wide(a | 1 << by));
            assert_eq!(wide(a).has(by), a.has(by));
            assert_eq!(wide(b).count(), b.count());
            assert_eq!(wide(b).lowest(), b.lowest());
            assert_eq!(wide(a).window(by), a.window(by));
            assert_eq!(wide(a).mix_into(7, 2), a.mix_into(7, 2));
            assert_eq!(Wide([a as u64, (a >> 64) as u64, 0]).mix_into(7, 2), a.mix_into(7, 2));
        }
    }
}
