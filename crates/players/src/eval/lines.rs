//! Lines on boards of any size: which windows of RUN cells are still open, which cells complete a run.

use rules::{Bits, Cell, Direction, Geometry, Huge, Side};

use super::evaluator::TtKey;
use crate::{any_size::of_any_size, sort::sort_by_key};

/// A board with constants that depend only on its size.
#[derive(Clone)]
pub(super) struct Field<G: Geometry> {
    pub(super) geometry: G,
    pub(super) board: G::Bits,
    bottom: G::Bits,
    /// By side: the rows that it gets to fill if the columns fill up one after the other.
    own_rows: [G::Bits; 2],
    /// The leftmost column.
    first_column: G::Bits,
    /// The rows from 2, 3, 5, 9 … on.
    upper_rows: [G::Bits; 6],
    /// The lines through the cell of each bit that are long enough for a run.
    lines: Box<[[Option<Line>; 4]]>,
}

/// A line of cells: at most RUN − 1 on either side of the one it goes through.
#[derive(Clone, Copy)]
struct Line {
    /// The bit of its first cell.
    start: u32,
    /// The distance to the next bit.
    step: u32,
    /// The index of the cell within the line.
    place: u32,
    length: u32,
}

/// Counts of both sides' windows, by colour or by shape. On the largest boards an incremental update takes a
/// hundredth of the time of a full count.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Tally<B> {
    /// By side: the numbers of open windows (at least one own piece, none of the opponent) that lack one, two,
    /// three, and more pieces.
    pub(super) open: [[i16; 4]; 2],
    /// By side: the empty cells that would complete a run.
    pub(super) completions: [B; 2],
}

impl<G: Geometry> Field<G> {
    pub(super) fn new(geometry: G) -> Self {
        let cells = || {
            (0..geometry.cols())
                .flat_map(move |column| (0..geometry.rows()).map(move |row| Cell::new(column, row)))
        };
        let set = |is_in: &dyn Fn(u8) -> bool| {
            let chosen = cells().filter(|cell| is_in(cell.row));
            chosen.fold(G::Bits::ZERO, |set, cell| set | G::Bits::bit(geometry.index(cell)))
        };
        // If the other columns have an odd number of cells, the second player begins the last column.
        let begins = geometry.rows() & (geometry.cols() - 1) & 1;
        let own_rows = [0, 1].map(|side| set(&|row| (row + begins) % 2 == side));
        let first_column = (0..geometry.rows())
            .fold(G::Bits::ZERO, |column, row| column | G::Bits::bit(geometry.index(Cell::new(0, row))));
        Self {
            geometry,
            board: set(&|_| true),
            bottom: set(&|row| row == 0),
            own_rows,
            first_column,
            upper_rows: [1, 2, 4, 8, 16, 32].map(|first| set(&|row| row >= first)),
            lines: lines(of_any_size(geometry)),
        }
    }

    /// The empty cells where a dropped piece lands now.
    #[inline]
    pub(super) fn landings(&self, occupied: G::Bits) -> G::Bits {
        (occupied << 1 | self.bottom) & self.board & !occupied
    }

    /// The bit where a piece dropped into a column lands.
    #[inline]
    pub(super) fn landing(&self, occupied: G::Bits, column: u8) -> u32 {
        self.geometry.index(Cell::new(column, self.geometry.height(occupied, column)))
    }

    /// The cells above those of a set.
    #[inline]
    fn above(&self, set: G::Bits) -> G::Bits {
        let mut cells = set << 1 & self.board;
        for (i, &rows) in
            self.upper_rows.iter().enumerate().take_while(|(i, _)| 1 << i < self.geometry.rows())
        {
            cells = cells | cells << (1 << i) & rows;
        }
        cells
    }

