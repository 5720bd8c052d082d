//! Connect Four of any size: open windows, and threats by the parity of their rows.

use rules::{Bits, Column, ConnectFour, Geometry, Position, Side};

use crate::engine::{
    judge::{Choice, Judge, Urgency, Weight},
    lines::{Field, Tally, columns, difference, lasting},
};

pub(crate) struct ConnectFourJudge<G: Geometry> {
    field: Field<G>,
}

/// Windows of RUN cells without rival pieces, by how many are missing, and empty cells that complete a run;
/// see [`Field::threats`].
///
/// Fitted by `cargo run --release -p players --example tune -- connect-four`.
const WEIGHTS: [Weight; 9] = [
    ("one-missing", 11),
    ("two-missing", 18),
    ("three-missing", 5),
    ("more-missing", 1),
    ("threats", 5),
    ("next-threats", 22),
    ("stacked-threats", 38),
    ("odd-threats", 172),
    ("even-threats", 133),
];

impl<G: Geometry> ConnectFourJudge<G> {
    pub(crate) fn new(geometry: G) -> Self {
        Self { field: Field::new(geometry) }
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
        let threats = self.field.threats(position.occupied(), sight.completions);
        let [one, two, three, more] = difference(side, sight.open.map(|open| open.map(i32::from)));
        let [all, next, stacked, _] = difference(side, threats);
        let [odd, even] = lasting(side, threats);
        [one, two, three, more, all, next, stacked, odd, even]
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

    #[inline]
    fn plies_left(&self, position: &ConnectFour<G>) -> u32 {
        u32::from(self.field.geometry.cells() - position.ply())
    }
}
