//! ChessFive: drop sixteen chess pieces, then move them; five own pieces in a line win.

use std::{fmt, str::FromStr};

use crate::{
    Bits, Board, Cell, Direction, Geometry, Illegal, Kind, Move, Outcome, ParseMoveError, Piece, Position,
    Setup, SetupError, Side, bits::mix, column_letters, gravity, runs,
};

/// So many moves after the drops without a win are a draw.
const MOVES_TO_DRAW: u16 = 200;
/// A position of the chess phase seen so often is a draw.
const REPETITIONS_TO_DRAW: usize = 3;

/// The layout of the 8 × 8 board. It fills 64 bits without spare ones, so the starts of runs are
/// limited to where five cells do not wrap into the next column.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Chessboard;

const ROWS_1_TO_4: u64 = 0x0f0f_0f0f_0f0f_0f0f;

impl Geometry for Chessboard {
    type Bits = u64;

    #[inline]
    fn rows(self) -> u8 {
        8
    }

    #[inline]
    fn cols(self) -> u8 {
        8
    }

    #[inline]
    fn run(self) -> u8 {
        5
    }

    #[inline]
    fn stride(self) -> u32 {
        8
    }

    #[inline]
    fn run_starts(self, direction: Direction) -> u64 {
        match direction {
            Direction::Horizontal => !0,
            Direction::Vertical | Direction::Rising => ROWS_1_TO_4,
            Direction::Falling => !ROWS_1_TO_4,
        }
    }
}

/// A kind of chess piece.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Chessman {
    /// Slides along rows and columns.
    Rook,
    /// Jumps.
    Knight,
    /// Slides along diagonals.
    Bishop,
    /// Slides in all eight directions.
    Queen,
    /// Steps to a neighbouring cell.
    King,
}

impl Chessman {
    /// All five, in the order in which they are written.
    pub const ALL: [Self; 5] = [Self::Rook, Self::Knight, Self::Bishop, Self::Queen, Self::King];

    /// How many of it each side has.
    #[must_use]
    pub const fn per_side(self) -> u8 {
        match self {
            Self::Rook | Self::Knight | Self::Bishop => 2,
            Self::Queen | Self::King => 1,
        }
    }

    /// Its letter in moves, and in written positions of the first player.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Rook => 'R',
            Self::Knight => 'N',
            Self::Bishop => 'B',
            Self::Queen => 'Q',
            Self::King => 'K',
        }
    }

    fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|man| man.letter() == letter)
    }

    const fn kind(self) -> Kind {
        match self {
            Self::Rook => Kind::Rook,
            Self::Knight => Kind::Knight,
            Self::Bishop => Kind::Bishop,
            Self::Queen => Kind::Queen,
            Self::King => Kind::King,
        }
    }

    /// The empty cells that this piece reaches in one move from the cell with this bit.
    #[inline]
    #[must_use]
    pub fn reach(self, from: u32, occupied: u64) -> u64 {
        self.attacks(from, occupied) & !occupied
    }

    /// The cells that this piece looks at from the cell with this bit: what it reaches, and the first
    /// obstacle on each way.
    #[inline]
    #[must_use]
    pub fn attacks(self, from: u32, occupied: u64) -> u64 {
        let from = from as usize;
        match self {
            Self::Rook => slide(from, occupied, [0, 1], [4, 5]),
            Self::Bishop => slide(from, occupied, [2, 3], [6, 7]),
            Self::Queen => slide(from, occupied, [0, 1], [4, 5]) | slide(from, occupied, [2, 3], [6, 7]),
            Self::Knight => KNIGHT[from],
            Self::King => KING[from],
        }
    }
}

/// Columns and rows to go: up, right, right and up, right and down, then their opposites. Bits grow
/// along the first four and shrink along the others.
const RAY_STEPS: [(i8, i8); 8] = [(0, 1), (1, 0), (1, 1), (1, -1), (0, -1), (-1, 0), (-1, -1), (-1, 1)];
const KNIGHT_STEPS: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

