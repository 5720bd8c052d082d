//! Simplexity of any size: open windows of colour and of shape, threats, and who can still play them.

use rules::{Bits, Column, Drop, Geometry, Position, Shape, Side, Simplexity};

use crate::engine::{
    judge::{Judge, Urgency, Weight},
    lines::{Field, columns, difference},
};

pub(crate) struct SimplexityJudge<G: Geometry> {
    field: Field<G>,
}

/// Windows of RUN cells of the own colour and of the own shape without others, by how many are missing;
/// then empty cells where a piece would win, and among them those of the rows that a side gets when the
/// columns fill up one after the other.
const WEIGHTS: [Weight; 10] = [
    ("colour-one-missing", 24),
    ("colour-two-missing", 7),
    ("colour-three-missing", 2),
    ("colour-more-missing", 1),
    ("shape-one-missing", 24),
    ("shape-two-missing", 7),
    ("shape-three-missing", 2),
    ("shape-more-missing", 1),
    ("threats", 25),
    ("good-threats", 45),
];

/// The cells where a side's piece would decide, whether it can fall there now or not.
struct Decisive<B> {
    /// A piece of the own shape wins.
    by_own_shape: B,
    /// A piece of the rival's shape wins too.
    by_other_shape: B,
}

impl<G: Geometry> SimplexityJudge<G> {
    pub(crate) fn new(geometry: G) -> Self {
        Self { field: Field::new(geometry) }
    }

    fn decisive(&self, position: &Simplexity<G>, side: Side) -> Decisive<G::Bits> {
        let colour = self.field.completions(position.colour(side));
        let shape = self.field.completions(position.shape(Shape::of(side)));
        let gifts = self.field.completions(position.shape(Shape::of(side.other())));
        Decisive { by_own_shape: colour | shape, by_other_shape: colour & !gifts }
    }

    /// The cells where a side would win now with what it has in hand.
    fn wins(&self, position: &Simplexity<G>, side: Side, decisive: &Decisive<G::Bits>) -> G::Bits {
        let has = |shape| position.in_hand(side, shape) > 0;
        match (has(Shape::of(side)), has(Shape::of(side.other()))) {
            (true, true) => decisive.by_own_shape | decisive.by_other_shape,
            (true, false) => decisive.by_own_shape,
            (false, true) => decisive.by_other_shape,
            (false, false) => G::Bits::ZERO,
        }
    }

    fn counts_of(&self, position: &Simplexity<G>, side: Side) -> [i32; 10] {
        let rival = side.other();
        let colour = self.field.open_windows(position.colour(side), position.colour(rival));
        let (shape, other) = (position.shape(Shape::of(side)), position.shape(Shape::of(rival)));
        let shape = self.field.open_windows(shape, other);
        let decisive = self.decisive(position, side);
        let threats = self.wins(position, side, &decisive) & self.field.board & !position.occupied();
        let right = match side {
            Side::First => threats & self.field.odd_rows,
            Side::Second => threats & !self.field.odd_rows,
        };
        let threats = [threats.count() as i32, right.count() as i32];
        let mut counts = [0; 10];
        for (count, n) in counts.iter_mut().zip(colour.into_iter().chain(shape).chain(threats)) {
            *count = n;
        }
        counts
    }
}

impl<G: Geometry> Judge<Simplexity<G>> for SimplexityJudge<G> {
    #[inline]
    fn counts(&self, position: &Simplexity<G>) -> impl AsRef<[i32]> {
        let side = position.turn();
        difference(self.counts_of(position, side), self.counts_of(position, side.other()))
    }

    #[inline]
    fn weights(&self, _: &Simplexity<G>) -> &'static [Weight] {
        &WEIGHTS
    }

    fn winning_move(&self, position: &Simplexity<G>) -> Option<Drop> {
        let side = position.turn();
        let decisive = self.decisive(position, side);
        let landings = self.field.landings(position.occupied());
        let cell = (self.wins(position, side, &decisive) & landings).lowest()?;
        let own_shape = decisive.by_own_shape.has(cell) && position.in_hand(side, Shape::of(side)) > 0;
        let shape = if own_shape { Shape::of(side) } else { Shape::of(side.other()) };
        Some(Drop { column: Column::new(self.field.geometry.cell(cell).column), shape })
    }

    fn candidates(&self, position: &Simplexity<G>, moves: &mut Vec<Drop>) -> Urgency {
        let side = position.turn();
        let landings = self.field.landings(position.occupied());
        // A win with the rival's last shape could still be spoilt by making it a gift, so only the
        // plain ones narrow the choice.
        let rival = side.other();
        let rival_wins = if position.in_hand(rival, Shape::of(rival)) > 0 {
            self.decisive(position, rival).by_own_shape
        } else {
            G::Bits::ZERO
        };
        let gifts = self.field.completions(position.shape(Shape::of(rival)));
        let forced = landings & rival_wins;
        // A piece under a cell where the rival wins hands that over.
        let safe = landings & !(rival_wins >> 1);
        let (worth_trying, urgency) = if !forced.is_empty() {
            (forced, Urgency::Forced)
        } else if safe.is_empty() {
            (landings, Urgency::Quiet)
        } else {
            (safe, Urgency::Quiet)
        };
        let drops = |cells: G::Bits| {
            columns(self.field.geometry, cells).flat_map(move |(column, bit)| {
                let shapes = [Shape::of(side), Shape::of(side.other())];
                shapes.into_iter().filter_map(move |shape| {
                    let loses = shape != Shape::of(side) && !(bit & gifts).is_empty();
                    let is_possible = position.in_hand(side, shape) > 0 && !loses;
                    is_possible.then_some(Drop { column: Column::new(column), shape })
                })
            })
        };
        moves.extend(drops(worth_trying));
        if moves.is_empty() {
            // Whatever is played loses; the search wants to see it.
            moves.extend(position.legal_moves());
        }
        urgency
    }

    fn number(&self, m: Drop) -> u16 {
        u16::from(m.column.index()) * 2 + u16::from(m.shape == Shape::Square)
    }
}
