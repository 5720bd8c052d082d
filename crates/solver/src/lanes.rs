//! Sets of cells in lanes, so that one function serves one position or several at once.
//!
//! The search computes the children of a node in lanes. Natively a lane is a column: the loop over them has a fixed
//! length, and the compiler turns it into vector instructions. For WebAssembly, whose registers have two lanes, it does
//! not; there the lanes hold the moves without gaps, two at a time in a `Pair`.

use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

/// One or more sets of cells.
pub(crate) trait Lanes:
    Copy
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// The number of lanes.
    const WIDTH: usize;

    /// The same set in every lane.
    fn splat(cells: u64) -> Self;
    /// Takes the next moves, each as a set of at most one cell: the move in this column, or the first of all
    /// moves.
    fn take(moves: &mut u64, column: u64) -> Self;
    /// Loads sets from an array, from this lane on.
    fn load<const LANES: usize>(from: &[u64; LANES], lane: usize) -> Self;
    /// One of the sets.
    fn get(self, lane: usize) -> u64;
    /// The sum of each lane, without overflow into the next.
    fn plus(self, other: Self) -> Self;
    /// A mask of the lanes without a cell.
    fn zeros(self) -> Self;
    /// Whether there is a cell in any lane.
    fn any(self) -> bool;

    /// A mask of the lanes with at most one cell.
    #[inline(always)]
    fn singles(self) -> Self {
        (self & self.plus(Self::splat(!0))).zeros()
    }
}

impl Lanes for u64 {
    const WIDTH: usize = 1;

    #[inline(always)]
    fn splat(cells: u64) -> Self {
        cells
    }

    #[inline(always)]
    fn take(moves: &mut u64, column: u64) -> Self {
        *moves & column
    }

    #[inline(always)]
    fn load<const LANES: usize>(from: &[u64; LANES], lane: usize) -> Self {
        from[lane]
    }

    #[inline(always)]
    fn get(self, _lane: usize) -> u64 {
        self
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.wrapping_add(other)
    }

    #[inline(always)]
    fn zeros(self) -> Self {
        if self == 0 { !0 } else { 0 }
    }

    #[inline(always)]
    fn any(self) -> bool {
        self != 0
    }
}

/// The lanes that are computed at once.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub(crate) type Group = u64;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) type Group = Pair;

/// The number of lanes that hold moves. Only lanes of single columns have gaps.
#[inline(always)]
pub(crate) fn count<B: Lanes, const LANES: usize>(moves: u64) -> usize {
    if B::WIDTH == 1 { LANES } else { moves.count_ones() as usize }
}

/// The column of the move in a lane, on a board with this stride; any column if the lane is empty.
#[inline(always)]
pub(crate) fn column<B: Lanes>(lane: usize, cell: u64, stride: u32) -> u32 {
    if B::WIDTH == 1 { lane as u32 } else { cell.trailing_zeros() % u64::BITS / stride }
}

#[cfg(any(test, all(target_arch = "wasm32", target_feature = "simd128")))]
pub(crate) use pair::Pair;

#[cfg(any(test, all(target_arch = "wasm32", target_feature = "simd128")))]
mod pair {
    #[cfg(target_arch = "wasm32")]
    use std::arch::wasm32 as simd;
    use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

    use super::Lanes;

    /// Two sets of cells in a vector register of WebAssembly, without gaps between the moves.
    #[derive(Clone, Copy)]
    pub(crate) struct Pair(simd::v128);

    impl Lanes for Pair {
        const WIDTH: usize = 2;

        #[inline(always)]
        fn splat(cells: u64) -> Self {
            Self(simd::u64x2_splat(cells))
        }

        #[inline(always)]
        fn take(moves: &mut u64, _column: u64) -> Self {
            let rest = *moves & moves.wrapping_sub(1);
            let (first, second) = (*moves ^ rest, rest & rest.wrapping_neg());
            *moves = rest ^ second;
            Self(simd::u64x2(first, second))
        }

        #[inline(always)]
        fn load<const LANES: usize>(from: &[u64; LANES], lane: usize) -> Self {
            Self(simd::u64x2(from[lane], from[lane + 1]))
        }

        #[inline(always)]
        fn get(self, lane: usize) -> u64 {
            if lane == 0 {
                simd::u64x2_extract_lane::<0>(self.0)
            } else {
                simd::u64x2_extract_lane::<1>(self.0)
            }
        }

        #[inline(always)]
        fn plus(self, other: Self) -> Self {
            Self(simd::i64x2_add(self.0, other.0))
        }

        #[inline(always)]
        fn zeros(self) -> Self {
            Self(simd::i64x2_eq(self.0, simd::u64x2_splat(0)))
        }

        #[inline(always)]
        fn any(self) -> bool {
            simd::v128_any_true(self.0)
        }
    }

    macro_rules! operators {
        ($($operator:ident $method:ident($($other:ident: $type:ty)?) = $function:ident;)*) => {$(
            impl $operator$(<$type>)? for Pair {
                type Output = Self;

                #[inline(always)]
                fn $method(self $(, $other: $type)?) -> Self {
                    Self(simd::$function(self.0 $(, $other.into())?))
                }
            }
        )*};
    }
    operators! {
        BitAnd bitand(other: Self) = v128_and;
        BitOr bitor(other: Self) = v128_or;
        BitXor bitxor(other: Self) = v128_xor;
        Not not() = v128_not;
        Shl shl(distance: u32) = i64x2_shl;
        Shr shr(distance: u32) = u64x2_shr;
    }

    impl From<Pair> for simd::v128 {
        #[inline(always)]
        fn from(pair: Pair) -> Self {
            pair.0
        }
    }

    /// The instructions that a pair uses, for tests on other processors.
    #[cfg(not(target_arch = "wasm32"))]
    #[allow(non_camel_case_types)]
    mod simd {
        #[derive(Clone, Copy)]
        pub(super) struct v128([u64; 2]);

        fn both(function: impl Fn(usize) -> u64) -> v128 {
            v128([0, 1].map(function))
        }

        pub(super) fn u64x2(first: u64, second: u64) -> v128 {
            v128([first, second])
        }

        pub(super) fn u64x2_splat(lane: u64) -> v128 {
            v128([lane; 2])
        }

        pub(super) fn u64x2_extract_lane<const LANE: usize>(a: v128) -> u64 {
            a.0[LANE]
        }

        pub(super) fn i64x2_add(a: v128, b: v128) -> v128 {
            both(|lane| a.0[lane].wrapping_add(b.0[lane]))
        }

        pub(super) fn i64x2_eq(a: v128, b: v128) -> v128 {
            both(|lane| if a.0[lane] == b.0[lane] { u64::MAX } else { 0 })
        }

        pub(super) fn i64x2_shl(a: v128, distance: u32) -> v128 {
            both(|lane| a.0[lane] << distance)
        }

        pub(super) fn u64x2_shr(a: v128, distance: u32) -> v128 {
            both(|lane| a.0[lane] >> distance)
        }

        pub(super) fn v128_and(a: v128, b: v128) -> v128 {
            both(|lane| a.0[lane] & b.0[lane])
        }

        pub(super) fn v128_or(a: v128, b: v128) -> v128 {
            both(|lane| a.0[lane] | b.0[lane])
        }

        pub(super) fn v128_xor(a: v128, b: v128) -> v128 {
            both(|lane| a.0[lane] ^ b.0[lane])
        }

        pub(super) fn v128_not(a: v128) -> v128 {
            both(|lane| !a.0[lane])
        }

        pub(super) fn v128_any_true(a: v128) -> bool {
            a.0 != [0, 0]
        }
    }
}