    /// The numbers of threats (empty cells where a side would win), by side: all; those directly above a
    /// landing cell; those with another threat directly above; and lasting threats, which decide a zugzwang:
    /// the lowest threat of its column, in a row that the side gets to fill if the columns fill up one after
    /// the other (on most boards odd rows for the first player, even rows for the second).
    #[inline]
    pub(super) fn threats(&self, occupied: G::Bits, wins: [G::Bits; 2]) -> [[i32; 4]; 2] {
        let all = wins[0] | wins[1];
        if all.is_empty() {
            return [[0; 4]; 2];
        }
        let next = self.landings(occupied) << 1;
        let lowest = !self.above(all);
        Side::BOTH.map(|side| {
            let own = wins[side.index()];
            let rows = self.own_rows[side.index()];
            [own, own & next, own & own >> 1, own & lowest & rows].map(|cells| cells.count() as i32)
        })
    }

    /// One key for a position and its mirror image, from the sets that define it.
    pub(super) fn tt_key<const N: usize>(&self, seed: u64, sets: [G::Bits; N]) -> TtKey {
        let key =
            |sets: [G::Bits; N]| sets.into_iter().fold(seed, |key, set| self.geometry.mix_into(set, key));
        TtKey::shared(key(sets), key(sets.map(|set| self.mirrored(set))))
    }

    fn mirrored(&self, set: G::Bits) -> G::Bits {
        let (cols, stride) = (u32::from(self.geometry.cols()), self.geometry.stride());
        (0..cols).fold(G::Bits::ZERO, |image, column| {
            image | (set >> (column * stride) & self.first_column) << ((cols - 1 - column) * stride)
        })
    }

    /// The bit of the mirror image of a cell.
    pub(super) fn mirrored_bit(&self, bit: u32) -> u32 {
        let cell = self.geometry.cell(bit);
        self.geometry.index(Cell::new(self.geometry.cols() - 1 - cell.column, cell.row))
    }

    pub(super) fn empty_tally() -> Tally<G::Bits> {
        Tally { open: [[0; 4]; 2], completions: [G::Bits::ZERO; 2] }
    }

    /// The tally of both sides' pieces, counted from scratch.
    pub(super) fn tally(&self, sets: [G::Bits; 2]) -> Tally<G::Bits> {
        let mut tally = Self::empty_tally();
        let mut placed = [G::Bits::ZERO; 2];
        for side in Side::BOTH {
            let mut left = sets[side.index()];
            while let Some(bit) = left.lowest() {
                left = left & !G::Bits::bit(bit);
                self.add(&mut tally, placed, side, bit);
                placed[side.index()] = placed[side.index()] | G::Bits::bit(bit);
            }
        }
        tally
    }

    /// Updates a tally for a piece that `side` puts on the cell of `bit`; `sets` are the pieces before.
    #[inline]
    pub(super) fn add(&self, tally: &mut Tally<G::Bits>, sets: [G::Bits; 2], side: Side, bit: u32) {
        let run = u32::from(self.geometry.run());
        let window = (1_u32 << run) - 1;
        let (own, others) = (sets[side.index()], sets[side.other().index()]);
        for completions in &mut tally.completions {
            *completions = *completions & !G::Bits::bit(bit);
        }
        for &Line { start, step, place, length } in self.lines[bit as usize].iter().flatten() {
            let (mut mine, mut theirs) = (0, 0);
            for i in 0..length {
                mine |= u32::from(own.has(start + i * step)) << i;
                theirs |= u32::from(others.has(start + i * step)) << i;
            }
            for first in 0..=length - run {
                let (mine, theirs) = (mine >> first & window, theirs >> first & window);
                if theirs == 0 {
                    let before = mine.count_ones();
                    let open = &mut tally.open[side.index()];
                    if before > 0 {
                        open[class(run - before)] -= 1;
                    }
                    if before + 1 < run {
                        open[class(run - before - 1)] += 1;
                    }
                    if before + 2 == run {
                        let gap = !(mine | 1 << (place - first)) & window;
                        let gap = start + (first + gap.trailing_zeros()) * step;
                        let completions = &mut tally.completions[side.index()];
                        *completions = *completions | G::Bits::bit(gap);
                    }
                } else if mine == 0 {
                    // The window is no longer open to the opponent.
                    tally.open[side.other().index()][class(run - theirs.count_ones())] -= 1;
                }
            }
        }
    }
}

