//! The board as the search sees it: the stones of the side to move, the occupied cells, and which cells
//! complete a four. A [`Layout`] says where the bits lie; the layout of the standard board consists of
//! constants, so that every shift and mask below is an immediate operand.
//!
//! ```text
//!    6 13 20 27 34 41 48    spare, always empty
//!    5 12 19 26 33 40 47    f   follower
//!    4 11 18 25 32 39 46    .
//!    3 10 17 24 31 38 45    f
//!    2  9 16 23 30 37 44    .
//!    1  8 15 22 29 36 43    f
//!    0  7 14 21 28 35 42    .
//! ```
//!
//! The rows marked `f`, every second one from the top, go to a follower: a side that always replies in the
//! column that its opponent has just played.

use rules::{ConnectFour, Geometry, Position};

use crate::lanes::Lanes;

/// Where the bits of a board lie.
pub(crate) trait Layout: Copy + Send + Sync {
    /// The number of cells.
    fn cells(self) -> i32;
    /// The number of columns.
    fn cols(self) -> u32;
    /// The distance between two neighbours in a row.
    fn stride(self) -> u32;
    /// The distances along the lines that are not vertical: row, falling and rising diagonal.
    fn slants(self) -> [u32; 3];
    /// Every cell.
    fn board(self) -> u64;
    /// The lowest cell of every column.
    fn bottom(self) -> u64;
    /// The cells of a follower, which always replies in the column of the opponent's stone.
    fn follower(self) -> u64;

    /// The cells of a column, or none if the board is narrower.
    #[inline(always)]
    fn column(self, index: u32) -> u64 {
        if index < self.cols() { ((1 << (self.stride() - 1)) - 1) << (index * self.stride()) } else { 0 }
    }

    /// How many bits a key has.
    #[inline(always)]
    fn key_bits(self) -> u32 {
        self.stride() * self.cols()
    }

    /// The empty cells on which a stone would come to rest.
    #[inline(always)]
    fn landings<B: Lanes>(self, occupied: B) -> B {
        occupied.plus(B::splat(self.bottom())) & B::splat(self.board())
    }

    /// The cells, empty or not, that complete four with these stones.
    #[inline(always)]
    fn completions<B: Lanes>(self, stones: B) -> B {
        let mut cells = (stones << 1) & (stones << 2) & (stones << 3);
        for d in self.slants() {
            let below = (stones << d) & (stones << (2 * d));
            let above = (stones >> d) & (stones >> (2 * d));
            cells = cells | below & ((stones << (3 * d)) | (stones >> d));
            cells = cells | above & ((stones >> (3 * d)) | (stones << d));
        }
        cells
    }

    /// The first cells of all fours in a line among these cells.
    #[inline(always)]
    fn fours<B: Lanes>(self, cells: B) -> B {
        let pairs = cells & (cells >> 1);
        let mut fours = pairs & (pairs >> 2);
        for d in self.slants() {
            let pairs = cells & (cells >> d);
            fours = fours | pairs & (pairs >> (2 * d));
        }
        fours
    }

    /// The mirror image of a set of cells.
    #[inline(always)]
    fn mirrored(self, cells: u64) -> u64 {
        let (stride, cols) = (self.stride(), self.cols());
        let column = self.column(0);
        (0..cols).fold(0, |mirror, i| mirror | (cells >> (i * stride) & column) << ((cols - 1 - i) * stride))
    }
}

const fn bottom(rows: u32, cols: u32) -> u64 {
    let (mut cells, mut i) = (0, 0);
    while i < cols {
        cells |= 1 << (i * (rows + 1));
        i += 1;
    }
    cells
}

const fn board(rows: u32, cols: u32) -> u64 {
    // Wrapping, because the product of a board of 64 bits does not fit before the subtraction.
    bottom(rows, cols).wrapping_mul((1 << rows) - 1)
}

const fn follower(rows: u32, cols: u32) -> u64 {
    let (mut cells, mut row) = (0, rows as i32 - 1);
    while row >= 0 {
        cells |= bottom(rows, cols) << row;
        row -= 2;
    }
    cells
}

/// The standard board of 7 columns and 6 rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Standard;

impl Layout for Standard {
    #[inline(always)]
    fn cells(self) -> i32 {
        42
    }

    #[inline(always)]
    fn cols(self) -> u32 {
        7
    }

