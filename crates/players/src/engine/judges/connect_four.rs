//! Connect Four of any size: open windows, and threats by the parity of their rows.

use rules::{Bits, Column, ConnectFour, Geometry, Position, Side};

use crate::engine::{
    judge::{Choice, Judge, Urgency, Weight},
    lines::{Field, Tally, columns, difference},
};

pub(crate) struct ConnectFourJudge<G: Geometry> {
    field: Field<G>,
}

/// Windows of RUN cells without rival pieces, by how many are missing; then empty cells that complete a
/// run, and among them those in the rows that a side gets when the columns fill up one after the other:
/// the first player the odd ones, the second the even ones.
const WEIGHTS: [Weight; 6] = [
    ("one-missing", 24),
    ("two-missing", 7),
    ("three-missing", 2),
    ("more-missing", 1),
    ("threats", 20),
    ("good-threats", 70),
];

impl<G: Geometry> ConnectFourJudge<G> {
    pub(crate) fn new(geometry: G) -> Self {
        Self { field: Field::new(geometry) }
    }

    fn counts_of(&self, sight: &Tally<G::Bits>, side: Side) -> [i32; 6] {
        let [one, two, three, more] = sight.open[side.index()].map(i32::from);
        let threats = sight.completions[side.index()];
        let good = threats & self.field.rows_of(side);
        [one, two, three, more, threats.count() as i32, good.count() as i32]
    }
}

impl<G: Geometry> Judge<ConnectFour<G>> for ConnectFourJudge<G> {
    type Sight = Tally<G::Bits>;

    fn see(&self, position: &ConnectFour<G>) -> Tally<G::Bits> {
        self.field.tally(Side::BOTH.map(|side| position.stones(side)))
    }

    #[inline]
    fn see_after(
        &self,
        sight: &Tally<G::Bits>,
        position: &ConnectFour<G>,
        m: Column,
        _: &ConnectFour<G>,
    ) -> Tally<G::Bits> {
        let mut sight = sight.clone();
        let bit = self.field.landing(position.occupied(), m.index());
        self.field.add(&mut sight, Side::BOTH.map(|side| position.stones(side)), position.turn(), bit);
        sight
    }

    #[inline]
    fn counts(&self, position: &ConnectFour<G>, sight: &Tally<G::Bits>) -> impl AsRef<[i32]> {
        let side = position.turn();
        difference(self.counts_of(sight, side), self.counts_of(sight, side.other()))
    }

    #[inline]
    fn weights(&self, _: &ConnectFour<G>) -> &'static [Weight] {
        &WEIGHTS
    }

    #[inline]
    fn win(&self, position: &ConnectFour<G>, sight: &Tally<G::Bits>) -> Option<Column> {
        let wins = sight.completions[position.turn().index()] & self.field.landings(position.occupied());
        Some(Column::new(self.field.geometry.cell(wins.lowest()?).column))
    }

    #[inline]
    fn urgency(&self, position: &ConnectFour<G>, sight: &Tally<G::Bits>) -> Urgency {
        let threats = sight.completions[position.turn().other().index()];
        let forced = self.field.landings(position.occupied()) & threats;
        if forced.is_empty() { Urgency::Quiet } else { Urgency::Forced }
    }

    fn worth_trying(
        &self,
        position: &ConnectFour<G>,
        sight: &Tally<G::Bits>,
        moves: &mut Vec<Choice<Column>>,
    ) {
        let landings = self.field.landings(position.occupied());
        let threats = sight.completions[position.turn().other().index()];
        let forced = landings & threats;
        // A piece under a threat of the rival hands it over.
        let safe = landings & !(threats >> 1);
        let cells = if !forced.is_empty() {
            forced
        } else if safe.is_empty() {
            landings
        } else {
            safe
        };
        moves.extend(
            columns(self.field.geometry, cells).map(|(column, _)| Choice::plain(Column::new(column))),
        );
    }

    #[inline]
    fn number(&self, position: &ConnectFour<G>, column: Column) -> u16 {
        self.field.landing(position.occupied(), column.index()) as u16
    }
}
