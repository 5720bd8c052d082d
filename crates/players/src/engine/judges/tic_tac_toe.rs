//! Tic-tac-toe: small enough that searching to the end says everything.

use rules::{Mark, Outcome, Position, TicTacToe};

use crate::engine::judge::{Judge, Urgency, Weight};

pub(crate) struct TicTacToeJudge;

impl Judge<TicTacToe> for TicTacToeJudge {
    fn counts(&self, _: &TicTacToe) -> impl AsRef<[i32]> {
        []
    }

    fn weights(&self, _: &TicTacToe) -> &'static [Weight] {
        &[]
    }

    fn winning_move(&self, position: &TicTacToe) -> Option<Mark> {
        let wins = |m: &Mark| position.after(*m).outcome() == Some(Outcome::Win(position.turn()));
        position.legal_moves().find(wins)
    }

    fn candidates(&self, position: &TicTacToe, moves: &mut Vec<Mark>) -> Urgency {
        moves.extend(position.legal_moves());
        Urgency::Quiet
    }

    fn number(&self, Mark(cell): Mark) -> u16 {
        u16::from(cell.column) * 3 + u16::from(cell.row)
    }
}
