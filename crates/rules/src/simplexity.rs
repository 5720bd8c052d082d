//! Simplexity: pieces have a colour and a shape, and a run of either may decide.
//!
//! White (first) wins with a run of white or of round pieces, red (second) with a run of red or of square
//! ones. A shape counts for its side whichever player placed it, and shape beats colour.

use std::{fmt, str::FromStr};

use crate::{
    Bits, Board, Cell, Column, Custom, Fixed, Game, Geometry, Huge, Illegal, Kind, Large, Medium, Move,
    Outcome, ParseMoveError, Piece, Position, Setup, SetupError, Side, Size, Small, SpecError, Standard,
    bits::mix,
    gravity,
    info::{Bounds, CellStyle, Coordinates, GameInfo, PhaseInfo, PieceInfo, SideInfo, SizeInfo},
    notation, runs, spec,
};

/// The description of the game.
pub static INFO: GameInfo = GameInfo {
    id: "simplexity",
    title: "Simplexity",
    form: "simplexity[:ROWSxCOLSxRUN[:ROUND+SQUARE]]",
    standard: "simplexity:6x7x4:10+11",
    rated: "simplexity:6x7x4:10+11",
    suggested: &[
        "simplexity:6x7x4:10+11",
        "simplexity:5x6x4:7+8",
        "simplexity:7x8x4:14+14",
        "simplexity:8x8x4:16+16",
        "simplexity:9x9x5:20+21",
    ],
    rule_sets: &[],
    openings: &[],
    size: SizeInfo {
        rows: Bounds::new(1, Size::MAX_SIDE, 6),
        cols: Bounds::new(1, Size::MAX_SIDE, 7),
        run: Bounds::new(Size::MIN_RUN, Size::MAX_RUN, 4),
        run_fits: true,
        run_optional: false,
    },
    falls: true,
    coordinates: Coordinates::Columns,
    cells: CellStyle::SquareHoles,
    pieces: &[
        PieceInfo {
            kind: Kind::Round,
            name: "round",
            glyphs: ["round", "round-hollow"],
            symbols: ["○", "●"],
            letters: ['w', 'r'],
            count: Some(10),
        },
        PieceInfo {
            kind: Kind::Square,
            name: "square",
            glyphs: ["square", "square-hollow"],
            symbols: ["□", "■"],
            letters: ['W', 'R'],
            count: Some(11),
        },
    ],
    sides: [
        SideInfo { key: "solid", name: "white", emblem: Kind::Round },
        SideInfo { key: "outline", name: "red", emblem: Kind::Square },
    ],
    phases: &[PhaseInfo { id: "drop", asks: "column and shape" }],
    examples: &["4r", "4s"],
    mover_may_lose: true,
    odd: &[
        "simplexity:6x7x4:0+21",
        "simplexity:6x7x4:3+4",
        "simplexity:6x7x4:21+21",
        "simplexity:4x4x3",
        "simplexity:8x3x4",
        "simplexity:3x8x4",
        "simplexity:10x10x7",
        "simplexity:9x37x5:83+84",
        "simplexity:64x64x16",
    ],
};

/// The most pieces that a player may have: more would not fit the largest board.
const MAX_PIECES: u16 = Size::MAX_SIDE as u16 * Size::MAX_SIDE as u16;

/// The size of the board and the pieces of each player.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Options {
    /// The board.
    pub size: Size,
    /// Round and square pieces per player.
    pub pieces: [u16; 2],
}

impl Options {
    /// Enough pieces for half the board each, the odd piece being square.
    fn usual_pieces(size: Size) -> [u32; 2] {
        let each = (u32::from(size.rows()) * u32::from(size.cols())).div_ceil(2);
        [each / 2, each.div_ceil(2)]
    }
}

impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        spec::write_size(f, self.size)?;
        let [round, square] = self.pieces;
        write!(f, ":{round}+{square}")
    }
}

impl spec::Options for Options {
    type Boards = Boards;

