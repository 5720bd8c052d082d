//! Simplexity: pieces have a colour and a shape, and a run of either may decide.
//!
//! White (first) wins with white or round pieces in a line, red (second) with red or square ones,
//! whoever placed them. Shape beats colour.

use std::{fmt, str::FromStr};

use crate::{
    Bits, Board, Cell, Column, Geometry, Illegal, Kind, Move, Outcome, ParseMoveError, Piece, Position,
    Setup, SetupError, Side, bits::mix, gravity, notation, runs,
};

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

    /// The cells with pieces of a shape, whoever placed them.
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
        let over = self.outcome.is_some();
        let side = self.turn();
        self.geometry.open_columns(self.occupied).filter(move |_| !over).flat_map(move |column| {
            let drops = Shape::BOTH.map(|shape| Drop { column: Column::new(column), shape });
            drops.into_iter().filter(move |drop| self.in_hand(side, drop.shape) > 0)
        })
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
        self.round.mix_into(self.white.mix_into(self.occupied.mix_into(hash)))
    }

    #[inline]
    fn ply(&self) -> u16 {
        self.ply
    }
}

impl<G: Geometry> Board for Simplexity<G> {
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

    fn letter(piece: Piece) -> char {
        match (piece.side, piece.kind) {
            (Side::First, Kind::Round) => 'w',
            (Side::First, _) => 'W',
            (Side::Second, Kind::Round) => 'r',
            (Side::Second, _) => 'R',
        }
    }

    fn hand(&self, side: Side) -> Vec<(Kind, u16)> {
        Shape::BOTH.map(|shape| (shape.kind(), self.in_hand(side, shape))).to_vec()
    }

    fn line(&self) -> Option<Vec<Cell>> {
        self.outcome?.winner()?;
        let (_, set) = self.winning_set()?;
        let mut line = runs::find_run(self.geometry, set)?;
        // As in the competition's framework: exactly a run, though the pieces may go on.
        line.truncate(usize::from(self.geometry.run()));
        line.sort_unstable();
        Some(line)
    }

    fn touched(&self, Drop { column, .. }: Drop) -> Vec<Cell> {
        gravity::top(self.geometry, self.occupied, column.index()).into_iter().collect()
    }

    fn with_setup(&self, setup: &Setup) -> Result<Self, SetupError> {
        // `self` may be any position of the game: what is placed and what is in hand make the whole.
        let [round, square] = Shape::BOTH.map(|shape| {
            let placed = self.colour(Side::First) & self.shape(shape);
            self.in_hand(Side::First, shape) + placed.count() as u16
        });
        let mut position = Self::new(self.geometry, [round, square]);
        for &(cell, letter) in &setup.letters {
            let (side, shape) = match letter {
                'w' => (Side::First, Shape::Round),
                'W' => (Side::First, Shape::Square),
                'r' => (Side::Second, Shape::Round),
                'R' => (Side::Second, Shape::Square),
                _ => return Err(SetupError::Letter { letter, allowed: "w, W, r and R" }),
            };
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
    use crate::{Fixed, Game};

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
    fn completing_the_rivals_shape_loses() {
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
        assert_eq!(error.to_string(), "no round piece is left in hand: choose another piece");
    }
}
