//! The games that the engine knows: each has a judge, and tells where a side is about to win.

use std::sync::atomic::AtomicBool;

use rules::{
    Bits, Board, Cell, ChessFive, ChessFiveMove, Chessboard, Chessman, Column, ConnectFour, Drop, Geometry,
    Shape, Side, Simplexity, TicTacToe, members, runs,
};
use solver::Solver;

use super::{
    book,
    judge::Judge,
    judges::{ChessFiveJudge, ConnectFourJudge, SimplexityJudge, TicTacToeJudge},
};
use crate::{
    Proven,
    perfect::{can_solve, possibly_best},
    tic_tac_toe_lines::{LINES, tally},
};

/// A game that the engine knows.
pub(crate) trait Judged: Board {
    type Judge: Judge<Self>;

    /// The judge of this board.
    fn judge(&self) -> Self::Judge;

    /// The cells where a side would win with its next move if it were its turn, in the order of cells.
    /// The game is not over.
    fn threats(&self, side: Side) -> Vec<Cell>;

    /// What the opening book of the game plays here and how deep that was searched, if there is one and it
    /// has the position.
    fn book_move(&self) -> Option<(Self::Move, u32)> {
        None
    }

    /// What can be proved before the flag is raised; `None` if the position is not for the solver.
    fn solve(&self, _solver: &mut Solver, _stop: &AtomicBool) -> Option<Solved<Self::Move>> {
        None
    }
}

/// What the solver proved of a position.
pub(crate) struct Solved<M> {
    /// The moves that may be best, as far as is proved.
    pub(crate) moves: Vec<M>,
    /// What they lead to, if that is proved.
    pub(crate) result: Option<Proven>,
}

impl Judged for TicTacToe {
    type Judge = TicTacToeJudge;

    fn judge(&self) -> TicTacToeJudge {
        TicTacToeJudge
    }

    fn threats(&self, side: Side) -> Vec<Cell> {
        let lines = LINES.iter().filter(|line| tally(self, line, side) == (2, 0));
        sorted(lines.flatten().copied().filter(|&cell| self.piece(cell).is_none()))
    }
}

impl<G: Geometry> Judged for ConnectFour<G> {
    type Judge = ConnectFourJudge<G>;

    fn judge(&self) -> ConnectFourJudge<G> {
        ConnectFourJudge::new(self.geometry())
    }

    fn threats(&self, side: Side) -> Vec<Cell> {
        let geometry = self.geometry();
        let wins = |cell: &Cell| runs::has_run(geometry, with(geometry, self.stones(side), *cell));
        landings(geometry, self.occupied()).filter(wins).collect()
    }

    fn solve(&self, solver: &mut Solver, stop: &AtomicBool) -> Option<Solved<Column>> {
        can_solve(self).then(|| possibly_best(solver, &self.on_64_bits()?, stop)).flatten()
    }
}

impl<G: Geometry> Judged for Simplexity<G> {
    type Judge = SimplexityJudge<G>;

    fn judge(&self) -> SimplexityJudge<G> {
        SimplexityJudge::new(self.geometry())
    }

    fn book_move(&self) -> Option<(Drop, u32)> {
        // A position of another size has a key of its own as far as keys go; the size makes it sure.
        let size = self.geometry();
        let is_standard = (size.rows(), size.cols(), size.run()) == (6, 7, 4);
        is_standard.then(|| book::find(&book::SIMPLEXITY, self)).flatten()
    }

    fn threats(&self, side: Side) -> Vec<Cell> {
        let geometry = self.geometry();
        let completes = |set, cell| runs::has_run(geometry, with(geometry, set, cell));
        let wins = |&cell: &Cell| {
            Shape::BOTH.into_iter().filter(|&shape| self.in_hand(side, shape) > 0).any(|shape| {
                if completes(self.shape(shape), cell) {
                    shape.owner() == side
                } else {
                    completes(self.colour(side), cell)
                }
            })
        };
        landings(geometry, self.occupied()).filter(wins).collect()
    }
}

impl Judged for ChessFive {
    type Judge = ChessFiveJudge;

    fn judge(&self) -> ChessFiveJudge {
        ChessFiveJudge
    }

    fn book_move(&self) -> Option<(ChessFiveMove, u32)> {
        book::find(&book::CHESS_FIVE, self)
    }

    fn threats(&self, side: Side) -> Vec<Cell> {
        let pieces = self.pieces(side);
        if Chessman::ALL.into_iter().any(|man| self.in_hand(side, man) > 0) {
            let wins = |cell: &Cell| runs::has_run(Chessboard, with(Chessboard, pieces, *cell));
            return landings(Chessboard, self.occupied()).filter(wins).collect();
        }
        sorted(self.reaches(side).flat_map(move |(from, reach)| {
            let wins = move |to: &u32| runs::has_run(Chessboard, pieces ^ (1 << from | 1 << to));
            members(reach).filter(wins).map(|to| Chessboard.cell(to))
        }))
    }
}

/// Each cell once.
fn sorted(cells: impl Iterator<Item = Cell>) -> Vec<Cell> {
    let mut cells: Vec<_> = cells.collect();
    cells.sort_unstable();
    cells.dedup();
    cells
}

fn with<G: Geometry>(geometry: G, set: G::Bits, cell: Cell) -> G::Bits {
    set | G::Bits::bit(geometry.index(cell))
}

/// Where a piece would come to rest, from the left.
fn landings<G: Geometry>(geometry: G, occupied: G::Bits) -> impl Iterator<Item = Cell> {
    let columns =
        (0..geometry.cols()).map(move |column| Cell::new(column, geometry.height(occupied, column)));
    columns.filter(move |cell| cell.row < geometry.rows())
}
