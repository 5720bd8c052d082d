//! The evaluator of Connect Four of any size: open windows, and threats by the parity of their rows.

use rules::{Bits, Cell, Column, ConnectFour, Geometry, Position, Side, runs};
use solver::{Solver, StopSignal};

use super::{
    HasPlayers, Skill,
    evaluator::{BoardEvaluator, Evaluator, IMAGE_PLIES, ScoredMove, Solved, TtKey, Urgency, Weight},
    lines::{Field, Tally, columns, difference, landings, lasting, with},
    proofs::{can_solve, possibly_best},
};
use crate::{
    classic::{Greedy, Smart},
    entry::{Entry, Range},
};

pub(crate) struct ConnectFourEvaluator<G: Geometry> {
    field: Field<G>,
    weights: &'static [Weight],
}

/// Windows of RUN cells without opponent pieces, by the number of missing pieces, and empty cells that
/// complete a run; see [`Field::threats`].
///
/// Fitted by `cargo run --release -p alinea-players --example tune -- connect-four` when threats were first counted by
/// their rows. A newer fit, `3000 1000`, predicts the results of its games hardly better (log loss 0.5448
/// instead of 0.5503), scored 50.5 % of 1,200 games with 5,000 nodes per move where these scored 49.9 %, and
/// needs more nodes for the same depth, so these stay.
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

/// Boards with more cells than this have separate weights: the endgame is farther away, so lasting threats
/// are worth less. On 8x9 the weights of the standard board are as good or better.
const LARGE: u16 = 80;

/// Fitted by `tune -- connect-four:10x10 3000 1500`, played with the weights of `1500 1000`. More than three
/// pieces can be missing only if a run is longer than four, so that weight is copied from above.
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

impl<G: Geometry> HasPlayers for ConnectFour<G> {
    type Evaluator = ConnectFourEvaluator<G>;

    const LEVELS: &'static [Skill] = &[
        Skill::new(1, 2000, 100, 40),
        Skill::new(3, 4000, 70, 24).scoring(77.0, 300),
        Skill::new(5, 10_000, 46, 14).scoring(69.2, 300),
        Skill::new(6, 10_000, 24, 7).scoring(78.0, 300),
        Skill::new(7, 10_000, 11, 4).scoring(67.8, 300),
        Skill::new(7, 10_000, 3, 1).scoring(68.3, 300),
        Skill::new(100, 18_000, 0, 0).scoring(72.7, 300),
        Skill::new(100, 150_000, 0, 0).scoring(71.0, 300),
    ];

    fn opponents(&self) -> Vec<Entry<Self>> {
        vec![
            Entry::plain("greedy", |_| Box::new(Greedy)),
            Entry::with_depth("smart", Range { offered: 8, most: 8 }, 5, |depth| Box::new(Smart { depth })),
        ]
    }
}

impl<G: Geometry> Evaluator<ConnectFour<G>> for ConnectFourEvaluator<G> {
    type Accumulator = Tally<G::Bits>;

    fn new(position: &ConnectFour<G>) -> Self {
        let geometry = position.geometry();
        let weights = if geometry.cells() > LARGE { &LARGE_WEIGHTS } else { &WEIGHTS };
        Self { field: Field::new(geometry), weights }
    }

    fn init(&self, position: &ConnectFour<G>) -> Tally<G::Bits> {
        self.field.tally(Side::BOTH.map(|side| position.stones(side)))
    }

    #[inline]
    fn update(
        &self,
        accumulator: &Tally<G::Bits>,
        position: &ConnectFour<G>,
        m: Column,
        _: &ConnectFour<G>,
    ) -> Tally<G::Bits> {
        let mut accumulator = accumulator.clone();
        let bit = self.field.landing(position.occupied(), m.index());
        self.field.add(&mut accumulator, Side::BOTH.map(|side| position.stones(side)), position.turn(), bit);
        accumulator
    }

    #[inline]
    fn counts(&self, position: &ConnectFour<G>, accumulator: &Tally<G::Bits>) -> impl AsRef<[i32]> {
        let side = position.turn();
        let threats = self.field.threats(position.occupied(), accumulator.completions);
        let [one, two, three, more] = difference(side, accumulator.open.map(|open| open.map(i32::from)));
        let [all, next, stacked, _] = difference(side, threats);
        let [first, second] = lasting(side, threats);
        [one, two, three, more, all, next, stacked, first, second]
    }

    #[inline]
    fn weights(&self, _: &ConnectFour<G>) -> &'static [Weight] {
        self.weights
    }

    #[inline]
    fn win(&self, position: &ConnectFour<G>, accumulator: &Tally<G::Bits>) -> Option<Column> {
        let wins =
            accumulator.completions[position.turn().index()] & self.field.landings(position.occupied());
        Some(Column::new(self.field.geometry.cell(wins.lowest()?).column))
    }

    #[inline]
    fn urgency(&self, position: &ConnectFour<G>, accumulator: &Tally<G::Bits>) -> Urgency {
        let threats = accumulator.completions[position.turn().other().index()];
        let forced = self.field.landings(position.occupied()) & threats;
        if forced.is_empty() { Urgency::Quiet } else { Urgency::Forced }
    }

    fn generate(
        &self,
        position: &ConnectFour<G>,
        accumulator: &Tally<G::Bits>,
        moves: &mut Vec<ScoredMove<Column>>,
    ) {
        let landings = self.field.landings(position.occupied());
        let threats = accumulator.completions[position.turn().other().index()];
        let forced = landings & threats;
        // A piece directly below a threat of the opponent lets it win.
        let safe = landings & !(threats >> 1);
        let cells = if !forced.is_empty() {
            forced
        } else if safe.is_empty() {
            landings
        } else {
            safe
        };
        moves.extend(
            columns(self.field.geometry, cells).map(|(column, _)| ScoredMove::plain(Column::new(column))),
        );
    }

    #[inline]
    fn number(&self, position: &ConnectFour<G>, column: Column) -> u16 {
        self.field.landing(position.occupied(), column.index()) as u16
    }

    #[inline]
    fn tt_key(&self, position: &ConnectFour<G>) -> TtKey {
        if position.ply() > IMAGE_PLIES {
            return TtKey::plain(position.key());
        }
        self.field.tt_key(0, Side::BOTH.map(|side| position.stones(side)))
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

impl<G: Geometry> BoardEvaluator<ConnectFour<G>> for ConnectFourEvaluator<G> {
    fn threats(&self, position: &ConnectFour<G>, side: Side) -> Vec<Cell> {
        let geometry = position.geometry();
        let wins = |cell: &Cell| runs::has_run(geometry, with(geometry, position.stones(side), *cell));
        landings(geometry, position.occupied()).filter(wins).collect()
    }

    fn solve(
        &self,
        position: &ConnectFour<G>,
        solver: &mut Solver,
        stop: &dyn StopSignal,
    ) -> Option<Solved<Column>> {
        can_solve(position).then(|| possibly_best(solver, &position.on_64_bits()?, stop)).flatten()
    }
}
