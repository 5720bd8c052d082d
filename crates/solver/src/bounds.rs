//! Bounds without search.
//!
//! *No line left.* A side cannot win if every line of four holds a stone of its opponent.
//!
//! *Claimeven (following).* When an even number of cells is empty, the side that is not to move can reply to
//! every stone in the same column, and so gets every second cell from the top. There is an even number of
//! columns with an odd number of empty cells; their lowest empty cells are contested: when the mover takes
//! one, the follower takes another, and both columns become even. So the mover gets at most the cells of the
//! other rows and the contested ones; if these make no four with its stones, it cannot win. If the cells that
//! the follower is sure to get make a four, the follower wins; and if two or four cells lie above each of those
//! that it still needs, these are empty when it wins, so it wins that much earlier.

use crate::{board::Layout, lanes::Lanes};

/// Bounds of the scores of positions in lanes. A bound that is at most `alpha` is an upper bound, any other a
/// lower bound.
#[derive(Clone, Copy)]
pub(crate) struct Bounded<B> {
    /// The lanes whose bound is zero.
    draws: B,
    /// The lanes where the follower's four gives another bound.
    fours: B,
    four: i32,
}

impl<B: Lanes> Bounded<B> {
    /// Whether there is a bound in any lane.
    #[inline(always)]
    pub(crate) fn any(self) -> bool {
        (self.draws | self.fours).any()
    }

    /// The bound of a lane.
    #[inline(always)]
    pub(crate) fn get(self, lane: usize) -> Option<i32> {
        if self.draws.get(lane) != 0 { Some(0) } else { (self.fours.get(lane) != 0).then_some(self.four) }
    }
}

/// The bounds of positions with these stones and `rest` empty cells.
#[inline(always)]
pub(crate) fn bounded<L: Layout, B: Lanes>(
    layout: L,
    own: B,
    occupied: B,
    rest: i32,
    alpha: i32,
) -> Bounded<B> {
    let empty = B::splat(layout.board()) & !occupied;
    let opponent = own ^ occupied;
    let sure_rows = B::splat(layout.follower());
    let mut contested = layout.landings(occupied) & sure_rows;
    let (follower, other, other_asked) = if rest & 1 == 0 {
        // The opponent can follow.
        (opponent, own, alpha >= 0)
    } else {
        // The side to move can follow after it takes a contested cell, which is certain if there is only one.
        contested = contested & !contested.singles();
        (own, opponent, alpha < 0)
    };
    let reach = other | empty & !sure_rows | contested;
    let (none, four) = (B::splat(0), alpha + (rest & 1));
    if other_asked {
        return Bounded { draws: layout.fours(reach).zeros(), fours: none, four };
    }
    let draws = layout.fours(follower | empty).zeros();
    let Some(late) = late_rows(layout, four.abs() - 1) else {
        return Bounded { draws, fours: none, four };
    };
    let sure = follower | empty & sure_rows & !contested & B::splat(!late);
    let fours = layout.fours(sure);
    let fours = if fours.any() { !fours.zeros() & layout.fours(reach).zeros() } else { none };
    Bounded { draws, fours, four }
}

/// The cells with fewer than `2 * pairs` cells above them, for up to two pairs.
#[inline(always)]
fn late_rows<L: Layout>(layout: L, pairs: i32) -> Option<u64> {
    let top = layout.bottom() << (layout.stride() - 2);
    match pairs {
        0 => Some(0),
        1 => Some(top | top >> 1),
        2 => Some(top | top >> 1 | top >> 2 | top >> 3),
        _ => None,
    }
}
