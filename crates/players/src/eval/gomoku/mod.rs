//! Gomoku: the shapes that stones make in lines, the answers to threats, and moves near the stones.

mod board;
mod shapes;

use std::borrow::Cow;

use rules::{
    Bits, Cell, Geometry, Mark, Position, Side,
    gomoku::{Gomoku, Rules},
};

use self::{
    board::{LineBoard, Lines, shape_of},
    shapes::{FIVE, OPEN_FOUR, OPEN_THREE, SHAPES},
};
use super::{
    HasPlayers, Skill,
    evaluator::{BoardEvaluator, Evaluator, LIMIT, ScoredMove, TtKey, Urgency, Weight},
    lines::difference,
};
use crate::network::Network;

/// Windows without stones of the opponent, by how many stones they lack.
const WEIGHTS: [Weight; 4] =
    [("one-missing", 30), ("two-missing", 14), ("three-missing", 4), ("more-missing", 1)];

/// The usual width of the search: of 109 to 139 moves near the stones, few are good.
const WIDTH: usize = 16;
/// The nodes of a search of fours at the horizon.
const FOURS: u32 = 64;

pub(crate) struct GomokuEvaluator<G: Geometry> {
    board: LineBoard<G>,
    /// How many moves are searched where none is forced, unless all of them lose.
    width: usize,
}

impl<G: Geometry> HasPlayers for Gomoku<G> {
    type Evaluator = GomokuEvaluator<G>;

    const LEVELS: &'static [Skill] = &[
        Skill::new(1, 500, 100, 40),
        Skill::new(1, 500, 89, 29).scoring(85.0, 300),
        Skill::new(1, 1000, 73, 20).scoring(82.0, 300),
        Skill::new(2, 2000, 51, 12).scoring(85.3, 300),
        Skill::new(2, 3000, 27, 5).scoring(84.3, 300),
        Skill::new(3, 4000, 12, 1).scoring(84.0, 300),
        Skill::new(6, 16_000, 4, 0).scoring(84.0, 300),
        Skill::new(100, 40_000, 0, 0).scoring(70.0, 80),
    ];
}

/// Ordering points of the shape that a stone makes in one direction, and of the opponent's shape that it prevents.
const MAKES: [i32; SHAPES] = [0, 1, 2, 5, 6, 24, 20, 400, 1000];
const PREVENTS: [i32; SHAPES] = [0, 1, 1, 3, 4, 18, 10, 200, 800];
/// Ordering points of a stone that makes, or prevents, two shapes at once that each threaten to win.
const MAKES_TWO: i32 = 100;
const PREVENTS_TWO: i32 = 60;

/// For each two shapes of a side, four bits each: their points, and above them how many threaten to win.
const fn in_two_directions(points: &[i32; SHAPES]) -> [i32; 256] {
    let mut of = [0; 256];
    let mut two = 0;
    while two < 256 {
        let mut shift = 0;
        while shift < 8 {
            let shape = two >> shift & 15;
            if shape < SHAPES {
                of[two] += points[shape] + if shape >= OPEN_THREE as usize { ONE_THREAT } else { 0 };
            }
            shift += 4;
        }
        two += 1;
    }
    of
}

const ONE_THREAT: i32 = 1 << 16;
static MAKES_IN_TWO: [i32; 256] = in_two_directions(&MAKES);
static PREVENTS_IN_TWO: [i32; 256] = in_two_directions(&PREVENTS);

#[inline]
fn score(shapes: u32, side: Side) -> i32 {
    let of = |owner: Side, points: &[i32; 256], two: i32| {
        let shapes = shapes >> (16 * owner.index());
        let sum = points[(shapes & 255) as usize] + points[(shapes >> 8 & 255) as usize];
        sum % ONE_THREAT + if sum >= 2 * ONE_THREAT { two } else { 0 }
    };
    of(side, &MAKES_IN_TWO, MAKES_TWO) + of(side.other(), &PREVENTS_IN_TWO, PREVENTS_TWO)
}

/// Whether some cells may be forbidden to a side. What it can make is then no threat for certain: the cell may be one of
/// them, or become one.
#[inline]
fn is_bound<G: Geometry>(position: &Gomoku<G>, side: Side) -> bool {
    position.rules() == Rules::Renju && side == Side::First
}

