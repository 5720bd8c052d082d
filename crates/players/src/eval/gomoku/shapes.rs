//! Shapes: what a stone on an empty cell achieves in one direction.
//!
//! The cells that matter are those within RUN − 1 of the stone:
//!
//! ```text
//!     .  .  o  .  *  o  o  .  x         o own stones, * the stone, x stones of the opponent and the edge
//!     0  1  2  3  4  5  6  7  8         the bits of both masks; bit RUN − 1 is the stone
//! ```

use std::sync::OnceLock;

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

/// Shapes for one length of run.
#[derive(Clone, Copy)]
pub(super) struct Shapes {
    run: u32,
    /// By the cells of the opponent and the own cells, without the stone's; empty for long runs.
    table: &'static [u8],
}

impl Shapes {
    pub(super) fn new(run: u8) -> Self {
        static TABLES: [OnceLock<Box<[u8]>>; 3] = [const { OnceLock::new() }; 3];
        let run = u32::from(run);
        let table = match run {
            3..=LONGEST_IN_TABLE => &**TABLES[run as usize - 3].get_or_init(|| table(run)),
            _ => &[],
        };
        Self { run, table }
    }

    /// The shape that a stone makes with the own stones around it, where the others are filled by the opponent or beyond
    /// the edge. Both masks are without the stone itself.
    #[inline]
    pub(super) fn of(self, own: u32, others: u32) -> u32 {
        if self.table.is_empty() {
            return shape(own, others, self.run);
        }
        u32::from(
            self.table[(closed(others, self.run) << (2 * self.run - 2) | closed(own, self.run)) as usize],
        )
    }
}

/// A mask without the bit of the stone.
#[inline]
fn closed(mask: u32, run: u32) -> u32 {
    let low = (1 << (run - 1)) - 1;
    mask & low | mask >> 1 & !low
}

/// A mask with an empty bit for the stone.
fn opened(mask: u32, run: u32) -> u32 {
    let low = (1 << (run - 1)) - 1;
    mask & low | (mask & !low) << 1
}

fn table(run: u32) -> Box<[u8]> {
    let bits = 2 * run - 2;
    let of = |index: u32| {
        let (own, others) = (index & ((1 << bits) - 1), index >> bits);
        if own & others == 0 { shape(opened(own, run), opened(others, run), run) as u8 } else { 0 }
    };
    (0..1 << (2 * bits)).map(of).collect()
}

/// What is said of the windows through the stone.
struct Windows {
    /// The cells that complete a run.
    completions: u32,
    /// The fewest stones that a window with another own stone lacks; more than the run if there is none.
    missing: u32,
}

fn windows(own: u32, others: u32, run: u32) -> Windows {
    let stone = 1 << (run - 1);
    let mut found = Windows { completions: 0, missing: run + 1 };
    for first in 0..run {
        let window = ((1 << run) - 1) << first;
        let mine = own & window;
        if others & window != 0 || mine & !stone == 0 {
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

fn shape(own: u32, others: u32, run: u32) -> u32 {
    let own = own | 1 << (run - 1);
    let found = windows(own, others, run);
    let empty = !(own | others) & ((1 << (2 * run - 1)) - 1);
    match found.missing {
        0 => FIVE,
        _ if found.completions.count_ones() > 1 => OPEN_FOUR,
        1 => FOUR,
        2 if makes(own, others, run, empty, &|own| has_open_four(own, others, run)) => OPEN_THREE,
        2 => THREE,
        // On long lines it would take too long to look so far ahead.
        3 if run <= LONGEST_IN_TABLE
            && makes(own, others, run, empty, &|own| {
                let windows = windows(own, others, run);
                windows.missing == 2
                    && makes(own, others, run, empty & !own, &|own| has_open_four(own, others, run))
            }) =>
        {
            OPEN_TWO
        }
        3 => TWO,
        missing if missing < run => ONE,
        _ => NOTHING,
    }
}

fn has_open_four(own: u32, others: u32, run: u32) -> bool {
    windows(own, others, run).completions.count_ones() > 1
}

/// Whether one more own stone leads to something.
fn makes(own: u32, others: u32, run: u32, empty: u32, is_it: &dyn Fn(u32) -> bool) -> bool {
    debug_assert!(others & empty == 0);
    (0..2 * run - 1).filter(|bit| empty >> bit & 1 != 0).any(|bit| is_it(own | 1 << bit))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The shape of the star in a picture.
    fn of(picture: &str) -> u32 {
        let run = (picture.len() as u32).div_ceil(2);
        let mask =
            |sign| (0..).zip(picture.chars()).filter(|&(_, c)| c == sign).fold(0, |m, (i, _)| m | 1 << i);
        assert_eq!(mask('*'), 1 << (run - 1), "{picture}");
        let shape = shape(mask('o'), mask('x'), run);
        assert_eq!(Shapes::new(run as u8).of(mask('o'), mask('x')), shape, "{picture}");
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
            assert_eq!(of(picture), shape, "{picture}");
        }
    }
}
