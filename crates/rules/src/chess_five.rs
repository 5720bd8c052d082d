//! ChessFive: drop sixteen chess pieces, then move them; five own pieces in a line win.

mod board;
mod moves;

pub use self::{
    board::{Chessboard, Chessman, members},
    moves::ChessFiveMove,
};
use crate::{
    Bits, Board, Cell, Column, Geometry, Illegal, Kind, Outcome, Piece, Position, Setup, SetupError, Side,
    bits::mix,
    gravity,
    info::{CellStyle, Coordinates, GameInfo, PhaseInfo, PieceInfo, SideInfo, SizeInfo},
    notation, runs, spec,
    view::{numbered_cell, reading_number, reading_order},
};

/// A game without a win is drawn after this many moves of the chess phase.
const MOVES_TO_DRAW: u16 = 200;
/// A game is drawn when a position of the chess phase has occurred this often.
const REPETITIONS_TO_DRAW: usize = 3;
/// The number of ways to drop a piece: five kinds, eight columns.
const DROPS: usize = 5 * 8;
/// Most games are decided within this many plies of the chess phase.
const USUAL_CHESS_PLIES: u16 = 36;

/// The description of the game.
pub static INFO: GameInfo = GameInfo {
    id: "chess-five",
    title: "ChessFive",
    form: "chess-five",
    standard: "chess-five",
    rated: "chess-five",
    suggested: &[],
    rule_sets: &[],
    openings: &[],
    size: SizeInfo::fixed(8, 8, 5),
    falls: true,
    coordinates: Coordinates::Cells,
    cells: CellStyle::Chequered,
    pieces: &[
        man(Chessman::Rook, "rook", ["R", "r"]),
        man(Chessman::Knight, "knight", ["N", "n"]),
        man(Chessman::Bishop, "bishop", ["B", "b"]),
        man(Chessman::Queen, "queen", ["Q", "q"]),
        man(Chessman::King, "king", ["K", "k"]),
    ],
    sides: [
        SideInfo { key: "solid", name: "cyan", emblem: Kind::Knight },
        SideInfo { key: "outline", name: "magenta", emblem: Kind::Knight },
    ],
    phases: &[PhaseInfo { id: "drop", asks: "piece and column" }, PhaseInfo { id: "move", asks: "move" }],
    examples: &["Q@d", "d1d5"],
    mover_may_lose: false,
    odd: &[],
};

/// A kind of piece with its glyph and its letters.
const fn man(man: Chessman, glyph: &'static str, letters: [&'static str; 2]) -> PieceInfo {
    PieceInfo {
        kind: man.kind(),
        name: letters[0],
        glyphs: [glyph; 2],
        symbols: letters,
        letters: [man.letter(), man.letter().to_ascii_lowercase()],
        count: Some(man.per_side() as u16),
    }
}

