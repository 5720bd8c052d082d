//! Gomoku: stones on any empty cell of a large board; a run of own stones wins. The rule set says whether a longer line
//! wins too, and what the first player must not do.

mod renju;

use std::fmt;

use crate::{
    Bits, Board, Cell, Custom, Foul, Game, Geometry, Illegal, Kind, Mark, Opening, Outcome, Piece, Position,
    Setup, SetupError, Side, Size, SpecError, Wide,
    info::{Bounds, CellStyle, Coordinates, GameInfo, PhaseInfo, PieceInfo, SideInfo, SizeInfo},
    mark,
    runs::{self, Length},
    spec, stones,
    view::{Forbidden, numbered_cell, reading_number},
};

/// The description of the game.
pub static INFO: GameInfo = GameInfo {
    id: "gomoku",
    title: "Gomoku",
    form: "gomoku[:ROWSxCOLSxRUN[:RULES]][:OPENING]",
    standard: "gomoku:15x15x5",
    rated: "gomoku:15x15x5:swap2",
    suggested: &[
        "gomoku:15x15x5",
        "gomoku:9x9x5",
        "gomoku:13x13x5",
        "gomoku:19x19x5",
        "gomoku:20x20x5",
        "gomoku:6x6x4",
    ],
    rule_sets: &["freestyle", "standard", "renju"],
    openings: &["free", "swap2", "pie"],
    size: SizeInfo {
        rows: Bounds::new(3, 25, 15),
        cols: Bounds::new(3, 25, 15),
        run: Bounds::new(3, 10, 5),
        run_fits: true,
        run_optional: false,
    },
    falls: false,
    coordinates: Coordinates::Cells,
    cells: CellStyle::Crossings,
    pieces: &[PieceInfo {
        kind: Kind::Stone,
        name: "stones",
        glyphs: ["disc", "ring"],
        symbols: ["○", "●"],
        letters: ['x', 'o'],
        count: None,
    }],
    sides: [
        SideInfo { key: "solid", name: "○", emblem: Kind::Stone },
        SideInfo { key: "outline", name: "●", emblem: Kind::Stone },
    ],
    phases: &[PhaseInfo { id: "place", asks: "cell" }],
    examples: &["h8"],
    mover_may_lose: false,
    odd: &[
        "gomoku:3x3x3",
        "gomoku:3x7x4",
        "gomoku:9x3x5",
        "gomoku:15x16x5",
        "gomoku:16x15x6",
        "gomoku:25x25x10",
        "gomoku:4x25x3",
        "gomoku:15x15x5:standard",
        "gomoku:6x7x3:standard",
        "gomoku:25x25x10:standard",
        "gomoku:15x15x5:renju",
        "gomoku:9x8x5:renju",
    ],
};

/// The shortest run that Swap2 cannot complete.
const SWAP2_RUN: u8 = 4;

/// What wins, and what the first player must not do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Rules {
    /// A run or more wins.
    #[default]
    Freestyle,
    /// Exactly a run wins; longer lines do not count.
    Standard,
    /// The first player wins with exactly five and must not make a longer line, two fours or two threes at once. The second
    /// wins with five or more.
    Renju,
}

impl Rules {
    const ALL: [Self; 3] = [Self::Freestyle, Self::Standard, Self::Renju];

    /// How it is written in specs.
    fn id(self) -> &'static str {
        INFO.rule_sets[self as usize]
    }

    /// The lines with which each side wins.
    #[inline]
    #[must_use]
    pub const fn lengths(self) -> [Length; 2] {
        match self {
            Self::Freestyle => [Length::AtLeast; 2],
            Self::Standard => [Length::Exactly; 2],
            Self::Renju => [Length::Exactly, Length::AtLeast],
        }
    }
}

/// The size of the board, the rules, and the opening.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Options {
    size: Size,
    rules: Rules,
    opening: Opening,
}

impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        spec::write_size(f, self.size)?;
        if self.rules == Rules::default() { Ok(()) } else { write!(f, ":{}", self.rules.id()) }
    }
}

impl spec::Options for Options {
    type Boards = Boards;

    fn info() -> &'static GameInfo {
        &INFO
    }

    fn read(options: Option<&str>) -> Result<Option<Self>, SpecError> {
        let (size, rules) = match options.and_then(|options| options.split_once(':')) {
            Some((size, id)) => (Some(size), Rules::ALL.into_iter().find(|rules| rules.id() == id)),
            None => (options, Some(Rules::default())),
        };
        let (Some(size), Some(rules)) = (spec::read_size(&INFO, size)?, rules) else { return Ok(None) };
        if rules == Rules::Renju && size.run() != INFO.size.run.usual {
            return Err(SpecError::RunOfRules {
                found: size.run(),
                rules: rules.id(),
                run: INFO.size.run.usual,
            });
        }
        Ok(Some(Self { size, rules, opening: Opening::Free }))
    }

    fn rule_set(self) -> Option<&'static str> {
        Some(self.rules.id())
    }

    fn with_usual_rules(self) -> Self {
        Self { rules: Rules::default(), ..self }
    }

    fn opening(self) -> Opening {
        self.opening
    }

    fn with_opening(self, opening: Opening) -> Result<Self, SpecError> {
        let refuse = |reason| Err(SpecError::Opening { opening: opening.id(), reason });
        if opening != Opening::Free && self.rules == Rules::Renju {
            return refuse("is not played by renju, whose first player is bound already");
        }
        if opening == Opening::Swap2 && self.size.run() < SWAP2_RUN {
            return refuse("needs a run of 4 or more, because it begins with up to three stones of one side");
        }
        Ok(Self { opening, ..self })
    }

    fn boards(self) -> Boards {
        let Self { size, rules, .. } = self;
        match Custom::new(size) {
            Some(geometry) => Boards::Usual(Game::new(Gomoku::new(geometry, rules))),
            None => {
                let geometry = Custom::new(size).expect("11 words hold the largest board");
                Boards::Large(Game::new(Gomoku::new(geometry, rules)))
            }
        }
    }
}

/// Boards of up to 256 bits, among them 15 × 15.
pub type Usual = Custom<Wide<4>>;
/// All others, up to 25 × 25.
pub type Large = Custom<Wide<11>>;

/// A game on one of the board types.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub enum Boards {
    Usual(Game<Gomoku<Usual>>),
    Large(Game<Gomoku<Large>>),
}

/// Evaluates an expression with the typed game.
#[doc(hidden)]
#[macro_export]
macro_rules! with_gomoku {
    ($boards:expr, $game:ident => $body:expr) => {
        match $boards {
            $crate::gomoku::Boards::Usual($game) => $body,
            $crate::gomoku::Boards::Large($game) => $body,
        }
    };
}

/// A position of Gomoku.
///
/// ```
/// use alinea_rules::{AnyGame, Outcome, Side, Spec};
///
/// let mut game = AnyGame::from("gomoku".parse::<Spec>().unwrap());
/// game.play_all("h8 a1 i8 a2 j8 a3 k8 a4 l8").unwrap();
/// assert_eq!(game.outcome(), Some(Outcome::Win(Side::First)));
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Gomoku<G: Geometry> {
    stones: [G::Bits; 2],
    ply: u16,
    outcome: Option<Outcome>,
    rules: Rules,
    geometry: G,
}

impl<G: Geometry> Gomoku<G> {
    /// The empty board.
    #[must_use]
    pub fn new(geometry: G, rules: Rules) -> Self {
        Self { stones: [G::Bits::ZERO; 2], ply: 0, outcome: None, rules, geometry }
    }

