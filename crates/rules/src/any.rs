//! A game of any kind, for the edges: command line, terminal, server. They hold an [`AnyGame`], and
//! [`with_game!`](crate::with_game) hands the typed game to generic code.

use std::any::Any;

use thiserror::Error;

use crate::{
    Board, Cell, Choice, Game, Illegal, Kind, Opening, OpeningView, Outcome, ParseMoveError, Piece,
    PlayError, Position, SetupError, Side, Stage, View, Word,
    games::{AnyKind, Spec},
    info::GameInfo,
    notation,
    opening::{Chosen, Course},
    perft,
    view::reading_order,
};

/// A game of any kind and size.
#[derive(Clone, Debug)]
pub struct AnyGame {
    spec: Spec,
    /// The opening. The game on the board knows the colours of the stones only, not who chose them.
    course: Course,
    #[doc(hidden)]
    pub kind: AnyKind,
}

/// Selects the board type once: the standard size, otherwise the narrowest words that hold the board.
impl From<Spec> for AnyGame {
    fn from(spec: Spec) -> Self {
        Self { spec, course: Course::default(), kind: spec.boards() }
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
        let has_opening = self.spec.opening() != Opening::Free;
        with_game!(&mut self, game => {
            let setup = notation::parse(game.start(), text)?;
            let (start, was_exchanged) = match game.start().with_setup(&setup) {
                // After an opening, the players may have each other's stones.
                Err(SetupError::Counts { .. }) if has_opening => {
                    let exchanged = setup.exchanged(self.spec.info())?;
                    (game.start().with_setup(&exchanged).or_else(|_| game.start().with_setup(&setup))?, true)
                }
                start => (start?, false),
            };
            let is_set_up = start.ply() > 0 || was_exchanged;
            self.course = Course { chosen: Vec::new(), is_set_up, was_exchanged };
            *game = Game::new(start);
            Ok(())
        })
    }

    /// What comes next in the opening.
    #[must_use]
    pub fn stage(&self) -> Stage {
        if self.spec.opening() == Opening::Free {
            return Stage::Over;
        }
        with_game!(&self, game => match game.outcome() {
            Some(_) => Stage::Over,
            None => self.course.stage(self.spec.opening(), game.moves().len()),
        })
    }

    /// Whether each player has the stones of the other side: [`with_game!`](crate::with_game) and
    /// [`AnyPosition`](crate::AnyPosition) then name the first side where this type names the second.
    #[must_use]
    pub fn is_exchanged(&self) -> bool {
        self.course.is_exchanged()
    }

    /// Chooses a word of the opening.
    fn choose(&mut self, word: Word, stage: Stage) -> Result<(), PlayError> {
        if let Some(outcome) = self.outcome() {
            return Err(PlayError::GameOver(outcome));
        }
        if !stage.words().contains(&word) {
            return Err(Illegal::NotOffered(word.text()).into());
        }
        self.course.chosen.push(Chosen { kind: self.kind.clone(), word });
        with_game!(&mut self, game => *game = Game::new(game.position().clone()));
        Ok(())
    }

    /// Plays a move.
    ///
    /// # Errors
    /// If the text is not a move or the move is not legal; the game is then unchanged.
    pub fn play(&mut self, text: &str) -> Result<(), MoveError> {
        let stage = self.stage();
        let word = Word::ALL.into_iter().find(|word| word.text() == text);
        if let Some(word) = word.filter(|_| self.spec.opening() != Opening::Free) {
            return Ok(self.choose(word, stage)?);
        }
        let exchanged = self.is_exchanged();
        with_game!(&mut self, game => {
            let m = text.parse()?;
            if !stage.may_move() {
                let words = if stage.words().contains(&Word::Add) { "stay, swap or add" } else { "stay or swap" };
                return Err(MoveError::Play(Illegal::ChooseFirst(words).into()));
            }
            game.play(m).map_err(|error| match error {
                PlayError::GameOver(outcome) => PlayError::GameOver(outcome.seen(exchanged)).into(),
                illegal => illegal.into(),
            })
        })
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
        let last = with_game!(&mut self, game => game.take_back().map(|m| m.to_string()));
        last.or_else(|| {
            let Chosen { kind, word } = self.course.chosen.pop()?;
            self.kind = kind;
            Some(word.text().to_owned())
        })
    }

