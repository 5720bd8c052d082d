//! The board as lines of cells, with the shapes that both sides can make, updated stone by stone.

use rules::{Bits, Cell, Direction, Geometry, Side, gomoku::Rules, runs};

use super::shapes::{BothShapes, FIVE, FOUR, NOTHING, OPEN_FOUR, SHAPES};
use crate::network::{Network, Sums};

/// A board of one size.
pub(super) struct LineBoard<G: Geometry> {
    pub(super) geometry: G,
    shapes: BothShapes,
    /// By bit and direction: where a cell is on a line that is long enough for a run.
    places: Box<[[Option<Place>; 4]]>,
    /// The distance between the bits of two neighbours, by direction.
    steps: [u32; 4],
    /// The number of lines.
    lines: usize,
    /// The weights of the learned evaluation, if there are any for this run.
    network: Option<&'static Network>,
}

/// How many stones may be placed before their windows are added to the sums of the learned evaluation.
const MOST_PENDING: usize = 6;

/// A cell on a line.
#[derive(Clone, Copy)]
struct Place {
    /// The number of the line.
    line: u16,
    /// The index of the cell on it.
    at: u8,
    /// The number of cells of the line.
    length: u8,
}

/// The stones on all lines, and the shapes they make possible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Lines {
    /// For each bit the shapes of both sides, see [`shape_of`]; then for each line the stones of both sides, as masks.
    words: Box<[u32]>,
    /// By side: how often each shape is possible, counted by cells and directions. The count of nothing has no meaning.
    pub(super) shapes: [[i16; SHAPES]; 2],
    /// By side: the numbers of open windows (at least one own stone, none of the opponent) that lack one, two, three, and
    /// more stones.
    pub(super) open: [[i16; 4]; 2],
    /// What the learned evaluation adds up, without the stones that are pending: most positions of a search are never
    /// evaluated.
    sums: Sums,
    /// The stones whose windows are not added to the sums yet, in their order: bits, with the side in the highest one.
    pending: [u16; MOST_PENDING],
    pending_count: u8,
}

/// Where the side of a pending stone is.
const SIDE_BIT: u32 = 15;

/// The shape that a side can make in a direction, of the shapes of a cell: four bits each.
#[inline]
pub(super) fn shape_of(shapes: u32, side: Side, direction: usize) -> u32 {
    shapes >> (16 * side.index() + 4 * direction) & 15
}

/// The directions of a side's shapes that make a four at least: the highest bit of each.
#[inline]
fn fours(shapes: u32) -> u32 {
    const { assert!(FOUR == 6 && OPEN_FOUR == 7 && FIVE == 8) };
    (shapes | shapes << 1 & shapes << 2) & 0x8888_8888
}

impl Lines {
    /// Whether no stone is pending.
    pub(super) fn is_settled(&self) -> bool {
        self.pending_count == 0
    }

    /// Whether a side can make a shape.
    #[inline]
    pub(super) fn can_make(&self, side: Side, shape: u32) -> bool {
        self.shapes[side.index()][shape as usize] > 0
    }
}

impl<G: Geometry> LineBoard<G> {
    pub(super) fn new(geometry: G, rules: Rules) -> Self {
        let bits = u32::from(geometry.cols()) * geometry.stride();
        let steps = Direction::ALL.map(|direction| direction.step(geometry));
        let mut lines = 0;
        let mut places = vec![[None; 4]; bits as usize].into_boxed_slice();
        for (number, direction) in Direction::ALL.into_iter().enumerate() {
            let (columns, rows) = direction.delta();
            for bit in 0..bits {
                let cell = geometry.cell(bit);
                let next =
                    |cell: &Cell, sign: i8| runs::neighbour(geometry, *cell, (sign * columns, sign * rows));
                if !geometry.contains(cell) || next(&cell, -1).is_some() {
                    continue;
                }
                let cells: Vec<_> = std::iter::successors(Some(cell), |cell| next(cell, 1)).collect();
                if cells.len() < usize::from(geometry.run()) {
                    continue;
                }
                for (at, cell) in (0..).zip(&cells) {
                    let place = Place { line: lines, at, length: cells.len() as u8 };
                    places[geometry.index(*cell) as usize][number] = Some(place);
                }
                lines += 1;
            }
        }
        Self {
            geometry,
            shapes: BothShapes::new(geometry.run(), rules.lengths()),
            places,
            steps,
            lines: lines.into(),
            network: None,
        }
    }

    /// Uses a learned evaluation, if it knows this run.
    pub(super) fn learned(self, network: &'static Network) -> Self {
        Self { network: Network::knows(self.geometry.run()).then_some(network), ..self }
    }

    pub(super) fn is_learned(&self) -> bool {
        self.network.is_some()
    }

