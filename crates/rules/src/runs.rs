//! Runs: unbroken lines of cells in a set. The only definition of "in a line".

use crate::{Bits, Cell, Geometry};

/// Which lines win.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Length {
    /// As many cells as the run, or more.
    AtLeast,
    /// As many cells as the run, and not more.
    Exactly,
}

/// The four directions of a line, in the order in which a winning line is searched for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// Along a row, to the right.
    Horizontal,
    /// Along a column, upwards.
    Vertical,
    /// A diagonal, to the right and upwards.
    Rising,
    /// A diagonal, to the right and downwards.
    Falling,
}

impl Direction {
    /// All four.
    pub const ALL: [Self; 4] = [Self::Horizontal, Self::Vertical, Self::Rising, Self::Falling];

    /// The distance to the next cell in columns and rows.
    #[must_use]
    pub const fn delta(self) -> (i8, i8) {
        match self {
            Self::Horizontal => (1, 0),
            Self::Vertical => (0, 1),
            Self::Rising => (1, 1),
            Self::Falling => (1, -1),
        }
    }

    /// The distance between the bits of two neighbours in this direction.
    #[inline]
    #[must_use]
    pub fn step<G: Geometry>(self, geometry: G) -> u32 {
        match self {
            Self::Horizontal => geometry.stride(),
            Self::Vertical => 1,
            Self::Rising => geometry.stride() + 1,
            Self::Falling => geometry.stride() - 1,
        }
    }

    /// Whether `length` cells in this direction fit on the board.
    #[inline]
    #[must_use]
    pub fn fits<G: Geometry>(self, geometry: G, length: u8) -> bool {
        let wide = length <= geometry.cols();
        let high = length <= geometry.rows();
        match self {
            Self::Horizontal => wide,
            Self::Vertical => high,
            Self::Rising | Self::Falling => wide && high,
        }
    }
}

/// The cells of `set` from which `length` cells in steps of `step` are all in `set`.
#[inline]
#[must_use]
pub fn starts<B: Bits>(set: B, step: u32, length: u8) -> B {
    // Two steps are enough for a run of four; written out, because loops of a known length stay loops where the compiler
    // optimises for size.
    let mut covered = (set, 1);
    covered = lengthen(covered, step, length);
    covered = lengthen(covered, step, length);
    while covered.1 < length {
        covered = lengthen(covered, step, length);
    }
    covered.0
}

/// Computes the starts of lines of this length, at most twice as long, from the starts of shorter lines.
#[inline]
fn lengthen<B: Bits>((starts, covered): (B, u8), step: u32, length: u8) -> (B, u8) {
    let by = covered.min(length - covered);
    (starts & starts >> (step * u32::from(by)), covered + by)
}

/// The starts of winning runs in one direction.
#[inline]
fn winning_starts<G: Geometry>(geometry: G, set: G::Bits, direction: Direction) -> G::Bits {
    if direction.fits(geometry, geometry.run()) {
        starts(set, direction.step(geometry), geometry.run()) & geometry.run_starts(direction)
    } else {
        G::Bits::ZERO
    }
}

/// The starts of lines in one direction that are exactly as long as a run.
fn exact_starts<G: Geometry>(geometry: G, set: G::Bits, direction: Direction) -> G::Bits {
    let step = direction.step(geometry);
    let runs = winning_starts(geometry, set, direction);
    runs & !(set << step) & !(set >> (step * u32::from(geometry.run())))
}

/// Whether `set` holds a line of this length.
#[must_use]
pub fn has_line<G: Geometry>(geometry: G, set: G::Bits, length: Length) -> bool {
    match length {
        Length::AtLeast => has_run(geometry, set),
        Length::Exactly => {
            let has_line = |&direction: &Direction| !exact_starts(geometry, set, direction).is_empty();
            Direction::ALL.iter().any(has_line)
        }
    }
}

/// Whether `set` holds a winning run.
#[inline]
#[must_use]
pub fn has_run<G: Geometry>(geometry: G, set: G::Bits) -> bool {
    // Written out for the same reason as in `starts`.
    has_run_along(geometry, set, Direction::Horizontal)
        || has_run_along(geometry, set, Direction::Vertical)
        || has_run_along(geometry, set, Direction::Rising)
        || has_run_along(geometry, set, Direction::Falling)
}