    fn info() -> &'static GameInfo {
        &INFO
    }

    fn read(options: Option<&str>) -> Result<Option<Self>, SpecError> {
        let (size, pieces) = match options.and_then(|options| options.split_once(':')) {
            Some((size, pieces)) => (Some(size), Some(pieces)),
            None => (options, None),
        };
        let Some(size) = spec::read_size(&INFO, size)? else {
            return Ok(None);
        };
        let [round, square] = match pieces.map(|pieces| spec::numbers(pieces, '+')) {
            None => Self::usual_pieces(size),
            Some(Some(pieces)) => match pieces[..] {
                [round, square] => [round, square],
                _ => return Ok(None),
            },
            Some(None) => return Ok(None),
        };
        let found = u64::from(round) + u64::from(square);
        match (u16::try_from(round), u16::try_from(square)) {
            (Ok(round), Ok(square)) if (1..=u64::from(MAX_PIECES)).contains(&found) => {
                Ok(Some(Self { size, pieces: [round, square] }))
            }
            _ => Err(SpecError::Pieces { found, least: 1, most: MAX_PIECES }),
        }
    }

    fn boards(self) -> Boards {
        fn start<G: Geometry>(geometry: G, pieces: [u16; 2]) -> Game<Simplexity<G>> {
            Game::new(Simplexity::new(geometry, pieces))
        }
        let Self { size, pieces } = self;
        if size == INFO.size.usual() {
            Boards::Standard(start(Fixed, pieces))
        } else if let Some(geometry) = Custom::new(size) {
            Boards::Small(start(geometry, pieces))
        } else if let Some(geometry) = Custom::new(size) {
            Boards::Medium(start(geometry, pieces))
        } else if let Some(geometry) = Custom::new(size) {
            Boards::Large(start(geometry, pieces))
        } else {
            Boards::Huge(start(Custom::new(size).expect("65 words hold the largest board"), pieces))
        }
    }
}

/// A game on one of the board types.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub enum Boards {
    Standard(Game<Simplexity<Standard>>),
    Small(Game<Simplexity<Small>>),
    Medium(Game<Simplexity<Medium>>),
    Large(Game<Simplexity<Large>>),
    Huge(Game<Simplexity<Huge>>),
}

/// Evaluates an expression with the typed game.
#[doc(hidden)]
#[macro_export]
macro_rules! with_simplexity {
    ($boards:expr, $game:ident => $body:expr) => {
        match $boards {
            $crate::simplexity::Boards::Standard($game) => $body,
            $crate::simplexity::Boards::Small($game) => $body,
            $crate::simplexity::Boards::Medium($game) => $body,
            $crate::simplexity::Boards::Large($game) => $body,
            $crate::simplexity::Boards::Huge($game) => $body,
        }
    };
}

/// A position of Simplexity.
///
/// ```
/// use alinea_rules::{Fixed, Game, Outcome, Side, Simplexity};
///
/// let mut game = Game::new(Simplexity::new(Fixed::<6, 7, 4>, [10, 11]));
/// for m in ["6r", "2r", "4r", "1r", "3s", "3s", "5r"] {
///     assert_eq!(game.outcome(), None);
///     game.play(m.parse().unwrap()).unwrap();
/// }
/// assert_eq!(game.outcome(), Some(Outcome::Win(Side::First)));
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Simplexity<G: Geometry> {
    occupied: G::Bits,
    /// The pieces of the first player.
    white: G::Bits,
    /// The round pieces of both.
    round: G::Bits,
    /// By side, then round and square.
    in_hand: [[u16; 2]; 2],
    ply: u16,
    outcome: Option<Outcome>,
    geometry: G,
}

/// The form of a piece.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Shape {
    /// A run of round pieces wins for the first player.
    Round,
    /// A run of square pieces wins for the second player.
    Square,
}

impl Shape {
    /// Both shapes.
    pub const BOTH: [Self; 2] = [Self::Round, Self::Square];

