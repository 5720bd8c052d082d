//! Negamax with null windows: is the score of a position greater than `alpha`? Every result is a bound; the
//! caller narrows the score by searching again.
//!
//! A node comes with the moves that do not lose at once. The same set is computed for all children in
//! parallel lanes; it shows immediate wins and gives the move order. The lanes are independent, so the
//! compiler uses vector registers; the same function is compiled once per family of instruction sets.

use crate::{
    Bounds, StopSignal,
    board::{Layout, Stones},
    bounds,
    lanes::{self, Group, Lanes},
    order,
    table::{FAR_REST, Table},
};

/// Why a search ended without a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Interrupt {
    /// A stop flag was set.
    Stop,
    /// The node budget is used up.
    Budget,
}

/// A position in which the side to move cannot win at once, with the safe moves that its parent computed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub stones: Stones,
    /// The moves after which the opponent cannot win at once; at least one.
    pub moves: u64,
}

impl Node {
    /// The node of a position; `None` if the side to move wins at once, or cannot prevent an immediate win of
    /// the opponent.
    pub(crate) fn new<L: Layout>(layout: L, stones: Stones) -> Option<Self> {
        let landings = layout.landings(stones.occupied);
        if layout.completions(stones.own) & landings != 0 {
            return None;
        }
        let empty = layout.board() & !stones.occupied;
        let dangers = layout.completions(stones.own ^ stones.occupied) & empty;
        let moves = safe_moves(landings, dangers);
        (moves != 0).then_some(Self { stones, moves })
    }
}

/// The landings after which the opponent, who threatens these cells, cannot win at once.
#[inline(always)]
fn safe_moves<B: Lanes>(landings: B, dangers: B) -> B {
    let forced = landings & dangers;
    let candidates = forced | landings & forced.zeros();
    // Two dangers cannot be met with one stone.
    candidates & !(dangers >> 1) & forced.singles()
}

/// A search in progress.
pub(crate) struct Search<'a, L> {
    pub layout: L,
    /// The table of positions far from the end, shared by all threads.
    pub far: &'a Table,
    /// The table of positions near the end, which only this thread uses.
    pub near: &'a Table,
    /// Set by the caller, and by the first thread that finishes.
    pub stops: [&'a dyn StopSignal; 2],
    /// How many nodes were visited.
    pub nodes: u64,
    /// The number of nodes after which the search is interrupted.
    pub budget: u64,
    /// Positions with more empty cells than this share their entry with their mirror image.
    pub mirror_rest: i32,
    /// Added to the ordering score of a move, by column.
    pub preference: [u64; MAX_COLS],
    next_check: u64,
    interrupt: Option<Interrupt>,
}

/// The maximum number of columns of a board of 64 bits.
pub(crate) const MAX_COLS: usize = 32;

/// Nodes between two polls of the stop flags: well below a millisecond.
const CHECK_INTERVAL: u64 = 2048;

// The limits of the table's use were measured in nodes and time on the golden sets.

/// The table is not probed for positions with fewer empty cells, because searching them again is cheaper.
const TABLE_REST: i32 = 6;
/// Nor is it probed if the attacker has fewer stones left to win with.
const TABLE_HORIZON: i32 = 3;
/// With fewer empty cells, the children are not probed before the first is searched.
const CHILDREN_REST: i32 = 12;

impl<'a, L: Layout> Search<'a, L> {
    pub(crate) fn new(layout: L, [far, near]: [&'a Table; 2], stops: [&'a dyn StopSignal; 2]) -> Self {
        let cols = layout.cols();
        Self {
            layout,
            far,
            near,
            stops,
            nodes: 0,
            budget: u64::MAX,
            mirror_rest: i32::MAX,
            preference: std::array::from_fn(|lane| order::centre(lane as u32, cols)),
            next_check: 0,
            interrupt: None,
        }
    }

    /// Varies the move order, so that threads search different parts of the tree.
    pub(crate) fn vary(&mut self, number: usize) {
        for (lane, preference) in self.preference.iter_mut().enumerate() {
            *preference += ((lane * (2 * number + 3)) % 8 * 8) as u64;
        }
    }

