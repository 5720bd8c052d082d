//! Gomoku: windows of a run that are still open, and moves near the stones.

use rules::{Bits, Cell, Direction, Geometry, Mark, Position, Side, gomoku::Gomoku, runs};

use super::{
    HasPlayers, Skill,
    evaluator::{BoardEvaluator, Evaluator, ScoredMove, TtKey, Urgency, Weight},
    lines::{Field, Tally, difference},
};

/// Windows without stones of the opponent, by how many stones they lack.
const WEIGHTS: [Weight; 4] =
    [("one-missing", 30), ("two-missing", 14), ("three-missing", 4), ("more-missing", 1)];

pub(crate) struct GomokuEvaluator<G: Geometry> {
    field: Field<G>,
    /// By bit: the lines through its cell that are long enough for a run.
    lines: Box<[[Option<Line>; 4]]>,
    /// By bit: the cells of those lines.
    near: Box<[G::Bits]>,
}

/// A line of cells: at most RUN − 1 on either side of the one it goes through.
#[derive(Clone, Copy)]
struct Line {
    /// The bit of its first cell.
    start: u32,
    /// The distance to the next bit.
    step: u32,
    length: u32,
}

/// By direction: how many stones the best open window through a cell lacks for a run, and how many windows
/// lack no more. Windows without a stone do not count.
type Windows = [(u32, u32); 4];

/// Data about the board, updated along a searched line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Lines<B> {
    tally: Tally<B>,
    /// The cells that share a window with a stone.
    near: B,
}

impl<G: Geometry> HasPlayers for Gomoku<G> {
    type Evaluator = GomokuEvaluator<G>;

    const LEVELS: &'static [Skill] = &[
        Skill::new(1, 500, 100, 40),
        Skill::new(1, 500, 93, 34).scoring(74.0, 100),
        Skill::new(1, 1000, 83, 27).scoring(82.0, 100),
        Skill::new(2, 2000, 67, 19).scoring(75.0, 100),
        Skill::new(2, 3000, 47, 12).scoring(80.0, 100),
        Skill::new(3, 4000, 26, 6).scoring(76.0, 100),
        Skill::new(4, 8000, 8, 1).scoring(83.3, 60),
        Skill::new(100, 40_000, 0, 0).scoring(80.0, 60),
    ];
}

impl<G: Geometry> GomokuEvaluator<G> {
    #[inline]
    fn bits(mut set: G::Bits) -> impl Iterator<Item = u32> {
        std::iter::from_fn(move || {
            let bit = set.lowest()?;
            set = set & !G::Bits::bit(bit);
            Some(bit)
        })
    }

    #[inline]
    fn mark(&self, bit: u32) -> Mark {
        Mark(self.field.geometry.cell(bit))
    }

    /// The open windows through an empty cell, for the side with the first set and for the other.
    #[inline]
    fn windows(&self, own: G::Bits, others: G::Bits, bit: u32) -> [Windows; 2] {
        let run = u32::from(self.field.geometry.run());
        let window = (1_u32 << run) - 1;
        let mut found = [[(run, 0); 4]; 2];
        for (direction, line) in self.lines[bit as usize].iter().enumerate() {
            let &Some(Line { start, step, length }) = line else { continue };
            let (mut mine, mut theirs) = (0_u32, 0_u32);
            for i in 0..length {
                mine |= u32::from(own.has(start + i * step)) << i;
                theirs |= u32::from(others.has(start + i * step)) << i;
            }
            if mine | theirs == 0 {
                continue;
            }
            for first in 0..=length - run {
                let (mine, theirs) = (mine >> first & window, theirs >> first & window);
                if (mine == 0) == (theirs == 0) {
                    // Empty, or open to neither.
                    continue;
                }
                let missing = run - (mine | theirs).count_ones();
                let (least, count) = &mut found[usize::from(mine == 0)][direction];
                if missing < *least {
                    (*least, *count) = (missing, 1);
                } else if missing == *least {
                    *count += 1;
                }
            }
        }
        found
    }
}