    /// The shape that wins for a side.
    #[must_use]
    pub const fn of(side: Side) -> Self {
        match side {
            Side::First => Self::Round,
            Side::Second => Self::Square,
        }
    }

    /// The side that a run of this shape makes the winner.
    #[must_use]
    pub const fn owner(self) -> Side {
        match self {
            Self::Round => Side::First,
            Self::Square => Side::Second,
        }
    }

    const fn kind(self) -> Kind {
        match self {
            Self::Round => Kind::Round,
            Self::Square => Kind::Square,
        }
    }
}

/// A piece of a shape dropped into a column.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Drop {
    /// Where it falls.
    pub column: Column,
    /// Which piece it is.
    pub shape: Shape,
}

impl Move for Drop {}

impl fmt::Display for Drop {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let shape = match self.shape {
            Shape::Round => 'r',
            Shape::Square => 's',
        };
        write!(f, "{}{shape}", self.column)
    }
}

impl FromStr for Drop {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Self, ParseMoveError> {
        let round = text.strip_suffix('r').map(|column| (column, Shape::Round));
        round
            .or_else(|| text.strip_suffix('s').map(|column| (column, Shape::Square)))
            .and_then(|(column, shape)| Some(Self { column: column.parse().ok()?, shape }))
            .ok_or_else(|| {
                ParseMoveError::new(text, "a column number and r (round) or s (square), such as 4r")
            })
    }
}

impl<G: Geometry> Simplexity<G> {
    /// The empty board; each player has this many round and square pieces.
    #[must_use]
    pub fn new(geometry: G, [round, square]: [u16; 2]) -> Self {
        Self {
            occupied: G::Bits::ZERO,
            white: G::Bits::ZERO,
            round: G::Bits::ZERO,
            in_hand: [[round, square]; 2],
            ply: 0,
            outcome: None,
            geometry,
        }
    }

    /// The layout of the board.
    #[inline]
    #[must_use]
    pub fn geometry(&self) -> G {
        self.geometry
    }

    /// The cells that are not empty.
    #[inline]
    #[must_use]
    pub fn occupied(&self) -> G::Bits {
        self.occupied
    }

    /// The cells with pieces of a side's colour.
    #[inline]
    #[must_use]
    pub fn colour(&self, side: Side) -> G::Bits {
        match side {
            Side::First => self.white,
            Side::Second => self.occupied & !self.white,
        }
    }

    /// The cells with pieces of a shape, of both players.
    #[inline]
    #[must_use]
    pub fn shape(&self, shape: Shape) -> G::Bits {
        match shape {
            Shape::Round => self.round,
            Shape::Square => self.occupied & !self.round,
        }
    }

    /// How many pieces of a shape a side has in hand.
    #[inline]
    #[must_use]
    pub fn in_hand(&self, side: Side, shape: Shape) -> u16 {
        self.in_hand[side.index()][shape as usize]
    }

    #[inline]
    fn place(&mut self, cell: Cell, side: Side, shape: Shape) {
        let placed = G::Bits::bit(self.geometry.index(cell));
        self.occupied = self.occupied | placed;
        if side == Side::First {
            self.white = self.white | placed;
        }
        if shape == Shape::Round {
            self.round = self.round | placed;
        }
        self.in_hand[side.index()][shape as usize] -= 1;
        self.ply += 1;
    }

    /// The winning set of cells and its side: shapes before colours.
    fn winning_set(&self) -> Option<(Side, G::Bits)> {
        let shapes = Shape::BOTH.map(|shape| (shape.owner(), self.shape(shape)));
        let colours = Side::BOTH.map(|side| (side, self.colour(side)));
        shapes.into_iter().chain(colours).find(|&(_, set)| runs::has_run(self.geometry, set))
    }

    #[inline]
    fn is_exhausted(&self) -> bool {
        self.ply == self.geometry.cells() || self.in_hand[self.turn().index()] == [0, 0]
    }
}

impl<G: Geometry> Position for Simplexity<G> {
    type Move = Drop;

