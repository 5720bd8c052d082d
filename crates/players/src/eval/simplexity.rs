//! The evaluator of Simplexity of any size: open windows of colour and of shape, threats, and pieces in hand.

use rules::{Bits, Cell, Column, Drop, Geometry, Position, Shape, Side, Simplexity, runs};

use super::{
    HasPlayers, Skill, book,
    evaluator::{BoardEvaluator, Evaluator, IMAGE_PLIES, ScoredMove, TtKey, Urgency, Weight},
    lines::{Field, Tally, columns, difference, landings, lasting, with},
};
use crate::{
    classic::Oizys,
    entry::{Entry, Range},
};

pub(crate) struct SimplexityEvaluator<G: Geometry> {
    field: Field<G>,
    weights: &'static [Weight],
}

/// Weights for: open windows of RUN cells of the own colour and of the own shape, by the number of missing
/// pieces; empty cells where a piece would win, see [`Field::threats`]; pieces of either shape in hand; empty
/// cells where a piece of the opponent's shape wins for the opponent, no matter which side drops it.
///
/// Fitted by `cargo run --release -p alinea-players --example tune -- simplexity 3000 1000`: 3,000 games with
/// 1,000 nodes per move, played with the previous weights. In a run of four, at most three pieces can be
/// missing, so the weights for more missing pieces were not fitted.
const WEIGHTS: [Weight; 16] = [
    ("colour-one-missing", -9),
    ("colour-two-missing", 4),
    ("colour-three-missing", 0),
    ("colour-more-missing", 0),
    ("shape-one-missing", 23),
    ("shape-two-missing", 26),
    ("shape-three-missing", 12),
    ("shape-more-missing", 3),
    ("threats", 45),
    ("next-threats", 44),
    ("stacked-threats", -30),
    ("first-lasting-threats", 49),
    ("second-lasting-threats", 57),
    ("own-shapes-in-hand", 103),
    ("other-shapes-in-hand", -5),
    ("cells-that-feed", -2),
];

/// Boards with more cells than this have separate weights: an earlier fit for the standard board (the commit
/// "fit the engine's weights to its own games"), against which the newer weights scored 13 of 30 on 9x37.
const LARGE: u16 = 80;

const LARGE_WEIGHTS: [Weight; 16] = [
    ("colour-one-missing", 5),
    ("colour-two-missing", 2),
    ("colour-three-missing", 0),
    ("colour-more-missing", 0),
    ("shape-one-missing", 28),
    ("shape-two-missing", 26),
    ("shape-three-missing", 10),
    ("shape-more-missing", 3),
    ("threats", 34),
    ("next-threats", 21),
    ("stacked-threats", -26),
    ("first-lasting-threats", 46),
    ("second-lasting-threats", 62),
    ("own-shapes-in-hand", 91),
    ("other-shapes-in-hand", 0),
    ("cells-that-feed", 0),
];

/// Pieces of a shape in hand beyond this number do not count.
const SCARCE: u16 = 10;

/// The tallies of the colours and of the shapes; a shape belongs to the side that wins with it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Accumulator<B> {
    colour: Tally<B>,
    shape: Tally<B>,
}

impl<B: Bits> Accumulator<B> {
    /// The empty cells where the side would win with a piece of its own shape.
    #[inline]
    fn by_own_shape(&self, side: Side) -> B {
        self.colour.completions[side.index()] | self.shape.completions[side.index()]
    }

    /// The empty cells where the side would win with a piece of the opponent's shape, except where that piece
    /// also completes the opponent's shape.
    #[inline]
    fn by_other_shape(&self, side: Side) -> B {
        self.colour.completions[side.index()] & !self.shape.completions[side.other().index()]
    }
}

impl<G: Geometry> HasPlayers for Simplexity<G> {
    type Evaluator = SimplexityEvaluator<G>;

    const LEVELS: &'static [Skill] = &[
        Skill::new(1, 2000, 100, 45),
        Skill::new(2, 2000, 70, 24).scoring(71.7, 300),
        Skill::new(3, 4000, 48, 14).scoring(66.3, 300),
        Skill::new(4, 8000, 28, 8).scoring(67.7, 300),
        Skill::new(5, 10_000, 14, 3).scoring(71.3, 300),
        Skill::new(6, 10_000, 4, 1).scoring(72.0, 300),
        Skill::new(100, 15_000, 0, 0).scoring(67.5, 300),
        Skill::new(100, 130_000, 0, 0).scoring(69.8, 300),
    ];

    fn opponents(&self) -> Vec<Entry<Self>> {
        let range = Range { offered: 8, most: 20 };
        vec![Entry::with_depth("oizys", range, 3, |depth| Box::new(Oizys { depth }))]
    }
}