static RAYS: [[u64; 64]; 8] = {
    let mut rays = [[0; 64]; 8];
    let mut way = 0;
    while way < 8 {
        rays[way] = reach_by_steps([RAY_STEPS[way]; 8], 7);
        way += 1;
    }
    rays
};
static KNIGHT: [u64; 64] = reach_by_steps(KNIGHT_STEPS, 1);
static KING: [u64; 64] = reach_by_steps(RAY_STEPS, 1);

/// The cells reached from each cell of an empty board by up to `times` of each step.
const fn reach_by_steps(steps: [(i8, i8); 8], times: i8) -> [u64; 64] {
    let mut reached = [0; 64];
    let mut from = 0;
    while from < 64 {
        let mut i = 0;
        while i < 8 {
            let mut n = 1;
            while n <= times {
                let column = (from / 8) as i8 + n * steps[i].0;
                let row = (from % 8) as i8 + n * steps[i].1;
                if column >= 0 && column < 8 && row >= 0 && row < 8 {
                    reached[from] |= 1 << (column * 8 + row);
                }
                n += 1;
            }
            i += 1;
        }
        from += 1;
    }
    reached
}

#[inline]
fn slide(from: usize, occupied: u64, growing: [usize; 2], shrinking: [usize; 2]) -> u64 {
    let mut reached = 0;
    for way in growing {
        let ray = RAYS[way][from];
        let blockers = ray & occupied;
        // All up to the lowest blocker; the whole ray if there is none.
        reached |= ray & (blockers ^ blockers.wrapping_sub(1));
    }
    for way in shrinking {
        let ray = RAYS[way][from];
        // Bit 0 stands in for a missing blocker: nothing is beyond it.
        let highest = 63 - (ray & occupied | 1).leading_zeros();
        reached |= ray & !0 << highest;
    }
    reached
}

/// A position of ChessFive.
///
/// ```
/// use alinea_rules::{ChessFive, Game, Position};
///
/// let mut game = Game::new(ChessFive::default());
/// game.play("Q@d".parse().unwrap()).unwrap();
/// assert_eq!(game.position().legal_moves().count(), 40);
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ChessFive {
    sides: [u64; 2],
    men: [u64; 5],
    in_hand: [[u8; 5]; 2],
    /// What both sides have in hand together.
    drops_left: u8,
    moves_made: u16,
    turn: Side,
    outcome: Option<Outcome>,
}

/// A drop or a move of a piece.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ChessFiveMove {
    /// Gravity phase: a piece falls into a column.
    Drop {
        /// What falls.
        man: Chessman,
        /// Counted from zero.
        column: u8,
    },
    /// Chess phase: a piece moves.
    Step {
        /// Where it stands.
        from: Cell,
        /// Where it goes.
        to: Cell,
    },
}

impl Move for ChessFiveMove {}

impl ChessFiveMove {
    /// The same move on the mirrored board.
    #[must_use]
    pub fn mirrored(self) -> Self {
        let mirrored = |cell: Cell| Cell::new(7 - cell.column, cell.row);
        match self {
            Self::Drop { man, column } => Self::Drop { man, column: 7 - column },
            Self::Step { from, to } => Self::Step { from: mirrored(from), to: mirrored(to) },
        }
    }
}

impl fmt::Display for ChessFiveMove {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Drop { man, column } => write!(f, "{}@{}", man.letter(), column_letters(*column)),
            Self::Step { from, to } => write!(f, "{from}{to}"),
        }
    }
}

impl FromStr for ChessFiveMove {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Self, ParseMoveError> {
        let cell = |text: Option<&str>| text?.parse().ok().filter(|&cell| Chessboard.contains(cell));
        let drop = || {
            let (man, column) = text.split_once('@')?;
            let mut letters = man.chars();
            let man = Chessman::from_letter(letters.next()?).filter(|_| letters.next().is_none())?;
            let column = crate::cell::parse_column(column).filter(|&column| column < Chessboard.cols())?;
            Some(Self::Drop { man, column })
        };
        let step = || Some(Self::Step { from: cell(text.get(..2))?, to: cell(text.get(2..))? });
        drop().or_else(step).ok_or_else(|| {
            ParseMoveError::new(text, "a drop such as Q@d (R, N, B, Q or K) or a move such as d1d5")
        })
    }
}

