//! A position of any game on any board, as one type. Code that searches only occasionally uses it and is compiled once.
//! Code that searches all the time is generic over [`Position`](crate::Position) and compiled for each board.

use std::{
    any::Any,
    fmt::Debug,
    hash::{Hash, Hasher},
};

use crate::{AnyGame, Board, Cell, Outcome, Piece, Side, info::GameInfo};

/// A position of any game, without its history. A move is its number, as in [`Board::move_number`].
///
/// ```
/// use alinea_rules::{AnyGame, AnyPosition, Spec};
///
/// let start = AnyPosition::of(&AnyGame::from("connect-four".parse::<Spec>().unwrap()));
/// let moves = start.legal_moves();
/// assert_eq!(start.move_text(moves[3]), "4");
/// assert_ne!(start.after(moves[3]), start);
/// ```
#[derive(Debug)]
pub struct AnyPosition(Box<dyn AnyBoard>);

impl AnyPosition {
    /// The position of a game. Only the game knows whether it ended by repetition.
    #[must_use]
    pub fn of(game: &AnyGame) -> Self {
        with_game!(&game, game => game.position().boxed())
    }

    /// The description of the game.
    #[must_use]
    pub fn info(&self) -> &'static GameInfo {
        self.0.info()
    }

    /// The numbers of rows and columns.
    #[must_use]
    pub fn size(&self) -> (u8, u8) {
        self.0.size()
    }

    /// The side to move, or that would be if the game were not over.
    #[must_use]
    pub fn turn(&self) -> Side {
        self.0.turn()
    }

    /// How the game ended, if it has.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }

    /// A hash of everything that decides how the game can continue, except history.
    #[must_use]
    pub fn key(&self) -> u64 {
        self.0.key()
    }

    /// The legal moves: none exactly when the game is over.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<usize> {
        self.0.legal_moves()
    }

    /// Whether a move is legal.
    #[must_use]
    pub fn is_legal(&self, m: usize) -> bool {
        self.0.is_legal(m)
    }

    /// The position after a legal move.
    #[must_use]
    pub fn after(&self, m: usize) -> Self {
        self.0.after(m)
    }

    /// Finds the first legal move whose outcome satisfies a condition. This is the fast way to look one move
    /// ahead, because it allocates no positions.
    #[must_use]
    pub fn find_move(&self, is_wanted: &dyn Fn(Option<Outcome>) -> bool) -> Option<usize> {
        self.0.find_move(is_wanted)
    }

    /// How a move is written.
    #[must_use]
    pub fn move_text(&self, m: usize) -> String {
        self.0.move_text(m)
    }

    /// The piece on a cell of the board.
    #[must_use]
    pub fn piece(&self, cell: Cell) -> Option<Piece> {
        self.0.piece(cell)
    }

    /// The cells that a move has touched; `self` is the position right after it.
    #[must_use]
    pub fn touched(&self, m: usize) -> Vec<Cell> {
        self.0.touched(m)
    }
}

impl Clone for AnyPosition {
    fn clone(&self) -> Self {
        self.0.boxed()
    }
}

/// Whole positions are compared, not their keys.
impl PartialEq for AnyPosition {
    fn eq(&self, other: &Self) -> bool {
        self.0.equals(&*other.0)
    }
}

impl Eq for AnyPosition {}

impl Hash for AnyPosition {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.key());
    }
}

/// The methods that are compiled for each board.
trait AnyBoard: Any + Debug + Send + Sync {
    fn boxed(&self) -> AnyPosition;
    fn equals(&self, other: &dyn Any) -> bool;
    fn info(&self) -> &'static GameInfo;
    fn size(&self) -> (u8, u8);
    fn turn(&self) -> Side;
    fn outcome(&self) -> Option<Outcome>;
    fn key(&self) -> u64;
    fn legal_moves(&self) -> Vec<usize>;
    fn is_legal(&self, m: usize) -> bool;
    fn after(&self, m: usize) -> AnyPosition;
    fn find_move(&self, is_wanted: &dyn Fn(Option<Outcome>) -> bool) -> Option<usize>;
    fn move_text(&self, m: usize) -> String;
    fn piece(&self, cell: Cell) -> Option<Piece>;
    fn touched(&self, m: usize) -> Vec<Cell>;
}

/// Calls in these bodies resolve to the methods of the same name in [`Board`] and its supertraits, because
/// methods of bounds take precedence.
impl<P: Board> AnyBoard for P {
    fn boxed(&self) -> AnyPosition {
        AnyPosition(Box::new(self.clone()))
    }

    fn equals(&self, other: &dyn Any) -> bool {
        other.downcast_ref() == Some(self)
    }

    fn info(&self) -> &'static GameInfo {
        P::info()
    }

    fn size(&self) -> (u8, u8) {
        (self.rows(), self.cols())
    }

    fn turn(&self) -> Side {
        self.turn()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome()
    }

    fn key(&self) -> u64 {
        self.key()
    }

    fn legal_moves(&self) -> Vec<usize> {
        self.legal_moves().map(|m| self.move_number(m)).collect()
    }

    fn is_legal(&self, m: usize) -> bool {
        self.is_legal(self.numbered_move(m))
    }

    fn after(&self, m: usize) -> AnyPosition {
        let mut next = Box::new(self.clone());
        next.play_unchecked(self.numbered_move(m));
        AnyPosition(next)
    }

    fn find_move(&self, is_wanted: &dyn Fn(Option<Outcome>) -> bool) -> Option<usize> {
        let found = self.legal_moves().find(|&m| is_wanted(self.after(m).outcome()));
        found.map(|m| self.move_number(m))
    }

    fn move_text(&self, m: usize) -> String {
        self.numbered_move(m).to_string()
    }

    fn piece(&self, cell: Cell) -> Option<Piece> {
        self.piece(cell)
    }

    fn touched(&self, m: usize) -> Vec<Cell> {
        self.touched(self.numbered_move(m))
    }
}
