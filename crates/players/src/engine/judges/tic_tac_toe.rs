//! Tic-tac-toe: small enough that searching to the end says everything.

use rules::{Board, Cell, Mark, Outcome, Position, TicTacToe};

use crate::engine::judge::{Choice, Judge, Place, SPREAD, Urgency, Weight};

pub(crate) struct TicTacToeJudge;

impl Judge<TicTacToe> for TicTacToeJudge {
    type Sight = ();

    fn see(&self, _: &TicTacToe) {}

    fn see_after(&self, (): &(), _: &TicTacToe, _: Mark, _: &TicTacToe) {}

    fn counts(&self, _: &TicTacToe, (): &()) -> impl AsRef<[i32]> {
        []
    }

    fn weights(&self, _: &TicTacToe) -> &'static [Weight] {
        &[]
    }

    fn win(&self, position: &TicTacToe, (): &()) -> Option<Mark> {
        let wins = |m: &Mark| position.after(*m).outcome() == Some(Outcome::Win(position.turn()));
        position.legal_moves().find(wins)
    }

    fn urgency(&self, _: &TicTacToe, (): &()) -> Urgency {
        Urgency::Quiet
    }

    fn worth_trying(&self, position: &TicTacToe, (): &(), moves: &mut Vec<Choice<Mark>>) {
        let is_safe = |m: &Mark| self.win(&position.after(*m), &()).is_none();
        moves.extend(position.legal_moves().filter(is_safe).map(Choice::plain));
        if moves.is_empty() {
            moves.extend(position.legal_moves().map(Choice::plain));
        }
    }

    fn number(&self, _: &TicTacToe, Mark(cell): Mark) -> u16 {
        u16::from(cell.column) * 3 + u16::from(cell.row)
    }

    fn place(&self, position: &TicTacToe) -> Place {
        let digit = |column, row| match position.piece(Cell::new(column, row)) {
            None => 0,
            Some(piece) => 1 + piece.side.index() as u64,
        };
        let cells = |mirror: bool| {
            let columns = (0..3).map(move |column| if mirror { 2 - column } else { column });
            columns.flat_map(|column| (0..3).map(move |row| (column, row)))
        };
        let key = |mirror| cells(mirror).fold(0, |key, (column, row)| key * 3 + digit(column, row));
        // The lowest numbers would all be in one slot.
        let [key, image] = [false, true].map(|mirror| u64::wrapping_mul(key(mirror) + 1, SPREAD));
        Place::of_both(key, image)
    }

    fn mirrored(&self, number: u16) -> u16 {
        (2 - number / 3) * 3 + number % 3
    }

    fn plies_left(&self, position: &TicTacToe) -> u32 {
        9 - u32::from(position.ply())
    }
}
