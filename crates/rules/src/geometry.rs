//! Boards as bits: the bit of each cell, for sizes known at compile time and at run time.
//!
//! ```text
//!    .   .   .   .   .   .   .      6 13 20 27 34 41 48    spare, always empty
//!    5  12  19  26  33  40  47      row 6
//!    4  11  18  25  32  39  46
//!    3  10  17  24  31  38  45
//!    2   9  16  23  30  37  44
//!    1   8  15  22  29  36  43
//!    0   7  14  21  28  35  42      row 1
//! ```
//!
//! The spare bit on top of each column keeps lines from wrapping into the next one.

use std::{fmt::Debug, hash::Hash, marker::PhantomData};

use thiserror::Error;

use crate::{Bits, Cell, Direction, Wide};

/// The layout of a board with its winning run, as a small value that each position carries.
pub trait Geometry: Copy + Eq + Hash + Debug + Send + Sync + 'static {
    /// A set of this board's cells.
    type Bits: Bits;

    /// The number of rows.
    fn rows(self) -> u8;
    /// The number of columns.
    fn cols(self) -> u8;
    /// How many in a line win.
    fn run(self) -> u8;

    /// The distance between two neighbours in a row.
    #[inline]
    fn stride(self) -> u32 {
        u32::from(self.rows()) + 1
    }

    /// The cells where a winning run in this direction may begin. If each column has a spare bit, these are
    /// all cells, because no run crosses a spare bit.
    #[inline]
    fn run_starts(self, _direction: Direction) -> Self::Bits {
        !Self::Bits::ZERO
    }

    /// Mixes a set into a running hash, which is the same on every target.
    #[inline]
    fn mix_into(self, set: Self::Bits, hash: u64) -> u64 {
        set.mix_into(hash, Self::Bits::WIDTH / 64)
    }

    /// The number of cells.
    #[inline]
    fn cells(self) -> u16 {
        u16::from(self.rows()) * u16::from(self.cols())
    }

    /// The bit of a cell.
    #[inline]
    fn index(self, cell: Cell) -> u32 {
        u32::from(cell.column) * self.stride() + u32::from(cell.row)
    }

    /// The cell of a bit.
    #[inline]
    fn cell(self, index: u32) -> Cell {
        Cell::new((index / self.stride()) as u8, (index % self.stride()) as u8)
    }

    /// Whether the board has this cell.
    #[inline]
    fn contains(self, cell: Cell) -> bool {
        cell.column < self.cols() && cell.row < self.rows()
    }

    /// The lowest empty row of a column, or the number of rows if it is full.
    #[inline]
    fn height(self, occupied: Self::Bits, column: u8) -> u8 {
        let bits = occupied.window(u32::from(column) * self.stride());
        (bits.trailing_ones() as u8).min(self.rows())
    }

    /// Whether a column has no empty cell.
    #[inline]
    fn is_full(self, occupied: Self::Bits, column: u8) -> bool {
        occupied.has(u32::from(column) * self.stride() + u32::from(self.rows()) - 1)
    }

    /// The columns that have an empty cell, from the left.
    #[inline]
    fn open_columns(self, occupied: Self::Bits) -> impl Iterator<Item = u8> {
        (0..self.cols()).filter(move |&column| !self.is_full(occupied, column))
    }
}

/// A board whose size the compiler knows: for the standard sizes, at full speed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Fixed<const ROWS: u8, const COLS: u8, const RUN: u8>;

impl<const ROWS: u8, const COLS: u8, const RUN: u8> Geometry for Fixed<ROWS, COLS, RUN> {
    type Bits = u64;

    #[inline]
    fn rows(self) -> u8 {
        const { assert!((ROWS as u32 + 1) * COLS as u32 <= u64::BITS) };
        ROWS
    }

    #[inline]
    fn cols(self) -> u8 {
        COLS
    }

    #[inline]
    fn run(self) -> u8 {
        RUN
    }
}

/// A board whose size is chosen when the program runs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Custom<B> {
    size: Size,
    bits: PhantomData<B>,
}

impl<B: Bits> Custom<B> {
    /// A board of this size, if the words of `B` hold it.
    #[must_use]
    pub fn new(size: Size) -> Option<Self> {
        let needed = (u32::from(size.rows) + 1) * u32::from(size.cols);
        (needed <= B::WIDTH).then_some(Self { size, bits: PhantomData })
    }
}