    /// The moves since the start.
    #[must_use]
    pub fn moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        for chosen in &self.course.chosen {
            with_game!(&chosen, game => moves.extend(game.moves().iter().map(ToString::to_string)));
            moves.push(chosen.word.text().to_owned());
        }
        moves.extend(self.moves_on_board());
        moves
    }

    /// The position at the start, written down.
    #[must_use]
    pub fn start_position(&self) -> String {
        let exchanged = self.course.was_exchanged;
        match self.course.chosen.first() {
            Some(first) => with_game!(&first, game => notation::written_as(game.start(), exchanged)),
            None => with_game!(&self, game => notation::written_as(game.start(), exchanged)),
        }
    }

    /// The moves since the opening, or since the start if there was none, as the game on the board knows them.
    #[must_use]
    pub fn moves_on_board(&self) -> Vec<String> {
        with_game!(&self, game => game.moves().iter().map(ToString::to_string).collect())
    }

    /// The legal moves.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<String> {
        let stage = self.stage();
        let mut moves: Vec<_> = stage.words().iter().map(|word| word.text().to_owned()).collect();
        if stage.may_move() {
            with_game!(&self, game => moves.extend(game.legal_moves().map(|m| m.to_string())));
        }
        moves
    }

    /// The legal moves on the board with the cells where a screen chooses them.
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
        if !self.stage().may_move() {
            return Vec::new();
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
        match self.stage() {
            Stage::Place { side, .. } | Stage::Choose { side, .. } => side,
            Stage::Over => self.turn_on_board(),
        }
    }

    /// The player whose stone is placed next on the board. In an opening, another player may be to act.
    #[must_use]
    pub fn turn_on_board(&self) -> Side {
        self.seen(with_game!(&self, game => game.turn()))
    }

    /// The player who has the stones of a side.
    fn seen(&self, side: Side) -> Side {
        if self.is_exchanged() { side.other() } else { side }
    }

    /// How the game ended, if it has.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        with_game!(&self, game => game.outcome()).map(|outcome| outcome.seen(self.is_exchanged()))
    }

    /// The number of moves from the start of the game.
    #[must_use]
    pub fn ply(&self) -> u16 {
        with_game!(&self, game => game.position().ply()) + self.course.chosen.len() as u16
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

    /// The position, written down. It does not say what has been chosen in an opening in progress.
    #[must_use]
    pub fn position(&self) -> String {
        with_game!(&self, game => notation::written_as(game.position(), self.is_exchanged()))
    }

    /// The number of move sequences of this length.
    #[must_use]
    pub fn perft(&self, depth: u32) -> u64 {
        if depth > 0 && self.stage() != Stage::Over {
            let after = |m: String| {
                let mut next = self.clone();
                next.play(&m).expect("a legal move");
                next.perft(depth - 1)
            };
            return self.legal_moves().into_iter().map(after).sum();
        }
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
            let piece = |cell| board.piece(cell).map(|piece| Piece { side: self.seen(piece.side), ..piece });
            View {
                rows: board.rows(),
                cols: board.cols(),
                cells: pieces(board.rows(), board.cols(), &piece),
                hands: Side::BOTH.map(|side| board.hand(self.seen(side))),
                last: game.moves().last().map_or_else(Vec::new, |&m| board.touched(m)),
                shape: board.line().and_then(|line| shape_of(&line, &|cell| board.piece(cell))),
                line: board.line(),
                forbidden: if game.outcome().is_none() { board.forbidden() } else { Vec::new() },
                opening: self.opening_view(game.turn()),
                turn: self.turn(),
                outcome: self.outcome(),
            }
        })
    }

    /// What a screen shows of the opening, where a stone of this side is placed next.
    fn opening_view(&self, stone: Side) -> Option<OpeningView> {
        let stage = self.stage();
        let (stone, left) = match stage {
            Stage::Place { left, .. } => (Some(stone), left),
            Stage::Choose { .. } => (None, 0),
            Stage::Over => return None,
        };
        let rule = self.spec.opening().id().to_owned();
        let (words, may_move) = (stage.words().to_vec(), stage.may_move());
        Some(OpeningView { rule, stone, left, words, may_move, next: self.turn_on_board() })
    }
}
