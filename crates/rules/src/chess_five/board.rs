//! The chessboard, its pieces and where they can go, as tables computed at compile time.

use crate::{Bits, Direction, Geometry, Kind};

/// The layout of the 8 × 8 board. It fills 64 bits without spare ones, so a run may start only where its five
/// cells do not wrap into the next column.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Chessboard;

const ROWS_1_TO_4: u64 = 0x0f0f_0f0f_0f0f_0f0f;

impl Geometry for Chessboard {
    type Bits = u64;

    #[inline]
    fn rows(self) -> u8 {
        8
    }

    #[inline]
    fn cols(self) -> u8 {
        8
    }

    #[inline]
    fn run(self) -> u8 {
        5
    }

    #[inline]
    fn stride(self) -> u32 {
        8
    }

    #[inline]
    fn run_starts(self, direction: Direction) -> u64 {
        match direction {
            Direction::Horizontal => !0,
            Direction::Vertical | Direction::Rising => ROWS_1_TO_4,
            Direction::Falling => !ROWS_1_TO_4,
        }
    }
}

/// A kind of chess piece.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Chessman {
    /// Slides along rows and columns.
    Rook,
    /// Jumps.
    Knight,
    /// Slides along diagonals.
    Bishop,
    /// Slides in all eight directions.
    Queen,
    /// Steps to a neighbouring cell.
    King,
}

impl Chessman {
    /// All five, in the order in which they are written.
    pub const ALL: [Self; 5] = [Self::Rook, Self::Knight, Self::Bishop, Self::Queen, Self::King];

    /// How many of it each side has.
    #[must_use]
    pub const fn per_side(self) -> u8 {
        match self {
            Self::Rook | Self::Knight | Self::Bishop => 2,
            Self::Queen | Self::King => 1,
        }
    }

    /// Its letter in moves, and in written positions of the first player.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Rook => 'R',
            Self::Knight => 'N',
            Self::Bishop => 'B',
            Self::Queen => 'Q',
            Self::King => 'K',
        }
    }

    pub(super) fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|man| man.letter() == letter)
    }

    pub(super) const fn kind(self) -> Kind {
        match self {
            Self::Rook => Kind::Rook,
            Self::Knight => Kind::Knight,
            Self::Bishop => Kind::Bishop,
            Self::Queen => Kind::Queen,
            Self::King => Kind::King,
        }
    }

    /// The empty cells that this piece reaches in one move from the cell with this bit.
    #[inline]
    #[must_use]
    pub fn reach(self, from: u32, occupied: u64) -> u64 {
        self.attacks(from, occupied) & !occupied
    }

    /// The cells that this piece attacks from the cell with this bit: those it reaches, and the first
    /// obstacle in each direction.
    #[inline]
    #[must_use]
    pub fn attacks(self, from: u32, occupied: u64) -> u64 {
        let from = from as usize;
        match self {
            Self::Rook => slide(from, occupied, [0, 1], [4, 5]),
            Self::Bishop => slide(from, occupied, [2, 3], [6, 7]),
            Self::Queen => slide(from, occupied, [0, 1], [4, 5]) | slide(from, occupied, [2, 3], [6, 7]),
            Self::Knight => KNIGHT[from],
            Self::King => KING[from],
        }
    }
}

/// The directions as steps in columns and rows: up, right, right and up, right and down, then their
/// opposites. Bit numbers grow along the first four and shrink along the others.
const RAY_STEPS: [(i8, i8); 8] = [(0, 1), (1, 0), (1, 1), (1, -1), (0, -1), (-1, 0), (-1, -1), (-1, 1)];
const KNIGHT_STEPS: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

static RAYS: [[u64; 64]; 8] = {
    let mut rays = [[0; 64]; 8];
    let mut way = 0;
    while way < 8 {
        rays[way] = reach_by_steps([RAY_STEPS[way]; 8], 7);
        way += 1;
    }
    rays
};
static KNIGHT: [u64; 64] = reach_by_steps(KNIGHT_STEPS, 1);
static KING: [u64; 64] = reach_by_steps(RAY_STEPS, 1);

/// The cells reached from each cell of an empty board by up to `times` of each step.
const fn reach_by_steps(steps: [(i8, i8); 8], times: i8) -> [u64; 64] {
    let mut reached = [0; 64];
    let mut from = 0;
    while from < 64 {
        let mut i = 0;
        while i < 8 {
            let mut n = 1;
            while n <= times {
                let column = (from / 8) as i8 + n * steps[i].0;
                let row = (from % 8) as i8 + n * steps[i].1;
                if column >= 0 && column < 8 && row >= 0 && row < 8 {
                    reached[from] |= 1 << (column * 8 + row);
                }
                n += 1;
            }
            i += 1;
        }
        from += 1;
    }
    reached
}

#[inline]
fn slide(from: usize, occupied: u64, growing: [usize; 2], shrinking: [usize; 2]) -> u64 {
    let grow = |way: usize| {
        let ray = RAYS[way][from];
        let blockers = ray & occupied;
        // All up to the lowest blocker; the whole ray if there is none.
        ray & (blockers ^ blockers.wrapping_sub(1))
    };
    let shrink = |way: usize| {
        let ray = RAYS[way][from];
        // Bit 0 stands in for a missing blocker: nothing is beyond it.
        let highest = 63 - (ray & occupied | 1).leading_zeros();
        ray & !0 << highest
    };
    grow(growing[0]) | grow(growing[1]) | shrink(shrinking[0]) | shrink(shrinking[1])
}

/// The members of a set, smallest first.
#[inline]
pub fn members(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let lowest = Bits::lowest(set)?;
        set &= set - 1;
        Some(lowest)
    })
}