#[inline]
fn keep_legal<G: Geometry>(position: &Gomoku<G>, moves: &mut Vec<ScoredMove<Mark>>) {
    if is_bound(position, position.turn()) {
        moves.retain(|scored| position.foul(scored.m.0).is_none());
    }
}

/// Keeps the moves with the highest scores, highest first; of equal ones, the earlier.
struct Best<'a> {
    moves: &'a mut Vec<ScoredMove<Mark>>,
    count: usize,
}

impl Best<'_> {
    #[inline]
    fn add(&mut self, scored: ScoredMove<Mark>) {
        if self.moves.len() >= self.count {
            if self.moves.last().is_none_or(|last| last.score >= scored.score) {
                return;
            }
            self.moves.pop();
        }
        let place = self.moves.iter().rposition(|before| before.score >= scored.score).map_or(0, |i| i + 1);
        self.moves.insert(place, scored);
    }
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
        Mark(self.board.geometry.cell(bit))
    }

    #[inline]
    fn scored(&self, lines: &Lines, bit: u32, side: Side) -> ScoredMove<Mark> {
        ScoredMove { m: self.mark(bit), score: score(self.board.shapes(lines, bit), side) }
    }

    /// The moves that may prevent that the opponent makes an open four and wins: those that parry all such threats, and
    /// fours. After any other move the opponent makes an open four, and completes a run in spite of one reply.
    fn answers(&self, lines: &Lines, side: Side, moves: &mut Vec<ScoredMove<Mark>>) {
        let attacker = side.other();
        let mut parries = !G::Bits::ZERO;
        let mut last = None;
        for (bit, shapes) in self.board.shaped(lines) {
            for direction in (0..4).filter(|&direction| shape_of(shapes, attacker, direction) == OPEN_FOUR) {
                parries = parries & self.board.parries(lines, bit, direction, attacker);
                last = Some(bit);
            }
        }
        let fours = self.board.fours(lines, side).fold(G::Bits::ZERO, |set, bit| set | G::Bits::bit(bit));
        moves.extend(Self::bits(parries | fours).map(|bit| self.scored(lines, bit, side)));
        if moves.is_empty() {
            // Every move loses.
            moves.extend(last.map(|bit| self.scored(lines, bit, side)));
        }
    }
}

impl<G: Geometry> Evaluator<Gomoku<G>> for GomokuEvaluator<G> {
    type Accumulator = Lines;

    const MARGIN: i32 = 80;

    const FORCING_NODES: u32 = FOURS;

    fn new(position: &Gomoku<G>) -> Self {
        Self { board: LineBoard::new(position.geometry(), position.rules()), width: WIDTH }
    }

    fn init(&self, position: &Gomoku<G>) -> Lines {
        let mut lines = self.board.empty();
        for side in Side::BOTH {
            Self::bits(position.stones(side)).for_each(|bit| self.board.place(&mut lines, side, bit));
        }
        self.board.settle(&mut lines);
        lines
    }

    #[inline]
    fn update(&self, accumulator: &Lines, position: &Gomoku<G>, Mark(cell): Mark, _: &Gomoku<G>) -> Lines {
        let mut lines = accumulator.clone();
        self.board.place(&mut lines, position.turn(), self.board.geometry.index(cell));
        lines
    }