spec::no_options!(ChessFive);

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
    /// The pieces that both sides have in hand together.
    drops_left: u8,
    moves_made: u16,
    turn: Side,
    outcome: Option<Outcome>,
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

    /// Each piece of a side on the board, as its bit, with the empty cells that it can reach by a chess move.
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

    #[inline]
    fn has_five(&self, side: Side) -> bool {
        runs::has_run(Chessboard, self.pieces(side))
    }

    /// Whether the last move, which did not win, has drawn the game.
    #[inline]
    fn draw(&self) -> Option<Outcome> {
        let is_stuck = if self.is_chess_phase() {
            self.reaches(self.turn).all(|(_, reach)| reach == 0)
        } else {
            self.in_hand[self.turn.index()] == [0; 5]
        };
        (self.moves_made == MOVES_TO_DRAW || is_stuck).then_some(Outcome::Draw)
    }

    #[inline]
    fn place(&mut self, man: Chessman, side: Side, index: u32) {
        self.sides[side.index()] |= 1 << index;
        self.men[man as usize] |= 1 << index;
        self.in_hand[side.index()][man as usize] -= 1;
        self.drops_left -= 1;
    }
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

    #[inline]
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

    #[inline]
    fn legal_count(&self) -> usize {
        let men = Chessman::ALL.into_iter().filter(|&man| self.in_hand(self.turn, man) > 0).count();
        if self.outcome.is_some() {
            0
        } else if self.is_chess_phase() {
            self.reaches(self.turn).map(|(_, reach)| reach.count_ones() as usize).sum()
        } else {
            men * Chessboard.open_columns(self.occupied()).count()
        }
    }

    fn check(&self, m: ChessFiveMove) -> Result<(), Illegal> {
        match m {
            ChessFiveMove::Drop { .. } if self.is_chess_phase() => Err(Illegal::NothingToDrop),
            ChessFiveMove::Drop { man, .. } if self.in_hand(self.turn(), man) == 0 => {
                Err(Illegal::NoneInHand(man.kind()))
            }
            ChessFiveMove::Drop { column, .. } => {
                let checked = gravity::check_column(Chessboard, self.occupied(), Column::new(column));
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
    fn info() -> &'static GameInfo {
        &INFO
    }

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

    fn conceivable_moves(&self) -> Vec<ChessFiveMove> {
        let drops = Chessman::ALL
            .into_iter()
            .flat_map(|man| (0..8).map(move |column| ChessFiveMove::Drop { man, column }));
        let steps = reading_order(8, 8)
            .flat_map(|from| reading_order(8, 8).map(move |to| ChessFiveMove::Step { from, to }));
        drops.chain(steps).collect()
    }

    fn move_count(&self) -> usize {
        DROPS + usize::from(Chessboard.cells()).pow(2)
    }

    /// Drops by piece and column, then moves by the cells where they begin and end.
    fn move_number(&self, m: ChessFiveMove) -> usize {
        let number = |cell| reading_number(Chessboard.rows(), Chessboard.cols(), cell);
        match m {
            ChessFiveMove::Drop { man, column } => {
                man as usize * usize::from(Chessboard.cols()) + usize::from(column)
            }
            ChessFiveMove::Step { from, to } => {
                DROPS + number(from) * usize::from(Chessboard.cells()) + number(to)
            }
        }
    }

    fn numbered_move(&self, number: usize) -> ChessFiveMove {
        let (cols, cells) = (usize::from(Chessboard.cols()), usize::from(Chessboard.cells()));
        match number.checked_sub(DROPS) {
            None => ChessFiveMove::Drop { man: Chessman::ALL[number / cols], column: (number % cols) as u8 },
            Some(step) => {
                let cell = |number| numbered_cell(Chessboard.rows(), Chessboard.cols(), number);
                ChessFiveMove::Step { from: cell(step / cells), to: cell(step % cells) }
            }
        }
    }

    fn max_plies(&self) -> u16 {
        u16::from(2 * Chessman::ALL.into_iter().map(Chessman::per_side).sum::<u8>()) + MOVES_TO_DRAW
    }

    fn plies_left(&self) -> u16 {
        u16::from(self.drops_left) + USUAL_CHESS_PLIES
    }

    fn hand(&self, side: Side) -> Vec<(Kind, u16)> {
        Chessman::ALL.map(|man| (man.kind(), u16::from(self.in_hand(side, man)))).to_vec()
    }

    fn writes_hand() -> bool {
        true
    }

    fn line(&self) -> Option<Vec<Cell>> {
        let winner = self.outcome?.winner()?;
        runs::find_run(Chessboard, self.pieces(winner))
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
            notation::piece_of(&INFO, letter)?;
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
        let mut game = crate::AnyGame::from(crate::Spec::ChessFive(Options));
        game.set_position("8/8/8/8/8/8/rrnnQ3/RRNNBb2[BKbqk] b").unwrap_err();
        game.set_position("8/8/8/8/8/8/rrnn4/RRNNB3[BQKbbqk] b").unwrap();
    }

    #[test]
    fn a_full_column_is_named_as_in_moves() {
        let mut game = game("R@a R@a N@a N@a R@a R@a N@a N@a");
        let error = game.play("Q@a".parse().unwrap()).unwrap_err();
        assert_eq!(error.to_string(), "column a is full; choose one with an empty cell");
    }
}
