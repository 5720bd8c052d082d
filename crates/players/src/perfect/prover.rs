//! What can be proved about every move of a position, for analysis and reviews.

use rules::{AnyGame, Column, Geometry, Mark, Position, TicTacToe};
use solver::{Book, Bounds, Solver, StopSignal};

use super::tic_tac_toe;
use crate::{engine::AT_ONCE_EMPTY_CELLS, eval::proofs::proven, sort::sort_by_key, thought::Proven};

/// Proves the results of all moves where that is possible, and keeps what the solver learnt from position to
/// position.
pub struct Prover {
    solver: Option<Solver>,
    book: Option<&'static Book>,
}

impl Default for Prover {
    fn default() -> Self {
        Self::new(Book::standard())
    }
}

/// What is proved about the moves of a position.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Proofs {
    /// Every legal move; in Connect Four those nearest to the centre come first.
    pub moves: Vec<ProvedMove>,
    /// How many nodes that took.
    pub nodes: u64,
}

/// What is proved about a move.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct ProvedMove {
    /// The move as text.
    pub text: String,
    /// The result is not worse than this...
    pub least: Proven,
    /// ...and not better than this; the same if the result is exact.
    pub most: Proven,
}

impl ProvedMove {
    /// The result, if it is exact.
    #[must_use]
    pub fn exact(&self) -> Option<Proven> {
        (self.least == self.most).then_some(self.least)
    }
}

impl Prover {
    /// A prover with a book of the solver, if there is one.
    #[must_use]
    pub fn new(book: Option<&'static Book>) -> Self {
        Self { solver: None, book }
    }

    /// Whether all results of this position can be proved within milliseconds, so that no estimate is needed.
    #[must_use]
    pub fn is_quick(&self, game: &AnyGame) -> bool {
        if game.typed::<TicTacToe>().is_some() {
            return true;
        }
        solver::solvable(game).is_some_and(|position| {
            let (geometry, ply) = (position.geometry(), u32::from(position.ply()));
            // The results of the moves are those of the positions after them.
            let is_in_book = self.book_of(geometry).is_some_and(|book| ply < u32::from(book.plies()));
            is_in_book || u32::from(geometry.cells()) - ply <= AT_ONCE_EMPTY_CELLS
        })
    }

    /// Whether the result of any position on this board can be proved in about a second, because the book
    /// covers the first moves.
    #[must_use]
    pub fn has_book(&self, game: &AnyGame) -> bool {
        solver::solvable(game).is_some_and(|position| self.book_of(position.geometry()).is_some())
    }

    fn book_of(&self, geometry: impl Geometry) -> Option<&'static Book> {
        self.book.filter(|_| (geometry.rows(), geometry.cols()) == BOOK_SIZE)
    }

    /// Whether the results of this game can be proved, given time.
    #[must_use]
    pub fn can_prove(game: &AnyGame) -> bool {
        game.typed::<TicTacToe>().is_some() || solver::solvable(game).is_some()
    }

    /// Proves the result of the position for the side to move, which is faster than proving all moves. `None`
    /// if the signal is set earlier, or if nothing can be proved about this game. The game must not be over.
    pub fn result(&mut self, game: &AnyGame, stop: &dyn StopSignal) -> Option<Proven> {
        if let Some(game) = game.typed::<TicTacToe>() {
            return tic_tac_toe::result(game.position());
        }
        let position = solver::solvable(game)?;
        let score = self.solver().score(&position, stop).ok()?;
        Some(proven(&position, score))
    }

    /// Proves as much as possible about every move before the signal is set; `None` if nothing can be proved
    /// about this game. The game must not be over.
    pub fn prove(&mut self, game: &AnyGame, stop: &dyn StopSignal) -> Option<Proofs> {
        if let Some(game) = game.typed::<TicTacToe>() {
            let mut nodes = 0;
            let moves = tic_tac_toe::results(game.position(), &mut nodes);
            let proved =
                |(m, proven): (Mark, Proven)| ProvedMove { text: m.to_string(), least: proven, most: proven };
            return Some(Proofs { moves: moves.into_iter().map(proved).collect(), nodes });
        }
        let position = solver::solvable(game)?;
        let solver = self.solver();
        let mut analysis = solver.analyse(&position, stop).ok()?;
        let cols = u32::from(position.geometry().cols());
        sort_by_key(&mut analysis.moves, |(column, _)| (2 * u32::from(column.index()) + 1).abs_diff(cols));
        let proved = |(column, bounds): (Column, Bounds)| ProvedMove {
            text: column.to_string(),
            least: proven(&position, bounds.lower),
            most: proven(&position, bounds.upper),
        };
        Some(Proofs { moves: analysis.moves.into_iter().map(proved).collect(), nodes: solver.nodes() })
    }

    /// Proves the results of a best move and of this one, which is faster than proving all moves. `None` if
    /// the signal is set earlier, or if nothing can be proved about this game. The move must be legal.
    pub fn compare(&mut self, game: &AnyGame, m: &str, stop: &dyn StopSignal) -> Option<Proofs> {
        let Some(position) = solver::solvable(game) else { return self.prove(game, stop) };
        let column: Column = m.parse().ok()?;
        let solver = self.solver();
        let best = solver.score(&position, stop).ok()?;
        let mut nodes = solver.nodes();
        let played = -solver.score(&position.after(column), stop).ok()?;
        nodes += solver.nodes();
        let exactly = |text: String, score| {
            let proven = proven(&position, score);
            ProvedMove { text, least: proven, most: proven }
        };
        let mut moves = vec![exactly(m.to_owned(), played)];
        if played < best {
            let line = solver.line_up_to(&position, 1, stop).ok()?;
            nodes += solver.nodes();
            moves.insert(0, exactly(line.first()?.to_string(), best));
        }
        Some(Proofs { moves, nodes })
    }

    /// Returns a move and a line of best play after it, as far as the line is found before the signal is set.
    /// The move must be legal.
    pub fn line(&mut self, game: &AnyGame, m: &str, stop: &dyn StopSignal) -> Vec<String> {
        fn texts<M: ToString>(moves: &[M]) -> Vec<String> {
            moves.iter().map(ToString::to_string).collect()
        }
        if let (Some(game), Ok(m)) = (game.typed::<TicTacToe>(), m.parse()) {
            return texts(&tic_tac_toe::best_line(game.position(), m));
        }
        let mut line = vec![m.to_owned()];
        if let (Some(position), Ok(column)) = (solver::solvable(game), m.parse())
            && let Ok(rest) = self.solver().line_up_to(&position.after(column), usize::MAX, stop)
        {
            line.extend(texts(&rest));
        }
        line
    }

    fn solver(&mut self) -> &mut Solver {
        self.solver.get_or_insert_with(|| Solver::default().with_book(self.book))
    }
}

/// The board size of the solver's book.
const BOOK_SIZE: (u8, u8) = (6, 7);
