//! Shapes: what a stone on an empty cell achieves in one direction.
//!
//! The cells that matter are those in reach of the stone, which is RUN − 1:
//!
//! ```text
//!     .  .  o  .  *  o  o  .  x         o own stones, * the stone, x stones of the opponent and the edge
//!     0  1  2  3  4  5  6  7  8         the bits of both masks; the bit of the stone is the reach
//! ```
//!
//! Where a line must not be longer than a run, own stones in a distance of RUN matter, too: the reach is RUN.

use std::sync::OnceLock;

use rules::runs::Length;

/// Nothing: no window through the cell can still be completed, or none has another own stone.
pub(super) const NOTHING: u32 = 0;
/// A window that lacks more than three stones.
pub(super) const ONE: u32 = 1;
/// A window that lacks three stones.
pub(super) const TWO: u32 = 2;
/// One more stone makes an open three.
pub(super) const OPEN_TWO: u32 = 3;
/// A window that lacks two stones.
pub(super) const THREE: u32 = 4;
/// One more stone makes an open four.
pub(super) const OPEN_THREE: u32 = 5;
/// One cell completes a run.
pub(super) const FOUR: u32 = 6;
/// Several cells complete a run, so that the opponent cannot fill them all.
pub(super) const OPEN_FOUR: u32 = 7;
/// A run.
pub(super) const FIVE: u32 = 8;
/// The number of shapes.
pub(super) const SHAPES: usize = 9;

/// Runs up to this length have their shapes in a table.
const LONGEST_IN_TABLE: u32 = 5;

/// What wins: how long a line must be.
#[derive(Clone, Copy)]
struct Goal {
    run: u32,
    length: Length,
}

/// Shapes for one goal.
#[derive(Clone, Copy)]
struct Shapes {
    goal: Goal,
    /// By the cells of the opponent and the own cells, without the stone's; empty for long runs.
    table: &'static [u8],
}

/// The shapes of both sides.
#[derive(Clone, Copy)]
pub(super) struct BothShapes {
    shapes: [Shapes; 2],
    /// Where any line of at least a run wins: by the cells of both sides, without the stone's, the shapes of both, four bits
    /// each. A cell of both is beyond the edge. Otherwise empty.
    table: &'static [u8],
}

impl BothShapes {
    pub(super) fn new(run: u8, lengths: [Length; 2]) -> Self {
        static TABLES: [OnceLock<Box<[u8]>>; 3] = [const { OnceLock::new() }; 3];
        let shapes = lengths.map(|length| Shapes::new(run, length));
        let mut both = Self { shapes, table: &[] };
        let run = u32::from(run);
        if lengths == [Length::AtLeast; 2] && (3..=LONGEST_IN_TABLE).contains(&run) {
            both.table = TABLES[run as usize - 3].get_or_init(|| {
                let bits = 2 * both.reach();
                let cells = |index: u32| opened(index & ((1 << bits) - 1), both.reach());
                let of = |index: u32| both.one_by_one([cells(index), cells(index >> bits)]);
                (0..1 << (2 * bits)).map(|index| of(index) as u8 | (of(index) >> 12) as u8).collect()
            });
        }
        both
    }

    /// How far from a stone other cells matter.
    #[inline]
    pub(super) fn reach(self) -> u32 {
        self.shapes[0].goal.reach().max(self.shapes[1].goal.reach())
    }

    /// The shapes of both sides at an empty cell, those of the second side sixteen bits higher, by the stones of both around
    /// it. Cells beyond the edge are in both masks.
    #[inline]
    pub(super) fn of(self, stones: [u32; 2]) -> u32 {
        if self.table.is_empty() {
            return self.one_by_one(stones);
        }
        let reach = self.reach();
        let [first, second] = stones.map(|stones| closed(stones, reach));
        let both = u32::from(self.table[(second << (2 * reach) | first) as usize]);
        both & 15 | (both >> 4) << 16
    }

