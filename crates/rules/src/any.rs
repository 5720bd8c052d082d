//! A game of whatever kind, for the edges: command line, terminal, server. They hold an [`AnyGame`],
//! and [`with_game!`](crate::with_game) hands the typed game to generic code. Here is the only match
//! over games.

use std::any::Any;

use thiserror::Error;

use crate::{
    Bits, Board, Cell, ChessFive, Choice, ConnectFour, Custom, Fixed, Game, Geometry, Kind, Outcome,
    ParseMoveError, PlayError, Position, SetupError, Side, Simplexity, Size, Spec, TicTacToe, View,
    bits::Wide, notation, perft, view::reading_order,
};

/// The size that people play, compiled with constants.
pub type Standard = Fixed<6, 7, 4>;
/// Boards of up to 64 bits, among them 8 × 7.
pub type Small = Custom<u64>;
/// Boards of up to 128 bits, among them 10 × 10.
pub type Medium = Custom<u128>;
/// Boards of up to 512 bits, among them 9 × 37.
pub type Large = Custom<Wide<8>>;
/// All others, up to 64 × 64.
pub type Huge = Custom<Wide<65>>;

/// A game of whatever kind and size.
#[derive(Clone, Debug)]
pub struct AnyGame {
    spec: Spec,
    #[doc(hidden)]
    pub kind: AnyKind,
}

/// The games with their board types.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub enum AnyKind {
    TicTacToe(Game<TicTacToe>),
    ConnectFourStandard(Game<ConnectFour<Standard>>),
    ConnectFourSmall(Game<ConnectFour<Small>>),
    ConnectFourMedium(Game<ConnectFour<Medium>>),
    ConnectFourLarge(Game<ConnectFour<Large>>),
    ConnectFourHuge(Game<ConnectFour<Huge>>),
    SimplexityStandard(Game<Simplexity<Standard>>),
    SimplexitySmall(Game<Simplexity<Small>>),
    SimplexityMedium(Game<Simplexity<Medium>>),
    SimplexityLarge(Game<Simplexity<Large>>),
    SimplexityHuge(Game<Simplexity<Huge>>),
    ChessFive(Game<ChessFive>),
}

/// Evaluates an expression with the typed [`Game`] in an [`AnyGame`].
///
/// ```
/// let game: alinea_rules::AnyGame = "chess-five".parse::<alinea_rules::Spec>().unwrap().into();
/// assert_eq!(alinea_rules::with_game!(&game, game => game.legal_moves().count()), 40);
/// ```
#[macro_export]
macro_rules! with_game {
    (&mut $any:expr, $game:ident => $body:expr) => {
        $crate::with_game!(@match &mut $any.kind, $game => $body)
    };
    (&$any:expr, $game:ident => $body:expr) => {
        $crate::with_game!(@match &$any.kind, $game => $body)
    };
    (@match $kind:expr, $game:ident => $body:expr) => {
        match $kind {
            $crate::AnyKind::TicTacToe($game) => $body,
            $crate::AnyKind::ConnectFourStandard($game) => $body,
            $crate::AnyKind::ConnectFourSmall($game) => $body,
            $crate::AnyKind::ConnectFourMedium($game) => $body,
            $crate::AnyKind::ConnectFourLarge($game) => $body,
            $crate::AnyKind::ConnectFourHuge($game) => $body,
            $crate::AnyKind::SimplexityStandard($game) => $body,
            $crate::AnyKind::SimplexitySmall($game) => $body,
            $crate::AnyKind::SimplexityMedium($game) => $body,
            $crate::AnyKind::SimplexityLarge($game) => $body,
            $crate::AnyKind::SimplexityHuge($game) => $body,
            $crate::AnyKind::ChessFive($game) => $body,
        }
    };
}