/// The line through a cell, if it is long enough for a run.
fn line<G: Geometry>(geometry: G, cell: Cell, direction: Direction) -> Option<Line> {
    let (columns, rows) = direction.delta();
    let arm = |delta: (i8, i8)| {
        let next = |cell: &Cell| runs::neighbour(geometry, *cell, delta);
        std::iter::successors(Some(cell), next).skip(1).take(usize::from(geometry.run()) - 1).count() as u32
    };
    let (before, after) = (arm((-columns, -rows)), arm((columns, rows)));
    let step = direction.step(geometry);
    let length = before + 1 + after;
    let is_long = length >= u32::from(geometry.run());
    is_long.then(|| Line { start: geometry.index(cell) - before * step, step, length })
}

/// How much a stone on a cell achieves in one direction, for the side that places it and as a block: a
/// four with two ends decides the game, so does the block of one.
const OWN: [[i32; 2]; 3] = [[20, 60], [4, 16], [1, 3]];
const BLOCK: [[i32; 2]; 3] = [[8, 40], [2, 10], [1, 2]];

/// The points of the best windows in all directions; any window with a stone counts.
#[inline]
fn points(table: &[[i32; 2]; 3], windows: &Windows) -> i32 {
    let score = |&(missing, count): &(u32, u32)| match missing {
        _ if count == 0 => 0,
        2..=4 => table[missing as usize - 2][usize::from(count > 1)],
        _ => 1,
    };
    windows.iter().map(score).sum()
}

impl<G: Geometry> Evaluator<Gomoku<G>> for GomokuEvaluator<G> {
    type Accumulator = Lines<G::Bits>;

    fn new(position: &Gomoku<G>) -> Self {
        let geometry = position.geometry();
        let lines: Box<[_]> = (0..u32::from(geometry.cols()) * geometry.stride())
            .map(|bit| geometry.cell(bit))
            .map(|cell| {
                let is_cell = geometry.contains(cell);
                Direction::ALL.map(|direction| is_cell.then(|| line(geometry, cell, direction)).flatten())
            })
            .collect();
        let cells = |lines: &[Option<Line>; 4]| {
            let bits = lines
                .iter()
                .flatten()
                .flat_map(|line| (0..line.length).map(move |i| line.start + i * line.step));
            bits.fold(G::Bits::ZERO, |set, bit| set | G::Bits::bit(bit))
        };
        let near = lines.iter().map(cells).collect();
        Self { field: Field::new(geometry), lines, near }
    }

    fn init(&self, position: &Gomoku<G>) -> Lines<G::Bits> {
        let stones = Side::BOTH.map(|side| position.stones(side));
        let near =
            Self::bits(position.occupied()).fold(G::Bits::ZERO, |near, bit| near | self.near[bit as usize]);
        Lines { tally: self.field.tally(stones), near }
    }

    #[inline]
    fn update(
        &self,
        accumulator: &Lines<G::Bits>,
        position: &Gomoku<G>,
        Mark(cell): Mark,
        _: &Gomoku<G>,
    ) -> Lines<G::Bits> {
        let mut lines = accumulator.clone();
        let bit = self.field.geometry.index(cell);
        let stones = Side::BOTH.map(|side| position.stones(side));
        self.field.add(&mut lines.tally, stones, position.turn(), bit);
        lines.near = lines.near | self.near[bit as usize];
        lines
    }

    #[inline]
    fn counts(&self, position: &Gomoku<G>, accumulator: &Lines<G::Bits>) -> impl AsRef<[i32]> {
        difference(position.turn(), accumulator.tally.open.map(|open| open.map(i32::from)))
    }

