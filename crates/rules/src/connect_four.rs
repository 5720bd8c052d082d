//! Connect Four of any size: a piece falls to the lowest empty cell; a run of own pieces wins.

use std::fmt;

use crate::{
    Bits, Board, Cell, Column, Custom, Fixed, Game, Geometry, Huge, Illegal, Kind, Large, Medium, Move,
    Opening, Outcome, Piece, Position, Setup, SetupError, Side, Size, Small, SpecError, Standard, gravity,
    info::{Bounds, CellStyle, Coordinates, GameInfo, PhaseInfo, PieceInfo, SideInfo, SizeInfo},
    runs, spec, stones,
};

/// The description of the game.
pub static INFO: GameInfo = GameInfo {
    id: "connect-four",
    title: "Connect Four",
    form: "connect-four[:ROWSxCOLS[xRUN]][:OPENING]",
    standard: "connect-four:6x7x4",
    rated: "connect-four:6x7x4",
    suggested: &[
        "connect-four:6x7x4",
        "connect-four:5x6x4",
        "connect-four:7x8x4",
        "connect-four:8x8x4",
        "connect-four:7x9x4",
        "connect-four:9x9x5",
    ],
    rule_sets: &[],
    openings: &["free", "pie"],
    size: SizeInfo {
        rows: Bounds::new(1, Size::MAX_SIDE, 6),
        cols: Bounds::new(1, Size::MAX_SIDE, 7),
        run: Bounds::new(Size::MIN_RUN, Size::MAX_RUN, 4),
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
    phases: &[PhaseInfo { id: "drop", asks: "column" }],
    examples: &["4"],
    mover_may_lose: false,
    odd: &[
        "connect-four:1x1x3",
        "connect-four:2x2x3",
        "connect-four:4x5x3",
        "connect-four:7x8x4",
        "connect-four:8x7x5",
        "connect-four:8x8x4",
        "connect-four:10x10x4",
        "connect-four:15x8x4",
        "connect-four:9x37x5",
        "connect-four:63x8x6",
        "connect-four:64x64x16",
        "connect-four:64x64x3",
        "connect-four:1x64x3",
        "connect-four:64x1x4",
    ],
};

/// The size of the board, and the opening.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Options {
    size: Size,
    opening: Opening,
}

impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        spec::write_size(f, self.size)
    }
}

impl spec::Options for Options {
    type Boards = Boards;

    fn info() -> &'static GameInfo {
        &INFO
    }

    fn read(options: Option<&str>) -> Result<Option<Self>, SpecError> {
        Ok(spec::read_size(&INFO, options)?.map(|size| Self { size, opening: Opening::Free }))
    }

    fn opening(self) -> Opening {
        self.opening
    }

    fn with_opening(self, opening: Opening) -> Result<Self, SpecError> {
        Ok(Self { opening, ..self })
    }

    fn boards(self) -> Boards {
        fn start<G: Geometry>(geometry: G) -> Game<ConnectFour<G>> {
            Game::new(ConnectFour::new(geometry))
        }
        let Self { size, .. } = self;
        if size == INFO.size.usual() {
            Boards::Standard(start(Fixed))
        } else if let Some(geometry) = Custom::new(size) {
            Boards::Small(start(geometry))
        } else if let Some(geometry) = Custom::new(size) {
            Boards::Medium(start(geometry))
        } else if let Some(geometry) = Custom::new(size) {
            Boards::Large(start(geometry))
        } else {
            Boards::Huge(start(Custom::new(size).expect("65 words hold the largest board")))
        }
    }
}

/// A game on one of the board types.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub enum Boards {
    Standard(Game<ConnectFour<Standard>>),
    Small(Game<ConnectFour<Small>>),
    Medium(Game<ConnectFour<Medium>>),
    Large(Game<ConnectFour<Large>>),
    Huge(Game<ConnectFour<Huge>>),
}

/// Evaluates an expression with the typed game.
#[doc(hidden)]
#[macro_export]
macro_rules! with_connect_four {
    ($boards:expr, $game:ident => $body:expr) => {
        match $boards {
            $crate::connect_four::Boards::Standard($game) => $body,
            $crate::connect_four::Boards::Small($game) => $body,
            $crate::connect_four::Boards::Medium($game) => $body,
            $crate::connect_four::Boards::Large($game) => $body,
            $crate::connect_four::Boards::Huge($game) => $body,
        }
    };
}

/// A position of Connect Four.
///
/// ```
/// use alinea_rules::{ConnectFour, Fixed, Game, Outcome, Side};
///
/// let mut game = Game::new(ConnectFour::new(Fixed::<6, 7, 4>));
/// for m in "4455667".chars() {
///     game.play(m.to_string().parse().unwrap()).unwrap();
/// }
/// assert_eq!(game.outcome(), Some(Outcome::Win(Side::First)));
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ConnectFour<G: Geometry> {
    stones: [G::Bits; 2],
    ply: u16,
    outcome: Option<Outcome>,
    geometry: G,
}

impl Move for Column {}

