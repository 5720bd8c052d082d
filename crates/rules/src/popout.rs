//! PopOut: Connect Four in which a turn may also take an own piece out of the bottom of a column, whose other pieces then
//! fall by one. So a board is never full for good, and a turn can complete lines of both sides.

use std::{fmt, str::FromStr};

use crate::{
    Bits, Board, Cell, Column, Game, Geometry, Illegal, Kind, Move, Outcome, ParseMoveError, Piece, Position,
    Setup, SetupError, Side, Size, Small, SpecError, gravity,
    info::{Bounds, CellStyle, Coordinates, GameInfo, PhaseInfo, PieceInfo, SideInfo, SizeInfo},
    runs, spec, stones,
};

/// The description of the game.
pub static INFO: GameInfo = GameInfo {
    id: "popout",
    title: "PopOut",
    form: "popout[:ROWSxCOLS[xRUN]]",
    standard: "popout:6x7x4",
    rated: "popout:6x7x4",
    suggested: &["popout:6x7x4", "popout:5x6x4", "popout:4x5x4", "popout:7x8x4"],
    rule_sets: &[],
    openings: &[],
    // Sizes that 64 bits hold.
    size: SizeInfo {
        rows: Bounds::new(1, 7, 6),
        cols: Bounds::new(1, 8, 7),
        run: Bounds::new(Size::MIN_RUN, 8, 4),
        run_fits: false,
        run_optional: true,
    },
    falls: true,
    coordinates: Coordinates::Columns,
    cells: CellStyle::RoundHoles,
    pieces: &[PieceInfo {
        kind: Kind::Stone,
        name: "discs",
        glyphs: ["disc", "ring"],
        symbols: ["○", "●"],
        letters: ['x', 'o'],
        count: None,
    }],
    sides: [
        SideInfo { key: "solid", name: "○", emblem: Kind::Stone },
        SideInfo { key: "outline", name: "●", emblem: Kind::Stone },
    ],
    phases: &[PhaseInfo { id: "drop-or-pop", asks: "column, or column and p" }],
    examples: &["4", "4p"],
    mover_may_lose: true,
    odd: &[
        "popout:1x1x3",
        "popout:1x8x3",
        "popout:7x1x3",
        "popout:2x2x3",
        "popout:3x3x3",
        "popout:4x5x3",
        "popout:7x8x8",
    ],
};

/// The size of the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Options(pub Size);

impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        spec::write_size(f, self.0)
    }
}

impl spec::Options for Options {
    type Boards = Game<PopOut>;

    fn info() -> &'static GameInfo {
        &INFO
    }

    fn read(options: Option<&str>) -> Result<Option<Self>, SpecError> {
        Ok(spec::read_size(&INFO, options)?.map(Self))
    }

    fn boards(self) -> Self::Boards {
        Game::new(PopOut::new(Small::new(self.0).expect("64 bits hold all sizes of the game")))
    }
}

/// A turn: a piece dropped into a column (`4`), or an own piece taken out of its bottom (`4p`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PopOutMove {
    /// A piece falls into this column.
    Drop(Column),
    /// The lowest piece of this column leaves the board, and the others of the column fall by one.
    Pop(Column),
}

impl Move for PopOutMove {}

impl fmt::Display for PopOutMove {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Drop(column) => column.fmt(f),
            Self::Pop(column) => write!(f, "{column}p"),
        }
    }
}

impl FromStr for PopOutMove {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Self, ParseMoveError> {
        let column = |number: &str| {
            number.parse().map_err(|_| {
                ParseMoveError::new(text, "a column number such as 4, or 4p to take out its lowest piece")
            })
        };
        match text.strip_suffix('p') {
            Some(number) => column(number).map(Self::Pop),
            None => column(text).map(Self::Drop),
        }
    }
}

/// A position of PopOut.
///
/// ```
/// use alinea_rules::{AnyGame, Outcome, Side, Spec};
///
/// let mut game = AnyGame::from("popout".parse::<Spec>().unwrap());
/// game.play_all("1 2 1 2 1p").unwrap();
/// assert_eq!(game.position(), "7/7/7/7/1o5/xo5 b");
/// game.play("1p").unwrap_err();
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct PopOut {
    stones: [u64; 2],
    ply: u16,
    outcome: Option<Outcome>,
    geometry: Small,
}

impl PopOut {
    /// The empty board.
    #[must_use]
    pub fn new(geometry: Small) -> Self {
        let mut start = Self { stones: [0; 2], ply: 0, outcome: None, geometry };
        start.outcome = start.result();
        start
    }

    /// The layout of the board.
    #[inline]
    #[must_use]
    pub fn geometry(&self) -> Small {
        self.geometry
    }

