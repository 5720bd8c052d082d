//! `oxo`: the tic-tac-toe player that wins, blocks, or takes the centre, a corner or a side, in this order.

use rules::{Board, Cell, Game, Mark, Position, Side, TicTacToe};

use super::tic_tac_toe_lines::{CENTRE, CORNERS, LINES, SIDES, tally};
use crate::{Player, Reason, Stop, Stopped, Thought};

pub(crate) struct Oxo {
    pub(crate) rng: fastrand::Rng,
}

impl Player<TicTacToe> for Oxo {
    fn choose(&mut self, game: &Game<TicTacToe>, _stop: &Stop) -> Result<Thought<Mark>, Stopped> {
        let position = game.position();
        let own = position.turn();
        let free = |cells: &[Cell]| -> Vec<Mark> {
            cells.iter().copied().map(Mark).filter(|&mark| position.is_legal(mark)).collect()
        };
        let pools = [
            (position.legal_moves().filter(|_| position.ply() == 0).collect(), Reason::Opening),
            (completing(position, own), Reason::Win),
            (completing(position, own.other()), Reason::Block),
            (free(&[CENTRE]), Reason::Centre),
            (free(&CORNERS), Reason::Corner),
            (free(&SIDES), Reason::Side),
        ];
        let (pool, reason) =
            pools.into_iter().find(|(pool, _)| !pool.is_empty()).expect("a free cell is one of these");
        Ok(Thought::at_random(pool, &mut self.rng, vec![reason]))
    }
}

/// The cell that completes a line for a side; if there are several, the one of the last line.
fn completing(position: &TicTacToe, side: Side) -> Vec<Mark> {
    let line = LINES.iter().rfind(|line| tally(position, line, side) == (2, 0));
    let gap = line.and_then(|line| line.iter().find(|&&cell| position.piece(cell).is_none()));
    gap.map(|&cell| Mark(cell)).into_iter().collect()
}