    /// The lines without stones.
    pub(super) fn empty(&self) -> Lines {
        let words = vec![NOTHING; self.places.len() + 2 * self.lines].into_boxed_slice();
        let (sums, pending) = (Sums::ZERO, [0; MOST_PENDING]);
        Lines { words, shapes: [[0; SHAPES]; 2], open: [[0; 4]; 2], sums, pending, pending_count: 0 }
    }

    /// The shapes of both sides on an empty cell.
    #[inline]
    pub(super) fn shapes(&self, lines: &Lines, bit: u32) -> u32 {
        lines.words[bit as usize]
    }

    /// The empty cells where a side can make a run.
    pub(super) fn completions(&self, lines: &Lines, side: Side) -> impl Iterator<Item = u32> {
        let of_side = 0x8888 << (16 * side.index());
        self.cells(lines, side, FIVE, move |shapes| shapes & of_side != 0)
    }

    /// The empty cells where a side can make a four at least.
    pub(super) fn fours(&self, lines: &Lines, side: Side) -> impl Iterator<Item = u32> {
        let of_side = 0x8888 << (16 * side.index());
        let least = if lines.can_make(side, FOUR) { FOUR } else { OPEN_FOUR };
        self.cells(lines, side, least, move |shapes| fours(shapes) & of_side != 0)
    }

    /// The empty cells whose shapes satisfy a condition; none if the side cannot make the shape anywhere.
    fn cells(
        &self,
        lines: &Lines,
        side: Side,
        shape: u32,
        has_it: impl Fn(u32) -> bool,
    ) -> impl Iterator<Item = u32> {
        let count = if lines.can_make(side, shape) { self.places.len() } else { 0 };
        (0..).zip(&lines.words[..count]).filter(move |(_, shapes)| has_it(**shapes)).map(|(bit, _)| bit)
    }

    /// The empty cells with any shape, with their shapes.
    pub(super) fn shaped(&self, lines: &Lines) -> impl Iterator<Item = (u32, u32)> {
        (0..)
            .zip(&lines.words[..self.places.len()])
            .map(|(bit, &shapes)| (bit, shapes))
            .filter(|&(_, s)| s != 0)
    }

    /// Puts a stone on an empty cell.
    pub(super) fn place(&self, lines: &mut Lines, side: Side, bit: u32) {
        for direction in 0..4 {
            Self::set_shapes(lines, bit, direction, NOTHING);
        }
        for (direction, place) in self.places[bit as usize].iter().enumerate() {
            let &Some(place) = place else { continue };
            // Only the simpler evaluation counts them.
            if !self.is_learned() {
                self.count_windows(lines, side, place);
            }
            lines.words[self.index(place) + side.index()] |= 1 << place.at;
            let stones = self.stones(lines, place);
            self.see_around(lines, stones, place, bit, direction);
        }
        if self.is_learned() {
            lines.pending[usize::from(lines.pending_count)] =
                (bit | (side.index() as u32) << SIDE_BIT) as u16;
            lines.pending_count += 1;
            if usize::from(lines.pending_count) == MOST_PENDING {
                self.settle(lines);
            }
        }
    }

    /// Adds the pending stones to the sums.
    pub(super) fn settle(&self, lines: &mut Lines) {
        lines.sums = self.sums(lines);
        lines.pending_count = 0;
    }

    /// The learned value of the lines for a side that is to move; `None` without weights for this run.
    pub(super) fn learned_value(&self, lines: &Lines, side: Side) -> Option<i64> {
        self.network.map(|network| network.value(&self.sums(lines), side))
    }

    /// The sums with the pending stones.
    #[inline]
    fn sums(&self, lines: &Lines) -> Sums {
        let mut sums = lines.sums;
        let pending = &lines.pending[..usize::from(lines.pending_count)];
        let read = |stone: u16| {
            let stone = u32::from(stone);
            (if stone >> SIDE_BIT == 0 { Side::First } else { Side::Second }, stone & ((1 << SIDE_BIT) - 1))
        };
        if let Some(network) = self.network {
            for (i, &stone) in pending.iter().enumerate() {
                let (side, bit) = read(stone);
                for (direction, place) in self.places[bit as usize].iter().enumerate() {
                    let &Some(place) = place else { continue };
                    // The stones that came later do not stand there yet.
                    let mut stones = self.stones(lines, place);
                    for (side, bit) in pending[i + 1..].iter().map(|&stone| read(stone)) {
                        if let Some(later) = self.places[bit as usize][direction]
                            && later.line == place.line
                        {
                            stones[side.index()] &= !(1 << later.at);
                        }
                    }
                    network.add(&mut sums, side, place.at, place.length, stones);
                }
            }
        }
        sums
    }