impl Default for ChessFive {
    /// The empty board.
    fn default() -> Self {
        Self {
            sides: [0; 2],
            men: [0; 5],
            in_hand: [Chessman::ALL.map(Chessman::per_side); 2],
            drops_left: 16,
            moves_made: 0,
            turn: Side::First,
            outcome: None,
        }
    }
}

impl ChessFive {
    /// Whether all pieces are on the board and now move.
    #[inline]
    #[must_use]
    pub fn is_chess_phase(&self) -> bool {
        self.drops_left == 0
    }

    /// The cells that are not empty.
    #[inline]
    #[must_use]
    pub fn occupied(&self) -> u64 {
        self.sides[0] | self.sides[1]
    }

    /// The cells with pieces of a side.
    #[inline]
    #[must_use]
    pub fn pieces(&self, side: Side) -> u64 {
        self.sides[side.index()]
    }

    /// The cells with pieces of a kind, of both sides.
    #[inline]
    #[must_use]
    pub fn men(&self, man: Chessman) -> u64 {
        self.men[man as usize]
    }

    /// How many pieces of a kind a side has in hand.
    #[inline]
    #[must_use]
    pub fn in_hand(&self, side: Side, man: Chessman) -> u8 {
        self.in_hand[side.index()][man as usize]
    }

    /// The position seen in a mirror, left and right exchanged: the rules are the same there.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        // A column is a byte.
        Self { sides: self.sides.map(u64::swap_bytes), men: self.men.map(u64::swap_bytes), ..self.clone() }
    }

    /// How many moves a side has, or would have if it were its turn.
    #[must_use]
    pub fn mobility(&self, side: Side) -> u32 {
        if self.is_chess_phase() {
            self.reaches(side).map(|(_, reach)| reach.count_ones()).sum()
        } else {
            let kinds = self.in_hand[side.index()].iter().filter(|&&count| count > 0).count();
            let columns = Chessboard.open_columns(self.occupied()).count();
            (kinds * columns) as u32
        }
    }

    /// The bit of each piece of a side on the board and the empty cells it would reach by a chess move.
    #[inline]
    pub fn reaches(&self, side: Side) -> impl Iterator<Item = (u32, u64)> {
        let occupied = self.occupied();
        Chessman::ALL.into_iter().flat_map(move |man| {
            members(self.men(man) & self.pieces(side)).map(move |from| (from, man.reach(from, occupied)))
        })
    }

    fn man_on(&self, cell: Cell) -> Option<Chessman> {
        let index = Chessboard.index(cell);
        Chessman::ALL.into_iter().find(|&man| self.men(man).has(index))
    }

    fn has_five(&self, side: Side) -> bool {
        runs::has_run(Chessboard, self.pieces(side))
    }

    /// The draw that the last move has brought about, if nobody has won.
    fn draw(&self) -> Option<Outcome> {
        let is_stuck = if self.is_chess_phase() {
            self.reaches(self.turn).all(|(_, reach)| reach == 0)
        } else {
            self.in_hand[self.turn.index()] == [0; 5]
        };
        (self.moves_made == MOVES_TO_DRAW || is_stuck).then_some(Outcome::Draw)
    }

    fn place(&mut self, man: Chessman, side: Side, index: u32) {
        self.sides[side.index()] |= 1 << index;
        self.men[man as usize] |= 1 << index;
        self.in_hand[side.index()][man as usize] -= 1;
        self.drops_left -= 1;
    }
}

/// The members of a set, smallest first.
#[inline]
pub fn members(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let lowest = Bits::lowest(set)?;
        set &= set - 1;
        Some(lowest)
    })
}

impl Position for ChessFive {
    type Move = ChessFiveMove;