    /// The hash under which the table keeps a position.
    #[inline(always)]
    fn hash(&self, stones: Stones, rest: i32) -> u64 {
        let mut key = stones.key();
        if rest > self.mirror_rest {
            key = key.min(stones.mirrored(self.layout).key());
        }
        self.far.hash(key)
    }

    /// The table of positions with this many empty cells.
    #[inline(always)]
    fn table(&self, rest: i32) -> &'a Table {
        if rest >= FAR_REST { self.far } else { self.near }
    }

    /// Polls the stop flags and the budget, and schedules the next poll. Returns whether the search must end.
    #[cold]
    #[inline(never)]
    fn check(&mut self) -> bool {
        if self.stops.iter().any(|signal| signal.is_set()) {
            self.interrupt = Some(Interrupt::Stop);
        } else if self.nodes >= self.budget {
            self.interrupt = Some(Interrupt::Budget);
        }
        self.next_check = (self.nodes + CHECK_INTERVAL).min(self.budget);
        self.interrupt.is_some()
    }

    /// Returns a bound of the score: an upper bound if it is at most `alpha`, otherwise a lower bound.
    pub(crate) fn run(&mut self, node: Node, alpha: i32) -> Result<i32, Interrupt> {
        self.interrupt = None;
        if self.check() {
            return Err(self.interrupt.expect("just interrupted"));
        }
        let value = match self.layout.cols() {
            ..=8 => self.dispatch::<8>(node, alpha),
            9..=16 => self.dispatch::<16>(node, alpha),
            _ => self.dispatch::<32>(node, alpha),
        };
        self.interrupt.map_or(Ok(value), Err)
    }

    fn dispatch<const LANES: usize>(&mut self, node: Node, alpha: i32) -> i32 {
        #[cfg(target_arch = "x86_64")]
        {
            macro_rules! has {
                ($($feature:tt),*) => { $(is_x86_feature_detected!($feature))&&* };
            }
            // Plain x86-64 has two lanes to a register and no instruction to count bits. The calls are
            // sound because the features were just detected.
            if has!("bmi1", "bmi2", "lzcnt", "popcnt") {
                if has!("avx512f", "avx512vl", "avx512bw", "avx512dq", "avx512vpopcntdq") {
                    #[allow(unsafe_code)]
                    return unsafe { negamax_avx512::<L, Group, LANES>(self, node, alpha) };
                }
                if has!("avx2") {
                    #[allow(unsafe_code)]
                    return unsafe { negamax_avx2::<L, Group, LANES>(self, node, alpha) };
                }
            }
        }
        negamax::<L, Group, LANES>(self, node, alpha)
    }
}

