//! A game of any kind, for the edges: command line, terminal, server. They hold an [`AnyGame`], and
//! [`with_game!`](crate::with_game) hands the typed game to generic code.

use std::any::Any;

use thiserror::Error;

use crate::{
    Board, Cell, Choice, Game, Kind, Outcome, ParseMoveError, Piece, PlayError, Position, SetupError, Side,
    View,
    games::{AnyKind, Spec},
    info::GameInfo,
    notation, perft,
    view::reading_order,
};

/// A game of any kind and size.
#[derive(Clone, Debug)]
pub struct AnyGame {
    spec: Spec,
    #[doc(hidden)]
    pub kind: AnyKind,
}

/// Selects the board type once: the standard size, otherwise the narrowest words that hold the board.
impl From<Spec> for AnyGame {
    fn from(spec: Spec) -> Self {
        Self { spec, kind: spec.boards() }
    }
}

/// [`perft`] for games in which repetition ends a game.
fn game_perft<P: Position>(game: &mut Game<P>, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves: Vec<_> = game.legal_moves().collect();
    if depth == 1 {
        return moves.len() as u64;
    }
    let after = |m| {
        game.play(m).expect("a legal move");
        let count = game_perft(game, depth - 1);
        game.take_back();
        count
    };
    moves.into_iter().map(after).sum()
}

/// What is on the cells of a board, in reading order.
fn pieces(rows: u8, cols: u8, piece: &dyn Fn(Cell) -> Option<Piece>) -> Vec<Option<Piece>> {
    reading_order(rows, cols).map(piece).collect()
}

/// The shape that all pieces of a line share, in games with shapes.
fn shape_of(line: &[Cell], piece: &dyn Fn(Cell) -> Option<Piece>) -> Option<Kind> {
    let mut kinds = line.iter().filter_map(|&cell| Some(piece(cell)?.kind));
    let shape = kinds.next().filter(|kind| matches!(kind, Kind::Round | Kind::Square))?;
    kinds.all(|kind| kind == shape).then_some(shape)
}

/// Why a text was refused as a move.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum MoveError {
    /// It is not a move of the game.
    #[error(transparent)]
    Parse(#[from] ParseMoveError),
    /// It is not legal.
    #[error(transparent)]
    Play(#[from] PlayError),
}

impl AnyGame {
    /// The game and its options.
    #[must_use]
    pub fn spec(&self) -> Spec {
        self.spec
    }

    /// The description of the game.
    #[must_use]
    pub fn info(&self) -> &'static GameInfo {
        self.spec.info()
    }

    /// The typed game, if it is of this type.
    #[must_use]
    pub fn typed<P: Position>(&self) -> Option<&Game<P>> {
        with_game!(&self, game => (game as &dyn Any).downcast_ref())
    }

    /// Restarts the game at a written position.
    ///
    /// # Errors
    /// If it is malformed or unreachable; the game is then unchanged.
    pub fn set_position(&mut self, text: &str) -> Result<(), SetupError> {
        with_game!(&mut self, game => {
            let setup = notation::parse(game.start(), text)?;
            *game = Game::new(game.start().with_setup(&setup)?);
            Ok(())
        })
    }

    /// Plays a move.
    ///
    /// # Errors
    /// If the text is not a move or the move is not legal; the game is then unchanged.
    pub fn play(&mut self, text: &str) -> Result<(), MoveError> {
        with_game!(&mut self, game => Ok(game.play(text.parse()?)?))
    }

    /// Plays moves separated by white space, or unseparated where the game allows that.
    ///
    /// # Errors
    /// If one of them is refused; the game then has the moves before it.
    pub fn play_all(&mut self, text: &str) -> Result<(), MoveError> {
        text.split_whitespace().try_for_each(|word| {
            let moves = with_game!(&self, game => game.position().split_moves(word));
            moves.into_iter().try_for_each(|m| self.play(m))
        })
    }

    /// Takes the last move back and returns it.
    pub fn take_back(&mut self) -> Option<String> {
        with_game!(&mut self, game => Some(game.take_back()?.to_string()))
    }

    /// The moves since the start.
    #[must_use]
    pub fn moves(&self) -> Vec<String> {
        with_game!(&self, game => game.moves().iter().map(ToString::to_string).collect())
    }

    /// The legal moves.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<String> {
        with_game!(&self, game => game.legal_moves().map(|m| m.to_string()).collect())
    }

    /// The legal moves with the cells where a screen chooses them.
    #[must_use]
    pub fn choices(&self) -> Vec<Choice> {
        type Pieces<'a> = &'a dyn Fn(Cell) -> Option<Piece>;
        fn choice(text: String, touched: &[Cell], before: Pieces, after: Pieces) -> Option<Choice> {
            let arrived = touched.iter().find(|&&cell| before(cell).is_none() && after(cell).is_some());
            if let Some(&to) = arrived {
                let from = touched.iter().copied().find(|&cell| after(cell).is_none());
                return Some(Choice { text, from, to, kind: after(to)?.kind });
            }
            // A piece that leaves the board ends where it began.
            let &cell = touched.last()?;
            Some(Choice { text, from: Some(cell), to: cell, kind: before(cell)?.kind })
        }
        with_game!(&self, game => {
            let before = game.position();
            let choices = game.legal_moves().filter_map(|m| {
                let after = before.after(m);
                choice(m.to_string(), &after.touched(m), &|cell| before.piece(cell), &|cell| after.piece(cell))
            });
            choices.collect()
        })
    }

    /// The side to move, or that would be if the game were not over.
    #[must_use]
    pub fn turn(&self) -> Side {
        with_game!(&self, game => game.turn())
    }

    /// How the game ended, if it has.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        with_game!(&self, game => game.outcome())
    }

    /// The number of moves from the start of the game.
    #[must_use]
    pub fn ply(&self) -> u16 {
        with_game!(&self, game => game.position().ply())
    }

    /// Maximum number of plies that follow; for games without a natural bound, a typical number.
    #[must_use]
    pub fn plies_left(&self) -> u16 {
        with_game!(&self, game => game.position().plies_left())
    }

    /// The winning line.
    #[must_use]
    pub fn line(&self) -> Option<Vec<Cell>> {
        with_game!(&self, game => game.position().line())
    }

    /// The position, written down.
    #[must_use]
    pub fn position(&self) -> String {
        with_game!(&self, game => notation::written(game.position()))
    }

    /// The number of move sequences of this length.
    #[must_use]
    pub fn perft(&self, depth: u32) -> u64 {
        with_game!(&self, game => {
            // Where repetition ends a game, the history matters.
            if game.position().draws_when_seen().is_some() {
                game_perft(&mut game.clone(), depth)
            } else {
                perft(game.position(), depth)
            }
        })
    }

    /// The position as a screen draws it.
    #[must_use]
    pub fn view(&self) -> View {
        with_game!(&self, game => {
            let board = game.position();
            View {
                rows: board.rows(),
                cols: board.cols(),
                cells: pieces(board.rows(), board.cols(), &|cell| board.piece(cell)),
                hands: Side::BOTH.map(|side| board.hand(side)),
                last: game.moves().last().map_or_else(Vec::new, |&m| board.touched(m)),
                shape: board.line().and_then(|line| shape_of(&line, &|cell| board.piece(cell))),
                line: board.line(),
                forbidden: if game.outcome().is_none() { board.forbidden() } else { Vec::new() },
                turn: game.turn(),
                outcome: game.outcome(),
            }
        })
    }
}