impl<G: Geometry> ConnectFour<G> {
    /// The empty board.
    #[must_use]
    pub fn new(geometry: G) -> Self {
        Self { stones: [G::Bits::ZERO; 2], ply: 0, outcome: None, geometry }
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

    /// The same position on words of 64 bits, if they hold the board.
    #[must_use]
    pub fn on_64_bits(&self) -> Option<ConnectFour<Small>> {
        let geometry = self.geometry;
        let size = Size::new(geometry.rows().into(), geometry.cols().into(), geometry.run().into()).ok()?;
        let small = Small::new(size)?;
        let stride = geometry.stride();
        let column_of = |stones: G::Bits, column: u8| {
            let start = u32::from(column) * stride;
            (stones.window(start) & !(!0 << geometry.rows())) << start
        };
        let stones = self
            .stones
            .map(|stones| (0..geometry.cols()).fold(0, |all, column| all | column_of(stones, column)));
        Some(ConnectFour { stones, ply: self.ply, outcome: self.outcome, geometry: small })
    }

    /// The cell where a piece dropped into an open column comes to rest.
    #[inline]
    #[must_use]
    pub fn landing(&self, column: Column) -> Cell {
        gravity::landing(self.geometry, self.occupied(), column)
    }
}

impl<G: Geometry> Position for ConnectFour<G> {
    type Move = Column;

    #[inline]
    fn turn(&self) -> Side {
        Side::after(self.ply)
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    #[inline]
    fn legal_moves(&self) -> impl Iterator<Item = Column> {
        let over = self.outcome.is_some();
        self.geometry.open_columns(self.occupied()).filter(move |_| !over).map(Column::new)
    }

    fn check(&self, column: Column) -> Result<(), Illegal> {
        gravity::check_column(self.geometry, self.occupied(), column)
    }

    #[inline]
    fn play_unchecked(&mut self, m: Column) {
        debug_assert!(self.is_legal(m));
        let mover = self.turn();
        let placed = G::Bits::bit(self.geometry.index(self.landing(m)));
        let stones = &mut self.stones[mover.index()];
        *stones = *stones | placed;
        self.ply += 1;
        if runs::has_run(self.geometry, *stones) {
            self.outcome = Some(Outcome::Win(mover));
        } else if self.ply == self.geometry.cells() {
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

impl<G: Geometry> Board for ConnectFour<G> {
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

    fn conceivable_moves(&self) -> Vec<Column> {
        gravity::conceivable_columns(self.cols()).collect()
    }

    fn move_count(&self) -> usize {
        self.cols().into()
    }

    #[inline]
    fn move_number(&self, column: Column) -> usize {
        column.index().into()
    }

    #[inline]
    fn numbered_move(&self, number: usize) -> Column {
        Column::new(number as u8)
    }

    fn line(&self) -> Option<Vec<Cell>> {
        stones::line(self.geometry, &self.stones, self.outcome)
    }

    fn touched(&self, column: Column) -> Vec<Cell> {
        gravity::top(self.geometry, self.occupied(), column.index()).into_iter().collect()
    }

    fn with_setup(&self, setup: &Setup) -> Result<Self, SetupError> {
        let geometry = self.geometry;
        let stones = stones::read::<Self, G>(geometry, setup)?;
        gravity::check_support(geometry, stones[0] | stones[1])?;

        let mover = setup.turn.other();
        let ply = setup.letters.len() as u16;
        let won = |stones: [G::Bits; 2]| stones.map(|stones| runs::has_run(geometry, stones));
        let outcome = if won(stones).contains(&true) {
            gravity::tops(geometry, stones[0] | stones[1])
                .map(|top| G::Bits::bit(geometry.index(top)))
                .find(|&last| {
                    let mut before = stones;
                    before[mover.index()] = before[mover.index()] & !last;
                    !won(before).contains(&true)
                })
                .ok_or(SetupError::EndedBefore)?;
            Some(Outcome::Win(mover))
        } else {
            (ply == geometry.cells()).then_some(Outcome::Draw)
        };
        Ok(Self { stones, ply, outcome, geometry })
    }

    /// Splits a string such as `4455` into moves, if every column is a single digit.
    fn split_moves<'a>(&self, word: &'a str) -> Vec<&'a str> {
        if self.cols() <= 9 && word.bytes().all(|b| b.is_ascii_digit()) {
            (0..word.len()).map(|i| &word[i..=i]).collect()
        } else {
            vec![word]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_a_run_wins_too_and_the_line_is_whole() {
        let mut game = Game::new(ConnectFour::new(Fixed::<6, 7, 4>));
        for m in "112244556".chars() {
            game.play(m.to_string().parse().unwrap()).unwrap();
        }
        game.play("7".parse().unwrap()).unwrap();
        game.play("3".parse().unwrap()).unwrap();
        assert_eq!(game.outcome(), Some(Outcome::Win(Side::First)));
        assert_eq!(game.position().line().unwrap().len(), 6);
    }

    #[test]
    fn narrower_words_hold_the_same_position() {
        let size = Size::new(6, 7, 4).unwrap();
        let mut wide = ConnectFour::new(Custom::<u128>::new(size).unwrap());
        let mut narrow = ConnectFour::new(Custom::<u64>::new(size).unwrap());
        for m in "44447715661".chars().map(|m| m.to_string().parse().unwrap()) {
            wide.play(m).unwrap();
            narrow.play(m).unwrap();
            assert_eq!(wide.on_64_bits().unwrap(), narrow);
        }
        let large = Custom::<u128>::new(Size::new(9, 9, 4).unwrap()).unwrap();
        assert_eq!(ConnectFour::new(large).on_64_bits(), None);
    }

    #[test]
    fn a_board_too_small_for_a_run_can_only_be_drawn() {
        let size = Size::new(2, 2, 3).unwrap();
        let mut game = Game::new(ConnectFour::new(Custom::<u64>::new(size).unwrap()));
        for m in ["1", "1", "2", "2"] {
            assert_eq!(game.outcome(), None);
            game.play(m.parse().unwrap()).unwrap();
        }
        assert_eq!(game.outcome(), Some(Outcome::Draw));
    }
}
