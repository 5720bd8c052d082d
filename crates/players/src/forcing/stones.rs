//! Gomoku for the search of forced wins: the board as windows, the runs that can still be completed.
//!
//! The attacker is searched by continuous fours and threes: moves that leave a window two stones short at most. A
//! shortest win within five plies consists of such moves only; of longer wins, those that are forced by other moves
//! are not seen. All defences count: where the attacker threatens to complete a run at once, every reply but the one
//! on that cell loses, so only that one is searched. What wins and what is forbidden, the rules of the position say.

use std::sync::Arc;

use rules::{
    Bits, Cell, Direction, Geometry, Mark, Outcome, Position, Side, Size,
    gomoku::{Gomoku, Large},
    runs,
};

use super::forced::Node;

/// The windows of a board: `run` cells in a line.
struct Layout {
    rows: u8,
    run: u8,
    /// The cells of each window.
    windows: Vec<Vec<u16>>,
    /// The windows through each cell.
    through: Vec<Vec<u16>>,
}

impl Layout {
    fn new(rows: u8, cols: u8, run: u8) -> Self {
        let mut windows = Vec::new();
        for direction in Direction::ALL {
            let (right, up) = direction.delta();
            for (column, row) in (0..cols).flat_map(|column| (0..rows).map(move |row| (column, row))) {
                let cell = |i: u8| {
                    let column = i16::from(column) + i16::from(right) * i16::from(i);
                    let row = i16::from(row) + i16::from(up) * i16::from(i);
                    let is_inside =
                        (0..i16::from(cols)).contains(&column) && (0..i16::from(rows)).contains(&row);
                    is_inside.then(|| (column * i16::from(rows) + row) as u16)
                };
                windows.extend((0..run).map(cell).collect::<Option<Vec<_>>>());
            }
        }
        let mut through = vec![Vec::new(); usize::from(rows) * usize::from(cols)];
        for (number, window) in windows.iter().enumerate() {
            for &cell in window {
                through[usize::from(cell)].push(number as u16);
            }
        }
        Self { rows, run, windows, through }
    }
}

/// A position of Gomoku with the number of stones in every window.
#[derive(Clone)]
pub struct Stones {
    layout: Arc<Layout>,
    position: Gomoku<Large>,
    /// The stones of both sides in each window.
    counts: Vec<[u8; 2]>,
    /// How many windows lack one stone of a side and have none of the other.
    fours: [u16; 2],
    key: u64,
}

impl PartialEq for Stones {
    fn eq(&self, other: &Self) -> bool {
        self.position == other.position
    }
}

impl Eq for Stones {}

impl Stones {
    /// The position of a game.
    #[must_use]
    pub fn of<G: Geometry>(position: &Gomoku<G>) -> Self {
        let geometry = position.geometry();
        let (rows, cols, run) = (geometry.rows(), geometry.cols(), geometry.run());
        let layout = Arc::new(Layout::new(rows, cols, run));
        let mut stones = Self {
            counts: vec![[0; 2]; layout.windows.len()],
            fours: [0; 2],
            key: 0,
            position: position.on(large(rows, cols, run)),
            layout,
        };
        for cell in 0..u16::from(rows) * u16::from(cols) {
            for side in Side::BOTH {
                if position.stones(side).has(geometry.index(stones.cell(cell))) {
                    stones.count(cell, side);
                }
            }
        }
        stones
    }

    fn cell(&self, number: u16) -> Cell {
        let rows = u16::from(self.layout.rows);
        Cell::new((number / rows) as u8, (number % rows) as u8)
    }

    /// Counts a new stone.
    fn count(&mut self, cell: u16, side: Side) {
        let (own, other, run) = (side.index(), side.other().index(), self.layout.run);
        self.key ^= random(u64::from(cell) * 2 + own as u64);
        for &window in &self.layout.through[usize::from(cell)] {
            let counts = &mut self.counts[usize::from(window)];
            let before = *counts;
            counts[own] += 1;
            if before[other] == 0 {
                self.fours[own] += u16::from(counts[own] == run - 1);
                self.fours[own] -= u16::from(counts[own] == run);
            } else if before[own] == 0 && before[other] == run - 1 {
                self.fours[other] -= 1;
            }
        }
    }

    /// The empty cells of the windows that hold at least this many stones of a side and none of the other.
    fn cells_in_windows(&self, side: Side, least: u8) -> Vec<Cell> {
        let occupied = self.position.occupied();
        let mut is_found = vec![false; self.layout.through.len()];
        for (window, counts) in self.layout.windows.iter().zip(&self.counts) {
            if counts[side.index()] >= least && counts[side.other().index()] == 0 {
                for &cell in window {
                    is_found[usize::from(cell)] = true;
                }
            }
        }
        let cells =
            (0..).zip(is_found).filter(|&(_, is_found)| is_found).map(|(number, _)| self.cell(number));
        cells.filter(|&cell| !occupied.has(self.position.geometry().index(cell))).collect()
    }

    /// The cells where a side completes a run.
    fn completions(&self, side: Side) -> Vec<Cell> {
        if self.fours[side.index()] == 0 {
            return Vec::new();
        }
        let (geometry, stones) = (self.position.geometry(), self.position.stones(side));
        let length = self.position.rules().lengths()[side.index()];
        let mut cells = self.cells_in_windows(side, self.layout.run - 1);
        cells.retain(|&cell| {
            let mut with = stones;
            with.insert(geometry.index(cell));
            runs::has_line_through(geometry, &with, cell, length)
        });
        cells
    }

    /// The moves on those of these empty cells that are not forbidden.
    fn moves(&self, cells: Vec<Cell>) -> Vec<Mark> {
        cells.into_iter().filter(|&cell| self.position.foul(cell).is_none()).map(Mark).collect()
    }
}

/// The board that has room for all sizes.
fn large(rows: u8, cols: u8, run: u8) -> Large {
    let size = Size::new(rows.into(), cols.into(), run.into()).ok();
    size.and_then(Large::new).expect("a board of the game")
}

impl Node for Stones {
    type Move = Mark;

    const WINS_FIRST: bool = true;

    fn turn(&self) -> Side {
        self.position.turn()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.position.outcome()
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn legal_moves(&self) -> Vec<Mark> {
        self.position.legal_moves().collect()
    }

    fn attacks(&self, plies: u32) -> Vec<Mark> {
        let own = self.turn();
        let winning = self.completions(own);
        if !winning.is_empty() {
            return self.moves(winning);
        }
        if plies < 3 {
            return Vec::new();
        }
        let forced = self.completions(own.other());
        if !forced.is_empty() {
            return self.moves(forced);
        }
        let short = if plies < 5 { 2 } else { 3 };
        self.moves(self.cells_in_windows(own, self.layout.run.saturating_sub(short)))
    }

    fn defences(&self) -> Vec<Mark> {
        let own = self.turn();
        let winning = self.completions(own);
        if !winning.is_empty() {
            return self.moves(winning);
        }
        // With several such cells, no block is better than another: each leaves one cell to complete.
        let forced = self.moves(self.completions(own.other()));
        if forced.is_empty() { self.legal_moves() } else { forced }
    }

    fn after(&self, m: Mark) -> Self {
        let mut next = self.clone();
        let number = u16::from(m.0.column) * u16::from(self.layout.rows) + u16::from(m.0.row);
        next.count(number, self.turn());
        next.position.play_unchecked(m);
        next
    }

    fn move_text(&self, m: Mark) -> String {
        m.to_string()
    }
}

/// A fixed random number for a stone on a cell: the finaliser of SplitMix64.
fn random(number: u64) -> u64 {
    let mut z = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}