    /// The rule set.
    #[inline]
    #[must_use]
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The same position on another type of board of the same size.
    #[must_use]
    pub fn on<H: Geometry>(&self, geometry: H) -> Gomoku<H> {
        let mut copy = Gomoku { ply: self.ply, outcome: self.outcome, ..Gomoku::new(geometry, self.rules) };
        let cells = (0..geometry.cols())
            .flat_map(|column| (0..geometry.rows()).map(move |row| Cell::new(column, row)));
        for cell in cells {
            for (stones, copied) in self.stones.iter().zip(&mut copy.stones) {
                if stones.has(self.geometry.index(cell)) {
                    copied.insert(geometry.index(cell));
                }
            }
        }
        copy
    }

    /// The layout of the board.
    #[inline]
    #[must_use]
    pub fn geometry(&self) -> G {
        self.geometry
    }

    /// The cells that a side holds.
    #[inline]
    #[must_use]
    pub fn stones(&self, side: Side) -> G::Bits {
        self.stones[side.index()]
    }

    /// The cells that are not empty.
    #[inline]
    #[must_use]
    pub fn occupied(&self) -> G::Bits {
        self.stones[0] | self.stones[1]
    }

    /// What a stone of the side to move on an empty cell must not make, if it does.
    #[inline]
    #[must_use]
    pub fn foul(&self, cell: Cell) -> Option<Foul> {
        let is_bound = self.rules == Rules::Renju && self.turn() == Side::First;
        if is_bound { renju::foul(self.geometry, &self.stones, cell) } else { None }
    }

    /// The empty cells, by columns from the left, each from the bottom.
    #[inline]
    fn empty(&self) -> impl Iterator<Item = Cell> + use<G> {
        let (geometry, occupied) = (self.geometry, self.occupied());
        let mut next = Cell::new(0, 0);
        std::iter::from_fn(move || {
            while next.column < geometry.cols() {
                let cell = next;
                let is_top = cell.row + 1 == geometry.rows();
                next =
                    if is_top { Cell::new(cell.column + 1, 0) } else { Cell::new(cell.column, cell.row + 1) };
                if !occupied.has(geometry.index(cell)) {
                    return Some(cell);
                }
            }
            None
        })
    }

    /// Whether the board is full, or the side to move must not take any empty cell.
    fn is_stuck(&self) -> bool {
        self.ply == self.geometry.cells()
            || self.rules == Rules::Renju && self.empty().all(|cell| self.foul(cell).is_some())
    }
}

impl<G: Geometry> Position for Gomoku<G> {
    type Move = Mark;

    #[inline]
    fn turn(&self) -> Side {
        Side::after(self.ply)
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    #[inline]
    fn legal_moves(&self) -> impl Iterator<Item = Mark> {
        let empty = if self.outcome.is_some() { None } else { Some(self.empty()) };
        empty.into_iter().flatten().filter(|&cell| self.foul(cell).is_none()).map(Mark)
    }

    #[inline]
    fn legal_count(&self) -> usize {
        if self.outcome.is_none() && self.rules != Rules::Renju {
            return usize::from(self.geometry.cells() - self.ply);
        }
        self.legal_moves().count()
    }

    fn check(&self, Mark(cell): Mark) -> Result<(), Illegal> {
        mark::check(self.geometry, self.occupied(), cell)?;
        self.foul(cell).map_or(Ok(()), |foul| Err(Illegal::Foul { cell, foul }))
    }

    #[inline]
    fn play_unchecked(&mut self, Mark(cell): Mark) {
        debug_assert!(self.is_legal(Mark(cell)));
        let mover = self.turn();
        let length = self.rules.lengths()[mover.index()];
        let stones = &mut self.stones[mover.index()];
        stones.insert(self.geometry.index(cell));
        self.ply += 1;
        if runs::has_line_through(self.geometry, stones, cell, length) {
            self.outcome = Some(Outcome::Win(mover));
        } else if self.is_stuck() {
            self.outcome = Some(Outcome::Draw);
        }
    }

    #[inline]
    fn key(&self) -> u64 {
        self.geometry.mix_into(self.stones[1], self.geometry.mix_into(self.stones[0], 0))
    }

    #[inline]
    fn ply(&self) -> u16 {
        self.ply
    }
}

impl<G: Geometry> Board for Gomoku<G> {
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

