//! The evaluator of PopOut: open windows and the cells that complete a run, as in Connect Four, and the pieces at the bottom,
//! which are a side's to take out.

use rules::{Bits, Board, Cell, Column, Geometry, PopOut, PopOutMove, Position, Side, Small, runs};

use super::{
    HasPlayers, Skill,
    evaluator::{BoardEvaluator, Evaluator, IMAGE_PLIES, ScoredMove, TtKey, Urgency, Weight},
    lines::{Field, Tally, columns, difference, landings, sorted, with},
};

pub(crate) struct PopOutEvaluator {
    field: Field<Small>,
}

/// Windows of RUN cells without opponent pieces, by the number of missing pieces; empty cells that complete a run; own
/// pieces at the bottom.
const WEIGHTS: [Weight; 8] = [
    ("one-missing", 17),
    ("two-missing", 25),
    ("three-missing", 6),
    ("more-missing", 1),
    ("threats", 61),
    ("next-threats", 83),
    ("stacked-threats", 19),
    ("bottoms", 45),
];

impl HasPlayers for PopOut {
    type Evaluator = PopOutEvaluator;

    const LEVELS: &'static [Skill] = &[
        Skill::new(1, 2000, 100, 40),
        Skill::new(2, 4000, 70, 24),
        Skill::new(3, 10_000, 46, 14),
        Skill::new(4, 10_000, 24, 7),
        Skill::new(5, 10_000, 11, 4),
        Skill::new(6, 10_000, 3, 1),
        Skill::new(100, 18_000, 0, 0),
        Skill::new(100, 150_000, 0, 0),
    ];
}

impl PopOutEvaluator {
    /// The columns of whose bottom a side can take a piece and has a run then.
    fn winning_pops(position: &PopOut, side: Side) -> impl Iterator<Item = u8> {
        position.own_bottoms(side).filter(move |&column| position.popped_by(side, column) == Some(side))
    }

    /// Whether a side could win with its next turn.
    fn can_win(&self, position: &PopOut, accumulator: &Tally<u64>, side: Side) -> bool {
        let drops = accumulator.completions[side.index()] & self.field.landings(position.occupied());
        drops != 0 || Self::winning_pops(position, side).next().is_some()
    }
}

impl Evaluator<PopOut> for PopOutEvaluator {
    type Accumulator = Tally<u64>;

    /// Taking out and dropping again can threaten without end.
    const ANSWERS_ARE_FREE: bool = false;

    const LOSER_MAY_END: bool = true;

    fn new(position: &PopOut) -> Self {
        Self { field: Field::new(position.geometry()) }
    }

    fn init(&self, position: &PopOut) -> Tally<u64> {
        self.field.tally(Side::BOTH.map(|side| position.stones(side)))
    }

    fn update(
        &self,
        accumulator: &Tally<u64>,
        position: &PopOut,
        m: PopOutMove,
        next: &PopOut,
    ) -> Tally<u64> {
        let PopOutMove::Drop(column) = m else { return self.init(next) };
        let mut accumulator = accumulator.clone();
        let bit = self.field.landing(position.occupied(), column.index());
        self.field.add(&mut accumulator, Side::BOTH.map(|side| position.stones(side)), position.turn(), bit);
        accumulator
    }

    fn counts(&self, position: &PopOut, accumulator: &Tally<u64>) -> impl AsRef<[i32]> {
        let side = position.turn();
        let threats = self.field.threats(position.occupied(), accumulator.completions);
        let [one, two, three, more] = difference(side, accumulator.open.map(|open| open.map(i32::from)));
        let [all, next, stacked, _] = difference(side, threats);
        let [bottoms] = difference(side, Side::BOTH.map(|side| [position.own_bottoms(side).count() as i32]));
        [one, two, three, more, all, next, stacked, bottoms]
    }

    fn weights(&self, _: &PopOut) -> &'static [Weight] {
        &WEIGHTS
    }

    fn win(&self, position: &PopOut, accumulator: &Tally<u64>) -> Option<PopOutMove> {
        let side = position.turn();
        let drops = accumulator.completions[side.index()] & self.field.landings(position.occupied());
        let drop =
            drops.lowest().map(|bit| PopOutMove::Drop(Column::new(position.geometry().cell(bit).column)));
        drop.or_else(|| {
            Self::winning_pops(position, side).next().map(|column| PopOutMove::Pop(Column::new(column)))
        })
    }

    fn urgency(&self, position: &PopOut, accumulator: &Tally<u64>) -> Urgency {
        if self.can_win(position, accumulator, position.turn().other()) {
            Urgency::Forced
        } else {
            Urgency::Quiet
        }
    }

    fn generate(&self, position: &PopOut, accumulator: &Tally<u64>, moves: &mut Vec<ScoredMove<PopOutMove>>) {
        let landings = self.field.landings(position.occupied());
        let drops =
            columns(position.geometry(), landings).map(|(column, _)| PopOutMove::Drop(Column::new(column)));
        let pops = position.own_bottoms(position.turn()).map(|column| PopOutMove::Pop(Column::new(column)));
        let all: Vec<_> = drops.chain(pops).map(ScoredMove::plain).collect();
        let is_safe = |scored: &ScoredMove<PopOutMove>| {
            let (next, after) = self.step(position, accumulator, scored.m);
            match next.outcome() {
                Some(outcome) => outcome.winner() != Some(next.turn()),
                None => !self.can_win(&next, &after, next.turn()),
            }
        };
        moves.extend(all.iter().copied().filter(is_safe));
        if moves.is_empty() {
            moves.extend(all);
        }
    }

    fn number(&self, position: &PopOut, m: PopOutMove) -> u16 {
        position.move_number(m) as u16
    }

    fn tt_key(&self, position: &PopOut) -> TtKey {
        if position.ply() > IMAGE_PLIES {
            return TtKey::plain(position.key());
        }
        self.field.tt_key(0, Side::BOTH.map(|side| position.stones(side)))
    }

    fn mirrored(&self, number: u16) -> u16 {
        let cols = u16::from(self.field.geometry.cols());
        number / cols * cols + cols - 1 - number % cols
    }
}

impl BoardEvaluator<PopOut> for PopOutEvaluator {
    fn threats(&self, position: &PopOut, side: Side) -> Vec<Cell> {
        let geometry = position.geometry();
        let wins = |cell: &Cell| runs::has_run(geometry, with(geometry, position.stones(side), *cell));
        let drops = landings(geometry, position.occupied()).filter(wins);
        // Taking out a piece at the bottom threatens where the run forms: above it.
        let pops = Self::winning_pops(position, side).filter_map(|column| {
            let run = runs::find_run(geometry, position.stones_after_pop(side, column))?;
            run.into_iter().find(|cell| cell.column == column)
        });
        sorted(drops.chain(pops))
    }
}
