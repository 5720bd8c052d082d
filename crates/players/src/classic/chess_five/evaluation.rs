//! The evaluation of a ChessFive position by the original document, term by term.

use rules::{Cell, ChessFive, Chessboard, Direction, Geometry, Side, members, runs};

use crate::Term;

/// Points for the longest unbroken line of own pieces in a row, column or diagonal, by its length.
const LINE_SCORES: [i64; 6] = [0, 0, 10, 100, 1000, 10_000];

/// The counts of the evaluation terms for one player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Evaluation {
    lines: i64,
    opponent_lines: i64,
    centre: i64,
    mobility: i64,
    blocking: i64,
    material: i64,
    positioning: i64,
}

impl Evaluation {
    pub(super) fn of(position: &ChessFive, player: Side) -> Self {
        let own = position.pieces(player);
        let opponent = position.pieces(player.other());
        Self {
            lines: line_score(own),
            opponent_lines: line_score(opponent),
            centre: centre(own),
            mobility: i64::from(position.mobility(player)),
            blocking: blocking(own, opponent),
            material: i64::from(own.count_ones()),
            positioning: if position.is_chess_phase() { 0 } else { positioning(own, opponent) },
        }
    }

    /// The counts with the names and weights of the terms.
    const fn counts(&self) -> [(&'static str, i64, i64); 7] {
        [
            ("lines", self.lines, 1000),
            ("rival-lines", self.opponent_lines, -1200),
            ("centre", self.centre, 50),
            ("mobility", self.mobility, 30),
            ("blocking", self.blocking, 500),
            ("material", self.material, 10),
            ("positioning", self.positioning, 100),
        ]
    }

    pub(super) fn terms(&self) -> Vec<Term> {
        self.counts().map(|(name, count, weight)| Term { name: name.into(), count, weight }).into()
    }

    pub(super) fn value(&self) -> i64 {
        self.counts().map(|(_, count, weight)| count * weight).iter().sum()
    }
}

/// The whole row, column or diagonal through each cell, by direction.
static WHOLE_LINES: [[u64; 64]; 4] = {
    let mut lines = [[0; 64]; 4];
    let mut direction = 0;
    while direction < 4 {
        let (columns, rows) = Direction::ALL[direction].delta();
        let mut from = 0;
        while from < 64 {
            let mut n = -7;
            while n <= 7 {
                let column = (from / 8) as i8 + n * columns;
                let row = (from % 8) as i8 + n * rows;
                if column >= 0 && column < 8 && row >= 0 && row < 8 {
                    lines[direction][from] |= 1 << (column * 8 + row);
                }
                n += 1;
            }
            from += 1;
        }
        direction += 1;
    }
    lines
};

/// Where lines of a length may begin without wrapping into the next column, by direction and length.
static STARTS: [[u64; 6]; 4] = {
    let mut starts = [[0; 6]; 4];
    let mut direction = 0;
    while direction < 4 {
        let (_, rows) = Direction::ALL[direction].delta();
        let mut length = 0;
        while length < 6 {
            let mut from = 0;
            while from < 64 {
                let last_row = (from % 8) as i8 + rows * (length as i8 - 1);
                if last_row >= 0 && last_row < 8 {
                    starts[direction][length] |= 1 << from;
                }
                from += 1;
            }
            length += 1;
        }
        direction += 1;
    }
    starts
};

/// The starts of unbroken lines of at least a length in one direction.
fn starts(pieces: u64, direction: Direction, length: usize) -> u64 {
    runs::starts(pieces, direction.step(Chessboard), length as u8) & STARTS[direction as usize][length]
}

fn line_score(pieces: u64) -> i64 {
    let mut score = 0;
    for direction in Direction::ALL {
        for length in 2..=5 {
            let mut starts = starts(pieces, direction, length);
            if starts == 0 {
                break;
            }
            // A line that reaches this length replaces the points of the next shorter one.
            let gain = LINE_SCORES[length] - LINE_SCORES[length - 1];
            while starts != 0 {
                score += gain;
                starts &= !WHOLE_LINES[direction as usize][starts.trailing_zeros() as usize];
            }
        }
    }
    score
}

/// The pieces of each unbroken line of at least three.
pub(super) fn long_lines(pieces: u64) -> Vec<Vec<Cell>> {
    let mut lines = Vec::new();
    for direction in Direction::ALL {
        let step = direction.step(Chessboard);
        let inner = starts(pieces, direction, 2) << step;
        for start in members(starts(pieces, direction, 3) & !inner) {
            let cell = Chessboard.cell(start);
            let next = |&cell: &Cell| {
                runs::neighbour(Chessboard, cell, direction.delta())
                    .filter(|&cell| pieces >> Chessboard.index(cell) & 1 != 0)
            };
            lines.push(std::iter::successors(Some(cell), next).collect());
        }
    }
    lines
}

/// Points of the cells: 1 at the edge, one more per ring, 4 in the middle.
fn centre(pieces: u64) -> i64 {
    const RINGS: [u64; 4] = {
        let mut rings = [0; 4];
        let mut ring = 0;
        while ring < 4 {
            let mut cell = 0;
            while cell < 64 {
                let (column, row) = (cell / 8, cell % 8);
                if column >= ring && column < 8 - ring && row >= ring && row < 8 - ring {
                    rings[ring] |= 1 << cell;
                }
                cell += 1;
            }
            ring += 1;
        }
        rings
    };
    RINGS.iter().map(|ring| i64::from((pieces & ring).count_ones())).sum()
}

/// Five cells in a line where the opponent holds three or four and an own piece stops them: 1 for three;
/// 10 for four, which with its weight gives the 5,000 of the document.
fn blocking(own: u64, opponent: u64) -> i64 {
    let mut blocked = 0;
    for direction in Direction::ALL {
        let opponents = Counts::of(opponent, direction);
        let held = windows_with(own, direction);
        blocked += i64::from((opponents.three() & held).count_ones());
        blocked += 10 * i64::from((opponents.four() & held).count_ones());
    }
    blocked
}

/// The drop phase's positioning: 0 to 3 for each own piece, growing towards the central columns; −1 for each
/// own piece in a full column; 2 for each window after the first that holds three or more own pieces and none
/// of the opponent's.
fn positioning(own: u64, opponent: u64) -> i64 {
    // The columns b to g, c to f, d and e: a piece counts once for each that has it.
    const NESTED: [u64; 3] = [0x00ff_ffff_ffff_ff00, 0x0000_ffff_ffff_0000, 0x0000_00ff_ff00_0000];
    const COLUMN: u64 = 0xff;
    let central: u32 = NESTED.iter().map(|columns| (own & columns).count_ones()).sum();
    let occupied = own | opponent;
    let full = (0..8).map(|column| COLUMN << (8 * column)).filter(|column| occupied & column == *column);
    let in_full: u32 = full.map(|column| (own & column).count_ones()).sum();
    let is_promising = |direction| {
        let own = Counts::of(own, direction);
        (own.three_or_more() & !windows_with(opponent, direction)).count_ones()
    };
    let promising: u32 = Direction::ALL.into_iter().map(is_promising).sum();
    i64::from(central) - i64::from(in_full) + 2 * i64::from(promising.saturating_sub(1))
}

/// How many of the five cells of each window in one direction are in a set, for all windows at once: bit
/// planes of the binary digits, by the first cell of the window.
struct Counts {
    ones: u64,
    twos: u64,
    fours: u64,
    windows: u64,
}

impl Counts {
    fn of(pieces: u64, direction: Direction) -> Self {
        let step = direction.step(Chessboard);
        let (mut ones, mut twos, mut fours) = (0_u64, 0_u64, 0_u64);
        for i in 0..5 {
            let bit = pieces >> (i * step);
            let carry = ones & bit;
            ones ^= bit;
            fours |= twos & carry;
            twos ^= carry;
        }
        Self { ones, twos, fours, windows: windows(direction) }
    }