impl<G: Geometry> SimplexityEvaluator<G> {
    /// The empty cells where a side would win with a piece that it has in hand.
    #[inline]
    fn wins(&self, position: &Simplexity<G>, side: Side, accumulator: &Accumulator<G::Bits>) -> G::Bits {
        let has = |shape| position.in_hand(side, shape) > 0;
        match (has(Shape::of(side)), has(Shape::of(side.other()))) {
            (true, true) => accumulator.by_own_shape(side) | accumulator.by_other_shape(side),
            (true, false) => accumulator.by_own_shape(side),
            (false, true) => accumulator.by_other_shape(side),
            (false, false) => G::Bits::ZERO,
        }
    }

    /// The cells where the opponent wins unless they are filled. Wins with the other shape are left out,
    /// because completing that shape first can spoil them.
    #[inline]
    fn opponent_wins(&self, position: &Simplexity<G>, accumulator: &Accumulator<G::Bits>) -> G::Bits {
        let opponent = position.turn().other();
        if position.in_hand(opponent, Shape::of(opponent)) > 0 {
            accumulator.by_own_shape(opponent)
        } else {
            G::Bits::ZERO
        }
    }
}

fn colours<G: Geometry>(position: &Simplexity<G>) -> [G::Bits; 2] {
    Side::BOTH.map(|side| position.colour(side))
}

fn shapes<G: Geometry>(position: &Simplexity<G>) -> [G::Bits; 2] {
    Side::BOTH.map(|side| position.shape(Shape::of(side)))
}

impl<G: Geometry> Evaluator<Simplexity<G>> for SimplexityEvaluator<G> {
    type Accumulator = Accumulator<G::Bits>;

    const MARGIN: i32 = 80;

    fn new(position: &Simplexity<G>) -> Self {
        let geometry = position.geometry();
        let weights = if geometry.cells() > LARGE { &LARGE_WEIGHTS } else { &WEIGHTS };
        Self { field: Field::new(geometry), weights }
    }

    fn init(&self, position: &Simplexity<G>) -> Accumulator<G::Bits> {
        Accumulator { colour: self.field.tally(colours(position)), shape: self.field.tally(shapes(position)) }
    }

    #[inline]
    fn update(
        &self,
        accumulator: &Accumulator<G::Bits>,
        position: &Simplexity<G>,
        m: Drop,
        _: &Simplexity<G>,
    ) -> Accumulator<G::Bits> {
        let mut accumulator = accumulator.clone();
        let bit = self.field.landing(position.occupied(), m.column.index());
        self.field.add(&mut accumulator.colour, colours(position), position.turn(), bit);
        self.field.add(&mut accumulator.shape, shapes(position), m.shape.owner(), bit);
        accumulator
    }

    #[inline]
    fn counts(&self, position: &Simplexity<G>, accumulator: &Accumulator<G::Bits>) -> impl AsRef<[i32]> {
        let side = position.turn();
        let wins = Side::BOTH.map(|side| self.wins(position, side, accumulator));
        let threats = self.field.threats(position.occupied(), wins);
        let [a, b, c, d] = difference(side, accumulator.colour.open.map(|open| open.map(i32::from)));
        let [e, f, g, h] = difference(side, accumulator.shape.open.map(|open| open.map(i32::from)));
        let [all, next, stacked, _] = difference(side, threats);
        let [first, second] = lasting(side, threats);
        let scarce = |side, shape| i32::from(position.in_hand(side, shape).min(SCARCE));
        let feeds = |side: Side| accumulator.shape.completions[side.other().index()].count() as i32;
        let counts =
            |side: Side| [scarce(side, Shape::of(side)), scarce(side, Shape::of(side.other())), feeds(side)];
        let [own, other, feeds] = difference(side, Side::BOTH.map(counts));
        [a, b, c, d, e, f, g, h, all, next, stacked, first, second, own, other, feeds]
    }