    /// The index of the stones of the first side on a line; those of the second follow.
    #[inline]
    fn index(&self, place: Place) -> usize {
        self.places.len() + 2 * usize::from(place.line)
    }

    #[inline]
    fn stones(&self, lines: &Lines, place: Place) -> [u32; 2] {
        let first = self.index(place);
        [lines.words[first], lines.words[first + 1]]
    }

    /// Updates the shapes of the empty cells around a new stone on a line.
    #[inline]
    fn see_around(&self, lines: &mut Lines, stones: [u32; 2], place: Place, bit: u32, direction: usize) {
        let reach = self.shapes.reach() as u8;
        let around = self.around(stones, place.length);
        let filled = stones[0] | stones[1];
        let last = (place.at + reach).min(place.length - 1);
        let first = place.at.saturating_sub(reach);
        let mut bit = bit - u32::from(place.at - first) * self.steps[direction];
        for at in first..=last {
            if filled >> at & 1 == 0 {
                Self::set_shapes(lines, bit, direction, self.shapes_at(around, at));
            }
            bit += self.steps[direction];
        }
    }

    /// The stones of a line, in both masks with the cells beyond its ends, moved up by the reach.
    #[inline]
    fn around(&self, stones: [u32; 2], length: u8) -> [u64; 2] {
        let reach = self.shapes.reach();
        let beyond = !(((1_u64 << length) - 1) << reach);
        stones.map(|stones| u64::from(stones) << reach | beyond)
    }

    /// The shapes of both sides at an empty cell of a line, see [`BothShapes::of`].
    #[inline]
    fn shapes_at(&self, around: [u64; 2], at: u8) -> u32 {
        let mask = (2 << (2 * self.shapes.reach())) - 1;
        self.shapes.of(around.map(|cells| (cells >> at) as u32 & mask))
    }

    #[inline]
    fn set_shapes(lines: &mut Lines, bit: u32, direction: usize, after: u32) {
        let word = &mut lines.words[bit as usize];
        let before = *word >> (4 * direction) & 0x000f_000f;
        if before != after {
            *word ^= (before ^ after) << (4 * direction);
            for (side, counts) in lines.shapes.iter_mut().enumerate() {
                counts[(before >> (16 * side) & 15) as usize] -= 1;
                counts[(after >> (16 * side) & 15) as usize] += 1;
            }
        }
    }

    /// Updates the numbers of open windows for a stone that is not on its line yet.
    #[inline]
    fn count_windows(&self, lines: &mut Lines, side: Side, place: Place) {
        let run = u32::from(self.geometry.run());
        let window = (1_u32 << run) - 1;
        let stones = self.stones(lines, place);
        let (own, others) = (stones[side.index()], stones[side.other().index()]);
        let (at, length) = (u32::from(place.at), u32::from(place.length));
        for first in (at + 1).saturating_sub(run)..=at.min(length - run) {
            let (mine, theirs) = (own >> first & window, others >> first & window);
            if theirs == 0 {
                let before = mine.count_ones();
                let open = &mut lines.open[side.index()];
                if before > 0 {
                    open[class(run - before)] -= 1;
                }
                if before + 1 < run {
                    open[class(run - before - 1)] += 1;
                }
            } else if mine == 0 {
                // The window is no longer open to the opponent.
                lines.open[side.other().index()][class(run - theirs.count_ones())] -= 1;
            }
        }
    }

    /// The cells where a side can parry the threat of an open four that its opponent can make on a cell in a direction: by
    /// taking that cell, or one that leaves at most one cell to complete the run.
    pub(super) fn parries(&self, lines: &Lines, threat: u32, direction: usize, attacker: Side) -> G::Bits {
        let mut parries = G::Bits::bit(threat);
        let Some(place) = self.places[threat as usize][direction] else { return parries };
        let (reach, step) = (self.geometry.run() - 1, self.steps[direction]);
        let start = threat - u32::from(place.at) * step;
        let stones = self.stones(lines, place);
        let last = (place.at + reach).min(place.length - 1);
        for at in place.at.saturating_sub(reach)..=last {
            if at == place.at || (stones[0] | stones[1]) >> at & 1 != 0 {
                continue;
            }
            let mut blocked = stones;
            blocked[attacker.other().index()] |= 1 << at;
            let shapes = self.shapes_at(self.around(blocked, place.length), place.at);
            if shape_of(shapes, attacker, 0) < OPEN_FOUR {
                parries.insert(start + u32::from(at) * step);
            }
        }
        parries
    }
}

/// The index in [`Lines::open`] of windows that lack `missing` stones.
#[inline]
fn class(missing: u32) -> usize {
    missing.min(4) as usize - 1
}