    fn settled<'a>(&self, accumulator: &'a Lines) -> Cow<'a, Lines> {
        let mut lines = Cow::Borrowed(accumulator);
        if !accumulator.is_settled() {
            self.board.settle(lines.to_mut());
        }
        lines
    }

    #[inline]
    fn evaluate(&self, position: &Gomoku<G>, accumulator: &Lines) -> i32 {
        match self.board.learned_value(accumulator, position.turn()) {
            Some(value) => value.clamp((-LIMIT).into(), LIMIT.into()) as i32,
            None => self.weigh(position, accumulator),
        }
    }

    fn has_terms(&self) -> bool {
        !Network::knows(self.board.geometry.run())
    }

    #[inline]
    fn counts(&self, position: &Gomoku<G>, accumulator: &Lines) -> impl AsRef<[i32]> {
        difference(position.turn(), accumulator.open.map(|open| open.map(i32::from)))
    }

    fn weights(&self, _: &Gomoku<G>) -> &'static [Weight] {
        &WEIGHTS
    }

    #[inline]
    fn win(&self, position: &Gomoku<G>, accumulator: &Lines) -> Option<Mark> {
        self.board.completions(accumulator, position.turn()).next().map(|bit| self.mark(bit))
    }

    #[inline]
    fn urgency(&self, position: &Gomoku<G>, accumulator: &Lines) -> Urgency {
        let opponent = position.turn().other();
        if accumulator.can_make(opponent, FIVE) {
            Urgency::Forced
        } else if accumulator.can_make(opponent, OPEN_FOUR) && !is_bound(position, opponent) {
            Urgency::Threatened
        } else {
            Urgency::Quiet
        }
    }

    /// Where nothing is forced, only the moves with the highest scores; see [`Evaluator::others`].
    fn generate(&self, position: &Gomoku<G>, accumulator: &Lines, moves: &mut Vec<ScoredMove<Mark>>) {
        let side = position.turn();
        match self.urgency(position, accumulator) {
            Urgency::Forced => {
                let threats = self.board.completions(accumulator, side.other());
                moves.extend(threats.map(|bit| ScoredMove::plain(self.mark(bit))));
            }
            Urgency::Threatened => self.answers(accumulator, side, moves),
            Urgency::Quiet => {
                let mut best = Best { moves, count: self.width };
                for (bit, shapes) in self.board.shaped(accumulator) {
                    best.add(ScoredMove { m: self.mark(bit), score: score(shapes, side) });
                }
                if position.ply() == 0 {
                    let (rows, cols) = (self.board.geometry.rows(), self.board.geometry.cols());
                    moves.push(ScoredMove::plain(Mark(Cell::new((cols - 1) / 2, (rows - 1) / 2))));
                }
            }
        }
        keep_legal(position, moves);
        if moves.is_empty() {
            // No open window has a stone, or what is left to do is forbidden.
            moves.extend(position.legal_moves().map(ScoredMove::plain));
        }
    }

    fn others(&self, position: &Gomoku<G>, accumulator: &Lines, moves: &mut Vec<ScoredMove<Mark>>) {
        if self.urgency(position, accumulator) != Urgency::Forced {
            let generated = moves.len();
            for m in position.legal_moves() {
                if moves[..generated].iter().all(|scored| scored.m != m) {
                    moves.push(self.scored(accumulator, self.board.geometry.index(m.0), position.turn()));
                }
            }
        }
    }

    /// The moves that make a four.
    fn forcing(&self, position: &Gomoku<G>, accumulator: &Lines, moves: &mut Vec<ScoredMove<Mark>>) {
        let side = position.turn();
        let must_fill = self.board.completions(accumulator, side.other()).next();
        let fours = self.board.fours(accumulator, side);
        let fours = fours.filter(|&bit| must_fill.is_none_or(|only| only == bit));
        moves.extend(fours.map(|bit| self.scored(accumulator, bit, side)));
        keep_legal(position, moves);
    }

    #[inline]
    fn number(&self, _: &Gomoku<G>, Mark(cell): Mark) -> u16 {
        self.board.geometry.index(cell) as u16
    }

    #[inline]
    fn plies_left(&self, position: &Gomoku<G>) -> u32 {
        u32::from(self.board.geometry.cells() - position.ply())
    }

    #[inline]
    fn tt_key(&self, position: &Gomoku<G>) -> TtKey {
        TtKey::plain(position.key())
    }
}

impl<G: Geometry> BoardEvaluator<Gomoku<G>> for GomokuEvaluator<G> {
    fn learned(self, network: &'static Network) -> Self {
        Self { board: self.board.learned(network), ..self }
    }

    fn threats(&self, position: &Gomoku<G>, side: Side) -> Vec<Cell> {
        let lines = self.init(position);
        self.board.completions(&lines, side).map(|bit| self.board.geometry.cell(bit)).collect()
    }
}

#[cfg(test)]
mod tests;