    fn conceivable_moves(&self) -> Vec<Mark> {
        mark::conceivable(self.geometry).collect()
    }

    fn move_count(&self) -> usize {
        self.geometry.cells().into()
    }

    fn move_number(&self, Mark(cell): Mark) -> usize {
        reading_number(self.geometry.rows(), self.geometry.cols(), cell)
    }

    fn numbered_move(&self, number: usize) -> Mark {
        Mark(numbered_cell(self.geometry.rows(), self.geometry.cols(), number))
    }

    fn line(&self) -> Option<Vec<Cell>> {
        let winner = self.outcome?.winner()?;
        runs::find_line(self.geometry, self.stones[winner.index()], self.rules.lengths()[winner.index()])
    }

    fn touched(&self, Mark(cell): Mark) -> Vec<Cell> {
        vec![cell]
    }

    fn forbidden(&self) -> Vec<Forbidden> {
        let forbidden = |cell| Some(Forbidden { cell, foul: self.foul(cell)? });
        if self.outcome.is_some() { Vec::new() } else { self.empty().filter_map(forbidden).collect() }
    }

    fn with_setup(&self, setup: &Setup) -> Result<Self, SetupError> {
        let Self { geometry, rules, .. } = *self;
        let stones = stones::read::<Self, G>(geometry, setup)?;
        let ply = setup.letters.len() as u16;
        let has_won = mark::check_last_move(geometry, stones, setup.turn, rules.lengths())?;
        let mut position = Self { stones, ply, outcome: None, rules, geometry };
        position.outcome = if has_won {
            Some(Outcome::Win(setup.turn.other()))
        } else {
            position.is_stuck().then_some(Outcome::Draw)
        };
        Ok(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AnyGame, Spec, TicTacToe};

    fn game(spec: &str, moves: &str) -> AnyGame {
        let mut game = AnyGame::from(spec.parse::<Spec>().unwrap());
        game.play_all(moves).unwrap();
        game
    }

    #[test]
    fn more_than_a_run_wins_too_and_the_line_is_whole() {
        let game = game("gomoku", "a1 a3 b1 b3 c1 c3 e1 e3 f1 f3 d1");
        assert_eq!(game.outcome(), Some(Outcome::Win(Side::First)));
        assert_eq!(game.line().unwrap().len(), 6);
    }

    #[test]
    fn four_are_not_enough_and_lines_do_not_wrap() {
        // The top of one column and the bottom of the next are neighbours in memory only.
        let game = game("gomoku", "a13 h8 a14 h9 a15 i9 b1 i10 b2");
        assert_eq!(game.outcome(), None);
    }

    /// Known positions: a closed four has one answer, an open four none.
    #[test]
    fn an_open_four_cannot_be_stopped() {
        let wins = |game: &AnyGame| {
            let wins = |m: &String| {
                let mut next = game.clone();
                next.play(m).unwrap();
                next.outcome().is_some()
            };
            game.legal_moves().into_iter().filter(wins).collect::<Vec<_>>()
        };
        let open = game("gomoku", "h8 a1 i8 c1 j8 e1 k8 g1");
        assert_eq!(wins(&open), ["g8", "l8"]);
        let closed = game("gomoku", "h8 g8 i8 c1 j8 e1 k8 g1");
        assert_eq!(wins(&closed), ["l8"]);
    }

    /// On three by three cells with a run of three it is tic-tac-toe.
    #[test]
    fn the_smallest_board_is_tic_tac_toe() {
        let size = Size::new(3, 3, 3).unwrap();
        let start = Gomoku::new(Usual::new(size).unwrap(), Rules::Freestyle);
        for depth in 1..=9 {
            assert_eq!(crate::perft(&start, depth), crate::perft(&TicTacToe::default(), depth));
        }
    }
}