#[inline]
fn has_run_along<G: Geometry>(geometry: G, set: G::Bits, direction: Direction) -> bool {
    !winning_starts(geometry, set, direction).is_empty()
}

/// Whether a line of this length that a set may hold goes through this cell of it: cheaper than [`has_line`] on large
/// boards, and enough after a move that filled the cell.
#[inline]
#[must_use]
pub fn has_line_through<G: Geometry>(geometry: G, set: &G::Bits, cell: Cell, length: Length) -> bool {
    let run = u32::from(geometry.run());
    let index = geometry.index(cell);
    let (left, down) = (u32::from(cell.column), u32::from(cell.row));
    let (right, up) = (u32::from(geometry.cols()) - 1 - left, u32::from(geometry.rows()) - 1 - down);
    // How many cells next to this one, of at most `room`, are in the set.
    let arm = |step: u32, room: u32| {
        let (mut length, mut next) = (0, index.wrapping_add(step));
        while length < room && set.has(next) {
            length += 1;
            next = next.wrapping_add(step);
        }
        length
    };
    let is_run = |direction: Direction, ahead: u32, behind: u32| {
        let step = direction.step(geometry);
        let found = 1 + arm(step, ahead) + arm(step.wrapping_neg(), behind);
        found == run || found > run && length == Length::AtLeast
    };
    // Written out for the same reason as in `starts`.
    is_run(Direction::Horizontal, right, left)
        || is_run(Direction::Vertical, up, down)
        || is_run(Direction::Rising, right.min(up), left.min(down))
        || is_run(Direction::Falling, right.min(down), left.min(up))
}

/// Returns the whole first winning run in `set`, in the order of its cells.
#[must_use]
pub fn find_run<G: Geometry>(geometry: G, set: G::Bits) -> Option<Vec<Cell>> {
    find_line(geometry, set, Length::AtLeast)
}

/// Returns the whole first line of this length in `set`, in the order of its cells.
#[must_use]
pub fn find_line<G: Geometry>(geometry: G, set: G::Bits, length: Length) -> Option<Vec<Cell>> {
    Direction::ALL.into_iter().find_map(|direction| {
        let starts = match length {
            Length::AtLeast => winning_starts(geometry, set, direction),
            Length::Exactly => exact_starts(geometry, set, direction),
        };
        let start = starts.lowest()?;
        let mut line = Vec::new();
        let mut next = Some(geometry.cell(start));
        while let Some(cell) = next.filter(|&cell| set.has(geometry.index(cell))) {
            line.push(cell);
            next = neighbour(geometry, cell, direction.delta());
        }
        Some(line)
    })
}

/// The cell at this distance in columns and rows, if the board has it.
#[inline]
#[must_use]
pub fn neighbour<G: Geometry>(geometry: G, cell: Cell, (columns, rows): (i8, i8)) -> Option<Cell> {
    let column = cell.column.checked_add_signed(columns)?;
    let row = cell.row.checked_add_signed(rows)?;
    Some(Cell::new(column, row)).filter(|&cell| geometry.contains(cell))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Fixed;

    #[test]
    fn starts_of_any_length() {
        for length in 1..=16 {
            let run = (1_u64 << length) - 1;
            assert_eq!(starts(run << 5, 1, length), 1 << 5);
            assert_eq!(starts(run << 5 & !(1 << 6), 1, length.max(2)), 0);
        }
    }

    #[test]
    fn the_cells_of_a_falling_run_are_in_order() {
        let geometry = Fixed::<6, 7, 4>;
        let cells = ["b5", "c4", "d3", "e2"].map(|name| name.parse::<Cell>().unwrap());
        let set = cells.iter().fold(0, |set, &cell| set | u64::bit(geometry.index(cell)));
        assert!(has_run(geometry, set));
        assert!(cells.iter().all(|&cell| has_line_through(geometry, &set, cell, Length::Exactly)));
        let with_g1 = set | u64::bit(geometry.index("g1".parse().unwrap()));
        assert!(!has_line_through(geometry, &with_g1, "g1".parse().unwrap(), Length::AtLeast));
        assert_eq!(find_run(geometry, set).unwrap(), cells);
    }
}