    #[inline]
    fn turn(&self) -> Side {
        Side::after(self.ply)
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    #[inline]
    fn legal_moves(&self) -> impl Iterator<Item = Drop> {
        let cols = if self.outcome.is_some() { 0 } else { self.geometry.cols() };
        let has = Shape::BOTH.map(|shape| self.in_hand(self.turn(), shape) > 0);
        // Both shapes in one column, then in the next.
        (0..2 * cols).filter_map(move |i| {
            let (column, shape) = (i / 2, Shape::BOTH[usize::from(i % 2)]);
            let is_legal = has[usize::from(i % 2)] && !self.geometry.is_full(self.occupied, column);
            is_legal.then(|| Drop { column: Column::new(column), shape })
        })
    }

    #[inline]
    fn legal_count(&self) -> usize {
        let side = self.turn();
        let shapes = Shape::BOTH.into_iter().filter(|&shape| self.in_hand(side, shape) > 0).count();
        if self.outcome.is_some() { 0 } else { shapes * self.geometry.open_columns(self.occupied).count() }
    }

    fn check(&self, Drop { column, shape }: Drop) -> Result<(), Illegal> {
        gravity::check_column(self.geometry, self.occupied, column)?;
        if self.in_hand(self.turn(), shape) == 0 {
            return Err(Illegal::NoneInHand(shape.kind()));
        }
        Ok(())
    }

    #[inline]
    fn play_unchecked(&mut self, m: Drop) {
        debug_assert!(self.is_legal(m));
        let mover = self.turn();
        self.place(gravity::landing(self.geometry, self.occupied, m.column), mover, m.shape);
        // Only the shape and the colour of this piece can have become a run. Shape beats colour:
        // a move that completes both gives the game to the owner of the shape.
        self.outcome = if runs::has_run(self.geometry, self.shape(m.shape)) {
            Some(Outcome::Win(m.shape.owner()))
        } else if runs::has_run(self.geometry, self.colour(mover)) {
            Some(Outcome::Win(mover))
        } else {
            self.is_exhausted().then_some(Outcome::Draw)
        };
    }

    #[inline]
    fn key(&self) -> u64 {
        let [[a, b], [c, d]] = self.in_hand.map(|hand| hand.map(u64::from));
        let hash = mix(0, a | b << 16 | c << 32 | d << 48);
        [self.occupied, self.white, self.round]
            .into_iter()
            .fold(hash, |hash, set| self.geometry.mix_into(set, hash))
    }

    #[inline]
    fn ply(&self) -> u16 {
        self.ply
    }
}

impl<G: Geometry> Board for Simplexity<G> {
    fn info() -> &'static GameInfo {
        &INFO
    }

    fn rows(&self) -> u8 {
        self.geometry.rows()
    }

    fn cols(&self) -> u8 {
        self.geometry.cols()
    }

    fn piece(&self, cell: Cell) -> Option<Piece> {
        let index = self.geometry.index(cell);
        let side = if self.white.has(index) { Side::First } else { Side::Second };
        let kind = if self.round.has(index) { Kind::Round } else { Kind::Square };
        self.occupied.has(index).then_some(Piece { side, kind })
    }

    fn conceivable_moves(&self) -> Vec<Drop> {
        gravity::conceivable_columns(self.cols())
            .flat_map(|column| Shape::BOTH.map(|shape| Drop { column, shape }))
            .collect()
    }

    fn move_count(&self) -> usize {
        Shape::BOTH.len() * usize::from(self.cols())
    }

    fn move_number(&self, Drop { column, shape }: Drop) -> usize {
        Shape::BOTH.len() * usize::from(column.index()) + shape as usize
    }

    fn numbered_move(&self, number: usize) -> Drop {
        let (column, shape) = (number / Shape::BOTH.len(), number % Shape::BOTH.len());
        Drop { column: Column::new(column as u8), shape: Shape::BOTH[shape] }
    }

    fn hand(&self, side: Side) -> Vec<(Kind, u16)> {
        Shape::BOTH.map(|shape| (shape.kind(), self.in_hand(side, shape))).to_vec()
    }

