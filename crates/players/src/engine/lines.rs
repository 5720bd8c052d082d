//! Lines on boards of any size, counted for all cells at once.

use rules::{Bits, Cell, Direction, Geometry, runs};

/// The sets of a board that do not change during a game.
#[derive(Clone)]
pub(super) struct Field<G: Geometry> {
    pub(super) geometry: G,
    pub(super) board: G::Bits,
    bottom: G::Bits,
    /// Rows 1, 3, 5 …
    pub(super) odd_rows: G::Bits,
}

impl<G: Geometry> Field<G> {
    pub(super) fn new(geometry: G) -> Self {
        let set = |is_in: fn(u8) -> bool| {
            let mut set = G::Bits::ZERO;
            for column in 0..geometry.cols() {
                for row in (0..geometry.rows()).filter(|&row| is_in(row)) {
                    set = set | G::Bits::bit(geometry.index(Cell::new(column, row)));
                }
            }
            set
        };
        Self {
            geometry,
            board: set(|_| true),
            bottom: set(|row| row == 0),
            odd_rows: set(|row| row % 2 == 0),
        }
    }

    /// The empty cells where a piece can come to rest now.
    #[inline]
    pub(super) fn landings(&self, occupied: G::Bits) -> G::Bits {
        (occupied << 1 | self.bottom) & self.board & !occupied
    }

    fn directions(&self) -> impl Iterator<Item = u32> {
        let geometry = self.geometry;
        let fitting = Direction::ALL.into_iter().filter(move |way| way.fits(geometry, geometry.run()));
        fitting.map(move |way| way.step(geometry))
    }

    /// The cells that would complete a run with cells of `set`, whether they are empty or not.
    #[inline]
    pub(super) fn completions(&self, set: G::Bits) -> G::Bits {
        let run = u32::from(self.geometry.run());
        let mut cells = G::Bits::ZERO;
        for step in self.directions() {
            // after[i]: the i cells before this one are all in the set.
            let mut after = [!G::Bits::ZERO; 16];
            for i in 1..run {
                after[i as usize] = after[i as usize - 1] & set << (i * step);
            }
            let mut before = !G::Bits::ZERO;
            for i in 0..run {
                cells = cells | before & after[(run - 1 - i) as usize];
                before = before & set >> ((i + 1) * step).min(G::Bits::WIDTH - 1);
            }
        }
        cells & self.board
    }

    /// How many windows of RUN cells without cells of `others` lack one cell of `set` for a run, how many
    /// two, three, and more; of those that hold at least one.
    #[inline]
    pub(super) fn open_windows(&self, set: G::Bits, others: G::Bits) -> [i32; 4] {
        let run = u32::from(self.geometry.run());
        let mut open = [0; 4];
        for step in self.directions() {
            let windows = runs::starts(self.board & !others, step, run as u8);
            if windows.is_empty() {
                continue;
            }
            // One set per binary digit of the count, for all windows at once.
            let mut digits = [G::Bits::ZERO; 5];
            for i in 0..run {
                let mut carry = set >> (i * step);
                for digit in &mut digits {
                    let next = *digit & carry;
                    *digit = (*digit | carry) & !next;
                    carry = next;
                    if carry.is_empty() {
                        break;
                    }
                }
            }
            for count in 1..run {
                let mut windows = windows;
                for (i, &digit) in digits.iter().enumerate() {
                    windows = windows & if count >> i & 1 != 0 { digit } else { !digit };
                }
                open[(run - count - 1).min(3) as usize] += windows.count() as i32;
            }
        }
        open
    }
}

/// What one side has more than the other.
pub(super) fn difference<const N: usize>(own: [i32; N], rival: [i32; N]) -> [i32; N] {
    std::array::from_fn(|i| own[i] - rival[i])
}

/// The columns of cells in a set, from the middle outwards.
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
