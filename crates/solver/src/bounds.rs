//! Bounds without search, from what can never be.
//!
//! *No line left.* If every line of four holds a stone of the opponent, the best is a draw.
//!
//! *Following.* When an even number of cells is empty, the side that is not to move can answer every
//! stone in the same column, and gets every second cell from the top. Columns with an odd number of
//! empty cells, of which there is then an even number, have a lowest cell that nobody is sure of: when
//! the mover takes one, the follower takes another, and both columns become even. So the mover gets at
//! most the cells of the other rows and the contested ones; if these make no four with its stones, it
//! cannot win. If the cells that the follower is sure of make one, it wins, sooner or later.

use crate::board::{Layout, Stones};

/// A bound of the score, an upper one if it is at most `alpha`, else a lower one; or `None`.
#[inline(always)]
pub(crate) fn bound<L: Layout>(layout: L, stones: Stones, rest: i32, alpha: i32) -> Option<i32> {
    let empty = layout.board() & !stones.occupied;
    let own = stones.own;
    let rival = own ^ stones.occupied;
    let mut contested = layout.landings(stones.occupied) & layout.follower();
    if rest & 1 == 0 {
        // The opponent can follow.
        let reach = own | empty & !layout.follower() | contested;
        if alpha >= 0 {
            return (!layout.has_four(reach)).then_some(0);
        }
        if !layout.has_four(rival | empty) {
            return Some(0);
        }
        let sure = rival | empty & layout.follower() & !contested;
        (alpha == -1 && layout.has_four(sure) && !layout.has_four(reach)).then_some(-1)
    } else {
        // We can follow after a stone on a contested cell, which is ours for certain if it is the only one.
        if contested & (contested - 1) == 0 {
            contested = 0;
        }
        let reach = rival | empty & !layout.follower() | contested;
        if alpha < 0 {
            return (!layout.has_four(reach)).then_some(0);
        }
        if !layout.has_four(own | empty) {
            return Some(0);
        }
        let sure = own | empty & layout.follower() & !contested;
        (alpha == 0 && layout.has_four(sure) && !layout.has_four(reach)).then_some(1)
    }
}