    fn one_by_one(self, [first, second]: [u32; 2]) -> u32 {
        let of = |shapes: Shapes, own: u32, others: u32| {
            let (reach, nearer) = (shapes.goal.reach(), self.reach() - shapes.goal.reach());
            let near = |mask: u32| mask >> nearer & ((2 << (2 * reach)) - 1);
            shapes.of(near(own & !others), near(others))
        };
        of(self.shapes[0], first, second) | of(self.shapes[1], second, first) << 16
    }
}

impl Shapes {
    fn new(run: u8, length: Length) -> Self {
        static TABLES: [[OnceLock<Box<[u8]>>; 3]; 2] = [const { [const { OnceLock::new() }; 3] }; 2];
        let goal = Goal { run: run.into(), length };
        let table = match goal.run {
            3..=LONGEST_IN_TABLE => {
                &**TABLES[length as usize][goal.run as usize - 3].get_or_init(|| goal.table())
            }
            _ => &[],
        };
        Self { goal, table }
    }

    /// The shape that a stone makes with the own stones around it, where the others are filled by the opponent or beyond
    /// the edge. Both masks are without the stone itself.
    #[inline]
    fn of(self, own: u32, others: u32) -> u32 {
        if self.table.is_empty() {
            return self.goal.shape(own, others);
        }
        u32::from(self.table[self.goal.index(own, others)])
    }
}

/// A mask without the bit of the stone.
#[inline]
fn closed(mask: u32, reach: u32) -> u32 {
    let low = (1 << reach) - 1;
    mask & low | mask >> 1 & !low
}

/// A mask with an empty bit for the stone.
fn opened(mask: u32, reach: u32) -> u32 {
    let low = (1 << reach) - 1;
    mask & low | (mask & !low) << 1
}

/// What is said of the windows through the stone.
struct Windows {
    /// The cells that complete a run.
    completions: u32,
    /// The fewest stones that a window with another own stone lacks; more than the run if there is none.
    missing: u32,
}

impl Windows {
    fn has_open_four(&self) -> bool {
        self.completions.count_ones() > 1
    }
}

impl Goal {
    #[inline]
    fn reach(self) -> u32 {
        match self.length {
            Length::AtLeast => self.run - 1,
            Length::Exactly => self.run,
        }
    }

    /// The place of two masks in the table. It does not matter whether the outermost cells of a long reach are the
    /// opponent's or empty.
    #[inline]
    fn index(self, own: u32, others: u32) -> usize {
        let (inner, reach) = (self.run - 1, self.reach());
        let others = closed(others >> (reach - inner) & ((2 << (2 * inner)) - 1), inner);
        (others << (2 * reach) | closed(own, reach)) as usize
    }

    fn table(self) -> Box<[u8]> {
        let (inner, reach) = (self.run - 1, self.reach());
        let of = |index: u32| {
            let own = opened(index & ((1 << (2 * reach)) - 1), reach);
            let others = opened(index >> (2 * reach), inner) << (reach - inner);
            if own & others == 0 { self.shape(own, others) as u8 } else { 0 }
        };
        (0..1 << (2 * (inner + reach))).map(of).collect()
    }

    fn windows(self, own: u32, others: u32) -> Windows {
        let (run, reach) = (self.run, self.reach());
        let mut found = Windows { completions: 0, missing: run + 1 };
        for first in reach + 1 - run..=reach {
            let window = ((1 << run) - 1) << first;
            let mine = own & window;
            let is_too_long =
                self.length == Length::Exactly && own & (1 << (first - 1) | 1 << (first + run)) != 0;
            if is_too_long || others & window != 0 || mine & !(1 << reach) == 0 {
                continue;
            }
            let gaps = window & !mine;
            found.missing = found.missing.min(gaps.count_ones());
            if gaps.count_ones() == 1 {
                found.completions |= gaps;
            }
        }
        found
    }