    fn weights(&self, _: &Gomoku<G>) -> &'static [Weight] {
        &WEIGHTS
    }

    #[inline]
    fn win(&self, position: &Gomoku<G>, accumulator: &Lines<G::Bits>) -> Option<Mark> {
        Some(self.mark(accumulator.tally.completions[position.turn().index()].lowest()?))
    }

    #[inline]
    fn urgency(&self, position: &Gomoku<G>, accumulator: &Lines<G::Bits>) -> Urgency {
        let threats = accumulator.tally.completions[position.turn().other().index()];
        if threats.is_empty() { Urgency::Quiet } else { Urgency::Forced }
    }

    /// Generates only cells that share an open window with a stone: a stone elsewhere neither threatens nor
    /// stops anything within the next RUN moves of a side.
    fn generate(
        &self,
        position: &Gomoku<G>,
        accumulator: &Lines<G::Bits>,
        moves: &mut Vec<ScoredMove<Mark>>,
    ) {
        let side = position.turn();
        let threats = accumulator.tally.completions[side.other().index()];
        if !threats.is_empty() {
            return moves.extend(Self::bits(threats).map(|bit| ScoredMove::plain(self.mark(bit))));
        }
        let (own, others) = (position.stones(side), position.stones(side.other()));
        let candidates = accumulator.near & !position.occupied();
        for bit in Self::bits(candidates) {
            let [attack, defence] = self.windows(own, others, bit);
            let score = points(&OWN, &attack) + points(&BLOCK, &defence);
            if score > 0 {
                moves.push(ScoredMove { m: self.mark(bit), score });
            }
        }
        if position.ply() == 0 {
            let (rows, cols) = (self.field.geometry.rows(), self.field.geometry.cols());
            moves.push(ScoredMove::plain(Mark(Cell::new((cols - 1) / 2, (rows - 1) / 2))));
        } else if moves.is_empty() {
            // No open window has a stone.
            moves.extend(position.legal_moves().map(ScoredMove::plain));
        }
    }

    #[inline]
    fn number(&self, _: &Gomoku<G>, Mark(cell): Mark) -> u16 {
        self.field.geometry.index(cell) as u16
    }

    #[inline]
    fn plies_left(&self, position: &Gomoku<G>) -> u32 {
        u32::from(self.field.geometry.cells() - position.ply())
    }

    #[inline]
    fn tt_key(&self, position: &Gomoku<G>) -> TtKey {
        TtKey::plain(position.key())
    }

    fn mirrored(&self, number: u16) -> u16 {
        self.field.mirrored_bit(u32::from(number)) as u16
    }
}

impl<G: Geometry> BoardEvaluator<Gomoku<G>> for GomokuEvaluator<G> {
    fn threats(&self, position: &Gomoku<G>, side: Side) -> Vec<Cell> {
        let completions = self.init(position).tally.completions[side.index()];
        Self::bits(completions).map(|bit| self.field.geometry.cell(bit)).collect()
    }
}

#[cfg(test)]
mod tests {
    use rules::{Outcome, Size, gomoku::Usual};

    use super::*;
    use crate::samples::games;

    fn start(rows: u32, cols: u32, run: u32) -> Gomoku<Usual> {
        Gomoku::new(Usual::new(Size::new(rows, cols, run).unwrap()).unwrap())
    }

    /// Wins, answers and accumulators are those of the rules; a move that is left out shares no open window
    /// with a stone.
    #[test]
    fn what_is_said_without_searching_agrees_with_the_rules() {
        for start in [start(3, 3, 3), start(6, 7, 4), start(15, 15, 5)] {
            let evaluator = GomokuEvaluator::new(&start);
            for game in games(&start, 1, 60) {
                let position = game.position();
                let lines = evaluator.init(position);
                let wins = |m: &Mark| position.after(*m).outcome() == Some(Outcome::Win(position.turn()));
                let winning = evaluator.win(position, &lines);
                assert_eq!(winning.is_some(), position.legal_moves().any(|m| wins(&m)), "{position:?}");
                assert!(winning.as_ref().is_none_or(wins), "{position:?}");
                for m in position.legal_moves() {
                    let next = position.after(m);
                    assert_eq!(evaluator.update(&lines, position, m, &next), evaluator.init(&next));
                }
                let candidates = evaluator.candidates(position, &lines);
                assert!(!candidates.is_empty() && candidates.iter().all(|&m| position.is_legal(m)));
                for Mark(cell) in position.legal_moves().filter(|m| !candidates.contains(m)) {
                    let bit = position.geometry().index(cell);
                    let [own, others] = Side::BOTH.map(|side| position.stones(side));
                    let windows = evaluator.windows(own, others, bit);
                    let is_forced = evaluator.urgency(position, &lines) == Urgency::Forced;
                    let is_lonely = windows.as_flattened().iter().all(|&(_, count)| count == 0);
                    assert!(is_forced || is_lonely || position.ply() == 0, "{position:?} {cell}");
                }
            }
        }
    }
}
