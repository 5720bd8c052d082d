//! Connect Four of any size: open windows, and threats by the parity of their rows.

use rules::{Bits, Column, ConnectFour, Geometry, Position, Side};

use crate::engine::{
    judge::{Judge, Urgency, Weight},
    lines::{Field, columns, difference},
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

    fn counts_of(&self, position: &ConnectFour<G>, side: Side) -> [i32; 6] {
        let (own, rival) = (position.stones(side), position.stones(side.other()));
        let threats = self.field.completions(own) & !position.occupied();
        let right = match side {
            Side::First => threats & self.field.odd_rows,
            Side::Second => threats & !self.field.odd_rows,
        };
        let [one, two, three, more] = self.field.open_windows(own, rival);
        [one, two, three, more, threats.count() as i32, right.count() as i32]
    }
}

impl<G: Geometry> Judge<ConnectFour<G>> for ConnectFourJudge<G> {
    #[inline]
    fn counts(&self, position: &ConnectFour<G>) -> impl AsRef<[i32]> {
        let side = position.turn();
        difference(self.counts_of(position, side), self.counts_of(position, side.other()))
    }

    #[inline]
    fn weights(&self, _: &ConnectFour<G>) -> &'static [Weight] {
        &WEIGHTS
    }

    fn winning_move(&self, position: &ConnectFour<G>) -> Option<Column> {
        let wins = self.field.completions(position.stones(position.turn()))
            & self.field.landings(position.occupied());
        let cell = self.field.geometry.cell(wins.lowest()?);
        Some(Column::new(cell.column))
    }

    fn candidates(&self, position: &ConnectFour<G>, moves: &mut Vec<Column>) -> Urgency {
        let landings = self.field.landings(position.occupied());
        let threats = self.field.completions(position.stones(position.turn().other()));
        let forced = landings & threats;
        // A piece under a threat of the rival hands it over.
        let safe = landings & !(threats >> 1);
        let (worth_trying, urgency) = if !forced.is_empty() {
            (forced, Urgency::Forced)
        } else if safe.is_empty() {
            (landings, Urgency::Quiet)
        } else {
            (safe, Urgency::Quiet)
        };
        moves.extend(columns(self.field.geometry, worth_trying).map(|(column, _)| Column::new(column)));
        urgency
    }

    fn number(&self, column: Column) -> u16 {
        column.index().into()
    }
}
