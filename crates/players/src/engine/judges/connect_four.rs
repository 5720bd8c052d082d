//! Connect Four of any size: open windows, and threats by the parity of their rows.

use rules::{Bits, Column, ConnectFour, Geometry, Position, Side};

use crate::engine::{
    judge::{Choice, IMAGE_PLIES, Judge, Place, Urgency, Weight},
    lines::{Field, Tally, columns, difference, lasting},
};

pub(crate) struct ConnectFourJudge<G: Geometry> {
    field: Field<G>,
    weights: &'static [Weight],
}

/// Windows of RUN cells without rival pieces, by how many are missing, and empty cells that complete a run;
/// see [`Field::threats`].
///
/// Fitted by `cargo run --release -p alinea-players --example tune -- connect-four` when threats were first counted by
/// their rows. A newer fit, `3000 1000`, told the results of its games hardly better (log loss 0.5448, not
/// 0.5503), scored 50.5 % of 1200 games with 5000 nodes a move where these scored 49.9 %, and needs more nodes
/// for the same depth, so these stay.
const WEIGHTS: [Weight; 9] = [
    ("one-missing", 11),
    ("two-missing", 18),
    ("three-missing", 5),
    ("more-missing", 1),
    ("threats", 5),
    ("next-threats", 22),
    ("stacked-threats", 38),
    ("first-lasting-threats", 172),
    ("second-lasting-threats", 133),
];

/// Boards with more cells than this have weights of their own: more is built there before columns run out,
/// and what will decide the end is worth less. On 8x9 those of the standard board are as good or better.
const LARGE: u16 = 80;

/// Fitted by `tune -- connect-four:10x10 3000 1500`, played with what `1500 1000` had given. More than three are
/// missing only where a run is longer than four, so that weight stays as it is above.
const LARGE_WEIGHTS: [Weight; 9] = [
    ("one-missing", -4),
    ("two-missing", 6),
    ("three-missing", 1),
    ("more-missing", 1),
    ("threats", 21),
    ("next-threats", 34),
    ("stacked-threats", 1),
    ("first-lasting-threats", 44),
    ("second-lasting-threats", 27),
];

impl<G: Geometry> ConnectFourJudge<G> {
    pub(crate) fn new(geometry: G) -> Self {
        let weights = if geometry.cells() > LARGE { &LARGE_WEIGHTS } else { &WEIGHTS };
        Self { field: Field::new(geometry), weights }
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
        let [first, second] = lasting(side, threats);
        [one, two, three, more, all, next, stacked, first, second]
    }

    #[inline]
    fn weights(&self, _: &ConnectFour<G>) -> &'static [Weight] {
        self.weights
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
    fn place(&self, position: &ConnectFour<G>) -> Place {
        if position.ply() > IMAGE_PLIES {
            return Place::plain(position.key());
        }
        self.field.place(0, Side::BOTH.map(|side| position.stones(side)))
    }

    #[inline]
    fn mirrored(&self, number: u16) -> u16 {
        self.field.mirrored_bit(u32::from(number)) as u16
    }

    #[inline]
    fn plies_left(&self, position: &ConnectFour<G>) -> u32 {
        u32::from(self.field.geometry.cells() - position.ply())
    }
}