    #[inline]
    fn weights(&self, _: &Simplexity<G>) -> &'static [Weight] {
        self.weights
    }

    #[inline]
    fn win(&self, position: &Simplexity<G>, accumulator: &Accumulator<G::Bits>) -> Option<Drop> {
        let side = position.turn();
        let landings = self.field.landings(position.occupied());
        let cell = (self.wins(position, side, accumulator) & landings).lowest()?;
        let own_shape =
            accumulator.by_own_shape(side).has(cell) && position.in_hand(side, Shape::of(side)) > 0;
        let shape = if own_shape { Shape::of(side) } else { Shape::of(side.other()) };
        Some(Drop { column: Column::new(self.field.geometry.cell(cell).column), shape })
    }

    #[inline]
    fn urgency(&self, position: &Simplexity<G>, accumulator: &Accumulator<G::Bits>) -> Urgency {
        let forced = self.field.landings(position.occupied()) & self.opponent_wins(position, accumulator);
        if forced.is_empty() { Urgency::Quiet } else { Urgency::Forced }
    }

    fn generate(
        &self,
        position: &Simplexity<G>,
        accumulator: &Accumulator<G::Bits>,
        moves: &mut Vec<ScoredMove<Drop>>,
    ) {
        let side = position.turn();
        let landings = self.field.landings(position.occupied());
        let opponent_wins = self.opponent_wins(position, accumulator);
        let gifts = accumulator.shape.completions[side.other().index()];
        let forced = landings & opponent_wins;
        // A piece directly below a cell where the opponent wins lets it win.
        let safe = landings & !(opponent_wins >> 1);
        let cells = if !forced.is_empty() {
            forced
        } else if safe.is_empty() {
            landings
        } else {
            safe
        };
        for (column, bit) in columns(self.field.geometry, cells) {
            for shape in [Shape::of(side), Shape::of(side.other())] {
                let loses = shape != Shape::of(side) && !(bit & gifts).is_empty();
                if position.in_hand(side, shape) > 0 && !loses {
                    moves.push(ScoredMove::plain(Drop { column: Column::new(column), shape }));
                }
            }
        }
        if moves.is_empty() {
            // Every move loses; the search still needs one.
            moves.extend(position.legal_moves().map(ScoredMove::plain));
        }
    }

    #[inline]
    fn number(&self, position: &Simplexity<G>, m: Drop) -> u16 {
        self.field.landing(position.occupied(), m.column.index()) as u16 * 2 + m.shape as u16
    }

    #[inline]
    fn tt_key(&self, position: &Simplexity<G>) -> TtKey {
        if position.ply() > IMAGE_PLIES {
            return TtKey::plain(position.key());
        }
        let hand = |side| Shape::BOTH.map(|shape| u64::from(position.in_hand(side, shape)));
        let [[a, b], [c, d]] = Side::BOTH.map(hand);
        let sets = [position.occupied(), position.colour(Side::First), position.shape(Shape::Round)];
        self.field.tt_key(a | b << 16 | c << 32 | d << 48, sets)
    }

    #[inline]
    fn mirrored(&self, number: u16) -> u16 {
        self.field.mirrored_bit(u32::from(number / 2)) as u16 * 2 + number % 2
    }

    #[inline]
    fn plies_left(&self, position: &Simplexity<G>) -> u32 {
        let hand =
            |side| Shape::BOTH.map(|shape| u32::from(position.in_hand(side, shape))).iter().sum::<u32>();
        let empty = u32::from(self.field.geometry.cells() - position.ply());
        empty.min(Side::BOTH.map(hand).iter().sum())
    }
}

impl<G: Geometry> BoardEvaluator<Simplexity<G>> for SimplexityEvaluator<G> {
    fn threats(&self, position: &Simplexity<G>, side: Side) -> Vec<Cell> {
        let geometry = position.geometry();
        let completes = |set, cell| runs::has_run(geometry, with(geometry, set, cell));
        let wins = |&cell: &Cell| {
            Shape::BOTH.into_iter().filter(|&shape| position.in_hand(side, shape) > 0).any(|shape| {
                if completes(position.shape(shape), cell) {
                    shape.owner() == side
                } else {
                    completes(position.colour(side), cell)
                }
            })
        };
        landings(geometry, position.occupied()).filter(wins).collect()
    }

    fn book_move(&self, position: &Simplexity<G>) -> Option<(Drop, u32)> {
        // Keys of other sizes could collide with those of the book, which is for the standard board.
        let size = position.geometry();
        let is_standard = (size.rows(), size.cols(), size.run()) == (6, 7, 4);
        is_standard.then(|| book::find(&book::SIMPLEXITY, position)).flatten()
    }
}