    fn three(&self) -> u64 {
        self.ones & self.twos & !self.fours & self.windows
    }

    fn four(&self) -> u64 {
        self.fours & !self.ones & self.windows
    }

    fn three_or_more(&self) -> u64 {
        (self.ones & self.twos | self.fours) & self.windows
    }
}

/// The first cells of all windows of five cells in a direction.
fn windows(direction: Direction) -> u64 {
    STARTS[direction as usize][5] & in_columns(direction)
}

/// The windows that hold a piece of a set, by their first cells.
fn windows_with(pieces: u64, direction: Direction) -> u64 {
    let step = direction.step(Chessboard);
    (0..5).fold(0, |held, i| held | pieces >> (i * step)) & windows(direction)
}

/// The cells from which five cells in a direction stay within the columns of the board.
const fn in_columns(direction: Direction) -> u64 {
    match direction {
        Direction::Vertical => !0,
        _ => 0xffff_ffff,
    }
}

#[cfg(test)]
mod tests {
    use rules::Position;

    use super::*;

    fn pieces(cells: &str) -> u64 {
        let bit = |cell: &str| 1 << Chessboard.index(cell.parse().unwrap());
        cells.split(' ').map(bit).fold(0, |set, bit: u64| set | bit)
    }

    #[test]
    fn the_longest_of_each_whole_line_counts() {
        assert_eq!(line_score(pieces("a1 b1")), 10);
        assert_eq!(line_score(pieces("a1 b1 e1 f1 g1")), 100);
        assert_eq!(line_score(pieces("a8 b7 c6 d5")), 1000);
        assert_eq!(line_score(pieces("a1 a2 b2")), 30);
        assert_eq!(line_score(pieces("h1 h2 h3 h4 h5")), 10_000);
        assert_eq!(line_score(pieces("a8 b1 b2 b8")), 10 + 10);
    }