/// Picks the board type once: the standard size, else the narrowest words that hold the board.
impl From<Spec> for AnyGame {
    fn from(spec: Spec) -> Self {
        fn custom<B: Bits>(size: Size) -> Option<Custom<B>> {
            Custom::new(size)
        }
        let is_standard = |size| size == Size::new(6, 7, 4).expect("the standard size");
        let kind = match spec {
            Spec::TicTacToe => AnyKind::TicTacToe(Game::new(TicTacToe::default())),
            Spec::ChessFive => AnyKind::ChessFive(Game::new(ChessFive::default())),
            Spec::ConnectFour(size) => {
                fn start<G: Geometry>(geometry: G) -> Game<ConnectFour<G>> {
                    Game::new(ConnectFour::new(geometry))
                }
                if is_standard(size) {
                    AnyKind::ConnectFourStandard(start(Fixed))
                } else if let Some(geometry) = custom(size) {
                    AnyKind::ConnectFourSmall(start(geometry))
                } else if let Some(geometry) = custom(size) {
                    AnyKind::ConnectFourMedium(start(geometry))
                } else if let Some(geometry) = custom(size) {
                    AnyKind::ConnectFourLarge(start(geometry))
                } else {
                    AnyKind::ConnectFourHuge(start(custom(size).expect("65 words hold the largest board")))
                }
            }
            Spec::Simplexity { size, pieces } => {
                fn start<G: Geometry>(geometry: G, pieces: [u16; 2]) -> Game<Simplexity<G>> {
                    Game::new(Simplexity::new(geometry, pieces))
                }
                if is_standard(size) {
                    AnyKind::SimplexityStandard(start(Fixed, pieces))
                } else if let Some(geometry) = custom(size) {
                    AnyKind::SimplexitySmall(start(geometry, pieces))
                } else if let Some(geometry) = custom(size) {
                    AnyKind::SimplexityMedium(start(geometry, pieces))
                } else if let Some(geometry) = custom(size) {
                    AnyKind::SimplexityLarge(start(geometry, pieces))
                } else {
                    AnyKind::SimplexityHuge(start(
                        custom(size).expect("65 words hold the largest board"),
                        pieces,
                    ))
                }
            }
        };
        Self { spec, kind }
    }
}

/// [`perft`] that knows what has happened before.
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

/// The shape that all pieces of a line have, in games where pieces have shapes.
fn shape_of<P: Board>(board: &P, line: &[Cell]) -> Option<Kind> {
    let mut kinds = line.iter().filter_map(|&cell| Some(board.piece(cell)?.kind));
    let shape = kinds.next().filter(|kind| matches!(kind, Kind::Round | Kind::Square))?;
    kinds.all(|kind| kind == shape).then_some(shape)
}

/// Why a text was refused as a move.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum MoveError {
    /// It is no move of the game.
    #[error(transparent)]
    Parse(#[from] ParseMoveError),
    /// It may not be played.
    #[error(transparent)]
    Play(#[from] PlayError),
}

impl AnyGame {
    /// Which game it is.
    #[must_use]
    pub fn spec(&self) -> Spec {
        self.spec
    }

    /// The typed game, if it is of this type.
    #[must_use]
    pub fn typed<P: Position>(&self) -> Option<&Game<P>> {
        with_game!(&self, game => (game as &dyn Any).downcast_ref())
    }

    /// Starts anew at a written position.
    ///
    /// # Errors
    /// If it is not well written or no game could reach it; the game is then unchanged.
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
    /// If the text is no move or the move may not be played; the game is then unchanged.
    pub fn play(&mut self, text: &str) -> Result<(), MoveError> {
        with_game!(&mut self, game => Ok(game.play(text.parse()?)?))
    }

    /// Plays moves separated by white space, or without any where a game allows that.
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

    /// What may be played.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<String> {
        with_game!(&self, game => game.legal_moves().map(|m| m.to_string()).collect())
    }

    /// What may be played, with the cells that each move touches.
    #[must_use]
    pub fn choices(&self) -> Vec<Choice> {
        fn choice<P: Board>(position: &P, m: P::Move) -> Choice {
            let after = position.after(m);
            let (filled, emptied): (Vec<_>, Vec<_>) =
                after.touched(m).into_iter().partition(|&cell| after.piece(cell).is_some());
            let to = filled[0];
            let kind = after.piece(to).expect("a filled cell").kind;
            Choice { text: m.to_string(), from: emptied.first().copied(), to, kind }
        }
        with_game!(&self, game => game.legal_moves().map(|m| choice(game.position(), m)).collect())
    }

    /// Who is to move (or would be, if the game is over).
    #[must_use]
    pub fn turn(&self) -> Side {
        with_game!(&self, game => game.turn())
    }

    /// How the game ended, if it has.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        with_game!(&self, game => game.outcome())
    }

    /// How many moves led here.
    #[must_use]
    pub fn ply(&self) -> u16 {
        with_game!(&self, game => game.position().ply())
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
            // Where repetition ends a game, its course has to be followed.
            if game.position().draws_when_seen().is_some() {
                game_perft(&mut game.clone(), depth)
            } else {
                perft(game.position(), depth)
            }
        })
    }

    /// What a screen shows.
    #[must_use]
    pub fn view(&self) -> View {
        with_game!(&self, game => {
            let board = game.position();
            View {
                rows: board.rows(),
                cols: board.cols(),
                cells: reading_order(board.rows(), board.cols()).map(|cell| board.piece(cell)).collect(),
                hands: Side::BOTH.map(|side| board.hand(side)),
                last: game.moves().last().map_or_else(Vec::new, |&m| board.touched(m)),
                shape: board.line().and_then(|line| shape_of(board, &line)),
                line: board.line(),
                turn: game.turn(),
                outcome: game.outcome(),
            }
        })
    }
}