    fn line(&self) -> Option<Vec<Cell>> {
        self.outcome?.winner()?;
        let (_, set) = self.winning_set()?;
        let mut line = runs::find_run(self.geometry, set)?;
        // As in the competition's framework: exactly one run from the lowest cell, even if more pieces of the line
        // follow.
        let run = usize::from(self.geometry.run());
        if line[0].row > line[1].row {
            line.drain(..line.len() - run);
        }
        line.truncate(run);
        Some(line)
    }

    fn touched(&self, Drop { column, .. }: Drop) -> Vec<Cell> {
        gravity::top(self.geometry, self.occupied, column.index()).into_iter().collect()
    }

    fn with_setup(&self, setup: &Setup) -> Result<Self, SetupError> {
        // `self` may be any position of the game: the placed pieces and those in hand add up to all.
        let [round, square] = Shape::BOTH.map(|shape| {
            let placed = self.colour(Side::First) & self.shape(shape);
            self.in_hand(Side::First, shape) + placed.count() as u16
        });
        let mut position = Self::new(self.geometry, [round, square]);
        for &(cell, letter) in &setup.letters {
            let Piece { side, kind } = notation::piece_of(&INFO, letter)?;
            let shape = if kind == Kind::Round { Shape::Round } else { Shape::Square };
            if position.in_hand(side, shape) == 0 {
                let found = setup.letters.iter().filter(|&&(_, other)| other == letter).count();
                let expected = usize::from([round, square][shape as usize]);
                return Err(SetupError::TooMany { letter, found, expected });
            }
            position.place(cell, side, shape);
        }
        let [first, second] = Side::BOTH.map(|side| position.colour(side).count() as usize);
        notation::check_turn(first, second, setup.turn)?;
        gravity::check_support(self.geometry, position.occupied)?;

        let without = |cell: Cell| {
            let others = !G::Bits::bit(self.geometry.index(cell));
            Self {
                occupied: position.occupied & others,
                white: position.white & others,
                round: position.round & others,
                ..position.clone()
            }
        };
        position.outcome = match position.winning_set() {
            Some((winner, _)) => {
                let mover = setup.turn.other();
                gravity::tops(self.geometry, position.occupied)
                    .filter(|&cell| position.piece(cell).is_some_and(|piece| piece.side == mover))
                    .find(|&cell| without(cell).winning_set().is_none())
                    .ok_or(SetupError::EndedBefore)?;
                Some(Outcome::Win(winner))
            }
            None => position.is_exhausted().then_some(Outcome::Draw),
        };
        Ok(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(moves: &str) -> Game<Simplexity<Fixed<6, 7, 4>>> {
        let mut game = Game::new(Simplexity::new(Fixed, [10, 11]));
        for m in moves.split(' ') {
            game.play(m.parse().unwrap()).unwrap();
        }
        game
    }

    #[test]
    fn a_colour_run_wins() {
        let game = play("1r 7s 2s 7r 3r 6r 4s");
        assert_eq!(game.outcome(), Some(Outcome::Win(Side::First)));
    }

    #[test]
    fn completing_the_opponents_shape_loses() {
        let game = play("1s 2s 3s 7r 4s");
        assert_eq!(game.outcome(), Some(Outcome::Win(Side::Second)));
    }

    #[test]
    fn shape_beats_colour() {
        // White completes four white squares in row 1: colour white, shape square.
        let game = play("1s 7r 2s 7r 3s 6r 4s");
        assert_eq!(game.outcome(), Some(Outcome::Win(Side::Second)));
    }

    #[test]
    fn an_empty_hand_is_refused() {
        let mut game = Game::new(Simplexity::new(Fixed::<6, 7, 4>, [1, 20]));
        for m in ["1r", "2r"] {
            game.play(m.parse().unwrap()).unwrap();
        }
        let error = game.play("3r".parse().unwrap()).unwrap_err();
        assert_eq!(error.to_string(), "no round piece is left in hand; choose another piece");
    }
}
