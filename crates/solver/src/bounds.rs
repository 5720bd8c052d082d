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

use crate::board::{Layout, Stones};

/// A bound of the score, an upper one if it is at most `alpha`, else a lower one; or `None`.
#[inline(always)]
pub(crate) fn bound<L: Layout>(layout: L, stones: Stones, rest: i32, alpha: i32) -> Option<i32> {
    let empty = layout.board() & !stones.occupied;
    let own = stones.own;
    let opponent = own ^ stones.occupied;
    let mut contested = layout.landings(stones.occupied) & layout.follower();
    if rest & 1 == 0 {
        // The opponent can follow.
        let reach = own | empty & !layout.follower() | contested;
        if alpha >= 0 {
            return (!layout.has_four(reach)).then_some(0);
        }
        if !layout.has_four(opponent | empty) {
            return Some(0);
        }
        let late = late_rows(layout, -1 - alpha)?;
        let sure = opponent | empty & layout.follower() & !contested & !late;
        (layout.has_four(sure) && !layout.has_four(reach)).then_some(alpha)
    } else {
        // The side to move can follow after it takes a contested cell, which is certain if there is only one.
        if contested & (contested - 1) == 0 {
            contested = 0;
        }
        let reach = opponent | empty & !layout.follower() | contested;
        if alpha < 0 {
            return (!layout.has_four(reach)).then_some(0);
        }
        if !layout.has_four(own | empty) {
            return Some(0);
        }
        let late = late_rows(layout, alpha)?;
        let sure = own | empty & layout.follower() & !contested & !late;
        (layout.has_four(sure) && !layout.has_four(reach)).then_some(alpha + 1)
    }
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
