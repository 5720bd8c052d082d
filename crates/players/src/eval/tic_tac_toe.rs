//! The evaluator of tic-tac-toe: it has no terms, since a search reaches the end of the game.

use rules::{Board, Cell, Mark, Position, Side, TicTacToe};

use super::{
    HasPlayers, Skill,
    evaluator::{BoardEvaluator, Evaluator, SPREAD, ScoredMove, TtKey, Weight},
    lines::sorted,
};
use crate::{
    classic::{
        Accuracy, ChoiceIndex, Oxo,
        tic_tac_toe_lines::{LINES, tally},
    },
    control::Resources,
    entry::Entry,
};

pub(crate) struct TicTacToeEvaluator;

impl HasPlayers for TicTacToe {
    type Evaluator = TicTacToeEvaluator;

    const ADVISER: &'static str = "perfect";
    const LEVELS: &'static [Skill] = &[
        Skill::new(1, 2000, 100, 40),
        Skill::new(4, 5000, 40, 12).scoring(68.0, 300),
        Skill::new(9, 30_000, 0, 0).scoring(79.0, 300),
    ];

    fn opponents(&self) -> Vec<Entry<Self>> {
        let choice_index = |level: usize, resources: &Resources| -> crate::player::BoxedPlayer<Self> {
            let accuracy = [Accuracy::Never, Accuracy::Mostly, Accuracy::Always][level];
            Box::new(ChoiceIndex { accuracy, rng: resources.rng() })
        };
        vec![
            Entry::with_level("choice-index", ["easy", "normal", "hard"], 1, choice_index),
            Entry::plain("oxo", |resources| Box::new(Oxo { rng: resources.rng() })),
        ]
    }
}

impl Evaluator<TicTacToe> for TicTacToeEvaluator {
    type Accumulator = ();

    fn new(_: &TicTacToe) -> Self {
        Self
    }

    fn init(&self, _: &TicTacToe) {}

    fn counts(&self, _: &TicTacToe, (): &()) -> impl AsRef<[i32]> {
        []
    }

    fn weights(&self, _: &TicTacToe) -> &'static [Weight] {
        &[]
    }

    fn generate(&self, position: &TicTacToe, (): &(), moves: &mut Vec<ScoredMove<Mark>>) {
        let is_safe = |m: &Mark| self.win(&position.after(*m), &()).is_none();
        moves.extend(position.legal_moves().filter(is_safe).map(ScoredMove::plain));
        if moves.is_empty() {
            moves.extend(position.legal_moves().map(ScoredMove::plain));
        }
    }

    fn number(&self, _: &TicTacToe, Mark(cell): Mark) -> u16 {
        u16::from(cell.column) * 3 + u16::from(cell.row)
    }

    fn tt_key(&self, position: &TicTacToe) -> TtKey {
        let digit = |column, row| match position.piece(Cell::new(column, row)) {
            None => 0,
            Some(piece) => 1 + piece.side.index() as u64,
        };
        let cells = |mirror: bool| {
            let columns = (0..3).map(move |column| if mirror { 2 - column } else { column });
            columns.flat_map(|column| (0..3).map(move |row| (column, row)))
        };
        let key = |mirror| cells(mirror).fold(0, |key, (column, row)| key * 3 + digit(column, row));
        // Small keys would all fall into one slot of the table.
        let [key, image] = [false, true].map(|mirror| u64::wrapping_mul(key(mirror) + 1, SPREAD));
        TtKey::shared(key, image)
    }

    fn mirrored(&self, number: u16) -> u16 {
        (2 - number / 3) * 3 + number % 3
    }

    fn plies_left(&self, position: &TicTacToe) -> u32 {
        9 - u32::from(position.ply())
    }
}

impl BoardEvaluator<TicTacToe> for TicTacToeEvaluator {
    fn threats(&self, position: &TicTacToe, side: Side) -> Vec<Cell> {
        let lines = LINES.iter().filter(|line| tally(position, line, side) == (2, 0));
        sorted(lines.flatten().copied().filter(|&cell| position.piece(cell).is_none()))
    }
}