    #[inline]
    fn turn(&self) -> Side {
        self.turn
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn legal_moves(&self) -> impl Iterator<Item = ChessFiveMove> {
        let side = self.turn();
        let over = self.outcome.is_some();
        let drops = Chessman::ALL
            .into_iter()
            .filter(move |&man| !over && self.in_hand(side, man) > 0)
            .flat_map(|man| {
                let columns = Chessboard.open_columns(self.occupied());
                columns.map(move |column| ChessFiveMove::Drop { man, column })
            });
        let steps = (!over && self.is_chess_phase()).then(|| self.reaches(side)).into_iter().flatten();
        drops.chain(steps.flat_map(|(from, reach)| {
            let from = Chessboard.cell(from);
            members(reach).map(move |to| ChessFiveMove::Step { from, to: Chessboard.cell(to) })
        }))
    }

    fn check(&self, m: ChessFiveMove) -> Result<(), Illegal> {
        match m {
            ChessFiveMove::Drop { .. } if self.is_chess_phase() => Err(Illegal::NothingToDrop),
            ChessFiveMove::Drop { man, .. } if self.in_hand(self.turn(), man) == 0 => {
                Err(Illegal::NoneInHand(man.kind()))
            }
            ChessFiveMove::Drop { column, .. } => {
                let checked = gravity::check_column(Chessboard, self.occupied(), crate::Column::new(column));
                checked.map_err(|illegal| match illegal {
                    Illegal::ColumnFull(_) => Illegal::LetteredColumnFull(column),
                    other => other,
                })
            }
            ChessFiveMove::Step { .. } if !self.is_chess_phase() => {
                let in_hand = Chessman::ALL.into_iter().find(|&man| self.in_hand(self.turn, man) > 0);
                Err(Illegal::DropFirst(in_hand.unwrap_or(Chessman::Rook).kind()))
            }
            ChessFiveMove::Step { from, to } => {
                for cell in [from, to] {
                    if !Chessboard.contains(cell) {
                        return Err(Illegal::NoSuchCell { cell, last: Cell::new(7, 7) });
                    }
                }
                let man = self.man_on(from).ok_or(Illegal::NoPiece(from))?;
                let (from_index, to_index) = (Chessboard.index(from), Chessboard.index(to));
                if !self.pieces(self.turn()).has(from_index) {
                    Err(Illegal::NotYours(from))
                } else if self.occupied().has(to_index) {
                    Err(Illegal::Occupied(to))
                } else if !man.reach(from_index, self.occupied()).has(to_index) {
                    Err(Illegal::Unreachable { kind: man.kind(), from, to })
                } else {
                    Ok(())
                }
            }
        }
    }

    #[inline]
    fn play_unchecked(&mut self, m: ChessFiveMove) {
        debug_assert!(self.is_legal(m));
        let mover = self.turn;
        match m {
            ChessFiveMove::Drop { man, column } => {
                let row = Chessboard.height(self.occupied(), column);
                self.place(man, mover, Chessboard.index(Cell::new(column, row)));
            }
            ChessFiveMove::Step { from, to } => {
                let from = 1 << Chessboard.index(from);
                let both = from | 1 << Chessboard.index(to);
                self.sides[mover.index()] ^= both;
                for men in &mut self.men {
                    if *men & from != 0 {
                        *men ^= both;
                    }
                }
                self.moves_made += 1;
            }
        }
        self.turn = mover.other();
        self.outcome = if self.has_five(mover) { Some(Outcome::Win(mover)) } else { self.draw() };
    }

    #[inline]
    fn key(&self) -> u64 {
        let hash = mix(self.turn.index() as u64 | u64::from(self.drops_left) << 1, self.sides[0]);
        // The kings are what is left when all others are known.
        self.men[..4].iter().fold(mix(hash, self.sides[1]), |hash, &men| mix(hash, men))
    }

    #[inline]
    fn ply(&self) -> u16 {
        self.occupied().count_ones() as u16 + self.moves_made
    }

    fn draws_when_seen(&self) -> Option<usize> {
        self.is_chess_phase().then_some(REPETITIONS_TO_DRAW)
    }
}

impl Board for ChessFive {
    fn rows(&self) -> u8 {
        Chessboard.rows()
    }

