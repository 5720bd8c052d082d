//! `choice-index`: the tic-tac-toe player that assigns every cell an index and takes the highest.

use rules::{Board, Cell, Game, Mark, Position, Side, TicTacToe};

use super::tic_tac_toe_lines::{CENTRE, CORNERS, LINES, READING_ORDER, tally};
use crate::{CellIndex, Player, Reason, Stop, Stopped, Thought};

/// How often the player takes the best cell instead of a random empty one.
#[derive(Clone, Copy)]
pub(crate) enum Accuracy {
    Never,
    Mostly,
    Always,
}

impl Accuracy {
    const fn probability(self) -> f64 {
        match self {
            Self::Never => 0.0,
            Self::Mostly => 0.7,
            Self::Always => 1.0,
        }
    }
}

pub(crate) struct ChoiceIndex {
    pub(crate) accuracy: Accuracy,
    pub(crate) rng: fastrand::Rng,
}

impl Player<TicTacToe> for ChoiceIndex {
    fn choose(&mut self, game: &Game<TicTacToe>, _stop: &Stop) -> Result<Thought<Mark>, Stopped> {
        let position = game.position();
        let table = choice_indices(position);
        let cells = READING_ORDER.into_iter().zip(table).map(|(cell, index)| CellIndex { cell, index });
        let mut reasons = vec![Reason::ChoiceIndex { cells: cells.collect() }];

        let highest = table.into_iter().max().expect("the board has cells");
        let empty = || position.legal_moves();
        let ideal: Vec<_> = empty().filter(|&Mark(cell)| table[reading_index(cell)] == highest).collect();
        let candidates = match self.accuracy {
            Accuracy::Always => ideal.clone(),
            Accuracy::Mostly | Accuracy::Never => empty().collect(),
        };
        let careful = self.rng.f64() < self.accuracy.probability();
        if !careful {
            reasons.push(Reason::Careless);
        }
        let pool = if careful { ideal } else { empty().collect() };
        let thought = Thought::at_random(pool, &mut self.rng, reasons);
        let score = i64::from(table[reading_index(thought.chosen.0)]);
        Ok(Thought { candidates, score: Some(score), ..thought })
    }
}

fn reading_index(cell: Cell) -> usize {
    usize::from(2 - cell.row) * 3 + usize::from(cell.column)
}

/// The choice index of each cell in reading order, by the numbered rules of the original document.
pub(crate) fn choice_indices(position: &TicTacToe) -> [i32; 9] {
    let own = position.turn();
    let opponent = own.other();
    let at = |cell: Cell| position.piece(cell).map(|piece| piece.side);
    let is_empty = |cell: Cell| at(cell).is_none();
    let opponent_on_board = READING_ORDER.into_iter().any(|cell| at(cell) == Some(opponent));
    let completes = |cell: Cell, side: Side| {
        LINES.iter().any(|line| line.contains(&cell) && tally(position, line, side) == (2, 0))
    };

    READING_ORDER.map(|cell| {
        let is_corner = CORNERS.contains(&cell);
        // 2: occupied cells.
        if !is_empty(cell) {
            return -10;
        }
        // 1: the empty board.
        let mut index = i32::from(position.ply() == 0 && (is_corner || cell == CENTRE));
        // 3 and 4: cells that complete a line, the own one before the opponent's.
        if completes(cell, opponent) {
            index = 15;
        }
        if completes(cell, own) {
            index = 20;
        }
        // 5: the centre, once the opponent has a mark on the board.
        if cell == CENTRE && opponent_on_board {
            index = index.max(3);
        }
        if !is_corner {
            return index;
        }

        let across = Cell::new(2 - cell.column, cell.row);
        let along = Cell::new(cell.column, 2 - cell.row);
        let opposite = Cell::new(2 - cell.column, 2 - cell.row);
        // 6: opposite the only own corner, when the opponent holds the centre.
        let own_corners = CORNERS.into_iter().filter(|&corner| at(corner) == Some(own)).count();
        if at(CENTRE) == Some(opponent) && own_corners == 1 && at(opposite) == Some(own) {
            index = index.max(3);
        }
        // 7: a corner with no opponent in its row and column.
        let row = [across, Cell::new(1, cell.row)];
        let column = [along, Cell::new(cell.column, 1)];
        if opponent_on_board && row.into_iter().chain(column).all(|cell| at(cell) != Some(opponent)) {
            index += 1;
        }
        // 8 and 9: own mark in the corner at the other end, and the middle column or row is empty.
        let middle_column = [0, 1, 2].map(|row| Cell::new(1, row));
        if at(across) == Some(own) && middle_column.into_iter().all(is_empty) {
            index += 3;
        }
        let middle_row = [0, 1, 2].map(|column| Cell::new(column, 1));
        if at(along) == Some(own) && middle_row.into_iter().all(is_empty) {
            index += 3;
        }
        // 10: a fork.
        let open_lines =
            LINES.iter().filter(|line| line.contains(&cell) && tally(position, line, own) == (1, 0)).count();
        if open_lines >= 2 {
            index = index.max(10);
        }
        index
    })
}