    /// The cells that a side holds.
    #[inline]
    #[must_use]
    pub fn stones(&self, side: Side) -> u64 {
        self.stones[side.index()]
    }

    /// The cells that are not empty.
    #[inline]
    #[must_use]
    pub fn occupied(&self) -> u64 {
        self.stones[0] | self.stones[1]
    }

    /// The columns whose lowest piece belongs to a side, from the left.
    #[inline]
    pub fn own_bottoms(&self, side: Side) -> impl Iterator<Item = u8> {
        let (geometry, own) = (self.geometry, self.stones(side));
        (0..geometry.cols()).filter(move |&column| own.has(bottom(geometry, column)))
    }

    /// The side that wins if `side` takes out the lowest piece of a column, which must be its own.
    #[inline]
    #[must_use]
    pub fn popped_by(&self, side: Side, column: u8) -> Option<Side> {
        let after = self.stones.map(|stones| popped(self.geometry, stones, column));
        winner(self.geometry, after, side)
    }

    /// A side's pieces after the lowest piece of a column was taken out.
    #[must_use]
    pub fn stones_after_pop(&self, side: Side, column: u8) -> u64 {
        popped(self.geometry, self.stones[side.index()], column)
    }

    /// The result, if the game is over.
    #[inline]
    fn result(&self) -> Option<Outcome> {
        let turn = self.turn();
        match winner(self.geometry, self.stones, turn.other()) {
            Some(side) => Some(Outcome::Win(side)),
            None => {
                let open = self.geometry.open_columns(self.occupied()).next();
                (open.is_none() && self.own_bottoms(turn).next().is_none()).then_some(Outcome::Draw)
            }
        }
    }
}

/// The bit of the lowest cell of a column.
#[inline]
fn bottom(geometry: Small, column: u8) -> u32 {
    geometry.index(Cell::new(column, 0))
}

/// The bits of the cells of a column.
#[inline]
fn cells(geometry: Small, column: u8) -> u64 {
    !(u64::MAX << geometry.rows()) << bottom(geometry, column)
}

/// A side's pieces without the lowest cell of a column, the others of the column fallen by one.
#[inline]
fn popped(geometry: Small, stones: u64, column: u8) -> u64 {
    let cells = cells(geometry, column);
    stones & !cells | (stones & cells) >> 1 & cells
}

/// A side's pieces as they were before a column fell: room for one more at its bottom.
fn lifted(geometry: Small, stones: u64, column: u8) -> u64 {
    let cells = cells(geometry, column);
    stones & !cells | (stones & cells) << 1
}

/// The side that has a run; the side that has just moved, if both have.
#[inline]
fn winner(geometry: Small, stones: [u64; 2], mover: Side) -> Option<Side> {
    [mover, mover.other()].into_iter().find(|side| runs::has_run(geometry, stones[side.index()]))
}

impl Position for PopOut {
    type Move = PopOutMove;

    #[inline]
    fn turn(&self) -> Side {
        Side::after(self.ply)
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Drops come before pops.
    #[inline]
    fn legal_moves(&self) -> impl Iterator<Item = PopOutMove> {
        let over = self.outcome.is_some();
        let drops =
            self.geometry.open_columns(self.occupied()).map(|column| PopOutMove::Drop(Column::new(column)));
        let pops = self.own_bottoms(self.turn()).map(|column| PopOutMove::Pop(Column::new(column)));
        drops.chain(pops).filter(move |_| !over)
    }

    fn check(&self, m: PopOutMove) -> Result<(), Illegal> {
        match m {
            PopOutMove::Drop(column) => gravity::check_column(self.geometry, self.occupied(), column),
            PopOutMove::Pop(column) => {
                gravity::check_exists(self.geometry, column)?;
                let lowest = bottom(self.geometry, column.index());
                if self.stones(self.turn()).has(lowest) {
                    Ok(())
                } else if self.occupied().has(lowest) {
                    Err(Illegal::NotYoursToPop(column))
                } else {
                    Err(Illegal::NothingToPop(column))
                }
            }
        }
    }

    #[inline]
    fn play_unchecked(&mut self, m: PopOutMove) {
        debug_assert!(self.is_legal(m));
        match m {
            PopOutMove::Drop(column) => {
                let landing = gravity::landing(self.geometry, self.occupied(), column);
                self.stones[self.turn().index()].insert(self.geometry.index(landing));
            }
            PopOutMove::Pop(column) => {
                self.stones = self.stones.map(|stones| popped(self.geometry, stones, column.index()));
            }
        }
        // Nothing bounds a game but repetition; whose turn it is survives the turn of the counter.
        self.ply = self.ply.wrapping_add(1);
        self.outcome = self.result();
    }

    /// Every turn adds or removes one piece, so the pieces tell whose turn it is.
    #[inline]
    fn key(&self) -> u64 {
        self.geometry.mix_into(self.stones[1], self.geometry.mix_into(self.stones[0], 0))
    }

    #[inline]
    fn ply(&self) -> u16 {
        self.ply
    }

    fn draws_when_seen(&self) -> Option<usize> {
        Some(3)
    }
}

impl Board for PopOut {
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
        stones::piece(self.geometry, &self.stones, cell)
    }