    fn cols(&self) -> u8 {
        Chessboard.cols()
    }

    fn piece(&self, cell: Cell) -> Option<Piece> {
        let kind = self.man_on(cell)?.kind();
        let first = self.pieces(Side::First).has(Chessboard.index(cell));
        Some(Piece { side: if first { Side::First } else { Side::Second }, kind })
    }

    fn letter(piece: Piece) -> char {
        let man = Chessman::ALL.into_iter().find(|man| man.kind() == piece.kind);
        let letter = man.expect("ChessFive has only chess pieces").letter();
        match piece.side {
            Side::First => letter,
            Side::Second => letter.to_ascii_lowercase(),
        }
    }

    fn hand(&self, side: Side) -> Vec<(Kind, u16)> {
        Chessman::ALL.map(|man| (man.kind(), u16::from(self.in_hand(side, man)))).to_vec()
    }

    fn writes_hand() -> bool {
        true
    }

    fn line(&self) -> Option<Vec<Cell>> {
        let winner = self.outcome?.winner()?;
        let mut line = runs::find_run(Chessboard, self.pieces(winner))?;
        line.sort_unstable();
        Some(line)
    }

    fn touched(&self, m: ChessFiveMove) -> Vec<Cell> {
        match m {
            ChessFiveMove::Drop { column, .. } => {
                gravity::top(Chessboard, self.occupied(), column).into_iter().collect()
            }
            ChessFiveMove::Step { from, to } => vec![from, to],
        }
    }

