//! Connect Four of any size: open windows, and threats by the parity of their rows.

use rules::{Bits, Column, ConnectFour, Geometry, Position, Side};

use crate::engine::{
    judge::{Judge, LIMIT, Urgency},
    lines::{Field, columns, window_weights},
};

pub(crate) struct ConnectFourJudge<G: Geometry> {
    field: Field<G>,
    weights: [i32; 17],
}

/// A cell that completes a run but cannot be reached yet. The first player gets the odd rows when the
/// columns fill up one after the other, the second the even ones.
const THREAT: i32 = 20;
const THREAT_OF_RIGHT_PARITY: i32 = 70;

impl<G: Geometry> ConnectFourJudge<G> {
    pub(crate) fn new(geometry: G) -> Self {
        Self { field: Field::new(geometry), weights: window_weights(geometry.run()) }
    }

    fn value(&self, position: &ConnectFour<G>, side: Side) -> i32 {
        let (own, rival) = (position.stones(side), position.stones(side.other()));
        let threats = self.field.completions(own) & !position.occupied();
        let right = match side {
            Side::First => threats & self.field.odd_rows,
            Side::Second => threats & !self.field.odd_rows,
        };
        self.field.windows(own, rival, &self.weights)
            + THREAT * threats.count() as i32
            + THREAT_OF_RIGHT_PARITY * right.count() as i32
    }
}

impl<G: Geometry> Judge<ConnectFour<G>> for ConnectFourJudge<G> {
    fn evaluate(&self, position: &ConnectFour<G>) -> i32 {
        let side = position.turn();
        (self.value(position, side) - self.value(position, side.other())).clamp(-LIMIT, LIMIT)
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
