//! Simplexity of any size: open windows of colour and of shape, threats, and who can still play them.

use rules::{Bits, Column, Drop, Geometry, Position, Shape, Side, Simplexity};

use crate::engine::{
    judge::{Choice, Judge, Urgency, Weight},
    lines::{Field, Tally, columns, difference, lasting},
};

pub(crate) struct SimplexityJudge<G: Geometry> {
    field: Field<G>,
}

/// Windows of RUN cells of the own colour and of the own shape without others, by how many are missing;
/// empty cells where a piece would win, see [`Field::threats`]; pieces of the own shape in hand.
///
/// Fitted by `cargo run --release -p players --example tune -- simplexity`.
const WEIGHTS: [Weight; 14] = [
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
    ("odd-threats", 46),
    ("even-threats", 62),
    ("own-shapes-in-hand", 91),
];

/// Where a player has more pieces of a shape than this, one more or less does not matter.
const SCARCE: u16 = 10;

/// What there is on the lines, of the colours and of the shapes; a shape belongs to the side it wins for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Sight<B> {
    colour: Tally<B>,
    shape: Tally<B>,
}

impl<B: Bits> Sight<B> {
    /// The empty cells where a piece of the own shape would win.
    #[inline]
    fn by_own_shape(&self, side: Side) -> B {
        self.colour.completions[side.index()] | self.shape.completions[side.index()]
    }

    /// The empty cells where a piece of the rival's shape would win: not where it is a gift.
    #[inline]
    fn by_other_shape(&self, side: Side) -> B {
        self.colour.completions[side.index()] & !self.shape.completions[side.other().index()]
    }
}

impl<G: Geometry> SimplexityJudge<G> {
    pub(crate) fn new(geometry: G) -> Self {
        Self { field: Field::new(geometry) }
    }

    /// The empty cells where a side would win with what it has in hand.
    #[inline]
    fn wins(&self, position: &Simplexity<G>, side: Side, sight: &Sight<G::Bits>) -> G::Bits {
        let has = |shape| position.in_hand(side, shape) > 0;
        match (has(Shape::of(side)), has(Shape::of(side.other()))) {
            (true, true) => sight.by_own_shape(side) | sight.by_other_shape(side),
            (true, false) => sight.by_own_shape(side),
            (false, true) => sight.by_other_shape(side),
            (false, false) => G::Bits::ZERO,
        }
    }

    /// The cells where the rival wins unless they are filled. A win with the last shape of the rival
    /// could still be spoilt by making it a gift, so only the plain ones count.
    #[inline]
    fn rival_wins(&self, position: &Simplexity<G>, sight: &Sight<G::Bits>) -> G::Bits {
        let rival = position.turn().other();
        if position.in_hand(rival, Shape::of(rival)) > 0 { sight.by_own_shape(rival) } else { G::Bits::ZERO }
    }
}

fn colours<G: Geometry>(position: &Simplexity<G>) -> [G::Bits; 2] {
    Side::BOTH.map(|side| position.colour(side))
}

fn shapes<G: Geometry>(position: &Simplexity<G>) -> [G::Bits; 2] {
    Side::BOTH.map(|side| position.shape(Shape::of(side)))
}

impl<G: Geometry> Judge<Simplexity<G>> for SimplexityJudge<G> {
    type Sight = Sight<G::Bits>;

    fn see(&self, position: &Simplexity<G>) -> Sight<G::Bits> {
        Sight { colour: self.field.tally(colours(position)), shape: self.field.tally(shapes(position)) }
    }

    #[inline]
    fn see_after(
        &self,
        sight: &Sight<G::Bits>,
        position: &Simplexity<G>,
        m: Drop,
        _: &Simplexity<G>,
    ) -> Sight<G::Bits> {
        let mut sight = sight.clone();
        let bit = self.field.landing(position.occupied(), m.column.index());
        self.field.add(&mut sight.colour, colours(position), position.turn(), bit);
        self.field.add(&mut sight.shape, shapes(position), m.shape.owner(), bit);
        sight
    }

    #[inline]
    fn counts(&self, position: &Simplexity<G>, sight: &Sight<G::Bits>) -> impl AsRef<[i32]> {
        let side = position.turn();
        let wins = Side::BOTH.map(|side| self.wins(position, side, sight));
        let threats = self.field.threats(position.occupied(), wins);
        let [a, b, c, d] = difference(side, sight.colour.open.map(|open| open.map(i32::from)));
        let [e, f, g, h] = difference(side, sight.shape.open.map(|open| open.map(i32::from)));
        let [all, next, stacked, _] = difference(side, threats);
        let [odd, even] = lasting(side, threats);
        let scarce = |side| i32::from(position.in_hand(side, Shape::of(side)).min(SCARCE));
        let [shapes] = difference(side, Side::BOTH.map(|side| [scarce(side)]));
        [a, b, c, d, e, f, g, h, all, next, stacked, odd, even, shapes]
    }

    #[inline]
    fn weights(&self, _: &Simplexity<G>) -> &'static [Weight] {
        &WEIGHTS
    }

    #[inline]
    fn win(&self, position: &Simplexity<G>, sight: &Sight<G::Bits>) -> Option<Drop> {
        let side = position.turn();
        let landings = self.field.landings(position.occupied());
        let cell = (self.wins(position, side, sight) & landings).lowest()?;
        let own_shape = sight.by_own_shape(side).has(cell) && position.in_hand(side, Shape::of(side)) > 0;
        let shape = if own_shape { Shape::of(side) } else { Shape::of(side.other()) };
        Some(Drop { column: Column::new(self.field.geometry.cell(cell).column), shape })
    }

    #[inline]
    fn urgency(&self, position: &Simplexity<G>, sight: &Sight<G::Bits>) -> Urgency {
        let forced = self.field.landings(position.occupied()) & self.rival_wins(position, sight);
        if forced.is_empty() { Urgency::Quiet } else { Urgency::Forced }
    }

    fn worth_trying(&self, position: &Simplexity<G>, sight: &Sight<G::Bits>, moves: &mut Vec<Choice<Drop>>) {
        let side = position.turn();
        let landings = self.field.landings(position.occupied());
        let rival_wins = self.rival_wins(position, sight);
        let gifts = sight.shape.completions[side.other().index()];
        let forced = landings & rival_wins;
        // A piece under a cell where the rival wins hands that over.
        let safe = landings & !(rival_wins >> 1);
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
                    moves.push(Choice::plain(Drop { column: Column::new(column), shape }));
                }
            }
        }
        if moves.is_empty() {
            // Whatever is played loses; the search wants to see it.
            moves.extend(position.legal_moves().map(Choice::plain));
        }
    }

    #[inline]
    fn number(&self, position: &Simplexity<G>, m: Drop) -> u16 {
        self.field.landing(position.occupied(), m.column.index()) as u16 * 2 + m.shape as u16
    }

    #[inline]
    fn plies_left(&self, position: &Simplexity<G>) -> u32 {
        let hand =
            |side| Shape::BOTH.map(|shape| u32::from(position.in_hand(side, shape))).iter().sum::<u32>();
        let empty = u32::from(self.field.geometry.cells() - position.ply());
        empty.min(Side::BOTH.map(hand).iter().sum())
    }
}