    fn conceivable_moves(&self) -> Vec<PopOutMove> {
        let columns = || gravity::conceivable_columns(self.cols());
        columns().map(PopOutMove::Drop).chain(columns().map(PopOutMove::Pop)).collect()
    }

    fn move_count(&self) -> usize {
        2 * usize::from(self.cols())
    }

    #[inline]
    fn move_number(&self, m: PopOutMove) -> usize {
        match m {
            PopOutMove::Drop(column) => usize::from(column.index()),
            PopOutMove::Pop(column) => usize::from(self.cols() + column.index()),
        }
    }

    #[inline]
    fn numbered_move(&self, number: usize) -> PopOutMove {
        match (number as u8).checked_sub(self.cols()) {
            Some(column) => PopOutMove::Pop(Column::new(column)),
            None => PopOutMove::Drop(Column::new(number as u8)),
        }
    }

    fn max_plies(&self) -> u16 {
        u16::MAX
    }

    /// A board fills, and is played on.
    fn plies_left(&self) -> u16 {
        self.geometry.cells().saturating_sub(self.ply).max(u16::from(self.geometry.cols()) * 2)
    }

    fn line(&self) -> Option<Vec<Cell>> {
        stones::line(self.geometry, &self.stones, self.outcome)
    }

    fn touched(&self, m: PopOutMove) -> Vec<Cell> {
        match m {
            PopOutMove::Drop(column) => {
                gravity::top(self.geometry, self.occupied(), column.index()).into_iter().collect()
            }
            PopOutMove::Pop(column) => {
                let height = self.geometry.height(self.occupied(), column.index());
                (0..=height).rev().map(|row| Cell::new(column.index(), row)).collect()
            }
        }
    }

    fn with_setup(&self, setup: &Setup) -> Result<Self, SetupError> {
        let geometry = self.geometry;
        let stones = stones::placed::<Self, _>(geometry, setup)?;
        let pieces = setup.letters.len();
        if pieces % 2 != setup.turn.index() {
            return Err(SetupError::Parity { pieces, turn: setup.turn });
        }
        gravity::check_support(geometry, stones[0] | stones[1])?;

        let ended = |stones: [u64; 2]| stones.map(|stones| runs::has_run(geometry, stones)).contains(&true);
        let mover = setup.turn.other();
        let of_mover = |stones: [u64; 2], change: &dyn Fn(u64) -> u64| {
            let mut before = stones;
            before[mover.index()] = change(before[mover.index()]);
            before
        };
        let dropped = || {
            gravity::tops(geometry, stones[0] | stones[1])
                .map(|top| u64::bit(geometry.index(top)))
                .filter(|last| stones[mover.index()] & last != 0)
                .map(|last| of_mover(stones, &|own| own & !last))
        };
        let taken_out = || {
            geometry.open_columns(stones[0] | stones[1]).map(|column| {
                let before = stones.map(|stones| lifted(geometry, stones, column));
                of_mover(before, &|own| own | u64::bit(bottom(geometry, column)))
            })
        };
        if ended(stones) && dropped().chain(taken_out()).all(ended) {
            return Err(SetupError::EndedBefore);
        }
        let mut read = Self { stones, ply: pieces as u16, outcome: None, geometry };
        read.outcome = read.result();
        Ok(read)
    }