macro_rules! negamax_for {
    ($name:ident $(, $features:literal)?) => {
        $(#[target_feature(enable = $features)])?
        fn $name<L: Layout, B: Lanes, const LANES: usize>(
            search: &mut Search<'_, L>,
            mut node: Node,
            mut alpha: i32,
        ) -> i32 {
            let layout = search.layout;
            let mut rest = layout.cells() - node.stones.ply();
            let mut sign = 1;
            loop {
                // Step 1: count the node and poll the stop flags.
                search.nodes += 1;
                if search.nodes >= search.next_check && search.check() {
                    return 0;
                }

                // Step 2: neither this stone nor the next wins, which bounds the score.
                let most = (rest - 1) / 2;
                if most <= alpha {
                    return sign * most;
                }
                let least = -((rest - 2) / 2);
                if least > alpha {
                    return sign * least;
                }

                // Step 3: play a forced move without branching.
                if node.moves & (node.moves - 1) != 0 {
                    break;
                }
                let after = node.stones.own | node.moves;
                let stones = node.stones.after(node.moves);
                let dangers = layout.completions(after) & layout.board() & !stones.occupied;
                let moves = safe_moves(layout.landings(stones.occupied), dangers);
                if moves == 0 {
                    return sign * most;
                }
                node = Node { stones, moves };
                rest -= 1;
                sign = -sign;
                alpha = -alpha - 1;
            }

            // Step 4: bounds from the lines that are left.
            let Stones { own, occupied } = node.stones;
            if let Some(bound) = bounds::bounded(layout, own, occupied, rest, alpha).get(0) {
                return sign * bound;
            }

            // Step 5: compute the children in parallel lanes.
            let count = lanes::count::<B, LANES>(node.moves);
            let mut cells = [0_u64; LANES];
            let mut threats = [0_u64; LANES];
            let mut replies = [0_u64; LANES];
            for first in (0..count).step_by(B::WIDTH) {
                let cell = B::take(&mut node.moves, layout.column(first as u32));
                let occupied = B::splat(occupied) | cell;
                let empty = B::splat(layout.board()) & !occupied;
                let completions = layout.completions(B::splat(own) | cell) & empty;
                let moves = safe_moves(layout.landings(occupied), completions);
                for lane in 0..B::WIDTH {
                    cells[first + lane] = cell.get(lane);
                    threats[first + lane] = completions.get(lane);
                    replies[first + lane] = moves.get(lane);
                }
            }
            let mut won = B::splat(0);
            for first in (0..count).step_by(B::WIDTH) {
                won = won | B::load(&replies, first).zeros() & !B::load(&cells, first).zeros();
            }
            let most = (rest - 1) / 2;
            if won.any() {
                return sign * most;
            }
            // No move wins with the side's next stone, so the one after that is the earliest win.
            let most = (rest - 3) / 2;
            if most <= alpha {
                return sign * most;
            }

            // Step 6: probe the table for this position and for the children.
            let opponent = own ^ occupied;
            let horizon = if alpha >= 0 { (rest + 1) / 2 - alpha } else { rest / 2 + alpha + 1 };
            let use_table = rest >= TABLE_REST && horizon >= TABLE_HORIZON;
            let hash = search.hash(node.stones, rest);
            let (table, next_table) = (search.table(rest), search.table(rest - 1));
            let mut known = Bounds { lower: -((rest - 2) / 2), upper: most };
            if use_table && let Some(bounds) = table.probe(hash) {
                if bounds.upper <= alpha {
                    return sign * bounds.upper;
                }
                if bounds.lower > alpha {
                    return sign * bounds.lower;
                }
                known = bounds;
            }
            let before = search.nodes;
            let mut best = -layout.cells();
            if use_table && rest >= CHILDREN_REST {
                // A child may be bounded without search, wherever it is in the order.
                for first in (0..count).step_by(B::WIDTH) {
                    let cell = B::load(&cells, first);
                    if !cell.any() {
                        continue;
                    }
                    let (own, occupied) = (B::splat(opponent), B::splat(occupied) | cell);
                    let bounded = bounds::bounded(layout, own, occupied, rest - 1, -alpha - 1);
                    if !bounded.any() {
                        continue;
                    }
                    for lane in 0..B::WIDTH {
                        if cell.get(lane) != 0 && let Some(bound) = bounded.get(lane) {
                            if -bound > alpha {
                                return sign * -bound;
                            }
                            best = best.max(-bound);
                            cells[first + lane] = 0;
                        }
                    }
                }
                let mut hashes = [0_u64; LANES];
                for lane in 0..count {
                    if cells[lane] != 0 {
                        let child = Stones { own: opponent, occupied: occupied | cells[lane] };
                        hashes[lane] = search.hash(child, rest - 1);
                        next_table.prefetch(hashes[lane]);
                    }
                }
                for lane in 0..count {
                    if cells[lane] != 0 && let Some(bounds) = next_table.probe(hashes[lane]) {
                        if -bounds.upper > alpha {
                            let bounds = Bounds { lower: -bounds.upper, upper: known.upper };
                            table.store(hash, bounds, 1);
                            return sign * bounds.lower;
                        }
                        if -bounds.lower <= alpha {
                            best = best.max(-bounds.lower);
                            cells[lane] = 0;
                        }
                    }
                }
            }

            // Step 7: order the moves.
            let good = order::good_rows(layout, rest);
            let useless = (layout.completions(opponent) & layout.board() & !occupied) << 1;
            let mut entries = [0_u32; LANES];
            for lane in 0..count {
                let cell = cells[lane];
                let occupied = occupied | cell;
                let column = lanes::column::<B>(lane, cell, layout.stride());
                let stack = occupied & layout.column(column);
                let landings = layout.landings(occupied);
                let value = search.preference[column as usize]
                    + order::worth(cell, stack, landings, threats[lane], useless, replies[lane], good);
                entries[lane] = if cell == 0 { 0 } else { order::entry(value, lane) };
            }

            // Step 8: search the children.
            let mut last = order::FIRST;
            loop {
                last = order::next(&entries, last);
                if last == 0 {
                    break;
                }
                let lane = order::lane(last);
                let child = Node {
                    stones: Stones { own: opponent, occupied: occupied | cells[lane] },
                    moves: replies[lane],
                };
                if use_table {
                    next_table.prefetch(search.hash(child.stones, rest - 1));
                }
                let value = -$name::<L, B, LANES>(search, child, -alpha - 1);
                if search.interrupt.is_some() {
                    return 0;
                }
                if value > best {
                    best = value;
                    if value > alpha {
                        break;
                    }
                }
            }

            // Step 9: store the bounds.
            if use_table {
                let bounds = if best > alpha {
                    Bounds { lower: best, upper: known.upper }
                } else {
                    Bounds { lower: known.lower, upper: best }
                };
                table.store(hash, bounds, search.nodes - before);
            }
            sign * best
        }
    };
}

negamax_for!(negamax);
#[cfg(target_arch = "x86_64")]
negamax_for!(negamax_avx2, "avx2,bmi1,bmi2,lzcnt,popcnt");
#[cfg(target_arch = "x86_64")]
negamax_for!(negamax_avx512, "avx512f,avx512vl,avx512bw,avx512dq,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt");

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::{
        board::{AnySize, Standard},
        lanes::Pair,
        table::Tables,
    };

    /// A position after `ply` random moves, none of which wins or loses at once.
    fn random_node(rng: &mut fastrand::Rng, ply: i32) -> Node {
        loop {
            let mut stones = Stones { own: 0, occupied: 0 };
            while let Some(node) = Node::new(Standard, stones) {
                if stones.ply() == ply {
                    return node;
                }
                let moves: Vec<u64> =
                    (0..64).map(|i| node.moves & 1 << i).filter(|&cell| cell != 0).collect();
                stones = stones.after(moves[rng.usize(..moves.len())]);
            }
        }
    }

    /// The versions for different instruction sets, layouts and numbers of lanes visit the same nodes.
    #[test]
    fn all_compiled_versions_agree() {
        fn run<L: Layout>(layout: L, run: impl Fn(&mut Search<'_, L>) -> i32) -> (i32, u64) {
            let (tables, stop) = (Tables::new(1 << 16, layout.key_bits()), AtomicBool::new(false));
            let mut search = Search::new(layout, [&tables.far, &tables.near], [&stop; 2]);
            (run(&mut search), search.nodes)
        }
        let mut rng = fastrand::Rng::with_seed(5);
        let size = AnySize::new(6, 7);
        for round in 0..200 {
            let node = random_node(&mut rng, 18 + round % 12);
            let alpha = round % 7 - 3;
            let plain = run(Standard, |search| negamax::<_, u64, 8>(search, node, alpha));
            assert_eq!(run(Standard, |search| search.run(node, alpha).unwrap()), plain);
            assert_eq!(run(size, |search| negamax::<_, u64, 8>(search, node, alpha)), plain);
            assert_eq!(run(size, |search| negamax::<_, u64, 16>(search, node, alpha)), plain);
            assert_eq!(run(size, |search| negamax::<_, u64, 32>(search, node, alpha)), plain);
            assert_eq!(run(Standard, |search| negamax::<_, Pair, 8>(search, node, alpha)), plain);
            assert_eq!(run(size, |search| negamax::<_, Pair, 16>(search, node, alpha)), plain);
            #[cfg(target_arch = "x86_64")]
            if is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt")
            {
                // The features were detected.
                #[allow(unsafe_code)]
                let avx2 = run(Standard, |search| unsafe { negamax_avx2::<_, u64, 8>(search, node, alpha) });
                assert_eq!(avx2, plain);
            }
        }
    }
}