/// The index in [`Tally::open`] of windows that lack `missing` cells.
#[inline]
fn class(missing: u32) -> usize {
    missing.min(4) as usize - 1
}

fn lines(geometry: Huge) -> Box<[[Option<Line>; 4]]> {
    let bits = u32::from(geometry.cols()) * geometry.stride();
    let through = |bit| {
        let cell = geometry.cell(bit);
        Direction::ALL.map(|way| geometry.contains(cell).then(|| line(geometry, cell, way)).flatten())
    };
    (0..bits).map(through).collect()
}

fn line(geometry: Huge, cell: Cell, direction: Direction) -> Option<Line> {
    let (columns, rows) = direction.delta();
    let arm = |sign: i8| {
        let next = |cell: &Cell| rules::runs::neighbour(geometry, *cell, (sign * columns, sign * rows));
        let cells = std::iter::successors(Some(cell), next).skip(1);
        cells.take(usize::from(geometry.run()) - 1).count() as u32
    };
    let (before, after) = (arm(-1), arm(1));
    let step = direction.step(geometry);
    let length = before + 1 + after;
    (length >= u32::from(geometry.run())).then(|| Line {
        start: geometry.index(cell) - before * step,
        step,
        place: before,
        length,
    })
}

/// Sorts and deduplicates cells.
pub(super) fn sorted(cells: impl Iterator<Item = Cell>) -> Vec<Cell> {
    let mut cells: Vec<_> = cells.collect();
    sort_by_key(&mut cells, |&cell| cell);
    cells.dedup();
    cells
}

/// A set with one more cell.
pub(super) fn with<G: Geometry>(geometry: G, set: G::Bits, cell: Cell) -> G::Bits {
    set | G::Bits::bit(geometry.index(cell))
}

/// The cells where a piece dropped now lands, from the left.
pub(super) fn landings<G: Geometry>(geometry: G, occupied: G::Bits) -> impl Iterator<Item = Cell> {
    let columns =
        (0..geometry.cols()).map(move |column| Cell::new(column, geometry.height(occupied, column)));
    columns.filter(move |cell| cell.row < geometry.rows())
}

/// The counts of a side minus those of its opponent.
pub(super) fn difference<const N: usize>(side: Side, counts: [[i32; N]; 2]) -> [i32; N] {
    std::array::from_fn(|i| counts[side.index()][i] - counts[side.other().index()][i])
}

/// The lasting threats of the first and of the second player, positive for `side`. They have separate weights
/// because on most boards the second player gets the last cell.
pub(super) fn lasting(side: Side, threats: [[i32; 4]; 2]) -> [i32; 2] {
    Side::BOTH.map(|owner| if owner == side { threats[owner.index()][3] } else { -threats[owner.index()][3] })
}

/// The columns of the cells in a set, from the middle outwards.
pub(super) fn columns<G: Geometry>(geometry: G, set: G::Bits) -> impl Iterator<Item = (u8, G::Bits)> {
    let cols = geometry.cols();
    (0..cols).filter_map(move |i| {
        let middle = i32::from(cols - 1) / 2;
        let offset = i32::from(i.div_ceil(2));
        let column = if i % 2 == 0 { middle - offset } else { middle + offset };
        let column = column.rem_euclid(i32::from(cols)) as u8;
        let height = geometry.height(!set, column);
        let cell = Cell::new(column, height.min(geometry.rows() - 1));
        let bit = G::Bits::bit(geometry.index(cell));
        (!(bit & set).is_empty()).then_some((column, bit))
    })
}