    fn with_setup(&self, setup: &Setup) -> Result<Self, SetupError> {
        let hand = setup.hand.as_deref().unwrap_or_default();
        let on_board = setup.letters.iter().map(|&(_, letter)| letter);
        let count =
            |wanted: char| on_board.clone().chain(hand.chars()).filter(|&letter| letter == wanted).count();
        for letter in on_board.clone().chain(hand.chars()) {
            if Chessman::from_letter(letter.to_ascii_uppercase()).is_none() {
                return Err(SetupError::Letter { letter, allowed: "R N B Q K and r n b q k" });
            }
        }
        for man in Chessman::ALL {
            for letter in [man.letter(), man.letter().to_ascii_lowercase()] {
                let (found, expected) = (count(letter), usize::from(man.per_side()));
                if found > expected {
                    return Err(SetupError::TooMany { letter, found, expected });
                }
                // With all on the board a study may have fewer pieces than the game.
                if found < expected && !hand.is_empty() {
                    return Err(SetupError::TooFew { letter, found, expected });
                }
            }
        }

        let side_of = |letter: char| if letter.is_ascii_uppercase() { Side::First } else { Side::Second };
        let man_of = |letter: char| {
            Chessman::from_letter(letter.to_ascii_uppercase()).expect("letters were checked above")
        };
        let mut position = Self { in_hand: [[0; 5]; 2], drops_left: 0, turn: setup.turn, ..Self::default() };
        for letter in on_board.clone().chain(hand.chars()) {
            position.in_hand[side_of(letter).index()][man_of(letter) as usize] += 1;
            position.drops_left += 1;
        }
        for side in Side::BOTH {
            let found = position.in_hand[side.index()].iter().map(|&count| usize::from(count)).sum();
            let expected = usize::from(Chessboard.run());
            if found < expected {
                return Err(SetupError::NoLinePossible { side, found, expected });
            }
        }
        for &(cell, letter) in &setup.letters {
            position.place(man_of(letter), side_of(letter), Chessboard.index(cell));
        }
        if position.is_chess_phase() {
            // How long the pieces have been moving is not written down: as short as the turn allows.
            position.moves_made = setup.turn.index() as u16;
        } else {
            let [first, second] = Side::BOTH.map(|side| position.pieces(side).count_ones() as usize);
            if (first + second) % 2 != setup.turn.index() {
                return Err(SetupError::Counts { first, second, turn: setup.turn });
            }
            gravity::check_support(Chessboard, position.occupied())?;
        }

        let mover = setup.turn.other();
        position.outcome = if Side::BOTH.into_iter().any(|side| position.has_five(side)) {
            let others = position.pieces(mover.other());
            let can_be_last = |&index: &u32| {
                let cell = Chessboard.cell(index);
                position.is_chess_phase()
                    || gravity::top(Chessboard, position.occupied(), cell.column) == Some(cell)
            };
            members(position.pieces(mover))
                .filter(can_be_last)
                .find(|last| {
                    let before = position.pieces(mover) & !(1 << last);
                    !runs::has_run(Chessboard, before) && !runs::has_run(Chessboard, others)
                })
                .ok_or(SetupError::EndedBefore)?;
            Some(Outcome::Win(mover))
        } else {
            position.draw()
        };
        Ok(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Game;

    const CENTRAL: &str = "Q@d Q@e R@d R@e R@d R@e B@c B@f B@c B@f N@b N@g N@b N@g K@d K@e";

    fn game(moves: &str) -> Game<ChessFive> {
        let mut game = Game::new(ChessFive::default());
        for m in moves.split(' ') {
            game.play(m.parse().unwrap()).unwrap();
        }
        game
    }

    #[test]
    fn no_legal_move_is_a_draw() {
        let game = game("N@a R@d N@b R@d R@c N@d R@a N@d B@b B@c B@a B@a Q@b Q@b K@c K@c");
        assert_eq!(game.outcome(), Some(Outcome::Draw));
        assert_eq!(game.legal_moves().count(), 0);
    }

    #[test]
    fn the_third_occurrence_is_a_draw() {
        let mut game = game(CENTRAL);
        for round in 0..2 {
            for m in ["d4c5", "e4f5", "c5d4", "f5e4"] {
                assert_eq!(game.outcome(), None, "round {round}");
                game.play(m.parse().unwrap()).unwrap();
            }
        }
        assert_eq!(game.outcome(), Some(Outcome::Draw));
        assert!(game.play("d4c5".parse().unwrap()).is_err());
        game.take_back();
        assert_eq!(game.outcome(), None);
    }

    #[test]
    fn the_mirror_commutes_with_play() {
        let mut mirrored = ChessFive::default();
        let mut position = ChessFive::default();
        for m in CENTRAL.split(' ').chain(["d4c5", "e4f5"]).map(|m| m.parse::<ChessFiveMove>().unwrap()) {
            position.play(m).unwrap();
            mirrored.play(m.mirrored()).unwrap();
            assert_eq!(position.mirrored(), mirrored);
        }
    }

    #[test]
    fn two_hundred_moves_are_a_draw() {
        let mut position = game(CENTRAL).position().clone();
        for ply in 0..200 {
            assert_eq!(position.outcome(), None, "ply {ply}");
            let m = ["d4c5", "e4f5", "c5d4", "f5e4"][ply % 4];
            position.play(m.parse().unwrap()).unwrap();
        }
        assert_eq!(position.outcome(), Some(Outcome::Draw));
    }
    #[test]
    fn a_covered_piece_did_not_fall_last() {
        let mut game = crate::AnyGame::from(crate::Spec::ChessFive);
        game.set_position("8/8/8/8/8/8/rrnnQ3/RRNNBb2[BKbqk] b").unwrap_err();
        game.set_position("8/8/8/8/8/8/rrnn4/RRNNB3[BQKbbqk] b").unwrap();
    }
    #[test]
    fn a_full_column_is_named_as_in_moves() {
        let mut game = game("R@a R@a N@a N@a R@a R@a N@a N@a");
        let error = game.play("Q@a".parse().unwrap()).unwrap_err();
        assert_eq!(error.to_string(), "column a is full: choose one with an empty cell");
    }
}