    #[test]
    fn long_lines_are_whole() {
        assert_eq!(long_lines(pieces("c3 d4 e5 f6 c4")).len(), 1);
        assert_eq!(long_lines(pieces("c3 d4 e5 f6"))[0].len(), 4);
        assert!(long_lines(pieces("a7 a8 b1 b2")).is_empty());
    }

    #[test]
    fn the_centre_table_is_the_documents() {
        let table: i64 = centre(!0);
        assert_eq!(table, 28 + 2 * 20 + 3 * 12 + 4 * 4);
        assert_eq!(centre(pieces("d4")), 4);
        assert_eq!(centre(pieces("b7")), 2);
    }

    #[test]
    fn stopped_lines_count_as_blocking() {
        // Only the window a1–e1 has three of the opponent and an own piece.
        assert_eq!(blocking(pieces("a1"), pieces("b1 c1 d1")), 1);
        assert_eq!(blocking(pieces("a1"), pieces("b1 c1 d1 e1")), 10);
        assert_eq!(blocking(pieces("a8"), pieces("b1 b2 b3 b4")), 0);
        assert_eq!(blocking(pieces("d4"), pieces("a1 b2 c3 e5")), 10 + 1);
    }

    #[test]
    fn positioning_prefers_central_columns() {
        for (cells, expected) in [("a1", 0), ("b1", 1), ("c1", 2), ("d1", 3), ("e1", 3), ("f1", 2), ("h1", 0)]
        {
            assert_eq!(positioning(pieces(cells), 0), expected, "{cells}");
        }
        // The opponent's pieces do not count.
        assert_eq!(positioning(pieces("a1 g1"), pieces("d1 e1")), 1);
    }

    #[test]
    fn positioning_avoids_full_columns() {
        // Three own pieces in column c: 2 each, and −1 each once it is full.
        assert_eq!(positioning(pieces("c1 c4 c8"), pieces("c2 c3 c5 c6")), 6);
        assert_eq!(positioning(pieces("c1 c4 c8"), pieces("c2 c3 c5 c6 c7")), 6 - 3);
    }

    #[test]
    fn positioning_seeks_several_threats() {
        // One window, a1 to e1, holds three: 0 + 1 + 2 for the columns, nothing for the first window.
        assert_eq!(positioning(pieces("a1 b1 c1"), 0), 3);
        // b1 to d1 are in the windows from a1 and from b1: the second counts.
        assert_eq!(positioning(pieces("b1 c1 d1"), 0), 1 + 2 + 3 + 2);
        // A piece of the opponent on e1 spoils both.
        assert_eq!(positioning(pieces("b1 c1 d1"), pieces("e1")), 1 + 2 + 3);
        // On f1 it spoils only the second.
        assert_eq!(positioning(pieces("b1 c1 d1"), pieces("f1")), 1 + 2 + 3);
        // A row of three, in the windows from a1 and b1, and a column of three, in that from d1.
        assert_eq!(positioning(pieces("b1 c1 d1 d2 d3"), 0), 1 + 2 + 3 * 3 + 2 * 2);
        // Rising from a1, and the same at the other side, falling: one window each.
        assert_eq!(positioning(pieces("a1 b2 c3"), 0), 3);
        assert_eq!(positioning(pieces("h1 g2 f3"), 0), 3);
    }

    #[test]
    fn positioning_counts_in_the_drop_phase_only() {
        let evaluation = |text: &str| {
            let mut game = rules::AnyGame::from("chess-five".parse::<rules::Spec>().unwrap());
            game.set_position(text).unwrap();
            let position = game.typed::<ChessFive>().unwrap().position();
            Evaluation::of(position, Side::First)
        };
        let dropping = evaluation("8/8/8/8/8/3Rr3/1NBRrbn1/1NBQqbn1[Kk] w");
        // Columns b, c and d hold 2, 2 and 3 own pieces. Two windows hold three of them and no other piece:
        // d1 to d5, and b1 c2 d3 e4 f5.
        assert_eq!(dropping.positioning, 2 + 2 * 2 + 3 * 3 + 2);
        let moving = evaluation("8/8/8/8/3Kk3/3Rr3/1NBRrbn1/1NBQqbn1[] w");
        assert_eq!(moving.positioning, 0);
        assert_eq!(dropping.terms()[6].points(), 100 * dropping.positioning);
    }

    #[test]
    fn the_value_is_the_sum_of_the_terms() {
        let position = ChessFive::default();
        let evaluation = Evaluation::of(&position, position.turn());
        assert_eq!(evaluation.value(), 40 * 30);
    }
}
