//! Move ordering: the earlier a refutation is tried, the smaller the tree.
//!
//! The weights were tuned by counting nodes on the golden sets.

use crate::board::Layout;

/// The ordering score of a column: the centre lies on the most lines.
pub(crate) fn centre(column: u32, cols: u32) -> u64 {
    u64::from(12 * cols.saturating_sub((2 * column + 1).abs_diff(cols)))
}

/// The rows on which the side to move gets its stones if both sides fill the board column by column.
#[inline(always)]
pub(crate) fn good_rows<L: Layout>(layout: L, rest: i32) -> u64 {
    if rest & 1 == 1 { layout.follower() } else { layout.board() & !layout.follower() }
}

/// The ordering score of a move. Lasting threats count much, and those that are stacked or can be completed
/// the move after next even more. A threat that the opponent can block at once counts less, and a threat
/// directly above one of the opponent's (`useless`) counts nothing. Ties go to the move that leaves the
/// opponent fewer safe replies.
#[inline(always)]
pub(crate) fn worth(
    cell: u64,
    column: u64,
    landings: u64,
    threats: u64,
    useless: u64,
    replies: u64,
    good: u64,
) -> u64 {
    let count = |cells: u64| u64::from(cells.count_ones());
    // Large enough for the sum to stay positive.
    const BASE: u64 = 0x1000;
    BASE + 256 * count(threats & !useless)
        + 64 * count(threats & threats >> 1)
        + 256 * count(threats & landings << 1)
        + 2 * count(column)
        - 64 * count(threats & landings)
        - 4 * count(cell & good)
        - 8 * count(replies)
}

/// A move in the order: its score and its lane. Never zero.
#[inline(always)]
pub(crate) fn entry(value: u64, lane: usize) -> u32 {
    (value as u32) << 8 | lane as u32
}

/// More than any entry.
pub(crate) const FIRST: u32 = 1 << 31;

/// Returns the best entry below the last one, or zero. Entries are not sorted, because usually the first move
/// refutes.
#[inline(always)]
pub(crate) fn next<const LANES: usize>(entries: &[u32; LANES], last: u32) -> u32 {
    // The difference is largest just below the last entry, and smallest from there on.
    let below = |entry: u32| entry.wrapping_sub(last);
    entries.iter().fold(below(0), |best, &entry| best.max(below(entry))).wrapping_add(last)
}

/// The lane of an entry.
#[inline(always)]
pub(crate) fn lane(entry: u32) -> usize {
    (entry & 0xff) as usize
}