    /// Splits a string such as `454p3` into moves: every column is a single digit.
    fn split_moves<'a>(&self, word: &'a str) -> Vec<&'a str> {
        let is_column = |c: char| c.is_ascii_digit();
        if !word.starts_with(is_column) || !word.chars().all(|c| is_column(c) || c == 'p') {
            return vec![word];
        }
        let begins: Vec<_> = word.match_indices(is_column).map(|(at, _)| at).collect();
        let ends = begins.iter().copied().skip(1).chain([word.len()]);
        begins.iter().zip(ends).map(|(&at, end)| &word[at..end]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AnyGame, MoveError, PlayError, Spec};

    fn played(spec: &str, moves: &str) -> AnyGame {
        let mut game = AnyGame::from(spec.parse::<Spec>().unwrap());
        game.play_all(moves).unwrap();
        game
    }

    fn at(spec: &str, position: &str) -> Result<AnyGame, SetupError> {
        let mut game = AnyGame::from(spec.parse::<Spec>().unwrap());
        game.set_position(position)?;
        Ok(game)
    }

    #[test]
    fn the_pieces_of_a_column_fall_by_one_when_its_lowest_is_taken_out() {
        let mut game = played("popout", "4 4 4 5");
        assert_eq!(game.position(), "7/7/7/3x3/3o3/3xo2 w");
        game.play("4p").unwrap();
        assert_eq!(game.position(), "7/7/7/7/3x3/3oo2 b");
        let cells = |cells: Vec<Cell>| cells.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(cells(game.view().last), ["d3", "d2", "d1"]);
        game.play("5p").unwrap();
        assert_eq!(game.position(), "7/7/7/7/3x3/3o3 w");
        assert_eq!(cells(game.view().last), ["e1"]);
    }

    #[test]
    fn only_an_own_piece_at_the_bottom_can_be_taken_out() {
        let mut game = played("popout", "4");
        let refused = |game: &mut AnyGame, m: &str| game.play(m).unwrap_err();
        let columns = |number: &str| number.parse::<Column>().unwrap();
        let illegal = |illegal| MoveError::Play(PlayError::Illegal(illegal));
        assert_eq!(refused(&mut game, "4p"), illegal(Illegal::NotYoursToPop(columns("4"))));
        assert_eq!(refused(&mut game, "3p"), illegal(Illegal::NothingToPop(columns("3"))));
        assert_eq!(
            refused(&mut game, "8p"),
            illegal(Illegal::NoSuchColumn { column: columns("8"), cols: 7 })
        );
        assert_eq!(
            refused(&mut game, "p").to_string(),
            "“p” is not a move; expected a column number such as 4, or 4p to take out its lowest piece"
        );
    }

    #[test]
    fn a_turn_that_makes_lines_of_both_sides_wins_for_who_made_it() {
        // When column 1 falls, its pieces meet a pair of each side, or of one.
        for (position, winner) in [
            ("5/o4/xoo2/oxx2 b", Side::Second),
            ("5/x4/oxx2/xoo1o w", Side::First),
            ("5/5/x4/oxx1o b", Side::First),
        ] {
            let mut game = at("popout:4x5x3", position).unwrap_or_else(|error| panic!("{position}: {error}"));
            game.play("1p").unwrap();
            assert_eq!(game.outcome(), Some(Outcome::Win(winner)), "{position}");
            assert!(game.line().is_some());
        }
    }

    #[test]
    fn written_positions_are_refused_if_no_turn_leads_there() {
        let refused = |position: &str| at("popout:4x5x3", position).map(|_| ()).unwrap_err();
        assert_eq!(refused("5/5/5/x4 w"), SetupError::Parity { pieces: 1, turn: Side::First });
        assert_eq!(
            refused("5/5/x4/1x3 w").to_string(),
            "the piece on a2 floats; pieces rest on the bottom or on another piece"
        );
        // A row of three under others: nothing was dropped or taken out there.
        assert_eq!(refused("ooo2/xox2/oxo2/xxxo1 b"), SetupError::EndedBefore);
        assert!(at("popout:4x5x3", "5/5/5/oooo1 w").is_ok(), "a side may have all pieces");
    }

    #[test]
    fn a_side_without_a_turn_draws() {
        // The last piece fills the board, and the other side has none at the bottom.
        let mut game = at("popout:2x2x3", "x1/xx b").unwrap();
        game.play("2").unwrap();
        assert_eq!((game.outcome(), game.line()), (None, None), "pieces can be taken out");
        let mut game = at("popout:2x2x3", "o1/oo b").unwrap();
        game.play("2").unwrap();
        assert_eq!(game.outcome(), Some(Outcome::Draw));
    }

    #[test]
    fn a_position_seen_for_the_third_time_is_a_draw() {
        let mut game = played("popout", "1 2 1p 2p 1 2 1p");
        assert_eq!(game.outcome(), None);
        game.play("2p").unwrap();
        assert_eq!(game.outcome(), Some(Outcome::Draw));
        assert_eq!(game.position(), "7/7/7/7/7/7 w");
    }

    #[test]
    fn moves_without_spaces_are_split_with_their_letters() {
        assert_eq!(played("popout", "454p5p3").moves(), ["4", "5", "4p", "5p", "3"]);
        let mut game = played("popout", "");
        assert!(game.play_all("4pp").unwrap_err().to_string().starts_with("“4pp” is not a move"));
    }
}
