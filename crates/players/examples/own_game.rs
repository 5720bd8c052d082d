//! Searches a game of one's own: Domineering, which is no game of lines.
//!
//! The first side places upright dominoes on a square board, the second side flat ones. The side that cannot place one
//! loses. `own_game [SIZE]` plays a game between two searches.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
    time::Duration,
};

use alinea_players::{
    Stop,
    rules::{Cell, Game, Illegal, Mark, Outcome, Position, Side},
    search::{Evaluator, Limits, Search, Weight},
    system::SystemClock,
};

/// A position of Domineering on a square board of up to 8 × 8 cells.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Domineering {
    size: u8,
    /// One bit for each covered cell.
    covered: u64,
    ply: u16,
}

impl Domineering {
    /// The empty board.
    pub(crate) fn new(size: u8) -> Self {
        assert!((1..=8).contains(&size), "a board has 1 to 8 rows");
        Self { size, covered: 0, ply: 0 }
    }

    /// The bits of a side's domino with its left or lower half on this cell, if the board has both halves.
    fn domino(&self, side: Side, cell: Cell) -> Option<u64> {
        let (right, up) = if side == Side::First { (0, 1) } else { (1, 0) };
        let other = Cell::new(cell.column.saturating_add(right), cell.row.saturating_add(up));
        let bit = |cell: Cell| 1 << (8 * cell.column + cell.row);
        (other.column < self.size && other.row < self.size).then(|| bit(cell) | bit(other))
    }

    /// The cells where a side can place a domino.
    fn places(&self, side: Side) -> impl Iterator<Item = Cell> {
        let cells = (0..self.size).flat_map(|column| (0..self.size).map(move |row| Cell::new(column, row)));
        cells.filter(move |&cell| self.domino(side, cell).is_some_and(|domino| domino & self.covered == 0))
    }
}

impl Position for Domineering {
    /// A cell: the left or lower half of the domino. A game can also have a move type of its own.
    type Move = Mark;

    fn turn(&self) -> Side {
        if self.ply.is_multiple_of(2) { Side::First } else { Side::Second }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.places(self.turn()).next().is_none().then_some(Outcome::Win(self.turn().other()))
    }

    fn legal_moves(&self) -> impl Iterator<Item = Mark> {
        self.places(self.turn()).map(Mark)
    }

    fn check(&self, Mark(cell): Mark) -> Result<(), Illegal> {
        match self.domino(self.turn(), cell) {
            Some(domino) if domino & self.covered == 0 => Ok(()),
            _ => Err(Illegal::Other("a domino needs two empty cells; name its left or lower one")),
        }
    }

    fn play_unchecked(&mut self, Mark(cell): Mark) {
        self.covered |= self.domino(self.turn(), cell).unwrap_or_default();
        self.ply += 1;
    }

    fn key(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.hash(&mut hasher);
        hasher.finish()
    }

    fn ply(&self) -> u16 {
        self.ply
    }
}

/// Values the number of places that a side has left for its dominoes.
pub(crate) struct Mobility;

impl Evaluator<Domineering> for Mobility {
    /// No incremental data; the places are counted at every position.
    type Accumulator = ();

    fn new(_: &Domineering) -> Self {
        Self
    }

    fn init(&self, _: &Domineering) {}

    fn counts(&self, position: &Domineering, (): &()) -> impl AsRef<[i32]> {
        let places = |side| position.places(side).count() as i32;
        [places(position.turn()) - places(position.turn().other())]
    }

    fn weights(&self, _: &Domineering) -> &'static [Weight] {
        &[("places", 10)]
    }
}

#[allow(dead_code, reason = "the test of this example does not call it")]
fn main() {
    let size = std::env::args().nth(1).map_or(Some(6), |size| size.parse().ok());
    let Some(size) = size.filter(|size| (1..=8).contains(size)) else {
        return eprintln!("expected a size from 1 to 8");
    };
    let limits = Limits::default().time(Duration::from_millis(500), Arc::new(SystemClock::default()));
    let mut search = Search::<Domineering, Mobility>::new(16 << 20);
    let mut game = Game::new(Domineering::new(size));
    while let Some(found) = search.best(&game, &limits, &Stop::default()) {
        let line = &found.lines[0];
        let side = game.position().turn();
        let result = line.proven().map(|proven| format!(", {:?} in {} plies", proven.result, proven.plies));
        println!(
            "{side}: {}, value {} at depth {}{}",
            line.moves[0],
            line.value,
            found.depth,
            result.unwrap_or_default()
        );
        game.play(line.moves[0]).expect("the search finds legal moves");
    }
    println!("{:?}", game.outcome().expect("the game is over"));
}
