//! Renju: what the first player must not do.
//!
//! A stone that makes exactly five is always allowed. Any other must not make a line of six or more, two fours, or two
//! threes. A four becomes five by one more stone. A three becomes an open four by one more stone: four in an unbroken line
//! that can become five at both ends; it counts only if that stone is itself allowed and does not make five elsewhere.

use crate::{
    Bits, Cell, Direction, Foul, Geometry,
    runs::{Length, has_line_through},
};

/// The cells that matter are those up to this far from the stone.
const REACH: u8 = 5;
/// The bit of the stone in the masks of a line.
const STONE: u32 = 1 << REACH;

/// The cells around a stone in one direction, as masks of 11 bits.
#[derive(Clone, Copy)]
struct Line {
    direction: Direction,
    own: u32,
    /// Stones of the other player, and cells beyond the edge.
    closed: u32,
}

/// Why the first player may not take an empty cell, if that is so.
#[inline(never)]
pub(super) fn foul<G: Geometry>(geometry: G, stones: &[G::Bits; 2], cell: Cell) -> Option<Foul> {
    let own = Direction::ALL.map(|direction| around(geometry, cell, direction, &stones[0]) | STONE);
    // Most cells have too few stones around for any of it.
    let most = own.iter().map(|own| own.count_ones()).max()?;
    let threes = own.iter().filter(|own| own.count_ones() >= 3).count();
    if threes < 2 && most < 5 {
        return None;
    }
    let open = !stones[1];
    let lines = Direction::ALL.map(|direction| {
        let own = own[direction as usize];
        Line { direction, own, closed: !(around(geometry, cell, direction, &open) | STONE) }
    });
    if lines.iter().any(Line::is_five) {
        return None;
    }
    if lines.iter().any(|line| line.length() > 5) {
        return Some(Foul::Overline);
    }
    if lines.iter().map(Line::fours).sum::<u32>() > 1 {
        return Some(Foul::DoubleFour);
    }
    let possible = lines.iter().filter(|line| line.fours() == 0 && line.extensions().next().is_some());
    if possible.clone().count() < 2 {
        return None;
    }
    let mut with = *stones;
    with[0].insert(geometry.index(cell));
    let is_three =
        |line: &&Line| line.extensions().any(|bit| is_allowed(geometry, &with, line.cell(cell, bit)));
    (possible.filter(is_three).count() > 1).then_some(Foul::DoubleThree)
}

/// Whether a stone may extend a three: it is allowed, and does not make five.
fn is_allowed<G: Geometry>(geometry: G, stones: &[G::Bits; 2], cell: Cell) -> bool {
    let makes_five = has_line_through(geometry, &stones[0], cell, Length::Exactly);
    !makes_five && foul(geometry, stones, cell).is_none()
}

/// The cells of a set around a cell in one direction, without those beyond the edge.
fn around<G: Geometry>(geometry: G, cell: Cell, direction: Direction, set: &G::Bits) -> u32 {
    let (left, down) = (cell.column, cell.row);
    let (right, up) = (geometry.cols() - 1 - left, geometry.rows() - 1 - down);
    let (ahead, behind) = match direction {
        Direction::Horizontal => (right, left),
        Direction::Vertical => (up, down),
        Direction::Rising => (right.min(up), left.min(down)),
        Direction::Falling => (right.min(down), left.min(up)),
    };
    let (index, step) = (geometry.index(cell), direction.step(geometry));
    let ahead = (1..=u32::from(ahead.min(REACH))).filter(|n| set.has(index + n * step));
    let behind = (1..=u32::from(behind.min(REACH))).filter(|n| set.has(index - n * step));
    ahead.fold(0, |mask, n| mask | STONE << n) | behind.fold(0, |mask, n| mask | STONE >> n)
}

impl Line {
    /// How many own stones are in an unbroken line with the stone.
    fn length(&self) -> u32 {
        let behind = (self.own << (u32::BITS - u32::from(REACH))).leading_ones();
        (self.own >> REACH).trailing_ones() + behind
    }

    fn is_five(&self) -> bool {
        self.length() == 5
    }

    /// The fours through the stone: stones that one more makes exactly five. An open four counts once.
    fn fours(&self) -> u32 {
        let mut last = 0;
        let mut count = 0;
        for first in 1..=REACH {
            let window = 0b1_1111 << first;
            let beside = 1 << (first - 1) | 1 << (first + 5);
            let stones = self.own & window;
            if stones.count_ones() == 4
                && self.closed & window == 0
                && self.own & beside == 0
                && stones != last
            {
                last = stones;
                count += 1;
            }
        }
        count
    }

    /// The bits of the cells where one more stone makes an open four with the stone.
    fn extensions(&self) -> impl Iterator<Item = u32> {
        let &Self { own, closed, .. } = self;
        (2..=u32::from(REACH)).filter_map(move |first| {
            let (four, ends, beyond) =
                (0b1111 << first, 0b10_0001 << (first - 1), 0b1000_0001 << (first - 2));
            let is_open = (own | closed) & ends == 0 && closed & four == 0 && own & beyond == 0;
            let missing = four & !own;
            (is_open && missing.count_ones() == 1).then(|| missing.trailing_zeros())
        })
    }

    /// The cell of a bit, where the stone is on this cell.
    fn cell(&self, stone: Cell, bit: u32) -> Cell {
        let (columns, rows) = self.direction.delta();
        let by = bit as i8 - REACH as i8;
        Cell::new(stone.column.wrapping_add_signed(columns * by), stone.row.wrapping_add_signed(rows * by))
    }
}