impl<B: Bits> Geometry for Custom<B> {
    type Bits = B;

    #[inline]
    fn rows(self) -> u8 {
        self.size.rows
    }

    #[inline]
    fn cols(self) -> u8 {
        self.size.cols
    }

    #[inline]
    fn run(self) -> u8 {
        self.size.run
    }

    /// Boards of up to 512 bits have eight words on other targets; see [`Large`].
    #[cfg(target_arch = "wasm32")]
    #[inline]
    fn mix_into(self, set: B, hash: u64) -> u64 {
        let needed = self.stride() * u32::from(self.cols());
        let is_large = B::WIDTH == <Huge as Geometry>::Bits::WIDTH && needed <= 512;
        set.mix_into(hash, if is_large { 8 } else { B::WIDTH / 64 })
    }
}

/// The size of the standard Connect Four and Simplexity, compiled with constants.
pub type Standard = Fixed<6, 7, 4>;
/// Boards of up to 64 bits, among them 8 × 7.
pub type Small = Custom<u64>;
/// Boards of up to 128 bits, among them 10 × 10.
pub type Medium = Custom<u128>;
/// Boards of up to 512 bits, among them 9 × 37.
#[cfg(not(target_arch = "wasm32"))]
pub type Large = Custom<Wide<8>>;
/// The same as [`Huge`], because browsers download the code of every board type.
#[cfg(target_arch = "wasm32")]
pub type Large = Huge;
/// All others, up to 64 × 64.
pub type Huge = Custom<Wide<65>>;

/// A board size and winning run within the limits of all games.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Size {
    rows: u8,
    cols: u8,
    run: u8,
}

impl Size {
    /// The most rows, and the most columns, that a board may have.
    pub const MAX_SIDE: u8 = 64;
    /// The shortest run that wins.
    pub const MIN_RUN: u8 = 3;
    /// The longest run that wins.
    pub const MAX_RUN: u8 = 16;

    /// Checks the numbers.
    ///
    /// # Errors
    /// If a side or the run is out of its limits.
    pub fn new(rows: u32, cols: u32, run: u32) -> Result<Self, SizeError> {
        let within =
            |n: u32, least: u8, most: u8| u8::try_from(n).ok().filter(|n| (least..=most).contains(n));
        let (least, most) = (1, Self::MAX_SIDE);
        let (shortest, longest) = (Self::MIN_RUN, Self::MAX_RUN);
        Ok(Self {
            rows: within(rows, least, most).ok_or(SizeError::Rows { found: rows, least, most })?,
            cols: within(cols, least, most).ok_or(SizeError::Columns { found: cols, least, most })?,
            run: within(run, shortest, longest).ok_or(SizeError::Run {
                found: run,
                least: shortest,
                most: longest,
            })?,
        })
    }

    /// The number of rows.
    #[must_use]
    pub const fn rows(self) -> u8 {
        self.rows
    }

    /// The number of columns.
    #[must_use]
    pub const fn cols(self) -> u8 {
        self.cols
    }

    /// How many in a line win.
    #[must_use]
    pub const fn run(self) -> u8 {
        self.run
    }
}

/// A size out of its limits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum SizeError {
    /// Too few or too many rows.
    #[error("a board cannot have {found} rows; expected {least} to {most}")]
    Rows {
        /// The requested number.
        found: u32,
        /// The fewest possible.
        least: u8,
        /// The most possible.
        most: u8,
    },
    /// Too few or too many columns.
    #[error("a board cannot have {found} columns; expected {least} to {most}")]
    Columns {
        /// The requested number.
        found: u32,
        /// The fewest possible.
        least: u8,
        /// The most possible.
        most: u8,
    },
    /// Too short or too long a run.
    #[error("a run of {found} is not possible; expected {least} to {most}")]
    Run {
        /// The run asked for.
        found: u32,
        /// The shortest possible.
        least: u8,
        /// The longest possible.
        most: u8,
    },
    /// The game wants room for a run.
    #[error("a run of {run} does not fit a board of {rows}x{cols}; choose a shorter run or a larger board")]
    RunTooLong {
        /// How many in a line win.
        run: u8,
        /// The number of rows.
        rows: u8,
        /// The number of columns.
        cols: u8,
    },
}
