//! `perfect`: plays what is proved to be best, where that can be proved.

mod connect_four;
mod tic_tac_toe;

use std::{cmp::Reverse, time::Duration};

use rules::{AnyGame, Board, ConnectFour, Game, Geometry, TicTacToe};
use solver::{Book, Solver, StopSignal};

use self::{
    connect_four::PerfectConnectFour,
    tic_tac_toe::{PerfectTicTacToe, proven_lines as tic_tac_toe_lines},
};
use crate::{
    engine::{AT_ONCE_EMPTY_CELLS, read_time},
    entry::Entry,
    eval::proofs::{can_solve, proven_lines},
    search::value_of,
    thought::Proven,
};

/// A game that can be solved.
trait Solvable: Board {
    /// The perfect player, if this board can be solved.
    fn perfect(&self) -> Option<Entry<Self>>;
}

impl Solvable for TicTacToe {
    fn perfect(&self) -> Option<Entry<Self>> {
        Some(Entry::plain("perfect", |resources| Box::new(PerfectTicTacToe { rng: resources.rng() })))
    }
}

impl<G: Geometry> Solvable for ConnectFour<G> {
    fn perfect(&self) -> Option<Entry<Self>> {
        let perfect = Entry::with_limits("perfect", "TIME", |time, resources| {
            let time = time.map_or(Some(Duration::from_secs(10)), read_time)?;
            Some(Box::new(PerfectConnectFour::new(time, resources)))
        });
        can_solve(self).then_some(perfect)
    }
}

/// Finds the perfect player of a game, as [`KitOf`](crate::eval::KitOf) finds the other players.
pub(crate) struct PerfectOf<'a, P: Board>(pub(crate) &'a Game<P>);

pub(crate) trait HasPerfect<P> {
    fn entry(&self) -> Option<Entry<P>>;
}

impl<P: Solvable> HasPerfect<P> for PerfectOf<'_, P> {
    fn entry(&self) -> Option<Entry<P>> {
        self.0.position().perfect()
    }
}

pub(crate) trait NoPerfect<P> {
    fn entry(&self) -> Option<Entry<P>>;
}

impl<P: Board> NoPerfect<P> for &PerfectOf<'_, P> {
    fn entry(&self) -> Option<Entry<P>> {
        None
    }
}

/// Proves the results of all moves where that is quick. It keeps the solver, and so its transposition table,
/// from position to position.
#[derive(Default)]
pub struct Prover {
    solver: Option<Solver>,
}

/// The proven best moves of a position.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Proofs {
    /// The result of each move with the expected continuation, best first.
    pub lines: Vec<(Proven, Vec<String>)>,
    /// The number of nodes searched.
    pub nodes: u64,
}

impl Prover {
    /// The `count` best moves of a position, if their results can be proved quickly and before the signal is
    /// set. The game must not be over.
    pub fn best_moves(&mut self, game: &AnyGame, count: usize, stop: &dyn StopSignal) -> Option<Proofs> {
        fn texts<M: ToString>(lines: &[(Proven, Vec<M>)]) -> Vec<(Proven, Vec<String>)> {
            let text =
                |(proven, line): &(Proven, Vec<M>)| (*proven, line.iter().map(ToString::to_string).collect());
            lines.iter().map(text).collect()
        }
        let mut nodes = 0;
        let mut lines = if let Some(game) = game.typed::<TicTacToe>() {
            texts(&tic_tac_toe_lines(game.position(), &mut nodes))
        } else {
            let empty = game.view().cells.iter().filter(|piece| piece.is_none()).count();
            let position = solver::solvable(game).filter(|_| empty <= AT_ONCE_EMPTY_CELLS as usize)?;
            let solver = self.solver.get_or_insert_with(|| Solver::default().with_book(Book::embedded()));
            texts(&proven_lines(solver, &position, count, stop, &mut nodes)?)
        };
        lines.sort_by_key(|&(proven, _)| Reverse(value_of(proven)));
        lines.truncate(count);
        Some(Proofs { lines, nodes })
    }
}