    #[inline(always)]
    fn stride(self) -> u32 {
        7
    }

    #[inline(always)]
    fn slants(self) -> [u32; 3] {
        [7, 6, 8]
    }

    #[inline(always)]
    fn board(self) -> u64 {
        const { board(6, 7) }
    }

    #[inline(always)]
    fn bottom(self) -> u64 {
        const { bottom(6, 7) }
    }

    #[inline(always)]
    fn follower(self) -> u64 {
        const { follower(6, 7) }
    }
}

/// A board whose size is known at run time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AnySize {
    rows: u32,
    cols: u32,
    slants: [u32; 3],
    board: u64,
    bottom: u64,
    follower: u64,
}

impl AnySize {
    /// A board of this size; it must fit 64 bits with a spare row.
    pub(crate) fn new(rows: u32, cols: u32) -> Self {
        assert!((rows + 1) * cols <= u64::BITS, "the board fits a word");
        let stride = rows + 1;
        // With fewer than four columns every four is vertical, and shifts along a row could exceed
        // the word; looking along the column again finds nothing new and stays within it.
        let slants = if cols < 4 { [1; 3] } else { [stride, stride - 1, stride + 1] };
        Self {
            rows,
            cols,
            slants,
            board: board(rows, cols),
            bottom: bottom(rows, cols),
            follower: follower(rows, cols),
        }
    }
}

impl Layout for AnySize {
    #[inline(always)]
    fn cells(self) -> i32 {
        (self.rows * self.cols) as i32
    }

    #[inline(always)]
    fn cols(self) -> u32 {
        self.cols
    }

    #[inline(always)]
    fn stride(self) -> u32 {
        self.rows + 1
    }

    #[inline(always)]
    fn slants(self) -> [u32; 3] {
        self.slants
    }

    #[inline(always)]
    fn board(self) -> u64 {
        self.board
    }

    #[inline(always)]
    fn bottom(self) -> u64 {
        self.bottom
    }

    #[inline(always)]
    fn follower(self) -> u64 {
        self.follower
    }
}

/// A position that is not over, as two sets of cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stones {
    /// The stones of the side to move.
    pub own: u64,
    /// The stones of both sides.
    pub occupied: u64,
}

impl Stones {
    pub(crate) fn of<G: Geometry<Bits = u64>>(position: &ConnectFour<G>) -> Self {
        Self { own: position.stones(position.turn()), occupied: position.occupied() }
    }

    /// A key unique to the position: a column of h stones contributes a value from 2^h - 1 to
    /// 2^(h + 1) - 2 in its own bits, so the sum determines the heights, and the heights the stones.
    #[inline(always)]
    pub(crate) fn key(self) -> u64 {
        self.own + self.occupied
    }

    /// The position after a stone on this cell.
    #[inline(always)]
    pub(crate) fn after(self, cell: u64) -> Self {
        Self { own: self.own ^ self.occupied, occupied: self.occupied | cell }
    }

    #[inline(always)]
    pub(crate) fn ply(self) -> i32 {
        self.occupied.count_ones() as i32
    }

    #[inline(always)]
    pub(crate) fn mirrored<L: Layout>(self, layout: L) -> Self {
        Self { own: layout.mirrored(self.own), occupied: layout.mirrored(self.occupied) }
    }

    /// The cells where the side to move wins at once.
    #[inline(always)]
    pub(crate) fn winning_landings<L: Layout>(self, layout: L) -> u64 {
        layout.completions(self.own) & layout.landings(self.occupied)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constant_and_run_time_layouts_agree() {
        let size = AnySize::new(6, 7);
        assert_eq!(Standard.cells(), size.cells());
        assert_eq!(Standard.stride(), size.stride());
        assert_eq!(Standard.slants(), size.slants());
        assert_eq!(Standard.board(), size.board());
        assert_eq!(Standard.bottom(), size.bottom());
        assert_eq!(Standard.follower(), size.follower());
    }

    #[test]
    fn mirroring_twice_is_the_identity() {
        let mut rng = fastrand::Rng::with_seed(3);
        for (rows, cols) in [(6, 7), (7, 8), (4, 12), (1, 32)] {
            let layout = AnySize::new(rows, cols);
            let cells = rng.u64(..) & layout.board();
            assert_eq!(layout.mirrored(layout.mirrored(cells)), cells);
        }
    }
}