    fn shape(self, own: u32, others: u32) -> u32 {
        let own = own | 1 << self.reach();
        let found = self.windows(own, others);
        match found.missing {
            0 => FIVE,
            _ if found.has_open_four() => OPEN_FOUR,
            1 => FOUR,
            2 if self.makes(own, others, &|own| self.windows(own, others).has_open_four()) => OPEN_THREE,
            2 => THREE,
            // On long lines it would take too long to look so far ahead.
            3 if self.run <= LONGEST_IN_TABLE
                && self.makes(own, others, &|own| {
                    self.windows(own, others).missing == 2
                        && self.makes(own, others, &|own| self.windows(own, others).has_open_four())
                }) =>
            {
                OPEN_TWO
            }
            3 => TWO,
            missing if missing < self.run => ONE,
            _ => NOTHING,
        }
    }

    /// Whether one more own stone leads to something.
    fn makes(self, own: u32, others: u32, is_it: &dyn Fn(u32) -> bool) -> bool {
        let filled = own | others;
        (0..=2 * self.reach()).filter(|bit| filled >> bit & 1 == 0).any(|bit| is_it(own | 1 << bit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The shape of the star in a picture.
    fn of(picture: &str, length: Length) -> u32 {
        let reach = picture.len() as u32 / 2;
        let goal = Goal { run: reach + u32::from(length == Length::AtLeast), length };
        let mask =
            |sign| (0..).zip(picture.chars()).filter(|&(_, c)| c == sign).fold(0, |m, (i, _)| m | 1 << i);
        assert_eq!(mask('*'), 1 << reach, "{picture}");
        let shape = goal.shape(mask('o'), mask('x'));
        assert_eq!(Shapes::new(goal.run as u8, length).of(mask('o'), mask('x')), shape, "{picture}");
        shape
    }

    #[test]
    fn pictures_show_their_shapes() {
        let cases = [
            ("....*....", NOTHING),
            ("...x*ooox", NOTHING),
            ("xxx.*o..x", TWO),
            ("xx..*o..x", OPEN_TWO),
            ("...o*....", OPEN_TWO),
            ("....*.o..", OPEN_TWO),
            ("..xo*....", TWO),
            ("....*...o", TWO),
            (".x..*x..o", NOTHING),
            ("...o*o...", OPEN_THREE),
            ("..o.*o...", OPEN_THREE),
            (".xoo*....", THREE),
            ("..oo*.x..", OPEN_THREE),
            ("x.oo*.x..", THREE),
            ("..oo*o...", OPEN_FOUR),
            (".xoo*o...", FOUR),
            ("o.oo*.o..", OPEN_FOUR),
            (".ooo*.ooo", OPEN_FOUR),
            ("oooo*xxxx", FIVE),
            ("..oo*oo..", FIVE),
            // Other runs.
            ("..*..", NOTHING),
            (".o*..", OPEN_FOUR),
            ("xo*.x", FOUR),
            ("xo*ox", FIVE),
            ("...oo*o....", OPEN_THREE),
            ("..ooo*o....", OPEN_FOUR),
        ];
        for (picture, shape) in cases {
            assert_eq!(of(picture, Length::AtLeast), shape, "{picture}");
        }
    }

    #[test]
    fn where_longer_lines_do_not_win_they_are_worth_nothing() {
        let cases = [
            (".oooo*.....", FIVE),
            ("ooooo*.....", NOTHING),
            (".oooo*o....", NOTHING),
            ("..ooo*.....", OPEN_FOUR),
            ("o.ooo*.....", FOUR),
            ("o.ooo*x....", NOTHING),
            (".xooo*x....", NOTHING),
            (".o.oo*.o...", OPEN_FOUR),
            ("...oo*.....", OPEN_THREE),
            ("x..oo*..x..", OPEN_THREE),
            ("o..oo*.....", OPEN_THREE),
            ("o..oo*..o..", THREE),
        ];
        for (picture, shape) in cases {
            assert_eq!(of(picture, Length::Exactly), shape, "{picture}");
        }
    }
}
